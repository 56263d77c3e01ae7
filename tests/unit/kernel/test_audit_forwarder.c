/* SPDX-License-Identifier: Apache-2.0 */
/* Audit events on their way to a hosted server, which writes down what it is told. */
#include "hosted/hosted_rig.h"

#include "kernel/audit_forwarder.h"
#include "kernel/governed.h"
#include "store/audit_listener.h"

#include <ftw.h>

#define RECORDS "tee -a \"$0\" | exec \"$1\""
/* Reads no more once it was told of an event. */
#define STALLS \
	"while read -r line; do printf '%s\\n' \"$line\" >>\"$0\"; printf '%s\\n' \"$line\"; " \
	"case \"$line\" in *mgp.audit*) sleep 600;; esac; done | exec \"$1\""

/* A rig with a trail, a server "audit" that is governed, and the forwarder. */
struct trail {
	struct hosted_rig rig;
	char folder[64];
	char told[100]; /* a file */
	struct store *store;
	struct kernel_means means;
	struct governed governed;
	struct audit_forwarder *forwarder;
	struct audit_listener listener;
	unsigned dropped_records;
	int64_t dropped_events;
};

static const struct hosted_governor governor = {0};
static struct trail trail;

static void heard(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	(void)listener;
	(void)moment;
	if (!slice_is(record->event, "dev.hustings.audit_dropped") || record->actor.length) return;
	check_slice(record->server_id, "audit");
	check_slice(record->result, "FAILED");
	trail.dropped_records++;
	trail.dropped_events += record->count;
}

static int set_up(void **state) {
	struct fault why;
	(void)state;
	memset(&trail, 0, sizeof trail);
	snprintf(trail.folder, sizeof trail.folder, "/tmp/hustings-forward-XXXXXX");
	assert_non_null(mkdtemp(trail.folder));
	snprintf(trail.told, sizeof trail.told, "%s/told", trail.folder);
	rig_open(&trail.rig);
	hosted_servers_govern(trail.rig.servers, &governor);
	const struct store_options options = {.directory = trail.folder, .spools = 1};
	assert_non_null(trail.store = store_open(&options, &why));
	trail.means = (struct kernel_means){
		.loop = trail.rig.loop,
		.servers = trail.rig.servers,
		.spool = store_spool(trail.store, 0),
	};
	assert_non_null(trail.forwarder = audit_forwarder_open(&trail.means, trail.store, &why));
	trail.listener.told = heard;
	assert_true(audit_listen(trail.store, trail.rig.loop, &trail.listener, &why));
	return 0;
}

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static int tear_down(void **state) {
	(void)state;
	audit_unlisten(&trail.listener);
	audit_forwarder_close(trail.forwarder);
	hosted_servers_close(trail.rig.servers);
	loop_step(trail.rig.loop, 0);
	store_close(trail.store);
	loop_close(trail.rig.loop);
	nftw(trail.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

/* ---- Doing ---- */

static void start(const char *id, const char *script, unsigned extensions) {
	const char *const arguments[] = {"/bin/sh", "-c", script, trail.told, trail.rig.program, NULL};
	const struct hosted_settings settings = {
		.id = id,
		.arguments = arguments,
		.eras = HOSTED_ERA_ONLY_LEGACY,
		.children = 1,
		.stop_ms = 1,
		.back_off_ms = 1,
	};
	struct fault why = {0};
	struct hosted *hosted = hosted_add(trail.rig.servers, &settings, &why);
	if (!hosted) fail_msg("%s", why.text);
	trail.governed = (struct governed){.means = &trail.means, .hosted = hosted};
	trail.governed.agreed[HOSTED_LEGACY] = (struct mgp_agreed){.is_active = extensions != 0, .extensions = extensions};
	hosted_set_governed(hosted, &trail.governed);
	if (!hosted_start(hosted, &why)) fail_msg("%s", why.text);
	trail.rig.hosted = hosted;
}

static void aim(const char *server) {
	struct fault why = {0};
	if (!audit_forwarder_aim(trail.forwarder, server, &why)) fail_msg("%s", why.text);
}

static void happens(const char *event, const char *actor, const char *source, struct slice details) {
	const struct audit_record record = {
		.event = slice_of(event),
		.actor = slice_of(actor),
		.actor_type = SLICE("agent"),
		.server_id = SLICE("files"),
		.tool_name = SLICE("read"),
		.result = AUDIT_SUCCESS,
		.source = slice_of(source),
		.details = details,
	};
	struct fault why = {0};
	if (!audit_add(trail.means.spool, &record, &why)) fail_msg("%s", why.text);
}

/* How often the server was told these words so far; *last is where the last of them begins, in octets. */
static unsigned told(const char *words, long *last) {
	char line[200000];
	unsigned count = 0;
	FILE *file = fopen(trail.told, "r");
	if (!file) return 0;
	for (long at = 0; fgets(line, sizeof line, file); at = ftell(file)) {
		if (!strstr(line, words)) continue;
		count++;
		if (last) *last = at;
	}
	fclose(file);
	return count;
}

static bool has_told(const char *words) { return told(words, NULL) > 0; }

/* ---- Tests ---- */

static void what_came_before_the_server_was_there_is_told_in_its_order(void **state) {
	(void)state;
	long first = 0, second = 0, third = 0;
	aim("audit");
	happens("TOOL_EXECUTED", "ann", "", SLICE("{\"duration_ms\":12}"));
	happens("joined", "bob", "", SLICE_NONE);
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) == 2);
	start("audit", RECORDS, MGP_AUDIT);
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) == 0);
	happens("TOOL_BLOCKED", "eve", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("TOOL_BLOCKED"));
	assert_int_equal(told("\"method\":\"notifications/mgp.audit\"", NULL), 3);
	assert_int_equal(told("\"event_type\":\"TOOL_EXECUTED\",\"actor\":{\"type\":\"agent\",\"id\":\"ann\"}", &first), 1);
	assert_int_equal(told("\"id\":\"bob\"", &second), 1);
	assert_int_equal(told("\"id\":\"eve\"", &third), 1);
	assert_true(first < second && second < third);
	assert_int_equal(told("\"duration_ms\":12", NULL), 1);
	assert_int_equal(audit_forwarder_dropped(trail.forwarder), 0);
}

