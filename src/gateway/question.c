/* SPDX-License-Identifier: Apache-2.0 */
/* Question: a letter there, a letter back; on one thread two calls. */
#include "gateway/question.h"

static void arrived(struct letter *letter) {
	struct question *question = CONTAINER_OF(letter, struct question, letter);
	question->ask(question);
}

static void came_back(struct letter *letter) {
	struct question *question = CONTAINER_OF(letter, struct question, letter);
	question->answered(question);
}

bool question_start(struct question *question, struct gateway *gateway,
	struct gateway_island *island, struct exchange *exchange, question_fn *ask,
	question_fn *answered, struct fault *why) {
	question->gateway = gateway;
	question->island = island;
	question->exchange = exchange;
	question->ask = ask;
	question->answered = answered;
	if (island->loop == gateway->loop) {
		ask(question);
		return true;
	}
	if (mailbox_post(island->loop, &question->letter, arrived)) return true;
	return fault_set(why, FAULT_FULL, "the rooms are too busy: try again");
}

void question_answer(struct question *question) {
	if (question->island->loop == question->gateway->loop)
		question->answered(question);
	else
		mailbox_answer(question->gateway->loop, &question->letter, came_back);
}

struct gateway_island *gateway_island(struct gateway *gateway, struct slice topic) {
	uint64_t hash = 14695981039346656037u; /* FNV-1a: placement alone, nothing rests on it */
	for (size_t i = 0; i < topic.length; i++)
		hash = (hash ^ (uint8_t)topic.bytes[i]) * 1099511628211u;
	return &gateway->islands[(hash >> 32) % gateway->island_count];
}
