/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted: the MCP servers that this house runs for others (MGP 11), and the requests it passes on
 * to them. A server is asked in its own era, whatever the asker's is: "initialize" and a
 * conversation (legacy, up to 2025-11-25), or metadata with every request (modern, 2026-07-28).
 *
 * struct hosted_servers is all of them, struct hosted a configured one. Behind one stand up to
 * `children` conversations (processes, or HTTP sessions), each of one principal at a time; which one
 * serves a request is decided here. An ask is one request of an asker: it waits for a conversation,
 * runs, may raise questions (elicitation, sampling, roots) that go to this asker alone, and ends
 * once: by its answer, its deadline, its cancel, or the end of the conversation.
 *
 * Loop 0 alone. hosted_servers_open() and hosted_servers_close(); a struct hosted is valid until
 * hosted_remove() or the close. All settings are copied. No callback comes before the function that
 * asked for it has returned. Callbacks may start, cancel and answer anything; they must not call
 * hosted_remove() or hosted_servers_close(). `why`: FAULT_TIMEOUT (the deadline), FAULT_NOT_READY
 * (it is not running, and why), FAULT_CLOSED (it ended meanwhile), FAULT_FULL (too many wait).
 */
#ifndef HUSTINGS_HOSTED_HOSTED_H
#define HUSTINGS_HOSTED_HOSTED_H

#include "base/list.h"
#include "base/log.h"
#include "net/loop.h"
#include "wire/scan.h"

#define HOSTED_ID 64 /* octets of a server's id: ASCII letters, digits and _-. */
#define HOSTED_HIDDEN 3
#define HOSTED_SERVERS 1000
#define HOSTED_WAITING 4096                      /* asks of one server that wait for a conversation */
#define HOSTED_WAITING_OF_ONE 1024               /* principal */
#define HOSTED_WAITING_OCTETS ((size_t)64 << 20) /* of their params */
#define HOSTED_SUBSCRIPTIONS 1000                /* resources of one server, for one principal */
#define HOSTED_URI 8192                          /* octets of one */
#define HOSTED_QUESTIONS 16                      /* of one ask that are open at once */
#define HOSTED_CALLBACKS 1000                    /* of MGP (13.4), of one ask in all */
#define HOSTED_STOP_MS 5000                      /* for a server to say what it has done so far */
#define HOSTED_PAUSE_MS 300000                   /* that an ask's answer is not read, in all */
#define HOSTED_PARTIAL ((size_t)256 << 10)       /* octets of the text of chunks that are kept for that */
#define HOSTED_TALKS 1000                        /* that keep one conversation */
#define HOSTED_LATE 64                           /* asks that were given up, and whose answers a conversation awaits */
#define HOSTED_LATE_MS 120000                    /* that it does so */
#define HOSTED_CALL_MS 60000                     /* an ask without a deadline of its own */
#define HOSTED_GUEST "guest"                     /* the principal of open mode without a name */

/* ---- What a server is configured to be ---- */

enum hosted_share {             /* who shares one conversation (docs/protocol.md) */
	HOSTED_SHARE_PRINCIPAL, /* one principal's calls, for its whole life */
	HOSTED_SHARE_CALL,      /* one call at a time, whoever's; of askers that can be asked, one's alone */
	HOSTED_SHARE_ALL,       /* everybody's at once; the server is told that nobody answers questions */
};

enum hosted_restart {
	HOSTED_RESTART_ON_FAILURE,
	HOSTED_RESTART_NEVER,
	HOSTED_RESTART_ALWAYS
}; /* MGP 11.5 */

enum hosted_era {
	HOSTED_LEGACY,
	HOSTED_MODERN,
	HOSTED_ERAS
};

enum hosted_eras_asked {        /* what is found out, and how */
	HOSTED_ERA_FIND,        /* initialize first; then a second process, for a moment one more than
	                           `children`, is asked server/discover */
	HOSTED_ERA_ONLY_LEGACY, /* server/discover is never sent */
	HOSTED_ERA_ONLY_MODERN, /* initialize is never sent */
};

