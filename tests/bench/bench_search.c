/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the tool index over made-up tools: bench_search TOOLS [QUESTIONS].
 *
 * A tool is made from a seed: a verb, one to three nouns of some thousands, a sentence about them, two to six
 * parameters; forty tools to a server. Nouns are drawn so that few are frequent and many rare. Questions are
 * sentences of three to eight words about tools there are, every fourth with a letter missing. Prints one JSON
 * object: milliseconds to build, octets of index per tool, and the median, 95th percentile and most of the
 * milliseconds of CPU for one question, and the 95th percentile by the clock on the wall.
 *
 * bench_search --vectors COUNT DIMENSIONS: how long one vector takes to be compared with so many.
 */
#include "base/clock.h"
#include "search/search.h"
#include "search/search_vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOUNS 8000
#define PER_SERVER 40

static uint64_t seed = 88172645463325252u;

static uint32_t drawn(uint32_t below) {
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 33) % below;
}

static const char *const verbs[] = {"get", "list", "create", "update", "delete", "search", "send", "run", "export",
	"import", "read", "write", "start", "stop", "check", "fetch"};
static const char *const fillers[] = {"the", "of a given", "for", "in the current", "with all its", "and every",
	"by its id from", "of this account's"};
static char nouns[NOUNS][16];

static void make_nouns(void) {
	static const char *const syllables[] = {"ba", "co", "du", "fen", "gra", "hi", "jol", "ka", "lim", "mor", "na", "pi",
		"qua", "res", "sto", "tu", "vek", "wan", "xi", "zor"};
	for (size_t i = 0; i < NOUNS; i++) {
		nouns[i][0] = '\0';
		for (uint32_t left = 2 + drawn(3); left > 0; left--) strcat(nouns[i], syllables[drawn(COUNT_OF(syllables))]);
	}
}

/* Few nouns often, most of them seldom. */
static const char *noun(void) {
	double share = (drawn(1000000) + 1) / 1000001.0;
	return nouns[(size_t)(pow(share, 2.5) * (NOUNS - 1))];
}

static void make_tool(struct text *name, struct text *definition) {
	const char *verb = verbs[drawn(COUNT_OF(verbs))], *first = noun();
	text_clear(name);
	text_clear(definition);
	text_printf(name, "%s_%s", verb, first);
	if (drawn(2)) text_printf(name, "_%s", noun());
	text_printf(name, "_%u", drawn(100000));
	text_printf(definition, "{\"description\":\"%s %s %s", verb, fillers[drawn(COUNT_OF(fillers))], first);
	for (uint32_t left = 4 + drawn(14); left > 0; left--)
		text_printf(definition, " %s %s", fillers[drawn(COUNT_OF(fillers))], noun());
	text_add_cstr(definition, ".\",\"inputSchema\":{\"type\":\"object\",\"properties\":{");
	for (uint32_t left = 2 + drawn(5), i = 0; left > 0; left--, i++)
		text_printf(definition, "%s\"%s_%u\":{\"type\":\"string\",\"description\":\"The %s %s %s\"}", i ? "," : "", noun(), i,
			noun(), fillers[drawn(COUNT_OF(fillers))], noun());
	text_add_cstr(definition, "}}}");
}

static bool build(struct search *search, uint32_t tools, struct fault *why) {
	AUTO_TEXT struct text name = {0}, definition = {0};
	char server[32], about[128];
	text_init(&name, 0);
	text_init(&definition, 0);
	for (uint32_t i = 0; i < tools; i++) {
		snprintf(server, sizeof server, "server-%u", i / PER_SERVER);
		snprintf(about, sizeof about, "A server for %s and %s that keeps %s", noun(), noun(), noun());
		if (i % PER_SERVER == 0 && !search_server(search, slice_of(server), slice_of(server), slice_of(about), why)) return false;
		make_tool(&name, &definition);
		if (!search_put(search, slice_of(server), text_slice(&name), text_slice(&definition), why)) return false;
	}
	return true;
}

static void make_question(struct text *query, bool is_misspelt) {
	text_clear(query);
	text_printf(query, "please %s the", verbs[drawn(COUNT_OF(verbs))]);
	for (uint32_t left = 2 + drawn(5); left > 0; left--) text_printf(query, " %s", noun());
	const char *last = noun();
	text_printf(query, " %.*s%s", is_misspelt ? 2 : 0, last, is_misspelt ? last + 3 : last);
}

