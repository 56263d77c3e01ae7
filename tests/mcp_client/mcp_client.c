/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MCP client: asks an MCP server for all it has, on libhustings alone, and prints a line for each.
 *
 *     mcp_client [--version V] URL
 *     mcp_client [--version V] --stdio COMMAND [ARGUMENT]...
 *
 * It lists tools, resources, templates and prompts, calls every tool with arguments made from its
 * schema, reads every resource, gets every prompt, and answers what it is asked back. The published
 * conformance suite for clients drives it: $MCP_CONFORMANCE_PROTOCOL_VERSION is the version where none
 * is given, $MCP_CONFORMANCE_CONTEXT may name the calls to make. It exits with 1 when a request got
 * no answer.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <hustings.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1000

struct step { /* one request to come */
	enum step_kind {
		CALL,
		READ,
		PROMPT
	} kind;
	char *name;
	char *arguments; /* NULL: none */
};

struct client {
	struct hustings *hustings;
	struct hustings_server *server;
	struct step steps[MOST];
	size_t count, at;
	int lists; /* under way */
	int failed;
};

/* ---- Text that grows ---- */

struct page {
	char *bytes;
	size_t length;
};

static void print(struct page *page, const char *format, ...) {
	va_list arguments;
	char *piece = NULL;
	va_start(arguments, format);
	int length = vasprintf(&piece, format, arguments);
	va_end(arguments);
	if (length < 0) abort();
	page->bytes = realloc(page->bytes, page->length + (size_t)length + 1);
	if (!page->bytes) abort();
	memcpy(page->bytes + page->length, piece, (size_t)length + 1);
	page->length += (size_t)length;
	free(piece);
}

static void print_json(struct page *page, struct hustings_json json) {
	print(page, "%.*s", (int)json.length, json.text);
}

static int is_string(struct hustings_json json, const char *words) {
	size_t length = strlen(words);
	return json.length == length + 2 && json.text[0] == '"' && memcmp(json.text + 1, words, length) == 0;
}

/* ---- Values made from schemas ---- */

static void print_value(struct page *page, struct hustings_json schema) {
	struct hustings_json type, values, first;
	size_t at = 0;
	if (hustings_json_find(schema, "enum", &values) && hustings_json_each(values, &at, NULL, &first)) {
		print_json(page, first);
		return;
	}
	if (!hustings_json_find(schema, "type", &type)) type = hustings_json("\"string\"");
	if (is_string(type, "integer") || is_string(type, "number")) print(page, "7");
	else if (is_string(type, "boolean")) print(page, "true");
	else if (is_string(type, "array")) print(page, "[]");
	else if (is_string(type, "object")) print(page, "{}");
	else print(page, "\"words\"");
}

/* An object with a value for each property, but those that the schema has a default for. */
static void print_object(struct page *page, struct hustings_json schema) {
	struct hustings_json properties, name, property, standard;
	const char *comma = "";
	print(page, "{");
	if (hustings_json_find(schema, "properties", &properties))
		for (size_t at = 0; hustings_json_each(properties, &at, &name, &property);) {
			if (hustings_json_find(property, "default", &standard)) continue;
			print(page, "%s", comma);
			print_json(page, name);
			print(page, ":");
			print_value(page, property);
			comma = ",";
		}
	print(page, "}");
}

/* ---- Steps ---- */

static void add(struct client *client, enum step_kind kind, const char *name, char *arguments) {
	if (client->count == MOST) abort();
	client->steps[client->count++] = (struct step){kind, strdup(name), arguments};
}

static void go_on(struct client *client);

static void fail(struct client *client, const char *what, const struct hustings_error *error) {
	printf("%s: %s: %s\n", what, hustings_status_word(error->status), error->text);
	client->failed = 1;
}

static void answered(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	struct client *client = context;
	const struct step *step = &client->steps[client->at];
	if (error) fail(client, step->name, error);
	else printf("%s: %s%s\n", step->name, answer->is_error ? "error: " : "", answer->text);
	client->at++;
	go_on(client);
}

