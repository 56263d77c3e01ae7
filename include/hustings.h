/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hustings: join MCPx rooms, call the tools of whoever is in them, offer tools of your own.
 *
 * One `struct hustings` is a loop and a set of tools. Rooms are joined on it; each is one participant
 * in one topic of one gateway. The same tools may be served on stdin and stdout as an MCP server.
 *
 *     static void answered(void *context, const struct hustings_answer *answer,
 *             const struct hustings_error *error) {
 *         puts(answer ? answer->json.text : error->text);
 *         hustings_stop(context);
 *     }
 *
 *     struct hustings *hustings = hustings_open("example", "1.0", &error);
 *     struct hustings_room_options options = { .url = "http://127.0.0.1:7410", .topic = "demo" };
 *     struct hustings_room *room = hustings_join(hustings, &options, NULL, NULL, &error);
 *     hustings_call(room, "robot", "move", "{\"x\":1,\"y\":2}", 0, answered, NULL, hustings, &error);
 *     hustings_run(hustings);
 *     hustings_close(hustings);
 *
 * Threads: everything of one `struct hustings` is used by one thread at a time; hustings_stop() alone
 * may be called from any thread and from signal handlers. Several `struct hustings` in several
 * threads are independent.
 *
 * Callbacks are called from hustings_run() and hustings_step(), never from inside the function that
 * asked for them. What they are handed is borrowed until they return. They may call anything here
 * but hustings_close(), hustings_run() and hustings_step().
 *
 * Strings are UTF-8 and end with NUL; what is given is copied before the function returns. Times are
 * milliseconds. Functions that fail return false or NULL and fill in `error` (which may be NULL).
 *
 * What comes from other participants is a stranger's word: names, texts, descriptions of tools and
 * results may hold anything but invalid UTF-8. Strings may hold "\u0000" only inside JSON; where a
 * string is handed out NUL-ended, it is cut there.
 */
#ifndef HUSTINGS_H
#define HUSTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors ---- */

enum hustings_status {
	HUSTINGS_FINE,
	HUSTINGS_NO_MEMORY,
	HUSTINGS_BAD_INPUT, /* malformed, unknown or out of range: yours, or the other side's */
	HUSTINGS_TOO_LARGE, /* over a stated limit */
	HUSTINGS_NOT_FOUND, /* nobody, or nothing, of that name */
	HUSTINGS_EXISTS,    /* taken already; a room ended so: another connection has your seat */
	HUSTINGS_NOT_READY, /* not now */
	HUSTINGS_REFUSED,   /* the gateway, or the other participant, says no */
	HUSTINGS_TIMEOUT,
	HUSTINGS_CLOSED,     /* the other side went away, or you left */
	HUSTINGS_FULL,       /* a bounded thing is full; try again later */
	HUSTINGS_IO,         /* the operating system or a library failed */
	HUSTINGS_UNSUPPORTED /* this machine, build or peer cannot */
};

struct hustings_error {
	enum hustings_status status;
	char text[240]; /* one sentence for people */
};

/* "timeout", "refused", ...: stable words. */
const char *hustings_status_word(enum hustings_status status);
/* The library's, as "0.1.0". */
const char *hustings_version(void);

/* ---- The loop ---- */

struct hustings;

/* name and version introduce you to MCP peers; version may be NULL. */
struct hustings *hustings_open(const char *name, const char *version, struct hustings_error *error);
/* Leaves every room and frees all: rooms, calls, lists. Calls that are open end unheard. Incoming
 * calls that were not answered are told as cancelled and must not be touched afterwards. NULL is
 * fine. */
void hustings_close(struct hustings *hustings);

/* Waits and works until hustings_stop(). */
void hustings_run(struct hustings *hustings);
void hustings_stop(struct hustings *hustings);

/* For a loop of your own: when the descriptor is readable, or hustings_patience() ms have passed
 * (-1: no limit), call hustings_step(..., 0). With a wait of more than 0 (or -1: for ever) it waits
 * for work itself, and does one round of it. */
