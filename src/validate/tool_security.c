/* SPDX-License-Identifier: Apache-2.0 */
/* Tool security: the object is read member by member, then rules of configuration, then the risk. */
#include "validate/tool_security.h"

#include "base/glob.h"
#include "validate/tool_security_fallback.h"
#include "wire/scan.h"

#include <stdlib.h>

#define SECURITY_OCTETS (256 * 1024) /* of memory for one tool */

struct reading {
	struct tool_security *security;
	const struct scan_value *definition;
	const struct tool_rules *rules;
	struct slice name; /* of the tool */
	bool has_annotations;
	bool has_validator;
	struct fault *why;
	bool is_ruled; /* configuration has chosen the validator */
};

static const char *const effect_words[] = {"filesystem", "network", "process", "database", "notification"};
static const enum risk_level effect_risks[] = {
	RISK_MODERATE, RISK_MODERATE, RISK_DANGEROUS, RISK_MODERATE, RISK_SAFE, RISK_MODERATE};

static const enum risk_level validator_risks[VALIDATORS] = {
	[VALIDATOR_NONE] = RISK_SAFE,
	[VALIDATOR_READONLY] = RISK_SAFE,
	[VALIDATOR_NETWORK_RESTRICTED] = RISK_MODERATE,
	[VALIDATOR_CODE_SAFETY] = RISK_DANGEROUS,
	[VALIDATOR_SANDBOX] = RISK_DANGEROUS,
};

static bool bad(const struct reading *reading, const char *member, const char *wanted) {
	char shown[65];
	text_display_in(shown, sizeof shown, reading->name);
	return fault_set(reading->why, FAULT_BAD_INPUT, "tool %s: %s has to be %s", shown, member, wanted);
}

static bool no_memory(const struct reading *reading) {
	return fault_set(reading->why, FAULT_NO_MEMORY, "no memory for what a tool may do");
}

static bool read_claim(const struct reading *reading, const struct scan_value *object, const char *key,
	const char *member, enum tool_claim *claim) {
	struct scan_value value;
	bool is_true;
	if (!scan_find(object, key, &value) || value.type == SCAN_NULL) return true;
	if (!scan_boolean(&value, &is_true)) return bad(reading, member, "true or false");
	*claim = is_true ? TOOL_YES : TOOL_NO;
	return true;
}

/* ---- Permissions ---- */

static void permission_add(struct tool_security *security, struct slice *list, struct slice name) {
	for (size_t i = 0; i < security->permission_count; i++)
		if (slice_equal(list[i], name)) return;
	list[security->permission_count++] = name;
}

static bool read_permission(
	const struct reading *reading, struct slice *list, const struct scan_value *value) {
	struct tool_security *security = reading->security;
	struct permission_type_names names;
	struct slice word, kept;
	if (value->type != SCAN_STRING)
		return bad(reading, "security.permissions_required", "an array of strings");
	if (!scan_string(value, &security->arena, &word) || !arena_copy(&security->arena, word, &kept))
		return no_memory(reading);
	if (!permission_type_read(kept, &names, reading->why)) {
		char shown[65];
		text_display_in(shown, sizeof shown, reading->name);
		return fault_before(reading->why, "tool %s: ", shown);
	}
	for (size_t i = 0; i < names.count; i++) permission_add(security, list, names.names[i]);
	return true;
}

static bool read_permissions(const struct reading *reading, const struct scan_value *object) {
	struct tool_security *security = reading->security;
	struct scan_value value;
	struct scan_walk walk;
	struct scan_member element;
	if (!scan_find(object, "permissions_required", &value) || value.type == SCAN_NULL) return true;
	size_t count = scan_count(&value);
	if (value.type != SCAN_ARRAY || count > TOOL_SECURITY_LIST)
		return bad(reading, "security.permissions_required", "an array of at most 64 names");
	struct slice *list = arena_zero(
		&security->arena, (count + 1) * PERMISSION_TYPE_NAMES * sizeof *list);
	if (!list) return no_memory(reading);
	security->permissions = list;
	for (scan_open(&walk, &value); scan_next(&walk, &element);)
		if (!read_permission(reading, list, &element.value)) return false;
	return true;
}

/* ---- The other members ---- */

static bool read_risk(const struct reading *reading, const struct scan_value *object) {
	struct tool_security *security = reading->security;
	struct scan_value value;
	struct slice word;
	if (!scan_find(object, "risk_level", &value) || value.type == SCAN_NULL) return true;
	if (!scan_string(&value, &security->arena, &word) || !risk_level_read(word, &security->claimed))
		return bad(reading, "security.risk_level", "safe, moderate or dangerous");
	security->has_claim = true;
	return true;
}

static unsigned effect_of(struct slice word) {
	for (size_t i = 0; i < COUNT_OF(effect_words); i++)
		if (slice_is(word, effect_words[i])) return 1u << i;
	return TOOL_EFFECT_OTHER;
}