struct sandbox_settings;
struct hosted_settings {
	const char *id;
	const char *const *arguments;   /* a process on stdio, as in net/child.h; NULL: `url` */
	const char *const *environment; /* "NAME=value"; may be NULL */
	const char *directory;          /* may be NULL */
	const char *url;                /* a remote server */
	const char *ca;                 /* a file of certificates for it; NULL: the system's */
	const char *const *headers;     /* "Name: value"; may be NULL; secrets are read by who configures */
	bool is_sse;                    /* HTTP with SSE as of 2024-11-05, instead of Streamable HTTP */
	enum hosted_share share;
	enum hosted_eras_asked eras;
	enum hosted_restart restart;
	const char *const *rooms;    /* topics in which it sits; may be NULL. Nothing to the kernel, as the next */
	const char *const *expose;   /* "resources", "prompts": shown there besides tools; may be NULL */
	const struct policy *policy; /* [servers.mgp], hosted/policy.h; NULL: nothing of it was said. Nothing to
	                                hosted servers themselves, and copied like everything else */
	const char *created_by;      /* who registered it, a principal's id; NULL: nobody */
	bool is_registered;          /* added while the gateway ran (kernel/registry.h), by no configuration */
	const char *roots;           /* JSON array, for roots/list outside of a call; NULL: [] */
	unsigned children;           /* conversations at most; 0: 4 */
	uint64_t start_ms;           /* until the handshake must be over; 0: 120 s, npx may have to fetch */
	uint64_t idle_ms;            /* an idle conversation but the last ends; 0: 5 minutes */
	uint64_t call_ms;            /* an ask that names no deadline; 0: HOSTED_CALL_MS */
	uint64_t list_ms;            /* until all pages of a list must be there; 0: 30 s */
	uint64_t stop_ms;            /* to end by itself, and again at SIGTERM; 0: 5 s */
	uint64_t back_off_ms;        /* the first pause before a restart, doubled each time; 0: 1 s */
	uint64_t back_off_most_ms;   /* 0: 30 s */
	unsigned restarts;           /* at most, within restart_window_ms; 0: 5 */
	uint64_t restart_window_ms;  /* 0: 300 s */
};

/* ---- All of them ---- */

struct hosted_servers;
struct hosted;

struct hosted_servers *hosted_servers_open(struct loop *loop, struct log *log,
	struct fault *why) MUST_USE;
/* Sessions at remote servers end in good form, as far as that is done within patience_ms: runs the
 * loop. For the end of a gateway, before the next. NULL is fine. */
void hosted_servers_leave(struct hosted_servers *servers, uint64_t patience_ms);
/* Ends every process at once; every ask ends with FAULT_CLOSED. NULL is fine. */
void hosted_servers_close(struct hosted_servers *servers);

/* Where sandboxes can be had, processes that are started from now on find this folder empty: the
 * gateway's own data. Borrowed until the close. */
void hosted_servers_hide(struct hosted_servers *servers, const char *folder);
/* Sandboxed processes that are started from now on cannot read these files, where there are such: the
 * configuration, a key. HOSTED_HIDDEN of them, any of which may be NULL; the names are borrowed until
 * others come or the close. */
void hosted_servers_hide_files(struct hosted_servers *servers, const char *const files[HOSTED_HIDDEN]);

/* Whether hosted_add() would take them: FAULT_BAD_INPUT. */
bool hosted_settings_check(const struct hosted_settings *settings, struct fault *why) MUST_USE;
/* Configured, and not started (REGISTERED). FAULT_EXISTS, FAULT_BAD_INPUT, FAULT_FULL. */
struct hosted *hosted_add(struct hosted_servers *servers, const struct hosted_settings *settings,
	struct fault *why) MUST_USE;
