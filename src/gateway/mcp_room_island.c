/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_island: there by a letter, and back. */
#include "gateway/mcp_room_island.h"

#include "gateway/question.h"
#include "room/proposals.h"
#include "room/room.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Who is there ---- */

struct mcp_room_meeting {
	struct question question;
	struct visitor visitor;
	struct mcp_room *room; /* loop 0 alone; NULL: gone */
	struct text participants;
	char topic[MCP_ROOM_TOPIC + 1];
};

static void met(struct question *question) {
	struct mcp_room_meeting *meeting = CONTAINER_OF(question, struct mcp_room_meeting, question);
	struct mcp_room *room = meeting->room;
	if (room) {
		room->meeting = NULL;
		if (meeting->participants.length && !text_failed(&meeting->participants))
			guest_meet(room->guest, text_slice(&meeting->participants));
	}
	text_finish(&meeting->participants);
	free(meeting);
}

static void list_participants(struct visitor *visitor, struct room *room, const struct fault *why) {
	struct mcp_room_meeting *meeting = CONTAINER_OF(visitor, struct mcp_room_meeting, visitor);
	(void)why;
	if (room) {
		text_add_cstr(&meeting->participants, "{\"participants\":");
		room_write_participants(room, &meeting->participants);
		text_add_char(&meeting->participants, '}');
	}
	question_answer(&meeting->question);
}

static void enter_to_list(struct question *question) {
	struct mcp_room_meeting *meeting = CONTAINER_OF(question, struct mcp_room_meeting, question);
	meeting->visitor.ready = list_participants;
	rooms_enter(question->island->rooms, slice_of(meeting->topic), ROOMS_KNOWN, &meeting->visitor);
}

void mcp_room_meet(struct mcp_room *room) {
	struct gateway *gateway = room->face->gateway;
	if (room->meeting) return;
	struct mcp_room_meeting *meeting = calloc(1, sizeof *meeting);
	if (!meeting) return; /* it knows those of the welcome, and whoever comes */
	meeting->room = room;
	memcpy(meeting->topic, room->topic, sizeof meeting->topic);
	text_init(&meeting->participants, 0);
	room->meeting = meeting;
	if (question_start(&meeting->question, gateway, gateway_island(gateway, slice_of(room->topic)), NULL,
		    enter_to_list, met, NULL))
		return;
	room->meeting = NULL;
	free(meeting);
}

void mcp_room_meet_no_more(struct mcp_room *room) {
	room->meeting->room = NULL;
	room->meeting = NULL;
}

/* ---- A proposal ---- */

struct withdrawal {
	struct letter letter; /* there, and back */
	struct visitor visitor;
	struct gateway *gateway;
	struct gateway_island *island;
	struct principal *principal; /* kept */
	char topic[MCP_ROOM_TOPIC + 1];
	char proposal[ENVELOPE_NAME + 1];
	char reason[160];
};

static void withdrawn(struct letter *letter) {
	struct withdrawal *withdrawal = CONTAINER_OF(letter, struct withdrawal, letter);
	principal_drop(withdrawal->principal);
	free(withdrawal);
}

static void withdraw(struct visitor *visitor, struct room *room, const struct fault *why) {
	struct withdrawal *withdrawal = CONTAINER_OF(visitor, struct withdrawal, visitor);
	(void)why;
	/* One that was settled meanwhile stays settled. */
	if (room)
		(void)!proposals_settle(room, slice_of(withdrawal->proposal), PROPOSALS_WITHDRAW,
			withdrawal->principal, PRIVILEGE_RESTRICTED, slice_of(withdrawal->reason), NULL, NULL);
	mailbox_answer(withdrawal->gateway->loop, &withdrawal->letter, withdrawn);
}

static void enter_to_withdraw(struct letter *letter) {
	struct withdrawal *withdrawal = CONTAINER_OF(letter, struct withdrawal, letter);
	withdrawal->visitor.ready = withdraw;
	rooms_enter(withdrawal->island->rooms, slice_of(withdrawal->topic), ROOMS_KNOWN, &withdrawal->visitor);
}

/* By a letter on one thread as well: it comes behind what the guest has sent. */
void mcp_room_withdraw(const struct mcp_room *room, struct slice proposal, const char *reason) {
	struct gateway *gateway = room->face->gateway;
	struct withdrawal *withdrawal = gateway->is_draining ? NULL : calloc(1, sizeof *withdrawal);
	if (!withdrawal || proposal.length >= sizeof withdrawal->proposal) {
		free(withdrawal);
		return;
	}
	withdrawal->gateway = gateway;
	withdrawal->island = gateway_island(gateway, slice_of(room->topic));
	withdrawal->principal = principal_keep(room->principal);
	memcpy(withdrawal->topic, room->topic, sizeof withdrawal->topic);
	memcpy(withdrawal->proposal, proposal.bytes, proposal.length);
	snprintf(withdrawal->reason, sizeof withdrawal->reason, "%s", reason);
	mailbox_answer(withdrawal->island->loop, &withdrawal->letter, enter_to_withdraw);
}
