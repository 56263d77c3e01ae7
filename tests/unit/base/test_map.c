/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/map.c"

#include <stdio.h>

static void the_hash_is_siphash_1_3(void **state) {
	(void)state;
	/* Of CPython 3.11 with PYTHONHASHSEED=0, and of the reference key 00..0f. */
	static const uint64_t zeros[2] = {0, 0};
	static const uint64_t counted[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
	assert_true(map_hash(zeros, SLICE("a")) == 0x407448d2b89b1813);
	assert_true(map_hash(zeros, SLICE("abcdefg")) == 0x6db12aae9070f506);
	assert_true(map_hash(zeros, SLICE("abcdefgh")) == 0x3f7b849c0b8e35ea);
	assert_true(map_hash(zeros, SLICE("abcdefghi")) == 0xf89b34a3d11eb6e5);
	assert_true(map_hash(zeros, SLICE("hustings in a house")) == 0x211d0fc47318ce49);
	assert_true(map_hash(counted, SLICE_NONE) == 0xabac0158050fc4dc);
}

static void a_digest_hangs_on_every_octet_the_length_and_the_key(void **state) {
	(void)state;
	char text[70] = {0};
	for (size_t length = 0; length <= sizeof(text); length++) {
		uint64_t digest = map_digest(7, slice_make(text, length));
		assert_true(digest == map_digest(7, slice_make(text, length)));
		assert_true(digest != map_digest(8, slice_make(text, length)));
		if (length < sizeof(text)) assert_true(digest != map_digest(7, slice_make(text, length + 1)));
		for (size_t bit = 0; bit < 8 * length; bit++) {
			text[bit / 8] ^= (char)(1 << bit % 8);
			assert_true(digest != map_digest(7, slice_make(text, length)));
			text[bit / 8] ^= (char)(1 << bit % 8);
		}
	}
}

static void two_maps_have_two_seeds(void **state) {
	(void)state;
	struct map a, b;
	map_init(&a);
	map_init(&b);
	assert_memory_not_equal(a.seed, b.seed, sizeof(a.seed));
	map_finish(&a);
	map_finish(&b);
}

static void a_key_may_move_and_is_found_all_the_same(void **state) {
	(void)state;
	struct map map;
	int one = 1, two = 2;
	char first[] = "a key", second[] = "a key";
	map_init(&map);
	map_rekey(&map, SLICE("a key")); /* of nobody */
	assert_true(map_add(&map, slice_of(first), &one, NULL));
	assert_true(map_add(&map, SLICE("other"), &two, NULL));
	map_rekey(&map, slice_of(second));
	memset(first, 'x', sizeof first);
	assert_ptr_equal(map_find(&map, SLICE("a key")), &one);
	assert_ptr_equal(map_find(&map, SLICE("other")), &two);
	assert_int_equal(map.count, 2);
	assert_ptr_equal(map_remove(&map, SLICE("a key")), &one);
	map_finish(&map);
}

static void what_is_added_is_found_until_removed(void **state) {
	(void)state;
	struct map map;
	int one = 1, two = 2;
	void *existing = &one;
	map_init(&map);
	assert_null(map_find(&map, SLICE("a")));
	assert_null(map_remove(&map, SLICE("a")));
	assert_true(map_add(&map, SLICE("a"), &one, &existing));
	assert_null(existing);
	assert_false(map_add(&map, SLICE("a"), &two, &existing));
	assert_ptr_equal(existing, &one);
	assert_false(map_add(&map, SLICE("a"), &two, NULL));
	assert_false(map_add(&map, SLICE("b"), NULL, NULL));
	assert_true(map_add(&map, SLICE_NONE, &two, NULL));
	assert_ptr_equal(map_find(&map, SLICE("")), &two);
	assert_ptr_equal(map_find(&map, SLICE("a")), &one);
	assert_int_equal(map.count, 2);
	assert_ptr_equal(map_remove(&map, SLICE("a")), &one);
	assert_null(map_find(&map, SLICE("a")));
	assert_null(map_remove(&map, SLICE("a")));
	assert_int_equal(map.count, 1);
	map_finish(&map);
	assert_null(map_find(&map, SLICE("")));
}

#define KEYS 600

/* Random additions and removals beside an array that is obviously right. */
static void a_map_agrees_with_an_array(void **state) {
	(void)state;
	static char keys[KEYS][16];
	static bool there[KEYS];
	struct map map;
	size_t count = 0;
	uint32_t random = 12345;
	map_init(&map);
	for (int i = 0; i < KEYS; i++) snprintf(keys[i], sizeof(keys[i]), "key-%d", i);

	for (int step = 0; step < 60000; step++) {
		random = random * 1664525 + 1013904223;
		/* Waves of growth and shrinkage. */
		bool adds = (random >> 8) % 100 < (step / 5000 % 2 ? 30u : 70u);
		size_t which = (random >> 16) % KEYS;
		struct slice key = slice_of(keys[which]);
		if (adds) {
			assert_int_equal(map_add(&map, key, keys[which], NULL), !there[which]);
			if (!there[which]) count++;
			there[which] = true;
		} else {
			assert_ptr_equal(map_remove(&map, key), there[which] ? keys[which] : NULL);
			if (there[which]) count--;
			there[which] = false;
		}
		assert_int_equal(map.count, count);
		assert_true(map.filled >= map.count && map.filled < map.capacity);
	}
	for (int i = 0; i < KEYS; i++)
		assert_ptr_equal(map_find(&map, slice_of(keys[i])), there[i] ? keys[i] : NULL);
	map_finish(&map);
}

/* A queue of names, each living for eight steps: the table must not grow with time. */
static void coming_and_going_does_not_grow_the_table(void **state) {
	(void)state;
	static char names[8][16];
	struct map map;
	map_init(&map);
	for (int i = 0; i < 20000; i++) {
		char *name = names[i % 8];
		if (i >= 8) assert_ptr_equal(map_remove(&map, slice_of(name)), name);
		snprintf(name, sizeof(names[0]), "n%d", i);
		assert_true(map_add(&map, slice_of(name), name, NULL));
	}
	assert_int_equal(map.count, 8);
	assert_true(map.capacity <= 32);
	map_finish(&map);
}

static void walking_meets_all_and_may_remove_the_one_at_hand(void **state) {
	(void)state;
	static char keys[100][8];
	struct map map;
	void *value;
	size_t met = 0;
	map_init(&map);
	for (int i = 0; i < 100; i++) {
		snprintf(keys[i], sizeof(keys[i]), "%d", i);
		assert_true(map_add(&map, slice_of(keys[i]), keys[i], NULL));
	}
	for (size_t at = 0; map_each(&map, &at, &value);) {
		met++;
		if (met % 2) assert_ptr_equal(map_remove(&map, slice_of(value)), value);
	}
	assert_int_equal(met, 100);
	assert_int_equal(map.count, 50);
	met = 0;
	for (size_t at = 0; map_each(&map, &at, &value);) met++;
	assert_int_equal(met, 50);
	map_finish(&map);
}

static void no_memory_refuses_the_new_and_keeps_the_old(void **state) {
	(void)state;
	static char keys[40][8];
	struct map map;
	void *existing = keys;
	int refused = 0;
	map_init(&map);
	malloc_fails_at(1);
	assert_false(map_add(&map, SLICE("a"), keys, &existing));
	assert_null(existing);
	malloc_fails_at(3);
	for (int i = 0; i < 40; i++) {
		snprintf(keys[i], sizeof(keys[i]), "%d", i);
		if (!map_add(&map, slice_of(keys[i]), keys[i], NULL)) refused++;
	}
	malloc_fails_at(0);
	assert_true(refused > 0 && refused < 40);
	for (int i = 0; i < 40 - refused; i++)
		assert_ptr_equal(map_find(&map, slice_of(keys[i])), keys[i]);
	assert_true(map_add(&map, slice_of(keys[39]), keys[39], NULL));
	map_finish(&map);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hash_is_siphash_1_3),
		cmocka_unit_test(a_digest_hangs_on_every_octet_the_length_and_the_key),
		cmocka_unit_test(two_maps_have_two_seeds),
		cmocka_unit_test(what_is_added_is_found_until_removed),
		cmocka_unit_test(a_key_may_move_and_is_found_all_the_same),
		cmocka_unit_test(a_map_agrees_with_an_array),
		cmocka_unit_test(coming_and_going_does_not_grow_the_table),
		cmocka_unit_test(walking_meets_all_and_may_remove_the_one_at_hand),
		cmocka_unit_test(no_memory_refuses_the_new_and_keeps_the_old),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
