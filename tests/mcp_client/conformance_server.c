/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance server: offers what the published server scenarios name, on libhustings alone, over
 * HTTP on a port of the kernel's choosing, which it prints; with --stdio on stdin and stdout.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#include <hustings.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PNG "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
#define IMAGE "{\"type\":\"image\",\"data\":\"" PNG "\",\"mimeType\":\"image/png\"}"
#define FORM(properties, names) \
	"{\"type\":\"object\",\"properties\":{" properties "},\"required\":[" names "]}"
#define SAMPLE(words) \
	"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"" words \
	"\"}}],\"maxTokens\":100}"
#define ELICIT(message, form) "{\"message\":\"" message "\",\"requestedSchema\":" form "}"
#define NAME_FORM FORM("\"name\":{\"type\":\"string\"}", "\"name\"")
#define CHOICES "[{\"const\":\"value1\",\"title\":\"First\"},{\"const\":\"value2\",\"title\":\"Second\"}]"

static struct hustings *running; /* for the signal handler, and to tell changes */

/* ---- Tools whose answer is known ---- */

struct fixed {
	const char *name, *result, *schema;
};

static void run_fixed(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	const struct fixed *fixed = context;
	(void)arguments;
	hustings_answer_result(request, fixed->result);
}

#define TEXT(words) "{\"content\":[{\"type\":\"text\",\"text\":\"" words "\"}]}"
#define EMBEDDED(uri, type, words) \
	"{\"type\":\"resource\",\"resource\":{\"uri\":\"" uri "\",\"mimeType\":\"" type \
	"\",\"text\":\"" words "\"}}"

static const struct fixed fixed_tools[] = {
	{"test_simple_text", TEXT("This is a simple text response for testing."), NULL},
	{"test_image_content", "{\"content\":[" IMAGE "]}", NULL},
	{"test_audio_content", "{\"content\":[{\"type\":\"audio\",\"data\":\"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=\",\"mimeType\":\"audio/wav\"}]}", NULL},
	{"test_embedded_resource", "{\"content\":[" EMBEDDED("test://embedded-resource", "text/plain", "This is an embedded resource content.") "]}", NULL},
	{"test_multiple_content_types",
		"{\"content\":[{\"type\":\"text\",\"text\":\"Multiple content types test:\"}," IMAGE "," EMBEDDED("test://mixed-content-resource", "application/json", "{}") "]}", NULL},
	{"test_error_handling", "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"This tool intentionally returns an error for testing\"}]}", NULL},
	{"test_headers", TEXT("there"), "{\"type\":\"object\",\"required\":[\"where\"],\"properties\":{\"where\":{\"type\":\"string\",\"x-mcp-header\":\"Where\"}}}"},
	{"json_schema_2020_12_tool", TEXT("ok"),
		"{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"$defs\":{\"address\":{"
		"\"$anchor\":\"addressDef\",\"type\":\"object\",\"properties\":{\"street\":{\"type\":\"string\"},\"city\":{\"type\":\"string\"}}}},"
		"\"properties\":{\"name\":{\"type\":\"string\"},\"address\":{\"$ref\":\"#/$defs/address\"},\"contactMethod\":{\"type\":\"string\","
		"\"enum\":[\"phone\",\"email\"]},\"phone\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}},\"allOf\":[{\"anyOf\":["
		"{\"required\":[\"phone\"]},{\"required\":[\"email\"]}]}],\"if\":{\"properties\":{\"contactMethod\":{\"const\":\"phone\"}},"
		"\"required\":[\"contactMethod\"]},\"then\":{\"required\":[\"phone\"]},\"else\":{\"required\":[\"email\"]},\"additionalProperties\":false}"},
};

/* ---- Tools that tell something first ---- */

static void run_logging(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	hustings_log(request, "info", NULL, "\"Tool execution started\"");
	hustings_log(request, "info", NULL, "\"Tool processing data\"");
	hustings_log(request, "info", NULL, "\"Tool execution completed\"");
	hustings_answer_text(request, "logged");
}

static void run_progress(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	for (int at = 0; at <= 100; at += 50) hustings_report(request, at, 100, "on the way");
	hustings_answer_text(request, "done");
}

