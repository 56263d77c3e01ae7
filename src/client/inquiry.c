/* SPDX-License-Identifier: Apache-2.0 */
/* Inquiry: a question, a key, and whom to tell the reply. */
#include "client/inquiry.h"

#include <stdlib.h>

struct hustings_question {
	struct link link;
	enum inquiry_kind kind;
	struct scan_value params;
	inquiry_replied *replied; /* NULL: it was withdrawn */
	void *raiser;
	void *context;
	struct slice key; /* this and the params lie behind the struct */
	char octets[];
};

bool inquiry_kind_of(struct slice method, const struct scan_value *params,
	enum inquiry_kind *kind) {
	struct scan_value mode;
	if (slice_is(method, "elicitation/create")) {
		bool is_url = scan_find(params, "mode", &mode) && slice_is(mode.text, "\"url\"");
		*kind = is_url ? INQUIRY_URL : INQUIRY_FORM;
	} else if (slice_is(method, "sampling/createMessage"))
		*kind = INQUIRY_SAMPLING;
	else if (slice_is(method, "roots/list"))
		*kind = INQUIRY_ROOTS;
	else
		return false;
	return true;
}

struct hustings_question *inquiry_make(struct link *list, enum inquiry_kind kind, struct slice key,
	const struct scan_value *params, inquiry_replied *replied, void *raiser) {
	struct hustings_question *question =
		calloc(1, sizeof *question + key.length + params->text.length + 1);
	if (!question) return NULL;
	question->kind = kind;
	question->params = *params;
	question->replied = replied;
	question->raiser = raiser;
	if (key.length) memcpy(question->octets, key.bytes, key.length);
	question->key = slice_make(question->octets, key.length);
	if (params->text.length)
		memcpy(question->octets + key.length, params->text.bytes, params->text.length);
	question->params.text = slice_make(question->octets + key.length, params->text.length);
	list_append(list, &question->link);
	return question;
}

bool inquiry_withdraw(struct hustings_question *question) {
	return TAKE(question->replied) != NULL;
}

void inquiry_free(struct hustings_question *question) {
	list_remove(&question->link);
	free(question);
}

static void end(struct hustings_question *question, struct slice result, int64_t code,
	struct slice words) {
	inquiry_replied *replied = TAKE(question->replied);
	list_remove(&question->link);
	if (replied) replied(question->raiser, question->key, result, code, words);
	free(question);
}

void inquiry_reply(struct hustings_question *question, struct slice result) {
	end(question, result, 0, SLICE_NONE);
}

void inquiry_refuse(struct hustings_question *question, int64_t code, struct slice words) {
	end(question, SLICE_NONE, code, words);
}

enum inquiry_kind inquiry_kind(const struct hustings_question *question) { return question->kind; }
const struct scan_value *inquiry_params(const struct hustings_question *question) {
	return &question->params;
}
void *inquiry_raiser(const struct hustings_question *question) { return question->raiser; }
struct slice inquiry_key(const struct hustings_question *question) {
	return question->key;
}
bool inquiry_is_withdrawn(const struct hustings_question *question) { return !question->replied; }
struct hustings_question *inquiry_of(struct link *link) {
	return CONTAINER_OF(link, struct hustings_question, link);
}
void inquiry_set(struct hustings_question *question, void *context) {
	question->context = context;
}
void *inquiry_context(const struct hustings_question *question) { return question->context; }
