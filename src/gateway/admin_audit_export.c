/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit export: the trail as a file, the oldest first, page by page as fast as its reader
 * takes it. Declared in admin_audit.h. */
#include "gateway/admin_audit.h"

#include "base/clock.h"
#include "gateway/admin_audit_query.h"
#include "gateway/mcp_admitted.h"
#include "store/audit_csv.h"
#include "store/audit_question.h"

#include <stdlib.h>

#define BEHIND (2 * 1024 * 1024) /* octets not taken: the next page waits */
#define LOOK_MS 20

struct report {
	struct audit_question question;
	struct exchange *exchange; /* NULL: gone */
	struct gateway *gateway;
	struct deadline look; /* whether the reader has caught up */
	uint64_t admitted_at;
	bool is_asking; /* the question is with the store */
	char *strings;
};

static void report_free(struct report *report) {
	deadline_clear(&report->look);
	audit_question_finish(&report->question);
	free(report->strings);
	free(report);
}

static void exchange_gone(struct exchange *exchange) {
	struct report *report = exchange->context;
	report->exchange = NULL;
	if (!report->is_asking) report_free(report);
}

static void end(struct report *report) {
	struct exchange *exchange = report->exchange;
	exchange->gone = NULL;
	report_free(report);
	exchange_stream_end(exchange);
}

/* A head that said 200 has left: that something is missing can only be said in the log, and by an
 * answer that has no last line. */
static void fail(struct report *report, const struct fault *why) {
	log_write(report->gateway->log, LOG_WARNING, "audit: an export ends early: %s", why->text);
	exchange_piece(report->exchange, SLICE("# incomplete: the gateway could not read on; see its log\n"));
	end(report);
}

static void ask(struct report *report) {
	struct fault why;
	if (!mcp_is_admitted(report->gateway, report->exchange->principal, &report->admitted_at)) {
		fault_set(&why, FAULT_REFUSED, "its token is not valid any more");
		fail(report, &why);
		return;
	}
	report->is_asking = audit_ask(report->gateway->store, &report->question, &why);
	if (!report->is_asking) fail(report, &why);
}

static void look(struct deadline *deadline) {
	struct report *report = CONTAINER_OF(deadline, struct report, look);
	if (exchange_behind(report->exchange) > BEHIND)
		deadline_set(report->gateway->loop, &report->look, LOOK_MS, look);
	else
		ask(report);
}

static void answered(struct audit_question *question) {
	struct report *report = CONTAINER_OF(question, struct report, question);
	report->is_asking = false;
	if (!report->exchange) {
		report_free(report);
		return;
	}
	if (question->failed) {
		fail(report, &question->why);
		return;
	}
	question->from = question->next;
	if (question->text.length) exchange_piece(report->exchange, text_slice(&question->text));
	if (!question->next) end(report);
	else look(&report->look);
}

static const struct format {
	const char *word;
	enum audit_form form;
	const char *type;
	const char *headers;
} formats[] = {
	{"jsonl", AUDIT_LINES, "application/jsonl", "Content-Disposition: attachment; filename=\"audit.jsonl\"\r\n"},
	{"csv", AUDIT_CSV, "text/csv; charset=utf-8", "Content-Disposition: attachment; filename=\"audit.csv\"\r\n"},
	{"mgp", AUDIT_EVENTS, "application/jsonl", "Content-Disposition: attachment; filename=\"audit.jsonl\"\r\n"},
};

/* NULL: answered. */
static const struct format *read_format(struct exchange *exchange) {
	struct slice word;
	if (!exchange_query(exchange, "format", &word)) return NULL;
	if (!word.bytes) return &formats[0];
	for (size_t i = 0; i < COUNT_OF(formats); i++)
		if (slice_is(word, formats[i].word)) return &formats[i];
	exchange_error(exchange, 400, "bad_input",
		"query format must be jsonl (records), csv, or mgp (events of MGP 6.3, a line each)");
	return NULL;
}

static void begin(struct report *report, const struct format *format) {
	struct exchange *exchange = report->exchange;
	AUTO_TEXT struct text head = {0};
	text_init(&head, 0);
	if (format->form == AUDIT_CSV) audit_csv_head(&head);
	if (text_failed(&head) || !exchange_stream(exchange, format->type, slice_of(format->headers))) {
		report_free(report);
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	exchange->context = report;
	exchange->gone = exchange_gone;
	exchange->needs_peer = true;
	if (head.length) exchange_piece(exchange, text_slice(&head));
	ask(report);
}

void admin_audit_export(struct exchange *exchange) {
	const struct format *format = read_format(exchange);
	if (!format) return;
	if (slice_is(exchange->head->method, "HEAD")) {
		exchange_answer(exchange, 200, format->type, slice_of(format->headers), SLICE_NONE);
		return;
	}
	struct report *report = calloc(1, sizeof *report);
	if (!report) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	report->exchange = exchange;
	report->gateway = exchange->gateway;
	report->question.loop = exchange->gateway->loop;
	report->question.answered = answered;
	report->question.form = format->form;
	report->question.is_upward = true;
	if (!admin_audit_query_read(exchange, &report->question.filter, &report->strings)) {
		report_free(report);
		return;
	}
	/* What is added meanwhile does not keep it from ending. */
	struct audit_filter *filter = &report->question.filter;
	if (!filter->until) filter->until = clock_wall_ms() + 1;
	begin(report, format);
}
