/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the definition of a server. What is taken is whole, and what is shown of it is JSON
 * without the values of environment and headers. */
#include "kernel/definition.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct hosted_settings *settings) {
	AUTO_TEXT struct text shown = {0};
	struct scan_value root;
	struct scan_fault fault;
	require(settings->id != NULL);
	require(!settings->arguments || (settings->arguments[0] && settings->arguments[0][0]));
	require(!settings->arguments || !settings->url);
	for (const char *const *header = settings->headers; header && *header; header++)
		require(strpbrk(*header, "\r\n") == NULL && strchr(*header, ':') != NULL);
	for (const char *const *variable = settings->environment; variable && *variable; variable++)
		require(strchr(*variable, '=') != NULL);
	text_init(&shown, 0);
	text_add_char(&shown, '{');
	definition_write(&shown, settings);
	text_add_char(&shown, '}');
	require(scan_check(text_slice(&shown), SCAN_DEPTH, &root, &fault));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct hosted_settings settings;
	struct arena arena;
	struct fault why = {.code = FAULT_NONE};
	arena_init(&arena, NULL, 0, 0);
	if (definition_read(slice_make(data, size), &arena, &settings, &why)) check(&settings);
	else require(why.code != FAULT_NONE && why.text[0]);
	arena_finish(&arena);
	return 0;
}
