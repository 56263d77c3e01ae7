/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization: the judgement is one function; the rest reads and writes. */
#include "flow/authorization.h"

#include "base/clock.h"
#include "base/glob.h"
#include "mcp/schema_decimal.h"
#include "wire/jsonrpc.h"

#include <stdio.h>

/* ---- Words ---- */

static const char *const modes[AUTHORIZATION_MODES] = {
	[AUTHORIZATION_UNSAID] = "",
	[AUTHORIZATION_ALWAYS_ALLOW] = "always_allow",
	[AUTHORIZATION_ALWAYS_PROMPT] = "always_prompt",
	[AUTHORIZATION_SELECTIVE] = "selective",
	[AUTHORIZATION_DELEGATED] = "delegated",
};
/* The words of a tool's own metadata; selective is its owner's affair. */
static const char *const tool_modes[AUTHORIZATION_MODES] = {
	[AUTHORIZATION_ALWAYS_ALLOW] = "automatic",
	[AUTHORIZATION_ALWAYS_PROMPT] = "user_approval",
	[AUTHORIZATION_DELEGATED] = "delegated",
};
static const char *const actions[AUTHORIZATION_ACTIONS] = {
	[AUTHORIZATION_ALLOW] = "allow",
	[AUTHORIZATION_ASK] = "ask",
	[AUTHORIZATION_DENY] = "deny",
};

static int find_word(const char *const *words, int count, struct slice word) {
	for (int i = 0; i < count; i++)
		if (words[i] && words[i][0] && slice_is(word, words[i])) return i;
	return -1;
}

const char *authorization_mode_word(enum authorization_mode mode) { return modes[mode]; }

bool authorization_mode_read(struct slice word, enum authorization_mode *mode) {
	int found = find_word(modes, AUTHORIZATION_MODES, word);
	if (found > 0) *mode = (enum authorization_mode)found;
	return found > 0;
}

const char *authorization_action_word(enum authorization_action action) { return actions[action]; }

bool authorization_action_read(struct slice word, enum authorization_action *action) {
	int found = find_word(actions, AUTHORIZATION_ACTIONS, word);
	if (found >= 0) *action = (enum authorization_action)found;
	return found >= 0;
}

bool authorization_settings_check(const struct authorization_settings *settings, struct fault *why) {
	if (settings->rule_count && settings->mode != AUTHORIZATION_SELECTIVE)
		return fault_set(why, FAULT_BAD_INPUT, "authorization.rules are read with authorization.mode = \"selective\" alone");
	for (size_t i = 0; i < settings->rule_count; i++)
		if (settings->rules[i].value && !settings->rules[i].argument)
			return fault_set(why, FAULT_BAD_INPUT, "authorization.rules: a value needs the argument that it is of");
	if (settings->delegate && (!settings->delegate[0] || strlen(settings->delegate) > AUTHORIZATION_NAME))
		return fault_set(why, FAULT_BAD_INPUT, "authorization.delegate: 1 to %d octets", AUTHORIZATION_NAME);
	return true;
}

/* ---- A tool's own words ---- */