/* Its processes end at once, its asks with FAULT_CLOSED. */
void hosted_remove(struct hosted *hosted);
struct hosted *hosted_find(const struct hosted_servers *servers, struct slice id);
/* In the order they were added; NULL behind the last. hosted_next(servers, NULL) is the first. */
struct hosted *hosted_next(const struct hosted_servers *servers, const struct hosted *after);
size_t hosted_count(const struct hosted_servers *servers);

/* ---- One of them: its life (MGP 11.2) ---- */

enum hosted_state {
	HOSTED_REGISTERED,
	HOSTED_CONNECTING,
	HOSTED_CONNECTED,
	HOSTED_DRAINING,
	HOSTED_DISCONNECTED,
	HOSTED_ERROR,
	HOSTED_RESTARTING,
	HOSTED_STATES
};
enum hosted_health {
	HOSTED_HEALTHY,
	HOSTED_DEGRADED,
	HOSTED_UNHEALTHY
};

const char *hosted_state_word(enum hosted_state state);    /* "connected" */
const char *hosted_health_word(enum hosted_health health); /* "healthy" */

/* False (FAULT_NOT_READY): not in that state. */
bool hosted_start(struct hosted *hosted, struct fault *why) MUST_USE;
/* Takes no further asks; open ones may finish for `patience_ms`; then it ends. */
bool hosted_stop(struct hosted *hosted, uint64_t patience_ms, struct fault *why) MUST_USE;
/* Ends and starts anew, whatever its restart policy and budget say. Whoever waits, waits on. */
bool hosted_restart(struct hosted *hosted, struct fault *why) MUST_USE;

/* It is in error, and is not restarted by itself; its processes end. `reason` is one word or sentence. */
void hosted_give_up(struct hosted *hosted, const char *reason);
/* As if it had failed by itself: its processes end, and it is restarted if its policy and budget say so. */
void hosted_fail(struct hosted *hosted, const char *reason);
void hosted_set_health(struct hosted *hosted, enum hosted_health health);

/* It is a remote one, or wants to hear of its end (MGP 11.4); it was marked as one that is to go: a mark of
 * its owner's, which changes nothing here. */
bool hosted_wants_farewell(const struct hosted *hosted);
void hosted_set_leaving(struct hosted *hosted);
bool hosted_is_leaving(const struct hosted *hosted);

struct slice hosted_id(const struct hosted *hosted);
/* As it was added, what was left out filled in. Environment and headers hold secrets. */
const struct hosted_settings *hosted_settings(const struct hosted *hosted);
enum hosted_state hosted_state(const struct hosted *hosted);
enum hosted_health hosted_health(const struct hosted *hosted);
int64_t hosted_changed_at(const struct hosted *hosted);  /* wall ms: since when it is in its state */
const char *hosted_reason(const struct hosted *hosted);  /* of the state it is in, one sentence; may be "" */
uint64_t hosted_restarts(const struct hosted *hosted);   /* since it was added */
uint64_t hosted_restart_in(const struct hosted *hosted); /* ms; 0: it does not wait to be restarted */
size_t hosted_children(const struct hosted *hosted);     /* conversations that exist now */
size_t hosted_asks(const struct hosted *hosted);         /* under way or waiting */
int hosted_process(const struct hosted *hosted);         /* of its first process; 0: none */
/* The last lines of its stderr (and of stdout what is no JSON-RPC), each with its LF. */
void hosted_write_log(const struct hosted *hosted, struct text *to);

/* ---- What it says of itself ---- */

struct hosted_facts {
	struct slice version;      /* of MCP: "2025-06-18" */
	struct slice capabilities; /* JSON object, as it came */
	struct slice server_info;  /* JSON object: name, version, ... */
	struct slice name;         /* of server_info, unescaped */
	struct slice instructions; /* unescaped; bytes NULL: none */
	struct slice result;       /* the whole result of initialize or server/discover */
};

