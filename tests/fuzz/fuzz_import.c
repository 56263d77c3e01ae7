/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: files of other programs. What is taken from them is TOML again, with valid ids and no
 * variable that could not be one. */
#include "base/toml.h"
#include "cli/import_values.h"
#include "cli/import_write.h"
#include "wire/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct import_servers *servers) {
	AUTO_TEXT struct text toml = {0}, json = {0};
	struct scan_value root;
	struct scan_fault fault;
	struct fault why = {0};
	size_t count = 0;
	text_init(&toml, 0);
	text_init(&json, 0);
	import_write_toml(&toml, servers);
	import_write_json(&json, servers);
	require(scan_check(text_slice(&json), SCAN_DEPTH, &root, &fault));
	struct toml *tree = toml_open(text_slice(&toml), "out", &why);
	require(tree || why.code == FAULT_TOO_LARGE);
	const struct toml *array = tree ? toml_find(tree, "servers") : NULL;
	const struct import_server *server = servers->first;
	for (const struct toml *one = array ? array->first : NULL; one; one = one->next, server = server->next) {
		require(server && slice_is(slice_of(toml_find(one, "id")->string), server->id));
		require(strlen(server->id) >= 1 && strlen(server->id) <= IMPORT_ID);
		require(!server->command.length == (server->url.length > 0));
		count++;
	}
	require(!tree || count == servers->count);
	for (const struct import_variable *one = servers->variables; one; one = one->next)
		require(import_value_is_variable(one->name));
	toml_close(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct fault why = {0};
	struct import_file file;
	struct import_servers servers;
	import_file_init(&file);
	import_servers_init(&servers, size % 2);
	if (import_file_read(&file, slice_make(data, size), "input", &why)) {
		require(import_servers_take(&servers, &file, &why));
		check(&servers);
	} else {
		require(why.code != FAULT_NONE && why.text[0]);
	}
	import_servers_finish(&servers);
	import_file_finish(&file);
	return 0;
}
