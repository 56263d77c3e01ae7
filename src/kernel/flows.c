/* SPDX-License-Identifier: Apache-2.0 */
/* Flows: opened with the kernel, told by the book, telling listeners. */
#include "kernel/flows.h"

#include "base/clock.h"
#include "base/seal.h"
#include "base/secret.h"
#include "flow/flow_message.h"
#include "store/flow_rows.h"

#include <stdlib.h>

#define SPENT_MOST 1024 /* until those that have expired are forgotten */

struct flows {
	const struct kernel_means *means;
	struct flow_book *book;
	struct flow_key key;
	struct link listeners;
	uint64_t pushes;
	unsigned spent; /* tokens, since those that have expired were forgotten */
};

/* ---- Listeners ---- */

void flows_listen(struct flows *flows, struct flow_listener *listener) { list_append(&flows->listeners, &listener->link); }

void flows_unlisten(struct flow_listener *listener) { list_remove(&listener->link); }

/* A session in error has no result: what is said is why. */
static void write_failed(struct text *to, const struct flow_session *session, struct slice id) {
	text_add_cstr(to, "{\"sessionId\":");
	text_json(to, id);
	text_add_cstr(to, ",\"result\":{\"success\":false,\"data\":{}},\"summary\":");
	text_json(to, text_slice(&session->summary));
	text_add_char(to, '}');
}

static const char *write_news(struct text *to, const struct flow_session *session, struct slice id, enum flow_news news) {
	if (news == FLOW_NEWS_WARNING) {
		flow_write_warning(to, session, id);
		return "notifications/interaction/timeout";
	}
	if (news == FLOW_NEWS_PROMPT) flow_write_prompt(to, session, id);
	else if (session->result.length) flow_write_complete(to, session, id);
	else write_failed(to, session, id);
	return flow_method_name(news == FLOW_NEWS_PROMPT ? FLOW_METHOD_PROMPT : FLOW_METHOD_COMPLETE);
}

static void tell(struct flows *flows, const struct flow_session *session, const struct flow_push *push) {
	struct flow_push told = *push;
	told.principal = slice_of(session->principal);
	told.server = session->server ? slice_of(session->server) : SLICE_NONE;
	told.session = session->session ? slice_of(session->session) : SLICE_NONE;
	LIST_EACH_SAFE(link, &flows->listeners) {
		struct flow_listener *listener = CONTAINER_OF(link, struct flow_listener, link);
		listener->told(listener, &told);
	}
}

static void push(struct flows *flows, const struct flow_session *session, struct slice id, enum flow_news news,
	bool is_anywhere) {
	AUTO_TEXT struct text params = {0};
	if (list_is_empty(&flows->listeners) || !session->principal) return;
	text_init(&params, 0);
	const struct flow_push told = {
		.method = write_news(&params, session, id, news),
		.is_anywhere = is_anywhere,
		.id = news == FLOW_NEWS_WARNING ? 0 : ++flows->pushes,
		.params = text_slice(&params),
	};
	if (!text_failed(&params)) tell(flows, session, &told);
}

void flows_push(struct flows *flows, const struct flow_session *session, struct slice id, enum flow_news news) {
	push(flows, session, id, news, false);
}

void flows_push_entry(struct flows *flows, const struct flow_entry *entry, enum flow_news news) {
	struct slice id = slice_of(entry->token ? entry->token : entry->session->id);
	push(flows, entry->session, id, news, entry->was_restored);
}

void flows_push_led(struct flows *flows, const struct flow_entry *entry, enum flow_method method, struct slice params) {
	const struct flow_push told = {.method = flow_method_name(method), .id = ++flows->pushes, .params = params};
	tell(flows, entry->session, &told);
}

/* ---- Tokens ---- */

bool flows_spend(struct flows *flows, const uint8_t token[SECRET_HASH_SIZE], int64_t expires_at, bool *was_new,
	struct fault *why) {
	struct fault swept;
	if (++flows->spent >= SPENT_MOST) {
		flows->spent = 0;
		if (!flow_row_sweep(flows->means->state, clock_wall_ms(), &swept))
			log_write(flows->means->log, LOG_WARNING, "tokens of guided sessions that have expired are kept: %s", swept.text);
	}
	return flow_row_spend(flows->means->state, token, expires_at, was_new, why);
}

/* ---- What the book tells ---- */

void flows_give_up(struct flow_entry *entry, const char *reason) {
	struct flow_driver *driver = TAKE(entry->driver);
	if (driver) driver->give_up(driver, reason);
}

static void warns(void *context, struct flow_entry *entry) { flows_push_entry(context, entry, FLOW_NEWS_WARNING); }

static void leaves(void *context, struct flow_entry *entry) {
	(void)context;
	flows_give_up(entry, "the guided session is over");
}

static const struct flow_book_events events = {.warns = warns, .leaves = leaves};

/* ---- Its life ---- */

struct flows *flows_open(const struct kernel_means *means, struct slice secret, struct fault *why) {
	uint8_t seal[SEAL_KEY], token[SEAL_KEY];
	_Static_assert(SEAL_KEY == FLOW_KEY, "a key of one is a key of the other");
	struct flows *flows = calloc(1, sizeof *flows);
	if (!flows) return fault_null(why, FAULT_NO_MEMORY, "no memory for guided sessions");
	flows->means = means;
	list_init(&flows->listeners);
	bool has_keys = seal_key(seal, secret, "flow") && seal_key(token, secret, "flow token") &&
		flow_key_make(&flows->key, token);
	const struct flow_book_options options = {
		.loop = means->loop,
		.state = means->state,
		.log = means->log,
		.key = seal,
		.events = &events,
		.context = flows,
		.most_of_one = means->flow.most_of_one,
	};
	if (has_keys) flows->book = flow_book_open(&options, why);
	else (void)fault_set(why, FAULT_NO_MEMORY, "no memory for the keys of guided sessions");
	secret_wipe(seal, sizeof seal);
	secret_wipe(token, sizeof token);
	if (flows->book) return flows;
	flows_close(flows);
	return NULL;
}

void flows_rest(struct flows *flows) {
	for (struct flow_entry *entry = NULL; (entry = flow_book_next(flows->book, entry));)
		flows_give_up(entry, "the gateway ends");
	for (struct flow_entry *entry = NULL; (entry = flow_book_next_over(flows->book, entry));)
		flows_give_up(entry, "the gateway ends");
}

void flows_close(struct flows *flows) {
	if (!flows) return;
	if (flows->book) flows_rest(flows);
	flow_book_close(flows->book);
	secret_wipe(&flows->key, sizeof flows->key);
	free(flows);
}

void flows_change(struct flows *flows) { flow_book_limit(flows->book, flows->means->flow.most_of_one); }

struct flow_book *flows_book(const struct flows *flows) {
	return flows->book;
}

const struct flow_key *flows_key(const struct flows *flows) { return &flows->key; }

struct flow_limits flows_limits(const struct flows *flows) {
	const struct flow_settings *settings = &flows->means->flow;
	return (struct flow_limits){
		.timeout_ms = (int64_t)settings->timeout_ms,
		.duration_ms = (int64_t)settings->duration_ms,
		.prompts = (unsigned)settings->prompts,
	};
}
