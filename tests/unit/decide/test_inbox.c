/* SPDX-License-Identifier: Apache-2.0 */
#include "decide_rig.h"

#include <sqlite3.h>

static struct desk desk;

static int set_up(void **state) {
	(void)state;
	desk_open(&desk, NULL);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	desk_close(&desk);
	return 0;
}

static void an_approval_is_told_once_and_used_once(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{\"path\":\"a\"}");
	const char *id = ask(&desk, &wish, &bot);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	assert_int_equal(inbox_open_count(desk.inbox), 1);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	assert_int_equal(find(&desk, id)->state, DECISION_APPROVED);
	assert_int_equal(bot.told, 0); /* never from inside */
	DESK_UNTIL(&desk, bot.told);
	assert_true(bot.is_yes);
	assert_int_equal(find(&desk, id)->state, DECISION_USED);
	check_slice(find(&desk, id)->decided_by, "ann");
	assert_null(inbox_approval(desk.inbox, &wish));
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_EXISTS);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_EXISTS);
	for (int i = 0; i < 5; i++) loop_step(desk.loop, 1);
	assert_int_equal(bot.told, 1);
}

static void a_denial_holds_its_reason(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	struct inbox_answer no = no_of("ann");
	no.reason = SLICE("not today");
	assert_int_equal(answer_as(&desk, id, no), FAULT_NONE);
	DESK_UNTIL(&desk, bot.told);
	assert_false(bot.is_yes);
	assert_int_equal(bot.state, DECISION_DENIED);
	check_slice(find(&desk, id)->reason, "not today");
	assert_null(inbox_approval(desk.inbox, &wish));
}

static void nobody_answers_its_own_question(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("root", "{}");
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, yes_of("root")), FAULT_REFUSED);
	assert_int_equal(answer_as(&desk, id, no_of("root")), FAULT_REFUSED);
	struct inbox_answer plain = yes_of("eve");
	plain.is_admin = false;
	assert_int_equal(answer_as(&desk, id, plain), FAULT_REFUSED);
	assert_int_equal(answer_as(&desk, "d-00000000", yes_of("ann")), FAULT_NOT_FOUND);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
}

static void only_who_is_named_approves(void **state) {
	(void)state;
	const struct slice deciders[] = {SLICE("olga"), SLICE("bot")};
	struct decision_wish wish = call_wish("bot", "{}");
	wish.kind = DECISION_AUTHORIZATION;
	wish.deciders = deciders;
	wish.decider_count = 2;
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_REFUSED); /* an administrator */
	assert_int_equal(answer_as(&desk, id, yes_of("bot")), FAULT_REFUSED); /* named, but its own */
	struct inbox_answer olga = yes_of("olga");
	olga.is_admin = false;
	assert_int_equal(answer_as(&desk, id, olga), FAULT_NONE);
	assert_true(inbox_may_see(find(&desk, id), SLICE("olga"), false));
	assert_false(inbox_may_see(find(&desk, id), SLICE("olg"), false));
	assert_false(inbox_may_see(find(&desk, id), SLICE("olga\nbot"), false));
	wish.arguments = SLICE("[2]");
	id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE); /* a no is always safe */
}

static void other_arguments_are_another_question(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("bot", "{\"path\":\"a\",\"n\":1}");
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	static const char *const others[] = {"{\"path\":\"b\",\"n\":1}", "{\"n\":1,\"path\":\"a\"}",
		"{\"path\":\"a\",\"n\":1.0}", "{\"path\":\"a \",\"n\":1}"};
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct decision_wish other = call_wish("bot", others[i]);
		assert_null(inbox_approval(desk.inbox, &other));
	}
	struct decision_wish other = wish;
	other.requester = SLICE("bob");
	assert_null(inbox_approval(desk.inbox, &other));
	other = wish;
	other.tool = SLICE("create");
	assert_null(inbox_approval(desk.inbox, &other));
	other = wish;
	other.server = SLICE("file");
	assert_null(inbox_approval(desk.inbox, &other));
	other = wish;
	other.kind = DECISION_AUTHORIZATION;
	assert_null(inbox_approval(desk.inbox, &other));
	struct decision_wish spaced = call_wish("bot", " { \"path\" : \"a\" ,\n\t\"n\":1 } ");
	assert_non_null(inbox_approval(desk.inbox, &spaced));
	assert_null(inbox_approval(desk.inbox, &spaced)); /* it was used */
	assert_int_equal(find(&desk, id)->state, DECISION_USED);
}

