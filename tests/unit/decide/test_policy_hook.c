/* SPDX-License-Identifier: Apache-2.0 */
#include "decide_rig.h"

#include "decide/policy_answer.h"
#include "net/launcher.h"

static struct desk desk;
static struct receiver receiver;
static char url[64], script[128];
static const char *by_url[] = {url, NULL}, *by_program[] = {"/bin/sh", script, NULL};
static struct inbox_settings settings;

static int set_up(void **state) {
	(void)state;
	receiver_open(&receiver);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/policy", receiver.port);
	settings = (struct inbox_settings){.policy_hook = by_url, .hook_deadline_ms = PATIENCE_MS};
	desk_open(&desk, &settings);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	desk_close(&desk);
	receiver_close(&receiver);
	return 0;
}

static void write_script(const char *text) {
	snprintf(script, sizeof script, "%s/hook.sh", desk.folder);
	FILE *file = fopen(script, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	struct fault why;
	settings.policy_hook = by_program;
	if (!inbox_change(desk.inbox, &settings, &why)) fail_msg("%s", why.text);
}

struct ear {
	struct inbox_listener listener;
	unsigned opened;
};

static void ear_hears(struct inbox_listener *listener, const struct decision *decision) {
	if (decision->state == DECISION_PENDING) CONTAINER_OF(listener, struct ear, listener)->opened++;
}

static void answers_are_read_strictly(void **state) {
	(void)state;
	static const struct {
		const char *text;
		bool is_read;
		enum policy_verdict verdict;
	} table[] = {
		{"{\"decision\":\"allow\"}", true, POLICY_ALLOW},
		{"{\"decision\":\"deny\",\"reason\":\"no\"}", true, POLICY_DENY},
		{"{\"decision\":\"ask\",\"more\":{}}", true, POLICY_ASK},
		{"{\"decision\":\"Allow\"}", false, POLICY_ASK},
		{"{\"decision\":true}", false, POLICY_ASK},
		{"{\"decision\":\"deny\",\"decision\":\"allow\"}", false, POLICY_ASK},
		{"{}", false, POLICY_ASK},
		{"[\"allow\"]", false, POLICY_ASK},
		{"allow", false, POLICY_ASK},
		{"", false, POLICY_ASK},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct policy_answer answer;
		struct arena arena;
		struct fault why;
		char lent[512];
		arena_init(&arena, lent, sizeof lent, 0);
		assert_int_equal(policy_answer_read(slice_of(table[i].text), &arena, &answer, &why), table[i].is_read);
		if (table[i].is_read) assert_int_equal(answer.verdict, table[i].verdict);
		arena_finish(&arena);
	}
}

static void a_place_says_yes_or_no(void **state) {
	(void)state;
	struct hearer bot;
	struct ear ear = {.listener.changed = ear_hears};
	struct decision_wish wish = call_wish("bot", "{\"n\":1}"), other = call_wish("bot", "{\"n\":2}");
	inbox_listen(desk.inbox, &ear.listener);
	receiver.answer = "{\"decision\":\"allow\",\"reason\":\"by rule 7\"}";
	const char *id = ask(&desk, &wish, &bot);
	DESK_UNTIL(&desk, bot.told);
	assert_true(bot.is_yes);
	check_slice(find(&desk, id)->decided_by, "system:policy-hook");
	check_slice(find(&desk, id)->reason, "by rule 7");
	assert_non_null(strstr(receiver.received[0].body, "\"arguments\":{\"n\":1}"));
	assert_int_equal(ear.opened, 0); /* no person was asked */
	receiver.answer = "{\"decision\":\"deny\"}";
	ask(&desk, &other, &bot);
	DESK_UNTIL(&desk, bot.told);
	assert_false(bot.is_yes);
	inbox_unlisten(&ear.listener);
}

static void anything_else_asks_people(void **state) {
	(void)state;
	static const char *const answers[] = {"{\"decision\":\"ask\"}", "", "yes", "{\"decision\":\"allow\""};
	struct ear ear = {.listener.changed = ear_hears};
	inbox_listen(desk.inbox, &ear.listener);
	receiver.statuses[COUNT_OF(answers)] = 500;
	for (size_t i = 0; i <= COUNT_OF(answers); i++) {
		struct hearer bot;
		struct decision_wish wish = call_wish("bot", "{}");
		receiver.answer = i < COUNT_OF(answers) ? answers[i] : "{\"decision\":\"allow\"}";
		const char *id = ask(&desk, &wish, &bot);
		DESK_UNTIL(&desk, ear.opened == i + 1);
		assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
		assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
		DESK_UNTIL(&desk, bot.told);
	}
	inbox_unlisten(&ear.listener);
}

/* Where the tool's owner names who decides, and where an answer is wanted, a rule says no at most. */
static void it_says_yes_for_nobody_who_is_named(void **state) {
	(void)state;
	const struct slice deciders[] = {SLICE("olga")};
	struct ear ear = {.listener.changed = ear_hears};
	struct decision_wish wish = call_wish("bot", "{}"), callback = call_wish("bot", "{}");
	wish.deciders = deciders;
	wish.decider_count = 1;
	callback.kind = DECISION_CALLBACK;
	inbox_listen(desk.inbox, &ear.listener);
	receiver.answer = "{\"decision\":\"allow\"}";
	const char *id = ask(&desk, &wish, NULL), *second = ask(&desk, &callback, NULL);
	DESK_UNTIL(&desk, ear.opened == 2);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	assert_int_equal(find(&desk, second)->state, DECISION_PENDING);
	inbox_unlisten(&ear.listener);
}

static void silence_is_ask(void **state) {
	(void)state;
	struct ear ear = {.listener.changed = ear_hears};
	struct decision_wish wish = call_wish("bot", "{}");
	inbox_listen(desk.inbox, &ear.listener);
	settings.hook_deadline_ms = 30;
	write_script("exec sleep 1000\n");
	const char *id = ask(&desk, &wish, NULL);
	assert_int_equal(ear.opened, 0);
	DESK_UNTIL(&desk, ear.opened == 1);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	inbox_unlisten(&ear.listener);
}

static void a_person_may_be_quicker(void **state) {
	(void)state;
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	write_script("exec sleep 1000\n");
	const char *id = ask(&desk, &wish, &bot);
	assert_int_equal(answer_as(&desk, id, no_of("ann")), FAULT_NONE);
	DESK_UNTIL(&desk, bot.told);
	assert_int_equal(find(&desk, id)->state, DECISION_DENIED);
}

#define ID "id=$(expr \"$line\" : '{\"id\":\"\\([^\"]*\\)')\n"

static void one_process_answers_line_by_line(void **state) {
	(void)state;
	struct hearer bots[3];
	write_script("while read -r line; do\n" ID
		     "case $line in\n"
		     "*'\"n\":2'*) word=deny;;\n"
		     "*) word=allow;;\n"
		     "esac\n"
		     "echo 'no answer'\n"
		     "printf '{\"id\":\"%s\",\"decision\":\"%s\",\"reason\":\"%s\"}\\n' \"$id\" $word $$\n"
		     "done\n");
	const char *first = NULL;
	char process[32];
	for (int i = 0; i < 3; i++) {
		char arguments[32];
		snprintf(arguments, sizeof arguments, "{\n\"n\":%d}", i + 1);
		struct decision_wish wish = call_wish("bot", arguments);
		const char *id = ask(&desk, &wish, &bots[i]);
		DESK_UNTIL(&desk, bots[i].told);
		assert_int_equal(bots[i].is_yes, i != 1);
		if (!first) {
			first = id;
			snprintf(process, sizeof process, "%.*s", SLICE_ARGS(find(&desk, id)->reason));
		}
		check_slice(find(&desk, id)->reason, process); /* one process all along */
	}
}

static void a_process_that_ends_asks_people_and_is_started_again(void **state) {
	(void)state;
	struct ear ear = {.listener.changed = ear_hears};
	struct hearer bot;
	struct decision_wish wish = call_wish("bot", "{}");
	char marker[128], text[512];
	inbox_listen(desk.inbox, &ear.listener);
	snprintf(marker, sizeof marker, "%s/ran", desk.folder);
	snprintf(text, sizeof text,
		"[ -e %s ] || { touch %s; exit 3; }\n"
		"while read -r line; do\n" ID "printf '{\"id\":\"%%s\",\"decision\":\"allow\"}\\n' \"$id\"; done\n",
		marker, marker);
	write_script(text);
	const char *id = ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, ear.opened == 1);
	assert_int_equal(find(&desk, id)->state, DECISION_PENDING);
	/* At first it is not started again: people are asked at once. Later it is. */
	unsigned tries = 0;
	do {
		struct decision_wish next = call_wish("bob", "{}");
		ask(&desk, &next, &bot);
		for (int i = 0; i < 20 && !bot.told; i++) loop_step(desk.loop, 5);
		if (!bot.told) inbox_withdraw(desk.inbox, &bot.asker);
		assert_true(++tries < 600);
	} while (!bot.told);
	assert_true(bot.is_yes);
	inbox_unlisten(&ear.listener);
}

