/* SPDX-License-Identifier: Apache-2.0 */
/* Rest topics: every island and the store are asked; what is in the principal's scope is shown. */
#include "gateway/rest_topics.h"

#include "base/ident.h"
#include "gateway/visit.h"
#include "room/room.h"

#include <stdlib.h>

bool rest_topic(struct exchange *exchange, struct slice *topic) {
	struct slice name = exchange->segments[2];
	if (!ident_is_topic(name)) {
		exchange_error(exchange, 400, "bad_topic",
			"a topic must be 1 to 128 of ASCII letters, digits and ._:@-/ without ..");
		return false;
	}
	if (!principal_may_enter(exchange->principal, name)) {
		exchange_error(exchange, 403, "forbidden", "the token does not hold for this topic");
		return false;
	}
	*topic = name;
	return true;
}

static bool list_participants(struct visit *visit, struct room *room) {
	text_add_cstr(&visit->body, "{\"topic\":");
	text_json(&visit->body, visit->topic);
	text_add_cstr(&visit->body, ",\"participants\":");
	room_write_participants(room, &visit->body);
	text_add_char(&visit->body, '}');
	return true;
}

void rest_participants(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = list_participants};
	struct slice topic;
	if (!rest_topic(exchange, &topic)) return;
	(void)!visit_start(exchange, topic, ROOMS_KNOWN, SLICE_NONE, SLICE_NONE, &steps, NULL);
}

/* ---- All topics ---- */

struct survey;

/* One island's part of a survey. */
struct survey_part {
	struct question question;
	struct survey *survey;
	struct text found; /* "topic LF participants LF" for each room */
};

struct survey {
	struct exchange *exchange; /* NULL: gone */
	struct principal *principal;
	struct history history;
	unsigned open; /* answers that are still to come */
	bool failed;   /* one will not come: half a list is none */
	struct fault why;
	unsigned part_count;
	struct survey_part parts[];
};

struct topic_line {
	struct slice topic;
	struct slice participants;
};

static int by_topic(const void *a, const void *b) {
	const struct topic_line *one = a, *other = b;
	size_t shorter = one->topic.length < other->topic.length ? one->topic.length : other->topic.length;
	int order = memcmp(one->topic.bytes, other->topic.bytes, shorter);
	if (order) return order;
	return one->topic.length < other->topic.length ? -1 : one->topic.length > other->topic.length;
}

/* Rooms come before what the store says of the same topic: stable by construction of the merge. */
static size_t gather(const struct survey *survey, struct topic_line *lines) {
	size_t count = 0;
	for (unsigned i = 0; i < survey->part_count; i++) {
		struct slice rest = text_slice(&survey->parts[i].found), topic, number;
		while (rest.length && slice_split(&rest, '\n', &topic) && slice_split(&rest, '\n', &number))
			if (principal_may_enter(survey->principal, topic))
				lines[count++] = (struct topic_line){topic, number};
	}
	for (size_t i = 0; i < survey->history.count; i++)
		if (principal_may_enter(survey->principal, survey->history.records[i].text))
			lines[count++] = (struct topic_line){survey->history.records[i].text, SLICE_NONE};
	return count;
}

static size_t most_lines(const struct survey *survey) {
	size_t count = survey->history.count;
	for (unsigned i = 0; i < survey->part_count; i++) {
		struct slice found = text_slice(&survey->parts[i].found);
		for (size_t at = 0; at < found.length; at++) count += found.bytes[at] == '\n';
	}
	return count;
}

static void write_topics(const struct survey *survey, struct text *body) {
	struct topic_line *lines = calloc(most_lines(survey) + 1, sizeof *lines);
	if (!lines) {
		body->failed = true;
		return;
	}
	size_t count = gather(survey, lines), listed = 0;
	qsort(lines, count, sizeof *lines, by_topic);
	text_add_cstr(body, "{\"topics\":[");
	for (size_t i = 0; i < count; i++) {
		struct slice participants = lines[i].participants;
		for (; i + 1 < count && slice_equal(lines[i].topic, lines[i + 1].topic); i++)
			if (lines[i + 1].participants.length) participants = lines[i + 1].participants;
		if (listed++) text_add_char(body, ',');
		text_add_cstr(body, "{\"topic\":");
		text_json(body, lines[i].topic);
		text_add_cstr(body, ",\"participants\":");
		text_add(body, participants.length ? participants : SLICE("0"));
		text_add_char(body, '}');
	}
	text_add_cstr(body, "]}");
	free(lines);
}

static void part_done(struct survey *survey) {
	if (--survey->open > 0) return;
	struct exchange *exchange = survey->exchange;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	if (exchange) {
		exchange->gone = NULL;
		if (survey->failed)
			exchange_fault(exchange, &survey->why);
		else {
			write_topics(survey, &body);
			exchange_text(exchange, 200, &body);
		}
	}
	for (unsigned i = 0; i < survey->part_count; i++) text_finish(&survey->parts[i].found);
	history_finish(&survey->history);
	principal_drop(survey->principal);
	free(survey);
}

static void look_around(struct question *question) {
	struct survey_part *part = CONTAINER_OF(question, struct survey_part, question);
	void *value;
	for (size_t at = 0; map_each(&question->island->rooms->by_topic, &at, &value);) {
		const struct room *room = value;
		size_t present = 0;
		if (!room->is_wanted && room->sequence == 0) continue;
		LIST_EACH(link, &room->list)
			present += CONTAINER_OF(link, struct participant, in_room)->is_present;
		text_add(&part->found, room->topic);
		text_printf(&part->found, "\n%zu\n", present);
	}
	question_answer(question);
}

static void looked_around(struct question *question) {
	struct survey_part *part = CONTAINER_OF(question, struct survey_part, question);
	if (text_failed(&part->found))
		part->survey->failed =
			!fault_set(&part->survey->why, FAULT_NO_MEMORY, "no memory for the answer: try again");
	part_done(part->survey);
}

static void store_answered(struct history *history) {
	struct survey *survey = CONTAINER_OF(history, struct survey, history);
	if (history->failed) {
		survey->failed = true;
		survey->why = history->why;
	}
	part_done(survey);
}

static void exchange_gone(struct exchange *exchange) {
	struct survey *survey = exchange->context;
	survey->exchange = NULL;
}

void rest_topics(struct exchange *exchange) {
	struct gateway *gateway = exchange->gateway;
	unsigned count = gateway->island_count;
	struct survey *survey = calloc(1, sizeof *survey + count * sizeof survey->parts[0]);
	if (!survey) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	survey->exchange = exchange;
	survey->principal = principal_keep(exchange->principal);
	survey->part_count = count;
	survey->open = 1; /* this function's own, so that nothing ends before all were asked */
	exchange->context = survey;
	exchange->gone = exchange_gone;
	survey->history = (struct history){.loop = gateway->loop, .answered = store_answered, .kind = HISTORY_TOPICS};
	if (gateway->rooms_settings.history) {
		survey->open++;
		survey->failed = !history_ask(gateway->store, &survey->history, &survey->why);
		if (survey->failed) survey->open--;
	}
	for (unsigned i = 0; i < count; i++) {
		struct survey_part *part = &survey->parts[i];
		part->survey = survey;
		text_init(&part->found, 0);
		survey->open++;
		if (question_start(&part->question, gateway, &gateway->islands[i], NULL, look_around,
			    looked_around, &survey->why))
			continue;
		survey->failed = true;
		survey->open--;
	}
	part_done(survey);
}
