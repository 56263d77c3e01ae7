/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hustings: join MCPx rooms, call the tools of whoever is in them, ask MCP servers, offer tools,
 * prompts and resources of your own.
 *
 * One `struct hustings` is a loop and a set of offers. Rooms are joined on it; each is one participant
 * in one topic of one gateway. MCP servers are connected to on it, processes or remote ones, whatever
 * version of MCP they speak. What is offered is served in every room, and as an MCP server on stdin
 * and stdout or over HTTP.
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
/* Leaves every room and server and frees all: rooms, servers, calls, lists. Waits for servers to hear
 * of it and for processes to end, some ms long, at most 10 s. Calls that are open end unheard. Incoming
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

struct hustings_asked { /* whether a call may run (MCPx ADR-001) */
	const char *id;
	const char *owner; /* whose tool it is; "": yours */
	const char *tool;
	const char *requester;          /* who wants to call it; "": a host on stdin or HTTP */
	const char *reason;             /* "": none */
	struct hustings_json arguments; /* of the call: an object */
	int64_t expires_at;             /* ms since 1970; 0: not said */
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
	/* A participant asks whether a call of its tool may run: hustings_decide() answers, if you may. */
	void (*authorization_asked)(void *context, struct hustings_room *room,
		const struct hustings_asked *asked);
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
	struct hustings_json data; /* of the JSON-RPC error; length 0: none */
};

/* Exactly once, unless the call was cancelled or the room left. One of the two is NULL. */
typedef void hustings_answered(void *context, const struct hustings_answer *answer,
	const struct hustings_error *error);
/* total 0: not known; message NULL: none. */
typedef void hustings_progressed(void *context, double progress, double total, const char *message);

/* tools/call of a participant's tool, after the MCP handshake where none was made yet. arguments:
 * JSON text of an object; NULL: none. deadline 0: 30 s. At the deadline the other side hears a
 * cancel, and you HUSTINGS_TIMEOUT. progressed may be NULL. The call is yours until `answered`.
 * Where the tool's owner has to be asked first (MCPx ADR-001), `answered` waits for what becomes of it:
 * a denial is the error -32002. A deadline of 0 is then as long as the owner waits. */
struct hustings_call *hustings_call(struct hustings_room *room, const char *participant,
	const char *tool, const char *arguments, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error);
/* Any other MCP request: "resources/read", "prompts/list". */
struct hustings_call *hustings_ask(struct hustings_room *room, const char *participant,
	const char *method, const char *params, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error);
/* Gives up and tells the other side; `answered` (or `listed`) is not called any more. */
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

/* ---- MCP servers: asking one yourself ---- */

struct hustings_server;   /* an MCP server, and a conversation with it */
struct hustings_question; /* something it asks back */

struct hustings_server_options {
	/* One of these two. A url, http or https: Streamable HTTP. A command: a process that is started,
	 * and talked to over its stdin and stdout; its stderr is this program's. */
	const char *url;
	const char *const *command; /* NULL ended; the first is looked up in PATH */

	const char *const *headers;     /* with url: "Name: value", NULL ended, at most 80; may be NULL */
	const char *token;              /* with url: sent as bearer; may be NULL */
	const char *ca;                 /* with url: PEM file of roots to trust; NULL: the system's */
	const char *const *environment; /* with command: "NAME=value", NULL ended; NULL: this program's */
	const char *directory;          /* with command; NULL: this program's */

	/* A version of MCP: "2024-11-05" to "2025-11-25" begin with `initialize`, "2026-07-28" does
	 * without. NULL: the newest that both sides know, which is found out. */
	const char *version;
	uint64_t patience; /* ms until the handshake must be over; 0: 60 s */
	uint64_t deadline; /* ms, of requests that name none; 0: 60 s */
	bool opens_urls;   /* elicitations by URL are answered as well; with the event `elicit` */
};

