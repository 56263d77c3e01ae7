/* SPDX-License-Identifier: Apache-2.0 */
/* Serve trust: one question, remembered by the file's hash. */
#include "cli/serve_trust.h"

#include "base/secret.h"
#include "cli/config_file.h"
#include "cli/place.h"
#include "store/data_folder.h"

#include <stdlib.h>
#include <unistd.h>

#define REMEMBERED (256 * 1024) /* octets of DATA/trusted */
#define HEX (2 * SECRET_HASH_SIZE)

/* One line a file: its hash, a blank, where it was. */
static bool is_remembered(struct slice lines, const char *hash) {
	struct slice line;
	while (slice_split(&lines, '\n', &line))
		if (line.length > HEX && memcmp(line.bytes, hash, HEX) == 0 && line.bytes[HEX] == ' ') return true;
	return false;
}

static bool hash_file(const char *file, char hash[HEX + 1], struct fault *why) {
	AUTO_TEXT struct text text = {0};
	uint8_t octets[SECRET_HASH_SIZE];
	text_init(&text, CONFIG_FILE_OCTETS);
	if (!config_file_load(file, &text, why)) return false;
	if (!secret_hash(text_slice(&text), octets)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	secret_hex(octets, sizeof octets, hash);
	return true;
}

static bool ask(const char *path, FILE *answers, FILE *asks, struct fault *why) {
	char answer[16] = "";
	fprintf(asks, "%s was found in this folder and names MCP servers to start. Use it? [y/N] ", path);
	fflush(asks);
	if (fgets(answer, sizeof answer, answers) && (answer[0] == 'y' || answer[0] == 'Y')) return true;
	return fault_set(why, FAULT_REFUSED,
		"%s is not trusted: start elsewhere, or name a file with --config", path);
}

bool serve_trust(const char *file, const char *data, FILE *answers, FILE *asks, struct fault *why) {
	char hash[HEX + 1], list[PLACE_PATH + 256];
	AUTO_TEXT struct text lines = {0};
	AUTO_FREE char *path = realpath(file, NULL);
	const char *shown = path ? path : file;
	text_init(&lines, REMEMBERED);
	if (!answers || !asks) {
		fprintf(stderr, "hustings: using %s, found in the working folder\n", shown);
		return true;
	}
	if (!hash_file(file, hash, why) || !place_file(data, "trusted", list, why)) return false;
	if (access(list, F_OK) == 0 && !config_file_load(list, &lines, why)) return false;
	if (is_remembered(text_slice(&lines), hash)) {
		fprintf(asks, "using %s, found in the working folder\n", shown);
		return true;
	}
	if (!ask(shown, answers, asks, why)) return false;
	text_printf(&lines, "%s %s\n", hash, shown);
	if (text_failed(&lines))
		return fault_set(why, FAULT_TOO_LARGE, "%s is full: remove it, and be asked anew", list);
	return data_folder_make(data, why) && place_write(list, text_slice(&lines), true, why);
}
