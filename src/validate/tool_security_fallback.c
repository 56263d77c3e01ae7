/* SPDX-License-Identifier: Apache-2.0 */
/* Tool security fallback: words of the name and of the schema as bits, and a few rules over them. */
#include "validate/tool_security_fallback.h"

#define WORD_OCTETS 24

enum word { /* bits; of the tool's name */
	WORD_SHELL = 1,
	WORD_RUN = 2,
	WORD_COMMAND = 4,
	WORD_LANGUAGE = 8,
	WORD_STUDY = 16, /* looks at code without running it */
	WORD_FETCH = 32,
	WORD_DATABASE = 64,
};

enum property { /* bits; of the schema */
	PROPERTY_COMMAND = 1,
	PROPERTY_CODE = 2,
	PROPERTY_SCRIPT = 4,
	PROPERTY_URL = 8,
	PROPERTY_SQL = 16,
	PROPERTY_QUERY = 32,
	PROPERTY_OTHER = 64,
};

struct meaning {
	const char *word;
	unsigned bits;
};

static const struct meaning name_words[] = {
	{"shell", WORD_SHELL},
	{"bash", WORD_SHELL},
	{"sh", WORD_SHELL},
	{"zsh", WORD_SHELL},
	{"powershell", WORD_SHELL},
	{"pwsh", WORD_SHELL},
	{"terminal", WORD_SHELL},
	{"cmd", WORD_SHELL},
	{"subprocess", WORD_SHELL},
	{"ssh", WORD_SHELL},
	{"tmux", WORD_SHELL},
	{"run", WORD_RUN},
	{"exec", WORD_RUN},
	{"execute", WORD_RUN},
	{"spawn", WORD_RUN},
	{"launch", WORD_RUN},
	{"eval", WORD_RUN},
	{"evaluate", WORD_RUN},
	{"interpret", WORD_RUN},
	{"repl", WORD_RUN | WORD_LANGUAGE},
	{"interpreter", WORD_RUN | WORD_LANGUAGE},
	{"command", WORD_COMMAND},
	{"commands", WORD_COMMAND},
	{"process", WORD_COMMAND},
	{"program", WORD_COMMAND},
	{"cli", WORD_COMMAND},
	{"python", WORD_LANGUAGE},
	{"javascript", WORD_LANGUAGE},
	{"js", WORD_LANGUAGE},
	{"node", WORD_LANGUAGE},
	{"ruby", WORD_LANGUAGE},
	{"ipython", WORD_LANGUAGE},
	{"jupyter", WORD_LANGUAGE},
	{"php", WORD_LANGUAGE},
	{"perl", WORD_LANGUAGE},
	{"analyze", WORD_STUDY},
	{"analyse", WORD_STUDY},
	{"lint", WORD_STUDY},
	{"format", WORD_STUDY},
	{"explain", WORD_STUDY},
	{"review", WORD_STUDY},
	{"check", WORD_STUDY},
	{"parse", WORD_STUDY},
	{"document", WORD_STUDY},
	{"search", WORD_STUDY},
	{"highlight", WORD_STUDY},
	{"fetch", WORD_FETCH},
	{"http", WORD_FETCH},
	{"https", WORD_FETCH},
	{"curl", WORD_FETCH},
	{"wget", WORD_FETCH},
	{"scrape", WORD_FETCH},
	{"crawl", WORD_FETCH},
	{"download", WORD_FETCH},
	{"request", WORD_FETCH},
	{"browse", WORD_FETCH},
	{"navigate", WORD_FETCH},
	{"url", WORD_FETCH},
	{"web", WORD_FETCH},
	{"webpage", WORD_FETCH},
	{"webhook", WORD_FETCH},
	{"proxy", WORD_FETCH},
	{"scraper", WORD_FETCH},
	{"crawler", WORD_FETCH},
	{"screenshot", WORD_FETCH},
	{"sql", WORD_DATABASE},
	{"query", WORD_DATABASE},
	{"database", WORD_DATABASE},
	{"db", WORD_DATABASE},
	{"postgres", WORD_DATABASE},
	{"mysql", WORD_DATABASE},
	{"sqlite", WORD_DATABASE},
	{"select", WORD_DATABASE},
	{"duckdb", WORD_DATABASE},
	{"bigquery", WORD_DATABASE},
};

