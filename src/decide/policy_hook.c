/* SPDX-License-Identifier: Apache-2.0 */
/* Policy hook: questions with a deadline each, by HTTP or on the lines of one process. */
#include "decide/policy_hook.h"

#include "decide/decision_record.h"
#include "net/child.h"
#include "net/fetch.h"

#include <stdio.h>
#include <stdlib.h>

#define USUAL_DEADLINE_MS 2000
#define AGAIN_LEAST_MS 1000 /* between two starts of the process */
#define AGAIN_MOST_MS 60000
#define BEHIND (8 * 1024 * 1024)

struct hook_question {
	struct link link;
	struct policy_hook *hook;
	struct fetch *fetch; /* NULL: on the process's lines */
	struct deadline deadline;
	char id[DECISION_ID];
};

struct policy_hook {
	struct policy_hook_options options;
	char **words; /* copies, NULL ended */
	struct link questions;
	size_t count;
	struct child *child;
	uint64_t may_start_at; /* loop ms */
	uint64_t again_ms;     /* the next distance */
};

static void question_take_out(struct hook_question *question) {
	deadline_clear(&question->deadline);
	list_remove(&question->link);
	question->hook->count--;
}

static void question_free(struct hook_question *question) {
	question_take_out(question);
	fetch_close(question->fetch);
	free(question);
}

/* The reason may lie in the fetch's memory. */
static void answer(struct hook_question *question, enum policy_verdict verdict, struct slice reason) {
	struct policy_hook *hook = question->hook;
	question_take_out(question);
	hook->options.answered(hook->options.context, slice_of(question->id), verdict, reason);
	fetch_close(question->fetch);
	free(question);
}

static void in_vain(struct hook_question *question, const char *what) {
	log_write(question->hook->options.log, LOG_WARNING, "policy hook: decision %s: %s: people are asked",
		question->id, what);
	answer(question, POLICY_ASK, SLICE_NONE);
}

static void too_late(struct deadline *deadline) {
	in_vain(CONTAINER_OF(deadline, struct hook_question, deadline), "no answer in time");
}

static struct hook_question *find(const struct policy_hook *hook, struct slice id) {
	LIST_EACH(link, &hook->questions) {
		struct hook_question *question = CONTAINER_OF(link, struct hook_question, link);
		if (slice_is(id, question->id)) return question;
	}
	return NULL;
}

bool policy_hook_has(const struct policy_hook *hook, struct slice id) { return find(hook, id) != NULL; }

/* ---- By HTTP ---- */

