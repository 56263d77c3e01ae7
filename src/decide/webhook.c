/* SPDX-License-Identifier: Apache-2.0 */
/* Webhook: a line of messages for each decision; the first of a line is on its way, or pauses. */
#include "decide/webhook.h"

#include "base/clock.h"
#include "base/map.h"
#include "decide/decision_record.h"
#include "decide/webhook_sign.h"
#include "net/fetch.h"

#include <stdio.h>
#include <stdlib.h>

#define ANSWER 4096       /* octets of the receiver's answer that are read */
#define DEADLINE_MS 15000 /* of one try */

static const int64_t hour_ms[WEBHOOK_TRIES] = {5000, 30000, 120000, 300000, 600000, 1080000, 1440000, 0};

struct message {
	struct link in_line;
	uint64_t version;
	size_t length;
	char body[];
};

/* The messages of one decision. */
struct line {
	struct link in_ready; /* waits for its turn; else not in a list */
	struct webhook *webhook;
	struct link messages;
	struct fetch *fetch; /* of the first; NULL: it waits or pauses */
	struct deadline pause;
	unsigned tries; /* of the first */
	char id[DECISION_ID];
};

struct webhook {
	struct webhook_options options;
	char *url;
	struct text key;
	struct map lines; /* by the decision's id */
	struct link ready;
	struct task work;
	size_t waiting, octets, under_way;
};

static void make_ready(struct line *line);

static void message_drop(struct webhook *webhook, struct message *message) {
	list_remove(&message->in_line);
	webhook->waiting--;
	webhook->octets -= message->length;
	free(message);
}

static void line_free(struct line *line) {
	struct webhook *webhook = line->webhook;
	while (!list_is_empty(&line->messages))
		message_drop(webhook, CONTAINER_OF(line->messages.next, struct message, in_line));
	if (line->fetch) webhook->under_way--;
	fetch_close(line->fetch);
	deadline_clear(&line->pause);
	list_remove(&line->in_ready);
	map_remove(&webhook->lines, slice_of(line->id));
	free(line);
}

/* ---- One try ---- */

/* The first message of the line arrived, or will not. */
static void finish(struct line *line, const struct fault *why) {
	struct webhook *webhook = line->webhook;
	struct message *message = CONTAINER_OF(line->messages.next, struct message, in_line);
	uint64_t version = message->version;
	char id[DECISION_ID];
	memcpy(id, line->id, sizeof id);
	if (why)
		log_write(webhook->options.log, LOG_WARNING, "webhook: decision %s, change %llu was not told: %s", id,
			(unsigned long long)version, why->text);
	message_drop(webhook, message);
	line->tries = 0;
	if (list_is_empty(&line->messages)) line_free(line);
	else make_ready(line);
	webhook->options.done(webhook->options.context, slice_of(id), version, why);
}

static void pause_over(struct deadline *deadline) {
	make_ready(CONTAINER_OF(deadline, struct line, pause));
}

static int64_t pause_of(const struct webhook *webhook, unsigned tries) {
	const int64_t *pauses = webhook->options.pauses_ms ? webhook->options.pauses_ms : hour_ms;
	for (unsigned i = 0; i + 1 < tries; i++)
		if (pauses[i] == 0) return 0;
	return pauses[tries - 1];
}

static void failed(struct line *line, const struct fault *why, bool is_final) {
	struct webhook *webhook = line->webhook;
	int64_t pause_ms = is_final || line->tries >= WEBHOOK_TRIES ? 0 : pause_of(webhook, line->tries);
	if (pause_ms == 0) {
		finish(line, why);
		return;
	}
	log_write(webhook->options.log, LOG_INFO, "webhook: decision %s, try %u of %d: %s", line->id, line->tries,
		WEBHOOK_TRIES, why->text);
	deadline_set(webhook->options.loop, &line->pause, (uint64_t)pause_ms, pause_over);
}

static void run(struct task *task);

static void answered(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct line *line = context;
	struct webhook *webhook = line->webhook;
	struct fault refused;
	bool is_final = answer && answer->status == 410;
	bool is_told = answer && answer->status >= 200 && answer->status < 300;
	if (answer && !is_told) {
		fault_set(&refused, FAULT_REFUSED, "the receiver answered %u", answer->status);
		why = &refused;
	}
	struct fault copy = why ? *why : (struct fault){0};
	fetch_close(TAKE(line->fetch));
	webhook->under_way--;
	if (!list_is_empty(&webhook->ready)) loop_later(webhook->options.loop, &webhook->work, run);
	if (is_told) finish(line, NULL);
	else failed(line, &copy, is_final);
}

static const struct fetch_events events = {.done = answered};

static bool send_first(struct line *line, struct fault *why) {
	struct webhook *webhook = line->webhook;
	struct message *message = CONTAINER_OF(line->messages.next, struct message, in_line);
	struct slice body = slice_make(message->body, message->length);
	int64_t seconds = loop_wall(webhook->options.loop) / 1000;
	char id[48], id_header[64], time_header[64];
	AUTO_TEXT struct text signature = {0};
	text_init(&signature, 0);
	snprintf(id, sizeof id, "%s-%llu", line->id, (unsigned long long)message->version);
	snprintf(id_header, sizeof id_header, "webhook-id: %s", id);
	snprintf(time_header, sizeof time_header, "webhook-timestamp: %lld", (long long)seconds);
	text_add_cstr(&signature, "webhook-signature: ");
	if (!webhook_sign(text_slice(&webhook->key), slice_of(id), seconds, body, &signature))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to sign a message");
	const char *const headers[] = {"Content-Type: application/json", id_header, time_header, signature.bytes, NULL};
	const struct fetch_options options = {
		.method = "POST",
		.url = webhook->url,
		.headers = headers,
		.body = body,
		.limit = ANSWER,
		.deadline_ms = DEADLINE_MS,
	};
	line->fetch = fetch_open(webhook->options.desk, &options, &events, line, why);
	return line->fetch != NULL;
}

