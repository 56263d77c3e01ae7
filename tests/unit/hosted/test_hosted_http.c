/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted_rig.h"

#include "net/child.h"

/* A remote server: the test server as a child of this test, and its port. */
struct remote {
	struct hosted_rig rig;
	struct child *child;
	char url[64];
};

static void took_port(void *context, struct slice line) {
	struct remote *remote = context;
	snprintf(remote->url, sizeof remote->url, "http://127.0.0.1:%.*s/mcp", SLICE_ARGS(line));
}

static void is_gone(void *context, int status, const struct fault *why) {
	(void)context;
	(void)status;
	fail_msg("the remote server %s", why->text);
}

static void remote_run(struct remote *remote, const char *era) {
	static const struct child_events events = {.line = took_port, .ended = is_gone};
	memset(remote, 0, sizeof *remote);
	struct hosted_rig *rig = &remote->rig;
	rig_open(rig);
	const struct child_options options = {
		.arguments = WORDS(rig->program, "--http", "--era", era)};
	remote->child = child_open(rig->loop, &options, &events, remote, NULL);
	assert_non_null(remote->child);
	rig_until(rig, remote->url[0]);

	const struct hosted_settings settings = {.id = "remote", .url = remote->url, .back_off_ms = 1, .headers = WORDS("Authorization: Bearer secret")};
	rig->hosted = hosted_add(rig->servers, &settings, NULL);
	assert_non_null(rig->hosted);
	assert_true(hosted_start(rig->hosted, NULL));
	rig_until(rig, hosted_state(rig->hosted) == HOSTED_CONNECTED && hosted_is_known(rig->hosted));
}

static void remote_close(struct remote *remote) {
	hosted_servers_close(remote->rig.servers);
	child_close(remote->child);
	loop_close(remote->rig.loop);
}

static void a_call_goes_over_http_in_either_era(void **state) {
	(void)state;
	static const char *const eras[] = {"legacy", "modern"};
	for (size_t i = 0; i < COUNT_OF(eras); i++) {
		struct remote remote;
		struct rig_ask made;
		remote_run(&remote, eras[i]);
		assert_int_equal(hosted_speaks(remote.rig.hosted, HOSTED_MODERN), i == 1);
		rig_ask(&remote.rig, &made, "ann", "echo");
		check_has(&made, "1e400");
		rig_ask(&remote.rig, &made, "ann", "steps");
		assert_int_equal(made.progressed, 3);
		rig_begin(&made, "ann");
		rig_call(remote.rig.hosted, &made, "ask");
		rig_until(&remote.rig, made.questioned);
		hosted_question_answer(made.question, SLICE("{\"action\":\"accept\"}"));
		rig_until(&remote.rig, made.answered);
		check_has(&made, "accept");
		assert_int_equal(hosted_process(remote.rig.hosted), 0);
		remote_close(&remote);
	}
}

static void a_server_that_forgets_the_session_is_introduced_to_again(void **state) {
	(void)state;
	struct remote remote;
	struct rig_ask made;
	remote_run(&remote, "legacy");
	rig_ask(&remote.rig, &made, "ann", "forget");
	check_has(&made, "forgotten");
	rig_ask(&remote.rig, &made, "ann", "echo"); /* and nobody notices */
	check_has(&made, "1e400");
	assert_int_equal(hosted_restarts(remote.rig.hosted), 0);
	rig_until(&remote.rig, hosted_children(remote.rig.hosted) == 1);
	remote_close(&remote);
}

static void what_a_remote_server_refuses_is_its_error(void **state) {
	(void)state;
	struct remote remote;
	struct hosted *hosted;
	remote_run(&remote, "legacy");
	struct hosted_settings settings = {.id = "stranger", .url = remote.url, .restart = HOSTED_RESTART_NEVER};
	hosted = hosted_add(remote.rig.servers, &settings, NULL);
	assert_non_null(hosted);
	assert_true(hosted_start(hosted, NULL));
	rig_until(&remote.rig, hosted_state(hosted) == HOSTED_ERROR);
	assert_non_null(strstr(hosted_reason(hosted), "401"));
	settings.url = "ftp://127.0.0.1/";
	settings.id = "ftp";
	assert_null(hosted_add(remote.rig.servers, &settings, NULL));
	remote_close(&remote);
}

static void stopping_leaves_the_session(void **state) {
	(void)state;
	struct remote remote;
	remote_run(&remote, "legacy");
	assert_true(hosted_stop(remote.rig.hosted, 1000, NULL));
	rig_until(&remote.rig, hosted_state(remote.rig.hosted) == HOSTED_DISCONNECTED);
	assert_int_equal(hosted_children(remote.rig.hosted), 0);
	remote_close(&remote);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_goes_over_http_in_either_era),
		cmocka_unit_test(a_server_that_forgets_the_session_is_introduced_to_again),
		cmocka_unit_test(what_a_remote_server_refuses_is_its_error),
		cmocka_unit_test(stopping_leaves_the_session),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