static int compare(const void *a, const void *b) {
	double difference = *(const double *)a - *(const double *)b;
	return difference < 0 ? -1 : difference > 0;
}

static double cpu_ms(void) {
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool measure(struct search *search, uint32_t questions, double *times, double *wall) {
	static struct search_answer answer;
	AUTO_TEXT struct text query = {0};
	uint32_t answered = 0;
	text_init(&query, 0);
	for (uint32_t i = 0; i < questions; i++) {
		make_question(&query, i % 4 == 3);
		struct search_question question = {.query = text_slice(&query), .strategy = SEARCH_SEMANTIC, .most = 10};
		double began = cpu_ms();
		search_ask(search, &question, &answer);
		times[i] = cpu_ms() - began;
		wall[i] = answer.milliseconds;
		if (text_failed(&query)) return false;
		answered += answer.count > 0;
	}
	/* Words are drawn at random, so that to some questions nothing fits; to most of them something does. */
	if (answered < questions / 2) return false;
	qsort(times, questions, sizeof *times, compare);
	qsort(wall, questions, sizeof *wall, compare);
	return true;
}

#define SCANS 100

static struct search_vector *make_vector(size_t dimensions) {
	static float numbers[SEARCH_DIMENSIONS];
	for (size_t i = 0; i < dimensions; i++) numbers[i] = (float)drawn(2000001) / 1e6f - 1;
	return search_vector_make(numbers, dimensions);
}

static double scan(struct search_vector *const *vectors, size_t count, double *nearest) {
	double began = cpu_ms();
	for (size_t i = 1; i < count; i++) {
		double cosine = search_vector_cosine(vectors[0], vectors[i]);
		if (*nearest < cosine) *nearest = cosine;
	}
	return cpu_ms() - began;
}

static int measure_vectors(size_t count, size_t dimensions) {
	double times[SCANS], nearest = -1;
	AUTO_FREE struct search_vector **vectors = calloc(count + 1, sizeof(struct search_vector *));
	bool is_fine = vectors != NULL;
	for (size_t i = 0; is_fine && i <= count; i++) is_fine = (vectors[i] = make_vector(dimensions)) != NULL;
	for (size_t i = 0; is_fine && i < SCANS; i++) times[i] = scan(vectors, count + 1, &nearest);
	for (size_t i = 0; vectors && i <= count; i++) free(vectors[i]);
	if (!is_fine) return 1;
	qsort(times, SCANS, sizeof *times, compare);
	printf("{\"vectors\":%zu,\"dimensions\":%zu,\"octets_each\":%zu,\"p50_ms\":%.4f,\"p95_ms\":%.4f,\"nearest\":%.3f}\n", count,
		dimensions, search_vector_octets(dimensions), times[SCANS / 2], times[SCANS * 95 / 100], nearest);
	return 0;
}

int main(int count, char **arguments) {
	if (count == 4 && strcmp(arguments[1], "--vectors") == 0)
		return measure_vectors(strtoul(arguments[2], NULL, 10), strtoul(arguments[3], NULL, 10));
	uint32_t tools = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0;
	uint32_t questions = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 1000;
	struct fault why = {0};
	if (tools == 0 || tools > SEARCH_TOOLS || questions == 0 || questions > 1000000) {
		fprintf(stderr, "usage: bench_search TOOLS [QUESTIONS], at most %d tools\n", SEARCH_TOOLS);
		return 2;
	}
	struct search *search = search_open(NULL, &why);
	AUTO_FREE double *times = calloc(questions, sizeof *times);
	AUTO_FREE double *walls = calloc(questions, sizeof *walls);
	make_nouns();
	uint64_t began = clock_monotonic_us();
	bool is_fine = search && times && walls && build(search, tools, &why);
	double built = (double)(clock_monotonic_us() - began) / 1000;
	if (is_fine && measure(search, questions, times, walls))
		printf("{\"tools\":%zu,\"build_ms\":%.1f,\"octets_each\":%zu,\"p50_ms\":%.4f,\"p95_ms\":%.4f,\"most_ms\":%.4f,\"wall_p95_ms\":%.4f}\n",
			search_count(search), built, search_octets(search) / search_count(search), times[questions / 2],
			times[questions * 95 / 100], times[questions - 1], walls[questions * 95 / 100]);
	else
		fprintf(stderr, "bench_search: %s\n", why.text[0] ? why.text : "no memory, or half of the questions have no answer");
	search_close(search);
	return is_fine ? 0 : 1;
}