static void go_on(struct client *client) {
	struct hustings_error error;
	struct hustings_call *call = NULL;
	if (client->at == client->count) {
		hustings_stop(client->hustings);
		return;
	}
	const struct step *step = &client->steps[client->at];
	if (step->kind == CALL)
		call = hustings_server_call(client->server, step->name, step->arguments, 0, answered, NULL,
			client, &error);
	else if (step->kind == READ)
		call = hustings_server_read(client->server, step->name, 0, answered, client, &error);
	else
		call = hustings_server_prompt(client->server, step->name, step->arguments, 0, answered,
			client, &error);
	if (call) return;
	fail(client, step->name, &error);
	hustings_stop(client->hustings);
}

static void list_is_there(struct client *client, const struct hustings_error *error) {
	if (error) fail(client, "list", error);
	if (--client->lists == 0) go_on(client);
}

/* The calls that the suite names; 0: none. */
static int add_named_calls(struct client *client) {
	const char *words = getenv("MCP_CONFORMANCE_CONTEXT");
	struct hustings_json context = hustings_json(words), calls, call, name, arguments;
	if (!words || !hustings_json_is_sound(context) ||
		!hustings_json_find(context, "toolCalls", &calls))
		return 0;
	for (size_t at = 0; hustings_json_each(calls, &at, NULL, &call);) {
		struct page page = {0};
		if (!hustings_json_find(call, "name", &name)) continue;
		if (hustings_json_find(call, "arguments", &arguments)) print_json(&page, arguments);
		char *tool = hustings_json_string(name);
		if (tool) add(client, CALL, tool, page.bytes);
		free(tool);
	}
	return 1;
}

/* A tool that wants a schema gets the first one there is: what comes back shows whether it passed
 * through whole. */
static char *arguments_for(const struct hustings_tool_seen *tool,
	const struct hustings_tool_seen *first) {
	struct page page = {0};
	struct hustings_json properties, schema, type;
	int wants_schema = hustings_json_find(tool->schema, "properties", &properties) &&
		hustings_json_find(properties, "schema", &schema) &&
		hustings_json_find(schema, "type", &type) && is_string(type, "object");
	if (wants_schema) {
		print(&page, "{\"schema\":");
		print_json(&page, first->schema);
		print(&page, "}");
	} else
		print_object(&page, tool->schema);
	return page.bytes;
}

static void tools_listed(void *context, const struct hustings_tool_seen *tools, size_t count,
	const struct hustings_error *error) {
	struct client *client = context;
	int are_named = !error && add_named_calls(client);
	for (size_t i = 0; i < count; i++) {
		printf("tool %s: %s\n", tools[i].name, tools[i].description);
		if (!are_named) add(client, CALL, tools[i].name, arguments_for(&tools[i], &tools[0]));
	}
	list_is_there(client, error);
}

static void resources_listed(void *context, const struct hustings_item *items, size_t count,
	const struct hustings_error *error) {
	struct client *client = context;
	for (size_t i = 0; i < count; i++) {
		printf("resource %s\n", items[i].key);
		add(client, READ, items[i].key, NULL);
	}
	list_is_there(client, error);
}

static void templates_listed(void *context, const struct hustings_item *items, size_t count,
	const struct hustings_error *error) {
	for (size_t i = 0; i < count; i++) printf("template %s\n", items[i].key);
	list_is_there(context, error);
}

static char *prompt_arguments(struct hustings_json definition) {
	struct hustings_json arguments, argument, name;
	struct page page = {0};
	const char *comma = "";
	if (!hustings_json_find(definition, "arguments", &arguments)) return NULL;
	print(&page, "{");
	for (size_t at = 0; hustings_json_each(arguments, &at, NULL, &argument);) {
		if (!hustings_json_find(argument, "name", &name)) continue;
		print(&page, "%s", comma);
		print_json(&page, name);
		print(&page, ":\"words\"");
		comma = ",";
	}
	print(&page, "}");
	return page.bytes;
}

