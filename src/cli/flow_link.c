/* SPDX-License-Identifier: Apache-2.0 */
/* Flow link: a face is asked by requests of their own, a participant by errands; the user by poll(). */
#include "cli/flow_link.h"

#include "cli/face_ask.h"
#include "mcp/mcp_client.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static struct loop *loop_of(struct flow_link *link) { return link->beside.entrance.loop; }
static bool is_stopped(const struct flow_link *link) { return link->beside.entrance.stopped_by != 0; }

/* ---- Opened ---- */

static void ready(void *context) {
	struct flow_link *link = context;
	link->is_ready = true;
}

static bool enter_room(struct flow_link *link, struct fault *why) {
	if (!beside_open_with(&link->beside, link->line, link->topic, SLICE_NONE, ready, link, why)) return false;
	while (!link->is_ready && !link->beside.is_over && !is_stopped(link)) loop_step(loop_of(link), -1);
	if (link->is_ready) return true;
	if (link->beside.why.code == FAULT_NONE) return fault_set(why, FAULT_CLOSED, "stopped");
	*why = link->beside.why;
	return false;
}

bool flow_link_open(struct flow_link *link, struct fault *why) {
	text_init(&link->input, 2 * FLOW_LINE);
	if (link->topic) return enter_room(link, why);
	return entrance_open(&link->beside.entrance, link->line, NULL, REACH_DAY_MS, why) &&
		entrance_signals(&link->beside.entrance, why);
}

void flow_link_close(struct flow_link *link) {
	if (link->errand) errand_cancel(TAKE(link->errand), SLICE("the user has given up"));
	beside_close(&link->beside);
	text_finish(&link->input);
}

/* ---- Asked ---- */

static void answered(void *context, const struct errand_result *result, const struct fault *why) {
	struct flow_link *link = context;
	char words[200];
	link->errand = NULL;
	link->has_answer = true;
	if (why) link->why = *why;
	else if (result->reply->result.bytes) text_add(link->result, result->reply->result);
	else {
		mcp_client_words(words, sizeof words, result->reply);
		fault_set(&link->why, FAULT_REFUSED, "%.*s answers with error %lld: %s", SLICE_ARGS(link->participant),
			(long long)result->reply->code, words);
	}
}

/* Until what was asked is answered, whatever becomes of the room. */
static bool wait_for_answer(struct flow_link *link, struct fault *why) {
	while (!link->has_answer && !link->beside.is_over && !is_stopped(link)) loop_step(loop_of(link), -1);
	if (!link->has_answer) {
		if (link->errand) errand_cancel(TAKE(link->errand), SLICE("not waited for"));
		if (link->beside.is_over && link->beside.why.code != FAULT_NONE) *why = link->beside.why;
		else fault_set(why, FAULT_CLOSED, "stopped");
		return false;
	}
	if (link->why.code == FAULT_NONE) return true;
	*why = link->why;
	if (!beside_explain(link->topic, why)) reach_explain(&link->beside.entrance.reach, false, why);
	return false;
}

static bool ask_participant(struct flow_link *link, const char *method, struct slice params, struct text *result,
	struct fault *why) {
	const struct errand_options wishes = {
		.kind = ERRAND_ASK,
		.to = link->participant,
		.name = slice_of(method),
		.body = params,
		.deadline_ms = link->timeout_ms,
		.done = answered,
		.context = link,
	};
	link->result = result;
	link->has_answer = false;
	link->why = (struct fault){.code = FAULT_NONE};
	link->errand = errand_open(link->beside.guest, &wishes, why);
	return link->errand && wait_for_answer(link, why);
}

bool flow_link_ask(struct flow_link *link, const char *method, struct slice params, struct text *result,
	struct fault *why) {
	const struct face_question question = {
		.reach = &link->beside.entrance.reach,
		.server = link->server,
		.method = method,
		.params = params,
		.timeout_ms = link->timeout_ms,
	};
	text_clear(result);
	bool done = link->topic ? ask_participant(link, method, params, result, why) : face_ask(&question, result, why);
	return done && (!text_failed(result) || fault_set(why, FAULT_NO_MEMORY, "no memory for the answer"));
}

/* ---- Who offers a tool ---- */

static void listed(void *context, const struct errand_result *result, const struct fault *why) {
	struct flow_link *link = context;
	link->errand = NULL;
	link->has_answer = true;
	if (why || !mcp_listing_find(result->listing, slice_of(link->asked_for))) return; /* so it does not offer it */
	fault_set(&link->why, FAULT_EXISTS, "it offers that");
}

