/* SPDX-License-Identifier: Apache-2.0 */
/* Store queue: first come, first answered. */
#include "store/store_queue.h"

bool store_queue_put(struct store_queue *queue, const struct store_question *question,
	struct fault *why) {
	if (queue->count == STORE_QUESTIONS)
		return fault_set(why, FAULT_FULL, "the store has %d questions to answer; ask again later",
			STORE_QUESTIONS);
	size_t at = (queue->first + queue->count++) % STORE_QUESTIONS;
	queue->ring[at] = *question;
	return true;
}

bool store_queue_take(struct store_queue *queue, struct store_question *question) {
	if (queue->count == 0) return false;
	*question = queue->ring[queue->first];
	queue->first = (queue->first + 1) % STORE_QUESTIONS;
	queue->count--;
	return true;
}
