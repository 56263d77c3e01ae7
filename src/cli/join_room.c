/* SPDX-License-Identifier: Apache-2.0 */
/* Join room: events become lines, verbs become what they say. */
#include "cli/join_room.h"

static void print(struct join_room *room, const struct text *text) {
	if (text_failed(text) || !text->length) return;
	if (join_terminal_print(room->terminal, text_slice(text)) || room->is_over) return;
	room->is_over = true;
	fault_set(&room->why, FAULT_IO, "nobody reads what is printed");
	join_terminal_interrupt(room->terminal);
}

void join_room_complain(struct join_room *room, const struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "! ");
	text_display(&text, slice_of(why->text));
	text_add_char(&text, '\n');
	print(room, &text);
}

static struct join_room *room_of(struct join_asks *asks) {
	return CONTAINER_OF(asks, struct join_room, asks);
}

static void print_answer(struct join_asks *asks, const struct text *text) { print(room_of(asks), text); }

static void complain_of_answer(struct join_asks *asks, const struct fault *why) {
	join_room_complain(room_of(asks), why);
}

static void say(struct join_room *room, const char *format, struct slice name) {
	AUTO_TEXT struct text text = {0}, shown = {0};
	text_init(&text, 0);
	text_init(&shown, 0);
	text_display(&shown, name);
	text_printf(&text, "* %s", format);
	if (!text_failed(&shown)) text_printf(&text, "%s\n", shown.bytes ? shown.bytes : "");
	print(room, &text);
}

/* ---- What the room does ---- */

static void joined(void *context, const struct envelope *welcome, bool again) {
	struct join_room *room = context;
	struct fault why;
	AUTO_TEXT struct text text = {0};
	(void)welcome;
	text_init(&text, 0);
	room->is_in = true;
	room->style.self = membership_id(guest_membership(room->guest));
	text_printf(&text, "* %s %.*s as ", again ? "back in" : "in",
		SLICE_ARGS(membership_topic(guest_membership(room->guest))));
	text_display(&text, room->style.self);
	text_printf(&text, " (%.*s)%s\n", SLICE_ARGS(guest_privilege(room->guest)),
		again ? "" : "; /help lists commands, Ctrl-D leaves");
	print(room, &text);
	if (!again && !join_ask_waiting(&room->asks, false, &why)) join_room_complain(room, &why);
}

static void lost(void *context, const struct fault *why, uint64_t again_in_ms) {
	struct join_room *room = context;
	struct fault own = *why;
	(void)again_in_ms;
	fault_before(&own, "not connected, trying again: ");
	join_room_complain(room, &own);
}

static void ended(void *context, const struct fault *why) {
	struct join_room *room = context;
	room->why = *why;
	room->is_over = true;
	join_terminal_interrupt(room->terminal);
}

/* Answers to our own questions are shown whole, by join_ask.c. */
static bool is_answer_to_us(const struct join_room *room, const struct envelope *envelope) {
	return envelope->kind == ENVELOPE_MCP && envelope_is_response(envelope) &&
		slice_equal(envelope->recipient, room->style.self) && !list_is_empty(&room->asks.open);
}

static void envelope_came(void *context, const struct envelope *envelope, enum guest_moment moment) {
	struct join_room *room = context;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (!room->style.is_raw && moment != GUEST_PAST && is_answer_to_us(room, envelope)) return;
	room_line_write(&text, envelope, &room->style);
	print(room, &text);
}

static void proposed(void *context, const struct guest_proposal *proposal) {
	struct join_room *room = context;
	const struct join_proposal like = {
		.id = proposal->id,
		.from = proposal->from,
		.to = proposal->to,
		.method = proposal->method,
		.params = proposal->params,
		.reason = proposal->reason,
	};
	if (proposal->moment != GUEST_PAST) join_proposals_note(&room->proposals, &like);
}

static void settled(void *context, const struct guest_settlement *settlement) {
	struct join_room *room = context;
	join_proposals_settled(&room->proposals, settlement->proposal);
}

bool join_room_open(struct join_room *room, struct join_terminal *terminal, struct loop *loop,
	const struct guest_options *options, bool has_colours, struct fault *why) {
	static const struct guest_events events = {
		.joined = joined,
		.lost = lost,
		.ended = ended,
		.envelope = envelope_came,
		.proposed = proposed,
		.settled = settled,
	};
	*room = (struct join_room){.terminal = terminal, .loop = loop};
	room->style.has_colours = has_colours;
	join_proposals_init(&room->proposals);
	room->asks = (struct join_asks){
		.loop = loop,
		.proposals = &room->proposals,
		.print = print_answer,
		.complain = complain_of_answer,
	};
	list_init(&room->asks.open);
	room->guest = room->asks.guest = guest_open(loop, options, &events, room, why);
	return room->guest != NULL;
}

void join_room_close(struct join_room *room) {
	if (!room->asks.open.next) return; /* it was never opened */
	join_ask_finish(&room->asks);
	guest_close(TAKE(room->guest));
	fetch_desk_close(TAKE(room->asks.desk));
	join_proposals_finish(&room->proposals);
	loop_step(room->loop, 0);
}

bool join_room_is_busy(const struct join_room *room) {
	if (room->is_over) return false;
	return !list_is_empty(&room->asks.open) || !membership_is_drained(guest_membership(room->guest));
}