static bool offers(struct flow_link *link, const char *id, bool *is_offered, struct fault *why) {
	const struct errand_options wishes = {
		.kind = ERRAND_LIST,
		.to = slice_of(id),
		.deadline_ms = link->timeout_ms,
		.done = listed,
		.context = link,
	};
	link->has_answer = false;
	link->why = (struct fault){.code = FAULT_NONE};
	link->errand = errand_open(link->beside.guest, &wishes, why);
	if (!link->errand) return false;
	while (!link->has_answer && !link->beside.is_over && !is_stopped(link)) loop_step(loop_of(link), -1);
	*is_offered = link->why.code == FAULT_EXISTS;
	return link->has_answer || wait_for_answer(link, why);
}

/* The roster may change while one of it is asked: by number, each as it stands then. */
static const struct roster_entry *entry_at(const struct flow_link *link, size_t at) {
	const struct roster *roster = guest_roster(link->beside.guest);
	LIST_EACH(inner, &roster->entries) {
		const struct roster_entry *entry = CONTAINER_OF(inner, struct roster_entry, link);
		if (entry->mcp_version[0] && at-- == 0) return entry;
	}
	return NULL;
}

bool flow_link_find(struct flow_link *link, const char *tool, struct fault *why) {
	const struct roster_entry *entry;
	if (!link->topic || link->participant.length) return true;
	link->asked_for = tool;
	for (size_t at = 0; (entry = entry_at(link, at)); at++) {
		char id[sizeof link->found];
		bool is_offered = false;
		snprintf(id, sizeof id, "%s", entry->id);
		if (!offers(link, id, &is_offered, why)) return false;
		if (!is_offered || strcmp(id, link->found) == 0) continue;
		if (link->found[0])
			return fault_set(why, FAULT_REFUSED, "%.80s and %.80s both offer %.80s: say which of them", link->found, id, tool);
		memcpy(link->found, id, sizeof id);
	}
	if (!link->found[0])
		return fault_set(why, FAULT_NOT_FOUND, "nobody in the room offers %.80s: `hustings tools %.80s` lists who offers what", tool,
			link->topic);
	link->participant = slice_of(link->found);
	return true;
}

/* ---- The user ---- */

/* False: a signal, or we are not there any more. */
static bool turn(struct flow_link *link, int fd, int wait_ms, bool *is_readable) {
	struct pollfd waits[] = {{.fd = loop_descriptor(loop_of(link)), .events = POLLIN}, {.fd = fd, .events = POLLIN}};
	int patience = loop_patience_ms(loop_of(link));
	if (patience < 0 || (wait_ms >= 0 && wait_ms < patience)) patience = wait_ms;
	*is_readable = poll(waits, fd < 0 ? 1 : 2, patience) > 0 && fd >= 0 && waits[1].revents;
	loop_step(loop_of(link), 0);
	return !is_stopped(link) && !(link->topic && link->beside.is_over);
}

bool flow_link_wait(struct flow_link *link, uint64_t ms) {
	bool is_readable;
	for (uint64_t until = loop_now(loop_of(link)) + ms; loop_now(loop_of(link)) < until;)
		if (!turn(link, -1, (int)(until - loop_now(loop_of(link))), &is_readable)) return false;
	return true;
}

/* A whole line of what was read; at the end of the input what is left. */
static bool take_line(struct flow_link *link, struct slice *line) {
	char *from = link->input.bytes + link->used;
	size_t left = link->input.length - link->used;
	char *end = left ? memchr(from, '\n', left) : NULL;
	if (!end && !(link->has_ended && left)) return false;
	*line = slice_make(from, end ? (size_t)(end - from) : left);
	link->used += line->length + (end ? 1 : 0);
	if (line->length && line->bytes[line->length - 1] == '\r') line->length--;
	return true;
}

static void make_room(struct flow_link *link) {
	if (!link->used) return;
	memmove(link->input.bytes, link->input.bytes + link->used, link->input.length - link->used);
	link->input.length -= link->used;
	link->used = 0;
}

enum flow_line_state flow_link_line(struct flow_link *link, struct slice *line, struct fault *why) {
	char part[4096];
	make_room(link);
	while (!take_line(link, line)) {
		bool is_readable;
		if (link->has_ended) return FLOW_LINE_END;
		if (!turn(link, STDIN_FILENO, -1, &is_readable)) {
			if (is_stopped(link)) return FLOW_LINE_STOPPED;
			*why = link->beside.why;
			return FLOW_LINE_FAILED;
		}
		if (!is_readable) continue;
		ssize_t count = read(STDIN_FILENO, part, sizeof part);
		if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
		if (count <= 0) link->has_ended = true;
		else text_add(&link->input, slice_make(part, (size_t)count));
		if (text_failed(&link->input) || link->input.length > FLOW_LINE) {
			fault_set(why, FAULT_TOO_LARGE, "a line has more than %zu octets", FLOW_LINE);
			if (!text_failed(&link->input) && take_line(link, line)) return FLOW_LINE_READ;
			return FLOW_LINE_FAILED;
		}
	}
	return FLOW_LINE_READ;
}
