/* SPDX-License-Identifier: Apache-2.0 */
/* Clean environment: built from scratch, never filtered from ours. */
#include "net/clean_environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const passed_on[] = {
	"PATH",
	"HOME",
	"LANG",
	"LC_ALL",
	"TZ",
	"TMPDIR",
	"USER",
	"LOGNAME",
	"SHELL",
	"TERM",
};

static size_t name_length(const char *entry) {
	return strcspn(entry, "=");
}

static bool is_same_name(const char *a, const char *b) {
	size_t length = name_length(a);
	return length == name_length(b) && memcmp(a, b, length) == 0;
}

static const char *of_ours(const char *name) {
	for (char **entry = environ; entry && *entry; entry++)
		if (is_same_name(*entry, name) && (*entry)[strlen(name)] == '=') return *entry;
	return NULL;
}

/* The last of a name counts. */
static void put(const char **made, size_t *count, const char *entry) {
	for (size_t i = 0; i < *count; i++) {
		if (!is_same_name(made[i], entry)) continue;
		made[i] = entry;
		return;
	}
	made[(*count)++] = entry;
}

const char **clean_environment_make(const char *const *additions) {
	size_t most = COUNT_OF(passed_on) + 1;
	for (const char *const *entry = additions; entry && *entry; entry++) most++;
	const char **made = calloc(most, sizeof *made);
	if (!made) return NULL;

	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(passed_on); i++) {
		const char *entry = of_ours(passed_on[i]);
		if (entry) put(made, &count, entry);
	}
	for (const char *const *entry = additions; entry && *entry; entry++) put(made, &count, *entry);
	return made;
}
