/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool embeddings: a ranker of the index of tools (kernel/tool_index.h) that asks a model, where one is
 * configured ([kernel.embeddings]; none is by default, as texts of tools and questions go to it).
 *
 * Tools get their vectors in the background (kernel/tool_vectors.h). A question's vector is fetched when it is
 * asked, within a hard limit of time; without it, for whatever reason, words alone answer at once, and
 * search->note says why. A provider that was too slow several times in a row is not asked for a while. Loop
 * 0. Owned by the kernel: tool_embeddings_open() after the index, tool_embeddings_close() before it.
 */
#ifndef HUSTINGS_KERNEL_TOOL_EMBEDDINGS_H
#define HUSTINGS_KERNEL_TOOL_EMBEDDINGS_H

#include "kernel/embedding_provider.h"
#include "kernel/tool_index.h"

#define TOOL_EMBEDDINGS_ASKED 64 /* questions whose vector is under way */

struct tool_embeddings;

/* The index hears of it from now on. */
struct tool_embeddings *tool_embeddings_open(struct loop *loop, struct log *log, struct tool_index *index,
	const struct embeddings_settings *settings, struct fault *why) MUST_USE;
/* Questions that are under way are answered by words. NULL is fine. */
void tool_embeddings_close(struct tool_embeddings *embeddings);

#endif
