/* SPDX-License-Identifier: Apache-2.0 */
/* Who may use what: grants before policies, their ends, and what another process writes; pins beside them. */
#include "check.h"

#include "base/clock.h"
#include "kernel/access.h"
#include "kernel/pins.h"
#include "store/grant_rows.h"
#include "store/permission_rows.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct desk {
	char folder[64];
	struct loop *loop;
	struct state *state;
	struct access *access;
	struct access_listener listener;
	unsigned changed;
} desk;
static struct log quiet = {2, LOG_ERROR};

static void changed(struct access_listener *listener, struct slice agent, struct slice server) {
	(void)listener, (void)agent, (void)server;
	desk.changed++;
}

static int set_up(void **state) {
	(void)state;
	struct fault why = {0};
	memset(&desk, 0, sizeof desk);
	snprintf(desk.folder, sizeof desk.folder, "/tmp/hustings-access-XXXXXX");
	assert_non_null(mkdtemp(desk.folder));
	assert_non_null(desk.loop = loop_open(&why));
	assert_non_null(desk.state = state_open(desk.folder, &why));
	assert_non_null(desk.access = access_open(desk.state, desk.loop, &quiet, &why));
	desk.listener.changed = changed;
	access_listen(desk.access, &desk.listener);
	return 0;
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static int tear_down(void **state) {
	(void)state;
	access_unlisten(&desk.listener);
	access_close(desk.access);
	state_close(desk.state);
	loop_close(desk.loop);
	nftw(desk.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

static struct access_grant grant_of(const char *agent, const char *server, const char *tool, bool is_allowed) {
	return (struct access_grant){
		.entry = tool ? ACCESS_TOOL_GRANT : ACCESS_SERVER_GRANT,
		.is_allowed = is_allowed,
		.agent = slice_of(agent),
		.server = slice_of(server),
		.tool = tool ? slice_of(tool) : SLICE_NONE,
		.granted_by = SLICE("root"),
		.granted_at = clock_wall_ms(),
	};
}

static enum fault_code put(struct access_grant grant) {
	struct fault why = {0};
	return access_grant(desk.access, &grant, &why) ? FAULT_NONE : why.code;
}

static struct access_answer ask(const char *agent, const char *tool, enum access_policy policy) {
	return access_ask(desk.access, slice_of(agent), SLICE("files"), slice_of(tool), policy);
}

static void the_tool_comes_before_the_server_and_that_before_the_policy(void **state) {
	(void)state;
	assert_false(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_true(ask("ann", "read", ACCESS_OPT_OUT).is_allowed);
	assert_int_equal(ask("ann", "read", ACCESS_OPT_IN).source, ACCESS_FROM_POLICY);
	assert_int_equal(put(grant_of("ann", "files", NULL, true)), FAULT_NONE);
	assert_true(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_int_equal(ask("ann", "read", ACCESS_OPT_IN).source, ACCESS_FROM_SERVER);
	assert_int_equal(put(grant_of("ann", "files", "read", false)), FAULT_NONE);
	assert_false(ask("ann", "read", ACCESS_OPT_OUT).is_allowed);
	assert_int_equal(ask("ann", "read", ACCESS_OPT_OUT).source, ACCESS_FROM_TOOL);
	assert_true(ask("ann", "write", ACCESS_OPT_IN).is_allowed);
	assert_false(ask("bob", "write", ACCESS_OPT_IN).is_allowed);
	assert_int_equal(put(grant_of("ann", "files", NULL, false)), FAULT_NONE); /* in place of the other */
	assert_false(ask("ann", "write", ACCESS_OPT_OUT).is_allowed);
	assert_int_equal(desk.changed, 3);
}

static void one_tool_is_something(void **state) {
	(void)state;
	assert_int_equal(put(grant_of("ann", "files", "read", true)), FAULT_NONE);
	assert_false(ask("ann", "", ACCESS_OPT_IN).is_allowed);
	assert_true(access_has_any(desk.access, SLICE("ann"), SLICE("files"), ACCESS_OPT_IN));
	assert_false(access_has_any(desk.access, SLICE("ann"), SLICE("other"), ACCESS_OPT_IN));
	assert_false(access_has_any(desk.access, SLICE("bob"), SLICE("files"), ACCESS_OPT_IN));
	assert_true(access_has_any(desk.access, SLICE("bob"), SLICE("files"), ACCESS_OPT_OUT));
}

static void what_has_ended_is_none(void **state) {
	(void)state;
	struct access_grant grant = grant_of("ann", "files", NULL, true);
	grant.expires_at = clock_wall_ms() + 60;
	assert_int_equal(put(grant), FAULT_NONE);
	unsigned before = desk.changed;
	uint64_t end = clock_monotonic_ms() + 30000;
	while ((desk.changed == before || clock_wall_ms() < grant.expires_at) && clock_monotonic_ms() < end) loop_step(desk.loop, 20);
	assert_true(desk.changed > before); /* lists are old */
	assert_false(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_false(access_has_any(desk.access, SLICE("ann"), SLICE("files"), ACCESS_OPT_IN));
	assert_int_equal(put(grant), FAULT_BAD_INPUT); /* it has ended before it begins */
}

static void what_another_process_writes_counts_soon(void **state) {
	(void)state;
	struct fault why = {0};
	struct state *other = state_open(desk.folder, &why);
	const struct grant_row row = {.agent = SLICE("ann"), .server = SLICE("files"), .is_allowed = true, .granted_by = SLICE("root")};
	assert_false(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_true(grant_row_put(other, &row, &why));
	uint64_t end = clock_monotonic_ms() + 30000;
	while (!ask("ann", "read", ACCESS_OPT_IN).is_allowed && clock_monotonic_ms() < end) loop_step(desk.loop, 20);
	assert_true(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_true(desk.changed > 0);
	assert_true(grant_row_remove(other, SLICE("ann"), SLICE("files"), SLICE_NONE, NULL, &why));
	end = clock_monotonic_ms() + 30000;
	while (ask("ann", "read", ACCESS_OPT_IN).is_allowed && clock_monotonic_ms() < end) loop_step(desk.loop, 20);
	assert_false(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	state_close(other);
}

static void grants_outlive_a_restart_and_are_revoked_once(void **state) {
	(void)state;
	struct fault why = {0};
	assert_int_equal(put(grant_of("ann", "files", NULL, true)), FAULT_NONE);
	access_unlisten(&desk.listener);
	access_close(desk.access);
	assert_non_null(desk.access = access_open(desk.state, desk.loop, &quiet, &why));
	access_listen(desk.access, &desk.listener);
	assert_true(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_false(access_revoke(desk.access, ACCESS_TOOL_GRANT, SLICE("ann"), SLICE("files"), SLICE("read"), &why));
	assert_int_equal(why.code, FAULT_NOT_FOUND);
	assert_true(access_revoke(desk.access, ACCESS_SERVER_GRANT, SLICE("ann"), SLICE("files"), SLICE_NONE, &why));
	assert_false(ask("ann", "read", ACCESS_OPT_IN).is_allowed);
	assert_false(access_revoke(desk.access, ACCESS_SERVER_GRANT, SLICE("ann"), SLICE("files"), SLICE_NONE, &why));
}

static void what_is_no_grant_is_refused(void **state) {
	(void)state;
	char words[ACCESS_JUSTIFICATION + 2];
	struct access_grant grant = grant_of("ann", "files", "read", true);
	memset(words, 'x', sizeof words);
	assert_int_equal(put(grant_of("", "files", NULL, true)), FAULT_BAD_INPUT);
	assert_int_equal(put(grant_of("a\nb", "files", NULL, true)), FAULT_BAD_INPUT);
	assert_int_equal(put(grant_of("ann", "", NULL, true)), FAULT_BAD_INPUT);
	assert_int_equal(put(grant_of("ann", "files", "", true)), FAULT_BAD_INPUT);
	grant.entry = ACCESS_SERVER_GRANT;
	assert_int_equal(put(grant), FAULT_BAD_INPUT);
	grant = grant_of("ann", "files", NULL, true);
	grant.justification = slice_make(words, ACCESS_JUSTIFICATION + 1);
	assert_int_equal(put(grant), FAULT_BAD_INPUT);
	grant.agent = slice_make(words, 129);
	assert_int_equal(put(grant), FAULT_BAD_INPUT);
	assert_int_equal(desk.changed, 0);
}

static bool count_one(void *context, const struct access_grant *grant) {
	(void)grant;
	return ++*(unsigned *)context < 2;
}

static void a_walk_may_be_narrowed_and_ended(void **state) {
	(void)state;
	static const char *const servers[] = {"files", "files2", "files3"};
	unsigned count = 0;
	AUTO_TEXT struct text to = {0};
	for (size_t i = 0; i < COUNT_OF(servers); i++) assert_int_equal(put(grant_of("ann", servers[i], NULL, true)), FAULT_NONE);
	access_each(desk.access, SLICE("ann"), SLICE_NONE, count_one, &count);
	assert_int_equal(count, 2);
	count = 0;
	access_each(desk.access, SLICE_NONE, SLICE("files2"), count_one, &count);
	assert_int_equal(count, 1);
	count = 0;
	access_each(desk.access, SLICE("bob"), SLICE_NONE, count_one, &count);
	assert_int_equal(count, 0);
	struct access_grant grant = grant_of("a\"n", "files", NULL, false);
	grant.granted_at = 0;
	text_init(&to, 0);
	access_write_grant(&to, &grant);
	check_text(&to, "{\"entry_type\":\"server_grant\",\"agent_id\":\"a\\\"n\",\"server_id\":\"files\",\"tool_name\":null,\"permission\":\"deny\","
			"\"granted_by\":\"root\",\"granted_at\":null,\"justification\":null,\"expires_at\":null}");
}

/* ---- The rows beside them ---- */

static void pins_are_of_one_server_and_era(void **state) {
	(void)state;
	struct fault why = {0};
	struct pins *pins = pins_open(desk.state, SLICE("files"), HOSTED_LEGACY, &why);
	assert_null(pins_find(pins, SLICE("read")).bytes);
	assert_true(pins_put(pins, SLICE("read"), SLICE("{\"a\":1}"), SLICE_NONE, &why));
	assert_true(pins_put(pins, SLICE("read"), SLICE("{\"a\":2}"), SLICE("root"), &why));
	check_slice(pins_find(pins, SLICE("read")), "{\"a\":2}");
	pins_close(pins);
	assert_non_null(pins = pins_open(desk.state, SLICE("files"), HOSTED_LEGACY, &why));
	check_slice(pins_find(pins, SLICE("read")), "{\"a\":2}");
	pins_close(pins);
	assert_non_null(pins = pins_open(desk.state, SLICE("files"), HOSTED_MODERN, &why));
	assert_null(pins_find(pins, SLICE("read")).bytes);
	pins_close(pins);
	assert_true(pin_row_remove(desk.state, SLICE("files"), &why));
	assert_non_null(pins = pins_open(desk.state, SLICE("files"), HOSTED_LEGACY, &why));
	assert_null(pins_find(pins, SLICE("read")).bytes);
	pins_close(pins);
}

static bool seen(void *context, const struct permission_row *row) {
	struct text *to = context;
	text_printf(to, "%.*s %.*s %.*s %lld;", SLICE_ARGS(row->permission), SLICE_ARGS(row->state), SLICE_ARGS(row->decided_by),
		(long long)row->expires_at);
	return true;
}

static void permission_rows_are_of_one_server(void **state) {
	(void)state;
	struct fault why = {0};
	AUTO_TEXT struct text to = {0};
	struct permission_row row = {.permission = SLICE("camera"), .state = SLICE("approved"), .decided_by = SLICE("root"), .decided_at = 1, .expires_at = 9};
	text_init(&to, 0);
	assert_true(permission_row_put(desk.state, SLICE("files"), &row, &why));
	row.state = SLICE("revoked");
	assert_true(permission_row_put(desk.state, SLICE("files"), &row, &why));
	assert_true(permission_row_put(desk.state, SLICE("other"), &row, &why));
	assert_true(permission_row_each(desk.state, SLICE("files"), seen, &to, &why));
	check_text(&to, "camera revoked root 9;");
	text_clear(&to);
	assert_true(permission_row_remove(desk.state, SLICE("files"), &why));
	assert_true(permission_row_each(desk.state, SLICE("files"), seen, &to, &why));
	assert_int_equal(to.length, 0);
	assert_true(permission_row_each(desk.state, SLICE("other"), seen, &to, &why));
	assert_true(to.length > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(the_tool_comes_before_the_server_and_that_before_the_policy),
		TEST(one_tool_is_something),
		TEST(what_has_ended_is_none),
		TEST(what_another_process_writes_counts_soon),
		TEST(grants_outlive_a_restart_and_are_revoked_once),
		TEST(what_is_no_grant_is_refused),
		TEST(a_walk_may_be_narrowed_and_ended),
		TEST(pins_are_of_one_server_and_era),
		TEST(permission_rows_are_of_one_server),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
