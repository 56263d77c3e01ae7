/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_callback_respond: found, judged, handed on. */
#include "kernel/mgp_callback_respond.h"

#include "kernel/callbacks.h"
#include "wire/jsonrpc.h"

#include <stdio.h>

static void refuse(struct mgp_ask *ask, const char *type, const char *words) {
	AUTO_TEXT struct text data = {0};
	struct hosted_answer answer = {.code = MGP_INVALID_TOOL_ARGS, .message = slice_of(words)};
	text_init(&data, 0);
	mgp_error_write(&data, MGP_INVALID_TOOL_ARGS, type, NULL);
	if (!text_failed(&data)) answer.data = text_slice(&data);
	ask->cancel = NULL;
	ask->answered(ask, &answer);
}

static void refuse_over(struct mgp_ask *ask, enum callback_state state) {
	if (state == CALLBACK_ANSWERED) refuse(ask, "callback_answered", "params.callback_id: that callback was answered before");
	else if (state == CALLBACK_EXPIRED)
		refuse(ask, "callback_expired", "params.callback_id: nobody waits for that callback any more");
	else
		refuse(ask, "callback_unknown", "params.callback_id: there is no such callback of yours");
}

static bool is_answer(struct mgp_ask *ask, const struct callback *callback, const struct scan_value *response) {
	char words[sizeof((struct fault *)NULL)->text + 32];
	struct fault why = {.code = FAULT_NONE};
	if (callback->accepts(callback, response, &why)) return true;
	snprintf(words, sizeof words, "params.response: %s", why.text);
	refuse(ask, "callback_invalid", words);
	return false;
}

void mgp_callback_respond(struct mgp_ask *ask) {
	struct callback *callback = NULL;
	struct scan_value response;
	AUTO_TEXT struct text result = {0};
	struct slice id;
	if (!mgp_ask_word(ask, "callback_id", true, &id)) return;
	if (!scan_find(&ask->params, "response", &response)) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.response: missing");
		return;
	}
	enum callback_state state = callbacks_find(ask->means->callbacks, id, ask->asker.principal, &callback);
	if (state != CALLBACK_OPEN) {
		refuse_over(ask, state);
		return;
	}
	if (!is_answer(ask, callback, &response)) return;
	callback->responded(callback, &response);
	text_init(&result, 64);
	text_add_cstr(&result, "{\"accepted\":true}");
	mgp_ask_answer(ask, &result);
}