static bool word_of(const struct scan_value *object, const char *name, size_t most, struct arena *arena, struct slice *word,
	bool *is_sound) {
	struct scan_value value;
	*word = SLICE_NONE;
	if (!scan_find(object, name, &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_STRING) {
		*is_sound = false;
		return true;
	}
	if (!scan_string(&value, arena, word)) return false;
	*is_sound = *is_sound && word->length <= most;
	return true;
}

static bool read_timeout(const struct scan_value *object, uint64_t *timeout_ms) {
	struct scan_value value;
	double seconds;
	if (!scan_find(object, "timeout", &value) || value.type == SCAN_NULL) return true;
	if (!scan_number(&value, &seconds) || seconds <= 0 || seconds * 1000 > AUTHORIZATION_TIMEOUT_MOST) return false;
	*timeout_ms = (uint64_t)(seconds * 1000);
	return true;
}

bool authorization_metadata_read(const struct scan_value *definition, struct arena *arena,
	struct authorization_metadata *metadata) {
	struct scan_value object, value;
	struct slice mode;
	bool is_sound = true;
	*metadata = (struct authorization_metadata){0};
	if (!scan_find(definition, "authorization", &object)) return true;
	metadata->is_said = true;
	if (object.type == SCAN_OBJECT) {
		if (!word_of(&object, "mode", AUTHORIZATION_NAME, arena, &mode, &is_sound) ||
			!word_of(&object, "message", AUTHORIZATION_MESSAGE, arena, &metadata->message, &is_sound) ||
			!word_of(&object, "delegate", AUTHORIZATION_NAME, arena, &metadata->delegate, &is_sound))
			return false;
		int found = find_word(tool_modes, AUTHORIZATION_MODES, mode);
		bool has_flag = scan_find(&object, "required", &value);
		is_sound = is_sound && (found > 0 || !mode.length) && read_timeout(&object, &metadata->timeout_ms) &&
			(!has_flag || scan_boolean(&value, &metadata->is_required));
		metadata->mode = found > 0 ? (enum authorization_mode)found : AUTHORIZATION_ALWAYS_PROMPT;
		/* A mode without `required` says how, not that. */
		if (!has_flag) metadata->is_required = metadata->mode != AUTHORIZATION_ALWAYS_ALLOW;
	}
	if (is_sound && object.type == SCAN_OBJECT) return true;
	*metadata = (struct authorization_metadata){.is_said = true, .is_required = true, .mode = AUTHORIZATION_ALWAYS_PROMPT};
	return true;
}

/* ---- The judgement ---- */

static bool fits(const char *glob, struct slice name) { return !glob || glob_fits(slice_of(glob), name); }

/* ---- Rules on arguments ---- */

struct looking {           /* for a parameter */
	const char *value; /* of the rule */
	char *number;      /* room for one more octet than `value` has; NULL: none yet */
	struct arena arena;
	char lent[1024];
	bool has_failed; /* no memory */
};

static bool is_same_number(struct slice one, struct slice other) {
	struct schema_decimal a, b;
	struct scan_value value;
	struct scan_fault fault;
	if (!scan_check(other, 1, &value, &fault) || value.type != SCAN_NUMBER) return false;
	schema_decimal_read(&a, one);
	schema_decimal_read(&b, value.text);
	return schema_decimal_compare(&a, &b) == 0;
}

/* Zeros behind it are its own as well: 5 begins with 5.00. */
static void write_beginning(const struct schema_decimal *decimal, char *to, size_t room) {
	size_t length = schema_decimal_write(decimal, to, room);
	if (length < room && !memchr(to, '.', length)) to[length++] = '.';
	memset(to + length, '0', room - length);
}

/* As the number that it is, however it was written: 1.0e2 is 100. Of its text no more is written than decides. */
static bool fits_number(struct looking *looking, struct slice number) {
	struct schema_decimal decimal;
	struct slice glob = slice_of(looking->value);
	size_t room = glob.length + 1;
	if (!glob_is_open(glob)) return is_same_number(number, glob);
	if (!looking->number) looking->number = arena_alloc(&looking->arena, room);
	looking->has_failed = !looking->number;
	if (looking->has_failed) return false;
	schema_decimal_read(&decimal, number);
	write_beginning(&decimal, looking->number, room);
	return glob_fits(glob, slice_make(looking->number, room));
}

static bool fits_value(struct looking *looking, const struct scan_value *value) {
	struct slice words;
	if (!looking->value) return true;
	switch (value->type) {
	case SCAN_STRING:
		if (scan_string(value, &looking->arena, &words)) return fits(looking->value, words);
		looking->has_failed = true;
		return false;
	case SCAN_NUMBER: return fits_number(looking, value->text);
	case SCAN_ARRAY:
	case SCAN_OBJECT: return false;
	default: return fits(looking->value, value->text);
	}
}

static bool fits_path(struct looking *looking, const struct scan_value *value, const char *path);

/* A key may have dots of its own: every beginning of the path that ends at one is tried. */
static bool fits_member(struct looking *looking, const struct scan_member *member, const char *path) {
	struct slice key;
	if (!scan_key(member, &looking->arena, &key)) {
		looking->has_failed = true;
		return false;
	}
	if (strncmp(path, key.bytes, key.length) != 0 || memchr(key.bytes, '\0', key.length)) return false;
	if (path[key.length] == '\0') return fits_path(looking, &member->value, NULL);
	return path[key.length] == '.' && fits_path(looking, &member->value, path + key.length + 1);
}

/* `path` NULL: this is the value. Arrays on the way, and at its end, count by their elements. The depth of JSON is
 * bounded (SCAN_DEPTH). */
static bool fits_path(struct looking *looking, const struct scan_value *value, const char *path) {
	struct scan_walk walk;
	struct scan_member member;
	if (!path && (!looking->value || value->type != SCAN_ARRAY)) return fits_value(looking, value);
	if (value->type != SCAN_ARRAY && (!path || value->type != SCAN_OBJECT)) return false;
	for (scan_open(&walk, value); scan_next(&walk, &member);) {
		bool is_found = value->type == SCAN_ARRAY ? fits_path(looking, &member.value, path)
							  : fits_member(looking, &member, path);
		if (is_found || looking->has_failed) return is_found;
	}
	return false;
}

static bool fits_arguments(const struct authorization_rule *rule, const struct scan_value *arguments, bool *has_failed) {
	struct looking looking = {.value = rule->value};
	if (!rule->argument) return true;
	if (!arguments) return rule->action != AUTHORIZATION_ALLOW; /* it may fit yet */
	if (arguments->type != SCAN_OBJECT) return false;
	arena_init(&looking.arena, looking.lent, sizeof looking.lent, 0);
	bool is_found = fits_path(&looking, arguments, rule->argument);
	arena_finish(&looking.arena);
	*has_failed = looking.has_failed;
	return is_found;
}

static enum authorization_action by_rules(const struct authorization_settings *settings,
	enum authorization_action otherwise, struct slice tool, struct slice caller, const struct scan_value *arguments) {
	bool has_failed = false;
	for (size_t i = 0; i < settings->rule_count; i++) {
		const struct authorization_rule *rule = &settings->rules[i];
		bool is_found = fits(rule->tool, tool) && fits(rule->caller, caller) && fits_arguments(rule, arguments, &has_failed);
		if (has_failed) return AUTHORIZATION_DENY;
		if (is_found) return rule->action;
	}
	return otherwise;
}

/* A tool that needs no authorization has said so, or nothing. */
static enum authorization_action as_said(const struct authorization_metadata *metadata) {
	bool asks = metadata->is_required && metadata->mode != AUTHORIZATION_ALWAYS_ALLOW;
	return asks ? AUTHORIZATION_ASK : AUTHORIZATION_ALLOW;
}

struct authorization_verdict authorization_judge(const struct authorization_settings *settings,
	const struct authorization_metadata *metadata, struct slice tool, struct slice caller,
	const struct scan_value *arguments) {
	struct authorization_verdict verdict = {.action = as_said(metadata), .message = metadata->message};
	bool is_delegated = metadata->mode == AUTHORIZATION_DELEGATED;
	switch (settings->mode) {
	case AUTHORIZATION_ALWAYS_ALLOW: verdict.action = AUTHORIZATION_ALLOW; break;
	case AUTHORIZATION_ALWAYS_PROMPT: verdict.action = AUTHORIZATION_ASK; break;
	case AUTHORIZATION_SELECTIVE: verdict.action = by_rules(settings, verdict.action, tool, caller, arguments); break;
	case AUTHORIZATION_DELEGATED:
		verdict.action = AUTHORIZATION_ASK;
		is_delegated = true;
		break;
	default: break;
	}
	if (settings->delegate) verdict.delegate = slice_of(settings->delegate);
	else if (is_delegated) verdict.delegate = metadata->delegate;
	verdict.timeout_ms = settings->timeout_ms ? settings->timeout_ms : metadata->timeout_ms;
	if (!verdict.timeout_ms) verdict.timeout_ms = AUTHORIZATION_TIMEOUT_MS;
	return verdict;
}

/* Some rule that further arguments may lead to asks, or what counts without one. */
static bool may_ask(const struct authorization_settings *settings, const struct authorization_metadata *metadata,
	struct slice tool, struct slice caller) {
	for (size_t i = 0; i < settings->rule_count; i++) {
		const struct authorization_rule *rule = &settings->rules[i];
		if (!fits(rule->tool, tool) || !fits(rule->caller, caller)) continue;
		if (rule->action == AUTHORIZATION_ASK) return true;
		if (!rule->argument) return false;
	}
	return as_said(metadata) == AUTHORIZATION_ASK;
}

struct authorization_verdict authorization_judge_asking(const struct authorization_settings *settings,
	const struct authorization_metadata *metadata, struct slice tool, struct slice caller,
	const struct scan_value *known) {
	struct authorization_verdict verdict = authorization_judge(settings, metadata, tool, caller, known);
	if (settings->mode == AUTHORIZATION_SELECTIVE && verdict.action == AUTHORIZATION_ALLOW &&
		may_ask(settings, metadata, tool, caller))
		verdict.action = AUTHORIZATION_ASK;
	return verdict;
}

/* ---- Messages ---- */

static void add_words(struct text *to, const char *name, struct slice words) {
	if (!words.length) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, words);
}

