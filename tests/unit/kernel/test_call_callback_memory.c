/* SPDX-License-Identifier: Apache-2.0 */
/* A question for which there is no memory is a no, and its call goes on. */
#include "failing_malloc.h"

#include "kernel/call_callback.c"

#include "kernel_rig.h"

#define TOOLS "[{\"name\":\"ask\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}]"
#define ASKS \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":$,\"callback_id\":\"cb-001\"," \
	"\"type\":\"confirmation\",\"message\":\"Continue?\",\"options\":[\"confirm\",\"cancel\"]}}"

static void without_memory_a_question_is_a_no(void **state) {
	(void)state;
	const struct policy policy = {.access = ACCESS_OPT_OUT, .approval = APPROVAL_AUTO_APPROVE};
	struct kernel_rig rig;
	struct rig_ask made;
	kernel_rig_open(&rig, &policy);
	fake_write(&rig, "capabilities", FAKE_CAN("\"bidirectional\"", ""));
	fake_write(&rig, "tools", TOOLS);
	fake_write(&rig, "ask.stream", ASKS);
	fake_write(&rig, "ask.call", "silent");
	fake_write(&rig, "callback.after", "\"result\":{\"content\":[]}");
	fake_run(&rig, &policy);
	malloc_fails_at(1);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"ask\"}");
	malloc_fails_at(0);
	assert_int_equal(made.questioned, 0);
	check_has(&made, "content");
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":null,\"reason\":\"declined\"}"), 1);
	kernel_rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_memory_a_question_is_a_no),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