/* Whether which eras it speaks is known; asks wait until it is. */
bool hosted_is_known(const struct hosted *hosted);
bool hosted_speaks(const struct hosted *hosted, enum hosted_era era);
/* The era in which an asker of that era is served: its own, where the server speaks it. */
enum hosted_era hosted_era_for(const struct hosted *hosted, enum hosted_era asker);
/* As told in that era, and remembered while it restarts. NULL: it never said. Valid until the return
 * to the loop. */
const struct hosted_facts *hosted_facts(const struct hosted *hosted, enum hosted_era era);
/* Whether its capabilities have that member, at one level ("tools") or two ("resources",
 * "subscribe": true); inner NULL: one. */
bool hosted_offers(const struct hosted *hosted, enum hosted_era era, const char *outer,
	const char *inner);

/* ---- Lists: all pages, kept until the server says that they changed ---- */

enum hosted_kind {
	HOSTED_TOOLS,
	HOSTED_RESOURCES,
	HOSTED_TEMPLATES,
	HOSTED_PROMPTS,
	HOSTED_KINDS
};

struct hosted_item {
	struct slice key;        /* name, uri or uriTemplate; unescaped, unique in its list */
	struct slice definition; /* JSON object, as it came */
};
struct hosted_items; /* counted, not changed any more */

struct hosted_items *hosted_items_keep(struct hosted_items *items);
void hosted_items_drop(struct hosted_items *items); /* NULL is fine */
AUTO_RELEASE(hosted_items, hosted_items_drop)
size_t hosted_items_count(const struct hosted_items *items);
const struct hosted_item *hosted_items_at(const struct hosted_items *items, size_t at);
const struct hosted_item *hosted_items_find(const struct hosted_items *items, struct slice key);
/* How long its server lets others keep the list from `now` (loop_now()) on, and for whom (MCP
 * 2026-07-28 ttlMs, cacheScope); 0 and false: it did not say. */
uint64_t hosted_items_ttl_ms(const struct hosted_items *items, uint64_t now);
bool hosted_items_are_public(const struct hosted_items *items);

const char *hosted_kind_method(enum hosted_kind kind); /* "tools/list" */
const char *hosted_kind_member(enum hosted_kind kind); /* "tools" */
/* What is known now, though it may be old; borrowed. NULL: nothing yet. A list that is missing or
 * old is asked for by the way, so that the next one is better. `era`: the asker's. */
struct hosted_items *hosted_items_known(struct hosted *hosted, enum hosted_era era,
	enum hosted_kind kind);

/* Nothing has changed since it was told, neither by the server's word nor by a new start of it; how long its
 * server lets others keep it does not matter here. */
bool hosted_items_are_current(const struct hosted *hosted, enum hosted_era era, enum hosted_kind kind);

struct hosted_wait;
/* Exactly once unless cancelled; items are borrowed, why NULL; or items NULL. A server that does not
 * offer the kind has an empty list. */
typedef void hosted_listed(void *context, struct hosted_items *items, const struct fault *why);
/* The list as it is: at once when what is known is fresh; at the deadline (0: list_ms), or when it
 * cannot be had, what is known though old; only when nothing is known, a fault. */
struct hosted_wait *hosted_items_ask(struct hosted *hosted, enum hosted_era era,
	enum hosted_kind kind, uint64_t deadline_ms, hosted_listed *listed, void *context,
	struct fault *why) MUST_USE;
void hosted_items_cancel(struct hosted_wait *wait);

/* ---- Asks: one request on behalf of an asker ---- */

/* data.type of an error that is no server's own: it answered over HTTP, and not as MCP has it; it was not
 * reached, or lost. */
#define HOSTED_UPSTREAM "upstream_error"
#define HOSTED_UNREACHED "upstream_unavailable"

