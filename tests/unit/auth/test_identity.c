/* SPDX-License-Identifier: Apache-2.0 */
#include "jwt_rig.h"

#include "auth/identity.h"
#include "auth/token_record.h"
#include "store/promotion_rows.h"

#include <ftw.h>

static char folder[64];
static struct loop *loop;
static struct log silent;
static struct state *rows;
static struct identity *identity;
static struct asked asked;
static struct fault why;

static const struct identity_rule rules[] = {
	{.id = "bot-*", .privilege = PRIVILEGE_UNSAID, .kind = PRINCIPAL_ROBOT},
	{.id = "boss", .privilege = PRIVILEGE_FULL, .is_admin = true},
	{.id = "bot-*", .topic = "lab*", .privilege = PRIVILEGE_FULL},
};

static const struct jwt_settings jwt_settings = {.secret = RIG_SECRET, .algorithms = 1u << JWT_HS256};

static struct identity_settings settings_of(bool is_open) {
	return (struct identity_settings){.is_open = is_open, .default_privilege = PRIVILEGE_RESTRICTED, .rules = rules, .rule_count = COUNT_OF(rules), .jwt = &jwt_settings};
}

static int set_up(void **state) {
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/hustings-auth-XXXXXX");
	if (!mkdtemp(folder)) return -1;
	log_init(&silent, open("/dev/null", O_WRONLY | O_CLOEXEC), LOG_ERROR);
	loop = loop_open(&why);
	rows = state_open(folder, &why);
	struct identity_settings settings = settings_of(false);
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

static void ask(struct slice bearer) {
	asked_finish(&asked);
	identity_ask(identity, bearer, rig_found, &asked);
	assert_int_equal(asked.answers, 1);
}

static void make(struct token_wish wish, char token[TOKEN_TEXT], char token_id[TOKEN_ID]) {
	if (!token_create(rows, &wish, token, token_id, &why)) fail_msg("%s", why.text);
}

static enum privilege privilege_in(const char *topic) {
	enum privilege privilege = PRIVILEGE_UNSAID;
	assert_true(identity_privilege(identity, asked.principal, slice_of(topic), &privilege, NULL, &why));
	return privilege;
}

static void a_token_is_who_it_was_made_for(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	make((struct token_wish){.id = SLICE("ann"), .name = SLICE("Ann"), .topics = SLICE("yard"), .dialect = SLICE("mcp-x/v0"), .kind = PRINCIPAL_HUMAN, .privilege = PRIVILEGE_FULL}, token, token_id);
	ask(slice_of(token));
	assert_non_null(asked.principal);
	check_slice(asked.principal->id, "ann");
	check_slice(principal_id_json(asked.principal), "\"ann\"");
	check_slice(principal_text(asked.principal, PRINCIPAL_TOKEN_ID), token_id);
	assert_true(asked.principal->has_dialect && asked.principal->dialect == ENVELOPE_V0);
	assert_int_equal(asked.principal->kind, PRINCIPAL_HUMAN);
	assert_false(asked.principal->is_admin);
	assert_true(asked.principal->expires_at > clock_wall_ms());
	assert_true(principal_may_enter(asked.principal, SLICE("yard")));
	assert_false(principal_may_enter(asked.principal, SLICE("yards")));
}

static void check_refused(struct slice bearer, const char *word) {
	ask(bearer);
	assert_null(asked.principal);
	assert_int_equal(asked.why.code, FAULT_REFUSED);
	if (strncmp(asked.why.text, word, strlen(word)) != 0) fail_msg("'%s' is not %s", asked.why.text, word);
}

static void each_refusal_has_its_word(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	size_t count;
	make((struct token_wish){.id = SLICE("ann"), .life_ms = 1}, token, token_id);
	int64_t made_at = clock_wall_ms();
	while (clock_wall_ms() < made_at + 2) usleep(1000);
	check_refused(slice_of(token), "expired_token: ");
	make((struct token_wish){.id = SLICE("ann")}, token, token_id);
	assert_true(token_revoke(rows, token_id, SLICE_NONE, &count, &why));
	check_refused(slice_of(token), "revoked_token: ");
	token[10] = token[10] == 'A' ? 'B' : 'A';
	check_refused(slice_of(token), "unknown_token: ");
	check_refused(SLICE("nonsense"), "bad_token: ");
	check_refused(SLICE("a.b.c"), "bad_token: ");
}

/* Until a write is old enough to be told from the next one, nothing is kept. */
static bool ask_until_it_is_kept(struct slice token) {
	for (int tries = 0; tries < 3000; tries++) {
		ask(token);
		struct principal *before = principal_keep(asked.principal); /* so that its place is not another's */
		ask(token);
		bool is_kept = asked.principal == before;
		principal_drop(before);
		if (is_kept) return true;
		usleep(10000);
	}
	return false;
}

static void a_token_that_is_kept_is_gone_with_the_next_write(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID], other[TOKEN_TEXT], other_id[TOKEN_ID];
	size_t count;
	make((struct token_wish){.id = SLICE("ann")}, token, token_id);
	make((struct token_wish){.id = SLICE("bob")}, other, other_id);
	assert_true(ask_until_it_is_kept(slice_of(token)));
	assert_true(ask_until_it_is_kept(slice_of(other)));
	assert_true(token_revoke(rows, token_id, SLICE_NONE, &count, &why));
	check_refused(slice_of(token), "revoked_token: ");
	assert_true(ask_until_it_is_kept(slice_of(other)));
	struct state *elsewhere = state_open(folder, &why); /* as a command does */
	assert_non_null(elsewhere);
	assert_true(token_revoke(elsewhere, other_id, SLICE_NONE, &count, &why));
	check_refused(slice_of(other), "revoked_token: ");
	state_close(elsewhere);
}

