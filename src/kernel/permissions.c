/* SPDX-License-Identifier: Apache-2.0 */
/* Permissions: what a policy says at once is not kept; what a person said is. */
#include "kernel/permissions.h"

#include "base/clock.h"
#include "kernel/permissions_parts.h"
#include "store/permission_rows.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- What is known ---- */

enum permission_state permissions_state(const struct permissions *permissions, struct slice name) {
	const struct permission *one = permissions_find(permissions, name);
	struct permission named = {.state = PERMISSION_DEFERRED};
	if (one) return permission_state_now(permissions, one);
	snprintf(named.name, sizeof named.name, "%.*s", SLICE_ARGS(name));
	return permission_state_now(permissions, &named);
}

bool permissions_allow(const struct permissions *permissions, struct slice name) {
	return permissions_state(permissions, name) == PERMISSION_APPROVED;
}

bool permissions_hold(const struct permissions *permissions, struct slice name) {
	const struct permission *one = permissions_find(permissions, name);
	const struct policy *policy = &permissions->governed->policy;
	char word[PERMISSION_TYPE_NAME + 1];
	snprintf(word, sizeof word, "%.*s", SLICE_ARGS(name));
	bool is_wanted = (one && one->is_needed) || permissions_are_listed(policy->permissions_required, word) ||
		permissions_are_listed(policy->permissions_granted, word);
	return is_wanted && permissions_allow(permissions, name);
}

bool permissions_allow_network(const struct permissions *permissions) {
	return permissions_hold(permissions, SLICE("network.outbound")) ||
		permissions_hold(permissions, SLICE("network.listen"));
}

bool permissions_allow_writing(const struct permissions *permissions) {
	return permissions_hold(permissions, SLICE("filesystem.write"));
}

const char *permissions_decision(const struct permissions *permissions) {
	return permissions->asker.decision ? permissions->asker.decision->id : NULL;
}

bool permissions_each(const struct permissions *permissions, size_t *at, struct permission_view *view) {
	for (; *at < permissions->count; (*at)++) {
		const struct permission *one = &permissions->names[*at];
		if (!one->is_needed && !one->is_wanted && !one->is_decided) continue;
		*view = (struct permission_view){
			.name = slice_of(one->name),
			.state = permission_state_now(permissions, one),
			.by = slice_of(one->is_decided ? one->by : ""),
			.at = one->at,
			.expires_at = one->expires_at,
		};
		(*at)++;
		return true;
	}
	return false;
}

void permissions_write_needed(struct text *to, const struct permissions *permissions) {
	const char *before = "";
	text_add_char(to, '[');
	for (size_t i = 0; i < permissions->count; i++) {
		if (!permissions->names[i].is_needed) continue;
		text_add_cstr(to, before);
		text_json(to, slice_of(permissions->names[i].name));
		before = ",";
	}
	text_add_char(to, ']');
}

/* ---- What is kept ---- */

static bool seen(void *context, const struct permission_row *row) {
	struct permission *one = permissions_find_or_add(context, row->permission);
	if (!one) return true;
	one->is_decided = true;
	one->state = slice_is(row->state, "approved") ? PERMISSION_APPROVED
		: slice_is(row->state, "revoked")     ? PERMISSION_REVOKED
						      : PERMISSION_DENIED;
	one->at = row->decided_at;
	one->expires_at = row->expires_at;
	snprintf(one->by, sizeof one->by, "%.*s", SLICE_ARGS(row->decided_by));
	return true;
}

static void ended(struct permissions *permissions, const struct permission *one);

struct permissions *permissions_open(struct governed *governed, struct fault *why) {
	struct permissions *permissions = calloc(1, sizeof *permissions);
	if (!permissions) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	permissions->governed = governed;
	permissions->ended = ended;
	list_init(&permissions->waiting);
	if (permission_row_each(governed->means->state, hosted_id(governed->hosted), seen, permissions, why)) {
		permissions_wait_for_end(permissions);
		return permissions;
	}
	free(permissions);
	return NULL;
}

void permissions_close(struct permissions *permissions) {
	if (!permissions) return;
	deadline_clear(&permissions->expiry);
	inbox_leave(permissions->governed->means->inbox, &permissions->asker);
	for (struct link *link; (link = list_pop(&permissions->waiting));)
		free(CONTAINER_OF(link, struct waiting, link));
	free(permissions);
}

