/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of calls: each once, by how it ended, refused ones by their gate, the others timed. */
#include "kernel_rig.h"

#include "kernel/call_figures.h"
#include "kernel/call_gates.h"

#define TOOLS \
	"[{\"name\":\"read\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"," \
	"\"properties\":{\"n\":{\"type\":\"integer\"}}}}," \
	"{\"name\":\"other\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"wipe\",\"annotations\":{\"destructiveHint\":true},\"inputSchema\":{\"type\":\"object\"}}]"

static struct kernel_rig rig;
static struct rig_ask made;

static void begin(enum approval_policy approval, uint64_t timeout_ms) {
	const struct policy policy = {
		.permissions = PERMISSION_AUTO_APPROVE,
		.access = ACCESS_OPT_OUT,
		.approval = approval,
		.call_timeout_ms = timeout_ms,
	};
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", ""));
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, &policy);
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static const struct call_figures *figures(void) {
	return kernel_means(rig.kernel)->call_figures;
}

static void call(const char *params) {
	kernel_rig_call(&rig, &made, mgp_asker("ann"), params);
}

static uint64_t refused_at(const char *gate) {
	for (unsigned i = 0; call_gates[i].name; i++)
		if (!strcmp(call_gates[i].name, gate)) return figures()->refused[i];
	fail_msg("there is no gate %s", gate);
	return 0;
}

static uint64_t timed(void) {
	uint64_t sum = 0;
	for (unsigned i = 0; i <= CALL_FIGURES_BOUNDS; i++) sum += figures()->within[i];
	return sum;
}

static uint64_t ended(void) {
	uint64_t sum = 0;
	for (int i = 0; i < CALL_OUTCOMES; i++) sum += figures()->outcomes[i];
	return sum;
}

static void a_call_is_counted_once_and_timed(void **state) {
	(void)state;
	begin(APPROVAL_AUTO_APPROVE, 0);
	assert_int_equal(ended(), 0);
	call("{\"name\":\"read\",\"arguments\":{\"n\":1}}");
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_OK], 1);
	fake_write(&rig, "read.call", "\"result\":{\"content\":[],\"isError\":true}");
	call("{\"name\":\"read\"}");
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_ERROR], 1);
	assert_int_equal(ended(), 2);
	assert_int_equal(timed(), 2);
	assert_true(figures()->sum_us > 0);
	assert_int_equal(figures()->open, 0);
}

static void refusals_are_counted_by_their_gate_and_not_timed(void **state) {
	(void)state;
	begin(APPROVAL_AUTO_APPROVE, 0);
	call("{\"name\":\"nothing\"}");
	call("{\"name\":\"read\",\"arguments\":[]}");
	call("{\"name\":\"read\",\"arguments\":{\"n\":\"one\"}}");
	kernel_rig_grant(&rig, "ann", "read", false);
	call("{\"name\":\"read\"}");
	assert_int_equal(refused_at("tool"), 1);
	assert_int_equal(refused_at("arguments"), 2);
	assert_int_equal(refused_at("access"), 1);
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_REFUSED], 4);
	assert_int_equal(ended(), 4);
	assert_int_equal(timed(), 0);
}

static void what_waits_for_a_person_is_open_and_then_refused(void **state) {
	(void)state;
	begin(APPROVAL_INTERACTIVE, 0);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\"}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	assert_int_equal(figures()->open, 1);
	assert_int_equal(ended(), 0);
	kernel_rig_decide(&rig, DECISION_CALL, false, NULL);
	rig_until(&rig.of, made.answered);
	assert_int_equal(refused_at("approval"), 1);
	assert_int_equal(figures()->open, 0);
	assert_int_equal(timed(), 0);
}

static void a_person_s_time_is_not_the_call_s(void **state) {
	(void)state;
	begin(APPROVAL_INTERACTIVE, 0);
	uint64_t began_us = clock_monotonic_us();
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\"}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	uint64_t asked = loop_now(rig.of.loop);
	rig_until(&rig.of, loop_now(rig.of.loop) >= asked + 100);
	uint64_t waited_us = (loop_now(rig.of.loop) - asked) * 1000;
	kernel_rig_decide(&rig, DECISION_CALL, true, NULL);
	rig_until(&rig.of, made.answered);
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_OK], 1);
	assert_int_equal(timed(), 1);
	assert_true(figures()->sum_us <= clock_monotonic_us() - began_us - waited_us);
}

static void what_is_given_up_or_too_late_has_its_own_outcome(void **state) {
	(void)state;
	begin(APPROVAL_AUTO_APPROVE, 50);
	fake_write(&rig, "other.call", "silent");
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"other\"}");
	rig_until(&rig.of, fake_got(&rig, "\"other\"") == 1 || made.answered);
	rig_until(&rig.of, made.answered);
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_TIMEOUT], 1);
	assert_int_equal(timed(), 1);
	fake_write(&rig, "read.call", "silent");
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\"}");
	call_cancel(&made.ask, "enough");
	assert_int_equal(figures()->outcomes[CALL_OUTCOME_CANCELLED], 1);
	assert_int_equal(ended(), 2);
	assert_int_equal(timed(), 1);
	assert_int_equal(figures()->open, 0);
}

static void every_gate_has_a_place(void **state) {
	(void)state;
	unsigned count = 0;
	while (call_gates[count].name) count++;
	assert_in_range(count, 1, CALL_FIGURES_GATES);
	for (unsigned i = 1; i < CALL_FIGURES_BOUNDS; i++)
		assert_true(call_figures_bounds_us[i] > call_figures_bounds_us[i - 1]);
	for (int i = 0; i < CALL_OUTCOMES; i++) assert_non_null(call_outcome_word(i));
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_call_is_counted_once_and_timed, tear_down),
		cmocka_unit_test_teardown(refusals_are_counted_by_their_gate_and_not_timed, tear_down),
		cmocka_unit_test_teardown(what_waits_for_a_person_is_open_and_then_refused, tear_down),
		cmocka_unit_test_teardown(a_person_s_time_is_not_the_call_s, tear_down),
		cmocka_unit_test_teardown(what_is_given_up_or_too_late_has_its_own_outcome, tear_down),
		cmocka_unit_test(every_gate_has_a_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
