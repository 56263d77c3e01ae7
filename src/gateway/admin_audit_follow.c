/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit follow: first what is stored, then what is told; the latter waits for the former. */
#include "gateway/admin_audit_follow.h"

#include "base/clock.h"
#include "gateway/admin_audit_query.h"
#include "gateway/mcp_admitted.h"
#include "store/audit_event.h"
#include "store/audit_listener.h"
#include "store/audit_question.h"
#include "wire/sse.h"

#include <stdlib.h>

#define BEAT_MS 15000
#define PAST_MS 50 /* until what was gathered when it began is stored, on every loop */

struct following {
	struct audit_listener listener;
	struct audit_question question; /* of what is stored */
	struct audit_filter filter;
	struct exchange *exchange; /* NULL: gone */
	struct gateway *gateway;
	struct deadline beat; /* before it is live: when to ask for the past */
	uint64_t admitted_at;
	uint64_t missed;  /* not told of yet */
	struct text past; /* lines, the newest first */
	struct text held; /* events that wait until the past was said */
	size_t wanted;    /* stored records still to be found */
	bool is_asking;   /* the question is with the store */
	bool is_live;     /* the past was said */
	bool is_mgp;
	char *strings;
};

static void following_free(struct following *following) {
	audit_unlisten(&following->listener);
	deadline_clear(&following->beat);
	audit_question_finish(&following->question);
	text_finish(&following->past);
	text_finish(&following->held);
	free(following->strings);
	free(following);
}

static void exchange_gone(struct exchange *exchange) {
	struct following *following = exchange->context;
	following->exchange = NULL;
	audit_unlisten(&following->listener);
	deadline_clear(&following->beat);
	if (!following->is_asking) following_free(following);
}

static void end(struct following *following) {
	struct exchange *exchange = TAKE(following->exchange);
	exchange->gone = NULL;
	audit_unlisten(&following->listener);
	deadline_clear(&following->beat);
	if (!following->is_asking) following_free(following);
	exchange_stream_end(exchange);
}

static bool is_admitted(struct following *following) {
	return mcp_is_admitted(following->gateway, following->exchange->principal, &following->admitted_at);
}

/* ---- Saying ---- */

static void say_missed(struct following *following) {
	AUTO_TEXT struct text event = {0}, data = {0};
	text_init(&event, 0);
	text_init(&data, 0);
	if (following->missed == 0) return;
	text_printf(&data, "{\"missed\":%llu}", (unsigned long long)following->missed);
	sse_write(&event, SLICE("missed"), SLICE_NONE, text_slice(&data));
	if (text_failed(&event) || text_failed(&data)) return;
	following->missed = 0;
	exchange_piece(following->exchange, text_slice(&event));
}

static bool write_event(struct text *to, const struct following *following,
	const struct audit_record *record, int64_t moment) {
	AUTO_TEXT struct text data = {0};
	char time[CLOCK_TEXT_SIZE];
	text_init(&data, 0);
	if (following->is_mgp) {
		audit_write_event(&data, record, moment);
	} else {
		clock_write(moment, time);
		text_printf(&data, "{\"ts\":\"%s\",", time);
		audit_write_fields(&data, record);
		text_add_char(&data, '}');
	}
	if (text_failed(&data)) return false;
	sse_write(to, SLICE("record"), SLICE_NONE, text_slice(&data));
	return !text_failed(to);
}

static void hold(struct following *following, const struct audit_record *record, int64_t moment) {
	size_t before = following->held.length;
	if (before < FOLLOW_BEHIND && write_event(&following->held, following, record, moment)) return;
	following->held.length = before;
	following->held.failed = false;
	following->missed++;
}

/* What is older than the line between past and live comes with the past: of commands' records one
 * hears late, of others it is said only while the past is still to come, for clocks are set back. */
static bool is_past(const struct following *following, const struct audit_record *record, int64_t moment) {
	bool may_be = !following->is_live || slice_equal(record->details, AUDIT_BY_COMMAND);
	return may_be && moment < following->question.filter.until;
}

static void told(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	struct following *following = CONTAINER_OF(listener, struct following, listener);
	AUTO_TEXT struct text event = {0};
	text_init(&event, 0);
	if (!audit_filter_fits(&following->filter, record, moment) || is_past(following, record, moment)) return;
	if (!is_admitted(following)) {
		end(following);
	} else if (!following->is_live) {
		hold(following, record, moment);
	} else if (exchange_behind(following->exchange) > FOLLOW_BEHIND ||
		!write_event(&event, following, record, moment)) {
		following->missed++;
	} else {
		say_missed(following);
		exchange_piece(following->exchange, text_slice(&event));
	}
}

static void missed(struct audit_listener *listener, uint64_t count) {
	CONTAINER_OF(listener, struct following, listener)->missed += count;
}