void authorization_write_request(struct text *to, const struct authorization_request *request) {
	text_add_cstr(to, "{\"id\":");
	text_json(to, request->id);
	text_add_cstr(to, ",\"tool\":");
	text_json(to, request->tool);
	text_add_cstr(to, ",\"arguments\":");
	text_add(to, request->arguments.length ? request->arguments : SLICE("{}"));
	text_add_cstr(to, ",\"requester\":");
	text_json(to, request->requester);
	add_words(to, "reason", request->reason);
	add_words(to, "expiresAt", request->expires_at);
	text_add_char(to, '}');
}

void authorization_write_error_data(struct text *to, const struct authorization_request *request) {
	text_add_cstr(to, "{\"type\":\"authorization_required\",\"authorizationRequest\":");
	authorization_write_request(to, request);
	text_add_char(to, '}');
}

struct reading {
	const struct scan_value *object;
	struct arena *arena;
	struct fault *why;
};

static bool read_words(const struct reading *reading, const char *name, bool is_required, size_t most, struct slice *words) {
	struct scan_value value;
	*words = SLICE_NONE;
	if (!scan_find(reading->object, name, &value) || value.type == SCAN_NULL)
		return !is_required || fault_set(reading->why, FAULT_BAD_INPUT, "params.%s is missing", name);
	if (value.type != SCAN_STRING) return fault_set(reading->why, FAULT_BAD_INPUT, "params.%s has to be a string", name);
	if (!scan_string(&value, reading->arena, words)) return fault_set(reading->why, FAULT_NO_MEMORY, "no memory: try again");
	if (words->length <= most && (words->length || !is_required)) return true;
	return fault_set(reading->why, FAULT_TOO_LARGE, "params.%s has to have 1 to %zu octets", name, most);
}