static bool read_effects(const struct reading *reading, const struct scan_value *object) {
	struct tool_security *security = reading->security;
	struct scan_value value;
	struct scan_walk walk;
	struct scan_member element;
	struct slice word;
	if (!scan_find(object, "side_effects", &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_ARRAY || scan_count(&value) > TOOL_SECURITY_LIST)
		return bad(reading, "security.side_effects", "an array of at most 64 words");
	for (scan_open(&walk, &value); scan_next(&walk, &element);) {
		if (!scan_string(&element.value, &security->arena, &word))
			return bad(reading, "security.side_effects", "an array of strings");
		security->side_effects |= effect_of(word);
	}
	return true;
}

static bool read_validator(struct reading *reading, const struct scan_value *object) {
	struct tool_security *security = reading->security;
	struct scan_value value;
	struct slice word;
	if (!scan_find(object, "validator", &value) || value.type == SCAN_NULL) return true;
	if (!scan_string(&value, &security->arena, &word) ||
		!validator_word_read(word, &security->validator))
		return bad(reading, "security.validator",
			"sandbox, readonly, network_restricted, code_safety or none");
	reading->has_validator = true;
	return true;
}

static bool read_code(const struct reading *reading, const struct scan_value *object) {
	struct tool_security *security = reading->security;
	struct scan_value value;
	if (!scan_find(object, "code_safety", &value) || value.type == SCAN_NULL) return true;
	if (value.type != SCAN_OBJECT) return bad(reading, "security.code_safety", "an object");
	if (!arena_copy(&security->arena, value.text, &security->code_safety)) return no_memory(reading);
	return code_rules_read(security->code_safety, &security->arena, &security->code, reading->why);
}

static bool read_security(struct reading *reading) {
	struct tool_security *security = reading->security;
	struct scan_value object;
	if (!reading->rules->is_negotiated || !scan_find(reading->definition, "security", &object) ||
		object.type == SCAN_NULL)
		return true;
	if (object.type != SCAN_OBJECT) return bad(reading, "security", "an object");
	security->is_declared = true;
	return read_risk(reading, &object) && read_permissions(reading, &object) &&
		read_effects(reading, &object) && read_validator(reading, &object) &&
		read_code(reading, &object) &&
		read_claim(reading, &object, "reversible", "security.reversible", &security->reversible) &&
		read_claim(reading, &object, "confirmation_required", "security.confirmation_required",
			&security->confirmation_required);
}

static bool read_annotations(struct reading *reading) {
	struct tool_security *security = reading->security;
	struct scan_value object;
	if (!scan_find(reading->definition, "annotations", &object) || object.type == SCAN_NULL)
		return true;
	if (object.type != SCAN_OBJECT) return bad(reading, "annotations", "an object");
	reading->has_annotations = true;
	return read_claim(reading, &object, "readOnlyHint", "annotations.readOnlyHint",
		       &security->read_only) &&
		read_claim(reading, &object, "destructiveHint", "annotations.destructiveHint",
			&security->destructive) &&
		read_claim(reading, &object, "idempotentHint", "annotations.idempotentHint",
			&security->idempotent);
}

/* ---- Configuration ---- */

static bool rule_split(const char *rule, struct slice *tool, enum validator *validator) {
	const char *equals = strrchr(rule, '=');
	if (!equals || equals == rule) return false;
	*tool = slice_trim(slice_make(rule, (size_t)(equals - rule)));
	return validator_word_read(slice_trim(slice_of(equals + 1)), validator);
}

bool tool_security_check_rule(const char *rule, struct fault *why) {
	struct slice tool;
	enum validator validator;
	if (rule_split(rule, &tool, &validator)) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"\"%s\" has to be TOOL=VALIDATOR: sandbox, readonly, network_restricted, code_safety or none",
		rule);
}

static bool apply_rules(struct reading *reading) {
	const struct tool_rules *rules = reading->rules;
	struct tool_security *security = reading->security;
	for (const char *const *rule = rules->validators; rule && *rule; rule++) {
		struct slice tool;
		enum validator validator;
		if (!tool_security_check_rule(*rule, reading->why) || !rule_split(*rule, &tool, &validator))
			return false;
		if (!glob_fits(tool, reading->name)) continue;
		security->validator = validator;
		reading->is_ruled = true;
		return true;
	}
	/* A server that is trusted with nothing is not believed that it needs no validator (MGP 15.4). */
	bool is_believed = security->validator != VALIDATOR_NONE || !rules->is_sandboxed;
	if (reading->has_validator && is_believed) return true;
	security->validator = tool_security_fallback(
		reading->name, reading->definition, security->read_only == TOOL_YES);
	security->is_fallback = security->validator != VALIDATOR_NONE;
	return true;
}

static bool apply_code(const struct reading *reading) {
	struct tool_security *security = reading->security;
	struct code_rules more;
	struct slice kept;
	if (reading->rules->code_safety.length) {
		if (!arena_copy(&security->arena, reading->rules->code_safety, &kept))
			return no_memory(reading);
		if (!code_rules_read(kept, &security->arena, &more, reading->why) ||
			!code_rules_join(&security->code, &more, &security->arena, reading->why))
			return false;
	}
	if (reading->rules->is_sandboxed) code_rules_floor(&security->code);
	return true;
}

