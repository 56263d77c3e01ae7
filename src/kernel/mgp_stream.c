/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_stream: which request is meant, and what is said of its end. */
#include "kernel/mgp_stream.h"

#include "kernel/call.h"
#include "kernel/mgp_client.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

/* The call tells its end whether anybody waits for it or not. */
struct stopping {
	struct mgp_ask *ask; /* NULL: nobody does */
};

static void answer(struct mgp_ask *ask, struct slice partial) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	if (!partial.bytes) text_add_cstr(&result, "{\"cancelled\":false}");
	else {
		text_add_cstr(&result, "{\"cancelled\":true,\"partial_result\":");
		text_add(&result, partial);
		text_add_char(&result, '}');
	}
	mgp_ask_answer(ask, &result);
}

static void stopped(void *context, struct slice partial) {
	struct stopping *stopping = context;
	struct mgp_ask *ask = stopping->ask;
	free(stopping);
	if (!ask) return;
	ask->later = NULL;
	ask->cancel = NULL;
	answer(ask, partial);
}

static void forget(struct mgp_ask *ask) {
	struct stopping *stopping = TAKE(ask->later);
	stopping->ask = NULL;
}

/* False: answered. */
static bool read_request(struct mgp_ask *ask, struct slice *id, struct slice *reason) {
	struct scan_value value = {.type = SCAN_NONE};
	bool is_there = ask->params.type == SCAN_OBJECT && scan_find(&ask->params, "request_id", &value);
	if (!is_there || (value.type != SCAN_STRING && value.type != SCAN_NUMBER)) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.request_id: the id of a request of yours is due, a string or a number");
		return false;
	}
	*id = value.text;
	if (!mgp_ask_word(ask, "reason", false, reason)) return false;
	reason->length = slice_cut(*reason, MGP_STREAM_REASON);
	return true;
}

void mgp_stream_cancel(struct mgp_ask *ask) {
	struct slice id, reason;
	if (!read_request(ask, &id, &reason)) return;
	struct hosted_ask *request = ask->client && ask->client->face->find ? ask->client->face->find(ask->client, id) : NULL;
	if (!request) {
		answer(ask, SLICE_NONE);
		return;
	}
	struct stopping *stopping = calloc(1, sizeof *stopping);
	if (!stopping) {
		mgp_ask_refuse(ask, MGP_RESOURCE_EXHAUSTED, "no memory for a cancel: try again");
		return;
	}
	stopping->ask = ask;
	ask->later = stopping;
	ask->cancel = forget;
	if (call_stop(request, reason, stopped, stopping)) return;
	ask->later = NULL;
	ask->cancel = NULL;
	free(stopping);
	answer(ask, SLICE_NONE);
}