enum hosted_ability { /* what the asker can answer while its request runs */
	HOSTED_CAN_ROOTS = 1,
	HOSTED_CAN_SAMPLE = 2,
	HOSTED_CAN_SAMPLE_TOOLS = 4,
	HOSTED_CAN_FORM = 8, /* elicitation */
	HOSTED_CAN_URL = 16,
};

struct hosted_ask;
struct hosted_child;
struct hosted_question;
struct hosted_talk;

/* Any answer of the server, as it came: a result of a modern server has its resultType, one of a
 * legacy server none. */
struct hosted_answer {
	struct slice result; /* JSON text, or bytes NULL when it is an error */
	int64_t code;
	struct slice message;
	struct slice data; /* JSON text; bytes NULL: none */
	unsigned lacking;  /* abilities that the server asked for in vain during this ask */
};

struct hosted_ask_events {
	/* Exactly once, unless cancelled; one of the two is NULL. The ask is the asker's again. */
	void (*answered)(struct hosted_ask *ask, const struct hosted_answer *answer,
		const struct fault *why);
	/* Params of notifications/progress, whose progressToken is ours: the asker puts in its own.
	 * NULL: not wanted, and the server is not told to. */
	void (*progressed)(struct hosted_ask *ask, const struct scan_value *params);
	/* elicitation/create, sampling/createMessage or roots/list, raised by this ask; only such as the
	 * asker has the ability for. Or MGP_CALLBACK (mcp/mgp_callback.h), whatever its abilities: params as
	 * the server has them, and an answer as it stands there; it is withdrawn when its time is over. The
	 * question is to be answered or refused once, now or later, but not after it was withdrawn. `params`
	 * is an object or SCAN_NONE, borrowed. NULL: all refused. */
	void (*questioned)(struct hosted_ask *ask, struct hosted_question *question, struct slice method,
		const struct scan_value *params);
	/* Nobody waits for that question any more; it is gone. Not told of when the ask ends, which
	 * withdraws all of its questions. May be NULL. */
	void (*withdrawn)(struct hosted_ask *ask, struct hosted_question *question);
	/* notifications/mgp.stream.chunk or notifications/mgp.stream.progress of this ask (MGP 12.4, 12.6), in
	 * the order of the server; `params` as it came, whose request_id is ours: the asker puts in its own.
	 * NULL: not wanted. A server that speaks MGP sends progress here, a plain one by progressed(). */
	void (*streamed)(struct hosted_ask *ask, struct slice method, const struct scan_value *params);
	/* A notification during this ask alone: notifications/message, notifications/elicitation/complete,
	 * MGP_CALLBACK_REQUEST of the type that wants no answer. May be NULL. */
	void (*told)(struct hosted_ask *ask, struct slice method, const struct scan_value *params);
	/* Of the kernel's calls alone: it waits for the decision `id`, and who asked may be told so at once by that
	 * error; answered() follows all the same. `is_twice`: its answer is then sent like any, for the same request;
	 * else as the outcome of that authorization. False: it cannot be told; it is not asked again. May be NULL. */
	bool (*authorizing)(struct hosted_ask *ask, const struct hosted_answer *error, struct slice id, bool is_twice);
};

/* Lies in the asker's, which fills in the first part (zero is a good start) and keeps it until
 * answered() or hosted_ask_cancel(). The slices are borrowed until hosted_ask_start() returns. */
