/* SPDX-License-Identifier: Apache-2.0 */
/* Flow form: shown by type, read by type, and held against the prompt before it is sent. */
#include "cli/flow_form.h"

#include "flow/prompt_check.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

#define SHOWN 1000 /* octets of a stranger's words */
#define BRIEF 200
#define FIRST 50 /* choices that are shown at once */

static void show(FILE *out, const char *before, struct slice words, size_t most, const char *after) {
	char shown[SHOWN];
	text_display_in(shown, most < sizeof shown ? most : sizeof shown, words);
	fprintf(out, "%s%s%s", before, shown, after);
}

/* A value's JSON, without the quotes of a string. */
static void show_value(FILE *out, const char *before, struct slice json, const char *after) {
	struct scan_value value;
	struct scan_fault fault;
	struct arena arena;
	struct slice plain = json;
	char lent[BRIEF];
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_check(json, SCAN_DEPTH, &value, &fault) && value.type == SCAN_STRING && !scan_string(&value, &arena, &plain))
		plain = json;
	show(out, before, plain, BRIEF, after);
	arena_finish(&arena);
}

/* ---- The question ---- */

static void show_progress(FILE *out, const struct scan_value *progress) {
	struct scan_value current, total, message;
	int64_t count;
	if (progress->type != SCAN_OBJECT || !scan_find(progress, "current", &current) || !scan_integer(&current, &count)) return;
	fprintf(out, "%lld", (long long)count);
	if (scan_find(progress, "total", &total) && scan_integer(&total, &count)) fprintf(out, " of %lld", (long long)count);
	if (scan_find(progress, "message", &message) && message.type == SCAN_STRING) show_value(out, "  ", message.text, "");
	fputc('\n', out);
}

static void show_choices(FILE *out, const struct prompt *prompt) {
	for (size_t i = 0; i < prompt->choice_count; i++) {
		const struct prompt_choice *choice = &prompt->choices[i];
		if (i == FIRST) {
			fprintf(out, "    and %zu more: write the value\n", prompt->choice_count - FIRST);
			return;
		}
		fprintf(out, "    %zu  ", i + 1);
		show_value(out, "", choice->value, "");
		if (choice->label.length && !slice_equal(choice->label, choice->value)) show(out, " - ", choice->label, BRIEF, "");
		fputc('\n', out);
	}
}

static void show_bounds(FILE *out, const struct prompt_rules *rules) {
	const char *what = rules->is_whole ? "a whole number" : "a number";
	if (rules->has_least && rules->has_most) fprintf(out, "(%s from %g to %g) ", what, rules->least, rules->most);
	else if (rules->has_least) fprintf(out, "(%s, %g or more) ", what, rules->least);
	else if (rules->has_most) fprintf(out, "(%s, %g or less) ", what, rules->most);
	else fprintf(out, "(%s) ", what);
}

static void show_hint(FILE *out, const struct prompt *prompt) {
	const struct prompt_rules *rules = &prompt->rules;
	switch (prompt->type) {
	case PROMPT_CHOICE: fputs("(a number of the list) ", out); break;
	case PROMPT_CONFIRM: fputs("(y/n) ", out); break;
	case PROMPT_NUMBER: show_bounds(out, rules); break;
	case PROMPT_DATE:
		fputs(slice_is(rules->format, "date-time")        ? "(like 2027-01-31T14:30:00Z) "
				: slice_is(rules->format, "time") ? "(like 14:30:00Z) "
								  : "(YYYY-MM-DD) ",
			out);
		break;
	case PROMPT_FILE: fputs("(the path of a file) ", out); break;
	case PROMPT_CUSTOM: fputs("(JSON) ", out); break;
	default:
		if (rules->format.length) show(out, "(", rules->format, BRIEF, ") ");
		break;
	}
	if (!rules->is_required) fputs("(may be left out) ", out);
}

