/* SPDX-License-Identifier: Apache-2.0 */
/* Membership, opening: its options are copied, its first connection is put off to the loop. */
#include "client/membership.h"
#include "client/membership_parts.h"

#include "base/secret.h"
#include "wire/websocket.h"

#include <stdlib.h>

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
	if (options->maker) uplink_maker_keep(options->maker);
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
	if (!options->url && !options->maker)
		return fault_set(why, FAULT_BAD_INPUT, "the gateway's URL is missing");
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

static void first_dial(struct task *task) {
	membership_dial(CONTAINER_OF(task, struct membership, task));
}

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
	if (is_fine && !options->maker)
		is_fine = gateway_url_read(slice_of(options->url), &membership->url, why);
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
	uplink_maker_drop(membership->options.maker);
	drop_options(membership);
	free(membership);
}
