/* SPDX-License-Identifier: Apache-2.0 */
/* Which tools stand in a client's context: pinned, cached in the order of their use, found; bounds; who is told. */
#include "check.h"
#include "failing_malloc.h"

#include "kernel/tool_sessions.c"

#include <stdio.h>

#define ANN ((struct call_asker){.principal = SLICE("ann"), .session = SLICE("one")})

static struct tool_sessions *sessions;
static struct tool_listener listener;
static unsigned told;
static char told_of[64];

static void changed(struct tool_listener *of, struct slice principal, struct slice session) {
	assert_ptr_equal(of, &listener);
	told++;
	snprintf(told_of, sizeof told_of, "%.*s/%.*s", SLICE_ARGS(principal), SLICE_ARGS(session));
}

static int set_up(void **state) {
	struct fault why;
	(void)state;
	malloc_fails_at(0);
	sessions = tool_sessions_open(NULL, &why);
	listener = (struct tool_listener){.changed = changed};
	tool_sessions_listen(sessions, &listener);
	told = 0;
	return !sessions;
}

static int tear_down(void **state) {
	(void)state;
	malloc_fails_at(0);
	tool_sessions_unlisten(&listener);
	tool_sessions_close(sessions);
	return 0;
}

static void configure(uint64_t max, uint64_t cache, const char *const *pinned) {
	const struct tool_budget budget = {.max_tokens = max, .pinned_reserve = 100, .discovery_reserve = 300, .cache_limit = cache};
	struct fault why = {0};
	assert_true(tool_sessions_change(sessions, &budget, pinned, &why));
}

/* A tool of so many tokens. */
static uint64_t load(struct call_asker asker, const char *tool, uint64_t tokens) {
	return tool_sessions_load(sessions, &asker, SLICE("files"), slice_of(tool), (size_t)tokens * 4);
}

static enum tool_standing standing(struct call_asker asker, const char *tool) {
	return tool_sessions_standing(sessions, &asker, SLICE("files"), slice_of(tool));
}

static void add_word(void *context, struct slice server, struct slice tool, uint64_t tokens) {
	check_slice(server, "files");
	assert_true(tokens > 0);
	text_printf(context, "%.*s ", SLICE_ARGS(tool));
}

static void check_cached(struct call_asker asker, const char *wanted) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	text_add_cstr(&words, "");
	tool_sessions_each(sessions, &asker, add_word, &words);
	assert_string_equal(words.length ? words.bytes : "", wanted);
}

static void tokens_are_a_quarter_of_the_octets_rounded_up(void **state) {
	(void)state;
	assert_int_equal(tool_tokens(0), 0);
	assert_int_equal(tool_tokens(1), 1);
	assert_int_equal(tool_tokens(4), 1);
	assert_int_equal(tool_tokens(5), 2);
}

static void what_is_used_is_cached_and_the_least_recently_used_leaves(void **state) {
	(void)state;
	configure(8000, 300, NULL);
	assert_int_equal(load(ANN, "a", 100), 100);
	assert_int_equal(load(ANN, "b", 100), 100);
	assert_int_equal(load(ANN, "c", 100), 100);
	assert_int_equal(load(ANN, "a", 100), 0); /* it stood there */
	check_cached(ANN, "a c b ");
	assert_int_equal(load(ANN, "d", 100), 100);
	check_cached(ANN, "d a c ");
	assert_int_equal(standing(ANN, "b"), TOOL_UNKNOWN);
	assert_int_equal(standing(ANN, "d"), TOOL_CACHED);
	assert_int_equal(tool_sessions_cached_tokens(sessions, &ANN), 300);
	assert_int_equal(load(ANN, "large", 301), 0); /* too large for all there is: the others stay */
	check_cached(ANN, "d a c ");
	assert_int_equal(load(ANN, "a", 250), 0); /* it has grown */
	check_cached(ANN, "a ");
	assert_int_equal(load(ANN, "a", 400), 0);
	check_cached(ANN, "");
}

static void more_tools_than_may_be_are_not_kept_whatever_they_cost(void **state) {
	(void)state;
	char name[16];
	for (int i = 0; i < TOOL_SESSION_TOOLS + 3; i++) {
		snprintf(name, sizeof name, "t%d", i);
		load(ANN, name, 1);
	}
	assert_int_equal(tool_sessions_cached_tokens(sessions, &ANN), TOOL_SESSION_TOOLS);
	assert_int_equal(standing(ANN, "t2"), TOOL_UNKNOWN);
	assert_int_equal(standing(ANN, "t3"), TOOL_CACHED);
}