static void run(struct task *task) {
	struct webhook *webhook = CONTAINER_OF(task, struct webhook, work);
	struct link *link;
	while (webhook->under_way < WEBHOOK_AT_ONCE && (link = list_pop(&webhook->ready))) {
		struct line *line = CONTAINER_OF(link, struct line, in_ready);
		struct fault why;
		line->tries++;
		if (send_first(line, &why)) webhook->under_way++;
		else failed(line, &why, false);
	}
}

static void make_ready(struct line *line) {
	list_append(&line->webhook->ready, &line->in_ready);
	loop_later(line->webhook->options.loop, &line->webhook->work, run);
}

/* ---- Telling ---- */

static void write_body(const struct decision *decision, int64_t now, struct text *body) {
	char when[CLOCK_TEXT_SIZE];
	clock_write(now, when);
	text_printf(body, "{\"type\":\"decision.%s\",\"timestamp\":\"%s\",\"data\":",
		decision->state == DECISION_PENDING ? "opened" : decision_state_text(decision->state), when);
	decision_write(decision, body);
	text_add_char(body, '}');
}

static struct line *find_line(struct webhook *webhook, const struct decision *decision) {
	struct line *line = map_find(&webhook->lines, slice_of(decision->id));
	if (line) return line;
	line = calloc(1, sizeof *line);
	if (!line) return NULL;
	line->webhook = webhook;
	list_init(&line->in_ready);
	list_init(&line->messages);
	memcpy(line->id, decision->id, sizeof line->id);
	if (map_add(&webhook->lines, slice_of(line->id), line, NULL)) return line;
	free(line);
	return NULL;
}

bool webhook_tell(struct webhook *webhook, const struct decision *decision, struct fault *why) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	write_body(decision, loop_wall(webhook->options.loop), &body);
	if (text_failed(&body)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	if (webhook->waiting >= WEBHOOK_WAITING || webhook->octets + body.length > WEBHOOK_OCTETS)
		return fault_set(why, FAULT_FULL, "%zu messages wait for the webhook's receiver, no more are kept",
			webhook->waiting);
	AUTO_FREE struct message *message = malloc(sizeof *message + body.length);
	struct line *line = message ? find_line(webhook, decision) : NULL;
	if (!line) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	message->version = decision->version;
	message->length = body.length;
	memcpy(message->body, body.bytes, body.length);
	bool is_first = list_is_empty(&line->messages);
	list_append(&line->messages, &message->in_line);
	webhook->waiting++;
	webhook->octets += message->length;
	message = NULL;
	if (is_first) make_ready(line);
	return true;
}

size_t webhook_waiting(const struct webhook *webhook) { return webhook->waiting; }

/* ---- Open and close ---- */

bool webhook_change(struct webhook *webhook, const char *url, const char *secret, struct fault *why) {
	struct slice place = slice_of(url);
	struct text key = {0};
	text_init(&key, 0);
	if (!slice_starts_with(place, "http://") && !slice_starts_with(place, "https://"))
		return fault_set(why, FAULT_BAD_INPUT, "decide.webhook_url: begins with http:// or https://");
	if (!secret)
		return fault_set(why, FAULT_BAD_INPUT,
			"decide.webhook_secret: missing; the receiver tells by it that a message is ours");
	char *copy = slice_copy(place);
	if (!copy) fault_set(why, FAULT_NO_MEMORY, "no memory for the webhook");
	if (!copy || !webhook_key(slice_of(secret), WEBHOOK_SECRET_LEAST, &key, why)) {
		if (key.bytes) secret_wipe(key.bytes, key.length);
		text_finish(&key);
		free(copy);
		return false;
	}
	if (webhook->key.bytes) secret_wipe(webhook->key.bytes, webhook->key.length);
	text_finish(&webhook->key);
	free(webhook->url);
	webhook->key = key;
	webhook->url = copy;
	return true;
}

struct webhook *webhook_open(const struct webhook_options *options, struct fault *why) {
	struct webhook *webhook = calloc(1, sizeof *webhook);
	if (!webhook) return fault_null(why, FAULT_NO_MEMORY, "no memory for the webhook");
	webhook->options = *options;
	text_init(&webhook->key, 0);
	map_init(&webhook->lines);
	list_init(&webhook->ready);
	if (webhook_change(webhook, options->url, options->secret, why)) return webhook;
	webhook_close(webhook);
	return NULL;
}

void webhook_close(struct webhook *webhook) {
	if (!webhook) return;
	void *value;
	task_clear(&webhook->work);
	for (size_t at = 0; map_each(&webhook->lines, &at, &value);) line_free(value);
	map_finish(&webhook->lines);
	if (webhook->key.bytes) secret_wipe(webhook->key.bytes, webhook->key.length);
	text_finish(&webhook->key);
	free(webhook->url);
	free(webhook);
}