/* ---- What somebody typed ---- */

static bool do_say(struct join_room *room, const struct join_words *words, struct fault *why) {
	join_terminal_erase(room->terminal, words->rest);
	return guest_say(room->guest, SLICE_NONE, words->rest, false, NULL, why);
}

static bool do_help(struct join_room *room, const struct join_words *words, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	(void)words;
	(void)why;
	text_init(&text, 0);
	join_words_help(&text);
	print(room, &text);
	return true;
}

static bool do_who(struct join_room *room, const struct join_words *words, struct fault *why) {
	const struct roster *roster = guest_roster(room->guest);
	AUTO_TEXT struct text text = {0};
	(void)words;
	(void)why;
	text_init(&text, 0);
	text_add_cstr(&text, "  ");
	text_display(&text, room->style.self);
	text_printf(&text, ": you, %.*s\n", SLICE_ARGS(guest_privilege(room->guest)));
	LIST_EACH(link, &roster->entries) {
		const struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
		const char *kind = roster_kind_word(entry->kind);
		text_add_cstr(&text, "  ");
		text_display(&text, slice_of(entry->id));
		text_printf(&text, ": %s%s%s%s", kind, kind[0] ? ", " : "", entry->privilege,
			entry->mcp_version[0] ? ", offers tools" : "");
		if (entry->name[0]) {
			text_add_cstr(&text, ", ");
			text_display(&text, slice_of(entry->name));
		}
		text_add_char(&text, '\n');
	}
	print(room, &text);
	return true;
}

static bool do_tools(struct join_room *room, const struct join_words *words, struct fault *why) {
	const struct roster *roster = guest_roster(room->guest);
	bool found = false;
	if (words->words[0].length) return join_ask_tools(&room->asks, words->words[0], why);
	LIST_EACH(link, &roster->entries) {
		const struct roster_entry *entry = CONTAINER_OF(link, struct roster_entry, link);
		if (!entry->mcp_version[0]) continue;
		found = true;
		if (!join_ask_tools(&room->asks, slice_of(entry->id), why)) return false;
	}
	if (!found) say(room, "nobody here says that it offers tools", SLICE_NONE);
	return true;
}

static struct slice arguments_of(const struct join_words *words) {
	return words->rest.length ? words->rest : SLICE("{}");
}

static bool do_call(struct join_room *room, const struct join_words *words, struct fault *why) {
	return join_ask_call(&room->asks, words->words[0], words->words[1], arguments_of(words), why);
}

static bool do_propose(struct join_room *room, const struct join_words *words, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	if (!scan_check(arguments_of(words), SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "the arguments have to be a JSON object");
	text_add_cstr(&params, "{\"name\":");
	text_json(&params, words->words[1]);
	text_add_cstr(&params, ",\"arguments\":");
	text_add(&params, arguments_of(words));
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a proposal");
	return guest_propose(room->guest, words->words[0], SLICE("tools/call"), text_slice(&params), SLICE_NONE,
		NULL, why);
}

static bool do_proposals(struct join_room *room, const struct join_words *words, struct fault *why) {
	(void)words;
	return join_ask_waiting(&room->asks, true, why);
}

static bool do_approve(struct join_room *room, const struct join_words *words, struct fault *why) {
	const struct join_proposal *proposal = join_proposals_find(&room->proposals, words->words[0], why);
	return proposal && join_ask_fulfil(&room->asks, proposal, why);
}

static bool do_reject(struct join_room *room, const struct join_words *words, struct fault *why) {
	const struct join_proposal *proposal = join_proposals_find(&room->proposals, words->words[0], why);
	const char *verb = words->verb == JOIN_REJECT ? "reject" : "withdraw";
	return proposal && join_ask_settle(&room->asks, proposal, verb, words->rest, why);
}

static bool do_raw(struct join_room *room, const struct join_words *words, struct fault *why) {
	if (words->rest.length) return membership_send_raw(guest_membership(room->guest), words->rest, why);
	room->style.is_raw = !room->style.is_raw;
	say(room, room->style.is_raw ? "envelopes are shown as they are" : "envelopes are shown as lines",
		SLICE_NONE);
	return true;
}

static bool do_quit(struct join_room *room, const struct join_words *words, struct fault *why) {
	(void)words;
	(void)why;
	room->wants_to_leave = true;
	return true;
}

void join_room_do(struct join_room *room, const struct join_words *words) {
	static bool (*const doers[])(struct join_room *, const struct join_words *, struct fault *) = {
		[JOIN_SAY] = do_say,
		[JOIN_HELP] = do_help,
		[JOIN_WHO] = do_who,
		[JOIN_TOOLS] = do_tools,
		[JOIN_CALL] = do_call,
		[JOIN_PROPOSE] = do_propose,
		[JOIN_PROPOSALS] = do_proposals,
		[JOIN_APPROVE] = do_approve,
		[JOIN_REJECT] = do_reject,
		[JOIN_WITHDRAW] = do_reject,
		[JOIN_RAW] = do_raw,
		[JOIN_QUIT] = do_quit,
	};
	struct fault why;
	if (words->verb == JOIN_NOTHING || doers[words->verb](room, words, &why)) return;
	join_room_complain(room, &why);
}
