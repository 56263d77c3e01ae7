/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow led parts: what a session that its server leads is made of, and how it ends. For flow_led.c and
 * flow_led_told.c alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_LED_PARTS_H
#define HUSTINGS_KERNEL_FLOW_LED_PARTS_H

#include "kernel/flow_asked.h"
#include "kernel/flows.h"

#define FLOW_LED_EARLY 8                 /* messages kept for a session whose id its server has not said yet */
#define FLOW_LED_EARLY_OCTETS (64 << 10) /* of one of them */
#define FLOW_LED_EARLY_ALL (4 << 20)     /* of those of all sessions of one conversation */

struct flow_led_early { /* what a server says of a session before it answers its start */
	struct flow_led_early *next;
	enum flow_method method;
	size_t length;
	char params[]; /* a JSON object that was checked */
};

struct flow_led { /* its entry's driver; freed when that gives it up */
	struct flow_driver driver;
	const struct kernel_means *means;
	struct flow_entry *entry;
	struct hosted_talk talk;
	char *id; /* its server's; NULL: it has not said */
	char trace[TRACE_SIZE];
	struct link requests; /* struct led_request: under way at its server */
	unsigned request_count;
	unsigned prompts;  /* that came */
	unsigned messages; /* that came and are none */
	bool has_begun;    /* its server has answered its start with a result */
	bool is_told_over; /* its end was audited, counted and told */
	bool is_admin;     /* of its asker, as it began */
	bool is_local;
	bool is_in_room;
	struct flow_led_early *early; /* in the order in which they came */
};

/* Of an entry; NULL: it is not led, or its server is gone. */
struct flow_led *flow_led_of(const struct flow_entry *entry);
/* NULL: no memory. In the book from now on as the driver of the entry. */
struct flow_led *flow_led_make(const struct kernel_means *means, struct flow_entry *entry,
	void (*give_up)(struct flow_driver *driver, const char *reason)) MUST_USE;
void flow_led_free(struct flow_led *led);
/* That conversation's session of the id that `params` names, open or over; NULL: none. */
struct flow_led *flow_led_find(const struct hosted_child *child, const struct scan_value *params);

/* Its asker may use the tool still, and what was free of questions when the session began still is. False: *refusal. */
bool flow_led_may(const struct flow_led *led, struct flow_refusal *refusal) MUST_USE;

/* Its server has answered its start, whatever comes of it: dev.hustings.flow_started. */
void flow_led_begun(struct flow_led *led);
/* The session is over, by whatever step: settled in the book, its conversation let go; if it had begun, audited
 * (TOOL_EXECUTED), counted and told (tool.completed, tool.failed) as a call is. */
void flow_led_over(struct flow_led *led);
/* The same in error, with these words; its client is told, and its server, if `is_to_cancel`. */
void flow_led_fail(struct flow_led *led, const char *reason, bool is_to_cancel);
/* Each answers. `ask` NULL: nobody waits. */
void flow_led_refuse(struct mgp_ask *ask, const struct flow_led *led, const struct flow_refusal *refusal);
/* An error of its server's: the code where that is one of MCP Flow's, the words without the server's id. */
void flow_led_refuse_as_server(struct mgp_ask *ask, const struct flow_led *led, const struct hosted_answer *answer);
/* Why its server has not answered. */
void flow_led_read_fault(const struct fault *why, struct flow_refusal *refusal);
/* interaction.cancel to its server, whose answer does not matter. */
void flow_led_tell_cancel(struct flow_led *led, const char *reason);
/* The same of a session that is nobody's, where such a result names one. */
void flow_led_cancel_named(struct hosted_child *child, const struct scan_value *result, const char *reason);

#endif