static void pinned_tools_never_leave_and_are_not_cached(void **state) {
	(void)state;
	static const char *const pinned[] = {"files.read", "a.b.c", "files.read", NULL};
	configure(400, 300, pinned);
	assert_int_equal(standing(ANN, "read"), TOOL_PINNED);
	assert_int_equal(tool_sessions_standing(sessions, &ANN, SLICE("a.b"), SLICE("c")), TOOL_PINNED);
	assert_int_equal(tool_sessions_standing(sessions, &ANN, SLICE("a"), SLICE("b.c")), TOOL_PINNED);
	check_slice(tool_sessions_pinned_at(sessions, 1), "a.b.c");
	assert_int_equal(tool_sessions_pinned_at(sessions, 2).length, 0);
	assert_int_equal(load(ANN, "read", 50), 0);
	check_cached(ANN, "");
	assert_false(tool_sessions_evict(sessions, &ANN, SLICE("files"), SLICE("read")));
	/* What they cost is not there for others. */
	assert_int_equal(tool_sessions_room(sessions, 0), 300);
	tool_sessions_weigh(sessions, SLICE("files"), SLICE("read"), 250 * 4);
	tool_sessions_weigh(sessions, SLICE("files"), SLICE("write"), 250 * 4);
	assert_int_equal(tool_sessions_room(sessions, 250), 150);
	assert_int_equal(load(ANN, "b", 151), 0);
	assert_int_equal(load(ANN, "c", 100), 100);
	assert_int_equal(tool_sessions_cached_tokens(sessions, &ANN), 100);
	assert_int_equal(tool_sessions_room(sessions, 350), 50);
	assert_int_equal(tool_sessions_room(sessions, 401), 0);
	tool_sessions_weigh(sessions, SLICE("files"), SLICE("read"), 0);
	assert_int_equal(load(ANN, "b", 151), 151);
}

static void another_configuration_keeps_what_fits_and_tells_clients(void **state) {
	(void)state;
	static const char *const pinned[] = {"files.c", NULL};
	configure(8000, 300, NULL);
	load(ANN, "a", 100);
	load(ANN, "b", 100);
	tool_sessions_weigh(sessions, SLICE("files"), SLICE("c"), 400);
	told = 0;
	configure(8000, 300, NULL);
	assert_int_equal(told, 0);
	configure(8000, 150, NULL);
	assert_int_equal(told, 1);
	check_cached(ANN, "b ");
	configure(8000, 150, pinned);
	assert_int_equal(told, 2);
	assert_int_equal(standing(ANN, "c"), TOOL_PINNED);
	assert_int_equal(tool_sessions_budget(sessions)->cache_limit, 150);
}

static void found_ones_are_those_of_the_last_answer(void **state) {
	(void)state;
	const struct tool_found first[] = {{SLICE("files"), SLICE("a"), 40}, {SLICE("files"), SLICE("b"), 40}};
	const struct tool_found second[] = {{SLICE("files"), SLICE("c"), 40}};
	tool_sessions_find(sessions, &ANN, NULL, 0);
	assert_int_equal(told, 0);
	tool_sessions_find(sessions, &ANN, first, 2);
	assert_int_equal(told, 1);
	assert_string_equal(told_of, "ann/one");
	assert_int_equal(standing(ANN, "a"), TOOL_FOUND);
	tool_sessions_find(sessions, &ANN, first, 2); /* nothing is new */
	assert_int_equal(told, 1);
	assert_int_equal(load(ANN, "b", 10), 10);
	check_cached(ANN, "b ");
	tool_sessions_find(sessions, &ANN, second, 1);
	assert_int_equal(standing(ANN, "a"), TOOL_UNKNOWN);
	assert_int_equal(standing(ANN, "b"), TOOL_CACHED);
	assert_int_equal(standing(ANN, "c"), TOOL_FOUND);
	assert_false(tool_sessions_evict(sessions, &ANN, SLICE("files"), SLICE("c")));
	tool_sessions_find(sessions, &ANN, NULL, 0);
	assert_int_equal(standing(ANN, "c"), TOOL_UNKNOWN);
}

static void sessions_are_of_a_principal_and_its_mcp_session(void **state) {
	(void)state;
	const struct call_asker other = {.principal = SLICE("ann"), .session = SLICE("two")};
	const struct call_asker modern = {.principal = SLICE("ann")};
	const struct call_asker joined = {.principal = SLICE("annone")};
	load(ANN, "a", 1);
	assert_int_equal(standing(other, "a"), TOOL_UNKNOWN);
	assert_int_equal(standing(modern, "a"), TOOL_UNKNOWN);
	assert_int_equal(standing(joined, "a"), TOOL_UNKNOWN);
	load(modern, "m", 1);
	tool_sessions_end(sessions, SLICE("ann"), SLICE("one"));
	tool_sessions_end(sessions, SLICE("ann"), SLICE("one"));
	assert_int_equal(standing(ANN, "a"), TOOL_UNKNOWN);
	assert_int_equal(standing(modern, "m"), TOOL_CACHED);
}

