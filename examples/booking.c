/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Booking: a tool that asks its caller one thing after another (MCP Flow): a day, a train or a flight, what
 * each of these needs to know, and whether all of it is right; who says no begins again at the day.
 * `survey` is the same kind of tool as a table of steps.
 *
 *     booking [--stdio]                       as an MCP server of any MCP host
 *     booking --http PORT                     the same over HTTP, on loopback; 0: any port
 *     booking URL TOPIC [--id ID]             as a participant of a room
 *     booking URL TOPIC --ask-first           the same, and somebody there has to approve each call
 *     booking ... --deny NAME=VALUE           what is known of a journey may not be that, as in by=flight
 *
 * Outside this tree: cc booking.c $(pkg-config --cflags --libs hustings)
 *
 * Clients of MCP Flow drive it by interaction.start and interaction.respond; MCP clients that fill in forms
 * are asked by elicitation; all others have to give every argument at once. A token is taken from
 * $HUSTINGS_TOKEN.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <hustings.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hustings *running; /* for the signal handler alone */
static int ended_badly;

/* ---- The booking ---- */

struct trip {
	const char *day, *by, *detail, *mail;
	double seats;
	bool has_bicycle;
};

/* A flight needs a seat, a train may take a bicycle. */
static bool ask_details(struct hustings_flow *flow, struct trip *trip) {
	static const struct hustings_choice seats[] = {{"window", "By the window"}, {"aisle", "By the aisle"}};
	static const struct hustings_field seat = {.message = "Which seat?", .choices = seats, .choice_count = 2};
	static const struct hustings_field bicycle = {.message = "Do you bring a bicycle?", .suggested = "false"};
	if (strcmp(trip->by, "flight") == 0) return hustings_ask_choice(flow, "seat", &seat, &trip->detail);
	if (!hustings_ask_confirm(flow, "bicycle", &bicycle, &trip->has_bicycle)) return false;
	trip->detail = trip->has_bicycle ? "with a bicycle" : "without a bicycle";
	return true;
}

/* False: something is asked. All of it is asked for again and again, and most of it is there already. */
static bool ask_trip(struct hustings_flow *flow, struct trip *trip) {
	static const struct hustings_choice ways[] = {{"train", "Train"}, {"flight", "Flight"}};
	static const struct hustings_field day = {.message = "Which day?", .first = "2026-01-01", .last = "2099-12-31"};
	static const struct hustings_field by = {.message = "How do you travel?", .choices = ways, .choice_count = 2};
	static const struct hustings_field people = {.message = "How many people?", .is_whole = true, .has_least = true, .least = 1, .has_most = true, .most = 9, .suggested = "1"};
	static const struct hustings_field mail = {.message = "Where to send the ticket?", .format = "email", .placeholder = "you@example.org"};
	hustings_flow_progress(flow, 1, 6, NULL);
	if (!hustings_ask_date(flow, "day", &day, &trip->day)) return false;
	hustings_flow_progress(flow, 2, 6, NULL);
	if (!hustings_ask_choice(flow, "by", &by, &trip->by)) return false;
	hustings_flow_progress(flow, 3, 6, NULL);
	if (!ask_details(flow, trip)) return false;
	hustings_flow_progress(flow, 4, 6, NULL);
	if (!hustings_ask_number(flow, "people", &people, &trip->seats)) return false;
	hustings_flow_progress(flow, 5, 6, NULL);
	return hustings_ask_text(flow, "mail", &mail, &trip->mail);
}

static void book(void *context, struct hustings_flow *flow) {
	struct trip trip = {0};
	bool is_right;
	char words[600];
	(void)context;
	if (!ask_trip(flow, &trip)) return;
	snprintf(words, sizeof words, "%s on %s for %.0f, %s, ticket to %.200s: is that right?", trip.by, trip.day,
		trip.seats, trip.detail, trip.mail);
	const struct hustings_field right = {.message = words};
	hustings_flow_progress(flow, 6, 6, "The last question");
	if (!hustings_ask_confirm(flow, "right", &right, &is_right)) return;
	if (!is_right) {
		/* All answers since the day go, this one too; what came with the call cannot be taken back. */
		if (!hustings_flow_back(flow, "day")) hustings_flow_fail(flow, "nothing was booked");
		return;
	}
	/* Only now is anything done. */
	snprintf(words, sizeof words, "booked: %s on %s for %.0f, %s, ticket to %.200s", trip.by, trip.day, trip.seats,
		trip.detail, trip.mail);
	hustings_flow_text(flow, words);
}

static const struct hustings_flow_tool booking = {
	.name = "book",
	.title = "Book a trip",
	.description = "Books a train or a flight. What is not given is asked for.",
	.schema = "{\"type\":\"object\",\"properties\":{"
		  "\"day\":{\"type\":\"string\",\"format\":\"date\",\"description\":\"Day of the journey\"},"
		  "\"by\":{\"type\":\"string\",\"enum\":[\"train\",\"flight\"]},"
		  "\"seat\":{\"type\":\"string\",\"enum\":[\"window\",\"aisle\"]},"
		  "\"bicycle\":{\"type\":\"boolean\"},"
		  "\"people\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9},"
		  "\"mail\":{\"type\":\"string\",\"format\":\"email\"},"
		  "\"right\":{\"type\":\"boolean\"}},"
		  "\"required\":[\"day\",\"by\",\"people\",\"mail\",\"right\"]}",
	.effect = HUSTINGS_EFFECT_ADDITIVE,
	.run = book,
};

