/* SPDX-License-Identifier: Apache-2.0 */
/* Decision files: an inbox without askers, for as long as one command lasts. */
#include "cli/decision_files.h"

#include "cli/place.h"
#include "decide/decision_record.h"
#include "decide/inbox.h"
#include "gateway/decision_body.h"
#include "store/audit.h"
#include "store/data_folder.h"

#include <stdio.h>
#include <unistd.h>

#define WHO "admin" /* as the first administrator's token (cli/place.c) */

struct files {
	int lock; /* -1: not held */
	struct loop *loop;
	struct state *state;
	struct inbox *inbox;
};

static void files_close(struct files *files) {
	inbox_close(files->inbox);
	if (files->loop) loop_close(files->loop);
	if (files->state) state_close(files->state);
	if (files->lock >= 0) close(files->lock);
}

static bool files_open(struct files *files, const char *data, struct fault *why) {
	*files = (struct files){.lock = -1};
	if (!data_folder_make(data, why)) return false;
	files->lock = data_folder_lock(data, why);
	if (files->lock >= 0) files->loop = loop_open(why);
	if (files->loop) files->state = state_open(data, why);
	const struct inbox_options options = {.state = files->state, .loop = files->loop};
	if (files->state) files->inbox = inbox_open(&options, why);
	if (files->inbox) return true;
	files_close(files);
	return false;
}

bool decision_files_list(const char *data, const char *state, struct text *json, struct fault *why) {
	struct files files;
	bool is_first = true;
	if (!files_open(&files, data, why)) return false;
	text_add_cstr(json, "{\"decisions\":[");
	for (const struct decision *decision = NULL; (decision = inbox_next(files.inbox, decision));) {
		/* What is over is said to be when the gateway runs again. */
		bool is_over = decision->state == DECISION_PENDING && decision->expires_at <= clock_wall_ms();
		const char *word = decision_state_text(is_over ? DECISION_EXPIRED : decision->state);
		if (state && strcmp(word, state) != 0) continue;
		if (!is_first) text_add_char(json, ',');
		is_first = false;
		decision_write(decision, json);
	}
	text_printf(json, "],\"version\":%llu}", (unsigned long long)inbox_version(files.inbox));
	files_close(&files);
	return !text_failed(json) || fault_set(why, FAULT_NO_MEMORY, "no memory for the decisions");
}

bool decision_files_show(const char *data, const char *id, struct text *json, struct fault *why) {
	struct files files;
	if (!files_open(&files, data, why)) return false;
	const struct decision *decision = inbox_find(files.inbox, slice_of(id));
	if (decision) decision_write(decision, json);
	else fault_set(why, FAULT_NOT_FOUND, "there is no decision %.64s: `hustings pending` shows those that are open", id);
	bool is_found = decision != NULL;
	files_close(&files);
	return is_found;
}

static void audit(const char *data, const struct decision *decision) {
	struct fault why;
	const struct audit_record record = {
		.event = SLICE("decision"),
		.actor = SLICE(WHO),
		.topic = decision->topic,
		.target = slice_of(decision->id),
		.result = slice_of(decision_state_text(decision->state)),
		.server_id = decision->server,
		.tool_name = decision->tool,
		.details = AUDIT_BY_COMMAND,
	};
	if (!audit_write_file(data, &record, &why))
		fprintf(stderr, "hustings: warning: the audit record was not written: %s\n", why.text);
}

bool decision_files_answer(const char *data, const char *id, struct slice body, struct text *json,
	struct fault *why) {
	struct files files;
	struct decision_body wish;
	struct arena arena;
	const struct decision *decision = NULL;
	if (!files_open(&files, data, why)) return false;
	arena_init(&arena, NULL, 0, 0);
	if (decision_body_read(body, &arena, &wish, why)) {
		wish.answer.who = SLICE(WHO);
		wish.answer.is_admin = true;
		decision = inbox_answer(files.inbox, slice_of(id), &wish.answer, why);
	}
	if (decision) {
		decision_write(decision, json);
		audit(data, decision);
	}
	arena_finish(&arena);
	files_close(&files);
	return decision != NULL;
}