static void it_is_not_told_its_own_claims(void **state) {
	(void)state;
	aim("audit");
	start("audit", RECORDS, MGP_AUDIT);
	happens("TOOL_EXECUTED", "mine", "server:audit", SLICE_NONE);
	happens("TOOL_EXECUTED", "longer", "server:audit2", SLICE_NONE);
	happens("dev.hustings.audit_dropped", "drop", "", SLICE_NONE);
	happens("TOOL_EXECUTED", "last", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("\"id\":\"last\""));
	assert_int_equal(told("\"source\":\"server:audit2\"", NULL), 1);
	assert_int_equal(told("\"id\":\"mine\"", NULL), 0);
	assert_int_equal(told("audit_dropped", NULL), 0);
}

static void who_has_not_agreed_on_audit_is_told_nothing(void **state) {
	(void)state;
	aim("audit");
	start("audit", RECORDS, MGP_LIFECYCLE);
	happens("TOOL_EXECUTED", "ann", "", SLICE_NONE);
	rig_until(&trail.rig, hosted_state(trail.rig.hosted) == HOSTED_CONNECTED && audit_forwarder_waiting(trail.forwarder) == 1);
	struct rig_ask made;
	rig_ask(&trail.rig, &made, "ann", "echo"); /* whatever was said to it before has come by now */
	assert_int_equal(told("mgp.audit", NULL), 0);
	assert_int_equal(audit_forwarder_waiting(trail.forwarder), 1);
}

static void what_waits_is_bounded_in_number(void **state) {
	(void)state;
	aim("audit");
	for (int i = 0; i < AUDIT_FORWARD_EVENTS + 10; i++) happens("joined", "ann", "", SLICE_NONE);
	rig_until(&trail.rig, audit_forwarder_dropped(trail.forwarder) == 10);
	assert_int_equal(audit_forwarder_waiting(trail.forwarder), AUDIT_FORWARD_EVENTS);
	rig_until(&trail.rig, trail.dropped_records == 1);
	assert_int_equal(trail.dropped_events, 1); /* the rest is told of a minute later, or when it is over */
	aim(NULL);
	rig_until(&trail.rig, trail.dropped_records == 2);
	assert_int_equal(trail.dropped_events, AUDIT_FORWARD_EVENTS + 10);
	assert_int_equal(audit_forwarder_waiting(trail.forwarder), 0);
}

