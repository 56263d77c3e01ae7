/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: configuration files. What is taken is within the limits of the table of keys. */
#include "cli/config.h"
#include "cli/config_file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void check(const struct config *config) {
	require(config->threads >= 1 && config->threads <= GATEWAY_LOOPS);
	require(config->gateway.max_message >= 1024 && config->rooms.max_behind >= config->gateway.max_message);
	require(config->rooms.max_message == config->gateway.max_message);
	require(config->gateway.port <= 65535 && config->gateway.host[0]);
	require(!config->tls_cert == !config->tls_key);
	require(config->rule_count == config->topics.count + 1);
	const struct identity_rule *rules = config->identities.items;
	for (size_t i = 0; i < config->identities.count; i++)
		require(rules[i].id[0] && memchr(rules[i].id, '\0', sizeof rules[i].id));
	require(config->has_jwt || config->jwt.algorithms == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	char *environment[] = {"A=b", "EMPTY=", "HOME=/home/fuzz", NULL};
	struct fault why = {0};
	struct config *config = config_new(&why);
	require(config != NULL);
	config->is_found = size > 0 && data[0] == '#';
	bool is_taken = config_file_apply(config, slice_make(data, size), "fuzz.toml", environment, &why) &&
		config_finish(config, &why);
	if (is_taken) check(config);
	else require(why.code != FAULT_NONE && why.text[0]);
	config_free(config);
	return 0;
}
