/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: params of a callback, or of a form, and an answer behind a LF. What is shown of it, and every answer to
 * it, is JSON; what is shown is read as the same again; what is accepted fits its form as well. */
#include "mcp/mgp_form.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static struct scan_value sound(const struct text *text) {
	struct scan_value root = {.type = SCAN_NONE};
	struct scan_fault fault;
	require(!text_failed(text) && scan_check(text_slice(text), SCAN_DEPTH, &root, &fault));
	return root;
}

static void show(const struct mgp_callback *callback) {
	AUTO_TEXT struct text shown = {0}, about = {0}, form = {0}, message = {0};
	struct mgp_callback again;
	struct mgp_form read;
	text_init(&shown, 0);
	text_init(&about, 0);
	text_init(&form, 0);
	text_init(&message, 0);
	mgp_callback_write(&shown, callback, "cb-1");
	const struct scan_value params = sound(&shown);
	require(mgp_callback_read(&params, &again, NULL) && again.type == callback->type);
	mgp_callback_write_about(&about, &params, SLICE("7"));
	const struct scan_value with_id = sound(&about);
	require(mgp_callback_read(&with_id, &again, NULL) && slice_is(again.request.text, "7"));
	mgp_callback_write_message(&message, callback);
	(void)sound(&message);
	if (callback->type == MGP_NOTIFICATION) return;
	require(again.timeout_ms == callback->timeout_ms && callback->timeout_ms >= MGP_CALLBACK_LEAST_MS &&
		callback->timeout_ms <= MGP_CALLBACK_MOST_MS);
	mgp_form_write(&form, callback);
	const struct scan_value asked = sound(&form);
	require(mgp_form_read(&asked, &read, NULL));
}

static void answer(const struct mgp_callback *callback, const struct mgp_form *form, const struct scan_value *said) {
	AUTO_TEXT struct text no = {0}, yes = {0}, filled = {0}, result = {0}, given = {0};
	text_init(&no, 0);
	text_init(&yes, 0);
	text_init(&filled, 0);
	text_init(&result, 0);
	text_init(&given, 0);
	struct fault why = {.code = FAULT_NONE};
	bool is_one = mgp_callback_accepts(callback, said, &why);
	require(is_one == (why.code == FAULT_NONE));
	mgp_callback_write_no(&no, callback);
	(void)sound(&no);
	if (mgp_callback_write_yes(&yes, callback)) (void)sound(&yes);
	mgp_form_answer(&filled, callback, said);
	(void)sound(&filled);
	text_printf(&given, "{\"response\":%.*s}", SLICE_ARGS(said->text));
	const struct scan_value object = sound(&given);
	if (form) mgp_form_result(&result, form, &object);
	if (form) (void)sound(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct scan_value params, said = {.text = SLICE("null"), .type = SCAN_NULL};
	struct scan_fault fault;
	struct slice rest = slice_make(data, size), first;
	struct mgp_callback callback;
	struct mgp_form form;
	if (!size || !slice_split(&rest, '\n', &first)) return 0;
	/* The house adds levels of its own to what a peer may nest. */
	if (!scan_check(first, SCAN_DEPTH - 8, &params, &fault)) return 0;
	if (rest.bytes && !scan_check(rest, SCAN_DEPTH - 8, &said, &fault)) return 0;
	if (mgp_callback_read(&params, &callback, NULL)) {
		show(&callback);
		if (callback.type != MGP_NOTIFICATION) answer(&callback, NULL, &said);
	}
	if (mgp_form_read(&params, &form, NULL)) {
		show(&form.callback);
		answer(&form.callback, &form, &said);
	}
	return 0;
}