static void changes_tool(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_tool further = {.name = "test_further", .description = "Further", .run = run_progress};
	(void)context;
	(void)arguments;
	if (!hustings_withdraw_tool(running, further.name)) hustings_offer(running, &further, NULL);
	hustings_answer_text(request, "changed");
}

static void get_further(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	hustings_answer_text(request, "words");
}

static void changes_prompt(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_prompt further = {.name = "test_further", .description = "Further", .get = get_further};
	(void)context;
	(void)arguments;
	if (!hustings_withdraw_prompt(running, further.name)) hustings_offer_prompt(running, &further, NULL);
	hustings_answer_text(request, "changed");
}

/* ---- Tools that ask back ---- */

struct question {
	const char *method, *params;
	const char *key; /* NULL: a number */
};

struct asking {
	const char *name;
	const char *says;         /* before the last reply; NULL: a "Hello" to the name in it */
	struct question first[3]; /* asked at once */
	struct question then;     /* asked when those were answered; method NULL: none */
};

struct talk {
	const struct asking *asking;
	struct hustings_request *request;
	int open, is_second;
};

static void replied(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error);

static int ask(struct talk *talk, const struct question *question) {
	struct hustings_error error;
	if (hustings_ask_back(talk->request, question->key, question->method, question->params, 0, replied, talk, &error)) {
		talk->open++;
		return 1;
	}
	if (error.status == HUSTINGS_UNSUPPORTED) hustings_answer_unable(talk->request, question->method);
	else hustings_answer_failure(talk->request, "%s", error.text);
	free(talk);
	return 0;
}

static void say(const struct talk *talk, const struct hustings_answer *answer) {
	struct hustings_json content, value;
	char words[4000], *name = NULL;
	if (hustings_json_find(answer->json, "content", &content) &&
		hustings_json_find(content, "name", &value))
		name = hustings_json_string(value);
	if (!talk->asking->says) snprintf(words, sizeof words, "Hello, %s!", name ? name : "you");
	else
		snprintf(words, sizeof words, "%s %.*s", talk->asking->says, (int)answer->json.length,
			answer->json.text);
	hustings_answer_text(talk->request, words);
	free(name);
}

static void replied(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error) {
	struct talk *talk = context;
	if (error || answer->code) {
		hustings_answer_failure(talk->request, "%s", error ? error->text : answer->text);
		free(talk);
		return;
	}
	if (--talk->open) return;
	if (talk->asking->then.method && !talk->is_second) {
		talk->is_second = 1;
		ask(talk, &talk->asking->then);
		return;
	}
	say(talk, answer);
	free(talk);
}

static void run_asking(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct talk *talk = calloc(1, sizeof *talk);
	(void)arguments;
	if (!talk) {
		hustings_answer_failure(request, "no memory");
		return;
	}
	*talk = (struct talk){.asking = context, .request = request};
	for (size_t i = 0; i < 3 && talk->asking->first[i].method; i++)
		if (!ask(talk, &talk->asking->first[i])) return;
}

