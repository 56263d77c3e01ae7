/* SPDX-License-Identifier: Apache-2.0 */
/* Library server: connecting to an MCP server, and leaving it. */
#include "client/library_call.h"
#include "client/library_question.h"
#include "client/library_server_parts.h"
#include "client/library_told.h"
#include "client/turn.h"

#include <stdlib.h>

/* ---- Levels ---- */

static void level_set(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context; /* a server without levels says what it likes */
	(void)reply;
	(void)why;
}

/* A modern server is told with every request. */
static bool tell_level(struct hustings_server *server, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	struct conversation *conversation = server->conversation;
	struct slice level = conversation_level(conversation);
	if (!level.length || !conversation_is_ready(conversation) || conversation_is_modern(conversation) ||
		!conversation_offers(conversation, "logging", NULL))
		return true;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"level\":");
	text_json(&params, level);
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct turn_request request = {
		.method = SLICE("logging/setLevel"), .params = text_slice(&params), .answered = level_set};
	return turn_open(conversation, &request, why) != NULL;
}

bool hustings_server_set_level(struct hustings_server *server, const char *level,
	struct hustings_error *error) {
	struct fault why;
	bool is_fine = conversation_set_level(server->conversation, slice_of(level)) ||
		fault_set(&why, FAULT_BAD_INPUT, "level: it is none of MCP's");
	return (is_fine && tell_level(server, &why)) || library_error(error, &why);
}

/* ---- Events ---- */

static void ready(void *context) {
	struct hustings_server *server = context;
	listening_begin(&server->listening, server->conversation, server->events->changed != NULL);
	(void)tell_level(server, NULL); /* who cannot be told now may be told too much */
	if (server->events->ready) server->events->ready(server->context, server);
}

static void ended(void *context, const struct fault *why) {
	struct hustings_server *server = context;
	struct hustings_error error;
	(void)library_error(&error, why);
	listening_finish(&server->listening);
	while (!list_is_empty(&server->calls)) /* those that waited for no request of their own */
		library_call_failed(CONTAINER_OF(server->calls.next, struct hustings_call, link), why);
	if (server->events->ended) server->events->ended(server->context, server, &error);
}

static const struct conversation_events conversation_table = {
	.ready = ready,
	.asked = library_question_asked,
	.withdrawn = library_question_withdrawn,
	.told = library_told,
	.ended = ended,
};

/* ---- Connecting ---- */

static const char *keep(struct hustings_server *server, const char *words, bool *failed) {
	return library_string(&server->words, slice_of(words), failed);
}

static const char *const *keep_all(struct hustings_server *server, const char *const *words,
	bool *failed) {
	size_t count = 0;
	if (!words) return NULL;
	while (words[count]) count++;
	const char **kept = arena_zero(&server->words, (count + 1) * sizeof *kept);
	if (!kept) *failed = true;
	for (size_t i = 0; kept && i < count; i++) kept[i] = keep(server, words[i], failed);
	return kept;
}

static unsigned abilities_of(const struct hustings_server *server, bool opens_urls) {
	unsigned abilities = 0;
	if (server->events->elicit) abilities |= 1U << INQUIRY_FORM;
	if (server->events->elicit && opens_urls) abilities |= 1U << INQUIRY_URL;
	if (server->events->sample) abilities |= 1U << INQUIRY_SAMPLING;
	if (server->events->roots) abilities |= 1U << INQUIRY_ROOTS;
	return abilities;
}

static bool converse(struct hustings_server *server, const struct hustings_server_options *options,
	struct fault *why) {
	bool failed = false;
	struct hustings *hustings = server->hustings;
	struct conversation_options wishes = {
		.remote = {.url = options->url,
			.headers = options->headers,
			.token = options->token,
			.ca = options->ca,
			.alive = &hustings->carriers},
		.spawned = {.command = keep_all(server, options->command, &failed),
			.environment = keep_all(server, options->environment, &failed),
			.directory = keep(server, options->directory, &failed),
			.alive = &hustings->carriers},
		.version = options->version,
		.name = slice_of(hustings->name),
		.software = slice_of(hustings->version),
		.abilities = abilities_of(server, options->opens_urls),
		.hello_ms = options->patience,
		.call_ms = options->deadline,
	};
	if (failed) return fault_set(why, FAULT_NO_MEMORY, "no memory for another server");
	if (options->url && !library_desk(hustings, why)) return false;
	wishes.desk = hustings->desk;
	server->conversation =
		conversation_open(hustings->loop, &wishes, &conversation_table, server, why);
	return server->conversation != NULL;
}

struct hustings_server *hustings_connect(struct hustings *hustings,
	const struct hustings_server_options *options, const struct hustings_server_events *events,
	void *context, struct hustings_error *error) {
	static const struct hustings_server_events none;
	struct fault why;
	struct hustings_server *server = calloc(1, sizeof *server);
	if (!server) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for another server");
		return library_error_null(error, &why);
	}
	server->hustings = hustings;
	server->events = events ? events : &none;
	server->context = context;
	list_init(&server->calls);
	listening_init(&server->listening, hustings->loop);
	arena_init(&server->words, NULL, 0, 0);
	list_append(&hustings->servers, &server->link);
	if (converse(server, options, &why)) return server;
	hustings_disconnect(server);
	return library_error_null(error, &why);
}

/* Whoever disconnects may stand in a loop of ours. */
static void free_later(struct task *task) {
	struct hustings_server *server = CONTAINER_OF(task, struct hustings_server, closing);
	arena_finish(&server->words);
	free(server);
}

void hustings_disconnect(struct hustings_server *server) {
	if (!server) return;
	server->is_left = true;
	listening_finish(&server->listening);
	LIST_EACH_SAFE(link, &server->calls) {
		struct hustings_call *call = CONTAINER_OF(link, struct hustings_call, link);
		call->cancel(call, SLICE("the server was left"));
		library_call_free(call);
	}
	conversation_close(server->conversation);
	list_remove(&server->link);
	loop_later(server->hustings->loop, &server->closing, free_later);
}

/* ---- What it says of itself ---- */

const char *hustings_server_version(const struct hustings_server *server) {
	return conversation_facts(server->conversation)->version;
}
const char *hustings_server_name(const struct hustings_server *server) {
	return conversation_facts(server->conversation)->name;
}
const char *hustings_server_instructions(const struct hustings_server *server) {
	return conversation_facts(server->conversation)->instructions;
}
struct hustings_json hustings_server_capabilities(const struct hustings_server *server) {
	return library_json(conversation_facts(server->conversation)->capabilities);
}