/* ---- The same as a table ---- */

static bool was_bad(void *context, struct hustings_json known) {
	struct hustings_json liked;
	bool is_liked = true;
	(void)context;
	return hustings_json_find(known, "liked", &liked) && hustings_json_boolean(liked, &is_liked) && !is_liked;
}

static const struct hustings_step steps[] = {
	{.name = "liked", .kind = HUSTINGS_STEP_CONFIRM, .field = {.message = "Did you like the journey?"}},
	{.name = "why", .kind = HUSTINGS_STEP_TEXT, .field = {.message = "What was wrong?", .has_least = true, .least = 3}, .is_due = was_bad},
	{.name = "picture", .kind = HUSTINGS_STEP_FILE, .field = {.message = "A picture, if you like", .is_optional = true, .most_octets = 1000000, .accepted = "[\"image/*\"]"}},
};

static const struct hustings_flow_tool survey = {
	.name = "survey",
	.description = "Asks how the journey was.",
	.effect = HUSTINGS_EFFECT_NONE,
	.steps = steps,
	.step_count = sizeof steps / sizeof steps[0],
	.timeout = 60000,
};

/* ---- Where it is served ---- */

static void stop(int number) {
	(void)number;
	hustings_stop(running);
}

static void joined(void *context, struct hustings_room *room, bool again) {
	(void)context;
	if (!again) printf("ready %s\n", hustings_id(room));
	fflush(stdout);
}

static void ended(void *context, struct hustings_room *room, const struct hustings_error *why) {
	(void)room;
	fprintf(stderr, "booking: %s\n", why->text);
	ended_badly = 1;
	hustings_stop(context);
}

static bool sit(struct hustings *hustings, const struct hustings_room_options *options, struct hustings_error *error) {
	static const struct hustings_room_events events = {.joined = joined, .ended = ended};
	struct hustings_room *room = hustings_join(hustings, options, &events, hustings, error);
	if (!room) return false;
	hustings_run(hustings);
	hustings_leave(room);
	return true;
}

static bool serve_http(struct hustings *hustings, const char *port, struct hustings_error *error) {
	char address[64];
	snprintf(address, sizeof address, "127.0.0.1:%s", port);
	const struct hustings_http_options options = {.listen = address};
	if (!hustings_serve_http(hustings, &options, error)) return false;
	printf("ready %s\n", hustings_http_url(hustings));
	fflush(stdout);
	hustings_run(hustings);
	return true;
}

static int usage(void) {
	fprintf(stderr, "usage: booking [--stdio] [--deny NAME=VALUE]\n       booking --http PORT [--deny NAME=VALUE]\n"
			"       booking URL TOPIC [--id ID] [--ask-first | --deny NAME=VALUE]\n");
	return 2;
}

/* NAME=VALUE, of which the words stay in `words`. */
static bool deny(struct hustings *hustings, char *words, struct hustings_error *error) {
	char *value = strchr(words, '=');
	if (!value) {
		snprintf(error->text, sizeof error->text, "--deny: NAME=VALUE");
		return false;
	}
	*value++ = '\0';
	const struct hustings_rule rule = {.argument = words, .value = value, .action = HUSTINGS_DENY};
	const struct hustings_authorization settings = {.mode = HUSTINGS_SELECTIVE, .rules = &rule, .rule_count = 1};
	return hustings_authorize(hustings, &settings, error);
}

int main(int argc, char **argv) {
	struct hustings_room_options options = {.name = "Booking", .kind = HUSTINGS_KIND_AGENT};
	struct hustings_error error;
	static const struct hustings_authorization ask_first = {.mode = HUSTINGS_ALWAYS_PROMPT, .timeout = 60000};
	const char *port = NULL;
	char *denied = NULL;
	bool asks_first = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--stdio") == 0) continue;
		if (strcmp(argv[i], "--ask-first") == 0) asks_first = true;
		else if (strcmp(argv[i], "--http") == 0 && i + 1 < argc) port = argv[++i];
		else if (strcmp(argv[i], "--deny") == 0 && i + 1 < argc) denied = argv[++i];
		else if (strcmp(argv[i], "--id") == 0 && i + 1 < argc) options.id = argv[++i];
		else if (argv[i][0] == '-') return usage();
		else if (!options.url) options.url = argv[i];
		else if (!options.topic) options.topic = argv[i];
		else return usage();
	}
	if ((options.url && (!options.topic || port)) || (asks_first && denied)) return usage();
	running = hustings_open("booking", "1.0", &error);
	bool fine = running && hustings_offer_flow(running, &booking, &error) && hustings_offer_flow(running, &survey, &error);
	if (asks_first) fine = fine && hustings_authorize(running, &ask_first, &error);
	if (denied) fine = fine && deny(running, denied, &error);
	if (fine && (port || options.topic)) {
		signal(SIGINT, stop);
		signal(SIGTERM, stop);
	}
	if (fine && port) fine = serve_http(running, port, &error);
	else if (fine && options.topic) fine = sit(running, &options, &error);
	else if (fine) fine = hustings_serve_stdio(running, &error);
	if (!fine) fprintf(stderr, "booking: %s\n", error.text);
	hustings_close(running);
	return !fine || ended_badly;
}