#define E(given) .method = "elicitation/create", .params = given
#define S(given) .method = "sampling/createMessage", .params = given
static const struct asking asking_tools[] = {
	{.name = "test_sampling", .says = "LLM response:", .first = {{S(SAMPLE("Say something"))}}},
	{.name = "test_elicitation", .says = "User response:", .first = {{E(ELICIT("Who are you?", FORM("\"username\":{\"type\":\"string\"},\"email\":{\"type\":\"string\"}", "\"username\"")))}}},
	{.name = "test_elicitation_sep1034_defaults",
		.says = "Elicitation completed:",
		.first = {{E(ELICIT("Please review", FORM("\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},\"age\":{\"type\":\"integer\",\"default\":30},"
							  "\"score\":{\"type\":\"number\",\"default\":95.5},"
							  "\"verified\":{\"type\":\"boolean\",\"default\":true},"
							  "\"status\":{\"type\":\"string\","
							  "\"enum\":[\"active\",\"inactive\",\"pending\"],\"default\":\"active\"}",
							     "")))}}},
	{.name = "test_elicitation_sep1330_enums",
		.says = "Elicitation completed:",
		.first = {{E(ELICIT("Choose", FORM("\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\"]},"
						   "\"titledSingle\":{\"type\":\"string\",\"oneOf\":" CHOICES "},"
						   "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\"],\"enumNames\":[\"Option One\",\"Option Two\"]},"
						   "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\"]}},"
						   "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":" CHOICES "}}",
						      "")))}}},
	{.name = "test_input_required_result_elicitation", .first = {{.key = "user_name", E(ELICIT("What is your name?", NAME_FORM))}}},
	{.name = "test_input_required_result_sampling", .says = "answer:", .first = {{S(SAMPLE("What is the capital of France?"))}}},
	{.name = "test_input_required_result_list_roots", .says = "roots:", .first = {{.method = "roots/list"}}},
	{.name = "test_input_required_result_request_state", .says = "state-ok", .first = {{E(ELICIT("Please confirm", FORM("\"ok\":{\"type\":\"boolean\"}", "\"ok\"")))}}},
	{.name = "test_input_required_result_tampered_state", .says = "state-ok", .first = {{E(ELICIT("Please confirm", FORM("\"ok\":{\"type\":\"boolean\"}", "\"ok\"")))}}},
	{.name = "test_input_required_result_multiple_inputs",
		.says = "all:",
		.first = {{E(ELICIT("What is your name?", NAME_FORM))}, {S(SAMPLE("Generate a greeting"))}, {.method = "roots/list"}}},
	{.name = "test_input_required_result_multi_round",
		.says = "both:",
		.first = {{E(ELICIT("Step 1: What is your name?", NAME_FORM))}},
		.then = {E(ELICIT("Step 2: What is your favorite color?", FORM("\"color\":{\"type\":\"string\"}", "\"color\"")))}},
	{.name = "test_input_required_result_capabilities", .says = "answer:", .first = {{S(SAMPLE("What is the capital of France?"))}}},
	{.name = "test_missing_capability", .says = "answer:", .first = {{S(SAMPLE("Anybody there?"))}}},
	{.name = "test_streaming_elicitation", .says = "answer:", .first = {{E(ELICIT("What is your name?", NAME_FORM))}}},
};

static const struct asking asking_prompt = {
	.says = "Context:",
	.first = {{E(ELICIT("What context should the prompt use?", FORM("\"context\":{\"type\":\"string\"}", "\"context\"")))}},
};

/* ---- Prompts and resources ---- */

static char *string_of(struct hustings_json object, const char *name) {
	struct hustings_json value;
	return hustings_json_find(object, name, &value) ? hustings_json_string(value) : NULL;
}

static void get_arguments(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	char words[1000], *one = string_of(arguments, "arg1"), *two = string_of(arguments, "arg2");
	(void)context;
	snprintf(words, sizeof words, "Prompt with arguments: arg1='%s', arg2='%s'", one ? one : "", two ? two : "");
	hustings_answer_text(request, words);
	free(one);
	free(two);
}

static void get_embedded(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	struct hustings_json uri = hustings_json("\"test://none\"");
	char result[2000];
	(void)context;
	hustings_json_find(arguments, "resourceUri", &uri);
	snprintf(result, sizeof result,
		"{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"resource\",\"resource\":{\"uri\":%.*s,"
		"\"mimeType\":\"text/plain\",\"text\":\"Embedded.\"}}},{\"role\":\"user\",\"content\":{\"type\":"
		"\"text\",\"text\":\"Please process the embedded resource above.\"}}]}",
		(int)uri.length, uri.text);
	hustings_answer_result(request, result);
}

static void get_image(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	hustings_answer_result(request,
		"{\"messages\":[{\"role\":\"user\",\"content\":" IMAGE "},{\"role\":\"user\",\"content\":{\"type\":"
		"\"text\",\"text\":\"Please analyze the image above.\"}}]}");
}

static void get_simple(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	(void)arguments;
	hustings_answer_text(request, "This is a simple prompt for testing.");
}

static void complete(void *context, struct hustings_request *request, const char *argument,
	const char *value) {
	(void)context;
	(void)argument;
	(void)value;
	hustings_answer_json(request, "[\"paris\",\"park\",\"party\"]");
}

static void get_asking(void *context, struct hustings_request *request,
	struct hustings_json arguments) {
	(void)context;
	run_asking((void *)&asking_prompt, request, arguments);
}

