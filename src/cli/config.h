/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Config: what an operator decided, as plain values for the parts: the defaults, then one TOML file,
 * then HUSTINGS_* variables, then flags (MGP 15.2 for the file's place and its [[servers]]).
 *
 * Owned: config_free(). Everything it points to lives as long as it does. Nothing half right is
 * handed out: an unknown key, an unset ${VARIABLE} or a value out of range is a fault that names
 * the file and line, the variable, or the flag.
 */
#ifndef HUSTINGS_CLI_CONFIG_H
#define HUSTINGS_CLI_CONFIG_H

#include "cli/config_keys.h"
#include "cli/config_shape.h"

struct config_flag_value {
	const char *name; /* "rooms.pace" */
	const char *value;
	const char *flag; /* as it is called in faults: "--set rooms.pace" */
};

struct config_wish {
	const char *file;                      /* --config; NULL: looked for */
	const struct config_flag_value *flags; /* in their order; may be NULL */
	size_t flag_count;
	char **environment; /* NULL ended */
};

struct config *config_read(const struct config_wish *wish, struct fault *why) MUST_USE;
void config_free(struct config *config); /* NULL is fine */
AUTO_RELEASE(config, config_free)

/* The parts of config_read() that tests and the fuzzer use by themselves. */
struct config *config_new(struct fault *why) MUST_USE;                 /* the defaults */
bool config_finish(struct config *config, struct fault *why) MUST_USE; /* checks what hangs together */
/* One value as text, as flags and variables give it. `where` begins the fault. */
bool config_assign(struct config *config, const char *name, struct slice value, const char *where,
	struct fault *why) MUST_USE;

#endif
