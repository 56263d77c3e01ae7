/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_calls: a list, and what its members hear. */
#include "gateway/mcp_room_calls.h"

#include <stdlib.h>

void mcp_room_call_begin(struct mcp_room_call *one, struct mcp_room *room, struct mcp_call *call,
	const struct mcp_room_way *way) {
	one->room = room;
	one->call = call;
	one->way = way;
	text_init(&one->result, 0);
	text_init(&one->data, 0);
	list_append(&room->calls, &one->link);
	if (call) mcp_call_set(call, one);
}

void mcp_room_call_free(struct mcp_room_call *one) {
	one->way->release(one);
	task_clear(&one->answer);
	text_finish(&one->result);
	text_finish(&one->data);
	list_remove(&one->link);
	free(one);
}

void mcp_room_call_answer(struct mcp_room_call *one, const struct hosted_answer *answer,
	const struct fault *why) {
	struct mcp_call *call = TAKE(one->call);
	mcp_room_call_free(one);
	if (call) mcp_call_answer(call, answer, why);
}

/* What the answer is made of goes with the call, which it has to outlive. */
static void answer_now(struct task *task) {
	struct mcp_room_call *one = CONTAINER_OF(task, struct mcp_room_call, answer);
	const struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the answer: try again"};
	AUTO_TEXT struct text result = one->result;
	AUTO_TEXT struct text data = one->data;
	one->result = one->data = (struct text){0};
	struct hosted_answer answer = {.code = one->code};
	if (answer.code) answer.message = text_slice(&result);
	else answer.result = text_slice(&result);
	if (data.length) answer.data = text_slice(&data);
	bool is_written = !text_failed(&result) && !text_failed(&data);
	mcp_room_call_answer(one, is_written ? &answer : NULL, is_written ? NULL : &why);
}

void mcp_room_call_answer_later(struct mcp_room_call *one) {
	loop_later(mcp_room_loop(one->room), &one->answer, answer_now);
}

/* ---- What happens ---- */

void mcp_room_calls_heard(void *context, const struct envelope *envelope, enum guest_moment moment) {
	struct mcp_room *room = context;
	if (moment == GUEST_PAST) return;
	LIST_EACH_SAFE(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (one->way->heard) one->way->heard(one, envelope, moment);
	}
}

void mcp_room_calls_settled(void *context, const struct guest_settlement *settlement) {
	struct mcp_room *room = context;
	LIST_EACH_SAFE(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (one->way->settled) one->way->settled(one, settlement);
	}
}

void mcp_room_calls_refused(void *context, const struct guest_refusal *refusal) {
	struct mcp_room *room = context;
	if (!refusal->id.bytes) return;
	LIST_EACH_SAFE(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (one->way->refused) one->way->refused(one, refusal);
	}
}

void mcp_room_calls_left(struct mcp_room *room, struct slice id) {
	LIST_EACH_SAFE(link, &room->calls) {
		struct mcp_room_call *one = CONTAINER_OF(link, struct mcp_room_call, link);
		if (one->way->left) one->way->left(one, id);
	}
}

void mcp_room_calls_end(struct mcp_room *room, const struct fault *why) {
	while (!list_is_empty(&room->calls))
		mcp_room_call_answer(CONTAINER_OF(room->calls.next, struct mcp_room_call, link), NULL, why);
}
