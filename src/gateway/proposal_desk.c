/* SPDX-License-Identifier: Apache-2.0 */
/* Proposal desk: from the rooms by letter, to the rooms by voice. */
#include "gateway/proposal_desk.h"

#include "decide/inbox.h"
#include "gateway/room_voice.h"
#include "room/proposal_record.h"
#include "wire/scan.h"

#include <stdlib.h>

struct proposal_desk {
	struct gateway *gateway;
	struct inbox_listener listener;
	struct task act;
};

/* What became of one, on its way from the room. */
struct note {
	struct letter letter;
	struct gateway *gateway;
	enum proposal_status status;
	int64_t expires_at;
	struct slice topic, id, proposer, to, payload, by, reason; /* in this allocation */
};

/* ---- As a decision ---- */

/* {"proposalId":..., and so what no other proposal's begin with. */
static void begin_arguments(struct text *to, struct slice id) {
	text_add_cstr(to, "{\"proposalId\":");
	text_json(to, id);
	text_add_char(to, ',');
}

static void write_arguments(const struct note *note, struct text *to) {
	begin_arguments(to, note->id);
	if (note->to.length) {
		text_add_cstr(to, "\"to\":");
		text_add(to, note->to);
		text_add_char(to, ',');
	}
	text_add_cstr(to, "\"payload\":");
	text_add(to, note->payload);
	text_add_char(to, '}');
}

/* The newest of that proposal; an id may come again in a book that has forgotten the first. Looks at all
 * that the inbox holds, which is bounded (inbox_settings.h), once for what becomes of a proposal. */
static const struct decision *find(struct inbox *inbox, struct slice topic, struct slice id) {
	const struct decision *found = NULL;
	AUTO_TEXT struct text front = {0};
	text_init(&front, 0);
	begin_arguments(&front, id);
	for (const struct decision *one = NULL; !text_failed(&front) && (one = inbox_next(inbox, one));)
		if (one->kind == DECISION_PROPOSAL && slice_equal(one->topic, topic) && one->arguments.length > front.length &&
			memcmp(one->arguments.bytes, front.bytes, front.length) == 0)
			found = one;
	return found;
}

static struct slice word(const struct scan_value *payload, struct arena *arena, const char *outer, const char *inner) {
	struct scan_value value;
	struct slice found;
	if (!scan_path(payload, &value, outer, inner, NULL) || value.type != SCAN_STRING || !scan_string(&value, arena, &found))
		return SLICE_NONE;
	return found.length <= DECISION_NAME ? found : SLICE_NONE;
}

static void write_message(const struct note *note, struct slice method, struct slice tool, struct slice reason,
	struct text *to) {
	text_printf(to, "%.*s proposes in %.*s: %.*s", SLICE_ARGS(note->proposer), SLICE_ARGS(note->topic), SLICE_ARGS(method));
	if (tool.length) text_printf(to, " %.*s", SLICE_ARGS(tool));
	if (note->to.length) text_printf(to, " to %.*s", (int)slice_cut(note->to, 512), note->to.bytes);
	if (reason.length) text_printf(to, ": %.*s", (int)slice_cut(reason, 1024), reason.bytes);
}

static bool has_control(struct slice name) {
	for (size_t i = 0; i < name.length; i++)
		if ((unsigned char)name.bytes[i] < 0x20 || name.bytes[i] == 0x7f) return true;
	return false;
}

