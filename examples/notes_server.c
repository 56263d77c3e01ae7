/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes server: tools that add, list, read, search and delete notes; each note is a resource as well,
 * and there is a prompt that sums them up.
 *
 *     notes_server [--stdio] [--file FILE]              as an MCP server of any MCP host
 *     notes_server --http PORT [--file FILE]            the same over HTTP, on loopback; 0: any port
 *     notes_server URL TOPIC [--file FILE] [--id ID]    as a participant of a room
 *
 * Outside this tree: cc notes_server.c $(pkg-config --cflags --libs hustings)
 *
 * The notes live in memory, in order; with --file they are read from there, one JSON object a line,
 * and written back whole (beside, then renamed) after each change. A token is taken from
 * $HUSTINGS_TOKEN.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <hustings.h>

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NOTES 10000

struct note {
	long id;
	char *title;
	char *text;
};

struct notes {
	struct note list[MOST_NOTES];
	size_t count;
	long last_id;
	const char *file;
};

static struct hustings *running; /* for the signal handler alone */

/* ---- Text that grows ---- */

struct page {
	char *bytes;
	size_t length;
	int failed;
};

static void print(struct page *page, const char *format, ...) {
	va_list arguments;
	char *piece = NULL;
	va_start(arguments, format);
	int length = vasprintf(&piece, format, arguments);
	va_end(arguments);
	char *grown = length < 0 ? NULL : realloc(page->bytes, page->length + (size_t)length + 1);
	if (grown) {
		memcpy(grown + page->length, piece, (size_t)length + 1);
		page->bytes = grown;
		page->length += (size_t)length;
	} else
		page->failed = 1;
	if (length >= 0) free(piece);
}

static void print_note(struct page *page, const struct note *note) {
	char *title = hustings_json_quote(note->title), *text = hustings_json_quote(note->text);
	if (title && text) print(page, "{\"id\":%ld,\"title\":%s,\"text\":%s}", note->id, title, text);
	else page->failed = 1;
	free(title);
	free(text);
}

static void answer(struct hustings_request *request, struct page *page) {
	if (page->failed) hustings_answer_failure(request, "out of memory");
	else hustings_answer_json(request, page->bytes);
	free(page->bytes);
}

/* ---- The notes ---- */

static struct note *find(struct notes *notes, long id) {
	for (size_t i = 0; i < notes->count; i++)
		if (notes->list[i].id == id) return &notes->list[i];
	return NULL;
}

static void forget(struct notes *notes, struct note *note) {
	size_t at = (size_t)(note - notes->list);
	free(note->title);
	free(note->text);
	memmove(note, note + 1, (notes->count - at - 1) * sizeof *note);
	notes->count--;
}

/* Takes both strings. */
static int add(struct notes *notes, long id, char *title, char *text) {
	if (!title || !text || notes->count == MOST_NOTES) {
		free(title);
		free(text);
		return 0;
	}
	notes->list[notes->count++] = (struct note){id, title, text};
	if (id > notes->last_id) notes->last_id = id;
	return 1;
}

static int write_lines(const struct notes *notes, FILE *file) {
	struct page page = {0};
	for (size_t i = 0; i < notes->count; i++) {
		print_note(&page, &notes->list[i]);
		print(&page, "\n");
	}
	int written = !page.failed && (page.length == 0 || fwrite(page.bytes, page.length, 1, file) == 1);
	free(page.bytes);
	return written;
}

/* Every change comes by here: who subscribed to the notes is told. */
static int save(const struct notes *notes) {
	char beside[4096];
	hustings_updated(running, "notes:///all");
	if (!notes->file) return 1;
	if (snprintf(beside, sizeof beside, "%s.new", notes->file) >= (int)sizeof beside) return 0;
	FILE *file = fopen(beside, "w");
	if (!file) return 0;
	int written = write_lines(notes, file);
	return fclose(file) == 0 && written && rename(beside, notes->file) == 0;
}

static char *string_of(struct hustings_json object, const char *name) {
	struct hustings_json value;
	return hustings_json_find(object, name, &value) ? hustings_json_string(value) : NULL;
}

static int integer_of(struct hustings_json object, const char *name, int64_t *integer) {
	struct hustings_json value;
	return hustings_json_find(object, name, &value) && hustings_json_integer(value, integer);
}