void flow_form_show(FILE *out, const struct prompt *prompt, const struct scan_value *progress) {
	show_progress(out, progress);
	if (prompt->name.length && !slice_equal(prompt->name, prompt->message)) show(out, "", prompt->name, BRIEF, ": ");
	show(out, "", prompt->message, SHOWN, "\n");
	show_choices(out, prompt);
	if (prompt->type == PROMPT_CUSTOM && prompt->schema.length) show(out, "    ", prompt->schema, SHOWN, "\n");
	if (prompt->placeholder.length) show(out, "    such as ", prompt->placeholder, BRIEF, "\n");
	fputs("  ", out);
	show_hint(out, prompt);
	if (prompt->default_value.length) show_value(out, "[", prompt->default_value, "] ");
	fputs("> ", out);
	fflush(out);
}

void flow_form_show_verdict(FILE *out, const struct scan_value *validation) {
	struct scan_value words;
	bool is_told = validation->type == SCAN_OBJECT && scan_find(validation, "error", &words) && words.type == SCAN_STRING;
	fputs("  ! ", out);
	if (is_told) show_value(out, "", words.text, "");
	else fputs("the answer was not accepted", out);
	if (validation->type == SCAN_OBJECT && scan_find(validation, "suggestion", &words) && words.type == SCAN_STRING)
		show_value(out, ": ", words.text, "");
	fputc('\n', out);
}

/* ---- The answer ---- */

static enum flow_form_answer again(FILE *out, const char *why) {
	fprintf(out, "  ! %s\n", why);
	return FLOW_FORM_AGAIN;
}

static bool is_choice(const struct prompt_choice *choice, size_t number, struct slice line) {
	char digits[24];
	struct slice value = choice->value;
	snprintf(digits, sizeof digits, "%zu", number);
	if (slice_is(line, digits) || slice_equal(line, value) || (choice->label.length && slice_equal(line, choice->label))) return true;
	return value.length >= 2 && value.bytes[0] == '"' && slice_equal(line, slice_make(value.bytes + 1, value.length - 2));
}

/* A value that is written out goes before a number of the list: "3" may be a choice of its own. */
static enum flow_form_answer choose(FILE *out, const struct prompt *prompt, struct slice line, struct text *json) {
	for (int by_number = 0; by_number < 2; by_number++)
		for (size_t i = 0; i < prompt->choice_count; i++) {
			if (!is_choice(&prompt->choices[i], by_number ? i + 1 : 0, line)) continue;
			text_add(json, prompt->choices[i].value);
			return FLOW_FORM_ANSWER;
		}
	return again(out, "that is none of the choices: write the number of one");
}

static enum flow_form_answer confirm(FILE *out, struct slice line, struct text *json) {
	static const char *const words[] = {"n", "no", "false", "y", "yes", "true"};
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		if (line.length != strlen(words[i]) || strncasecmp(line.bytes, words[i], line.length) != 0) continue;
		text_add_cstr(json, i < 3 ? "false" : "true");
		return FLOW_FORM_ANSWER;
	}
	return again(out, "write y or n");
}

static const char *media_type(const char *name) {
	static const char *const types[][2] = {{".csv", "text/csv"}, {".gif", "image/gif"}, {".html", "text/html"},
		{".jpeg", "image/jpeg"}, {".jpg", "image/jpeg"}, {".json", "application/json"}, {".md", "text/markdown"},
		{".pdf", "application/pdf"}, {".png", "image/png"}, {".svg", "image/svg+xml"}, {".txt", "text/plain"},
		{".webp", "image/webp"}, {".xml", "application/xml"}, {".zip", "application/zip"}};
	const char *ending = strrchr(name, '.');
	for (size_t i = 0; ending && i < COUNT_OF(types); i++)
		if (strcasecmp(ending, types[i][0]) == 0) return types[i][1];
	return "application/octet-stream";
}

/* A path as the path of a URI. */
static void write_path(struct text *to, const char *path) {
	for (; *path; path++) {
		bool is_plain = (*path >= 'a' && *path <= 'z') || (*path >= 'A' && *path <= 'Z') || (*path >= '0' && *path <= '9') ||
			strchr("-._~/", *path);
		if (is_plain) text_add_char(to, *path);
		else text_printf(to, "%%%02X", (unsigned char)*path);
	}
}

