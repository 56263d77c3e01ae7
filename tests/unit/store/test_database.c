/* SPDX-License-Identifier: Apache-2.0 */
#include "store_rig.h"

#include "store/data_folder.h"
#include "store/migrations.h"

#include <sys/stat.h>

static const struct migration steps[] = {
	{"CREATE TABLE notes (text TEXT UNIQUE)"},
	{"ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'"},
};

static sqlite3 *open_with(const char *path, const struct migration *migrations, size_t count,
	struct fault *why) {
	struct database_options options = {
		.path = path, .migrations = migrations, .migration_count = count};
	return database_open(&options, why);
}

static int number(sqlite3 *database, const char *sql) {
	sqlite3_stmt *row;
	assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	int found = sqlite3_column_int(row, 0);
	sqlite3_finalize(row);
	return found;
}

static void an_empty_file_gets_every_step(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	struct stat found;
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	sqlite3 *database = open_with(path, steps, 2, &why);
	assert_non_null(database);
	assert_int_equal(number(database, "PRAGMA user_version"), 2);
	assert_true(database_run(database, "INSERT INTO notes (text, colour) VALUES ('a', 'red')", &why));
	database_close(database);
	assert_int_equal(stat(path, &found), 0);
	assert_int_equal(found.st_mode & 0777, 0600);
	folder_remove(&folder);
}

static void a_file_of_version_1_keeps_its_rows_and_gets_the_second_step(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	sqlite3 *database = open_with(path, steps, 1, &why);
	assert_non_null(database);
	assert_true(database_run(database, "INSERT INTO notes VALUES ('kept')", &why));
	database_close(database);
	for (int again = 0; again < 2; again++) {
		database = open_with(path, steps, 2, &why);
		assert_non_null(database);
		assert_int_equal(number(database, "PRAGMA user_version"), 2);
		assert_int_equal(number(database,
					 "SELECT count(*) FROM notes WHERE text = 'kept' AND colour = 'grey'"),
			1);
		database_close(database);
	}
	folder_remove(&folder);
}

static void a_step_that_fails_leaves_the_file_as_it_was(void **state) {
	(void)state;
	static const struct migration broken[] = {
		{"CREATE TABLE notes (text TEXT UNIQUE)"},
		{"CREATE TABLE more (x); CREATE TABLE notes (y)"},
	};
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	database_close(open_with(path, broken, 1, &why));
	assert_null(open_with(path, broken, 2, &why));
	assert_non_null(strstr(why.text, "some.db"));
	sqlite3 *database = open_with(path, broken, 1, &why);
	assert_non_null(database);
	assert_int_equal(number(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'"), 0);
	database_close(database);
	folder_remove(&folder);
}

static void a_newer_file_is_refused_in_words(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	database_close(open_with(path, steps, 2, &why));
	assert_null(open_with(path, steps, 1, &why));
	assert_int_equal(why.code, FAULT_UNSUPPORTED);
	assert_non_null(strstr(why.text, "version 2"));
	folder_remove(&folder);
}

static void a_file_that_is_no_database_is_refused(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	for (int i = 0; i < 1000; i++) fputs("this is a diary\n", file);
	fclose(file);
	assert_null(open_with(path, steps, 2, &why));
	assert_int_equal(why.code, FAULT_IO);
	folder_remove(&folder);
}

static void a_row_that_is_there_already_is_a_fault_of_its_own(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	sqlite3 *database = open_with(path, steps, 2, &why);
	assert_true(database_run(database, "INSERT INTO notes (text) VALUES ('a')", &why));
	assert_false(database_run(database, "INSERT INTO notes (text) VALUES ('a')", &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_false(database_run(database, "nonsense", &why));
	assert_int_equal(why.code, FAULT_IO);
	database_close(database);
	folder_remove(&folder);
}

static void what_is_rolled_back_was_never_there(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "some.db", &why);
	sqlite3 *database = open_with(path, steps, 2, &why);
	assert_true(database_begin(database, &why));
	assert_true(database_run(database, "INSERT INTO notes (text) VALUES ('a')", &why));
	database_rollback(database);
	database_rollback(database);
	assert_int_equal(number(database, "SELECT count(*) FROM notes"), 0);
	assert_true(database_begin(database, &why));
	assert_true(database_run(database, "INSERT INTO notes (text) VALUES ('a')", &why));
	assert_true(database_commit(database, &why));
	assert_int_equal(number(database, "SELECT count(*) FROM notes"), 1);
	database_close(database);
	folder_remove(&folder);
}

static void the_schemas_of_the_house_open_twice(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "state.db", &why);
	AUTO_FREE char *other = data_folder_path(folder.path, "history.db", &why);
	for (int again = 0; again < 2; again++) {
		sqlite3 *database = open_with(path, state_migrations, STATE_VERSION, &why);
		assert_non_null(database);
		assert_int_equal(number(database, "PRAGMA user_version"), STATE_VERSION);
		database_close(database);
		database = open_with(other, history_migrations, HISTORY_VERSION, &why);
		assert_non_null(database);
		assert_int_equal(number(database, "PRAGMA user_version"), HISTORY_VERSION);
		database_close(database);
	}
	folder_remove(&folder);
}

/* Tokens of before there were sessions are none. */
static void a_state_of_version_5_keeps_its_tokens(void **state) {
	(void)state;
	struct folder folder;
	struct fault why = {0};
	folder_make(&folder);
	AUTO_FREE char *path = data_folder_path(folder.path, "state.db", &why);
	sqlite3 *database = open_with(path, state_migrations, 5, &why);
	assert_non_null(database);
	assert_true(database_run(database,
		"INSERT INTO tokens VALUES ('t_1', x'00', 'alice', '', '', '', '', '', '', 1, 0, 1, 0, 0)", &why));
	database_close(database);
	database = open_with(path, state_migrations, STATE_VERSION, &why);
	assert_non_null(database);
	assert_int_equal(number(database, "SELECT count(*) FROM tokens WHERE token_id = 't_1' AND id = 'alice'"
					  " AND is_admin AND NOT is_session AND parent = ''"),
		1);
	database_close(database);
	folder_remove(&folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_gets_every_step),
		cmocka_unit_test(a_file_of_version_1_keeps_its_rows_and_gets_the_second_step),
		cmocka_unit_test(a_step_that_fails_leaves_the_file_as_it_was),
		cmocka_unit_test(a_newer_file_is_refused_in_words),
		cmocka_unit_test(a_file_that_is_no_database_is_refused),
		cmocka_unit_test(a_row_that_is_there_already_is_a_fault_of_its_own),
		cmocka_unit_test(what_is_rolled_back_was_never_there),
		cmocka_unit_test(the_schemas_of_the_house_open_twice),
		cmocka_unit_test(a_state_of_version_5_keeps_its_tokens),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
