/* SPDX-License-Identifier: Apache-2.0 */
/* Flow desk: lists in the order of their making, one deadline for all. */
#include "client/flow_desk.h"

#include "base/ident.h"
#include "client/guest.h"

#include <stdio.h>
#include <stdlib.h>

#define SWEEP_MOST_MS (60 * 1000)
#define SWEEP_LEAST_MS 10

struct tomb {
	struct link link;
	int64_t until;
	char id[FLOW_ID];
	char principal[FLOW_DESK_PRINCIPAL];
	struct flow_refusal refusal;
};

struct spent {
	struct link link;
	int64_t expires_at;
	uint8_t hash[SECRET_HASH_SIZE];
};

/* ---- Coming and going ---- */

static struct flow_desk *open_desk(struct hustings *hustings) {
	uint8_t drawn[FLOW_KEY];
	struct flow_desk *desk = calloc(1, sizeof *desk);
	if (!desk) return NULL;
	ident_random(drawn, sizeof drawn);
	if (!flow_key_make(&desk->key, drawn)) {
		free(desk);
		return NULL;
	}
	secret_wipe(drawn, sizeof drawn);
	desk->hustings = hustings;
	list_init(&desk->tools);
	list_init(&desk->sessions);
	list_init(&desk->tombs);
	list_init(&desk->spent);
	map_init(&desk->by_id);
	return desk;
}

struct flow_desk *flow_desk_of(struct hustings *hustings, struct fault *why) {
	if (!hustings->flows) hustings->flows = open_desk(hustings);
	if (!hustings->flows) return fault_null(why, FAULT_NO_MEMORY, "no memory for flow tools");
	return hustings->flows;
}

static void tomb_free(struct flow_desk *desk, struct tomb *tomb) {
	list_remove(&tomb->link);
	desk->tomb_count--;
	free(tomb);
}

static void spent_free(struct flow_desk *desk, struct spent *spent) {
	list_remove(&spent->link);
	desk->spent_count--;
	free(spent);
}

void flow_desk_remove(struct flow_desk *desk, struct flow_entry *entry) {
	if (entry->is_busy) {
		entry->is_doomed = true;
		return;
	}
	list_remove(&entry->link);
	(void)map_remove(&desk->by_id, slice_of(entry->session->id));
	flow_session_free(entry->session);
	free(entry);
}

void flow_desk_close(struct flow_desk *desk) {
	if (!desk) return;
	deadline_clear(&desk->sweep);
	LIST_EACH_SAFE(link, &desk->sessions)
		flow_desk_remove(desk, CONTAINER_OF(link, struct flow_entry, link));
	LIST_EACH_SAFE(grave, &desk->tombs)
		tomb_free(desk, CONTAINER_OF(grave, struct tomb, link));
	LIST_EACH_SAFE(used, &desk->spent)
		spent_free(desk, CONTAINER_OF(used, struct spent, link));
	map_finish(&desk->by_id);
	secret_wipe(&desk->key, sizeof desk->key);
	free(desk);
}

/* ---- Tools ---- */

struct flow_tool *flow_desk_tool(const struct flow_desk *desk, struct slice name) {
	if (!desk) return NULL;
	LIST_EACH(link, &desk->tools) {
		struct flow_tool *tool = CONTAINER_OF(link, struct flow_tool, link);
		if (slice_is(name, tool->name)) return tool;
	}
	return NULL;
}

struct flow_tool *flow_tool_keep(struct flow_tool *tool) {
	tool->users++;
	return tool;
}

void flow_tool_drop(struct flow_tool *tool) {
	if (--tool->users == 0) free(tool);
}

/* ---- Whose ---- */

void flow_caller_principal(const struct flow_caller *caller, char principal[FLOW_DESK_PRINCIPAL]) {
	if (caller->guest)
		snprintf(principal, FLOW_DESK_PRINCIPAL, "room:%.*s/%s",
			SLICE_ARGS(membership_topic(guest_membership(caller->guest))), caller->id);
	else
		snprintf(principal, FLOW_DESK_PRINCIPAL, "host:%llu", (unsigned long long)caller->host);
}