enum hustings_list {
	HUSTINGS_TOOLS,
	HUSTINGS_RESOURCES,
	HUSTINGS_TEMPLATES,
	HUSTINGS_PROMPTS
};

struct hustings_elicitation {
	const char *message;
	const char *url;             /* NULL: a form; else a page that is to be opened by a person */
	const char *id;              /* of one with a url; NULL: none */
	struct hustings_json schema; /* of the form: an object with flat properties */
};

/* All may be NULL. `context` is the one given to hustings_connect(). `elicit`, `sample` and `roots`
 * say what the server is told that you can: leave out what you do not answer. Each of the three
 * takes a question, to be answered once, by one of the functions below, now or later. */
struct hustings_server_events {
	/* The handshake is over. Again when the server had forgotten the session. */
	void (*ready)(void *context, struct hustings_server *server);
	/* For good: every open request has ended before. The server is still to be disconnected. */
	void (*ended)(void *context, struct hustings_server *server, const struct hustings_error *why);
	/* A list is not what it was: list it again. HUSTINGS_RESOURCES: templates too. */
	void (*changed)(void *context, struct hustings_server *server, enum hustings_list list);
	void (*updated)(void *context, struct hustings_server *server, const char *uri);
	/* level: "debug" to "emergency"; logger NULL: not said. */
	void (*logged)(void *context, struct hustings_server *server, const char *level,
		const char *logger, struct hustings_json data);
	/* Any other notification, with its params (length 0: none). */
	void (*told)(void *context, struct hustings_server *server, const char *method,
		struct hustings_json params);
	void (*elicit)(void *context, struct hustings_server *server, struct hustings_question *question,
		const struct hustings_elicitation *elicitation);
	/* params of sampling/createMessage; answer with a CreateMessageResult. */
	void (*sample)(void *context, struct hustings_server *server, struct hustings_question *question,
		struct hustings_json params);
	/* Answer with {"roots": [{"uri": "file:///..."}]}. */
	void (*roots)(void *context, struct hustings_server *server, struct hustings_question *question);
	/* Nobody waits for the answer any more; answer all the same (it goes nowhere). */
	void (*withdrawn)(void *context, struct hustings_server *server,
		struct hustings_question *question);
};

/* Returns at once; `ready` or `ended` tells how it went. What is asked before `ready` waits for it.
 * events and context stay until hustings_disconnect(); events may be NULL; all else is copied. */
struct hustings_server *hustings_connect(struct hustings *hustings,
	const struct hustings_server_options *options, const struct hustings_server_events *events,
	void *context, struct hustings_error *error);
/* Ends the session, or the process: its stdin is closed, 2 s later comes SIGTERM, 2 s later SIGKILL;
 * that goes on by itself, or in hustings_close(). Nothing is called for it afterwards; its
 * open requests end unheard, its questions must not be touched any more. NULL is fine. */
void hustings_disconnect(struct hustings_server *server);

/* "" before `ready`; valid until the next one, or hustings_disconnect(). */
const char *hustings_server_version(const struct hustings_server *server); /* of MCP */
const char *hustings_server_name(const struct hustings_server *server);    /* as it says */
const char *hustings_server_instructions(const struct hustings_server *server);
struct hustings_json hustings_server_capabilities(const struct hustings_server *server);

/* tools/call. As hustings_call(), but deadline 0 is the one of the options; while questions of the
 * server are open, no deadline comes. Arguments that a tool's schema marks with `x-mcp-header` go to
 * the head as well; where that is not known yet, the tools are listed and the tool is called again. */
struct hustings_call *hustings_server_call(struct hustings_server *server, const char *tool,
	const char *arguments, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error);
/* Any request: "prompts/get", "resources/read", "completion/complete". */
struct hustings_call *hustings_server_ask(struct hustings_server *server, const char *method,
	const char *params, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error);
/* Any notification; only when it is `ready`. */
bool hustings_server_tell(struct hustings_server *server, const char *method, const char *params,
	struct hustings_error *error);