static int load(struct notes *notes) {
	char *line = NULL;
	size_t size = 0;
	int fine = 1;
	FILE *file = fopen(notes->file, "r");
	if (!file) return errno == ENOENT;
	while (fine && getline(&line, &size, file) > 0) {
		struct hustings_json note = hustings_json(line);
		int64_t id;
		fine = hustings_json_is_sound(note) && integer_of(note, "id", &id) &&
			add(notes, (long)id, string_of(note, "title"), string_of(note, "text"));
	}
	free(line);
	fclose(file);
	return fine;
}

/* ---- The tools ---- */

static void add_note(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct notes *notes = context;
	struct page page = {0};
	char *title = string_of(arguments, "title"), *text = string_of(arguments, "text");
	if (!title || !text) {
		free(title);
		free(text);
		hustings_answer_failure(request, "title and text are due, both strings");
		return;
	}
	if (!add(notes, notes->last_id + 1, title, text)) {
		hustings_answer_failure(request, "there are %d notes already; delete some", MOST_NOTES);
		return;
	}
	if (!save(notes)) {
		forget(notes, &notes->list[notes->count - 1]);
		hustings_answer_failure(request, "the note could not be written to the file");
		return;
	}
	print(&page, "{\"id\":%ld}", notes->last_id);
	answer(request, &page);
}

static void print_heading(struct page *page, const struct note *note, int is_first) {
	char *title = hustings_json_quote(note->title);
	if (title) print(page, "%s{\"id\":%ld,\"title\":%s}", is_first ? "" : ",", note->id, title);
	else page->failed = 1;
	free(title);
}

static void list_notes(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	const struct notes *notes = context;
	struct page page = {0};
	(void)arguments;
	print(&page, "{\"notes\":[");
	for (size_t i = 0; i < notes->count; i++) print_heading(&page, &notes->list[i], i == 0);
	print(&page, "]}");
	answer(request, &page);
}

/* NULL: the request was answered. */
static struct note *wanted(struct notes *notes, struct hustings_request *request,
	struct hustings_json arguments) {
	int64_t id;
	struct note *note = integer_of(arguments, "id", &id) ? find(notes, (long)id) : NULL;
	if (!note) hustings_answer_failure(request, "id: no note has it; see list_notes");
	return note;
}

static void read_note(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct page page = {0};
	const struct note *note = wanted(context, request, arguments);
	if (!note) return;
	print_note(&page, note);
	answer(request, &page);
}

static void search_notes(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	const struct notes *notes = context;
	struct page page = {0};
	int is_first = 1;
	char *query = string_of(arguments, "query");
	if (!query) {
		hustings_answer_failure(request, "query: a string is due");
		return;
	}
	print(&page, "{\"notes\":[");
	for (size_t i = 0; i < notes->count; i++) {
		const struct note *note = &notes->list[i];
		if (!strcasestr(note->title, query) && !strcasestr(note->text, query)) continue;
		print_heading(&page, note, is_first);
		is_first = 0;
	}
	print(&page, "]}");
	free(query);
	answer(request, &page);
}

static void delete_note(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct notes *notes = context;
	struct note *note = wanted(notes, request, arguments);
	if (!note) return;
	forget(notes, note);
	if (save(notes)) hustings_answer_text(request, "deleted");
	else hustings_answer_failure(request, "deleted, but the file could not be written");
}

/* ---- Asking before all is lost ---- */

struct clearing {
	struct notes *notes;
	struct hustings_request *request;
};

static int is_confirmed(const struct hustings_answer *answer) {
	struct hustings_json action, content, value;
	bool yes = false;
	char *word = hustings_json_find(answer->json, "action", &action) ? hustings_json_string(action) : NULL;
	int accepted = word && strcmp(word, "accept") == 0;
	free(word);
	return accepted && hustings_json_find(answer->json, "content", &content) &&
		hustings_json_find(content, "sure", &value) && hustings_json_boolean(value, &yes) && yes;
}

static void confirmed(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	struct clearing *clearing = context;
	struct notes *notes = clearing->notes;
	if (error) hustings_answer_failure(clearing->request, "nobody said yes: %s", error->text);
	else if (answer->code || !is_confirmed(answer))
		hustings_answer_text(clearing->request, "kept");
	else {
		while (notes->count) forget(notes, &notes->list[notes->count - 1]);
		if (save(notes)) hustings_answer_text(clearing->request, "cleared");
		else hustings_answer_failure(clearing->request, "cleared, but the file could not be written");
	}
	free(clearing);
}