struct call;
struct hosted_ask {
	struct slice method;
	struct slice params;                    /* JSON object without the era's own keys of _meta and without a
	                             progressToken, everything else as the asker wrote it; bytes NULL: none */
	struct slice principal;                 /* who asks; HOSTED_GUEST where nobody is named */
	struct slice session;                   /* what of this principal belongs together. Asks of one session may run at
	                             once in one conversation, where a legacy server's question is refused
	                             while more than one of them is open; asks of another session run
	                             elsewhere as long as there is a place, and always where a call of the
	                             first was given up unanswered. length 0: one session more */
	enum hosted_era era;                    /* the asker's */
	unsigned abilities;                     /* enum hosted_ability */
	bool is_unheard;                        /* nobody outside waits for its answer: a guided session's call */
	bool takes_input;                       /* a modern server's `input_required` is an answer, and the asker asks anew
	                             with inputResponses. Else it is turned into questions here */
	struct slice client_info;               /* JSON object for modern servers; length 0: ours */
	struct slice trace;                     /* the request's own trace_id beside its params; length 0: none */
	struct slice log_level;                 /* "info"; length 0: no log messages wanted by this ask */
	uint64_t deadline_ms;                   /* 0: call_ms; UINT64_MAX: none */
	struct hosted_talk *talk;               /* what it belongs to; outlives the ask. NULL: nothing */
	bool is_awaited;                        /* given up, it is not cancelled at its server: governor->answered_late() */
	const struct hosted_ask_events *events; /* outlives the ask */
	void *context;                          /* the asker's */

	struct hosted_run *run; /* the kernel's, as the next (kernel/call.h) */
	struct call *call;
};

bool hosted_ask_start(struct hosted *hosted, struct hosted_ask *ask, struct fault *why) MUST_USE;
/* Gives up, telling the server; no callback comes any more. Harmless when it is not under way. */
void hosted_ask_cancel(struct hosted_ask *ask, const char *reason);
/* The deadline anew, from now on: as long as a question waits for a person. */
void hosted_ask_extend(struct hosted_ask *ask, uint64_t deadline_ms);
/* Stops it as MGP 12.7 has it: the server is told (mgp/stream/cancel where it speaks `streaming`, else
 * notifications/cancelled), and has HOSTED_STOP_MS to say what it has done so far. Then `stopped`, once, with
 * JSON text of an object ({"content":[...]}: the server's, else the text of the chunks that came), and behind
 * it answered(), with that and `_mgp.cancelled` as its result. `partial` of bytes NULL: it was answered before the
 * server could stop, and answered() has that answer. Nobody is told when the ask is cancelled meanwhile. False: it
 * is not under way, or is being stopped already. */
typedef void hosted_stopped(void *context, struct slice partial);
bool hosted_ask_stop(struct hosted_ask *ask, struct slice reason, hosted_stopped *stopped, void *context);
/* Its asker does not take what it is told, or does again: meanwhile nothing is read from a conversation in which
 * this ask alone is under way, and its deadline rests; for HOSTED_PAUSE_MS in all, then it ends with FAULT_TIMEOUT.
 * What is read all the same is told, and is the asker's to leave out (docs/internals/streams.md). */
void hosted_ask_hold(struct hosted_ask *ask, bool is_behind);
/* Each takes the question; result is JSON text of an object, data JSON text or SLICE_NONE. A refusal
 * may end the ask, whose answered() is then called in here. -32601: the asker cannot answer such. */
void hosted_question_answer(struct hosted_question *question, struct slice result);
void hosted_question_refuse(struct hosted_question *question, int64_t code, struct slice message,
	struct slice data);

/* Whether its server waits for an answer of a person: to a form, a page, a callback. */
bool hosted_ask_waits_for_person(const struct hosted_ask *ask);
/* A pointer of whoever brings it to the asker; NULL at first. */
void hosted_question_set(struct hosted_question *question, void *owner);
void *hosted_question_owner(const struct hosted_question *question);

/* ---- Talks: asks that belong together in one conversation (a session that its server leads) ---- */

/* Lies in its owner's, zeroed but for the first part. The first ask that names it gives it the conversation that
 * serves that ask, and all others are served there, or end with FAULT_CLOSED. While it is open, that conversation
 * does not end for being idle, serves its principal alone, and takes none of the server's places: others go on beside
 * it. Those of one principal keep one conversation, those of a server one less than it has places, one at least;
 * beyond, talks are served in one that they share with all who have no place of their own (HOSTED_TALKS in one:
 * FAULT_FULL). */