const char *flow_caller_from(const struct flow_caller *caller) { return caller->guest ? caller->id : ""; }

/* ---- Time ---- */

static void bury(struct flow_desk *desk, struct flow_entry *entry, const struct flow_refusal *refusal) {
	struct tomb *tomb = calloc(1, sizeof *tomb);
	const struct flow_session *session = entry->session;
	if (desk->tomb_count >= FLOW_DESK_TOMBS) tomb_free(desk, CONTAINER_OF(desk->tombs.next, struct tomb, link));
	if (tomb) {
		tomb->until = clock_wall_ms() + FLOW_DESK_TOMB_MS;
		tomb->refusal = *refusal;
		memcpy(tomb->id, session->id, sizeof tomb->id);
		snprintf(tomb->principal, sizeof tomb->principal, "%s", session->principal);
		list_append(&desk->tombs, &tomb->link);
		desk->tomb_count++;
	}
	flow_desk_remove(desk, entry);
}

static bool is_forgotten(const struct flow_session *session, int64_t now) {
	return flow_state_is_over(session->state) && session->active_at + FLOW_DESK_OVER_MS <= now;
}

static void look_after(struct flow_desk *desk, struct flow_entry *entry, int64_t now) {
	struct flow_session *session = entry->session;
	struct flow_refusal refusal;
	if (is_forgotten(session, now)) flow_desk_remove(desk, entry);
	else if (!flow_session_lives(session, now, &refusal)) bury(desk, entry, &refusal);
	else if (flow_session_warns_at(session) <= now) {
		session->is_warned = true;
		if (desk->warn) desk->warn(desk, entry);
	}
}

static int64_t next_look(const struct flow_session *session) {
	if (flow_state_is_over(session->state)) return session->active_at + FLOW_DESK_OVER_MS;
	int64_t warns = flow_session_warns_at(session), expires = flow_session_expires_at(session);
	return warns < expires ? warns : expires;
}

static void sweep(struct deadline *deadline) {
	struct flow_desk *desk = CONTAINER_OF(deadline, struct flow_desk, sweep);
	int64_t now = clock_wall_ms();
	LIST_EACH_SAFE(link, &desk->sessions) look_after(desk, CONTAINER_OF(link, struct flow_entry, link), now);
	LIST_EACH_SAFE(grave, &desk->tombs) {
		struct tomb *tomb = CONTAINER_OF(grave, struct tomb, link);
		if (tomb->until <= now) tomb_free(desk, tomb);
	}
	LIST_EACH_SAFE(used, &desk->spent) {
		struct spent *spent = CONTAINER_OF(used, struct spent, link);
		if (spent->expires_at <= now) spent_free(desk, spent);
	}
	flow_desk_stirred(desk);
}

void flow_desk_stirred(struct flow_desk *desk) {
	int64_t now = clock_wall_ms(), at = now + SWEEP_MOST_MS;
	bool is_idle = list_is_empty(&desk->sessions) && list_is_empty(&desk->tombs) && list_is_empty(&desk->spent);
	LIST_EACH(link, &desk->sessions) {
		int64_t next = next_look(CONTAINER_OF(link, struct flow_entry, link)->session);
		if (next < at) at = next;
	}
	if (is_idle) deadline_clear(&desk->sweep);
	else
		deadline_set(desk->hustings->loop, &desk->sweep,
			at > now + SWEEP_LEAST_MS ? (uint64_t)(at - now) : SWEEP_LEAST_MS, sweep);
}

/* ---- Sessions ---- */

struct tally {
	size_t all, open, octets;
	struct flow_entry *oldest_over;
};