int hustings_descriptor(const struct hustings *hustings);
int hustings_patience(const struct hustings *hustings);
void hustings_step(struct hustings *hustings, int wait);

/* ---- Rooms ---- */

struct hustings_room;

enum hustings_kind {
	HUSTINGS_KIND_UNSAID,
	HUSTINGS_KIND_HUMAN,
	HUSTINGS_KIND_AGENT,
	HUSTINGS_KIND_ROBOT
};

enum hustings_handshakes { /* when you introduce yourself to another participant */
	HUSTINGS_LAZY,     /* when you call it */
	HUSTINGS_EAGER,    /* on sight, to all that say they are MCP servers */
	HUSTINGS_CHOSEN    /* on sight, to those that the event `choose` picks */
};

/* Copies a bearer token, NUL-ended, into `token` of `size` octets; false: there is none now, which
 * ends the room unless it is reached again later. Asked before each connection, so that short-lived
 * tokens are renewed. Must return soon. */
typedef bool hustings_token(void *context, char *token, size_t size);

struct hustings_room_options {
	const char *url; /* of the gateway: http, https, ws or wss. NULL: $HUSTINGS_URL */
	const char *topic;
	const char *token;          /* NULL, and no give_token: $HUSTINGS_TOKEN, else none (open gateways) */
	hustings_token *give_token; /* instead of `token` */
	void *token_context;
	const char *id;   /* who you are at an open gateway; elsewhere the token says it */
	const char *name; /* to be shown; may be NULL */
	enum hustings_kind kind;
	const char *ca;    /* PEM file of roots to trust; NULL: the system's */
	const char *since; /* an envelope's id: begin with what came after it */
	unsigned history;  /* what was said before, at most so many envelopes, up to 1000 */
	enum hustings_handshakes handshakes;
	bool speaks_v0;         /* MCPx v0 instead of v0.1 */
	bool offers_chat;       /* the tools chat.say and presence.get; in one room alone */
	bool leaves_at_once;    /* no reconnecting: the first break ends the room */
	bool waits_for_gateway; /* keeps trying also when the first connection fails */
};

/* Another participant; valid until it leaves. */
struct hustings_participant {
	const char *id;
	const char *name;        /* "": none, as with the next two */
	const char *mcp_version; /* not empty: it says it is an MCP server */
	const char *privilege;   /* "full" or "restricted" */
	enum hustings_kind kind;
};

/* A piece of JSON text; not NUL-ended. */
struct hustings_json {
	const char *text;
	size_t length; /* 0: none */
};

enum hustings_moment {
	HUSTINGS_LIVE,
	HUSTINGS_OWN, /* yours, come back from the room: it is stored */
	HUSTINGS_PAST /* from before you came, or long before you came back: not to be acted upon */
};

struct hustings_chat {
	const char *id; /* the envelope's, as with the others */
	const char *from;
	const char *text;
	const char *replies_to; /* an envelope's id; NULL: none */
	bool is_markdown;
	bool is_to_you; /* by name, not to all */
	int64_t at;     /* ms since 1970; 0: not said */
	enum hustings_moment moment;
};

struct hustings_proposal { /* somebody asks that somebody allowed does this (MCPx v0.1 4.2) */
	const char *id;
	const char *from;
	const char *to;     /* NULL: nobody named */
	const char *method; /* "tools/call" */
	struct hustings_json params;
	const char *reason; /* NULL: none */
	enum hustings_moment moment;
};

struct hustings_settlement {
	const char *proposal; /* its id */
	const char *status;   /* "fulfilled", "rejected", "withdrawn", "expired" */
	const char *by;       /* NULL: not said, as with the next */
	const char *reason;
};

struct hustings_refusal { /* the gateway refused an envelope of yours */
	const char *id;   /* of the envelope; NULL: not said */
	const char *code; /* a stable word */
	const char *message;
	int64_t retry_after; /* ms; 0: not said */
};