bool authorization_request_read(const struct scan_value *value, struct arena *arena, struct authorization_request *request,
	struct fault *why) {
	const struct reading reading = {value, arena, why};
	struct scan_value arguments;
	*request = (struct authorization_request){0};
	if (!read_words(&reading, "id", true, AUTHORIZATION_NAME, &request->id) ||
		!read_words(&reading, "tool", true, AUTHORIZATION_NAME, &request->tool) ||
		!read_words(&reading, "requester", true, AUTHORIZATION_NAME, &request->requester) ||
		!read_words(&reading, "reason", false, AUTHORIZATION_MESSAGE, &request->reason) ||
		!read_words(&reading, "expiresAt", false, 64, &request->expires_at))
		return false;
	if (!scan_find(value, "arguments", &arguments)) return true;
	if (arguments.type != SCAN_OBJECT) return fault_set(why, FAULT_BAD_INPUT, "params.arguments has to be an object");
	request->arguments = arguments.text;
	return true;
}

bool authorization_revoke_read(const struct scan_value *params, struct arena *arena,
	struct authorization_response *response, struct fault *why) {
	const struct reading reading = {params, arena, why};
	*response = (struct authorization_response){0};
	return read_words(&reading, "authorizationId", true, AUTHORIZATION_NAME, &response->id) &&
		read_words(&reading, "reason", false, AUTHORIZATION_MESSAGE, &response->reason);
}