static bool ask(struct inbox *inbox, const struct note *note, struct fault *why) {
	const struct scan_value payload = {.text = note->payload, .type = SCAN_OBJECT};
	int64_t left = note->expires_at - clock_wall_ms();
	AUTO_TEXT struct text arguments = {0}, message = {0};
	char lent[2048];
	struct arena arena;
	if (left <= 0) return true; /* its end is on the way */
	text_init(&arguments, 0);
	text_init(&message, 0);
	arena_init(&arena, lent, sizeof lent, 0);
	struct slice tool = word(&payload, &arena, "params", "name");
	if (has_control(tool)) tool = SLICE_NONE;
	write_arguments(note, &arguments);
	write_message(note, word(&payload, &arena, "method", NULL), tool, word(&payload, &arena, "reason", NULL), &message);
	const struct decision_wish wish = {
		.kind = DECISION_PROPOSAL,
		.requester = note->proposer,
		.tool = tool,
		.topic = note->topic,
		.message = text_slice(&message),
		.arguments = text_slice(&arguments),
		.ttl_ms = left < DECISION_TTL_MOST ? left : DECISION_TTL_MOST,
	};
	bool is_fine = !text_failed(&arguments) && !text_failed(&message)
		? inbox_ask(inbox, &wish, NULL, why) != NULL
		: fault_set(why, FAULT_NO_MEMORY, "no memory for a decision");
	arena_finish(&arena);
	return is_fine;
}

/* ---- From the rooms ---- */

static void opened(struct gateway *gateway, const struct note *note) {
	const struct decision *there = find(gateway->inbox, note->topic, note->id);
	struct fault why;
	/* Its room was opened again, after a restart: it may have been denied meanwhile. */
	if (there && there->state == DECISION_DENIED)
		room_voice_reject(gateway, there->decided_by, note->topic, note->id, there->reason);
	if (there && there->expires_at > clock_wall_ms()) return;
	if (ask(gateway->inbox, note, &why)) return;
	log_write(gateway->log, LOG_WARNING, "room %.*s: proposal %.*s is not in the inbox: %s", SLICE_ARGS(note->topic),
		SLICE_ARGS(note->id), why.text);
}

static enum decision_state state_of(enum proposal_status status) {
	switch (status) {
	case PROPOSAL_FULFILLED: return DECISION_USED;
	case PROPOSAL_REJECTED: return DECISION_DENIED;
	case PROPOSAL_WITHDRAWN: return DECISION_WITHDRAWN;
	default: return DECISION_EXPIRED;
	}
}

static void settled(struct gateway *gateway, const struct note *note) {
	const struct decision *decision = find(gateway->inbox, note->topic, note->id);
	struct fault why;
	if (!decision || decision->state != DECISION_PENDING) return;
	struct slice reason = slice_make(note->reason.bytes, slice_cut(note->reason, DECISION_REASON));
	if (!inbox_settle(gateway->inbox, slice_of(decision->id), state_of(note->status), note->by, reason, &why))
		log_write(gateway->log, LOG_WARNING, "room %.*s: decision %s stays open: %s", SLICE_ARGS(note->topic), decision->id,
			why.text);
}