/* All may be NULL. `context` is the one given to hustings_join(). */
struct hustings_room_events {
	/* You are in the room: for the first time, or again after a break. Participants follow. */
	void (*joined)(void *context, struct hustings_room *room, bool again);
	/* The connection broke; it is made again in so many ms. */
	void (*lost)(void *context, struct hustings_room *room, const struct hustings_error *why,
		uint64_t again_in);
	/* For good: the gateway says no, or another connection has your seat. The room is still to be
	 * left. */
	void (*ended)(void *context, struct hustings_room *room, const struct hustings_error *why);
	void (*arrived)(void *context, struct hustings_room *room,
		const struct hustings_participant *participant);
	void (*left)(void *context, struct hustings_room *room,
		const struct hustings_participant *participant);
	void (*chat)(void *context, struct hustings_room *room, const struct hustings_chat *chat);
	void (*proposed)(void *context, struct hustings_room *room,
		const struct hustings_proposal *proposal);
	void (*settled)(void *context, struct hustings_room *room,
		const struct hustings_settlement *settlement);
	/* The tools of that participant changed: list them again. */
	void (*tools_changed)(void *context, struct hustings_room *room, const char *participant);
	/* Yours was changed, to "full" or "restricted". */
	void (*privilege)(void *context, struct hustings_room *room, const char *privilege);
	void (*refused)(void *context, struct hustings_room *room,
		const struct hustings_refusal *refusal);
	/* Some of what was said while you were away is not to be had any more. */
	void (*missed)(void *context, struct hustings_room *room);
	/* All that you sent is stored. */
	void (*drained)(void *context, struct hustings_room *room);
	/* Every envelope as it came, before anything is made of it. */
	void (*envelope)(void *context, struct hustings_room *room, struct hustings_json envelope);
	/* With HUSTINGS_CHOSEN: whether to introduce yourself. */
	bool (*choose)(void *context, struct hustings_room *room,
		const struct hustings_participant *participant);
};

/* Returns at once; `joined` or `ended` tells how it went. Broken connections are made again after
 * 1 s, doubling to 30 s; what was missed is fetched, what was not stored is sent again. events and
 * context stay until the room is left; events may be NULL. */
struct hustings_room *hustings_join(struct hustings *hustings,
	const struct hustings_room_options *options, const struct hustings_room_events *events,
	void *context, struct hustings_error *error);
/* Frees the room; nothing is called for it afterwards, its open calls end unheard. NULL is fine. */
void hustings_leave(struct hustings_room *room);

const char *hustings_id(const struct hustings_room *room); /* "" before `joined` */
const char *hustings_topic(const struct hustings_room *room);
const char *hustings_privilege(const struct hustings_room *room); /* "full", "restricted"; "" before */
/* The last stored envelope that was seen: `since` of a later process. "" : none. */
const char *hustings_last(const struct hustings_room *room);

/* for (size_t at = 0; hustings_roster(room, &at, &participant);)   Nobody may leave meanwhile. */
bool hustings_roster(const struct hustings_room *room, size_t *at,
	struct hustings_participant *participant);
bool hustings_find(const struct hustings_room *room, const char *id,
	struct hustings_participant *participant);

/* ---- Saying ---- */

/* To everyone, or to one (still seen by all: rooms have no secrets). Kept until stored. */
bool hustings_say(struct hustings_room *room, const char *to, const char *text, bool is_markdown,
	struct hustings_error *error);

/* ---- Calling ---- */

#define HUSTINGS_FOR_EVER UINT64_MAX

struct hustings_call; /* one that you made */

/* What came back. An error of the other side is an answer too. */
struct hustings_answer {
	bool is_error;             /* a JSON-RPC error, or a tool's result with isError */
	struct hustings_json json; /* the result; length 0 with a JSON-RPC error */
	int64_t code;              /* of the JSON-RPC error; 0: none */
	char *text;                /* the result's text parts joined by line ends, or the error's words */
};