static void audit(const struct permissions *permissions, const char *event, const struct permission *one,
	struct slice by) {
	AUTO_TEXT struct text details = {0};
	char moment[CLOCK_TEXT_SIZE];
	text_init(&details, 1024);
	text_add_cstr(&details, "{\"permission\":");
	text_json(&details, slice_of(one->name));
	if (one->expires_at) {
		clock_write(one->expires_at, moment);
		text_printf(&details, ",\"expires_at\":\"%s\"", moment);
	}
	text_add_char(&details, '}');
	const struct audit_record record = {
		.event = slice_of(event),
		.actor = by,
		.server_id = hosted_id(permissions->governed->hosted),
		.result = AUDIT_SUCCESS,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(permissions->governed->means, &record);
}

static bool keep(struct permissions *permissions, struct permission *one, enum permission_state state,
	struct slice by, int64_t expires_at, struct fault *why) {
	const struct permission_row row = {
		.permission = slice_of(one->name),
		.state = slice_of(permission_state_word(state)),
		.decided_by = by,
		.decided_at = clock_wall_ms(),
		.expires_at = expires_at,
	};
	const struct governed *governed = permissions->governed;
	if (!permission_row_put(governed->means->state, hosted_id(governed->hosted), &row, why)) return false;
	one->is_decided = true;
	one->state = state;
	one->at = row.decided_at;
	one->expires_at = expires_at;
	snprintf(one->by, sizeof one->by, "%.*s", SLICE_ARGS(by));
	permissions_wait_for_end(permissions);
	return true;
}

/* ---- A server introduces itself ---- */

static bool need(struct permissions *permissions, struct slice word, struct fault *why) {
	struct permission_type_names names;
	if (!permission_type_read(word, &names, why)) return false;
	for (size_t i = 0; i < names.count; i++) {
		struct permission *one = permissions_find_or_add(permissions, names.names[i]);
		if (!one) return fault_set(why, FAULT_TOO_LARGE, "it needs more than %d permissions", MGP_PERMISSIONS);
		one->is_needed = true;
	}
	return true;
}

static bool need_said(struct permissions *permissions, const struct mgp_said *said, struct fault *why) {
	struct scan_walk walk;
	struct scan_member member;
	char lent[512];
	struct arena arena;
	bool is_fine = true;
	arena_init(&arena, lent, sizeof lent, 0);
	if (said->permissions_required.type == SCAN_ARRAY)
		for (scan_open(&walk, &said->permissions_required); is_fine && scan_next(&walk, &member);) {
			struct slice word;
			is_fine = (scan_string(&member.value, &arena, &word) ||
					  fault_set(why, FAULT_BAD_INPUT, "permissions_required holds something that is no string")) &&
				need(permissions, word, why);
		}
	arena_finish(&arena);
	return is_fine;
}

static bool need_all(struct permissions *permissions, enum hosted_era era, const struct mgp_said *said,
	struct fault *why) {
	const struct governed *governed = permissions->governed;
	const char *const *configured = governed->policy.permissions_required;
	for (size_t i = 0; i < permissions->count; i++) permissions->names[i].is_needed = false;
	for (; configured && *configured; configured++)
		if (!need(permissions, slice_of(*configured), why)) return false;
	return !governed->agreed[era].is_active || need_said(permissions, said, why);
}

struct tally {
	size_t needed, approved, open;
};

static struct tally count(const struct permissions *permissions) {
	struct tally tally = {0};
	for (size_t i = 0; i < permissions->count; i++) {
		const struct permission *one = &permissions->names[i];
		if (!one->is_needed) continue;
		enum permission_state state = permission_state_now(permissions, one);
		tally.needed++;
		tally.approved += state == PERMISSION_APPROVED;
		tally.open += state == PERMISSION_DEFERRED;
	}
	return tally;
}

/* Nothing of what it needs: it is not kept running. */
static bool is_hopeless(struct tally tally) { return tally.needed && !tally.approved && !tally.open; }

static void give_up(struct permissions *permissions) {
	hosted_give_up(permissions->governed->hosted, "permissions_denied");
}

/* What the policy says at once, for the record: once a start. */
static void audit_policy(struct permissions *permissions) {
	for (size_t i = 0; i < permissions->count; i++) {
		const struct permission *one = &permissions->names[i];
		if (!one->is_needed || one->is_decided) continue;
		enum permission_state state = permission_state_now(permissions, one);
		if (state == PERMISSION_APPROVED) audit(permissions, "PERMISSION_GRANTED", one, SLICE("policy"));
		if (state == PERMISSION_DENIED) audit(permissions, "PERMISSION_DENIED", one, SLICE("policy"));
	}
}

/* Somebody who was asked before may say otherwise today. */
static void reopen(struct permissions *permissions) {
	if (permissions->governed->policy.permissions != PERMISSION_INTERACTIVE) return;
	for (size_t i = 0; i < permissions->count; i++) {
		struct permission *one = &permissions->names[i];
		enum permission_state state = permission_state_now(permissions, one);
		one->was_refused = false;
		if (state == PERMISSION_EXPIRED) one->is_decided = false;
	}
}

static void decided(struct decision_asker *asker, const struct decision *decision);
static void settle_all(struct permissions *permissions, const struct decision *decision);

/* A yes that was said while no process waited for it. A sandbox is settled before its process can ask, and is
 * asked about anew. */
static bool has_standing(struct permissions *permissions, const struct decision_wish *wish) {
	const struct governed *governed = permissions->governed;
	const struct decision *standing = governed->policy.trust == MGP_SANDBOXED ? NULL : inbox_approval(governed->means->inbox, wish);
	if (standing) settle_all(permissions, standing);
	return standing != NULL;
}

static bool is_open(const struct permissions *permissions, const struct permission *one) {
	return (one->is_needed || one->is_wanted) && permission_state_now(permissions, one) == PERMISSION_DEFERRED;
}

static bool ask(struct permissions *permissions, struct fault *why) {
	const struct governed *governed = permissions->governed;
	struct slice names[PERMISSIONS_NAMES];
	AUTO_TEXT struct text requester = {0}, message = {0};
	size_t open = 0;
	if (permissions->asker.decision) return true;
	for (size_t i = 0; i < permissions->count; i++)
		if (is_open(permissions, &permissions->names[i])) names[open++] = slice_of(permissions->names[i].name);
	text_init(&requester, 0);
	text_init(&message, 0);
	text_printf(&requester, "server:%.*s", SLICE_ARGS(hosted_id(governed->hosted)));
	text_printf(&message, "Server %.*s asks for permissions", SLICE_ARGS(hosted_id(governed->hosted)));
	const struct decision_wish wish = {
		.kind = DECISION_PERMISSION,
		.requester = text_slice(&requester),
		.server = hosted_id(governed->hosted),
		.message = text_slice(&message),
		.permissions = names,
		.permission_count = open,
		.ttl_ms = governed->policy.decision_ttl_ms,
	};
	if (text_failed(&requester) || text_failed(&message)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a decision");
	if (has_standing(permissions, &wish)) return true;
	permissions->asker.decided = decided;
	const struct decision *decision = inbox_ask(governed->means->inbox, &wish, &permissions->asker, why);
	if (decision) snprintf(permissions->request_id, sizeof permissions->request_id, "%s", decision->id);
	return decision != NULL;
}

static void ask_wanted(struct permissions *permissions) {
	struct fault why;
	bool has_open = false;
	for (size_t i = 0; i < permissions->count; i++) has_open = has_open || is_open(permissions, &permissions->names[i]);
	if (!has_open || ask(permissions, &why)) return;
	log_write(permissions->governed->means->log, LOG_WARNING, "server %.*s: nobody can be asked for the permissions of its tools: %s",
		SLICE_ARGS(hosted_id(permissions->governed->hosted)), why.text);
}

void permissions_want(struct permissions *permissions, struct slice name) {
	struct permission *one = permissions_find_or_add(permissions, name);
	if (!one) return;
	one->is_wanted = true;
	ask_wanted(permissions);
}

static bool wait(struct permissions *permissions, struct hosted_child *child, struct fault *why) {
	struct waiting *waiting = calloc(1, sizeof *waiting);
	if (!waiting) return fault_set(why, FAULT_NO_MEMORY, "no memory for a handshake");
	waiting->child = child;
	list_append(&permissions->waiting, &waiting->link);
	permissions_tell_request(permissions, child);
	return true;
}

bool permissions_introduced(struct permissions *permissions, struct hosted_child *child, enum hosted_era era,
	const struct mgp_said *said) {
	struct hosted *hosted = permissions->governed->hosted;
	bool is_start = hosted_state(hosted) == HOSTED_CONNECTING && !permissions->asker.decision;
	struct fault why;
	if (is_start) reopen(permissions);
	if (!need_all(permissions, era, said, &why)) {
		hosted_give_up(hosted, why.text);
		return false;
	}
	if (is_start) audit_policy(permissions);
	if (count(permissions).open && !ask(permissions, &why)) {
		hosted_child_failed(child, &why);
		return false;
	}
	struct tally tally = count(permissions);
	if (!tally.open && tally.needed) permissions_tell_response(permissions, child);
	if (is_hopeless(tally)) give_up(permissions);
	if (!tally.open) return !is_hopeless(tally);
	if (!wait(permissions, child, &why)) hosted_child_failed(child, &why);
	return false;
}

void permissions_gone(struct permissions *permissions, struct hosted_child *child) {
	bool has_waited = false;
	LIST_EACH_SAFE(link, &permissions->waiting) {
		struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		if (waiting->child != child) continue;
		list_remove(&waiting->link);
		free(waiting);
		has_waited = true;
	}
	if (has_waited && list_is_empty(&permissions->waiting)) inbox_leave(permissions->governed->means->inbox, &permissions->asker);
}

/* ---- A person has decided ---- */

static void settle(struct permissions *permissions, struct permission *one, const struct decision *decision) {
	bool is_granted = decision_grants(decision, slice_of(one->name));
	struct fault why;
	if (decision->state == DECISION_EXPIRED || decision->state == DECISION_WITHDRAWN) one->was_refused = true;
	else if (!keep(permissions, one, is_granted ? PERMISSION_APPROVED : PERMISSION_DENIED, decision->decided_by,
			 is_granted ? decision->valid_until : 0, &why)) {
		one->was_refused = true;
		log_write(permissions->governed->means->log, LOG_ERROR, "a decision cannot be kept, and is a no: %s", why.text);
	}
	audit(permissions, is_granted && !one->was_refused ? "PERMISSION_GRANTED" : "PERMISSION_DENIED", one,
		decision->decided_by);
}

static void settle_all(struct permissions *permissions, const struct decision *decision) {
	struct slice rest = decision->permissions, name;
	while (slice_split(&rest, '\n', &name)) {
		struct permission *one = permissions_find(permissions, name);
		if (one) settle(permissions, one, decision);
	}
}

static void decided(struct decision_asker *asker, const struct decision *decision) {
	struct permissions *permissions = CONTAINER_OF(asker, struct permissions, asker);
	settle_all(permissions, decision);
	bool is_over = is_hopeless(count(permissions));
	/* What a sandbox lets through is settled when it is made. */
	bool is_remade = !is_over && permissions->governed->policy.trust == MGP_SANDBOXED && decision_is_yes(decision) &&
		hosted_settings(permissions->governed->hosted)->arguments;
	if (is_remade) {
		struct fault why;
		(void)!hosted_restart(permissions->governed->hosted, &why);
	}
	for (struct link *link; (link = list_pop(&permissions->waiting));) {
		struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		struct hosted_child *child = waiting->child;
		free(waiting);
		if (is_remade) continue;
		permissions_tell_response(permissions, child);
		if (!is_over) hosted_child_go_on(child);
	}
	if (is_over) give_up(permissions);
	else ask_wanted(permissions);
}

void permissions_ask_again(struct permissions *permissions) {
	for (size_t i = 0; i < permissions->count; i++) {
		struct permission *one = &permissions->names[i];
		one->was_refused = false;
		if (one->is_decided && one->state != PERMISSION_APPROVED) one->is_decided = false;
	}
}

/* What a sandbox lets through is settled when it is made. */
static bool shapes_sandbox(const struct permissions *permissions, const struct permission *one) {
	const struct governed *governed = permissions->governed;
	return governed->policy.trust == MGP_SANDBOXED && hosted_settings(governed->hosted)->arguments &&
		(slice_starts_with(slice_of(one->name), "network.") || slice_is(slice_of(one->name), "filesystem.write"));
}

/* It was taken away: who runs hears of it, or is started anew without it. */
static void take_effect(struct permissions *permissions, const struct permission *one) {
	struct hosted *hosted = permissions->governed->hosted;
	struct fault unchanged; /* one that does not run has nothing to lose */
	if (shapes_sandbox(permissions, one)) {
		(void)!hosted_restart(hosted, &unchanged);
		return;
	}
	for (struct hosted_child *child = NULL; (child = hosted_child_next(hosted, child));)
		permissions_tell_response(permissions, child);
}

bool permissions_revoke(struct permissions *permissions, struct slice name, struct slice by, struct fault *why) {
	struct permission *one = permissions_find(permissions, name);
	if (!one || permission_state_now(permissions, one) != PERMISSION_APPROVED)
		return fault_set(why, FAULT_NOT_FOUND, "server %.*s has no permission %.*s",
			SLICE_ARGS(hosted_id(permissions->governed->hosted)), SLICE_ARGS(name));
	if (!keep(permissions, one, PERMISSION_REVOKED, by, 0, why)) return false;
	audit(permissions, "PERMISSION_REVOKED", one, by);
	take_effect(permissions, one);
	return true;
}

static void ended(struct permissions *permissions, const struct permission *one) {
	audit(permissions, "PERMISSION_REVOKED", one, SLICE("expiry"));
	take_effect(permissions, one);
}
