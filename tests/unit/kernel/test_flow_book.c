/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions that are kept: whose they are, until when, stored before anybody hears of it, and there again. */
#include "store/store_rig.h"

#include "base/clock.h"
#include "base/seal.h"
#include "kernel/flow_book.h"
#include "store/flow_rows.h"
#include "store/state_parts.h"

#define UNTIL(condition) \
	do { \
		uint64_t end_ = clock_monotonic_ms() + 30000; \
		while (!(condition)) { \
			if (clock_monotonic_ms() > end_) fail_msg("never: %s", #condition); \
			loop_step(loop, 20); \
		} \
	} while (0)

static const uint8_t key[SEAL_KEY] = {3};
static const struct flow_limits limits = FLOW_LIMITS;
static struct folder folder;
static struct state *state;
static struct loop *loop;
static struct flow_book *book;
static struct flow_refusal refusal;
static unsigned warned, left;

static void warns(void *context, struct flow_entry *entry) {
	(void)context;
	assert_true(entry->session->is_warned);
	warned++;
}
static void leaves(void *context, struct flow_entry *entry) {
	(void)context, (void)entry;
	left++;
}
static const struct flow_book_events events = {.warns = warns, .leaves = leaves};

static void open_book(const uint8_t *with) {
	const struct flow_book_options options = {.loop = loop, .state = state, .key = with, .events = &events, .most_of_one = 2};
	struct fault why;
	book = flow_book_open(&options, &why);
	if (!book) fail_msg("%s", why.text);
}

static int set_up(void **context) {
	(void)context;
	folder_make(&folder);
	state = state_open(folder.path, NULL);
	loop = loop_open(NULL);
	warned = left = 0;
	refusal = (struct flow_refusal){0};
	if (!state || !loop) return -1;
	open_book(key);
	return 0;
}

static int tear_down(void **context) {
	(void)context;
	flow_book_close(book);
	loop_close(loop);
	state_close(state);
	folder_remove(&folder);
	return 0;
}

static struct flow_session *make(const char *principal, const char *session, int64_t timeout_ms, int64_t ago) {
	const struct flow_wish wish = {.principal = slice_of(principal), .session = slice_of(session), .server = SLICE("fake"), .tool = SLICE("book"), .initial_params = SLICE("{\"to\":\"Rome\"}"), .timeout_ms = timeout_ms};
	struct flow_session *made = flow_session_begin(&wish, &limits, clock_wall_ms() - ago, &refusal);
	assert_non_null(made);
	return made;
}

static void put_prompt(struct flow_session *session) {
	const struct prompt prompt = {.type = PROMPT_TEXT, .name = SLICE("name"), .message = SLICE("Your name?"), .rules.is_required = true};
	assert_true(flow_session_activate(session, &refusal));
	assert_true(flow_session_ask(session, &prompt, NULL, session->active_at, &refusal));
}

static bool answer(struct flow_entry *entry, const char *json) {
	struct flow_response response = {.prompt_id = SLICE_NONE};
	struct prompt_verdict verdict;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(json), SCAN_DEPTH, &response.value, &fault));
	return flow_session_respond(entry->session, &response, clock_wall_ms(), &verdict, &refusal) && verdict.is_valid;
}

static struct flow_entry *add(const char *principal, const char *session) {
	struct flow_session *made = make(principal, session, 0, 0);
	put_prompt(made);
	struct flow_entry *entry = flow_book_add(book, made, true, &refusal);
	assert_non_null(entry);
	return entry;
}

static struct flow_entry *find(const char *id, const char *principal, const char *session) {
	refusal = (struct flow_refusal){0};
	return flow_book_find(book, slice_of(id), slice_of(principal), slice_of(session), &refusal);
}

/* What it holds is not to be read there. */
static bool count_rows(void *context, struct slice id, struct slice sealed) {
	unsigned *count = context;
	(void)id;
	assert_null(memmem(sealed.bytes, sealed.length, "Rome", 4));
	++*count;
	return true;
}