static void noted(struct letter *letter) {
	struct note *note = CONTAINER_OF(letter, struct note, letter);
	if (note->gateway->proposals && note->status == PROPOSAL_PENDING) opened(note->gateway, note);
	else if (note->gateway->proposals)
		settled(note->gateway, note);
	free(note);
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

/* On the room's thread. */
static void changed_in_room(void *context, const struct room *room, const struct proposal *proposal) {
	struct gateway *gateway = context;
	struct slice by = proposal->settled_by ? slice_of(proposal->settled_by) : SLICE_NONE;
	struct slice reason = proposal->reason ? slice_of(proposal->reason) : SLICE_NONE;
	struct note *note = calloc(1, sizeof *note + room->topic.length + proposal->id.length + proposal->proposer.length + proposal->to.length + proposal->payload.length + by.length + reason.length);
	if (!note) {
		log_write(gateway->log, LOG_WARNING, "room: no memory to tell the inbox of a proposal");
		return;
	}
	char *at = (char *)(note + 1);
	note->gateway = gateway;
	note->status = proposal->status;
	note->expires_at = proposal->expires_at;
	note->topic = place(&at, room->topic);
	note->id = place(&at, proposal->id);
	note->proposer = place(&at, proposal->proposer);
	note->to = place(&at, proposal->to);
	note->payload = place(&at, proposal->payload);
	note->by = place(&at, by);
	note->reason = place(&at, reason);
	mailbox_answer(gateway->loop, &note->letter, noted);
}

/* ---- To the rooms ---- */

static void send_request(struct gateway *gateway, const struct decision *decision) {
	const struct scan_value root = {.text = decision->arguments, .type = SCAN_OBJECT};
	struct scan_value id, to, method, params;
	AUTO_TEXT struct text payload = {0};
	struct slice proposal = SLICE_NONE;
	char lent[1024];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	text_init(&payload, 0);
	if (scan_find(&root, "proposalId", &id) && scan_string(&id, &arena, &proposal) &&
		scan_path(&root, &method, "payload", "method", NULL)) {
		text_printf(&payload, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":%.*s", decision->id, SLICE_ARGS(method.text));
		if (scan_path(&root, &params, "payload", "params", NULL)) {
			text_add_cstr(&payload, ",\"params\":");
			text_add(&payload, params.text);
		}
		text_add_char(&payload, '}');
	}
	if (payload.length && !text_failed(&payload))
		room_voice_say(gateway, decision->decided_by, decision->topic,
			scan_find(&root, "to", &to) ? to.text : SLICE_NONE, proposal, text_slice(&payload));
	arena_finish(&arena);
}

static const struct decision *next_approved(struct inbox *inbox) {
	for (const struct decision *one = NULL; (one = inbox_next(inbox, one));)
		if (one->kind == DECISION_PROPOSAL && one->state == DECISION_APPROVED && !one->used_at) return one;
	return NULL;
}

/* Used before it is sent: a kill in between costs a request, and never sends a second one. */
static void act(struct task *task) {
	struct proposal_desk *desk = CONTAINER_OF(task, struct proposal_desk, act);
	struct gateway *gateway = desk->gateway;
	const struct decision *decision;
	struct fault why;
	while ((decision = next_approved(gateway->inbox))) {
		if (!inbox_use(gateway->inbox, slice_of(decision->id), &why)) {
			log_write(gateway->log, LOG_ERROR, "decide: the use of %s could not be stored: %s", decision->id, why.text);
			return;
		}
		send_request(gateway, decision);
	}
}

static void reject(struct gateway *gateway, const struct decision *decision) {
	const struct scan_value root = {.text = decision->arguments, .type = SCAN_OBJECT};
	struct scan_value id;
	struct slice proposal;
	char lent[512];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	/* A policy hook is nobody in a room: there it expires. */
	if (!slice_starts_with(decision->decided_by, "system:") && decision->decided_by.length &&
		scan_find(&root, "proposalId", &id) && scan_string(&id, &arena, &proposal))
		room_voice_reject(gateway, decision->decided_by, decision->topic, proposal, decision->reason);
	arena_finish(&arena);
}

static void changed(struct inbox_listener *listener, const struct decision *decision) {
	struct proposal_desk *desk = CONTAINER_OF(listener, struct proposal_desk, listener);
	if (decision->kind != DECISION_PROPOSAL) return;
	if (decision->state == DECISION_APPROVED) loop_later(desk->gateway->loop, &desk->act, act);
	else if (decision->state == DECISION_DENIED)
		reject(desk->gateway, decision);
}

/* ---- Open and close ---- */

struct proposal_desk *proposal_desk_open(struct gateway *gateway, struct fault *why) {
	struct proposal_desk *desk = calloc(1, sizeof *desk);
	if (!desk) return fault_null(why, FAULT_NO_MEMORY, "no memory for proposals");
	desk->gateway = gateway;
	desk->listener = (struct inbox_listener){.changed = changed};
	inbox_listen(gateway->inbox, &desk->listener);
	loop_later(gateway->loop, &desk->act, act); /* what was approved while no gateway ran */
	return desk;
}

void proposal_desk_close(struct proposal_desk *desk) {
	if (!desk) return;
	inbox_unlisten(&desk->listener);
	task_clear(&desk->act);
	free(desk);
}

struct rooms_watch proposal_desk_watch(struct gateway *gateway) {
	return (struct rooms_watch){.changed = changed_in_room, .context = gateway};
}
