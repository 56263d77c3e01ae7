/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a JSON-RPC message read as a text and as a value checked before is the same, and so
 * is what is written of it and read again.
 */
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

static void check_same(const struct jsonrpc *a, const struct jsonrpc *b) {
	MUST(a->kind == b->kind && a->code == b->code);
	MUST(slice_equal(a->id.text, b->id.text));
	MUST(slice_equal(a->method, b->method) && slice_equal(a->message, b->message));
	MUST(slice_equal(a->params.text, b->params.text));
	MUST(slice_equal(a->result.text, b->result.text));
}

static void check_written(const struct jsonrpc *message) {
	AUTO_TEXT struct text text = {0};
	struct jsonrpc again;
	int64_t code;
	text_init(&text, 0);
	switch (message->kind) {
	case JSONRPC_REQUEST:
		jsonrpc_write_request(&text, message->id.text, message->method, message->params.text);
		break;
	case JSONRPC_NOTIFICATION:
		jsonrpc_write_notification(&text, message->method, message->params.text);
		break;
	case JSONRPC_RESULT: jsonrpc_write_result(&text, message->id.text, message->result.text); break;
	case JSONRPC_ERROR:
		jsonrpc_write_error(&text, message->id.text, message->code, message->message, SLICE("{}"));
		break;
	}
	MUST(!text_failed(&text));
	MUST(jsonrpc_read(&again, text_slice(&text), &arena, &code, NULL));
	bool is_nobodys = message->kind == JSONRPC_ERROR && message->id.type == SCAN_NONE;
	if (is_nobodys) again.id = message->id; /* written as null */
	check_same(message, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static char lent[64 * 1024];
	struct slice text = slice_make(data, size);
	struct scan_value value;
	struct jsonrpc message, other;
	struct fault why = {FAULT_NONE, ""};
	int64_t code = 0, other_code = 0;
	arena_init(&arena, lent, sizeof(lent), 0);
	bool is_read = jsonrpc_read(&message, text, &arena, &code, &why);
	bool is_json = scan_check(text, SCAN_DEPTH, &value, NULL);
	if (!is_read) {
		MUST(why.code == FAULT_BAD_INPUT);
		MUST(code == (is_json ? JSONRPC_INVALID_REQUEST : JSONRPC_PARSE_ERROR));
	}
	if (is_json) {
		MUST(jsonrpc_read_value(&other, &value, &arena, &other_code, NULL) == is_read);
		MUST(other_code == code && slice_equal(other.id.text, message.id.text));
	}
	if (is_read) {
		check_same(&message, &other);
		check_written(&message);
	}
	arena_finish(&arena);
	return 0;
}