/* All pages. Tools that may not be called as they stand (a mark of theirs breaks MCP's rules) are
 * left out. */
struct hustings_call *hustings_server_tools(struct hustings_server *server, uint64_t deadline,
	hustings_listed *listed, void *context, struct hustings_error *error);

struct hustings_item {
	const char *key;  /* the name; of resources the uri, of templates the uriTemplate */
	const char *name; /* "": none, as with the next two */
	const char *title;
	const char *description;
	struct hustings_json definition;
};
typedef void hustings_items_listed(void *context, const struct hustings_item *items, size_t count,
	const struct hustings_error *error);
/* All pages of any list; of tools all that there are. A server without the kind has none. */
struct hustings_call *hustings_server_list(struct hustings_server *server, enum hustings_list list,
	uint64_t deadline, hustings_items_listed *listed, void *context, struct hustings_error *error);

struct hustings_call *hustings_server_read(struct hustings_server *server, const char *uri,
	uint64_t deadline, hustings_answered *answered, void *context, struct hustings_error *error);
/* arguments: JSON text of an object of strings; NULL: none. */
struct hustings_call *hustings_server_prompt(struct hustings_server *server, const char *name,
	const char *arguments, uint64_t deadline, hustings_answered *answered, void *context,
	struct hustings_error *error);
/* completion/complete for an argument of a prompt (its name) or of a template (its uriTemplate);
 * known: the other arguments' values, JSON text of an object of strings; NULL: none. */
struct hustings_call *hustings_server_complete(struct hustings_server *server,
	enum hustings_list list, const char *key, const char *argument, const char *value,
	const char *known, uint64_t deadline, hustings_answered *answered, void *context,
	struct hustings_error *error);
/* Whether it is there: `ping`, or server/discover where MCP has no ping any more. */
struct hustings_call *hustings_server_ping(struct hustings_server *server, uint64_t deadline,
	hustings_answered *answered, void *context, struct hustings_error *error);

/* The event `updated` comes from now on, also after a session that had to be begun anew. */
struct hustings_call *hustings_server_subscribe(struct hustings_server *server, const char *uri,
	hustings_answered *answered, void *context, struct hustings_error *error);
/* A hustings_server_subscribe() that was not answered is now, with HUSTINGS_CLOSED. */
bool hustings_server_unsubscribe(struct hustings_server *server, const char *uri,
	struct hustings_error *error);
/* What the event `logged` is to tell: this level and above; NULL: nothing, where the server has a
 * say in that. */
bool hustings_server_set_level(struct hustings_server *server, const char *level,
	struct hustings_error *error);

/* Each of these answers and takes the question. */
/* The form was filled in. content: JSON text of an object; NULL: nothing; unsound: as declined. What
 * it leaves out, and the form has a default for, gets the default. For a url: the page was opened. */
void hustings_accept(struct hustings_question *question, const char *content);
void hustings_decline(struct hustings_question *question); /* a person said no */
void hustings_dismiss(struct hustings_question *question); /* nobody said anything */
/* A result of your own, JSON text of an object; for samplings and roots. */
void hustings_answer_question(struct hustings_question *question, const char *result);
void hustings_refuse_question(struct hustings_question *question, const char *reason);

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

/* ---- Offering tools, prompts and resources ---- */

struct hustings_request; /* a call of a tool of yours, or a wish for a prompt or a resource */

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
	/* Whether calls have to be approved (MCPx ADR-001), JSON text of {"required", "mode", "timeout",
	 * "message", "delegate"}; NULL: nothing is said. */
	const char *authorization;
};

/* In every room, on stdin and stdout, and over HTTP. Who listed tools before is told that they
 * changed. */
bool hustings_offer(struct hustings *hustings, const struct hustings_tool *tool,
	struct hustings_error *error);
bool hustings_withdraw_tool(struct hustings *hustings, const char *name); /* false: there is none */

