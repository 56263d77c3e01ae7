/* SPDX-License-Identifier: Apache-2.0 */
/* Flow speech: one question to the server, and a list of those who wait for its answer. */
#include "kernel/flow_speech.h"

#include "flow/flow_state.h"

#include <stdlib.h>

struct flow_speech {
	struct governed *governed;
	enum flow_speech_word word;
	uint64_t connected_at; /* when the server came up that said it */
	struct link waits;
	struct hosted_ask ask;
	bool is_asking;
	uint64_t silent_until; /* loop ms: before, it is not asked again */
};

struct flow_speech *flow_speech_open(struct governed *governed, struct fault *why) {
	struct flow_speech *speech = calloc(1, sizeof *speech);
	if (!speech) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	speech->governed = governed;
	list_init(&speech->waits);
	return speech;
}

static void tell_all(struct flow_speech *speech) {
	struct link batch;
	list_init(&batch);
	list_move(&batch, &speech->waits);
	for (struct link *link; (link = list_pop(&batch));) {
		struct flow_speech_wait *wait = CONTAINER_OF(link, struct flow_speech_wait, link);
		list_init(&wait->link);
		wait->told(wait);
	}
}

void flow_speech_close(struct flow_speech *speech) {
	if (!speech) return;
	if (TAKE(speech->is_asking)) hosted_ask_cancel(&speech->ask, "the server is removed");
	tell_all(speech);
	free(speech);
}

/* ---- What is known ---- */

static enum flow_speech_word word_of(const struct scan_value *capabilities) {
	struct scan_value flag;
	bool is_interactive = false;
	bool is_said = capabilities->type == SCAN_OBJECT && scan_find(capabilities, "interactive", &flag) &&
		scan_boolean(&flag, &is_interactive);
	return is_said && is_interactive ? FLOW_SPEECH_OWN : FLOW_SPEECH_NONE;
}

enum flow_speech_word flow_speech_of(const struct governed *governed) {
	const struct flow_speech *speech = governed->speech;
	const struct hosted_facts *facts = hosted_facts(governed->hosted, hosted_era_for(governed->hosted, HOSTED_LEGACY));
	struct scan_value said;
	if (facts && facts->capabilities.length) {
		const struct scan_value capabilities = {.text = facts->capabilities, .type = SCAN_OBJECT};
		if (scan_path(&capabilities, &said, "extensions", FLOW_EXTENSION, NULL)) return word_of(&said);
	}
	return speech->connected_at == governed->connected_at ? speech->word : FLOW_SPEECH_UNKNOWN;
}

/* ---- Asking ---- */

static struct loop *loop_of(const struct flow_speech *speech) { return speech->governed->means->loop; }

/* Why there is no answer passes: the next session asks again. But nobody waits for silence each time. */
static void unanswered(struct flow_speech *speech, const struct fault *why) {
	speech->word = FLOW_SPEECH_UNKNOWN;
	if (why->code == FAULT_TIMEOUT) speech->silent_until = loop_now(loop_of(speech)) + FLOW_SPEECH_PAUSE_MS;
}

static void answered(struct hosted_ask *ask, const struct hosted_answer *answer, const struct fault *why) {
	struct flow_speech *speech = CONTAINER_OF(ask, struct flow_speech, ask);
	const struct scan_value result = {.text = answer ? slice_trim(answer->result) : SLICE_NONE, .type = SCAN_OBJECT};
	bool is_object = result.text.length && result.text.bytes[0] == '{';
	speech->is_asking = false;
	if (why) unanswered(speech, why);
	else
		speech->word = is_object ? word_of(&result) : FLOW_SPEECH_NONE;
	speech->connected_at = speech->governed->connected_at;
	tell_all(speech);
}

static const struct hosted_ask_events ask_events = {.answered = answered};

bool flow_speech_ask(struct governed *governed, const struct call_asker *asker, struct flow_speech_wait *wait) {
	struct flow_speech *speech = governed->speech;
	struct fault why;
	bool was_silent = speech->connected_at == governed->connected_at && loop_now(loop_of(speech)) < speech->silent_until;
	if (!speech->is_asking && was_silent) return false;
	if (!speech->is_asking) {
		speech->ask = (struct hosted_ask){
			.method = SLICE("capabilities"),
			.principal = asker->principal,
			.session = asker->session,
			.era = HOSTED_LEGACY,
			.deadline_ms = FLOW_SPEECH_MS,
			.events = &ask_events,
		};
		if (!hosted_ask_start(governed->hosted, &speech->ask, &why)) return false;
		speech->is_asking = true;
	}
	list_append(&speech->waits, &wait->link);
	return true;
}

void flow_speech_cancel(struct flow_speech_wait *wait) { list_remove(&wait->link); }
