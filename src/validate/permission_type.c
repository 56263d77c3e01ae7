/* SPDX-License-Identifier: Apache-2.0 */
/* Permission type: one table of names, one of short words. */
#include "validate/permission_type.h"

#include "base/text.h"

const struct permission_type permission_types[] = {
	{"filesystem.read", "Read files from the host filesystem", RISK_MODERATE},
	{"filesystem.write", "Write, create or delete files", RISK_DANGEROUS},
	{"network.outbound", "Make requests to the network", RISK_MODERATE},
	{"network.listen", "Listen on a network port", RISK_DANGEROUS},
	{"shell.execute", "Run shell commands", RISK_DANGEROUS},
	{"code_execution", "Run any code", RISK_DANGEROUS},
	{"memory.read", "Read from memory and knowledge stores", RISK_SAFE},
	{"memory.write", "Write to memory and knowledge stores", RISK_MODERATE},
	{"system.info", "Read what this system is", RISK_SAFE},
	{"camera", "Use cameras", RISK_DANGEROUS},
	{"notification", "Send notifications to the user", RISK_SAFE},
	{NULL, NULL, RISK_SAFE},
};

static const struct {
	const char *word;
	const char *names[PERMISSION_TYPE_NAMES];
} short_words[] = {
	{"shell", {"shell.execute", NULL}},
	{"network", {"network.outbound", NULL}},
	{"filesystem", {"filesystem.read", "filesystem.write"}},
};

static const char *const risk_words[RISK_LEVELS] = {
	[RISK_SAFE] = "safe", [RISK_MODERATE] = "moderate", [RISK_DANGEROUS] = "dangerous"};

static const struct permission_type *type_find(struct slice name) {
	for (const struct permission_type *type = permission_types; type->name; type++)
		if (slice_is(name, type->name)) return type;
	return NULL;
}

static bool is_letter(char octet) {
	return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z');
}

static bool is_label(struct slice label) {
	if (!label.length) return false;
	for (size_t i = 0; i < label.length; i++) {
		char octet = label.bytes[i];
		if (!is_letter(octet) && !(octet >= '0' && octet <= '9') && octet != '-' && octet != '_')
			return false;
	}
	return true;
}

/* The first word of a name in the table: "filesystem.read" has "filesystem". */
static bool is_ours(struct slice label) {
	for (const struct permission_type *type = permission_types; type->name; type++)
		if (label.length == strcspn(type->name, ".") &&
			memcmp(label.bytes, type->name, label.length) == 0)
			return true;
	return false;
}

/* A domain of two labels and a name at least, so that "filesytem.read" is nobody's own. */
static bool is_reverse_domain(struct slice word) {
	struct slice rest = word, label;
	size_t count = 0;
	while (slice_split(&rest, '.', &label)) {
		if (!is_label(label)) return false;
		if (count == 0 && (label.length < 2 || !is_letter(label.bytes[0]) || is_ours(label)))
			return false;
		count++;
	}
	return count >= 3;
}

bool permission_type_read(struct slice word, struct permission_type_names *names, struct fault *why) {
	const struct permission_type *type = type_find(word);
	if (type) {
		*names = (struct permission_type_names){{slice_of(type->name)}, 1};
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(short_words); i++) {
		if (!slice_is(word, short_words[i].word)) continue;
		const char *const *read = short_words[i].names;
		*names = (struct permission_type_names){
			{slice_of(read[0]), slice_of(read[1])}, read[1] ? 2 : 1};
		return true;
	}
	if (word.length && word.length <= PERMISSION_TYPE_NAME && is_reverse_domain(word)) {
		*names = (struct permission_type_names){{word}, 1};
		return true;
	}
	char shown[81];
	text_display_in(shown, sizeof shown, word);
	return fault_set(why, FAULT_BAD_INPUT,
		"permission \"%s\" is unknown: MGP 3.2 lists the names; one's own are com.example.name",
		shown);
}

enum risk_level permission_type_risk(struct slice name) {
	const struct permission_type *type = type_find(name);
	return type ? type->risk : RISK_MODERATE;
}

const char *permission_type_description(struct slice name) {
	const struct permission_type *type = type_find(name);
	return type ? type->description : NULL;
}

const char *risk_level_word(enum risk_level risk) { return risk_words[risk]; }

bool risk_level_read(struct slice word, enum risk_level *risk) {
	for (size_t i = 0; i < RISK_LEVELS; i++) {
		if (!slice_is(word, risk_words[i])) continue;
		*risk = (enum risk_level)i;
		return true;
	}
	return false;
}
