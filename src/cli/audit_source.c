/* SPDX-License-Identifier: Apache-2.0 */
/* Audit source: options as a query, or as a filter. */
#include "cli/audit_source.h"

#include "base/clock.h"
#include "store/archive.h"
#include "wire/http1.h"

#include <unistd.h>

static const char *const names[] = {"since", "until", "actor", "event", "trace", "server", "tool",
	"topic", "gate", "result", "source"};

static bool read_time(const struct command_line *line, const char *name, int64_t *moment, struct fault *why) {
	const char *value = command_value(line, name);
	int64_t span_ms;
	if (!value || clock_read(slice_of(value), moment)) return true;
	if (!clock_span_read(slice_of(value), &span_ms, NULL))
		return fault_set(why, FAULT_BAD_INPUT,
			"--%s must be a time like 2026-11-22T05:00:00Z, or a span before now like 1h", name);
	*moment = clock_wall_ms() - span_ms;
	return true;
}

static bool read_source(struct audit_filter *filter, const char *source, struct fault *why) {
	filter->of_claims = source && strcmp(source, "kernel") != 0;
	if (!filter->of_claims || strcmp(source, "claimed") == 0) return true;
	filter->source = slice_of(source);
	return slice_starts_with(filter->source, "server:") ||
		fault_set(why, FAULT_BAD_INPUT, "--source must be kernel, claimed or server:ID");
}

static bool read_filter(struct audit_source *source, struct fault *why) {
	const struct command_line *line = source->line;
	struct audit_filter *filter = &source->filter;
	const char *trace = command_value(line, "trace");
	filter->actor = slice_of(command_value(line, "actor"));
	filter->event = slice_of(command_value(line, "event"));
	filter->server = slice_of(command_value(line, "server"));
	filter->tool = slice_of(command_value(line, "tool"));
	filter->topic = slice_of(command_value(line, "topic"));
	filter->gate = slice_of(command_value(line, "gate"));
	filter->result = slice_of(command_value(line, "result"));
	if (trace && !trace_id_read(slice_of(trace), source->trace))
		return fault_set(why, FAULT_BAD_INPUT, "--trace must be a UUID, or 32 hex digits");
	if (trace) filter->trace = slice_of(source->trace);
	return read_time(line, "since", &filter->since, why) &&
		read_time(line, "until", &filter->until, why) &&
		read_source(filter, command_value(line, "source"), why);
}

static bool open_files(struct audit_source *source, const char *data, struct fault *why) {
	char path[PLACE_PATH + 256];
	if (!place_file(data, "history.db", path, why)) return false;
	if (access(path, R_OK) != 0)
		return fault_set(why, FAULT_NOT_FOUND,
			"no gateway runs on %s, and there is no trail in it: name a folder with --data, a gateway with --url",
			data);
	source->archive = archive_open(data, false, why);
	return source->archive != NULL;
}

bool audit_source_open(struct audit_source *source, const struct command_line *line, bool needs_gateway,
	struct fault *why) {
	char data[PLACE_PATH];
	struct place_gateway gateway;
	struct fault missing = {0};
	source->line = line;
	if (!read_filter(source, why)) return false;
	if (needs_gateway || !reach_is_files(line)) return reach_find(line, true, &source->reach, why);
	if (!place_find(command_value(line, "data"), data, why)) return false;
	if (place_gateway(data, &gateway, &missing)) return reach_find(line, true, &source->reach, why);
	if (missing.code == FAULT_NOT_FOUND) return open_files(source, data, why);
	if (why) *why = missing;
	return false;
}

void audit_source_close(struct audit_source *source) {
	archive_close(TAKE(source->archive));
	reach_finish(&source->reach);
}

void audit_source_parameter(struct text *path, const char *name, struct slice value) {
	bool is_first = path->bytes && !memchr(path->bytes, '?', path->length);
	text_printf(path, "%c%s=", is_first ? '?' : '&', name);
	http1_escape(path, value);
}

void audit_source_path(const struct audit_source *source, const char *path, struct text *to) {
	text_clear(to);
	text_add_cstr(to, path);
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const char *value = command_value(source->line, names[i]);
		if (value) audit_source_parameter(to, names[i], slice_of(value));
	}
}