static void the_least_recently_used_session_goes(void **state) {
	(void)state;
	char name[24];
	for (int i = 0; i <= TOOL_SESSIONS; i++) {
		snprintf(name, sizeof name, "p%d", i);
		load((struct call_asker){.principal = slice_of(name)}, "a", 1);
		if (i == 1) load((struct call_asker){.principal = SLICE("p0")}, "a", 1);
		if (i == TOOL_SESSIONS - 1) told = 0;
	}
	assert_int_equal(told, 2); /* whose context has gone, and whose is new */
	assert_int_equal(sessions->by_key.count, TOOL_SESSIONS);
	assert_int_equal(standing((struct call_asker){.principal = SLICE("p0")}, "a"), TOOL_CACHED);
	assert_int_equal(standing((struct call_asker){.principal = SLICE("p1")}, "a"), TOOL_UNKNOWN);
}

static void a_server_that_goes_takes_its_tools_along(void **state) {
	(void)state;
	load(ANN, "a", 1);
	assert_int_equal(tool_sessions_load(sessions, &ANN, SLICE("other"), SLICE("b"), 4), 1);
	const struct tool_found found[] = {{SLICE("files"), SLICE("f"), 4}};
	tool_sessions_find(sessions, &ANN, found, 1);
	told = 0;
	tool_sessions_forget_server(sessions, SLICE("files"));
	assert_int_equal(told, 1);
	assert_int_equal(standing(ANN, "a"), TOOL_UNKNOWN);
	assert_int_equal(standing(ANN, "f"), TOOL_UNKNOWN);
	assert_int_equal(tool_sessions_standing(sessions, &ANN, SLICE("other"), SLICE("b")), TOOL_CACHED);
	assert_true(tool_sessions_evict(sessions, &ANN, SLICE("other"), SLICE("b")));
	assert_int_equal(told, 2);
	assert_false(tool_sessions_evict(sessions, &ANN, SLICE("other"), SLICE("b")));
	assert_int_equal(told, 2);
}

static void names_that_are_no_tools_are_never_there(void **state) {
	(void)state;
	char name[TOOLS_NAME + 2];
	memset(name, 'n', sizeof name);
	const struct slice names[] = {SLICE_NONE, slice_make(name, sizeof name)};
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_int_equal(tool_sessions_load(sessions, &ANN, SLICE("files"), names[i], 4), 0);
		assert_int_equal(tool_sessions_load(sessions, &ANN, names[i], SLICE("a"), 4), 0);
		assert_int_equal(tool_sessions_standing(sessions, &ANN, SLICE("files"), names[i]), TOOL_UNKNOWN);
	}
	char who[KEY];
	memset(who, 'w', sizeof who);
	const struct call_asker endless = {.principal = slice_make(who, sizeof who)};
	assert_int_equal(load(endless, "a", 1), 0);
	assert_int_equal(standing(endless, "a"), TOOL_UNKNOWN);
}

static void without_memory_nothing_is_new_and_nothing_breaks(void **state) {
	(void)state;
	static const char *const pinned[] = {"files.c", NULL};
	const struct tool_found found[] = {{SLICE("files"), SLICE("f"), 4}};
	const struct tool_budget budget = TOOL_BUDGET;
	struct fault why;
	for (int at = 1; at <= 3; at++) {
		malloc_fails_at(at);
		load(ANN, "a", 1);
		tool_sessions_find(sessions, &ANN, found, 1);
		malloc_fails_at(0);
		tool_sessions_end(sessions, SLICE("ann"), SLICE("one"));
		malloc_fails_at(at);
		bool is_changed = tool_sessions_change(sessions, &budget, pinned, &why);
		assert_true(is_changed || why.code == FAULT_NO_MEMORY);
		assert_int_equal(tool_sessions_pinned_at(sessions, 0).length, is_changed ? 7 : 0);
		malloc_fails_at(1);
		assert_null(tool_sessions_open(NULL, &why));
	}
}

int main(void) {
#define WITH_SESSIONS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_a_quarter_of_the_octets_rounded_up),
		WITH_SESSIONS(what_is_used_is_cached_and_the_least_recently_used_leaves),
		WITH_SESSIONS(more_tools_than_may_be_are_not_kept_whatever_they_cost),
		WITH_SESSIONS(pinned_tools_never_leave_and_are_not_cached),
		WITH_SESSIONS(another_configuration_keeps_what_fits_and_tells_clients),
		WITH_SESSIONS(found_ones_are_those_of_the_last_answer),
		WITH_SESSIONS(sessions_are_of_a_principal_and_its_mcp_session),
		WITH_SESSIONS(the_least_recently_used_session_goes),
		WITH_SESSIONS(a_server_that_goes_takes_its_tools_along),
		WITH_SESSIONS(names_that_are_no_tools_are_never_there),
		WITH_SESSIONS(without_memory_nothing_is_new_and_nothing_breaks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