/* ---- Risk ---- */

/* MCP's defaults: what is annotated writes and destroys unless it says otherwise (decision 71). */
static enum risk_level annotated_risk(const struct reading *reading) {
	const struct tool_security *security = reading->security;
	if (!reading->has_annotations) return RISK_MODERATE;
	if (security->destructive == TOOL_YES) return RISK_DANGEROUS;
	if (security->read_only == TOOL_YES) return RISK_SAFE;
	return security->destructive == TOOL_NO ? RISK_MODERATE : RISK_DANGEROUS;
}

static void raise_risk(struct tool_security *security, enum risk_level risk) {
	if (risk > security->risk) security->risk = risk;
}

/* What its name and schema say of a tool counts whatever it declares, unless configuration has chosen: its own
 * word never lowers its risk. A sandbox that it asks for itself is a precaution and no deed (MGP 16.4). */
static enum risk_level validated_risk(const struct reading *reading) {
	const struct tool_security *security = reading->security;
	enum risk_level risk = validator_risks[security->validator];
	if (reading->is_ruled || security->is_fallback) return risk;
	enum validator named =
		tool_security_fallback(reading->name, reading->definition, security->read_only == TOOL_YES);
	if (security->validator == VALIDATOR_SANDBOX) risk = RISK_MODERATE;
	return risk > validator_risks[named] ? risk : validator_risks[named];
}

static void compute_risk(const struct reading *reading) {
	struct tool_security *security = reading->security;
	raise_risk(security, annotated_risk(reading));
	raise_risk(security, security->claimed);
	raise_risk(security, validated_risk(reading));
	for (size_t i = 0; i < security->permission_count; i++)
		raise_risk(security, permission_type_risk(security->permissions[i]));
	for (size_t i = 0; i < COUNT_OF(effect_risks); i++)
		if (security->side_effects & 1u << i) raise_risk(security, effect_risks[i]);
}

struct tool_security *tool_security_read(
	struct slice definition, const struct tool_rules *rules, struct fault *why) {
	const struct scan_value root = {.text = definition, .type = SCAN_OBJECT};
	struct scan_value name;
	AUTO(tool_security) security = calloc(1, sizeof *security);
	if (!security) return fault_null(why, FAULT_NO_MEMORY, "no memory for what a tool may do");
	arena_init(&security->arena, NULL, 0, SECURITY_OCTETS);
	code_rules_init(&security->code);

	struct reading reading = {.security = security, .definition = &root, .rules = rules, .why = why};
	if (!definition.length || definition.bytes[0] != '{' || !scan_find(&root, "name", &name) ||
		!scan_string(&name, &security->arena, &reading.name))
		return fault_null(why, FAULT_BAD_INPUT, "a tool has to be an object with a name");
	if (!read_annotations(&reading) || !read_security(&reading) || !apply_rules(&reading) ||
		!apply_code(&reading))
		return NULL;
	compute_risk(&reading);
	return TAKE(security);
}

void tool_security_free(struct tool_security *security) {
	if (!security) return;
	arena_finish(&security->arena);
	free(security);
}

/* ---- Showing ---- */

static void write_claim(struct text *to, const char *name, enum tool_claim claim) {
	if (claim == TOOL_UNSAID) return;
	text_printf(to, ",\"%s\":%s", name, claim == TOOL_YES ? "true" : "false");
}

static void write_permissions(struct text *to, const struct tool_security *security) {
	if (!security->permission_count) return;
	text_add_cstr(to, ",\"permissions_required\":[");
	for (size_t i = 0; i < security->permission_count; i++) {
		if (i) text_add_char(to, ',');
		text_json(to, security->permissions[i]);
	}
	text_add_char(to, ']');
}

static void write_effects(struct text *to, const struct tool_security *security) {
	const char *between = "";
	if (!(security->side_effects & ~(unsigned)TOOL_EFFECT_OTHER)) return;
	text_add_cstr(to, ",\"side_effects\":[");
	for (size_t i = 0; i < COUNT_OF(effect_words); i++) {
		if (!(security->side_effects & 1u << i)) continue;
		text_printf(to, "%s\"%s\"", between, effect_words[i]);
		between = ",";
	}
	text_add_char(to, ']');
}

void tool_security_write(struct text *to, const struct tool_security *security) {
	text_printf(to, "{\"risk_level\":\"%s\"", risk_level_word(security->risk));
	write_permissions(to, security);
	write_effects(to, security);
	text_printf(to, ",\"validator\":\"%s\"", validator_word(security->validator));
	write_claim(to, "reversible", security->reversible);
	write_claim(to, "confirmation_required", security->confirmation_required);
	if (security->code_safety.length) {
		text_add_cstr(to, ",\"code_safety\":");
		text_add(to, security->code_safety);
	}
	text_add_char(to, '}');
}

bool tool_security_wants_confirmation(const struct tool_security *security) {
	return security->risk == RISK_DANGEROUS || security->confirmation_required == TOOL_YES;
}