struct hosted_talk {
	struct slice principal, session; /* as its asks have them; borrowed as long as the talk */
	/* Its conversation is over; ended with that. From inside of whatever ended it. */
	void (*lost)(struct hosted_talk *talk, const struct fault *why);

	struct link link;           /* the kernel's, as the next */
	struct hosted_child *child; /* NULL: none yet, or no more */
	bool was_lost, is_closed;
};
/* It keeps its conversation no more, and is served there as long as that lives. Harmless twice. */
void hosted_talk_close(struct hosted_talk *talk);
/* It has no conversation any more; before it is freed. Its asks have ended. Harmless without one. */
void hosted_talk_end(struct hosted_talk *talk);
/* Those of a conversation, closed ones too; NULL begins, NULL ends. */
struct hosted_talk *hosted_talk_next(const struct hosted_child *child, const struct hosted_talk *after);

/* ---- Questions of the kernel's own, brought to an asker as a server's is ---- */

/* What it was answered with, JSON text of an object; bytes NULL: it was refused. Called from inside of the
 * functions above: it must not end the ask before they have returned. */
typedef void hosted_question_heard(void *context, struct slice result);
/* May be given to questioned() and withdrawn() again and again, one time after the other. NULL: no memory. */
struct hosted_question *hosted_question_own(hosted_question_heard *heard, void *context) MUST_USE;
/* It is gone; nobody that was given it may still have it. NULL is fine. */
void hosted_question_disown(struct hosted_question *question);

/* ---- Governed (kernel/kernel.h): who decides what a server may, above all this ---- */

struct governed;
struct hosted_child; /* a conversation */
struct peer_question;
struct policy;

/* Functions may be NULL. */
struct hosted_governor {
	/* What a handshake says of MGP, enum mgp_extension; 0: nothing. */
	unsigned (*extensions)(struct hosted *hosted);
	/* True: its processes run in a sandbox (net/sandbox.h) as *sandbox says, or not at all. The lists that it
	 * points to are good until the return to the loop. */
	bool (*sandbox)(struct hosted *hosted, struct sandbox_settings *sandbox);
	/* A conversation has said what its server is, which is known now in `era`; nothing else was said to it.
	 * True: it goes on. False: it waits, without a deadline, until hosted_child_go_on() or
	 * hosted_child_failed(). May ask it something meanwhile. */
	bool (*introduced)(struct hosted *hosted, struct hosted_child *child, enum hosted_era era);
	/* A conversation is open: whatever is asked of it now comes before every ask. */
	void (*opened)(struct hosted *hosted, struct hosted_child *child);
	/* A conversation is over, whether it had come so far or not: it is not to be touched any more. */
	void (*gone)(struct hosted *hosted, struct hosted_child *child);
	/* A notification whose method begins with "notifications/mgp.". */
	void (*told)(struct hosted *hosted, struct hosted_child *child, struct slice method,
		const struct scan_value *params);
	/* A request whose method begins with "interaction.", or a notification of that name (`question` NULL): of a
	 * talk's. Takes the question, and answers it at once (mcp/peer_question.h). NULL: refused. */
	void (*interacted)(struct hosted *hosted, struct hosted_child *child, struct peer_question *question,
		struct slice method, const struct scan_value *params);
	/* The result of an ask that was given up (is_awaited), within HOSTED_LATE_MS. An object. */
	void (*answered_late)(struct hosted *hosted, struct hosted_child *child, const struct scan_value *result);
	/* An open conversation is to end within patience_ms. True: the governor says good-bye, and
	 * hosted_child_part() follows within that time, from whomever; false: it ends as it would. */
	bool (*leaving)(struct hosted *hosted, struct hosted_child *child, uint64_t patience_ms);
};
void hosted_servers_govern(struct hosted_servers *servers, const struct hosted_governor *governor);
/* The governor's. NULL: none. */
void hosted_set_governed(struct hosted *hosted, struct governed *governed);
struct governed *hosted_governed(const struct hosted *hosted);
/* Whether somebody governs the servers at all; one that has no struct governed then is not to be used. */
bool hosted_is_governed(const struct hosted *hosted);
/* What was agreed on with it, enum mgp_extension: requests to a modern server say so, and what is told of streams is
 * taken; set by the governor in introduced(). */