static void prompts_listed(void *context, const struct hustings_item *items, size_t count,
	const struct hustings_error *error) {
	struct client *client = context;
	for (size_t i = 0; i < count; i++) {
		printf("prompt %s\n", items[i].key);
		add(client, PROMPT, items[i].key, prompt_arguments(items[i].definition));
	}
	list_is_there(client, error);
}

/* ---- What the server does ---- */

static int offers(struct client *client, const char *what) {
	struct hustings_json value;
	return hustings_json_find(hustings_server_capabilities(client->server), what, &value);
}

static void list(struct client *client, enum hustings_list which, hustings_items_listed *listed) {
	struct hustings_error error;
	if (hustings_server_list(client->server, which, 0, listed, client, &error)) client->lists++;
	else fail(client, "list", &error);
}

static void ready(void *context, struct hustings_server *server) {
	struct client *client = context;
	struct hustings_error error;
	printf("%s speaks %s\n", hustings_server_name(server), hustings_server_version(server));
	if (client->lists || client->count) return; /* again */
	if (hustings_server_tools(server, 0, tools_listed, client, &error)) client->lists++;
	else fail(client, "tools", &error);
	if (offers(client, "resources")) {
		list(client, HUSTINGS_RESOURCES, resources_listed);
		list(client, HUSTINGS_TEMPLATES, templates_listed);
	}
	if (offers(client, "prompts")) list(client, HUSTINGS_PROMPTS, prompts_listed);
	if (!client->lists) hustings_stop(client->hustings);
}

static void ended(void *context, struct hustings_server *server, const struct hustings_error *why) {
	struct client *client = context;
	(void)server;
	fail(client, "the server", why);
	hustings_stop(client->hustings);
}

static void elicit(void *context, struct hustings_server *server, struct hustings_question *question,
	const struct hustings_elicitation *elicitation) {
	struct page page = {0};
	(void)context;
	(void)server;
	print_object(&page, elicitation->schema);
	printf("asked: %s: %s\n", elicitation->message, elicitation->url ? elicitation->url : page.bytes);
	hustings_accept(question, page.bytes);
	free(page.bytes);
}

static void sample(void *context, struct hustings_server *server, struct hustings_question *question,
	struct hustings_json params) {
	(void)context;
	(void)server;
	(void)params;
	hustings_answer_question(question, "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{"
					   "\"type\":\"text\",\"text\":\"words\"},\"stopReason\":\"endTurn\"}");
}

static void roots(void *context, struct hustings_server *server,
	struct hustings_question *question) {
	(void)context;
	(void)server;
	hustings_answer_question(question, "{\"roots\":[{\"uri\":\"file:///srv\",\"name\":\"srv\"}]}");
}

static const struct hustings_server_events events = {
	.ready = ready,
	.ended = ended,
	.elicit = elicit,
	.sample = sample,
	.roots = roots,
};

/* ---- The program ---- */

static void leave(struct client *client) {
	hustings_close(client->hustings);
	for (size_t i = 0; i < client->count; i++) {
		free(client->steps[i].name);
		free(client->steps[i].arguments);
	}
}

static int run(const struct hustings_server_options *options) {
	static struct client client;
	struct hustings_error error;
	client.hustings = hustings_open("mcp_client", "1.0", &error);
	if (client.hustings)
		client.server = hustings_connect(client.hustings, options, &events, &client, &error);
	if (client.server) hustings_run(client.hustings);
	else fail(&client, "mcp_client", &error);
	if (client.hustings) leave(&client);
	return client.failed;
}

int main(int argc, char **argv) {
	struct hustings_server_options options = {
		.version = getenv("MCP_CONFORMANCE_PROTOCOL_VERSION"), .opens_urls = true};
	int at = 1;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (at + 1 < argc && strcmp(argv[at], "--version") == 0) {
		options.version = argv[at + 1];
		at += 2;
	}
	if (at + 1 < argc && strcmp(argv[at], "--stdio") == 0)
		options.command = (const char *const *)&argv[at + 1];
	else if (at + 1 == argc)
		options.url = argv[at];
	if (options.command || options.url) return run(&options);
	fprintf(stderr, "usage: mcp_client [--version V] URL | --stdio COMMAND [ARGUMENT]...\n");
	return 2;
}