/* What a value may become that somebody is about to give an argument. Answered as a tool is, by
 * hustings_answer_json() with an array of strings, the best first; 100 of them are passed on. */
typedef void hustings_completed(void *context, struct hustings_request *request,
	const char *argument, const char *value);

struct hustings_prompt {
	const char *name;
	const char *title; /* may be NULL, as the next two */
	const char *description;
	const char *arguments; /* JSON array of {"name", "description", "required"} */
	/* As a tool's; arguments: an object of strings. hustings_answer_text() is one message. */
	void (*get)(void *context, struct hustings_request *request, struct hustings_json arguments);
	hustings_completed *complete; /* of its arguments; may be NULL */
	void *context;
};
/* On stdin and stdout, and over HTTP; rooms have tools alone. */
bool hustings_offer_prompt(struct hustings *hustings, const struct hustings_prompt *prompt,
	struct hustings_error *error);

struct hustings_resource {
	const char *uri; /* with "{word}" in it: a template, each standing for what is no "/" */
	const char *name;
	const char *title; /* may be NULL, as the next two */
	const char *description;
	const char *type; /* "text/plain" */
	/* As a tool's; hustings_request_name() is the uri that is wanted. */
	void (*read)(void *context, struct hustings_request *request);
	hustings_completed *complete; /* of a template's words; may be NULL */
	void *context;
};
/* Where prompts are. */
bool hustings_offer_resource(struct hustings *hustings, const struct hustings_resource *resource,
	struct hustings_error *error);
/* By its name or uri, as it was offered. False: there is none. */
bool hustings_withdraw_prompt(struct hustings *hustings, const char *name);
bool hustings_withdraw_resource(struct hustings *hustings, const char *uri);
/* Who subscribed to that resource is told that it has changed. */
void hustings_updated(struct hustings *hustings, const char *uri);

/* Each of these answers and takes the request. */
/* Of a prompt: a message of the user's; of a resource: its text. */
void hustings_answer_text(struct hustings_request *request, const char *text);
/* json: any JSON text; an object becomes structuredContent as well. Unsound JSON becomes a failure.
 * Of a prompt or a resource: as its text. */
void hustings_answer_json(struct hustings_request *request, const char *json);
/* A result of your own: {"content": [...], "isError": false}; of a prompt {"messages": [...]}, of a
 * resource {"contents": [...]}. */
void hustings_answer_result(struct hustings_request *request, const char *result);
/* The octets of a resource. */
void hustings_answer_octets(struct hustings_request *request, const void *octets, size_t length);
/* The tool could not do it: a result with isError, which a model can read. Of a prompt or a resource:
 * a JSON-RPC error. */
