/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted_rig.h"

#include "hosted/policy.h"
#include "net/sandbox.h"

#include <sys/wait.h>
#include <unistd.h>

/* The word "Uid:" of a process, as the machine sees it; -1: it is gone. */
static long user_of(int process) {
	char path[60], line[200];
	long user = -1;
	snprintf(path, sizeof path, "/proc/%d/status", process);
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "Uid: %ld", &user) == 1) break;
	if (file) fclose(file);
	return user;
}

#ifdef __SANITIZE_ADDRESS__
#define MEMORY_LIMIT (UINT64_C(1) << 47) /* the sanitizer's own map counts as memory */
#else
#define MEMORY_LIMIT 0 /* the usual */
#endif

/* What the governor says of every server here. */
static struct sandbox_settings said;

static bool say(struct hosted *hosted, struct sandbox_settings *sandbox) {
	(void)hosted;
	*sandbox = said;
	return true;
}

static const struct hosted_governor governor = {.sandbox = say};

static void a_sandboxed_server_is_served_from_its_sandbox(void **state) {
	(void)state;
	char folder[400];
	struct fault why = {0};
	if (!sandbox_is_possible(&why)) {
		assert_int_equal(why.code, FAULT_UNSUPPORTED);
		return;
	}
	snprintf(folder, sizeof folder, "%s/tests", getenv("HUSTINGS_BUILD"));
	const char *const shown[] = {folder, NULL};
	said = (struct sandbox_settings){.readable = shown, .memory_limit = MEMORY_LIMIT};
	struct hosted_rig rig;
	struct rig_ask made;
	rig_open(&rig);
	hosted_servers_govern(rig.servers, &governor);
	rig.hosted = rig_add(&rig, "test", (struct hosted_settings){.back_off_ms = 1, .directory = folder}, NULL);
	assert_true(hosted_start(rig.hosted, NULL));
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_CONNECTED && hosted_is_known(rig.hosted));
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_until(&rig, hosted_process(rig.hosted) > 0);
	assert_true(user_of(hosted_process(rig.hosted)) > 0);
	rig_close(&rig);
}

/* In a process of its own, where bubblewrap is not to be found. by: NULL: nobody governs it. */
static int error_without_sandbox(const struct hosted_governor *by) {
	const struct policy policy = {.has_trust = true, .trust = MGP_SANDBOXED};
	struct hosted_rig rig;
	struct fault why;
	setenv("PATH", "/no/such/folder", 1);
	said = (struct sandbox_settings){.network = false};
	rig_open(&rig);
	if (by) hosted_servers_govern(rig.servers, by);
	struct hosted_settings settings = {.back_off_ms = 1, .restarts = 1, .policy = by ? NULL : &policy};
	rig.hosted = rig_add(&rig, "test", settings, NULL);
	if (hosted_start(rig.hosted, &why))
		rig_until(&rig, hosted_state(rig.hosted) == HOSTED_ERROR && hosted_restart_in(rig.hosted) == 0);
	bool is_told = strstr(hosted_reason(rig.hosted), "no sandbox can be made here") != NULL;
	bool is_none = hosted_state(rig.hosted) == HOSTED_ERROR && hosted_process(rig.hosted) == 0;
	rig_close(&rig);
	return is_told && is_none ? 0 : 1;
}

static void check_error(const struct hosted_governor *by) {
	int status = 1;
	pid_t other = fork();
	assert_true(other >= 0);
	if (other == 0) _exit(error_without_sandbox(by));
	assert_int_equal(waitpid(other, &status, 0), other);
	assert_int_equal(status, 0);
}

static void without_a_sandbox_it_stays_in_error(void **state) {
	(void)state;
	check_error(&governor);
}

static void its_trust_counts_where_nobody_governs_it(void **state) {
	(void)state;
	check_error(NULL);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_sandbox_it_stays_in_error), /* before anything is found out */
		cmocka_unit_test(its_trust_counts_where_nobody_governs_it),
		cmocka_unit_test(a_sandboxed_server_is_served_from_its_sandbox),
	};
	return cmocka_run_group_tests_name("hosted_sandbox", tests, NULL, NULL);
}
