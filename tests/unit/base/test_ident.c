/* SPDX-License-Identifier: Apache-2.0 */
#include "base/ident.h"
#include "base/map.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void a_uuid_is_of_version_4(void **state) {
	(void)state;
	for (int i = 0; i < 200; i++) {
		char text[IDENT_UUID_SIZE];
		ident_uuid(text);
		assert_int_equal(strlen(text), 36);
		assert_int_equal(text[14], '4');
		assert_non_null(strchr("89ab", text[19]));
		for (int at = 0; at < 36; at++) {
			if (at == 8 || at == 13 || at == 18 || at == 23) assert_int_equal(text[at], '-');
			else assert_non_null(strchr("0123456789abcdef", text[at]));
		}
	}
}

static void no_two_uuids_are_equal(void **state) {
	(void)state;
	static char texts[5000][IDENT_UUID_SIZE];
	struct map seen;
	map_init(&seen);
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		ident_uuid(texts[i]);
		assert_true(map_add(&seen, slice_of(texts[i]), texts[i], NULL));
	}
	map_finish(&seen);
}

/* 4,096 octets by every length: each of the 256 values comes, and no piece repeats the last. */
static void random_octets_are_all_over(void **state) {
	(void)state;
	bool seen[256] = {false};
	uint8_t last[64] = {0}, octets[1024];
	for (size_t length = 0; length <= 64; length++) {
		for (int i = 0; i < 64; i++) {
			ident_random(octets, length);
			for (size_t at = 0; at < length; at++) seen[octets[at]] = true;
			if (length >= 16) assert_memory_not_equal(octets, last, length);
			memcpy(last, octets, length);
		}
	}
	for (int value = 0; value < 256; value++) assert_true(seen[value]);
	ident_random(octets, sizeof(octets));
	assert_memory_not_equal(octets, octets + 512, 512);
}

static void *uuid_elsewhere(void *text) {
	ident_uuid(text);
	return NULL;
}

static void threads_draw_apart(void **state) {
	(void)state;
	char here[IDENT_UUID_SIZE], there[IDENT_UUID_SIZE];
	pthread_t thread;
	ident_uuid(here);
	assert_int_equal(pthread_create(&thread, NULL, uuid_elsewhere, there), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_string_not_equal(here, there);
}

static void a_forked_child_draws_something_else(void **state) {
	(void)state;
	int ends[2];
	char here[IDENT_UUID_SIZE], there[IDENT_UUID_SIZE] = "";
	ident_uuid(here); /* the buffer is full now */
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		ident_uuid(there);
		_exit(write(ends[1], there, sizeof(there)) == sizeof(there) ? 0 : 1);
	}
	int status = -1;
	ident_uuid(here);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(read(ends[0], there, sizeof(there)), sizeof(there));
	assert_string_not_equal(here, there);
	close(ends[0]);
	close(ends[1]);
}

static void identities_are_visible_names(void **state) {
	(void)state;
	static const char *const good[] = {"a", "alice", "alice@example.org", "robot-7.arm_2", "x:y",
		"J\xc3\xbcrgen", "\xe6\x9d\x8e", "systems", "system",
		"System:gateway", "a<b>", "\xf0\x9f\xa4\x96"};
	static const char *const bad[] = {"", " ", "a b", "a\tb", "a\nb", "\"a\"", "a'b", "a\\b", "a/b",
		"\x7f", "a\xff", "a\xc3", "system:", "system:gateway", "server:", "server:files",
		"a\xc2\xa0"
		"b",
		"a\xe2\x80\xae"
		"b",
		"a\xe2\x80\x8b"
		"b",
		"a\xc2\x85", "\xef\xbb\xbf"
			     "a",
		"a\xe3\x80\x80"};
	char longest[129];
	memset(longest, 'a', sizeof(longest));
	for (size_t i = 0; i < COUNT_OF(good); i++) assert_true(ident_is_identity(slice_of(good[i])));
	for (size_t i = 0; i < COUNT_OF(bad); i++) assert_false(ident_is_identity(slice_of(bad[i])));
	assert_false(ident_is_identity(SLICE_NONE));
	assert_false(ident_is_identity(slice_make("a\0b", 3)));
	assert_true(ident_is_identity(slice_make(longest, 128)));
	assert_false(ident_is_identity(slice_make(longest, 129)));
}

static void topics_are_plain_paths(void **state) {
	(void)state;
	static const char *const good[] = {"a", "Team-7", "org/team:room@x.y_z", "a.b", ".", "/", "a//b"};
	static const char *const bad[] = {"", "a b", "a..b", "..", "../x", "a\\b", "caf\xc3\xa9", "a\n",
		"a%2Fb", "a?b", "a#b", "a*", "a+b"};
	char longest[129];
	memset(longest, 'a', sizeof(longest));
	for (size_t i = 0; i < COUNT_OF(good); i++) assert_true(ident_is_topic(slice_of(good[i])));
	for (size_t i = 0; i < COUNT_OF(bad); i++) assert_false(ident_is_topic(slice_of(bad[i])));
	assert_false(ident_is_topic(SLICE_NONE));
	assert_false(ident_is_topic(slice_make("a\0", 2)));
	assert_true(ident_is_topic(slice_make(longest, 128)));
	assert_false(ident_is_topic(slice_make(longest, 129)));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_uuid_is_of_version_4),
		cmocka_unit_test(no_two_uuids_are_equal),
		cmocka_unit_test(random_octets_are_all_over),
		cmocka_unit_test(threads_draw_apart),
		cmocka_unit_test(a_forked_child_draws_something_else),
		cmocka_unit_test(identities_are_visible_names),
		cmocka_unit_test(topics_are_plain_paths),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
