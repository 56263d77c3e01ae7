/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow session: one guided run of a tool (MCP Flow, session management): what was asked and answered, what is
 * known so far, and where it stands. It asks nobody and stores nothing: who keeps it decides what the next prompt
 * is, sends it, and saves the record (flow_record.h) before it answers.
 *
 * Times are wall ms. Every step is one function here, which refuses what the table of states refuses
 * (flow_state.h); outputs and the session are untouched then. Owned: flow_session_begin() or
 * flow_record_read(), flow_session_free(). One thread.
 */
#ifndef HUSTINGS_FLOW_FLOW_SESSION_H
#define HUSTINGS_FLOW_FLOW_SESSION_H

#include "flow/flow_state.h"
#include "flow/prompt_check.h"

#define FLOW_ID 48                       /* octets of a session's id, with its NUL: "session_" and 32 hex digits */
#define FLOW_NAME 256                    /* octets of a server and of a tool */
#define FLOW_DATA ((size_t)256 << 10)    /* octets of what is known, as JSON */
#define FLOW_HISTORY ((size_t)512 << 10) /* octets of all turns, as JSON */
#define FLOW_RESULT ((size_t)4 << 20)    /* octets of a result that is kept */
#define FLOW_SUMMARY 4096                /* octets of a server's own words at the end */
#define FLOW_TIMEOUT_MS 300000           /* inactivity, where nobody said */
#define FLOW_PROMPTS 100                 /* of one session, refused answers included */
#define FLOW_DURATION_MS 3600000         /* of one session in all */

struct flow_limits {
	int64_t timeout_ms, duration_ms;
	unsigned prompts;
};
#define FLOW_LIMITS \
	{ .timeout_ms = FLOW_TIMEOUT_MS, .duration_ms = FLOW_DURATION_MS, .prompts = FLOW_PROMPTS }

struct flow_session {
	char id[FLOW_ID];
	enum flow_state state;
	int64_t created_at, active_at; /* the last activity */
	int64_t timeout_ms;            /* of inactivity */
	int64_t ends_at;               /* whatever happens */
	unsigned prompts_left;
	unsigned turns;  /* that were accepted */
	unsigned number; /* of the prompt at hand, from 1 on; its id is "prompt-NUMBER" */
	bool is_warned;  /* that it will expire */
	bool is_led;     /* by its tool's server, which knows what was asked and answered: here is where it stands */
	char *principal; /* whose it is */
	char *session;   /* the MCP session that it began in; NULL: none */
	char *server;    /* whose tool; NULL: the house's own, or the author's */
	char *tool;
	char *name;           /* by which its client began it; NULL: the tool's */
	struct text given;    /* what is known: a JSON object */
	struct text context;  /* JSON object, or empty */
	struct text history;  /* turns one behind the other, a comma between them */
	struct text prompt;   /* the one at hand, as JSON; empty: none */
	struct text progress; /* JSON object, or empty */
	struct text result;   /* of the end, as JSON; empty: none */
	struct text summary;  /* of the end, or why it failed or was cancelled; may be empty */
};

struct flow_wish { /* interaction.start; slices are copied */
	struct slice principal, session, server, tool;
	struct slice name;           /* length 0: the tool's */
	struct slice initial_params; /* JSON object; length 0: none */
	struct slice context;        /* the same */
	int64_t timeout_ms;          /* 0: the limit's */
};

/* Idle. NULL: too large, or no memory; *refusal says which. */
struct flow_session *flow_session_begin(const struct flow_wish *wish, const struct flow_limits *limits, int64_t now,
	struct flow_refusal *refusal) MUST_USE;
void flow_session_free(struct flow_session *session);           /* NULL is fine */
size_t flow_session_octets(const struct flow_session *session); /* of memory */

/* The tool begins: idle to active. */
bool flow_session_activate(struct flow_session *session, struct flow_refusal *refusal) MUST_USE;
/* A prompt is put: active or processing to waiting_user. `prompt->id` is ours and is set here; progress may be
 * NULL. FLOW_LIMIT: too many prompts, and the session is in error. */
bool flow_session_ask(struct flow_session *session, const struct prompt *prompt, const struct prompt_progress *progress,
	int64_t now, struct flow_refusal *refusal) MUST_USE;
/* Nothing is missing: active or waiting_user to processing. */
bool flow_session_process(struct flow_session *session, int64_t now, struct flow_refusal *refusal) MUST_USE;

struct flow_response {           /* interaction.respond */
	struct scan_value value; /* SCAN_NONE: none */
	struct slice prompt_id;  /* bytes NULL: not said */
	struct slice timestamp;  /* JSON text, as it came; length 0: not said */
	struct slice metadata;   /* the same */
};
/* Waiting_user to processing, when it is accepted: it stands in the history, and in what is known under the
 * prompt's name. Else *verdict says why, and the prompt stays. False: refused (the state, a prompt that is not
 * the one at hand, too many tries: then the session is in error). */
bool flow_session_respond(struct flow_session *session, const struct flow_response *response, int64_t now,
	struct prompt_verdict *verdict, struct flow_refusal *refusal) MUST_USE;
/* The last answer is taken back, and what it said: its prompt is to be put again. From waiting_user or
 * processing, to processing. False: there is none. */
bool flow_session_back(struct flow_session *session, int64_t now, struct flow_refusal *refusal) MUST_USE;

/* ---- Led by its server: no prompt of it is known here ---- */

/* The server asks something: active, waiting_user or processing to waiting_user. FLOW_LIMIT as above. */
bool flow_session_led_prompt(struct flow_session *session, int64_t now, struct flow_refusal *refusal) MUST_USE;
/* It was answered: accepted, and then the server works; or refused, and the prompt stays. FLOW_LIMIT as above. */
bool flow_session_led_answer(struct flow_session *session, bool is_accepted, int64_t now, struct flow_refusal *refusal)
	MUST_USE;
/* The server's whole result (JSON text of an object). From wherever it stands, unless it is over. */
bool flow_session_led_complete(struct flow_session *session, struct slice result, struct slice summary, int64_t now,
	struct flow_refusal *refusal) MUST_USE;

/* Processing to completed. `data`: JSON text; the result is {"success","data"}. */
bool flow_session_complete(struct flow_session *session, bool is_success, struct slice data, struct slice summary,
	int64_t now, struct flow_refusal *refusal) MUST_USE;
/* Any to error; harmless when it is over. Nothing that was answered is left then, as behind a cancel. */
void flow_session_fail(struct flow_session *session, const char *reason, int64_t now);
/* Any to cancelled. -32006 when it was cancelled before, -32003 when it is over otherwise. */
bool flow_session_cancel(struct flow_session *session, struct slice reason, int64_t now, struct flow_refusal *refusal)
	MUST_USE;

/* When it expires, unless something happens; INT64_MAX: it is over. */
int64_t flow_session_expires_at(const struct flow_session *session);
/* When its client is to be warned: at four fifths of that time; INT64_MAX: it was, or there is nothing to warn of. */
int64_t flow_session_warns_at(const struct flow_session *session);
/* False: its time has run out, while it waited (-32002) or worked (-32005). */
bool flow_session_lives(const struct flow_session *session, int64_t now, struct flow_refusal *refusal);

/* The prompt at hand, read; false: there is none. */
bool flow_session_prompt(const struct flow_session *session, struct arena *arena, struct prompt *prompt);

#endif
