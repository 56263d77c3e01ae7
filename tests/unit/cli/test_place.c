/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "auth/token_record.h"
#include "cli/place.h"
#include "cli/serve_trust.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct folder {
	char path[64];
};

static void folder_make(struct folder *folder) {
	snprintf(folder->path, sizeof folder->path, "/tmp/hustings-place-XXXXXX");
	assert_non_null(mkdtemp(folder->path));
}

/* Folders in it have to be gone. */
static void folder_remove(const struct folder *folder) {
	DIR *entries = opendir(folder->path);
	assert_non_null(entries);
	for (const struct dirent *entry; (entry = readdir(entries));)
		if (entry->d_name[0] != '.') assert_int_equal(unlinkat(dirfd(entries), entry->d_name, 0), 0);
	closedir(entries);
	assert_int_equal(rmdir(folder->path), 0);
}

static void read_back(const struct folder *folder, const char *name, char octets[4096]) {
	char path[PLACE_PATH + 256];
	assert_true(place_file(folder->path, name, path, NULL));
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	octets[fread(octets, 1, 4095, file)] = '\0';
	fclose(file);
}

static unsigned mode_of(const struct folder *folder, const char *name) {
	char path[PLACE_PATH + 256];
	struct stat found;
	assert_true(place_file(folder->path, name, path, NULL));
	assert_int_equal(stat(path, &found), 0);
	return found.st_mode & 0777;
}

