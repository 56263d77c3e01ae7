/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_ask: read, refused, answered. */
#include "kernel/mgp_ask.h"

#include "wire/jsonrpc.h"

#include <stdarg.h>
#include <stdio.h>

void mgp_ask_cancel(struct mgp_ask *ask) {
	void (*cancel)(struct mgp_ask *) = TAKE(ask->cancel);
	if (cancel) cancel(ask);
}

static void refuse(struct mgp_ask *ask, int64_t code, struct slice message) {
	AUTO_TEXT struct text data = {0};
	struct hosted_answer answer = {.code = code, .message = message, .data = JSONRPC_PLAIN};
	text_init(&data, 0);
	if (mgp_error_is_ours(code)) mgp_error_write(&data, code, NULL, NULL);
	if (data.length && !text_failed(&data)) answer.data = text_slice(&data);
	ask->cancel = NULL;
	ask->answered(ask, &answer);
}

void mgp_ask_refuse(struct mgp_ask *ask, int64_t code, const char *format, ...) {
	char words[240];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	refuse(ask, code, slice_make(words, slice_cut(slice_of(words), sizeof words - 1)));
}

void mgp_ask_fail(struct mgp_ask *ask, const struct fault *why) {
	bool is_full = why->code == FAULT_NO_MEMORY || why->code == FAULT_FULL;
	refuse(ask, is_full ? MGP_RESOURCE_EXHAUSTED : JSONRPC_INVALID_PARAMS, slice_of(why->text));
}

void mgp_ask_answer(struct mgp_ask *ask, const struct text *result) {
	const struct hosted_answer answer = {.result = text_slice(result)};
	if (text_failed(result)) {
		refuse(ask, MGP_RESOURCE_EXHAUSTED, SLICE("no memory for the answer: try again"));
		return;
	}
	ask->cancel = NULL;
	ask->answered(ask, &answer);
}

bool mgp_ask_word(struct mgp_ask *ask, const char *name, bool is_required, struct slice *word) {
	struct scan_value value = {.type = SCAN_NONE};
	*word = SLICE_NONE;
	bool is_there = ask->params.type == SCAN_OBJECT && scan_find(&ask->params, name, &value) && value.type != SCAN_NULL;
	if (!is_there && !is_required) return true;
	if (is_there && value.type == SCAN_STRING && scan_string(&value, ask->arena, word) &&
		(word->length || !is_required))
		return true;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.%s: a string is due", name);
	return false;
}

bool mgp_ask_may_use(const struct mgp_ask *ask, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	if (!governed) return false;
	return ask->asker.is_admin || ask->asker.is_local ||
		access_has_any(ask->means->access, ask->asker.principal, hosted_id(hosted), governed->policy.access);
}

bool mgp_ask_server(struct mgp_ask *ask, const char *name, bool is_required, struct hosted **hosted) {
	struct slice id;
	if (!mgp_ask_word(ask, name, is_required && !ask->hosted, &id)) return false;
	*hosted = id.length ? hosted_find(ask->means->servers, id) : ask->hosted;
	if (*hosted ? mgp_ask_may_use(ask, *hosted) : !id.length) return true;
	if (ask->asker.is_admin) mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.%s: there is no such server", name);
	else mgp_ask_refuse(ask, MGP_ACCESS_DENIED, CALL_NO_SUCH_THING);
	return false;
}

bool mgp_ask_is_admin(struct mgp_ask *ask) {
	if (ask->asker.is_admin) return true;
	mgp_ask_refuse(ask, MGP_PERMISSION_DENIED, "this needs an administrator's token");
	return false;
}