static void an_approval_with_an_end_holds_until_then(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	struct inbox_answer yes = yes_of("ann");
	yes.valid_until = clock_wall_ms() + 10000000;
	assert_int_equal(answer_as(&desk, id, yes), FAULT_NONE);
	DESK_UNTIL(&desk, bot.told);
	assert_true(bot.is_yes);
	for (int i = 0; i < 3; i++) assert_non_null(inbox_approval(desk.inbox, &wish));
	desk_restart(&desk, NULL);
	assert_non_null(inbox_approval(desk.inbox, &wish));
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE); /* on an approval: takes it back */
	assert_int_equal(find(&desk, id)->state, DECISION_REVOKED);
	assert_null(inbox_approval(desk.inbox, &wish));
	desk_restart(&desk, NULL);
	assert_null(inbox_approval(desk.inbox, &wish));
}

static void an_approval_ends_by_itself(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, NULL);
	struct inbox_answer yes = yes_of("ann");
	enum fault_code code;
	do {
		yes.valid_until = clock_wall_ms() + 40;
		code = answer_as(&desk, id, yes);
	} while (code == FAULT_BAD_INPUT); /* it was over already when it was said */
	assert_int_equal(code, FAULT_NONE);
	DESK_UNTIL(&desk, find(&desk, id)->state == DECISION_EXPIRED);
	assert_null(inbox_approval(desk.inbox, &wish));
	check_slice(find(&desk, id)->decided_by, "ann");
}

static void no_answer_is_a_no(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	wish.ttl_ms = 30;
	const char *id = ask(&desk, &wish, &bot);
	DESK_UNTIL(&desk, bot.told);
	assert_false(bot.is_yes);
	assert_int_equal(bot.state, DECISION_EXPIRED);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_EXISTS);
}

static void what_expired_while_away_is_a_no(void **state) {
	(void)state;
	struct decision_wish wish = call_wish("bot", "{}");
	wish.ttl_ms = 1;
	const char *id = ask(&desk, &wish, NULL);
	while (clock_wall_ms() <= find(&desk, id)->expires_at) continue;
	desk_restart(&desk, NULL);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_EXISTS);
	assert_int_equal(find(&desk, id)->state, DECISION_EXPIRED);
}

static void a_restart_loses_nothing_and_grants_nothing(void **state) {
	(void)state;
	struct hearer bot, again;
	struct decision_wish wish = call_wish("bot", "{\"path\":\"a\"}"), other = call_wish("bot", "{\"path\":\"b\"}");
	const char *id = ask(&desk, &wish, &bot), *second = ask(&desk, &other, NULL);
	int64_t expires_at = find(&desk, id)->expires_at;
	desk_restart(&desk, NULL);
	assert_int_equal(bot.told, 0);
	assert_null(bot.asker.decision);
	assert_int_equal(find(&desk, id)->expires_at, expires_at);
	assert_int_equal(inbox_open_count(desk.inbox), 2);
	check_slice(find(&desk, id)->arguments, "{\"path\":\"a\"}");
	assert_null(inbox_approval(desk.inbox, &wish));
	assert_string_equal(ask(&desk, &wish, &again), id); /* the same question again: the same decision */
	assert_int_equal(answer_as(&desk, second, yes_of("ann")), FAULT_NONE);
	assert_int_equal(again.told, 0);
	desk_restart(&desk, NULL);
	assert_int_equal(find(&desk, second)->state, DECISION_APPROVED);
	assert_non_null(inbox_approval(desk.inbox, &other)); /* good for one call */
	desk_restart(&desk, NULL);
	assert_null(inbox_approval(desk.inbox, &other));
}

static void an_answer_is_not_lost_with_its_asker(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	inbox_leave(desk.inbox, &bot.asker);
	inbox_leave(desk.inbox, &bot.asker);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	for (int i = 0; i < 3; i++) loop_step(desk.loop, 1);
	assert_int_equal(bot.told, 0);
	assert_non_null(inbox_approval(desk.inbox, &wish));
	assert_null(inbox_approval(desk.inbox, &wish));
	/* It goes between the answer and the telling. */
	id = ask(&desk, &wish, &bot);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	inbox_leave(desk.inbox, &bot.asker);
	for (int i = 0; i < 3; i++) loop_step(desk.loop, 1);
	assert_int_equal(bot.told, 0);
	assert_non_null(inbox_approval(desk.inbox, &wish));
}