static void clear_notes(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct clearing *clearing = malloc(sizeof *clearing);
	struct hustings_error error;
	(void)arguments;
	if (!clearing) {
		hustings_answer_failure(request, "out of memory");
		return;
	}
	*clearing = (struct clearing){context, request};
	hustings_log(request, "info", "notes", "\"asking before everything is deleted\"");
	if (hustings_elicit(request, "Delete all notes?",
		    "{\"type\":\"object\",\"properties\":{\"sure\":{\"type\":\"boolean\","
		    "\"title\":\"Delete all notes\",\"default\":false}},\"required\":[\"sure\"]}",
		    0, confirmed, clearing, &error))
		return;
	if (error.status == HUSTINGS_UNSUPPORTED) hustings_answer_unable(request, "elicitation/create");
	else hustings_answer_failure(request, "%s", error.text);
	free(clearing);
}

/* ---- Resources and a prompt ---- */

static void read_all(void *context, struct hustings_request *request) {
	struct page page = {0};
	print(&page, "[");
	const struct notes *notes = context;
	for (size_t i = 0; i < notes->count; i++) {
		if (i) print(&page, ",");
		print_note(&page, &notes->list[i]);
	}
	print(&page, "]");
	answer(request, &page);
}

static void read_one(void *context, struct hustings_request *request) {
	const char *uri = hustings_request_name(request); /* notes:///7 */
	const struct note *note = find(context, strtol(strrchr(uri, '/') + 1, NULL, 10));
	struct page page = {0};
	if (!note) {
		hustings_answer_failure(request, "there is no such note");
		return;
	}
	print_note(&page, note);
	answer(request, &page);
}

static void get_summary(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	const struct notes *notes = context;
	struct page page = {0};
	char *style = string_of(arguments, "style");
	print(&page, "Sum up these notes%s%s:\n", style ? ", in this style: " : "", style ? style : "");
	for (size_t i = 0; i < notes->count; i++)
		print(&page, "\n# %s\n%s\n", notes->list[i].title, notes->list[i].text);
	free(style);
	if (page.failed) hustings_answer_failure(request, "out of memory");
	else hustings_answer_text(request, page.bytes);
	free(page.bytes);
}

/* The words that a style may begin with, as far as they go on from what was typed. */
static void complete_style(void *context, struct hustings_request *request, const char *argument,
	const char *value) {
	static const char *const styles[] = {"formal", "friendly", "funny", "short"};
	struct page page = {0};
	const char *comma = "";
	(void)context;
	print(&page, "[");
	for (size_t i = 0; strcmp(argument, "style") == 0 && i < sizeof styles / sizeof styles[0]; i++) {
		if (strncmp(styles[i], value, strlen(value)) != 0) continue;
		print(&page, "%s\"%s\"", comma, styles[i]);
		comma = ",";
	}
	print(&page, "]");
	answer(request, &page);
}

static const struct hustings_resource resources[] = {
	{.uri = "notes:///all", .name = "all", .title = "All notes", .type = "application/json", .read = read_all},
	{.uri = "notes:///{id}", .name = "note", .title = "A note by its number", .type = "application/json", .read = read_one},
};

static const struct hustings_prompt summary = {
	.name = "summary",
	.description = "Asks for a summary of all notes.",
	.arguments = "[{\"name\":\"style\",\"description\":\"how to write it\",\"required\":false}]",
	.get = get_summary,
	.complete = complete_style,
};

#define ID_SCHEMA \
	"{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"}},\"required\":[\"id\"]}"

static const struct hustings_tool tools[] = {
	{
		.name = "add_note",
		.description = "Keeps a note.",
		.effect = HUSTINGS_EFFECT_ADDITIVE,
		.run = add_note,
		.schema = "{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string\"},"
			  "\"text\":{\"type\":\"string\"}},\"required\":[\"title\",\"text\"]}",
	},
	{
		.name = "list_notes",
		.description = "The titles of all notes.",
		.effect = HUSTINGS_EFFECT_NONE,
		.run = list_notes,
	},
	{
		.name = "read_note",
		.description = "One note, whole.",
		.effect = HUSTINGS_EFFECT_NONE,
		.run = read_note,
		.schema = ID_SCHEMA,
	},
	{
		.name = "search_notes",
		.description = "Notes that hold some words, in any case.",
		.effect = HUSTINGS_EFFECT_NONE,
		.run = search_notes,
		.schema = "{\"type\":\"object\",\"properties\":{\"query\":{\"type\":\"string\"}},"
			  "\"required\":[\"query\"]}",
	},
	{
		.name = "delete_note",
		.description = "Deletes a note for good.",
		.effect = HUSTINGS_EFFECT_DESTRUCTIVE,
		.run = delete_note,
		.schema = ID_SCHEMA,
	},
	{
		.name = "clear_notes",
		.description = "Deletes all notes, after asking whoever calls.",
		.effect = HUSTINGS_EFFECT_DESTRUCTIVE,
		.run = clear_notes,
	},
};