static void beat(struct deadline *deadline) {
	struct following *following = CONTAINER_OF(deadline, struct following, beat);
	if (!is_admitted(following)) {
		end(following);
		return;
	}
	deadline_set(following->gateway->loop, &following->beat, BEAT_MS, beat);
	if (exchange_behind(following->exchange) > FOLLOW_BEHIND) return;
	say_missed(following);
	exchange_piece(following->exchange, SLICE(":\n\n"));
}

/* ---- The past ---- */

/* The last line first: they came with the newest first. */
static void say_past(struct following *following) {
	struct slice rest = text_slice(&following->past);
	AUTO_TEXT struct text events = {0};
	text_init(&events, 0);
	while (rest.length) {
		rest.length--; /* its LF */
		const char *before = memrchr(rest.bytes, '\n', rest.length);
		size_t start = before ? (size_t)(before - rest.bytes) + 1 : 0;
		sse_write(&events, SLICE("record"), SLICE_NONE,
			slice_make(rest.bytes + start, rest.length - start));
		rest.length = start;
	}
	if (text_failed(&events)) following->missed++;
	else if (events.length) exchange_piece(following->exchange, text_slice(&events));
}

static void go_live(struct following *following) {
	following->is_live = true;
	deadline_set(following->gateway->loop, &following->beat, BEAT_MS, beat);
	say_past(following);
	if (following->held.length) exchange_piece(following->exchange, text_slice(&following->held));
	text_finish(&following->past);
	text_finish(&following->held);
	say_missed(following);
}

static void ask(struct following *following) {
	struct fault why;
	following->question.limit = following->wanted;
	following->is_asking = audit_ask(following->gateway->store, &following->question, &why);
	if (following->is_asking) return;
	log_write(following->gateway->log, LOG_WARNING, "audit: following begins without the past: %s", why.text);
	go_live(following);
}

static void answered(struct audit_question *question) {
	struct following *following = CONTAINER_OF(question, struct following, question);
	following->is_asking = false;
	if (!following->exchange) {
		following_free(following);
		return;
	}
	if (question->failed)
		log_write(following->gateway->log, LOG_WARNING, "audit: following begins without the past: %s",
			question->why.text);
	else
		text_add(&following->past, text_slice(&question->text));
	following->wanted -= question->failed ? following->wanted : question->count;
	question->from = question->next;
	if (following->wanted && question->next && following->past.length < FOLLOW_BEHIND) ask(following);
	else go_live(following);
}

static void begin_past(struct deadline *deadline) {
	ask(CONTAINER_OF(deadline, struct following, beat));
}

/* ---- Beginning ---- */

static bool read_wish(struct exchange *exchange, struct following *following) {
	struct slice format;
	uint64_t limit;
	if (!exchange_query_number(exchange, "limit", 0, AUDIT_QUESTION_LIMIT, 0, &limit) ||
		!exchange_query(exchange, "format", &format) ||
		!admin_audit_query_read(exchange, &following->filter, &following->strings))
		return false;
	following->is_mgp = slice_is(format, "mgp");
	if (format.bytes && !following->is_mgp) {
		exchange_error(exchange, 400, "bad_input", "query format must be mgp, or be left out");
		return false;
	}
	if (following->filter.until) {
		exchange_error(exchange, 400, "bad_input", "query until: what is followed has no end; leave it out");
		return false;
	}
	following->wanted = (size_t)limit;
	if (!limit && following->filter.since) following->wanted = AUDIT_QUESTION_LIMIT;
	following->question.filter = following->filter;
	following->question.form = following->is_mgp ? AUDIT_EVENTS : AUDIT_LINES;
	return true;
}

static bool begin(struct following *following, struct exchange *exchange) {
	struct gateway *gateway = exchange->gateway;
	struct fault why;
	if (!audit_listen(gateway->store, gateway->loop, &following->listener, &why)) {
		exchange_fault(exchange, &why);
		return false;
	}
	following->question.filter.until = clock_wall_ms() + 1;
	if (!exchange_stream(exchange, "text/event-stream",
		    SLICE("X-Accel-Buffering: no\r\n"))) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return false;
	}
	following->exchange = exchange;
	exchange->context = following;
	exchange->gone = exchange_gone;
	exchange->needs_peer = true;
	exchange->owes_nothing = true;
	exchange_piece(exchange, SLICE(":\n\n")); /* whoever waits for the first octet has it */
	return true;
}

void admin_audit_follow(struct exchange *exchange) {
	if (slice_is(exchange->head->method, "HEAD")) {
		exchange_answer(exchange, 200, "text/event-stream", SLICE_NONE, SLICE_NONE);
		return;
	}
	struct following *following = calloc(1, sizeof *following);
	if (!following) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	following->gateway = exchange->gateway;
	following->listener.told = told;
	following->listener.missed = missed;
	following->question.loop = exchange->gateway->loop;
	following->question.answered = answered;
	text_init(&following->past, 0);
	text_init(&following->held, 0);
	if (!read_wish(exchange, following) || !begin(following, exchange)) {
		following_free(following);
		return;
	}
	if (following->wanted)
		deadline_set(following->gateway->loop, &following->beat, PAST_MS, begin_past);
	else
		go_live(following);
}
