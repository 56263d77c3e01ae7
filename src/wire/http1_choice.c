/* SPDX-License-Identifier: Apache-2.0 */
/* Http1 choice: weights of codings, lists of entity tags. */
#include "wire/http1_choice.h"

enum wish {
	WISH_UNSAID,
	WISH_NO,
	WISH_YES,
};

/* "q=0", "q=0.000": a weight that says no. What is no weight says nothing. */
static bool is_nothing(struct slice parameter) {
	if (parameter.length < 3 || (parameter.bytes[0] | 0x20) != 'q' || parameter.bytes[1] != '=') return false;
	for (size_t i = 2; i < parameter.length; i++)
		if (parameter.bytes[i] != (i == 3 ? '.' : '0')) return false;
	return true;
}

/* One part of the list: the name, and what its weight says. */
static enum wish read_part(struct slice part, struct slice *name) {
	struct slice parameter;
	if (!slice_split(&part, ';', name)) return WISH_UNSAID;
	*name = slice_trim(*name);
	while (slice_split(&part, ';', &parameter))
		if (is_nothing(slice_trim(parameter))) return WISH_NO;
	return WISH_YES;
}

bool http1_accepts_coding(const struct http1_head *head, const char *coding) {
	struct slice wanted = slice_of(coding), part, name;
	enum wish named = WISH_UNSAID, any = WISH_UNSAID;
	for (size_t i = 0; i < head->field_count; i++) {
		if (!slice_equal_ignoring_case(head->fields[i].name, SLICE("Accept-Encoding"))) continue;
		struct slice rest = head->fields[i].value;
		while (slice_split(&rest, ',', &part)) {
			enum wish wish = read_part(part, &name);
			if (slice_equal_ignoring_case(name, wanted)) named = wish;
			else if (slice_is(name, "*")) any = wish;
		}
	}
	return named == WISH_UNSAID ? any == WISH_YES : named == WISH_YES;
}

/* Takes one entity tag from the front, without its W/. False: the end, or none. */
static bool next_tag(struct slice *rest, struct slice *tag) {
	const char *at = rest->bytes, *end = rest->bytes + rest->length;
	while (at < end && (*at == ',' || *at == ' ' || *at == '\t')) at++;
	if (end - at > 2 && at[0] == 'W' && at[1] == '/') at += 2;
	if (end - at < 2 || *at != '"') return false;
	const char *closing = memchr(at + 1, '"', (size_t)(end - at - 1));
	if (!closing) return false;
	*tag = slice_make(at, (size_t)(closing + 1 - at));
	*rest = slice_make(closing + 1, (size_t)(end - closing - 1));
	return true;
}

bool http1_has_already(const struct http1_head *head, struct slice tag) {
	struct slice one;
	for (size_t i = 0; i < head->field_count; i++) {
		if (!slice_equal_ignoring_case(head->fields[i].name, SLICE("If-None-Match"))) continue;
		struct slice rest = head->fields[i].value;
		if (slice_is(rest, "*")) return true;
		while (next_tag(&rest, &one))
			if (slice_equal(one, tag)) return true;
	}
	return false;
}