/* ---- The program ---- */

static void joined(void *context, struct hustings_room *room, bool again) {
	(void)context;
	fprintf(stderr, "%s as %s\n", again ? "back" : "joined", hustings_id(room));
}

static void ended(void *context, struct hustings_room *room, const struct hustings_error *why) {
	int *failed = context;
	(void)room;
	fprintf(stderr, "notes_server: %s\n", why->text);
	*failed = 1;
	hustings_stop(running);
}

static const struct hustings_room_events events = {.joined = joined, .ended = ended};

static void stop(int number) {
	(void)number;
	hustings_stop(running);
}

static int sit(struct hustings *hustings, const struct hustings_room_options *options) {
	struct hustings_error error;
	int failed = 0;
	struct hustings_room *room = hustings_join(hustings, options, &events, &failed, &error);
	if (!room) {
		fprintf(stderr, "notes_server: %s\n", error.text);
		return 1;
	}
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	hustings_run(hustings);
	hustings_leave(room);
	return failed;
}

static int offer(struct hustings *hustings, struct notes *notes, struct hustings_error *error) {
	int fine = 1;
	for (size_t i = 0; fine && i < sizeof tools / sizeof tools[0]; i++) {
		struct hustings_tool tool = tools[i];
		tool.context = notes;
		fine = hustings_offer(hustings, &tool, error);
	}
	for (size_t i = 0; fine && i < sizeof resources / sizeof resources[0]; i++) {
		struct hustings_resource resource = resources[i];
		resource.context = notes;
		fine = hustings_offer_resource(hustings, &resource, error);
	}
	struct hustings_prompt prompt = summary;
	prompt.context = notes;
	return fine && hustings_offer_prompt(hustings, &prompt, error);
}

static int serve_http(struct hustings *hustings, const char *port, struct hustings_error *error) {
	char address[64];
	snprintf(address, sizeof address, "127.0.0.1:%s", port);
	const struct hustings_http_options options = {.listen = address};
	if (!hustings_serve_http(hustings, &options, error)) return 0;
	printf("ready %s\n", hustings_http_url(hustings));
	fflush(stdout);
	signal(SIGINT, stop);
	signal(SIGTERM, stop);
	hustings_run(hustings);
	return 1;
}

static int serve(struct notes *notes, const char *port, struct hustings_room_options *options) {
	struct hustings_error error;
	struct hustings *hustings = hustings_open("notes", "1.0", &error);
	running = hustings;
	int fine = hustings && offer(hustings, notes, &error);
	if (fine && port) fine = serve_http(hustings, port, &error);
	else if (fine && !options->topic) fine = hustings_serve_stdio(hustings, &error);
	if (!fine) fprintf(stderr, "notes_server: %s\n", error.text);
	int failed = fine && options->topic ? sit(hustings, options) : !fine;
	hustings_close(hustings);
	return failed;
}

static int usage(void) {
	fprintf(stderr, "usage: notes_server [--stdio] [--file FILE]\n"
			"       notes_server --http PORT [--file FILE]\n"
			"       notes_server URL TOPIC [--file FILE] [--id ID]\n");
	return 2;
}

int main(int argc, char **argv) {
	static struct notes notes;
	struct hustings_room_options options = {.name = "Notes", .kind = HUSTINGS_KIND_AGENT};
	const char *port = NULL;
	int is_stdio = 0;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--stdio") == 0) is_stdio = 1;
		else if (strcmp(argv[i], "--http") == 0 && i + 1 < argc) port = argv[++i];
		else if (strcmp(argv[i], "--file") == 0 && i + 1 < argc) notes.file = argv[++i];
		else if (strcmp(argv[i], "--id") == 0 && i + 1 < argc) options.id = argv[++i];
		else if (argv[i][0] == '-') return usage();
		else if (!options.url) options.url = argv[i];
		else if (!options.topic) options.topic = argv[i];
		else return usage();
	}
	if ((options.url && !options.topic) || is_stdio + (port != NULL) + (options.url != NULL) > 1)
		return usage();
	if (notes.file && !load(&notes)) {
		fprintf(stderr, "notes_server: %s cannot be read as notes\n", notes.file);
		return 1;
	}
	int failed = serve(&notes, port, &options);
	while (notes.count) forget(&notes, &notes.list[notes.count - 1]);
	return failed;
}
