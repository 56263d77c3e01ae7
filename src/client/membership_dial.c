/* SPDX-License-Identifier: Apache-2.0 */
/* Membership dial: one connection after another, and when to stop. */
#include "client/membership.h"
#include "client/membership_parts.h"

#include "base/secret.h"
#include "client/websocket_uplink.h"
#include "mcp/era.h"
#include "wire/http1.h"
#include "wire/websocket.h"

#include <stdlib.h>

#define STEADY 30000      /* ms in a room after which the next break is a first one again */
#define WELCOME_DUE 30000 /* ms */

/* ---- What is asked for ---- */

static void add_value(struct text *to, const char *name, const char *value) {
	if (!value) return;
	text_printf(to, "&%s=", name);
	http1_escape(to, slice_of(value));
}

static void write_target(struct membership *membership, struct text *to) {
	const struct membership_options *options = &membership->options;
	text_add_cstr(to, membership->url.path);
	text_add_cstr(to, "/v0/ws?topic=");
	http1_escape(to, slice_of(options->topic));
	add_value(to, "protocol", envelope_dialect_text(options->dialect));
	/* The name we were given stays ours, also where the gateway made it up. */
	add_value(to, "id", options->id);
	add_value(to, "name", options->name);
	add_value(to, "kind", options->kind);
	if (options->is_mcp) add_value(to, "mcp", era_version_text(ERA_ROOMS));
	if (membership->last[0]) add_value(to, "since", membership->last);
	else if (options->history && !membership->was_joined)
		text_printf(to, "&history=%u", options->history);
	if (options->is_mute) text_add_cstr(to, "&echo=0");
	if (options->is_beside) text_add_cstr(to, "&beside=1");
}

/* ---- Breaks ---- */

static uint64_t next_backoff(struct membership *membership) {
	uint64_t base = membership->options.backoff_ms ? membership->options.backoff_ms : MEMBERSHIP_BACKOFF;
	unsigned doublings = membership->attempts < 16 ? membership->attempts : 16;
	uint64_t most = base << doublings;
	uint32_t drawn;
	if (most > MEMBERSHIP_BACKOFF_MOST) most = MEMBERSHIP_BACKOFF_MOST;
	membership->attempts++;
	ident_random(&drawn, sizeof drawn);
	return most / 2 + drawn % (most / 2 + 1);
}

static void dial_again(struct deadline *deadline) {
	membership_dial(CONTAINER_OF(deadline, struct membership, deadline));
}

static bool was_unauthorized(const struct uplink_end *end) {
	return end->status == 401 || end->code == WEBSOCKET_REVOKED;
}

/* Whether another try could end otherwise. */
static bool is_worth_it(const struct membership *membership, const struct uplink_end *end) {
	const struct membership_options *options = &membership->options;
	if (end->code == WEBSOCKET_REPLACED) return false;
	if (!options->stays || (!membership->was_joined && !options->is_patient)) return false;
	if (was_unauthorized(end)) return options->give_token != NULL; /* it may give another one */
	if (end->status == 408 || end->status == 425 || end->status == 429) return true;
	return end->status < 400 || end->status >= 500;
}

static bool died_of_our_words(unsigned code) {
	return code == WEBSOCKET_TOO_LARGE || code == WEBSOCKET_NOT_TEXT ||
		code == WEBSOCKET_PROTOCOL || code == WEBSOCKET_UNSUPPORTED;
}

void membership_break(struct membership *membership, const struct uplink_end *end) {
	struct fault why = end->fault;
	uplink_close(TAKE(membership->uplink), WEBSOCKET_NORMAL);
	deadline_clear(&membership->deadline);
	if (end->code == WEBSOCKET_REPLACED)
		fault_set(&why, FAULT_EXISTS, "replaced: another connection of this id took the seat");
	if (end->code == WEBSOCKET_REVOKED)
		fault_set(&why, FAULT_REFUSED, "the token was revoked or has expired");
	if (!is_worth_it(membership, end)) {
		membership_end(membership, &why);
		return;
	}
	if (died_of_our_words(end->code)) outbox_drop_sent(&membership->outbox);
	outbox_unsend(&membership->outbox);
	if (membership->state == MEMBERSHIP_JOINED &&
		loop_now(membership->loop) - membership->joined_at >= STEADY)
		membership->attempts = 0;
	membership->wants_new_token = was_unauthorized(end);
	uint64_t in_ms = next_backoff(membership);
	membership_enter(membership, MEMBERSHIP_WAITING);
	deadline_set(membership->loop, &membership->deadline, in_ms, dial_again);
	membership->events->lost(membership->context, &why, in_ms);
}

