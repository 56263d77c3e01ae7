/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embedding text: what of a tool is sent to a provider of embeddings: its server's id, its name and title,
 * the beginning of its description, the names of its parameters. Nothing else of it, and nothing of who
 * asks. Plain functions; any thread.
 */
#ifndef HUSTINGS_KERNEL_EMBEDDING_TEXT_H
#define HUSTINGS_KERNEL_EMBEDDING_TEXT_H

#include "base/text.h"

/* Of a definition, a JSON object; at most EMBEDDING_TEXT octets. */
void embedding_text_write(struct text *to, struct slice server, struct slice name, struct slice definition);

#endif