static struct tally count(const struct flow_desk *desk, struct slice principal) {
	struct tally tally = {0};
	LIST_EACH(link, &desk->sessions) {
		struct flow_entry *entry = CONTAINER_OF(link, struct flow_entry, link);
		bool is_over = flow_state_is_over(entry->session->state);
		tally.all++;
		tally.octets += flow_session_octets(entry->session);
		if (!is_over && slice_is(principal, entry->session->principal)) tally.open++;
		if (is_over && !tally.oldest_over) tally.oldest_over = entry;
	}
	return tally;
}

bool flow_desk_has_room(struct flow_desk *desk, struct slice principal, struct flow_refusal *refusal) {
	struct tally tally = count(desk, principal);
	if (tally.open >= FLOW_DESK_OPEN)
		return flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions",
			"%d sessions of yours are open already: end one first", FLOW_DESK_OPEN);
	while (tally.oldest_over && (tally.all >= FLOW_DESK_SESSIONS || tally.octets >= FLOW_DESK_OCTETS)) {
		flow_desk_remove(desk, tally.oldest_over);
		tally = count(desk, principal);
	}
	if (tally.all < FLOW_DESK_SESSIONS && tally.octets < FLOW_DESK_OCTETS) return true;
	return flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions", "too many sessions are open here: try again later");
}

struct flow_entry *flow_desk_add(struct flow_desk *desk, struct flow_session *session,
	const struct flow_caller *caller) {
	size_t length = strlen(caller->id);
	struct flow_entry *entry = calloc(1, sizeof *entry + length + 1);
	if (entry) {
		entry->session = session;
		entry->guest = caller->guest;
		entry->host = caller->host;
		entry->is_modern = caller->is_modern;
		memcpy(entry->id, caller->id, length);
		if (map_add(&desk->by_id, slice_of(session->id), entry, NULL)) {
			list_append(&desk->sessions, &entry->link);
			flow_desk_stirred(desk);
			return entry;
		}
	}
	free(entry);
	flow_session_free(session);
	return NULL;
}

static bool find_tomb(const struct flow_desk *desk, struct slice id, struct slice principal,
	struct flow_refusal *refusal) {
	LIST_EACH(link, &desk->tombs) {
		const struct tomb *tomb = CONTAINER_OF(link, struct tomb, link);
		if (!slice_is(id, tomb->id) || !slice_is(principal, tomb->principal)) continue;
		*refusal = tomb->refusal;
		return true;
	}
	return false;
}

struct flow_entry *flow_desk_find(struct flow_desk *desk, struct slice id, struct slice principal,
	struct flow_refusal *refusal) {
	struct flow_entry *entry = map_find(&desk->by_id, id);
	if (entry && slice_is(principal, entry->session->principal)) {
		if (flow_session_lives(entry->session, clock_wall_ms(), refusal)) return entry;
		bury(desk, entry, refusal);
	} else if (!find_tomb(desk, id, principal, refusal))
		(void)flow_refuse(refusal, FLOW_SESSION_NOT_FOUND, NULL, "session not found: begin one with interaction.start");
	return NULL;
}

void flow_desk_forget(struct flow_desk *desk, const struct guest *guest, uint64_t host) {
	if (!desk) return;
	LIST_EACH_SAFE(link, &desk->sessions) {
		struct flow_entry *entry = CONTAINER_OF(link, struct flow_entry, link);
		if (entry->guest == guest && entry->host == host) flow_desk_remove(desk, entry);
	}
}

/* ---- Tokens ---- */

bool flow_desk_spend(struct flow_desk *desk, const uint8_t hash[SECRET_HASH_SIZE], int64_t expires_at) {
	LIST_EACH(link, &desk->spent)
		if (secret_equal(CONTAINER_OF(link, struct spent, link)->hash, hash, SECRET_HASH_SIZE)) return false;
	struct spent *spent = desk->spent_count < FLOW_DESK_SPENT ? calloc(1, sizeof *spent) : NULL;
	if (!spent) return false;
	memcpy(spent->hash, hash, SECRET_HASH_SIZE);
	spent->expires_at = expires_at;
	list_append(&desk->spent, &spent->link);
	desk->spent_count++;
	flow_desk_stirred(desk);
	return true;
}