#define ARGUMENT(name) "{\"name\":\"" name "\",\"required\":true}"
static const struct hustings_prompt prompts[] = {
	{.name = "test_simple_prompt", .description = "Simple", .get = get_simple},
	{.name = "test_prompt_with_arguments", .description = "Arguments", .arguments = "[" ARGUMENT("arg1") "," ARGUMENT("arg2") "]", .get = get_arguments, .complete = complete},
	{.name = "test_prompt_with_embedded_resource", .description = "Embedded", .arguments = "[" ARGUMENT("resourceUri") "]", .get = get_embedded},
	{.name = "test_prompt_with_image", .description = "Image", .get = get_image},
	{.name = "test_input_required_result_prompt", .description = "Asks back", .get = get_asking},
};

static void read_text(void *context, struct hustings_request *request) {
	hustings_answer_text(request, context);
}

static void read_binary(void *context, struct hustings_request *request) {
	(void)context;
	hustings_answer_octets(request, "\x89PNG\r\n\x1a\n", 8);
}

static void read_template(void *context, struct hustings_request *request) {
	char words[400];
	const char *id = hustings_request_name(request) + strlen("test://template/");
	(void)context;
	snprintf(words, sizeof words, "{\"id\":\"%.*s\",\"templateTest\":true}", (int)strcspn(id, "/"), id);
	hustings_answer_text(request, words);
}

static const struct hustings_resource resources[] = {
	{.uri = "test://static-text", .name = "static-text", .description = "Text", .type = "text/plain", .read = read_text, .context = "This is the content of the static text resource."},
	{.uri = "test://static-binary", .name = "static-binary", .description = "Octets", .type = "image/png", .read = read_binary},
	{.uri = "test://watched-resource", .name = "watched-resource", .description = "Watched", .type = "text/plain", .read = read_text, .context = "Watched."},
	{.uri = "test://template/{id}/data", .name = "template", .description = "A template", .type = "application/json", .read = read_template},
};

/* ---- The program ---- */

static int offer_tool(const char *name, const char *schema, const void *context,
	void (*run)(void *, struct hustings_request *, struct hustings_json)) {
	struct hustings_error error;
	char description[100];
	snprintf(description, sizeof description, "Test tool %s", name);
	const struct hustings_tool tool = {.name = name, .description = description, .schema = schema, .run = run, .context = (void *)context};
	if (hustings_offer(running, &tool, &error)) return 1;
	fprintf(stderr, "%s: %s\n", name, error.text);
	return 0;
}

static int offer_all(void) {
	int fine = offer_tool("test_tool_with_logging", NULL, NULL, run_logging) &&
		offer_tool("test_logging_tool", NULL, NULL, run_logging) &&
		offer_tool("test_tool_with_progress", NULL, NULL, run_progress) &&
		offer_tool("test_trigger_tool_change", NULL, NULL, changes_tool) &&
		offer_tool("test_trigger_prompt_change", NULL, NULL, changes_prompt);
	for (size_t i = 0; fine && i < sizeof fixed_tools / sizeof fixed_tools[0]; i++)
		fine = offer_tool(fixed_tools[i].name, fixed_tools[i].schema, &fixed_tools[i], run_fixed);
	for (size_t i = 0; fine && i < sizeof asking_tools / sizeof asking_tools[0]; i++)
		fine = offer_tool(asking_tools[i].name, NULL, &asking_tools[i], run_asking);
	for (size_t i = 0; fine && i < sizeof prompts / sizeof prompts[0]; i++)
		fine = hustings_offer_prompt(running, &prompts[i], NULL);
	for (size_t i = 0; fine && i < sizeof resources / sizeof resources[0]; i++)
		fine = hustings_offer_resource(running, &resources[i], NULL);
	return fine;
}

static void stop(int number) {
	(void)number;
	hustings_stop(running);
}

static int serve(int is_stdio, struct hustings_error *error) {
	if (is_stdio) return hustings_serve_stdio(running, error);
	if (!hustings_serve_http(running, NULL, error)) return 0;
	printf("ready %s\n", hustings_http_url(running));
	fflush(stdout);
	signal(SIGTERM, stop);
	hustings_run(running);
	return 1;
}

int main(int argc, char **argv) {
	struct hustings_error error = {.text = "it cannot be offered"};
	running = hustings_open("conformance", "1.0.0", &error);
	int fine = running && offer_all() && serve(argc > 1 && strcmp(argv[1], "--stdio") == 0, &error);
	if (!fine) fprintf(stderr, "conformance_server: %s\n", error.text);
	hustings_close(running);
	return !fine;
}