/* Exactly once, unless the call was cancelled or the room left. One of the two is NULL. */
typedef void hustings_answered(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error);
/* total 0: not known; message NULL: none. */
typedef void hustings_progressed(void *context, double progress, double total, const char *message);

/* tools/call of a participant's tool, after the MCP handshake where none was made yet. arguments:
 * JSON text of an object; NULL: none. deadline 0: 30 s. At the deadline the other side hears a
 * cancel, and you HUSTINGS_TIMEOUT. progressed may be NULL. The call is yours until `answered`. */
struct hustings_call *hustings_call(struct hustings_room *room, const char *participant,
	const char *tool, const char *arguments, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error);
/* Any other MCP request: "resources/read", "prompts/list". */
struct hustings_call *hustings_ask(struct hustings_room *room, const char *participant,
	const char *method, const char *params, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error);
/* Gives up and tells the other side; `answered` is not called any more. */
void hustings_cancel(struct hustings_call *call, const char *reason);

struct hustings_tool_seen {
	const char *name;
	const char *title;           /* "": none */
	const char *description;     /* "": none */
	struct hustings_json schema; /* of the arguments */
	struct hustings_json definition;
	bool only_reads; /* as it says of itself; MCP's defaults where it is silent */
	bool may_destroy;
};

typedef void hustings_listed(void *context, const struct hustings_tool_seen *tools, size_t count,
	const struct hustings_error *error);
/* All tools of a participant; remembered until it says that they changed. */
struct hustings_call *hustings_list(struct hustings_room *room, const char *participant,
	uint64_t deadline, hustings_listed *listed, void *context, struct hustings_error *error);

/* ---- Proposing (MCPx v0.1 4.2) ---- */

/* Asks that somebody with full privilege calls that tool; `id`, 37 octets, takes the proposal's id
 * (may be NULL). The event `settled` tells what became of it. */
bool hustings_propose(struct hustings_room *room, const char *participant, const char *tool,
	const char *arguments, const char *reason, char *id, struct hustings_error *error);
/* Does what was proposed: sends its request to whom it names, as yours. */
struct hustings_call *hustings_fulfil(struct hustings_room *room,
	const struct hustings_proposal *proposal, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error);

/* ---- Asking the gateway ---- */

struct hustings_fetch;
/* json: the gateway's answer. Exactly once, unless cancelled or the room left. */
typedef void hustings_fetched(void *context, struct hustings_json json,
	const struct hustings_error *error);
/* {"topic", "envelopes": [newest first], "next_before"}; limit 0: 100; before: an id or a time of
 * RFC 3339, NULL: the newest. */
struct hustings_fetch *hustings_history(struct hustings_room *room, unsigned limit,
	const char *before, hustings_fetched *fetched, void *context, struct hustings_error *error);
struct hustings_fetch *hustings_proposals(struct hustings_room *room, hustings_fetched *fetched,
	void *context, struct hustings_error *error);
/* Your own proposal is withdrawn, another's rejected; reason may be NULL. */
struct hustings_fetch *hustings_withdraw(struct hustings_room *room, const char *proposal,
	const char *reason, hustings_fetched *fetched, void *context, struct hustings_error *error);
struct hustings_fetch *hustings_reject(struct hustings_room *room, const char *proposal,
	const char *reason, hustings_fetched *fetched, void *context, struct hustings_error *error);
void hustings_fetch_cancel(struct hustings_fetch *fetch); /* before `fetched` alone; NULL is fine */

/* ---- Offering tools ---- */

struct hustings_request; /* a call of a tool of yours */

enum hustings_effect { /* what a tool does to the world; clients ask before destructive ones */
	HUSTINGS_EFFECT_UNSAID,
	HUSTINGS_EFFECT_NONE,     /* it only reads */
	HUSTINGS_EFFECT_ADDITIVE, /* it changes, and destroys nothing */
	HUSTINGS_EFFECT_DESTRUCTIVE
};

