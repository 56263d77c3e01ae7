/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embedding wire: what is said to a provider of embeddings and what it answers, as many of them do it:
 * {"model","input":[...],"encoding_format":"float"} and {"data":[{"index","embedding":[...]}...]}.
 *
 * An answer counts as a whole or not at all: as many vectors as texts were sent, each index once, all with
 * as many numbers, each a number, none all zeros. Plain functions; any thread.
 */
#ifndef HUSTINGS_KERNEL_EMBEDDING_WIRE_H
#define HUSTINGS_KERNEL_EMBEDDING_WIRE_H

#include "base/text.h"
#include "search/search_vector.h"

#define EMBEDDING_BATCH 512 /* texts in one request at most */
#define EMBEDDING_NUMBER 32 /* octets of a number, a comma and blanks, about */
#define EMBEDDING_TEXT 2048 /* octets of a text at most */

/* dimensions 0: as many as the model has. A text that is too long is cut at a character. */
void embedding_question_write(struct text *to, const char *model, size_t dimensions, const struct slice *texts,
	size_t count);
/* Puts `count` vectors, the caller's to free, into `vectors`, in the order of the texts. dimensions 0: any.
 * False: none was put there (bad_input, no_memory). */
bool embedding_answer_read(struct slice body, size_t count, size_t dimensions, struct search_vector **vectors,
	struct fault *why) MUST_USE;
/* Octets of an answer of so many vectors that is read. */
size_t embedding_answer_limit(size_t count, size_t dimensions);

#endif