static void what_waits_is_bounded_in_octets(void **state) {
	(void)state;
	static char details[60001];
	const size_t count = AUDIT_FORWARD_OCTETS / 60000 + 2;
	memset(details, 'x', sizeof details - 1);
	memcpy(details, "{\"a\":\"", 6);
	memcpy(details + sizeof details - 3, "\"}", 2);
	aim("audit");
	for (size_t i = 0; i < count; i++) happens("joined", "ann", "", slice_of(details));
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) + audit_forwarder_dropped(trail.forwarder) == count);
	assert_true(audit_forwarder_dropped(trail.forwarder) > 0);
	assert_true(audit_forwarder_waiting(trail.forwarder) <= AUDIT_FORWARD_OCTETS / 60000);
}

static void a_server_that_does_not_read_is_not_filled_up(void **state) {
	(void)state;
	static char details[20001];
	const unsigned count = 100; /* 2 MB: more than rests on the way, less than waits here */
	memset(details, 'x', sizeof details - 1);
	memcpy(details, "{\"a\":\"", 6);
	memcpy(details + sizeof details - 3, "\"}", 2);
	aim("audit");
	start("audit", STALLS, MGP_AUDIT);
	happens("joined", "ann", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("mgp.audit"));
	for (unsigned i = 0; i < count; i++) happens("joined", "ann", "", slice_of(details));
	struct hosted_child *child = hosted_child_next(trail.rig.hosted, NULL);
	rig_until(&trail.rig, hosted_child_behind(child) >= AUDIT_FORWARD_BEHIND);
	assert_true(hosted_child_behind(child) < AUDIT_FORWARD_BEHIND + sizeof details + 1000);
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) > count / 2);
	assert_int_equal(audit_forwarder_dropped(trail.forwarder), 0);
}

static void another_server_may_be_aimed_at(void **state) {
	(void)state;
	char id[HOSTED_ID + 2];
	struct fault why = {0};
	memset(id, 'a', sizeof id - 1);
	id[sizeof id - 1] = '\0';
	aim("nobody");
	happens("joined", "ann", "", SLICE_NONE);
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) == 1);
	assert_false(audit_forwarder_aim(trail.forwarder, id, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_non_null(strstr(why.text, "kernel.audit_server"));
	aim("nobody");
	assert_int_equal(audit_forwarder_waiting(trail.forwarder), 1);
	audit_unlisten(&trail.listener);
	aim("audit");
	assert_int_equal(audit_forwarder_waiting(trail.forwarder), 0);
	assert_int_equal(audit_forwarder_dropped(trail.forwarder), 1);
	start("audit", RECORDS, MGP_AUDIT);
	happens("joined", "bob", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("\"id\":\"bob\""));
	assert_int_equal(told("\"id\":\"ann\"", NULL), 0);
	aim(NULL);
	happens("joined", "carl", "", SLICE_NONE);
	rig_until(&trail.rig, audit_forwarder_waiting(trail.forwarder) == 0);
}

static void after_its_end_the_next_conversation_is_told(void **state) {
	(void)state;
	aim("audit");
	start("audit", RECORDS, MGP_AUDIT);
	happens("joined", "ann", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("\"id\":\"ann\""));
	assert_true(hosted_restart(trail.rig.hosted, NULL));
	assert_int_not_equal(hosted_state(trail.rig.hosted), HOSTED_CONNECTED);
	happens("joined", "bob", "", SLICE_NONE);
	rig_until(&trail.rig, has_told("\"id\":\"bob\""));
	assert_int_equal(told("\"id\":\"ann\"", NULL), 1);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_came_before_the_server_was_there_is_told_in_its_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_is_not_told_its_own_claims, set_up, tear_down),
		cmocka_unit_test_setup_teardown(who_has_not_agreed_on_audit_is_told_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_waits_is_bounded_in_number, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_waits_is_bounded_in_octets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_server_that_does_not_read_is_not_filled_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_server_may_be_aimed_at, set_up, tear_down),
		cmocka_unit_test_setup_teardown(after_its_end_the_next_conversation_is_told, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