struct hustings_tool {
	const char *name;  /* 1 to 128 of ASCII letters, digits and _-./ */
	const char *title; /* may be NULL, as the next three */
	const char *description;
	const char *schema; /* JSON Schema of the arguments, an object; NULL: no arguments */
	const char *output_schema;
	enum hustings_effect effect;
	/* Answers the request by one of the functions below, now or later; it is yours until then.
	 * arguments: an object, borrowed; it is sound JSON, but not checked against the schema. */
	void (*run)(void *context, struct hustings_request *request, struct hustings_json arguments);
	/* Nobody waits for the answer any more; answer all the same (it goes nowhere). May be NULL. */
	void (*cancelled)(void *context, struct hustings_request *request);
	void *context;
};

/* In every room, and on stdin and stdout. Who listed tools before is told that they changed. */
bool hustings_offer(struct hustings *hustings, const struct hustings_tool *tool,
	struct hustings_error *error);
bool hustings_withdraw_tool(struct hustings *hustings, const char *name); /* false: there is none */

/* Each of these answers and takes the request. */
void hustings_answer_text(struct hustings_request *request, const char *text);
/* json: any JSON text; an object becomes structuredContent as well. Unsound JSON becomes a failure. */
void hustings_answer_json(struct hustings_request *request, const char *json);
/* A CallToolResult of your own: {"content": [...], "isError": false}. */
void hustings_answer_result(struct hustings_request *request, const char *result);
/* The tool could not do it: a result with isError, which a model can read. */
void hustings_answer_failure(struct hustings_request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Progress, where the caller wants any; total 0: not known; message may be NULL. */
void hustings_report(struct hustings_request *request, double progress, double total,
	const char *message);
bool hustings_is_cancelled(const struct hustings_request *request);
const char *hustings_request_tool(const struct hustings_request *request);
/* Who calls: a participant's id; "": the host on stdin, or nobody any more. */
const char *hustings_request_from(const struct hustings_request *request);
/* Where from; NULL: stdin, or the room was left. */
struct hustings_room *hustings_request_room(const struct hustings_request *request);

/* Serves the tools on stdin and stdout as an MCP server, until stdin ends and every call is
 * answered. Runs the loop meanwhile; rooms go on. Nothing else may write to stdout. */
bool hustings_serve_stdio(struct hustings *hustings, struct hustings_error *error);

/* ---- JSON, as much as tools need ---- */

struct hustings_json hustings_json(const char *text);
/* Whole and sound, at most 64 deep. The functions below expect that of their argument; what the
 * library hands out is. */
bool hustings_json_is_sound(struct hustings_json json);
/* The member of that name; false: none, or no object. */
bool hustings_json_find(struct hustings_json object, const char *name, struct hustings_json *value);
/* for (size_t at = 0; hustings_json_each(container, &at, &name, &value);)
 * The members of an object (name: a JSON string) or the elements of an array (name of length 0). */
bool hustings_json_each(struct hustings_json container, size_t *at, struct hustings_json *name,
	struct hustings_json *value);
/* 'o' object, 'a' array, 's' string, 'n' number, 'b' true or false, '0' null, 0 nothing. */
char hustings_json_type(struct hustings_json json);
/* The characters of a string, NUL-ended, to be freed with free(); NULL: no string, a NUL inside, or
 * no memory. */
char *hustings_json_string(struct hustings_json json);
bool hustings_json_integer(struct hustings_json json, int64_t *integer);
bool hustings_json_number(struct hustings_json json, double *number);
bool hustings_json_boolean(struct hustings_json json, bool *boolean);
/* Text as a JSON string with its quotes, to be freed with free(); NULL: no memory. */
char *hustings_json_quote(const char *text);

#ifdef __cplusplus
}
#endif

#endif