static void fetched(void *context, const struct fetch_answer *got, const struct fault *why) {
	struct hook_question *question = context;
	struct policy_answer told;
	struct fault bad;
	struct arena arena;
	char lent[2048], status[48];
	if (why) {
		in_vain(question, why->text);
		return;
	}
	if (got->status != 200) {
		snprintf(status, sizeof status, "it answered %u", got->status);
		in_vain(question, status);
		return;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	if (policy_answer_read(got->body, &arena, &told, &bad)) answer(question, told.verdict, told.reason);
	else in_vain(question, bad.text);
	arena_finish(&arena);
}

static const struct fetch_events fetch_events = {.done = fetched};

static bool fetch_verdict(struct hook_question *question, struct slice record, struct fault *why) {
	static const char *const headers[] = {"Content-Type: application/json", "Accept: application/json", NULL};
	const struct fetch_options options = {
		.method = "POST",
		.url = question->hook->words[0],
		.headers = headers,
		.body = record,
		.limit = POLICY_HOOK_LINE,
		.deadline_ms = (uint64_t)question->hook->options.deadline_ms,
	};
	question->fetch = fetch_open(question->hook->options.desk, &options, &fetch_events, question, why);
	return question->fetch != NULL;
}

/* ---- By a process ---- */

static void line_came(void *context, struct slice line) {
	struct policy_hook *hook = context;
	struct policy_answer told;
	struct arena arena;
	struct fault why;
	char lent[2048];
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_read = policy_answer_read(line, &arena, &told, &why);
	struct hook_question *question = told.id.length ? find(hook, told.id) : NULL;
	if (is_read) hook->again_ms = AGAIN_LEAST_MS;
	if (question && is_read) answer(question, told.verdict, told.reason);
	else if (question) in_vain(question, why.text);
	else if (!is_read) log_write(hook->options.log, LOG_WARNING, "policy hook: a line that is no answer: %s", why.text);
	arena_finish(&arena);
}

static void error_line_came(void *context, struct slice line) {
	struct policy_hook *hook = context;
	log_write(hook->options.log, LOG_INFO, "policy hook: %.*s", SLICE_ARGS(line));
}

static void ended(void *context, int status, const struct fault *why) {
	struct policy_hook *hook = context;
	(void)status;
	log_write(hook->options.log, LOG_WARNING, "policy hook: %s %s", hook->words[0], why->text);
	child_close(TAKE(hook->child));
	hook->may_start_at = loop_now(hook->options.loop) + hook->again_ms;
	hook->again_ms = hook->again_ms * 2 > AGAIN_MOST_MS ? AGAIN_MOST_MS : hook->again_ms * 2;
	while (!list_is_empty(&hook->questions))
		in_vain(CONTAINER_OF(hook->questions.next, struct hook_question, link), "it has ended");
}

static const struct child_events child_events = {
	.line = line_came,
	.error_line = error_line_came,
	.ended = ended,
};

static bool start(struct policy_hook *hook, struct fault *why) {
	if (hook->child) return true;
	if (loop_now(hook->options.loop) < hook->may_start_at)
		return fault_set(why, FAULT_NOT_READY, "it has ended a moment ago");
	const struct child_options options = {
		.arguments = (const char *const *)hook->words,
		.line_limit = POLICY_HOOK_LINE,
		.behind_limit = BEHIND,
		.log = hook->options.log,
	};
	hook->child = child_open(hook->options.loop, &options, &child_events, hook, why);
	return hook->child != NULL;
}

static bool write_question(struct hook_question *question, struct text *record, struct fault *why) {
	struct policy_hook *hook = question->hook;
	if (!start(hook, why)) return false;
	slice_blank_line_ends(record->bytes, record->length);
	return child_write(hook->child, text_slice(record), why);
}

/* ---- Asking ---- */

static bool is_url(const char *word) {
	return slice_starts_with(slice_of(word), "http://") || slice_starts_with(slice_of(word), "https://");
}

bool policy_hook_ask(struct policy_hook *hook, const struct decision *decision, struct fault *why) {
	AUTO_TEXT struct text record = {0};
	text_init(&record, 0);
	if (hook->count >= POLICY_HOOK_WAITING)
		return fault_set(why, FAULT_FULL, "%d questions wait for the policy hook", POLICY_HOOK_WAITING);
	decision_write(decision, &record);
	struct hook_question *question = calloc(1, sizeof *question);
	if (!question || text_failed(&record)) {
		free(question);
		return fault_set(why, FAULT_NO_MEMORY, "no memory to ask the policy hook");
	}
	question->hook = hook;
	memcpy(question->id, decision->id, sizeof question->id);
	list_append(&hook->questions, &question->link);
	hook->count++;
	bool is_asked = is_url(hook->words[0]) ? fetch_verdict(question, text_slice(&record), why)
					       : write_question(question, &record, why);
	if (!is_asked) {
		question_free(question);
		return false;
	}
	deadline_set(hook->options.loop, &question->deadline, (uint64_t)hook->options.deadline_ms, too_late);
	return true;
}

/* ---- Open and close ---- */

static bool copy_words(struct policy_hook *hook, const char *const *words) {
	size_t count = 0;
	while (words[count]) count++;
	hook->words = calloc(count + 1, sizeof *hook->words);
	for (size_t i = 0; hook->words && i < count; i++) {
		hook->words[i] = slice_copy(slice_of(words[i]));
		if (!hook->words[i]) return false;
	}
	return hook->words != NULL;
}

struct policy_hook *policy_hook_open(const struct policy_hook_options *options, struct fault *why) {
	if (!options->words[0] || !options->words[0][0])
		return fault_null(why, FAULT_BAD_INPUT, "decide.policy_hook: a URL, or a command and its arguments");
	if (is_url(options->words[0]) && options->words[1])
		return fault_null(why, FAULT_BAD_INPUT, "decide.policy_hook: a URL stands alone");
	struct policy_hook *hook = calloc(1, sizeof *hook);
	if (hook) {
		hook->options = *options;
		if (!hook->options.deadline_ms) hook->options.deadline_ms = USUAL_DEADLINE_MS;
		hook->again_ms = AGAIN_LEAST_MS;
		list_init(&hook->questions);
		if (copy_words(hook, options->words)) return hook;
	}
	policy_hook_close(hook);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for the policy hook");
}

void policy_hook_close(struct policy_hook *hook) {
	if (!hook) return;
	while (!list_is_empty(&hook->questions))
		question_free(CONTAINER_OF(hook->questions.next, struct hook_question, link));
	child_close(hook->child);
	for (char **word = hook->words; word && *word; word++) free(*word);
	free(hook->words);
	free(hook);
}
