/* SPDX-License-Identifier: Apache-2.0 */
/* What a server says of a session before it answers its start: kept for all that begin, within one bound. */
#include "check.h"

#include "hosted/hosted_parts.h"
#include "kernel/flow_led_parts.h"
#include "kernel/flow_led_told.h"

#include <stdlib.h>

#define SESSIONS 100

static void what_comes_early_is_kept_within_a_bound(void **state) {
	(void)state;
	static struct flow_led leds[SESSIONS];
	static struct flow_entry entries[SESSIONS];
	static const struct kernel_means means;
	struct hosted_child child = {.stage = HOSTED_OPEN};
	AUTO_TEXT struct text params = {0};
	size_t octets = 0;
	unsigned kept = 0;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"sessionId\":\"x\",\"prompt\":{\"message\":\"");
	while (params.length < FLOW_LED_EARLY_OCTETS - 4) text_add_char(&params, 'x');
	text_add_cstr(&params, "\"}}");
	assert_false(text_failed(&params));
	list_init(&child.talks);
	for (unsigned i = 0; i < SESSIONS; i++) {
		leds[i].entry = &entries[i];
		list_append(&child.talks, &leds[i].talk.link);
	}
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	flow_led_told(&means, &child, NULL, SLICE("interaction.prompt"), &value);
	for (unsigned i = 0; i < SESSIONS; i++) {
		struct flow_led_early *early = leds[i].early;
		if (!early) continue;
		assert_null(early->next);
		octets += early->length;
		kept++;
		free(early);
	}
	assert_in_range(octets, FLOW_LED_EARLY_ALL - FLOW_LED_EARLY_OCTETS, FLOW_LED_EARLY_ALL);
	assert_true(kept > 1 && kept < SESSIONS);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_early_is_kept_within_a_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