/* By reference: what it holds stays here. */
static enum flow_form_answer refer(FILE *out, struct slice line, struct text *json) {
	char words[BRIEF];
	struct stat facts;
	AUTO_TEXT struct text path = {0}, uri = {0};
	text_init(&path, 0);
	text_init(&uri, 0);
	text_add(&path, line);
	char *whole = text_failed(&path) ? NULL : realpath(path.bytes, NULL);
	if (!whole || stat(whole, &facts) < 0 || !S_ISREG(facts.st_mode)) {
		snprintf(words, sizeof words, "no file can be read there%s%s", whole ? "" : ": ", whole ? "" : strerror(errno));
		free(whole);
		return again(out, words);
	}
	const char *name = strrchr(whole, '/') + 1;
	text_add_cstr(&uri, "file://");
	write_path(&uri, whole);
	text_add_cstr(json, "{\"uri\":");
	text_json(json, text_slice(&uri));
	text_add_cstr(json, ",\"name\":");
	text_json(json, slice_of(name));
	text_printf(json, ",\"size\":%lld,\"mimeType\":\"%s\"}", (long long)facts.st_size, media_type(name));
	free(whole);
	return text_failed(&uri) ? FLOW_FORM_NO_MEMORY : FLOW_FORM_ANSWER;
}

static enum flow_form_answer take_json(FILE *out, struct slice line, bool is_number, struct text *json) {
	struct scan_value value;
	struct scan_fault fault;
	char words[BRIEF];
	bool is_json = scan_check(line, SCAN_DEPTH, &value, &fault);
	if (is_number && (!is_json || value.type != SCAN_NUMBER)) return again(out, "write a number, like 7 or 2.5");
	if (!is_json) {
		snprintf(words, sizeof words, "that is no JSON: octet %zu: %s", fault.offset, fault.what);
		return again(out, words);
	}
	text_add(json, line);
	return FLOW_FORM_ANSWER;
}

static enum flow_form_answer convert(FILE *out, const struct prompt *prompt, struct slice line, struct text *json) {
	switch (prompt->type) {
	case PROMPT_CHOICE: return choose(out, prompt, line, json);
	case PROMPT_CONFIRM: return confirm(out, line, json);
	case PROMPT_NUMBER: return take_json(out, line, true, json);
	case PROMPT_FILE: return refer(out, line, json);
	case PROMPT_CUSTOM: return take_json(out, line, false, json);
	default: text_json(json, line); return FLOW_FORM_ANSWER;
	}
}

static enum flow_form_answer check(FILE *out, const struct prompt *prompt, const struct text *json) {
	struct prompt_verdict verdict;
	struct scan_value value;
	struct scan_fault fault;
	struct arena arena;
	char lent[1024];
	if (!scan_check(text_slice(json), SCAN_DEPTH, &value, &fault)) return again(out, "that cannot be sent");
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_checked = prompt_check(prompt, &value, &arena, &verdict);
	arena_finish(&arena);
	if (!is_checked) return FLOW_FORM_NO_MEMORY;
	if (verdict.is_valid) return FLOW_FORM_ANSWER;
	show(out, "  ! ", slice_of(verdict.error), BRIEF + 40, "");
	show(out, verdict.suggestion[0] ? ": " : "", slice_of(verdict.suggestion), BRIEF + 40, "\n");
	return FLOW_FORM_AGAIN;
}

enum flow_form_answer flow_form_read(FILE *out, const struct prompt *prompt, struct slice line, struct text *json) {
	struct slice trimmed = slice_trim(line);
	bool is_text = prompt->type == PROMPT_TEXT;
	text_clear(json);
	if (!trimmed.length && prompt->default_value.length) text_add(json, prompt->default_value);
	else if (!trimmed.length && !prompt->rules.is_required) text_add_cstr(json, "null");
	else if (!trimmed.length) return again(out, "an answer is required");
	else {
		enum flow_form_answer answer = convert(out, prompt, is_text ? line : trimmed, json);
		if (answer != FLOW_FORM_ANSWER) return answer;
	}
	if (text_failed(json)) return FLOW_FORM_NO_MEMORY;
	return check(out, prompt, json);
}