/* ---- Dialling ---- */

static void welcome_overdue(struct deadline *deadline) {
	struct membership *membership = CONTAINER_OF(deadline, struct membership, deadline);
	struct uplink_end end = {.status = 0};
	fault_set(&end.fault, FAULT_TIMEOUT, "the gateway sends no welcome");
	membership_break(membership, &end);
}

static void opened(void *context) {
	struct membership *membership = context;
	membership_enter(membership, MEMBERSHIP_ENTERING);
	deadline_set(membership->loop, &membership->deadline, WELCOME_DUE, welcome_overdue);
}

static void arrived(void *context, struct slice text) { membership_take(context, text); }

static void ended(void *context, const struct uplink_end *end) {
	struct uplink_end own = *end; /* it goes with the uplink */
	membership_break(context, &own);
}

static void drained(void *context) { membership_flush(context); }

static const struct uplink_events uplink_table = {opened, arrived, drained, ended};

/* A refused token is not shown again. */
static bool check_token(struct membership *membership, struct text *token, struct fault *why) {
	if (text_failed(token)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a token");
	bool is_same = membership->last_token && slice_is(text_slice(token), membership->last_token);
	if (membership->wants_new_token && is_same)
		return fault_set(why, FAULT_REFUSED, "the token was refused, and there is no other one");
	char *copy = slice_copy(text_slice(token));
	if (!copy) return fault_set(why, FAULT_NO_MEMORY, "no memory for a token");
	secret_free(membership->last_token);
	membership->last_token = copy;
	membership->wants_new_token = false;
	return true;
}

static bool try_websocket(struct membership *membership, struct text *token, struct fault *why) {
	AUTO_TEXT struct text target = {0};
	text_init(&target, 0);
	if (!membership_give_token(membership, token, why) || !check_token(membership, token, why))
		return false;
	write_target(membership, &target);
	if (text_failed(&target)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a connection");
	struct websocket_uplink_options options = {
		.url = &membership->url,
		.target = text_slice(&target),
		.token = text_slice(token),
		.tls = membership->tls,
	};
	membership->uplink =
		websocket_uplink_open(membership->loop, &options, &uplink_table, membership, why);
	return membership->uplink != NULL;
}

static bool try_maker(struct membership *membership, struct fault *why) {
	const struct membership_options *options = &membership->options;
	struct uplink_wish wish = {
		.topic = slice_of(options->topic),
		.name = slice_of(options->name),
		.kind = slice_of(options->kind),
		.mcp_version = options->is_mcp ? slice_of(era_version_text(ERA_ROOMS)) : SLICE_NONE,
		.since = slice_of(membership->last),
		.dialect = options->dialect,
		.history = membership->last[0] || membership->was_joined ? 0 : options->history,
		.is_mute = options->is_mute,
		.is_beside = options->is_beside,
	};
	membership->uplink = options->maker->make(options->maker, membership->loop, &wish, &uplink_table,
		membership, why);
	return membership->uplink != NULL;
}

void membership_dial(struct membership *membership) {
	struct text token;
	struct uplink_end end = {.status = 0};
	text_init(&token, 0);
	membership_enter(membership, MEMBERSHIP_DIALLING);
	membership->is_resuming = membership->last[0] != 0;
	bool is_under_way = membership->options.maker
		? try_maker(membership, &end.fault)
		: try_websocket(membership, &token, &end.fault);
	if (token.bytes) secret_wipe(token.bytes, token.length);
	text_finish(&token);
	if (is_under_way) return;
	enum fault_code code = end.fault.code;
	if (code == FAULT_REFUSED || code == FAULT_BAD_INPUT || code == FAULT_EXISTS)
		membership_end(membership, &end.fault);
	else
		membership_break(membership, &end);
}