void hustings_answer_failure(struct hustings_request *request, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* For want of hustings_ask_back() by that method nothing can be done: in MCP 2026-07-28 the error for
 * that (-32021), else as a failure. */
void hustings_answer_unable(struct hustings_request *request, const char *method);

/* Progress, where the caller wants any; total 0: not known; message may be NULL. */
void hustings_report(struct hustings_request *request, double progress, double total,
	const char *message);
/* A log message to the caller, where it wants any of that level ("debug" to "emergency"); logger may
 * be NULL; data: any JSON text. */
void hustings_log(struct hustings_request *request, const char *level, const char *logger,
	const char *data);
bool hustings_is_cancelled(const struct hustings_request *request);
/* Of the tool or the prompt; of a resource the uri that is wanted. */
const char *hustings_request_name(const struct hustings_request *request);
const char *hustings_request_tool(const struct hustings_request *request); /* the same */
/* Who calls: a participant's id; "": a host on stdin or HTTP, or nobody any more. */
const char *hustings_request_from(const struct hustings_request *request);
/* Where from; NULL: no room, or the room was left. */
struct hustings_room *hustings_request_room(const struct hustings_request *request);

/* Asking the caller back while its request is open. In MCP 2026-07-28 the request is answered with
 * the question, and comes again with the reply: nothing of that is seen here, but that the caller
 * may never come again; after 10 minutes the request counts as cancelled.
 *
 * key: tells questions of one request apart there, 1 to 64 of ASCII letters, digits and _-; NULL: a
 * number. False, with HUSTINGS_UNSUPPORTED: the caller cannot; in a room it can be asked what its
 * initialize to us declared. `replied` comes once, unless the request was answered before: an answer
 * whose json is the result. deadline in ms; 0: 10 minutes, which is the longest. */
bool hustings_ask_back(struct hustings_request *request, const char *key, const char *method,
	const char *params, uint64_t deadline, hustings_answered *replied, void *context,
	struct hustings_error *error);
/* elicitation/create with a form: {"action": "accept" | "decline" | "cancel", "content": {...}}.
 * schema: JSON text of an object with flat properties. */
bool hustings_elicit(struct hustings_request *request, const char *message, const char *schema,
	uint64_t deadline, hustings_answered *replied, void *context, struct hustings_error *error);

/* ---- Authorization: who may call what (MCPx ADR-001) ---- */

/* A call of a tool may have to be approved first. It waits meanwhile; who said in its handshake, or in
 * the call, that it knows of this hears the error -32001 at once, and what became of it later. Approved
 * is that requester, that tool and exactly those arguments, once, or as often as it asks until the time that
 * the decider names. No answer in time is a no.
 *
 * Hosts on stdin and HTTP see in a tool's definition what it says of itself, and ask their users
 * themselves; only what hustings_authorize() says holds for their calls as well. */
enum hustings_authorization_mode {
	HUSTINGS_AS_THE_TOOL_SAYS, /* by hustings_tool.authorization; without that it is allowed */
	HUSTINGS_ALWAYS_ALLOW,
	HUSTINGS_ALWAYS_PROMPT,
	HUSTINGS_SELECTIVE, /* by the first rule that fits, else as the tool says */
	HUSTINGS_DELEGATED  /* `delegate` decides */
};

enum hustings_action {
	HUSTINGS_ALLOW,
	HUSTINGS_ASK_FIRST,
	HUSTINGS_DENY
};

struct hustings_rule { /* a name, or one with a star at its end; NULL: any */
	const char *tool;
	const char *caller; /* a participant's id */
	enum hustings_action action;
	/* A parameter, with dots for its depth ("target.name"), and what it is, a text as above; booleans and null
	 * by their JSON, numbers as plain decimals (1.0e2 is 100), of an array any element. value NULL: the
	 * parameter is there at all. argument NULL: whatever the arguments are. */
	const char *argument;
	const char *value;
};

struct hustings_authorization {
	enum hustings_authorization_mode mode;
	const struct hustings_rule *rules;
	size_t rule_count;
	const char *delegate; /* the participant that decides instead; NULL: none, or whom the tool names */
	/* NULL ended: the participants that may decide. NULL: every one with full privilege. Whoever
	 * makes the call never may. */
	const char *const *deciders;
	uint64_t timeout; /* ms; 0: the tool's, else 5 minutes */
	/* Asks yourself in place of the room, unless somebody else is to decide (a delegate): answer by
	 * hustings_permit(). May be NULL: then calls of hosts on stdin or HTTP, where nobody else can be
	 * asked, are denied. */
	void (*authorize)(void *context, const struct hustings_asked *asked);
	void *context;
};

/* From now on, in place of what was said before; overrules what tools say of themselves. Calls that wait
 * go on waiting. */
bool hustings_authorize(struct hustings *hustings, const struct hustings_authorization *settings,
	struct hustings_error *error);
/* Answers what `authorize` was asked; a denial of what was approved until a later time takes that back.
 * valid_until: ms since 1970, 0: this one call. reason may be NULL. */
bool hustings_permit(struct hustings *hustings, const char *id, bool approves, const char *reason,
	int64_t valid_until, struct hustings_error *error);

/* Answers the event `authorization_asked`: it counts if `owner` lets you decide. */
bool hustings_decide(struct hustings_room *room, const char *owner, const char *id, bool approves,
	const char *reason, int64_t valid_until, struct hustings_error *error);
/* Takes an approval back that was given until a later time. The next call asks again. */
bool hustings_revoke(struct hustings_room *room, const char *owner, const char *id,
	const char *reason, struct hustings_error *error);

/* ---- Flow tools: tools that ask one thing after another (MCP Flow) ---- */

/* A flow tool is a plain function that is called again from its beginning after each answer. What is
 * on record is handed out at once; the first thing that is not is asked, and the function returns:
 *
 *     static void book(void *context, struct hustings_flow *flow) {
 *         static const struct hustings_field when = {.message = "Which day?"};
 *         const char *day;
 *         if (!hustings_ask_date(flow, "day", &when, &day)) return;
 *         hustings_flow_text(flow, "booked");
 *     }
 *
 * The answers on record are all its state: it may be called any number of times before its last
 * answer is there, and does nothing but ask and look until then. It does not wait: it asks, ends or
 * goes back before it returns. Toward clients of MCP Flow it is driven by interaction.*, toward others
 * that fill in forms by elicitation (to MCP 2025-11-25) or by answers that ask for input
 * (2026-07-28). All others have to give all arguments at once, and are told what is missing. A
 * caller's session is its own: nobody else can look at it or answer in it. */
struct hustings_flow; /* one call of the function; borrowed until it returns */

struct hustings_choice {
	const char *value;
	const char *label; /* NULL: the value */
};

/* What is asked, and what its answer has to be. All but the message may be left out. */
struct hustings_field {
	const char *message;
	const char *placeholder;
	const char *suggested; /* the answer that is proposed, as JSON text */
	bool is_optional;      /* "no answer" is one */
	bool is_whole;         /* of a number: no fraction */
	bool has_least, has_most;
	double least, most;                    /* of a number; of a text's characters */
	const char *pattern;                   /* of a text: a regular expression */
	const char *format;                    /* of a text: "email", "uri"; of a date: "date" (that is the default),
	                              "date-time", "time" */
	const char *first, *last;              /* of a date */
	double most_octets;                    /* of a file */
	const char *accepted;                  /* of a file: JSON array of "image/png", "image/" with a star, ".pdf" */
	const char *schema;                    /* of a custom answer: JSON Schema */
	const struct hustings_choice *choices; /* of a choice */
	size_t choice_count;
};

struct hustings_file {
	const char *uri;  /* where it is; it is the tool's to fetch it, or not to */
	const char *name; /* "": not said, as with the next */
	const char *type; /* "image/png" */
	double octets;    /* as the caller says */
};

/* True: the answer of that name is on record, and handed out until the function returns. False: it is
 * asked, or something ended the call before: return. name: the argument's, 1 to 128 octets, one for
 * each question. An optional one that was not answered: NULL, NAN, false, a length of 0. */
bool hustings_ask_text(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer);
bool hustings_ask_number(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, double *answer);
bool hustings_ask_confirm(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, bool *answer);
bool hustings_ask_choice(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer);
bool hustings_ask_date(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer);
/* By reference: nothing is uploaded. */
bool hustings_ask_file(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, struct hustings_file *answer);
bool hustings_ask_custom(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, struct hustings_json *answer);

/* Takes the last answer back, or, with a name, that one and all after it: the function is called
 * again, and asks it anew. Return after it. False: there is none (it was given with the call). */
bool hustings_flow_back(struct hustings_flow *flow, const char *name);
/* Shown with what is asked next; total 0: not known; message may be NULL. */
void hustings_flow_progress(struct hustings_flow *flow, unsigned current, unsigned total,
	const char *message);
/* Each ends the session, and only the first of them counts; return after it. As
 * hustings_answer_text(), hustings_answer_json(), hustings_answer_result() and
 * hustings_answer_failure(). */
void hustings_flow_text(struct hustings_flow *flow, const char *text);
void hustings_flow_json(struct hustings_flow *flow, const char *json);
void hustings_flow_answer(struct hustings_flow *flow, const char *result);
void hustings_flow_fail(struct hustings_flow *flow, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Who is asked, as hustings_request_from(). */
const char *hustings_flow_from(const struct hustings_flow *flow);
/* All answers and arguments that are known: an object. */
struct hustings_json hustings_flow_known(const struct hustings_flow *flow);

enum hustings_step_kind {
	HUSTINGS_STEP_TEXT,
	HUSTINGS_STEP_CHOICE,
	HUSTINGS_STEP_CONFIRM,
	HUSTINGS_STEP_NUMBER,
	HUSTINGS_STEP_DATE,
	HUSTINGS_STEP_FILE,
	HUSTINGS_STEP_CUSTOM
};

struct hustings_step {
	const char *name;
	enum hustings_step_kind kind;
	struct hustings_field field;
	/* Whether it is asked, by what is known so far. NULL: always. */
	bool (*is_due)(void *context, struct hustings_json known);
};

struct hustings_flow_tool {
	const char *name;  /* as a tool's, as all up to `effect` */
	const char *title; /* may be NULL, as the next three */
	const char *description;
	const char *schema; /* of what may be given with the call; NULL: anything */
	const char *output_schema;
	enum hustings_effect effect;
	/* Asked one after the other before `run` is called; not copied: it stays until the tool is
	 * withdrawn. May be NULL. */
	const struct hustings_step *steps;
	size_t step_count;
	/* NULL, with steps: what is known is the answer. */
	void (*run)(void *context, struct hustings_flow *flow);
	void *context;
	uint64_t timeout;  /* ms without an answer; 0: 5 minutes, at most an hour */
	unsigned prompts;  /* that one session may need; 0: 100 */
	uint64_t duration; /* ms of one session in all; 0: an hour, which is the longest */
	/* As a tool's: asked once, before the first question. A rule about arguments (struct hustings_rule) that
	 * may come to ask does so then as well; one that denies does so as soon as its argument is known, before
	 * the function is called with it; and what no rule allows without an argument that is still to be asked
	 * for is denied at once. */
	const char *authorization;
};

/* In every room, on stdin and stdout, and over HTTP, among the other tools; withdrawn by
 * hustings_withdraw_tool(), which fails the sessions that are open. At most 16 sessions of one caller
 * are open, 1000 in all. */
bool hustings_offer_flow(struct hustings *hustings, const struct hustings_flow_tool *tool,
	struct hustings_error *error);

/* Serves what is offered on stdin and stdout as an MCP server, in whatever version the host speaks,
 * until stdin ends and every call is answered. Runs the loop meanwhile; rooms go on. Nothing else
 * may write to stdout. */
bool hustings_serve_stdio(struct hustings *hustings, struct hustings_error *error);

struct hustings_http_options {
	const char *listen; /* "127.0.0.1:0": port 0 is any that is free; NULL: that */
	const char *path;   /* NULL: "/mcp" */
	const char *token;  /* who shows it as bearer is let in; NULL: everybody, on loopback alone */
	/* NULL ended: names that Host may have besides the address and those of loopback; origins
	 * ("https://a.example") of pages that may ask besides those of these hosts. May be NULL. */
	const char *const *hosts;
	const char *const *origins;
};
/* Serves what is offered over HTTP as an MCP server (Streamable HTTP, in whatever version the client
 * speaks), from now on until hustings_close(). One of it at a time. */
bool hustings_serve_http(struct hustings *hustings, const struct hustings_http_options *options,
	struct hustings_error *error);
/* "http://127.0.0.1:4711/mcp"; "": nothing is served. */
const char *hustings_http_url(const struct hustings *hustings);

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