static void a_token_that_is_kept_expires(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	make((struct token_wish){.id = SLICE("ann"), .life_ms = 400}, token, token_id);
	for (int tries = 0; tries < 3000; tries++) {
		ask(slice_of(token));
		if (!asked.principal) break;
		usleep(10000);
	}
	check_refused(slice_of(token), "expired_token: ");
}

static void rules_that_change_change_a_token_that_is_kept(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	make((struct token_wish){.id = SLICE("boss")}, token, token_id);
	assert_true(ask_until_it_is_kept(slice_of(token)));
	assert_true(asked.principal->is_admin);
	struct identity_settings settings = {.default_privilege = PRIVILEGE_RESTRICTED};
	assert_true(identity_change(identity, &settings, &why));
	ask(slice_of(token));
	assert_false(asked.principal->is_admin);
}

static void rules_hold_for_tokens_and_for_jwts(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	AUTO_TEXT struct text jwt;
	text_init(&jwt, 0);
	static const char *const bosses[] = {"boss", "worker"};
	for (int which = 0; which < 2; which++) {
		bool is_boss = which == 0;
		make((struct token_wish){.id = slice_of(bosses[which]), .privilege = PRIVILEGE_UNSAID}, token, token_id);
		ask(slice_of(token));
		assert_int_equal(asked.principal->is_admin, is_boss);
		assert_int_equal(privilege_in("yard"), is_boss ? PRIVILEGE_FULL : PRIVILEGE_RESTRICTED);
		char claims[128];
		snprintf(claims, sizeof claims, "{\"sub\":\"%s\",\"exp\":99999999999}", bosses[which]);
		rig_hmac(&jwt, SLICE(RIG_SECRET), "{\"alg\":\"HS256\"}", claims);
		ask(text_slice(&jwt));
		assert_non_null(asked.principal);
		assert_int_equal(asked.principal->is_admin, is_boss);
		assert_int_equal(privilege_in("yard"), is_boss ? PRIVILEGE_FULL : PRIVILEGE_RESTRICTED);
	}
	rig_hmac(&jwt, SLICE(RIG_SECRET), "{\"alg\":\"HS256\"}", "{\"sub\":\"bot-1\",\"exp\":99999999999}");
	ask(text_slice(&jwt));
	assert_int_equal(asked.principal->kind, PRINCIPAL_ROBOT);
	rig_hmac(&jwt, SLICE(RIG_SECRET), "{\"alg\":\"HS256\"}",
		"{\"sub\":\"bot-1\",\"kind\":\"agent\",\"exp\":99999999999}");
	ask(text_slice(&jwt));
	assert_int_equal(asked.principal->kind, PRINCIPAL_AGENT); /* what it says of itself comes first */
}

static void privilege_comes_from_four_places_in_their_order(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	make((struct token_wish){.id = SLICE("bot-1"), .privilege = PRIVILEGE_UNSAID}, token, token_id);
	ask(slice_of(token));
	assert_int_equal(privilege_in("yard"), PRIVILEGE_RESTRICTED); /* default */
	assert_int_equal(privilege_in("lab-2"), PRIVILEGE_FULL);      /* rule */
	make((struct token_wish){.id = SLICE("bot-1"), .privilege = PRIVILEGE_RESTRICTED}, token, token_id);
	ask(slice_of(token));
	assert_int_equal(privilege_in("lab-2"), PRIVILEGE_RESTRICTED); /* token before rule */
	assert_true(promotion_set(rows, SLICE("bot-1"), SLICE("lab-2"), "full", SLICE("boss"), &why));
	assert_int_equal(privilege_in("lab-2"), PRIVILEGE_FULL); /* promotion before token */
	assert_int_equal(privilege_in("lab-3"), PRIVILEGE_RESTRICTED);
	AUTO_TEXT struct text reason;
	enum privilege privilege;
	text_init(&reason, 0);
	assert_true(identity_privilege(identity, asked.principal, SLICE("lab-2"), &privilege, &reason, &why));
	check_text(&reason, "explicit promotion or demotion: full");
}

