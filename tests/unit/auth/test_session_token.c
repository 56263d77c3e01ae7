/* SPDX-License-Identifier: Apache-2.0 */
#include "jwt_rig.h"

#include "auth/identity.h"
#include "auth/session_token.h"
#include "base/clock.h"

#include <ftw.h>

#define HOUR_MS (3600 * 1000LL)

static char folder[64];
static struct loop *loop;
static struct log silent;
static struct state *rows;
static struct identity *identity;
static struct asked asked;
static struct fault why;

static const struct identity_rule rules[] = {
	{.id = "boss", .privilege = PRIVILEGE_UNSAID, .kind = PRINCIPAL_HUMAN, .is_admin = true},
};

static struct identity_settings settings_of(size_t rule_count) {
	return (struct identity_settings){.default_privilege = PRIVILEGE_RESTRICTED, .rules = rules, .rule_count = rule_count};
}

static int set_up(void **state) {
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/hustings-auth-XXXXXX");
	if (!mkdtemp(folder)) return -1;
	log_init(&silent, open("/dev/null", O_WRONLY | O_CLOEXEC), LOG_ERROR);
	loop = loop_open(&why);
	rows = state_open(folder, &why);
	struct identity_settings settings = settings_of(COUNT_OF(rules));
	identity = identity_open(loop, rows, &settings, &silent, &why);
	return identity ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static int tear_down(void **state) {
	(void)state;
	asked_finish(&asked);
	identity_close(identity);
	state_close(rows);
	loop_close(loop);
	close(silent.descriptor);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

/* Whom a token's text stands for; kept by `asked`. */
static const struct principal *who(const char *token) {
	asked_finish(&asked);
	identity_ask(identity, slice_of(token), rig_found, &asked);
	return asked.principal;
}

static void make_token(struct token_wish wish, char token[TOKEN_TEXT], char token_id[TOKEN_ID]) {
	assert_true(token_create(rows, &wish, token, token_id, &why));
}

static bool make(const struct principal *principal, char token[TOKEN_TEXT], char token_id[TOKEN_ID], int64_t *ends) {
	return session_token_create(rows, principal, token, token_id, ends, &why);
}

static void a_session_says_what_its_token_says(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT], id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends;
	const struct token_wish wish = {
		.id = SLICE("alice"),
		.name = SLICE("Alice"),
		.mcp_version = SLICE("2026-07-28"),
		.dialect = SLICE("mcp-x/v0"),
		.topics = SLICE("one\ntwo*"),
		.kind = PRINCIPAL_HUMAN,
		.privilege = PRIVILEGE_RESTRICTED,
		.is_admin = true,
		.is_local = true,
	};
	make_token(wish, token, parent);
	assert_true(make(who(token), session, id, &ends));
	assert_string_not_equal(session, token);
	assert_true(token_is_one(slice_of(session)));
	const struct principal *found = who(session);
	assert_non_null(found);
	check_slice(found->id, "alice");
	check_slice(principal_text(found, PRINCIPAL_NAME), "Alice");
	check_slice(principal_text(found, PRINCIPAL_MCP_VERSION), "2026-07-28");
	check_slice(principal_text(found, PRINCIPAL_TOPICS), "one\ntwo*");
	check_slice(principal_text(found, PRINCIPAL_TOKEN_ID), id);
	assert_int_equal(found->kind, PRINCIPAL_HUMAN);
	assert_int_equal(found->privilege, PRIVILEGE_RESTRICTED);
	assert_true(found->is_admin && found->is_local && found->is_session && found->has_dialect);
	assert_int_equal(found->expires_at, ends);
	struct token_row *row = token_find_id(rows, id, &why);
	assert_non_null(row);
	check_slice(row->parent, parent);
	assert_true(row->is_session);
	assert_true(row->expires_at - row->created_at == SESSION_TOKEN_LIFE_MS);
	token_row_free(row);
}

static void it_ends_with_its_token(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT], id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends, parent_ends;
	size_t count;
	make_token((struct token_wish){.id = SLICE("alice"), .life_ms = HOUR_MS}, token, parent);
	parent_ends = who(token)->expires_at;
	assert_true(make(asked.principal, session, id, &ends));
	assert_int_equal(ends, parent_ends);
	assert_true(token_revoke(rows, parent, SLICE_NONE, &count, &why));
	assert_int_equal(count, 2);
	assert_null(who(session));
	assert_non_null(strstr(asked.why.text, "revoked_token"));
}

static void what_has_no_token_or_is_a_session_makes_none(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT], more[TOKEN_TEXT], id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends = 7;
	struct principal *guest = identity_guest(identity, SLICE("guest"), SLICE_NONE, SLICE_NONE, SLICE_NONE, &why);
	assert_false(make(guest, more, id, &ends));
	assert_int_equal(why.code, FAULT_REFUSED);
	principal_drop(guest);
	make_token((struct token_wish){.id = SLICE("alice")}, token, parent);
	assert_true(make(who(token), session, id, &ends));
	assert_false(make(who(session), more, id, &ends));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_non_null(strstr(why.text, "makes no other"));
}

/* It was asked who this is before another process wrote. */
static void a_token_that_was_revoked_meanwhile_makes_none(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT] = "", id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends = 7;
	make_token((struct token_wish){.id = SLICE("alice")}, token, parent);
	const struct principal *principal = who(token);
	assert_non_null(principal);
	struct state *other = state_open(folder, &why);
	assert_non_null(other);
	assert_true(token_revoke(other, parent, SLICE_NONE, NULL, &why));
	state_close(other);
	assert_false(make(principal, session, id, &ends));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_int_equal(ends, 7);
	assert_int_equal(session[0], '\0');
}

static void what_a_rule_gives_goes_with_the_rule(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT], id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends;
	make_token((struct token_wish){.id = SLICE("boss")}, token, parent);
	assert_true(who(token)->is_admin);
	assert_true(make(asked.principal, session, id, &ends));
	assert_true(who(session)->is_admin);
	const struct identity_settings without = settings_of(0);
	assert_true(identity_change(identity, &without, &why));
	assert_false(who(session)->is_admin);
}

/* As with a ticket: who it is was asked under the rules of before. */
static void what_a_rule_gave_before_the_session_goes_too(void **state) {
	(void)state;
	char token[TOKEN_TEXT], session[TOKEN_TEXT], id[TOKEN_ID], parent[TOKEN_ID];
	int64_t ends;
	make_token((struct token_wish){.id = SLICE("boss")}, token, parent);
	const struct principal *before = who(token);
	assert_true(before->is_admin && before->kind == PRINCIPAL_HUMAN);
	const struct identity_settings without = settings_of(0);
	assert_true(identity_change(identity, &without, &why));
	assert_true(make(before, session, id, &ends));
	assert_false(who(session)->is_admin);
	assert_int_equal(asked.principal->kind, PRINCIPAL_UNSAID);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_session_says_what_its_token_says, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_ends_with_its_token, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_has_no_token_or_is_a_session_makes_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_token_that_was_revoked_meanwhile_makes_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_a_rule_gives_goes_with_the_rule, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_a_rule_gave_before_the_session_goes_too, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