void hosted_child_speaks_mgp(struct hosted_child *child, unsigned extensions);
void hosted_child_go_on(struct hosted_child *child);
void hosted_child_failed(struct hosted_child *child, const struct fault *why);
void hosted_child_part(struct hosted_child *child);
/* The conversations that are open, or wait for the governor; NULL begins, NULL ends. */
struct hosted_child *hosted_child_next(const struct hosted *hosted, const struct hosted_child *after);
/* A request of the governor's own, in the conversation's era, with metadata where that needs it; `answered` as
 * in mcp/peer_call.h. NULL: `why`. */
struct peer_call;
struct peer_request;
struct peer_call *hosted_child_request(struct hosted_child *child, const struct peer_request *request,
	struct fault *why) MUST_USE;
/* A notification of the governor's own. FAULT_NOT_READY: the conversation is not open; FAULT_FULL. */
bool hosted_child_tell(struct hosted_child *child, const char *method, struct slice params,
	struct fault *why) MUST_USE;
/* Octets that have left for it and were not taken yet; SIZE_MAX: it is not open. */
size_t hosted_child_behind(const struct hosted_child *child);
/* A connected server without a conversation gets one, as if somebody had asked it for something. */
void hosted_child_want(struct hosted *hosted);
struct hosted *hosted_child_server(const struct hosted_child *child);
enum hosted_era hosted_child_era(const struct hosted_child *child);

/* ---- Listeners ---- */

/* A plain struct in its owner's, whose functions may be NULL. Inside of one a listener may remove
 * itself, but no other. */
struct hosted_listener {
	struct link link;
	void (*moved)(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from);
	/* It has failed more often than it may be restarted (MGP 11.5), and stays in error. */
	void (*spent)(struct hosted_listener *listener, struct hosted *hosted);
	/* It was added, and has not started; it is being removed, and is still whole. */
	void (*added)(struct hosted_listener *listener, struct hosted *hosted);
	void (*removed)(struct hosted_listener *listener, struct hosted *hosted);
	/* A list of an era has changed: what is known is old from now on. */
	void (*changed)(struct hosted_listener *listener, struct hosted *hosted, enum hosted_kind kind);
	/* notifications/resources/updated, for a principal that has subscribed to this uri. */
	void (*updated)(struct hosted_listener *listener, struct hosted *hosted, struct slice principal,
		struct slice uri, const struct scan_value *params);
	/* Questions of the server that were declined, since it could not be told whose request they were
	 * about: the first at once, those of the minute that follows together. */
	void (*declined)(struct hosted_listener *listener, struct hosted *hosted, struct slice method,
		unsigned count);
	/* notifications/message outside of an ask; principal length 0: of a conversation of all. */
	void (*logged)(struct hosted_listener *listener, struct hosted *hosted, struct slice principal,
		const struct scan_value *params);
};
void hosted_listen(struct hosted_servers *servers, struct hosted_listener *listener);
void hosted_unlisten(struct hosted_listener *listener);

/* Counted by principal and uri: as often as subscribed, so often to be unsubscribed. The server is
 * asked at the first, told at the last, and asked again in every conversation that takes over.
 * False: no memory, FAULT_UNSUPPORTED, FAULT_FULL, FAULT_BAD_INPUT. */
bool hosted_subscribe(struct hosted *hosted, struct slice principal, struct slice uri,
	struct fault *why) MUST_USE;
void hosted_unsubscribe(struct hosted *hosted, struct slice principal, struct slice uri);

#endif