static void a_guest_is_full_and_never_an_administrator(void **state) {
	(void)state;
	struct identity_settings settings = settings_of(true);
	assert_true(identity_change(identity, &settings, &why));
	assert_true(identity_is_open(identity));
	asked.principal = identity_guest(identity, SLICE("boss"), SLICE("The Boss"), SLICE("agent"), SLICE_NONE, &why);
	assert_non_null(asked.principal);
	assert_false(asked.principal->is_admin);
	assert_true(asked.principal->is_open);
	assert_int_equal(privilege_in("yard"), PRIVILEGE_FULL);
	asked_finish(&asked);
	asked.principal = identity_guest(identity, SLICE_NONE, SLICE_NONE, SLICE_NONE, SLICE_NONE, &why);
	assert_true(slice_starts_with(asked.principal->id, "guest-"));
	assert_null(identity_guest(identity, SLICE("a b"), SLICE_NONE, SLICE_NONE, SLICE_NONE, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(identity_guest(identity, SLICE("a"), SLICE_NONE, SLICE("cat"), SLICE_NONE, &why));
}

static void settings_that_cannot_work_leave_the_old_ones(void **state) {
	(void)state;
	static const struct jwt_settings none = {.algorithms = 1u << JWT_HS256};
	struct identity_settings settings = {.is_open = true, .jwt = &none};
	assert_false(identity_change(identity, &settings, &why));
	assert_false(identity_is_open(identity));
	AUTO_TEXT struct text jwt;
	text_init(&jwt, 0);
	rig_hmac(&jwt, SLICE(RIG_SECRET), "{\"alg\":\"HS256\"}", rig_claims(""));
	ask(text_slice(&jwt));
	assert_non_null(asked.principal);
	settings = (struct identity_settings){.default_privilege = PRIVILEGE_RESTRICTED};
	assert_true(identity_change(identity, &settings, &why));
	check_refused(text_slice(&jwt), "unknown_token: ");
}

static void wishes_for_tokens_are_checked(void **state) {
	(void)state;
	char token[TOKEN_TEXT] = "untouched", token_id[TOKEN_ID];
	static char name[300];
	memset(name, 'n', sizeof name - 1);
	const struct token_wish wrong[] = {
		{.id = SLICE("")},
		{.id = SLICE("a b")},
		{.id = SLICE("system:a")},
		{.id = SLICE("a/b")},
		{.id = SLICE("a"), .topics = SLICE("a..b")},
		{.id = SLICE("a"), .topics = SLICE("a\n\nb")},
		{.id = SLICE("a"), .topics = SLICE("*a")},
		{.id = SLICE("a"), .life_ms = -1},
		{.id = SLICE("a"), .life_ms = INT64_MAX},
		{.id = SLICE("a"), .dialect = SLICE("mcpx/v9")},
		{.id = SLICE("a"), .name = slice_of(name)},
		{.id = SLICE("a"), .mcp_version = slice_of(name)},
	};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_false(token_create(rows, &wrong[i], token, token_id, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_string_equal(token, "untouched");
	}
	make((struct token_wish){.id = SLICE("a"), .topics = SLICE("a\nteam/*")}, token, token_id);
	assert_true(token_is_one(slice_of(token)));
	assert_false(token_is_one(slice_make(token, strlen(token) - 1)));
}

static void what_is_shown_of_a_token_is_no_secret(void **state) {
	(void)state;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	AUTO_TEXT struct text shown;
	text_init(&shown, 0);
	make((struct token_wish){.id = SLICE("ann"), .topics = SLICE("a\nb*"), .is_admin = true}, token, token_id);
	struct token_row *row = token_find_id(rows, token_id, &why);
	assert_non_null(row);
	token_write(&shown, row);
	token_row_free(row);
	assert_non_null(strstr(shown.bytes, "\"topics\":[\"a\",\"b*\"],\"admin\":true"));
	assert_non_null(strstr(shown.bytes, "\"status\":\"active\""));
	assert_null(strstr(shown.bytes, token + 4));
	assert_null(strstr(shown.bytes, "hash"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_token_is_who_it_was_made_for),
		TEST(each_refusal_has_its_word),
		TEST(a_token_that_is_kept_is_gone_with_the_next_write),
		TEST(a_token_that_is_kept_expires),
		TEST(rules_that_change_change_a_token_that_is_kept),
		TEST(rules_hold_for_tokens_and_for_jwts),
		TEST(privilege_comes_from_four_places_in_their_order),
		TEST(a_guest_is_full_and_never_an_administrator),
		TEST(settings_that_cannot_work_leave_the_old_ones),
		TEST(wishes_for_tokens_are_checked),
		TEST(what_is_shown_of_a_token_is_no_secret),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
