/* SPDX-License-Identifier: Apache-2.0 */
/* Admin audit query: texts into one allocation, times into numbers. */
#include "gateway/admin_audit_query.h"

#include "base/clock.h"
#include "base/trace.h"

#include <stdlib.h>

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{"actor", offsetof(struct audit_filter, actor)},
	{"event", offsetof(struct audit_filter, event)},
	{"trace", offsetof(struct audit_filter, trace)},
	{"server", offsetof(struct audit_filter, server)},
	{"tool", offsetof(struct audit_filter, tool)},
	{"topic", offsetof(struct audit_filter, topic)},
	{"gate", offsetof(struct audit_filter, gate)},
	{"result", offsetof(struct audit_filter, result)},
	{"source", offsetof(struct audit_filter, source)},
};

static struct slice *text_of(struct audit_filter *filter, size_t at) {
	return (struct slice *)((char *)filter + texts[at].offset);
}

static bool read_time(struct exchange *exchange, const char *name, int64_t *moment) {
	struct slice text;
	int64_t span_ms;
	if (!exchange_query(exchange, name, &text)) return false;
	if (!text.bytes || clock_read(text, moment)) return true;
	if (clock_span_read(text, &span_ms, NULL)) {
		*moment = clock_wall_ms() - span_ms;
		return true;
	}
	exchange_error(exchange, 400, "bad_input", "query %s must be a time (RFC 3339) or a span like 1h", name);
	return false;
}

/* The id in the form that records have; `id` is the caller's. */
static bool read_trace(struct exchange *exchange, struct slice *trace, char id[TRACE_SIZE]) {
	if (!trace->length) return true;
	if (!trace_id_read(*trace, id)) {
		exchange_error(exchange, 400, "bad_input", "query trace must be a UUID, or 32 hex digits");
		return false;
	}
	*trace = slice_make(id, TRACE_SIZE - 1);
	return true;
}

static bool read_source(struct exchange *exchange, struct audit_filter *filter) {
	struct slice source = filter->source;
	filter->of_claims = source.length && !slice_is(source, "kernel");
	if (slice_starts_with(source, "server:")) return true;
	filter->source = SLICE_NONE;
	if (!filter->of_claims || slice_is(source, "claimed")) return true;
	exchange_error(exchange, 400, "bad_input",
		"query source must be kernel, claimed (what any server claims) or server:ID");
	return false;
}

/* All texts behind one another, out of the exchange's arena. */
static bool keep(struct exchange *exchange, struct audit_filter *filter, char **strings) {
	size_t length = 1;
	for (size_t i = 0; i < COUNT_OF(texts); i++) length += text_of(filter, i)->length;
	char *at = *strings = malloc(length);
	if (!at) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return false;
	}
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct slice *text = text_of(filter, i);
		if (text->length) memcpy(at, text->bytes, text->length);
		text->bytes = at;
		at += text->length;
	}
	return true;
}

bool admin_audit_query_read(struct exchange *exchange, struct audit_filter *filter, char **strings) {
	struct audit_filter read = {0};
	char id[TRACE_SIZE];
	if (!read_time(exchange, "since", &read.since) || !read_time(exchange, "until", &read.until))
		return false;
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		if (!exchange_query(exchange, texts[i].name, text_of(&read, i))) return false;
	if (!read_trace(exchange, &read.trace, id) || !read_source(exchange, &read) ||
		!keep(exchange, &read, strings))
		return false;
	*filter = read;
	return true;
}

bool admin_audit_query_switch(struct exchange *exchange, const char *name, bool *is_set) {
	struct slice text;
	*is_set = false;
	if (!exchange_query(exchange, name, &text)) return false;
	if (!text.bytes || slice_is(text, "0") || slice_is(text, "false")) return true;
	*is_set = slice_is(text, "1") || slice_is(text, "true");
	if (*is_set) return true;
	exchange_error(exchange, 400, "bad_input", "query %s must be 1 or 0", name);
	return false;
}