static void a_question_is_taken_back(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	inbox_withdraw(desk.inbox, &bot.asker);
	inbox_withdraw(desk.inbox, &bot.asker);
	assert_int_equal(find(&desk, id)->state, DECISION_WITHDRAWN);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_EXISTS);
	for (int i = 0; i < 3; i++) loop_step(desk.loop, 1);
	assert_int_equal(bot.told, 0);
	assert_int_equal(inbox_open_count(desk.inbox), 0);
}

static void what_is_taken_back_at_the_end_stays(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	inbox_rest(desk.inbox);
	inbox_withdraw(desk.inbox, &bot.asker);
	desk_restart(&desk, NULL);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	assert_string_equal(ask(&desk, &wish, NULL), id);
}

static void a_revocation_before_the_telling_is_a_no(void **state) {
	(void)state;
	struct hearer bot;
	struct fault why;
	struct decision_wish wish = call_wish("bot", "{}");
	const char *id = ask(&desk, &wish, &bot);
	struct inbox_answer ann = no_of("ann");
	assert_null(inbox_revoke(desk.inbox, slice_of(id), &ann, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	assert_non_null(inbox_revoke(desk.inbox, slice_of(id), &ann, &why));
	DESK_UNTIL(&desk, bot.told);
	assert_false(bot.is_yes);
	assert_int_equal(bot.state, DECISION_REVOKED);
	struct inbox_answer bot_itself = no_of("bot");
	assert_null(inbox_revoke(desk.inbox, slice_of(id), &bot_itself, &why));
	assert_int_equal(why.code, FAULT_REFUSED);
}

static void one_question_at_a_time(void **state) {
	(void)state;
	struct hearer bot;
	struct fault why;
	struct decision_wish wish = call_wish("bot", "{}"), other = call_wish("bot", "[]");
	const char *id = ask(&desk, &wish, &bot);
	assert_null(inbox_ask(desk.inbox, &other, &bot.asker, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	/* Two askers of the same subject have two decisions. */
	struct hearer second;
	assert_string_not_equal(ask(&desk, &wish, &second), id);
	assert_non_null(inbox_pending(desk.inbox, &wish));
	assert_null(inbox_pending(desk.inbox, &other));
	inbox_leave(desk.inbox, &bot.asker);
	inbox_leave(desk.inbox, &second.asker);
}

static void permissions_are_granted_in_part(void **state) {
	(void)state;
	const struct slice names[] = {SLICE("filesystem.read"), SLICE("network.outbound"), SLICE("shell.execute")};
	struct decision_wish wish = {.kind = DECISION_PERMISSION,
		.requester = SLICE("server:files"),
		.server = SLICE("files"),
		.permissions = names,
		.permission_count = 3};
	struct hearer server;
	const char *id = ask(&desk, &wish, &server);
	struct inbox_answer yes = yes_of("ann");
	const struct slice wrong[] = {SLICE("filesystem.write")}, some[] = {SLICE("filesystem.read"), SLICE("shell.execute")};
	yes.only = wrong;
	yes.only_count = 1;
	assert_int_equal(answer_as(&desk, id, yes), FAULT_BAD_INPUT);
	yes.only = some;
	yes.only_count = 2;
	assert_int_equal(answer_as(&desk, id, yes), FAULT_NONE);
	DESK_UNTIL(&desk, server.told);
	desk_restart(&desk, NULL);
	const struct decision *decision = find(&desk, id);
	assert_int_equal(decision->state, DECISION_APPROVED); /* its use is no end of it */
	assert_true(decision->used_at > 0);
	assert_true(decision_grants(decision, names[0]));
	assert_false(decision_grants(decision, names[1]));
	assert_true(decision_grants(decision, names[2]));
	assert_false(decision_grants(decision, wrong[0]));
	assert_null(inbox_approval(desk.inbox, &wish)); /* it was told already */
}

static void an_approval_left_of_permissions_is_taken_once(void **state) {
	(void)state;
	const struct slice names[] = {SLICE("filesystem.read")}, more[] = {SLICE("filesystem.read"), SLICE("shell.execute")};
	struct decision_wish wish = {.kind = DECISION_PERMISSION,
		.requester = SLICE("server:files"),
		.server = SLICE("files"),
		.permissions = names,
		.permission_count = 1};
	struct hearer server;
	const char *id = ask(&desk, &wish, &server);
	inbox_leave(desk.inbox, &server.asker);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	desk_restart(&desk, NULL);
	struct decision_wish wider = wish;
	wider.permissions = more;
	wider.permission_count = 2;
	assert_null(inbox_approval(desk.inbox, &wider));
	const struct decision *decision = inbox_approval(desk.inbox, &wish);
	assert_non_null(decision);
	assert_true(decision_grants(decision, names[0]));
	assert_null(inbox_approval(desk.inbox, &wish));
}

static void a_callback_ends_with_the_run_that_asked(void **state) {
	(void)state;
	const struct decision_wish callback = {.kind = DECISION_CALLBACK, .requester = SLICE("bot"), .arguments = SLICE("{\"q\":1}")};
	char asked[DECISION_ID];
	snprintf(asked, sizeof asked, "%s", ask(&desk, &callback, NULL));
	desk_restart(&desk, NULL);
	const struct decision *decision = inbox_find(desk.inbox, slice_of(asked));
	assert_non_null(decision);
	assert_int_equal(decision->state, DECISION_WITHDRAWN);
	assert_int_equal(answer_as(&desk, asked, yes_of("ann")), FAULT_EXISTS);
}

static void what_is_said_is_checked(void **state) {
	(void)state;
	static char much[DECISION_ANSWER + 16];
	struct decision_wish callback = {.kind = DECISION_CALLBACK, .requester = SLICE("server:files"), .arguments = SLICE("{\"q\":1}")};
	struct decision_wish call = call_wish("bot", "{}");
	const char *asked = ask(&desk, &callback, NULL), *called = ask(&desk, &call, NULL);
	struct inbox_answer yes = yes_of("ann");
	memset(much, 'a', sizeof much);
	yes.answer = SLICE("{\"a\":");
	assert_int_equal(answer_as(&desk, asked, yes), FAULT_BAD_INPUT);
	yes.answer = slice_make(much, sizeof much);
	assert_int_equal(answer_as(&desk, asked, yes), FAULT_TOO_LARGE);
	yes.answer = SLICE("1");
	assert_int_equal(answer_as(&desk, called, yes), FAULT_BAD_INPUT); /* a call has none */
	yes.answer = SLICE_NONE;
	yes.valid_until = clock_wall_ms() - 1;
	assert_int_equal(answer_as(&desk, called, yes), FAULT_BAD_INPUT);
	yes.valid_until = clock_wall_ms() + 400LL * 86400 * 1000;
	assert_int_equal(answer_as(&desk, called, yes), FAULT_BAD_INPUT);
	yes.valid_until = clock_wall_ms() + 100000;
	assert_int_equal(answer_as(&desk, asked, yes), FAULT_BAD_INPUT); /* a callback has no end */
	yes.approves = false;
	assert_int_equal(answer_as(&desk, called, yes), FAULT_BAD_INPUT);
	struct inbox_answer no = no_of("ann");
	no.reason = slice_make(much, DECISION_REASON + 1);
	assert_int_equal(answer_as(&desk, called, no), FAULT_TOO_LARGE);
	no.reason = SLICE("\xff");
	assert_int_equal(answer_as(&desk, called, no), FAULT_BAD_INPUT);
	assert_int_equal(find(&desk, called)->state, DECISION_PENDING);
	yes = yes_of("ann");
	yes.answer = SLICE("{\"response\": \"b\"}");
	assert_int_equal(answer_as(&desk, asked, yes), FAULT_NONE);
	desk_restart(&desk, NULL);
	check_slice(find(&desk, asked)->answer, "{\"response\": \"b\"}");
}

static void wishes_are_bounded(void **state) {
	(void)state;
	static char much[DECISION_ARGUMENTS + 64];
	struct slice names[DECISION_NAMES + 1];
	struct fault why;
	memset(much, '1', sizeof much);
	for (size_t i = 0; i < COUNT_OF(names); i++) names[i] = SLICE("x");
	struct decision_wish good = call_wish("bot", "{}"), wish = good;
	struct {
		struct decision_wish wish;
		enum fault_code code;
		const char *words;
	} table[12];
	size_t count = 0;
#define BAD(member, value, wanted, said) \
	(wish = good, wish.member = (value), table[count].wish = wish, table[count].code = (wanted), \
		table[count++].words = (said))
	BAD(requester, SLICE_NONE, FAULT_BAD_INPUT, "requester");
	BAD(requester, slice_make(much, DECISION_NAME + 1), FAULT_TOO_LARGE, "requester");
	BAD(tool, SLICE("a\nb"), FAULT_BAD_INPUT, "tool");
	BAD(server, SLICE("\xff"), FAULT_BAD_INPUT, "server");
	BAD(message, slice_make(much, DECISION_MESSAGE + 1), FAULT_TOO_LARGE, "message");
	BAD(arguments, slice_make(much, DECISION_ARGUMENTS + 1), FAULT_TOO_LARGE, "arguments");
	BAD(arguments, SLICE("{"), FAULT_BAD_INPUT, "arguments");
	BAD(arguments, SLICE("{\"a\":{\"b\":1,\"\\u0062\":2}}"), FAULT_BAD_INPUT, "twice");
	BAD(ttl_ms, DECISION_TTL_MOST + 1, FAULT_BAD_INPUT, "365");
	BAD(permissions, names, FAULT_TOO_LARGE, "permissions");
	table[count - 1].wish.permission_count = COUNT_OF(names);
	BAD(deciders, names, FAULT_TOO_LARGE, "deciders");
	table[count - 1].wish.decider_count = COUNT_OF(names);
	for (size_t i = 0; i < count; i++) {
		assert_null(inbox_ask(desk.inbox, &table[i].wish, NULL, &why));
		assert_int_equal(why.code, table[i].code);
		assert_non_null(strstr(why.text, table[i].words));
	}
	wish = good;
	wish.arguments = slice_make(much, DECISION_ARGUMENTS);
	assert_non_null(inbox_ask(desk.inbox, &wish, NULL, &why));
}

static const struct inbox_settings narrow = {.max_open = 5, .max_open_per_requester = 2};

static int set_up_narrow(void **state) {
	(void)state;
	desk_open(&desk, &narrow);
	return 0;
}

static void open_decisions_are_bounded(void **state) {
	(void)state;
	struct fault why;
	char name[16], arguments[16];
	const char *id = NULL;
	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof name, "bot%d", i / 2);
		snprintf(arguments, sizeof arguments, "[%d]", i);
		struct decision_wish wish = call_wish(name, arguments);
		id = ask(&desk, &wish, NULL);
	}
	struct decision_wish third = call_wish("bot0", "[9]"), sixth = call_wish("bot9", "[9]");
	assert_null(inbox_ask(desk.inbox, &third, NULL, &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_non_null(strstr(why.text, "decide.max_open_per_requester"));
	assert_null(inbox_ask(desk.inbox, &sixth, NULL, &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_non_null(strstr(why.text, "decide.max_open"));
	struct decision_wish same = call_wish("bot2", "[4]");
	assert_string_equal(ask(&desk, &same, NULL), id); /* what is open already is not one more */
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	assert_non_null(inbox_ask(desk.inbox, &sixth, NULL, &why));
}

static void the_oldest_settled_ones_are_forgotten(void **state) {
	(void)state;
	static char much[DECISION_ARGUMENTS + 1];
	char first[DECISION_ID] = "", open[DECISION_ID];
	size_t count = 0;
	memset(much, '1', DECISION_ARGUMENTS);
	struct decision_wish stays = call_wish("bob", "{}");
	memcpy(open, ask(&desk, &stays, NULL), sizeof open);
	for (size_t i = 0; i < INBOX_OCTETS / DECISION_ARGUMENTS + 2; i++) {
		struct decision_wish wish = call_wish("bot", much);
		const char *id = ask(&desk, &wish, NULL);
		if (i == 0) memcpy(first, id, sizeof first);
		assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	}
	assert_null(inbox_find(desk.inbox, slice_of(first)));
	find(&desk, open);
	for (const struct decision *decision = NULL; (decision = inbox_next(desk.inbox, decision));) count++;
	assert_true(count <= INBOX_OCTETS / DECISION_ARGUMENTS);
	desk_restart(&desk, NULL);
	assert_null(inbox_find(desk.inbox, slice_of(first)));
	find(&desk, open);
}

struct ear {
	struct inbox_listener listener;
	char heard[256];
	uint64_t version;
};

static void ear_hears(struct inbox_listener *listener, const struct decision *decision) {
	struct ear *ear = CONTAINER_OF(listener, struct ear, listener);
	size_t length = strlen(ear->heard);
	snprintf(ear->heard + length, sizeof ear->heard - length, "%s ", decision_state_text(decision->state));
	assert_true(inbox_version(desk.inbox) > ear->version);
	ear->version = inbox_version(desk.inbox);
	if (strstr(ear->heard, "used used")) inbox_unlisten(listener);
}

static void listeners_hear_every_change_in_order(void **state) {
	(void)state;
	struct ear ear = {.listener.changed = ear_hears}, other = {.listener.changed = ear_hears}, none = {0};
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	inbox_listen(desk.inbox, &ear.listener);
	inbox_listen(desk.inbox, &other.listener);
	uint64_t before = inbox_version(desk.inbox);
	const char *id = ask(&desk, &wish, &bot);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, bot.told);
	id = ask(&desk, &wish, &bot);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, bot.told);
	inbox_unlisten(&other.listener);
	inbox_unlisten(&other.listener);
	inbox_unlisten(&none.listener);
	id = ask(&desk, &wish, NULL);
	assert_string_equal(ear.heard, "pending approved used pending denied pending ");
	assert_string_equal(other.heard, "pending approved used pending denied ");
	inbox_unlisten(&ear.listener);
	desk_restart(&desk, NULL);
	assert_true(inbox_version(desk.inbox) > before);
}

static void in_the_file(const char *sql) {
	char path[128];
	sqlite3 *database;
	snprintf(path, sizeof path, "%s/state.db", desk.folder);
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	sqlite3_busy_timeout(database, PATIENCE_MS);
	assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
}

static void what_cannot_be_stored_did_not_happen(void **state) {
	(void)state;
	struct hearer bot;
	struct fault why;
	struct decision_wish wish = call_wish("bot", "{}"), other = call_wish("bot", "[]");
	const char *id = ask(&desk, &wish, &bot), *left;
	in_the_file("ALTER TABLE decisions RENAME TO elsewhere");
	assert_null(inbox_ask(desk.inbox, &other, NULL, &why));
	assert_int_not_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	assert_int_equal(inbox_open_count(desk.inbox), 1);
	in_the_file("ALTER TABLE elsewhere RENAME TO decisions");
	left = ask(&desk, &other, NULL);
	assert_int_equal(answer_as(&desk, left, yes_of("ann")), FAULT_NONE);
	assert_int_equal(answer_as(&desk, id, yes_of("ann")), FAULT_NONE);
	in_the_file("ALTER TABLE decisions RENAME TO elsewhere");
	/* A use that could not be noted could be a second one after a restart. */
	assert_null(inbox_approval(desk.inbox, &other));
	DESK_UNTIL(&desk, bot.told);
	assert_false(bot.is_yes);
	in_the_file("ALTER TABLE elsewhere RENAME TO decisions");
	assert_non_null(inbox_approval(desk.inbox, &other));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(an_approval_is_told_once_and_used_once),
		TEST(a_denial_holds_its_reason),
		TEST(nobody_answers_its_own_question),
		TEST(only_who_is_named_approves),
		TEST(other_arguments_are_another_question),
		TEST(an_approval_with_an_end_holds_until_then),
		TEST(an_approval_ends_by_itself),
		TEST(no_answer_is_a_no),
		TEST(what_expired_while_away_is_a_no),
		TEST(a_restart_loses_nothing_and_grants_nothing),
		TEST(an_answer_is_not_lost_with_its_asker),
		TEST(a_question_is_taken_back),
		TEST(what_is_taken_back_at_the_end_stays),
		TEST(a_revocation_before_the_telling_is_a_no),
		TEST(one_question_at_a_time),
		TEST(permissions_are_granted_in_part),
		TEST(an_approval_left_of_permissions_is_taken_once),
		TEST(what_is_said_is_checked),
		TEST(a_callback_ends_with_the_run_that_asked),
		TEST(wishes_are_bounded),
		cmocka_unit_test_setup_teardown(open_decisions_are_bounded, set_up_narrow, tear_down),
		TEST(the_oldest_settled_ones_are_forgotten),
		TEST(listeners_hear_every_change_in_order),
		TEST(what_cannot_be_stored_did_not_happen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
