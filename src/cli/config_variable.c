/* SPDX-License-Identifier: Apache-2.0 */
/* Config variable: one pass over a string. */
#include "cli/config_variable.h"

#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_WORD "file:"

const char *config_variable(char **environment, struct slice name) {
	for (char **at = environment; at && *at; at++) {
		if (strncmp(*at, name.bytes, name.length) == 0 && (*at)[name.length] == '=')
			return *at + name.length + 1;
	}
	return NULL;
}

static bool is_variable_name(struct slice name) {
	for (size_t i = 0; i < name.length; i++) {
		char c = name.bytes[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!is_letter && (i == 0 || c < '0' || c > '9')) return false;
	}
	return name.length > 0;
}

static bool read_octets(int descriptor, const char *path, char *octets, size_t *length, struct fault *why) {
	for (*length = 0; *length <= CONFIG_VARIABLE_FILE;) {
		ssize_t count = read(descriptor, octets + *length, CONFIG_VARIABLE_FILE + 1 - *length);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "%s", path);
		if (count == 0) return true;
		*length += (size_t)count;
	}
	return fault_set(why, FAULT_TOO_LARGE, "%s is larger than 64 KiB", path);
}

static bool add_file(const char *path, struct text *to, struct fault *why) {
	struct stat found;
	size_t length;
	if (path[0] != '/')
		return fault_set(why, FAULT_BAD_INPUT, "'${file:%.100s}': write the whole path, from / on", path);
	AUTO_CLOSE int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (descriptor < 0) return fault_errno(why, errno, "%s", path);
	if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode))
		return fault_set(why, FAULT_BAD_INPUT, "%s is no plain file", path);
	char *octets = malloc(CONFIG_VARIABLE_FILE + 1);
	if (!octets) return fault_set(why, FAULT_NO_MEMORY, "no memory for %s", path);
	bool is_fine = read_octets(descriptor, path, octets, &length, why);
	while (is_fine && length && (octets[length - 1] == '\n' || octets[length - 1] == '\r')) length--;
	if (is_fine && memchr(octets, '\0', length))
		is_fine = fault_set(why, FAULT_BAD_INPUT, "%s holds more than text", path);
	if (is_fine) text_add(to, slice_make(octets, length));
	secret_wipe(octets, CONFIG_VARIABLE_FILE + 1);
	free(octets);
	return is_fine;
}

static bool fill_file(struct slice inside, struct text *to, struct fault *why) {
	char path[4096];
	int length = snprintf(path, sizeof path, "%.*s", SLICE_ARGS(inside));
	if (length >= (int)sizeof path) return fault_set(why, FAULT_TOO_LARGE, "a ${file:...} is too long");
	return add_file(path, to, why);
}

/* The inside of ${...}. */
static bool fill_one(char **environment, struct slice inside, struct text *to, struct fault *why) {
	if (slice_starts_with(inside, FILE_WORD))
		return fill_file(slice_make(inside.bytes + strlen(FILE_WORD), inside.length - strlen(FILE_WORD)), to, why);
	const char *colon = memmem(inside.bytes, inside.length, ":-", 2);
	struct slice name = inside, otherwise = SLICE_NONE;
	if (colon) {
		name.length = (size_t)(colon - inside.bytes);
		otherwise = slice_make(colon + 2, inside.length - name.length - 2);
	}
	if (!is_variable_name(name))
		return fault_set(why, FAULT_BAD_INPUT,
			"'${%.*s}' names no variable: write ${NAME}, ${NAME:-DEFAULT} or ${file:PATH}", SLICE_ARGS(inside));
	const char *value = config_variable(environment, name);
	if (colon && (!value || !value[0])) text_add(to, otherwise);
	else if (value) text_add_cstr(to, value);
	else
		return fault_set(why, FAULT_BAD_INPUT, "the variable %.*s is not set: set it, or write ${%.*s:-DEFAULT}",
			SLICE_ARGS(name), SLICE_ARGS(name));
	return true;
}

bool config_variable_fill(char **environment, const char *string, struct text *to,
	struct fault *why) {
	for (const char *at = string; *at;) {
		if (strncmp(at, "$${", 3) == 0) {
			text_add_cstr(to, "${");
			at += 3;
		} else if (strncmp(at, "${", 2) != 0) {
			text_add_char(to, *at++);
		} else {
			const char *end = strchr(at, '}');
			if (!end) return fault_set(why, FAULT_BAD_INPUT, "a ${ has no }");
			if (!fill_one(environment, slice_make(at + 2, (size_t)(end - at) - 2), to, why)) return false;
			at = end + 1;
		}
	}
	return true;
}
