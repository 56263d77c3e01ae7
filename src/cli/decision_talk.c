/* SPDX-License-Identifier: Apache-2.0 */
/* Decision talk: a gateway that runs is asked, else the folder is opened. */
#include "cli/decision_talk.h"

#include "cli/ask.h"
#include "cli/decision_files.h"
#include "wire/http1.h"

bool decision_talk_open(const struct command_line *line, int64_t life_ms, struct decision_talk *talk,
	struct fault *why) {
	/* Not in the name of who runs this: its own program may be the one that asks. */
	const struct reach_maker maker = {.id = "admin", .is_admin = true, .life_ms = life_ms};
	struct place_gateway gateway;
	*talk = (struct decision_talk){0};
	if (!reach_is_files(line)) return reach_find_as(line, &maker, &talk->reach, why);
	if (!place_find(command_value(line, "data"), talk->reach.data, why)) return false;
	if (place_gateway(talk->reach.data, &gateway, why)) return reach_find_as(line, &maker, &talk->reach, why);
	talk->is_files = why->code == FAULT_NOT_FOUND;
	return talk->is_files;
}

void decision_talk_close(struct decision_talk *talk) { reach_finish(&talk->reach); }

bool decision_talk_list(struct decision_talk *talk, unsigned wait_s, uint64_t after, struct text *json,
	struct fault *why) {
	AUTO_TEXT struct text path = {0};
	if (talk->is_files) return decision_files_list(talk->reach.data, "pending", json, why);
	text_init(&path, 0);
	text_add_cstr(&path, "/admin/decisions?state=pending");
	if (wait_s) text_printf(&path, "&wait=%u&after=%llu", wait_s, (unsigned long long)after);
	if (text_failed(&path)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	return ask(&talk->reach, "GET", path.bytes, SLICE_NONE, json, why);
}

static bool ask_of_one(struct decision_talk *talk, const char *method, const char *id, struct slice body,
	struct text *json, struct fault *why) {
	AUTO_TEXT struct text path = {0};
	text_init(&path, 0);
	text_add_cstr(&path, "/admin/decisions/");
	http1_escape(&path, slice_of(id));
	if (text_failed(&path)) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	return ask(&talk->reach, method, path.bytes, body, json, why);
}

bool decision_talk_show(struct decision_talk *talk, const char *id, struct text *json, struct fault *why) {
	return talk->is_files ? decision_files_show(talk->reach.data, id, json, why)
			      : ask_of_one(talk, "GET", id, SLICE_NONE, json, why);
}

bool decision_talk_answer(struct decision_talk *talk, const char *id, struct slice body, struct text *json,
	struct fault *why) {
	return talk->is_files ? decision_files_answer(talk->reach.data, id, body, json, why)
			      : ask_of_one(talk, "POST", id, body, json, why);
}
