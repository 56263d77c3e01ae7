/* SPDX-License-Identifier: Apache-2.0 */
/* Membership: its life, and the one place where its state changes. */
#include "client/membership_parts.h"

#include "base/secret.h"
#include "wire/websocket.h"

#include <stdlib.h>

/* From which states each may be entered, a bit per state. */
static const unsigned allowed[MEMBERSHIP_STATES] = {
	[MEMBERSHIP_DIALLING] = 1u << MEMBERSHIP_NEW | 1u << MEMBERSHIP_WAITING,
	[MEMBERSHIP_ENTERING] = 1u << MEMBERSHIP_DIALLING,
	[MEMBERSHIP_JOINED] = 1u << MEMBERSHIP_ENTERING,
	[MEMBERSHIP_WAITING] = 1u << MEMBERSHIP_DIALLING | 1u << MEMBERSHIP_ENTERING |
		1u << MEMBERSHIP_JOINED,
	[MEMBERSHIP_ENDED] = 1u << MEMBERSHIP_NEW | 1u << MEMBERSHIP_DIALLING |
		1u << MEMBERSHIP_ENTERING | 1u << MEMBERSHIP_JOINED | 1u << MEMBERSHIP_WAITING,
};

void membership_enter(struct membership *membership, enum membership_state state) {
	if (!(allowed[state] & 1u << membership->state)) abort(); /* a mistake of ours, never a peer's */
	membership->state = state;
}

void membership_end(struct membership *membership, const struct fault *why) {
	struct fault own = *why;
	if (membership->state == MEMBERSHIP_ENDED) return;
	membership_enter(membership, MEMBERSHIP_ENDED);
	deadline_clear(&membership->deadline);
	deadline_clear(&membership->pace);
	uplink_close(TAKE(membership->uplink), WEBSOCKET_NORMAL);
	membership->events->ended(membership->context, &own);
}

static void first_dial(struct task *task) {
	membership_dial(CONTAINER_OF(task, struct membership, task));
}

/* ---- Options ---- */

static bool keep(const char **string) {
	if (!*string) return true;
	*string = slice_copy(slice_of(*string));
	return *string != NULL;
}

static void strings_of(struct membership_options *options, const char **strings[8]) {
	const char **all[8] = {&options->url, &options->topic, &options->token, &options->id,
		&options->name, &options->kind, &options->ca, &options->since};
	memcpy(strings, all, sizeof all);
}

static bool keep_options(struct membership *membership, const struct membership_options *options) {
	const char **strings[8];
	bool kept = true;
	membership->options = *options;
	strings_of(&membership->options, strings);
	for (size_t i = 0; i < COUNT_OF(strings); i++) {
		if (kept) kept = keep(strings[i]);
		else *strings[i] = NULL; /* not ours */
	}
	return kept;
}

static void drop_options(struct membership *membership) {
	const char **strings[8];
	if (membership->options.token)
		secret_wipe((char *)membership->options.token, strlen(membership->options.token));
	strings_of(&membership->options, strings);
	for (size_t i = 0; i < COUNT_OF(strings); i++) free((char *)*strings[i]);
}

static bool check_options(const struct membership_options *options, struct fault *why) {
	if (!options->url) return fault_set(why, FAULT_BAD_INPUT, "the gateway's URL is missing");
	if (!options->topic || !ident_is_topic(slice_of(options->topic)))
		return fault_set(why, FAULT_BAD_INPUT,
			"topic: 1 to 128 of ASCII letters, digits and ._:@-/ without .. are due");
	if (options->id && !ident_is_identity(slice_of(options->id)))
		return fault_set(why, FAULT_BAD_INPUT, "id: 1 to 128 octets without blanks, quotes and slashes are due");
	if (options->since && strlen(options->since) > ENVELOPE_NAME)
		return fault_set(why, FAULT_BAD_INPUT, "since: an envelope's id is due");
	return true;
}

/* ---- Opening and closing ---- */

struct membership *membership_open(struct loop *loop, const struct membership_options *options,
	const struct membership_events *events, void *context, struct fault *why) {
	if (!check_options(options, why)) return NULL;
	struct membership *membership = calloc(1, sizeof *membership);
	if (!membership) return fault_null(why, FAULT_NO_MEMORY, "no memory for a room");
	membership->loop = loop;
	membership->events = events;
	membership->context = context;
	outbox_init(&membership->outbox);
	bool is_fine = keep_options(membership, options) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for a room");
	is_fine = is_fine && gateway_url_read(slice_of(options->url), &membership->url, why);
	if (is_fine && membership->url.is_secure)
		is_fine = (membership->tls = tls_client_open(options->ca, why)) != NULL;
	if (!is_fine) {
		membership_close(membership);
		return NULL;
	}
	if (options->since) memcpy(membership->last, options->since, strlen(options->since) + 1);
	loop_later(loop, &membership->task, first_dial);
	return membership;
}

void membership_close(struct membership *membership) {
	if (!membership) return;
	if (membership->gone) *membership->gone = true;
	task_clear(&membership->task);
	deadline_clear(&membership->deadline);
	deadline_clear(&membership->pace);
	uplink_close(membership->uplink, WEBSOCKET_NORMAL);
	tls_close(membership->tls);
	outbox_finish(&membership->outbox);
	secret_free(membership->last_token);
	drop_options(membership);
	free(membership);
}

/* ---- Questions ---- */

enum membership_state membership_state(const struct membership *membership) {
	return membership->state;
}
struct slice membership_id(const struct membership *membership) { return slice_of(membership->id); }
struct slice membership_topic(const struct membership *membership) {
	return slice_of(membership->options.topic);
}
struct slice membership_last(const struct membership *membership) {
	return slice_of(membership->last);
}
enum envelope_dialect membership_dialect(const struct membership *membership) {
	return membership->options.dialect;
}
const struct gateway_url *membership_url(const struct membership *membership) {
	return &membership->url;
}
const char *membership_ca(const struct membership *membership) { return membership->options.ca; }
bool membership_is_drained(const struct membership *membership) {
	return outbox_is_empty(&membership->outbox);
}

bool membership_give_token(struct membership *membership, struct text *token, struct fault *why) {
	const struct membership_options *options = &membership->options;
	if (options->give_token) return options->give_token(options->token_context, token, why);
	if (options->token) text_add_cstr(token, options->token);
	return true;
}