static const struct meaning property_words[] = {
	{"command", PROPERTY_COMMAND},
	{"cmd", PROPERTY_COMMAND},
	{"commands", PROPERTY_COMMAND},
	{"commandline", PROPERTY_COMMAND},
	{"argv", PROPERTY_COMMAND},
	{"shell", PROPERTY_COMMAND},
	{"code", PROPERTY_CODE},
	{"source", PROPERTY_CODE},
	{"snippet", PROPERTY_CODE},
	{"script", PROPERTY_SCRIPT},
	{"url", PROPERTY_URL},
	{"urls", PROPERTY_URL},
	{"uri", PROPERTY_URL},
	{"href", PROPERTY_URL},
	{"endpoint", PROPERTY_URL},
	{"link", PROPERTY_URL},
	{"baseurl", PROPERTY_URL},
	{"targeturl", PROPERTY_URL},
	{"webhookurl", PROPERTY_URL},
	{"pageurl", PROPERTY_URL},
	{"sql", PROPERTY_SQL},
	{"statement", PROPERTY_SQL},
	{"sqlquery", PROPERTY_SQL},
	{"query", PROPERTY_QUERY},
};

static bool is_lower(char octet) { return octet >= 'a' && octet <= 'z'; }
static bool is_upper(char octet) { return octet >= 'A' && octet <= 'Z'; }
static bool is_digit(char octet) { return octet >= '0' && octet <= '9'; }

static unsigned bits_of(const struct meaning *meanings, size_t count, struct slice word) {
	for (size_t i = 0; i < count; i++)
		if (slice_is(word, meanings[i].word)) return meanings[i].bits;
	return 0;
}

/* "runShellCommand", "run_shell_command", "run-shell.command" are three words each. */
static unsigned bits_of_name(struct slice name) {
	char word[WORD_OCTETS];
	size_t length = 0;
	unsigned bits = 0;
	for (size_t i = 0; i <= name.length; i++) {
		char octet = i < name.length ? name.bytes[i] : '_';
		bool begins = is_upper(octet) && i > 0 && is_lower(name.bytes[i - 1]);
		bool is_part = is_lower(octet) || is_upper(octet) || is_digit(octet);
		if (begins || !is_part) {
			bits |= bits_of(name_words, COUNT_OF(name_words), slice_make(word, length));
			length = 0;
		}
		if (!is_part) continue;
		if (length < WORD_OCTETS) word[length++] = is_upper(octet) ? (char)(octet | 0x20) : octet;
	}
	return bits;
}

/* "target_url" and "targetUrl" are "targeturl". */
static unsigned bits_of_property(const struct scan_member *property) {
	char word[WORD_OCTETS];
	size_t length = 0;
	struct scan_value format;
	for (size_t i = 0; i < property->key.length && length < WORD_OCTETS; i++) {
		char octet = property->key.bytes[i];
		if (is_upper(octet)) octet |= 0x20;
		if (is_lower(octet) || is_digit(octet)) word[length++] = octet;
	}
	unsigned bits = bits_of(property_words, COUNT_OF(property_words), slice_make(word, length));
	if (scan_find(&property->value, "format", &format) &&
		(slice_is(format.text, "\"uri\"") || slice_is(format.text, "\"url\"")))
		bits |= PROPERTY_URL;
	return bits ? bits : PROPERTY_OTHER;
}

static unsigned bits_of_schema(const struct scan_value *definition) {
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member property;
	unsigned bits = 0;
	if (!scan_path(definition, &properties, "inputSchema", "properties", NULL) ||
		properties.type != SCAN_OBJECT)
		return 0;
	for (scan_open(&walk, &properties); scan_next(&walk, &property);)
		bits |= bits_of_property(&property);
	return bits;
}

static bool runs_commands(unsigned name, unsigned schema) {
	if (name & WORD_SHELL)
		return schema == 0 || name & WORD_RUN ||
			schema & (PROPERTY_COMMAND | PROPERTY_SCRIPT | PROPERTY_CODE);
	if (!(name & WORD_RUN) || name & WORD_LANGUAGE) return false;
	return name & WORD_COMMAND || schema & PROPERTY_COMMAND;
}

static bool runs_code(unsigned name, unsigned schema) {
	if (!(schema & (PROPERTY_CODE | PROPERTY_SCRIPT)) || name & WORD_STUDY) return false;
	return name & (WORD_RUN | WORD_LANGUAGE);
}

enum validator tool_security_fallback(
	struct slice name, const struct scan_value *definition, bool says_read_only) {
	unsigned words = bits_of_name(name), schema = bits_of_schema(definition);
	if (runs_commands(words, schema)) return VALIDATOR_SANDBOX;
	if (runs_code(words, schema)) return VALIDATOR_CODE_SAFETY;
	if (words & WORD_FETCH && schema & PROPERTY_URL) return VALIDATOR_NETWORK_RESTRICTED;
	if (says_read_only && (schema & PROPERTY_SQL || (schema & PROPERTY_QUERY && words & WORD_DATABASE)))
		return VALIDATOR_READONLY;
	return VALIDATOR_NONE;
}