static unsigned rows(void) {
	unsigned count = 0;
	assert_true(flow_row_each(state, count_rows, &count, NULL));
	return count;
}

static void a_session_is_its_principals_and_its_mcp_sessions(void **context) {
	(void)context;
	const char *id = add("ann", "one")->session->id;
	assert_non_null(find(id, "ann", "one"));
	assert_null(find(id, "ann", "two"));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
	assert_null(find(id, "bob", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
	assert_null(find("session_none", "ann", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
}

static void one_principal_has_so_many_and_no_more(void **context) {
	(void)context;
	struct flow_entry *first = add("ann", "one");
	add("ann", "one");
	assert_null(flow_book_add(book, make("ann", "one", 0, 0), true, &refusal));
	assert_int_equal(refusal.code, FLOW_LIMIT);
	assert_string_equal(refusal.type, "too_many_sessions");
	add("bob", "one"); /* whom that does not concern */
	assert_true(flow_session_cancel(first->session, SLICE("enough"), clock_wall_ms(), &refusal));
	assert_true(flow_book_save(first, &refusal));
	add("ann", "one");
	assert_int_equal(flow_book_count(book), 3);
	assert_int_equal(rows(), 3);
}

static void a_restart_loses_nothing_and_runs_nothing_twice(void **context) {
	(void)context;
	char waiting[FLOW_ID], working[FLOW_ID];
	struct flow_entry *entry = add("ann", "one");
	int64_t expires = flow_session_expires_at(entry->session);
	memcpy(waiting, entry->session->id, sizeof waiting);
	entry = add("ann", "one");
	memcpy(working, entry->session->id, sizeof working);
	assert_true(answer(entry, "\"Ann\""));
	assert_int_equal(entry->session->state, FLOW_PROCESSING);
	assert_true(flow_book_save(entry, &refusal));
	flow_book_close(book);
	open_book(key);
	entry = find(waiting, "ann", "another"); /* the MCP session was of the run before */
	assert_non_null(entry);
	assert_int_equal(entry->session->state, FLOW_WAITING_USER);
	assert_true(flow_session_expires_at(entry->session) == expires);
	assert_null(find(waiting, "bob", "one"));
	entry = find(working, "ann", "another");
	assert_int_equal(entry->session->state, FLOW_ERROR);
	assert_non_null(strstr(entry->session->summary.bytes, "restarted while the tool ran"));
	assert_int_equal(flow_book_count(book), 1);
}

static void another_key_opens_nothing(void **context) {
	(void)context;
	static const uint8_t other[SEAL_KEY] = {4};
	char id[FLOW_ID];
	memcpy(id, add("ann", "one")->session->id, sizeof id);
	flow_book_close(book);
	open_book(other);
	assert_null(find(id, "ann", "one"));
	assert_int_equal(flow_book_count(book), 0);
}

static void what_expires_is_known_as_that_for_its_principal_alone(void **context) {
	(void)context;
	char waiting[FLOW_ID], working[FLOW_ID];
	struct flow_session *made = make("ann", "one", 1000, 5000);
	memcpy(waiting, made->id, sizeof waiting);
	put_prompt(made);
	assert_non_null(flow_book_add(book, made, true, &refusal));
	made = make("ann", "one", 1000, 5000);
	memcpy(working, made->id, sizeof working);
	assert_true(flow_session_activate(made, &refusal));
	assert_true(flow_session_process(made, clock_wall_ms() - 5000, &refusal));
	assert_non_null(flow_book_add(book, made, true, &refusal));
	UNTIL(left == 2);
	assert_null(find(waiting, "ann", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_EXPIRED);
	assert_null(find(working, "ann", "one"));
	assert_int_equal(refusal.code, FLOW_TIMEOUT);
	assert_null(find(waiting, "bob", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_NOT_FOUND);
	assert_int_equal(rows(), 0);
	assert_int_equal(flow_book_count(book), 0);
}

static void what_has_run_out_is_found_to_have_before_its_deadline_says_so(void **context) {
	(void)context;
	struct flow_entry *entry = add("ann", "one");
	char id[FLOW_ID];
	memcpy(id, entry->session->id, sizeof id);
	entry->session->active_at -= FLOW_TIMEOUT_MS;
	assert_null(find(id, "ann", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_EXPIRED);
	assert_int_equal(left, 1);
}

static void its_client_is_warned_once(void **context) {
	(void)context;
	struct flow_session *made = make("ann", "one", 0, 0);
	put_prompt(made);
	made->active_at -= FLOW_TIMEOUT_MS / 5 * 4 - 50;
	assert_non_null(flow_book_add(book, made, true, &refusal));
	UNTIL(warned == 1);
	assert_int_equal(left, 0);
	assert_true(flow_session_warns_at(made) == INT64_MAX);
}

static void a_step_that_cannot_be_stored_is_taken_back(void **context) {
	(void)context;
	struct flow_entry *entry = add("ann", "one");
	char id[FLOW_ID];
	memcpy(id, entry->session->id, sizeof id);
	const char *principal = entry->session->principal, *session = entry->session->session;
	assert_true(answer(entry, "\"Ann\""));
	/* A database that takes nothing more. */
	assert_int_equal(sqlite3_exec(state->database, "PRAGMA query_only = 1", NULL, NULL, NULL), SQLITE_OK);
	assert_false(flow_book_save(entry, &refusal));
	assert_int_equal(sqlite3_exec(state->database, "PRAGMA query_only = 0", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(refusal.code, FLOW_INTERNAL);
	entry = find(id, "ann", "one");
	assert_non_null(entry);
	assert_int_equal(entry->session->state, FLOW_WAITING_USER);
	assert_int_equal(entry->session->turns, 0);
	assert_ptr_equal(entry->session->principal, principal); /* lent to its server's conversation */
	assert_ptr_equal(entry->session->session, session);
	assert_null(strstr(entry->session->given.bytes, "Ann"));
	assert_true(answer(entry, "\"Ann\"")); /* and may be taken again */
	assert_true(flow_book_save(entry, &refusal));
	assert_int_equal(flow_book_count(book), 1);
}

static void ten_thousand_sessions_stay_within_their_bound(void **context) {
	(void)context;
	char name[32];
	for (unsigned i = 0; i < 10000; i++) {
		snprintf(name, sizeof name, "agent-%u", i / 2);
		struct flow_session *made = make(name, "one", 0, 0);
		put_prompt(made);
		assert_non_null(flow_book_add(book, made, false, &refusal));
	}
	assert_int_equal(flow_book_count(book), 10000);
	if (flow_book_octets(book) > (size_t)24 << 20) fail_msg("10,000 sessions take %zu octets", flow_book_octets(book));
	assert_true(flow_book_octets(book) > 10000 * sizeof(struct flow_session));
}

static void what_is_over_makes_room(void **context) {
	(void)context;
	char first[FLOW_ID] = "";
	for (unsigned i = 0; i < FLOW_OVER + 10; i++) {
		struct flow_session *made = make("ann", "one", 0, 0);
		assert_true(flow_session_cancel(made, SLICE("enough"), clock_wall_ms(), &refusal));
		if (!first[0]) memcpy(first, made->id, sizeof first);
		assert_non_null(flow_book_add(book, made, false, &refusal));
	}
	assert_int_equal(left, 10);
	assert_null(find(first, "ann", "one"));
	assert_int_equal(refusal.code, FLOW_SESSION_EXPIRED);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_session_is_its_principals_and_its_mcp_sessions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_principal_has_so_many_and_no_more, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_restart_loses_nothing_and_runs_nothing_twice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_key_opens_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_expires_is_known_as_that_for_its_principal_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_has_run_out_is_found_to_have_before_its_deadline_says_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(its_client_is_warned_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_step_that_cannot_be_stored_is_taken_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ten_thousand_sessions_stay_within_their_bound, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_over_makes_room, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
