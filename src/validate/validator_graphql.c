/* SPDX-License-Identifier: Apache-2.0 */
/* Validator GraphQL: words at the outside of all braces. */
#include "validate/validator_graphql.h"

static bool is_word_at(struct slice text, size_t at, const char *word) {
	size_t length = strlen(word);
	if (text.length - at < length || memcmp(text.bytes + at, word, length) != 0) return false;
	return at + length == text.length || strchr(" \t\r\n({@#,", text.bytes[at + length]) != NULL;
}

/* `at` is the opening quote; the octet that ends the string, or the text's last. */
static size_t skip_string(struct slice text, size_t at) {
	bool is_block = text.length - at >= 3 && text.bytes[at + 1] == '"' && text.bytes[at + 2] == '"';
	for (at += is_block ? 3 : 1; at < text.length; at++) {
		if (text.bytes[at] == '\\') at++;
		else if (!is_block && (text.bytes[at] == '"' || text.bytes[at] == '\n')) return at;
		else if (is_block && text.length - at >= 3 && memcmp(text.bytes + at, "\"\"\"", 3) == 0)
			return at + 2;
	}
	return text.length;
}

enum sql_kind validator_graphql_judge(struct slice text) {
	static const char *const words[] = {"{", "query", "mutation", "subscription", "fragment"};
	size_t at = 0, depth = 0;
	bool begins = true, is_one = false, writes = false;
	while (at < text.length && strchr(" \t\r\n,#", text.bytes[at])) {
		bool is_comment = text.bytes[at++] == '#';
		while (is_comment && at < text.length && text.bytes[at] != '\n') at++;
	}
	for (size_t i = 0; i < COUNT_OF(words) && at < text.length; i++)
		if (i ? is_word_at(text, at, words[i]) : text.bytes[at] == '{') is_one = true;
	size_t next = at + 1;
	while (next < text.length && strchr(" \t\r\n", text.bytes[next])) next++;
	if (!is_one || !memchr(text.bytes, '{', text.length)) return SQL_NONE;
	if (text.bytes[at] == '{' && next < text.length && strchr("\"}$", text.bytes[next]))
		return SQL_NONE; /* JSON */
	for (; at < text.length; at++) {
		char octet = text.bytes[at];
		if (octet == '{' || octet == '(') depth++;
		if ((octet == '}' || octet == ')') && depth) depth--;
		if (octet == '"') at = skip_string(text, at);
		if (octet == '#')
			while (at + 1 < text.length && text.bytes[at + 1] != '\n') at++;
		if (begins && depth == 0 && octet == 'm' && is_word_at(text, at, "mutation")) writes = true;
		begins = strchr(" \t\r\n,{}()", octet) != NULL;
	}
	return writes ? SQL_WRITES : SQL_READS;
}