static void what_is_no_hook_is_refused(void **state) {
	(void)state;
	const char *two[] = {"https://example.org/", "more", NULL}, *nothing[] = {"", NULL};
	struct inbox_settings bad = settings;
	struct fault why;
	bad.policy_hook = two;
	assert_false(inbox_change(desk.inbox, &bad, &why));
	bad.policy_hook = nothing;
	assert_false(inbox_change(desk.inbox, &bad, &why));
	/* A program that is not there: people are asked. */
	const char *missing[] = {"/nowhere/hook", NULL};
	struct ear ear = {.listener.changed = ear_hears};
	struct decision_wish wish = call_wish("bot", "{}");
	bad.policy_hook = missing;
	assert_true(inbox_change(desk.inbox, &bad, &why));
	inbox_listen(desk.inbox, &ear.listener);
	ask(&desk, &wish, NULL);
	DESK_UNTIL(&desk, ear.opened == 1);
	inbox_unlisten(&ear.listener);
}

static void a_reload_asks_people_what_the_old_hook_was_asked(void **state) {
	(void)state;
	struct ear ear = {.listener.changed = ear_hears};
	struct inbox_settings none = {0};
	struct decision_wish wish = call_wish("bot", "{}");
	struct fault why;
	inbox_listen(desk.inbox, &ear.listener);
	write_script("exec sleep 1000\n");
	ask(&desk, &wish, NULL);
	assert_int_equal(ear.opened, 0);
	assert_true(inbox_change(desk.inbox, &none, &why));
	assert_int_equal(ear.opened, 1);
	inbox_unlisten(&ear.listener);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(answers_are_read_strictly),
		TEST(a_place_says_yes_or_no),
		TEST(anything_else_asks_people),
		TEST(it_says_yes_for_nobody_who_is_named),
		TEST(silence_is_ask),
		TEST(a_person_may_be_quicker),
		TEST(one_process_answers_line_by_line),
		TEST(a_process_that_ends_asks_people_and_is_started_again),
		TEST(what_is_no_hook_is_refused),
		TEST(a_reload_asks_people_what_the_old_hook_was_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