bool authorization_response_read(const struct scan_value *params, struct arena *arena,
	struct authorization_response *response, struct fault *why) {
	const struct reading reading = {params, arena, why};
	struct slice decision, until;
	if (!authorization_revoke_read(params, arena, response, why) ||
		!read_words(&reading, "decision", true, 32, &decision) || !read_words(&reading, "validUntil", false, 64, &until))
		return false;
	response->approves = slice_is(decision, "approve");
	if (!response->approves && !slice_is(decision, "deny"))
		return fault_set(why, FAULT_BAD_INPUT, "params.decision has to be approve or deny");
	if (!until.length || clock_read(until, &response->valid_until)) return true;
	return fault_set(why, FAULT_BAD_INPUT, "params.validUntil has to be a time like 2026-01-31T12:00:00Z");
}

void authorization_write_response(struct text *to, const struct authorization_response *response) {
	char until[CLOCK_TEXT_SIZE];
	text_add_cstr(to, "{\"authorizationId\":");
	text_json(to, response->id);
	text_printf(to, ",\"decision\":\"%s\"", response->approves ? "approve" : "deny");
	add_words(to, "reason", response->reason);
	if (response->valid_until) {
		clock_write(response->valid_until, until);
		text_printf(to, ",\"validUntil\":\"%s\"", until);
	}
	text_add_char(to, '}');
}

void authorization_write_denial_data(struct text *to, struct slice reason, const char *type) {
	text_add_cstr(to, "{\"reason\":");
	text_json(to, reason);
	text_printf(to, ",\"type\":\"%s\"}", type);
}

void authorization_write_resolved(struct text *to, struct slice request_id, struct slice id, const char *member,
	struct slice outcome) {
	text_add_cstr(to, "{\"requestId\":");
	text_add(to, request_id);
	text_add_cstr(to, ",\"authorizationId\":");
	text_json(to, id);
	text_printf(to, ",\"%s\":", member);
	text_add(to, outcome);
	text_add_char(to, '}');
}

int64_t authorization_refusal(const struct fault *why, char data[AUTHORIZATION_DATA]) {
	const char *type = fault_word(why->code);
	int64_t code = JSONRPC_INTERNAL_ERROR;
	if (why->code == FAULT_REFUSED) {
		code = JSONRPC_INVALID_REQUEST;
		type = "not_a_decider";
	} else if (why->code == FAULT_EXISTS) {
		code = JSONRPC_INVALID_PARAMS;
		type = "already_decided";
	} else if (why->code == FAULT_BAD_INPUT || why->code == FAULT_TOO_LARGE || why->code == FAULT_NOT_FOUND)
		code = JSONRPC_INVALID_PARAMS;
	snprintf(data, AUTHORIZATION_DATA, "{\"type\":\"%s\"}", type);
	return code;
}
