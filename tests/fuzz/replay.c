/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a fuzz target over its corpus: the empty input first, then every file of the folder.
 *
 * Each input is handed over in a block of exactly its size, so that a sanitizer sees a read past
 * its end. A folder that is missing or empty fails: a target without a corpus tests nothing.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_visible(const struct dirent *entry) {
	return entry->d_name[0] != '.';
}

static int replay_file(const char *folder, const char *name) {
	char path[4096];
	struct stat about;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	if (!file || fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode)) {
		fprintf(stderr, "%s: cannot be read as a file\n", path);
		if (file) fclose(file);
		return -1;
	}

	size_t size = (size_t)about.st_size;
	uint8_t *bytes = malloc(size ? size : 1);
	int failed = !bytes || fread(bytes, 1, size, file) != size;
	fclose(file);
	if (failed) {
		fprintf(stderr, "%s: short read\n", path);
	} else {
		fprintf(stderr, "%s (%zu bytes)\n", path, size);
		LLVMFuzzerTestOneInput(bytes, size);
	}
	free(bytes);
	return failed ? -1 : 0;
}

int main(int argc, char **argv) {
	if (argc != 2) {
		fprintf(stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
		return 2;
	}

	struct dirent **entries = NULL;
	int count = scandir(argv[1], &entries, is_visible, alphasort);
	if (count <= 0) {
		fprintf(stderr, "%s: no corpus\n", argv[1]);
		free(entries);
		return 1;
	}

	uint8_t *nothing = malloc(1);
	if (!nothing) return 1;
	LLVMFuzzerTestOneInput(nothing, 0);
	free(nothing);

	int failed = 0;
	for (int i = 0; i < count; i++) {
		if (replay_file(argv[1], entries[i]->d_name) != 0) failed = 1;
		free(entries[i]);
	}
	free(entries);
	printf("%d inputs replayed\n", count + 1);
	return failed;
}