static void the_folder_is_named_or_in_the_home(void **state) {
	(void)state;
	char path[PLACE_PATH], here[PLACE_PATH], wanted[PLACE_PATH + 8];
	struct fault why = {0};
	assert_int_equal(setenv("HOME", "/home/somebody", 1), 0);
	assert_int_equal(unsetenv("HUSTINGS_DATA"), 0);
	assert_true(place_find(NULL, path, &why));
	assert_string_equal(path, "/home/somebody/.local/share/hustings");
	assert_int_equal(setenv("HUSTINGS_DATA", "/var/lib/h", 1), 0);
	assert_true(place_find(NULL, path, &why));
	assert_string_equal(path, "/var/lib/h");
	assert_true(place_find("/named", path, &why));
	assert_string_equal(path, "/named");
	assert_non_null(getcwd(here, sizeof here));
	assert_true(place_find("d", path, &why));
	snprintf(wanted, sizeof wanted, "%s/d", here);
	assert_string_equal(path, wanted);

	char *longest = malloc(PLACE_PATH + 1);
	memset(longest, 'a', PLACE_PATH);
	longest[0] = '/';
	longest[PLACE_PATH] = '\0';
	assert_false(place_find(longest, path, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	free(longest);
	assert_int_equal(unsetenv("HUSTINGS_DATA"), 0);
	assert_int_equal(unsetenv("HOME"), 0);
	assert_false(place_find(NULL, path, &why));
	assert_non_null(strstr(why.text, "--data"));
}

static void a_file_is_written_whole_and_for_its_owner(void **state) {
	(void)state;
	struct folder folder;
	char path[PLACE_PATH + 256], octets[4096];
	struct fault why = {0};
	folder_make(&folder);
	assert_true(place_file(folder.path, "a", path, &why));
	assert_true(place_write(path, SLICE("first, and long"), true, &why));
	assert_true(place_write(path, SLICE("second"), false, &why));
	read_back(&folder, "a", octets);
	assert_string_equal(octets, "second");
	assert_int_equal(mode_of(&folder, "a"), 0600);
	assert_false(place_write("/nonexistent/a", SLICE("x"), true, &why));
	assert_non_null(strstr(why.text, "/nonexistent/a"));
	folder_remove(&folder);
}

static void the_first_start_makes_an_administrators_token(void **state) {
	(void)state;
	struct folder folder;
	char token[64] = "", again[64] = "", octets[4096];
	uint8_t hash[SECRET_HASH_SIZE];
	bool is_new = false;
	size_t count;
	struct fault why = {0};
	folder_make(&folder);
	struct state *rows = state_open(folder.path, &why);
	assert_non_null(rows);
	assert_true(place_admin_token(folder.path, rows, &is_new, token, &why));
	assert_true(is_new);
	assert_true(token_is_one(slice_of(token)));
	assert_int_equal(mode_of(&folder, "admin.token"), 0600);
	read_back(&folder, "admin.token", octets);
	assert_int_equal(strlen(octets), strlen(token) + 1);
	assert_memory_equal(octets, token, strlen(token));
	assert_true(secret_hash(slice_of(token), hash));
	struct token_row *row = token_find(rows, hash, &why);
	assert_non_null(row);
	assert_true(row->is_admin);

	assert_true(place_admin_token(folder.path, rows, &is_new, again, &why));
	assert_false(is_new);
	assert_string_equal(again, "");
	/* Put away by its owner: it goes on living, so no second one is made. */
	char path[PLACE_PATH + 256];
	assert_true(place_file(folder.path, "admin.token", path, &why));
	assert_int_equal(unlink(path), 0);
	assert_true(place_admin_token(folder.path, rows, &is_new, again, &why));
	assert_false(is_new);
	/* Revoked and put away: now there is nobody to administrate. */
	assert_true(token_revoke(rows, row->token_id, SLICE_NONE, &count, &why));
	assert_true(place_admin_token(folder.path, rows, &is_new, again, &why));
	assert_true(is_new);
	assert_string_not_equal(again, token);
	token_row_free(row);
	state_close(rows);
	folder_remove(&folder);
}

/* gateway.json */

static void a_running_gateway_is_found_by_its_folder(void **state) {
	(void)state;
	struct folder folder;
	struct place_gateway gateway;
	struct fault why = {0};
	folder_make(&folder);
	assert_false(place_gateway(folder.path, &gateway, &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(why.text, "hustings serve"));
	assert_true(place_announce(folder.path, "https://[::1]:7410", &why));
	assert_int_equal(mode_of(&folder, "gateway.json"), 0600);
	assert_true(place_gateway(folder.path, &gateway, &why));
	assert_string_equal(gateway.url, "https://[::1]:7410");
	assert_int_equal(gateway.pid, getpid());
	place_withdraw(folder.path);
	assert_false(place_gateway(folder.path, &gateway, &why));
	folder_remove(&folder);
}

static void write_gateway(const struct folder *folder, const char *text, mode_t mode) {
	char path[PLACE_PATH + 256];
	assert_true(place_file(folder->path, "gateway.json", path, NULL));
	assert_true(place_write(path, slice_of(text), false, NULL));
	assert_int_equal(chmod(path, mode), 0);
}

static void a_gateway_that_died_or_a_file_that_lies_is_none(void **state) {
	(void)state;
	struct folder folder;
	struct place_gateway gateway;
	struct fault why = {0};
	char text[128];
	folder_make(&folder);
	pid_t child = fork();
	if (child == 0) _exit(0);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	snprintf(text, sizeof text, "{\"url\":\"http://127.0.0.1:1\",\"pid\":%d}", (int)child);
	write_gateway(&folder, text, 0600);
	assert_false(place_gateway(folder.path, &gateway, &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);

	snprintf(text, sizeof text, "{\"url\":\"http://127.0.0.1:1\",\"pid\":%d}", (int)getpid());
	write_gateway(&folder, text, 0644);
	assert_false(place_gateway(folder.path, &gateway, &why));
	assert_int_equal(why.code, FAULT_REFUSED);

	static const char *const broken[] = {"", "{", "[]", "{\"url\":\"http://a\"}",
		"{\"url\":1,\"pid\":1}", "{\"url\":\"http://a\",\"pid\":0}", "{\"url\":\"http://a\",\"pid\":1.5}"};
	for (size_t i = 0; i < COUNT_OF(broken); i++) {
		write_gateway(&folder, broken[i], 0600);
		assert_false(place_gateway(folder.path, &gateway, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
	folder_remove(&folder);
}

/* ./mgp.toml */

static bool trust(const struct folder *folder, const char *file, const char *answer, char asked[4096]) {
	struct fault why = {0};
	FILE *answers = tmpfile(), *asks = tmpfile();
	assert_non_null(answers);
	assert_non_null(asks);
	fputs(answer, answers);
	rewind(answers);
	bool is_trusted = serve_trust(file, folder->path, answers, asks, &why);
	rewind(asks);
	asked[fread(asked, 1, 4095, asks)] = '\0';
	fclose(answers);
	fclose(asks);
	if (!is_trusted) assert_int_equal(why.code, FAULT_REFUSED);
	return is_trusted;
}

static void a_found_file_is_asked_about_once_until_it_changes(void **state) {
	(void)state;
	struct folder folder;
	char path[PLACE_PATH + 256], asked[4096];
	folder_make(&folder);
	assert_true(place_file(folder.path, "mgp.toml", path, NULL));
	assert_true(place_write(path, SLICE("[[servers]]\n"), false, NULL));
	assert_false(trust(&folder, path, "", asked));
	assert_non_null(strstr(asked, "mgp.toml"));
	assert_non_null(strstr(asked, "[y/N]"));
	assert_false(trust(&folder, path, "n\n", asked));
	assert_true(trust(&folder, path, "y\n", asked));
	assert_non_null(strstr(asked, "[y/N]"));
	assert_true(trust(&folder, path, "n\n", asked));
	assert_null(strstr(asked, "[y/N]"));
	assert_non_null(strstr(asked, "mgp.toml"));
	assert_true(place_write(path, SLICE("[[servers]]\nid = \"other\"\n"), false, NULL));
	assert_false(trust(&folder, path, "n\n", asked));
	assert_true(trust(&folder, path, "yes\n", asked));
	assert_int_equal(mode_of(&folder, "trusted"), 0600);
	folder_remove(&folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_folder_is_named_or_in_the_home),
		cmocka_unit_test(a_file_is_written_whole_and_for_its_owner),
		cmocka_unit_test(the_first_start_makes_an_administrators_token),
		cmocka_unit_test(a_running_gateway_is_found_by_its_folder),
		cmocka_unit_test(a_gateway_that_died_or_a_file_that_lies_is_none),
		cmocka_unit_test(a_found_file_is_asked_about_once_until_it_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
