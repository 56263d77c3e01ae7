/* SPDX-License-Identifier: Apache-2.0 */
#include "gateway/http_intake.h"

#include "net/loop.h"

#include <stdlib.h>

#define KEPT_OCTETS (16 * 1024) /* of buffers, from one request to the next */

void http_intake_init(struct http_intake *intake, size_t most_body) {
	text_init(&intake->input, HTTP1_HEAD + HTTP_INTAKE_AHEAD + 2 * LOOP_BUFFER);
	text_init(&intake->ahead, HTTP_INTAKE_AHEAD + LOOP_BUFFER);
	text_init(&intake->body, most_body);
}

void http_intake_finish(struct http_intake *intake) {
	text_finish(&intake->input);
	text_finish(&intake->ahead);
	text_finish(&intake->body);
}

bool http_intake_add(struct http_intake *intake, struct slice octets) {
	char *before = intake->input.bytes;
	struct http1_fault fault;
	size_t used;
	text_add(&intake->input, octets);
	if (text_failed(&intake->input)) return false;
	/* The head's spans point into the input: a growing input takes them along. */
	bool has_moved = intake->head_length && before != intake->input.bytes;
	return !has_moved || http1_request(text_slice(&intake->input), &intake->head, &used, &fault) == HTTP1_READY;
}

bool http_intake_add_ahead(struct http_intake *intake, struct slice octets, bool *is_full) {
	text_add(&intake->ahead, octets);
	size_t behind_head = intake->input.length - intake->head_length;
	*is_full = behind_head + intake->ahead.length > HTTP_INTAKE_AHEAD;
	return !text_failed(&intake->ahead);
}

enum http1_result http_intake_head(struct http_intake *intake, struct http1_fault *fault) {
	size_t used;
	enum http1_result result = http1_request(text_slice(&intake->input), &intake->head, &used, fault);
	if (result == HTTP1_READY) intake->head_length = used;
	return result;
}

void http_intake_begin_body(struct http_intake *intake, size_t most) {
	http1_body_init(&intake->reader, &intake->head, most);
	text_clear(&intake->body);
}

enum http1_result http_intake_body(struct http_intake *intake, struct http1_fault *fault) {
	struct slice bytes = slice_make(intake->input.bytes + intake->head_length, intake->input.length - intake->head_length);
	struct slice piece;
	enum http1_result result;
	do {
		result = http1_body_next(&intake->reader, &bytes, &piece, fault);
		if (result != HTTP1_BAD) text_add(&intake->body, piece);
	} while (result == HTTP1_MORE && bytes.length);
	if (result != HTTP1_BAD && text_failed(&intake->body)) {
		*fault = (struct http1_fault){413, "the body does not fit"};
		result = HTTP1_BAD;
	}
	/* What was taken goes; the head's octets stay where their spans point. */
	memmove(intake->input.bytes + intake->head_length, bytes.bytes, bytes.length);
	intake->input.length = intake->head_length + bytes.length;
	return result;
}

bool http_intake_next(struct http_intake *intake) {
	struct text *input = &intake->input;
	size_t left = input->length - intake->head_length;
	text_clear(&intake->body);
	if (intake->body.capacity > KEPT_OCTETS) text_finish(&intake->body);
	memmove(input->bytes, input->bytes + intake->head_length, left);
	input->length = left;
	intake->head_length = 0;
	if (left == 0 && input->capacity > KEPT_OCTETS) text_finish(input);
	if (intake->ahead.length) text_add(input, text_slice(&intake->ahead));
	text_finish(&intake->ahead);
	return !text_failed(input);
}

char *http_intake_rest(const struct http_intake *intake, size_t *length) {
	size_t behind_head = intake->input.length - intake->head_length;
	char *copy = malloc(behind_head + intake->ahead.length + 1);
	if (!copy) return NULL;
	memcpy(copy, intake->input.bytes + intake->head_length, behind_head);
	if (intake->ahead.length) memcpy(copy + behind_head, intake->ahead.bytes, intake->ahead.length);
	*length = behind_head + intake->ahead.length;
	return copy;
}
