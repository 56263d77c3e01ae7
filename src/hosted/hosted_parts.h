/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted parts: what the files of a hosted server share; for kernel/ alone.
 *
 * A server has its conversations (children); a run stands either in the server's list of those that
 * wait, or in the list of the child that serves it. Whatever ends asynchronously ends in the task
 * `settle` of its server, so that nothing is freed under a caller's feet.
 */
#ifndef HUSTINGS_HOSTED_HOSTED_PARTS_H
#define HUSTINGS_HOSTED_HOSTED_PARTS_H

#include "base/map.h"
#include "hosted/hosted.h"
#include "hosted/supervisor.h"
#include "mcp/peer.h"
#include "net/error_lines.h"

#define HOSTED_SCRATCH 4096
#define HOSTED_CLIENT_INFO "{\"name\":\"hustings\",\"version\":\"" HUSTINGS_VERSION "\"}"
#define HOSTED_LOG_OCTETS (64 * 1024)
#define HOSTED_MESSAGE ((size_t)64 << 20) /* octets of one message of a server, and of those that wait for it */

struct hosted_child;

struct hosted_servers {
	struct loop *loop;
	struct log *log;
	struct link servers;
	struct link listeners;
	struct map by_id;
	struct fetch_desk *desk;                 /* for remote servers; NULL: none was opened */
	const struct hosted_governor *governor;  /* NULL: none */
	const char *hidden;                      /* a folder that processes find empty; NULL: none */
	const char *hidden_files[HOSTED_HIDDEN]; /* from sandboxed ones; NULL: none */
};

/* The settings, copied; strings lie in the arena. */
struct hosted_setup {
	struct arena arena;
	struct hosted_settings of;
};

struct hosted_told_facts {
	struct text octets; /* the result; empty: never told */
	struct arena arena; /* of the unescaped words */
	struct hosted_facts facts;
};

/* One list in one era, with those who wait for it. */
struct hosted_list {
	struct hosted *hosted;
	enum hosted_era era;
	enum hosted_kind kind;
	struct hosted_items *items; /* NULL: nothing known */
	bool is_fresh;
	struct hosted_items *building; /* pages that came so far */
	struct slice cursor;           /* of the page under way; in `building` */
	unsigned pages;
	uint64_t ends_at;             /* loop ms, until the last page must be there */
	unsigned changes, changes_at; /* list_changed, and how many there were when the first page left */
	struct hosted_child *child;   /* which is asked */
	struct peer_call *call;
	struct link waits;
	bool is_wanted;
};

/* A run that is being stopped (MGP 12.7). */
struct hosted_halt {
	hosted_stopped *stopped; /* NULL: it is not */
	void *context;
	bool is_over;             /* it was told */
	bool is_confirmed;        /* by the server */
	struct peer_call *cancel; /* mgp/stream/cancel; NULL: none, or answered */
	struct deadline due;
	struct task task;
	struct text partial; /* the server's, JSON text of an object; empty: none */
	bool is_answered;    /* the request was, which is held back until the server has said what becomes of the cancel */
	struct text kept[3]; /* of that: its result, or message and data */
	int64_t code;
};

struct hosted_run {
	struct link link; /* of hosted->waiting or child->runs */
	struct hosted *hosted;
	struct hosted_child *child; /* NULL: waits */
	struct hosted_ask *ask;
	enum hosted_era era; /* of the conversation */
	struct deadline deadline;
	struct peer_call *call;
	struct link questions;
	unsigned lacking;
	struct arena words; /* the next five */
	char lent[256];     /* of the words */
	struct slice method, params, principal, session, client_info, log_level;
	bool is_second;    /* was not served, and is asked again */
	bool has_params;   /* params are kept here, not borrowed from the ask */
	bool is_askable;   /* counted as such by its child */
	size_t octets;     /* counted as waiting */
	unsigned rounds;   /* of input_required */
	struct text state; /* requestState, JSON text */
	unsigned answers_missing;
	unsigned callbacks; /* that were raised so far */
	bool is_gathering;  /* questions of one round are being raised */
	struct hosted_halt halt;
	struct text streamed;  /* the text of its chunks, as it stands in JSON */
	bool is_streamed_full; /* no more of it is kept */
	bool is_held;          /* its asker is behind */
	bool is_unhurried;     /* its deadline rests, for nothing is read of its answer */
	uint64_t left_ms;      /* of that deadline, meanwhile; UINT64_MAX: it has none */
	uint64_t rests_at;     /* loop ms, since when */
	uint64_t rested_ms;    /* before that */
	bool *is_gone;         /* set when it ends, for whoever has called out; may be NULL */
	struct text responses; /* {"key":result,... */
};

struct hosted_question {
	struct link link;
	struct hosted_run *run;
	struct peer_question *question; /* a legacy server's */
	char *key;                      /* a modern server's, JSON text; else NULL */
	bool is_for_person;             /* a form, or a page; so is every callback */
	char *callback;                 /* an MGP server's callback_id, JSON text; else NULL */
	uint64_t ends_at;               /* of that, loop ms */
	struct deadline due;            /* the same */
	void *owner;                    /* hosted_question_set() */
	hosted_question_heard *heard;   /* of one that is no server's: hosted_question_own(); all above is nothing then */
	void *context;
};

enum hosted_stage {
	HOSTED_OPENING,
	HOSTED_OPEN,
	HOSTED_ENDING,
	HOSTED_GONE
};

/* How messages reach a conversation's other side. */
struct hosted_transport {
	/* `sent`, PEER_TAG octets, may take a name for hosted_child_unserved(). */
	bool (*send)(struct hosted_child *child, struct slice message, char *sent, struct fault *why);
	void (*stop)(struct hosted_child *child, uint64_t patience_ms); /* hosted_child_ended() follows */
	void (*close)(struct hosted_child *child);                      /* at once, no callback */
	size_t (*behind)(const struct hosted_child *child);             /* octets that were not taken yet */
	void (*pause)(struct hosted_child *child, bool is_paused);      /* of reading; what was read already still comes */
};

/* What a modern server tells of unasked; all zero: nothing. */
struct hosted_listening {
	struct peer_call *call; /* subscriptions/listen; NULL: it is not open */
	struct task renewal;
	bool is_due; /* the renewal */
	struct deadline again;
	unsigned tries;  /* that ended soon, in a row */
	uint64_t since;  /* loop ms, the last one */
	bool has_missed; /* it was not open for a while */
};

struct hosted_child {
	struct link link;
	struct hosted *hosted;
	enum hosted_era era;
	enum hosted_stage stage;
	bool is_probe;      /* opened to find out about an era; its failure is an answer */
	bool was_asked_to;  /* to end */
	bool is_lost;       /* the server has let go of it, which is no failure: another takes its place */
	bool is_introduced; /* its server has said what it is */
	bool has_opened;    /* its handshake succeeded */
	int status;         /* once gone */
	struct fault why;   /* of its end */
	const struct hosted_transport *transport;
	void *process; /* the transport's */
	struct peer *peer;
	char *principal; /* whose it is; NULL: nobody's yet */
	char *session;   /* served last */
	char *haunted;   /* a session whose call was given up unanswered: the server may be at it still */
	bool is_haunted_by_many;
	bool is_mixed;        /* has served more than one principal */
	bool is_shared;       /* everybody's who has no place of their own; told that nobody answers questions */
	bool is_waved;        /* the governor says good-bye */
	uint64_t patience_ms; /* of that */
	unsigned mgp;         /* extensions that requests to it say, enum mgp_extension */
	bool is_leaving;      /* takes nothing new, and ends when it is idle */
	struct link runs;
	size_t run_count, askable_count, held_count;
	bool is_paused;    /* nothing is read */
	struct link talks; /* struct hosted_talk */
	size_t talk_count; /* of them that are open */
	size_t late_count; /* calls whose asks were given up, and whose answers are awaited */
	struct hosted_listening listening;
	char log_level[16];       /* that logging/setLevel was sent with */
	struct deadline deadline; /* of the handshake, then of being idle */
	uint64_t opened_at;
	uint64_t idle_since;
};

struct hosted_subscription {
	struct link link;
	struct hosted *hosted;
	char *principal, *uri;
	unsigned count;
	struct link holds; /* struct hosted_hold */
	uint64_t told;     /* in which of hosted->tellings */
};

/* Where the server was asked for it. */
struct hosted_hold {
	struct link link;
	struct hosted_child *child;
	struct peer_call *call; /* resources/subscribe; NULL: it was answered, or none is needed */
};

struct hosted {
	struct link link;
	struct governed *governed; /* the governor's; NULL: none */
	struct hosted_servers *servers;
	struct hosted_setup setup;
	struct supervisor supervisor;
	struct link children;
	size_t child_count;
	struct link waiting;
	size_t waiting_count, waiting_octets, run_count;
	struct task settle;
	bool has_changed[HOSTED_KINDS]; /* lists; told by `settle` */
	enum hosted_era first_era;      /* in which the next start begins */
	bool speaks[HOSTED_ERAS];
	bool is_known;
	bool is_removed;     /* nothing new is begun */
	bool is_leaving;     /* the gateway ends, and it is told */
	uint64_t hello_took; /* ms, the last one that succeeded */
	struct hosted_told_facts facts[HOSTED_ERAS];
	struct hosted_list lists[HOSTED_ERAS][HOSTED_KINDS];
	struct link subscriptions;
	uint64_t tellings;            /* of changed resources */
	struct deadline declined_due; /* runs: a question was declined within the last minute */
	unsigned declined;            /* since the last time that was told */
	char declined_method[80];     /* of the last one */
	struct text lines;            /* of stderr */
	struct error_lines babble;    /* how much of what stands on stdout and is no message is kept */
};

/* hosted.c */
void hosted_tell_changed(struct hosted *hosted, enum hosted_kind kind);
void hosted_tell_logged(struct hosted *hosted, struct slice principal,
	const struct scan_value *params);
void hosted_tell_moved(struct hosted *hosted, enum hosted_state from);
void hosted_tell_spent(struct hosted *hosted);
void hosted_tell_declined(struct hosted *hosted); /* all that were counted */
void hosted_tell_updated(struct hosted *hosted, struct slice principal, struct slice uri,
	const struct scan_value *params);
/* Children that have gone are buried, waiting runs placed, at the end of this pass. */
void hosted_settle_later(struct hosted *hosted);
void hosted_say(struct hosted *hosted, struct slice line);    /* to the log and its last lines */
void hosted_babble(struct hosted *hosted, struct slice line); /* the same at a bounded rate */

/* hosted_setup.c */
bool hosted_setup_init(struct hosted_setup *setup, const struct hosted_settings *settings,
	struct fault *why) MUST_USE;
void hosted_setup_finish(struct hosted_setup *setup);

/* hosted_facts.c */
bool hosted_facts_take(struct hosted *hosted, enum hosted_era era, struct slice result,
	struct fault *why) MUST_USE;
void hosted_facts_finish(struct hosted *hosted);

/* hosted_child.c */
struct hosted_child *hosted_child_open(struct hosted *hosted, enum hosted_era era, bool is_probe,
	struct fault *why) MUST_USE;
struct hosted_child *hosted_child_open_shared(struct hosted *hosted, enum hosted_era era,
	struct fault *why) MUST_USE;
void hosted_child_stop(struct hosted_child *child, uint64_t patience_ms);
void hosted_child_close(struct hosted_child *child); /* at once; frees it; its runs must be over */
/* For transports: a message came; a line for people came; it is over. */
void hosted_child_heard(struct hosted_child *child, struct slice message);
void hosted_child_ended(struct hosted_child *child, int status, const struct fault *why);
/* It is about to end: nothing more is asked of it. */
void hosted_child_losing(struct hosted_child *child);
/* The request that was sent under that name was not looked at, and may be asked elsewhere. */
void hosted_child_unserved(struct hosted_child *child, struct slice sent, const struct fault *why);
/* A request of ours, in the child's era; `meta` may be NULL. */
struct mcp_modern_meta;
struct peer_call *hosted_child_ask(struct hosted_child *child, const struct peer_request *request,
	const struct mcp_modern_meta *meta, struct fault *why) MUST_USE;
/* logging/setLevel; the answer does not matter. */
void hosted_child_set_level(struct hosted_child *child, struct slice level);
void hosted_child_idle(struct hosted_child *child); /* it may have nothing to do: its time runs */

/* hosted_pipe.c */
bool hosted_pipe_open(struct hosted_child *child, struct fault *why) MUST_USE;
int hosted_pipe_process(const struct hosted_child *child);

/* hosted_http.c */
bool hosted_http_open(struct hosted_child *child, struct fault *why) MUST_USE;

/* hosted_hello.c: the handshake. hosted_child_ready() or hosted_child_failed() follows. */
bool hosted_hello_start(struct hosted_child *child, struct fault *why) MUST_USE;
void hosted_child_ready(struct hosted_child *child);
/* {"extensions":{"dev.hustings/mgp":...}}, or nothing: a member of a modern request's capabilities. */
void hosted_child_write_mgp(struct text *to, unsigned extensions);

/* hosted_pool.c */
/* The child that serves this run now. NULL: it has to wait (one may have been opened for it), unless
 * why->code says that it cannot be served. */
struct hosted_child *hosted_pool_place(struct hosted_run *run, struct fault *why);
/* Any open one of that era that nobody else holds for a call of its own; NULL: one may be opened. */
struct hosted_child *hosted_pool_any(struct hosted *hosted, enum hosted_era era);
bool hosted_pool_is_last(const struct hosted_child *child); /* of those that live */
/* No talk keeps it any more: it takes a place again, or ends as soon as it is idle, where there is none. */
void hosted_pool_release(struct hosted_child *child);
/* A call of that session was given up unanswered: what the server asks later may be about it. */
void hosted_pool_haunt(struct hosted_child *child, struct slice session);
/* Whose business an unnamed word of this conversation is: the one run that is open there; NULL: that
 * cannot be told, since another may be meant. */
struct hosted_run *hosted_pool_concerned(const struct hosted_child *child);
/* Whether a server may ask this run's asker something on its own, so that it wants to be alone. */
bool hosted_pool_is_askable(const struct hosted_run *run);

/* hosted_talk.c */
/* The call of a run that is given up: its answer is the governor's. False: it is to be cancelled. */
bool hosted_talk_await(struct hosted_child *child, struct peer_call *call) MUST_USE;
/* The run's talk has this conversation from now on, if it had none. */
void hosted_talk_join(struct hosted_talk *talk, struct hosted_child *child);
void hosted_talks_lose(struct hosted_child *child, const struct fault *why);
/* Whether an open one is of another session: what the server asks may be about that. */
bool hosted_talks_of_others(const struct hosted_child *child, struct slice session);
/* It is one principal's for its talks, and takes no place of the server's. */
bool hosted_talk_keeps(const struct hosted_child *child);

enum hosted_talk_where {
	HOSTED_TALK_THERE,    /* in *child; NULL: it waits, unless why->code says that it cannot be served */
	HOSTED_TALK_ANYWHERE, /* wherever there is a place: that conversation is its talk's from then on */
	HOSTED_TALK_SHARES,   /* in the one that all share who have no place of their own */
};
/* Where a run of a talk may go. */
enum hosted_talk_where hosted_talk_place(const struct hosted_run *run, struct hosted_child **child, struct fault *why);
/* The shared one, for a talk that begins. NULL: it waits, unless why->code says that it cannot be served. */
struct hosted_child *hosted_talk_share(struct hosted_child *child, struct fault *why);

/* hosted_run.c */
void hosted_run_end(struct hosted_run *run, const struct hosted_answer *answer,
	const struct fault *why);
void hosted_runs_place(struct hosted *hosted);
/* Those that wait; era HOSTED_ERAS: all; principal NULL: anybody's. */
void hosted_runs_fail(struct hosted *hosted, enum hosted_era era, const char *principal,
	const struct fault *why);
bool hosted_run_again(struct hosted_run *run, struct fault *why) MUST_USE; /* with its responses */
/* That request of ours in this conversation, as its server names it; NULL: none is open. */
struct hosted_run *hosted_run_find(const struct hosted_child *child, const struct scan_value *id);
/* The server is told, and may be at it all the same. */
void hosted_run_give_up(struct hosted_run *run, struct slice reason);
/* Frees it, and tells nobody. */
void hosted_run_free(struct hosted_run *run);

/* hosted_stream.c */
void hosted_stream_told(struct hosted_child *child, const struct jsonrpc *notification);
/* Whether nothing is to be read from it may have changed. */
void hosted_child_flow(struct hosted_child *child);
/* Its deadline goes on, if it rests. */
void hosted_run_hurry(struct hosted_run *run);

/* hosted_halt.c */
/* A run that is being stopped has come to its end, or to one of its ends; one of the two may be NULL, or both. */
void hosted_halt_end(struct hosted_run *run, const struct hosted_answer *answer, const struct fault *why);
/* The server has answered the request itself. True: that is held back for a moment. */
bool hosted_halt_keep(struct hosted_run *run, const struct hosted_answer *answer);
void hosted_halt_finish(struct hosted_run *run); /* with its run */

/* hosted_question.c */
void hosted_child_asked(struct hosted_child *child, struct peer_question *question,
	const struct jsonrpc *request);
void hosted_child_withdrew(struct hosted_child *child, struct peer_question *question);
/* A modern server wants input: raises its questions. False: the ask is to end with that answer. */
bool hosted_run_wants(struct hosted_run *run, const struct scan_value *result,
	struct fault *why) MUST_USE;
void hosted_questions_end(struct hosted_run *run); /* the run ends; nobody is told */
/* For hosted_callback.c: one more, with that key of a modern server's (bytes NULL: none); NULL: no memory. */
struct hosted_question *hosted_question_make(struct hosted_run *run, struct slice key) MUST_USE;
void hosted_question_free(struct hosted_question *question);
bool hosted_questions_are_many(const struct hosted_run *run); /* as many as there may be */
/* It was declined, since it belongs to no single request: listeners hear of it. */
void hosted_child_declined(struct hosted_child *child, struct slice method);

/* hosted_callback.c */
/* notifications/mgp.callback.request of a server that speaks `bidirectional`. */
void hosted_child_called_back(struct hosted_child *child, const struct scan_value *params);
/* Each takes the question. */
void hosted_callback_answer(struct hosted_question *question, struct slice result);
void hosted_callback_refuse(struct hosted_question *question, bool is_unable);
void hosted_callback_end(struct hosted_question *question); /* tells the server; the question stays */

/* hosted_told.c */
void hosted_child_told(struct hosted_child *child, const struct jsonrpc *notification);

/* hosted_lists.c */
void hosted_lists_init(struct hosted *hosted);
void hosted_lists_finish(struct hosted *hosted, const struct fault *why);
void hosted_lists_old(struct hosted *hosted, enum hosted_kind kind);
void hosted_lists_all_old(struct hosted *hosted);
void hosted_lists_changed(struct hosted *hosted, enum hosted_kind kind); /* listeners hear of it once a pass */
void hosted_lists_pump(struct hosted *hosted);                           /* asks for those that are wanted */
void hosted_lists_fail(struct hosted *hosted, const struct fault *why);  /* it is not running */

/* hosted_listening.c; of modern conversations, harmless in others */
/* What is to be listened for is, from the next request or this pass's end on. */
void hosted_listening_renew(struct hosted_child *child);
void hosted_listening_settle(struct hosted_child *child); /* before a request that may lead to a change */
void hosted_listening_acknowledged(struct hosted_child *child);
void hosted_listening_end(struct hosted_child *child);

/* hosted_items.c */
struct hosted_items *hosted_items_open(enum hosted_kind kind, struct fault *why) MUST_USE;
/* Asked for at that time; checks_marks: of a modern server over HTTP. */
void hosted_items_begin(struct hosted_items *items, uint64_t now, bool checks_marks);
size_t hosted_items_left_out(const struct hosted_items *items);
uint64_t hosted_items_stale_at(const struct hosted_items *items); /* loop ms; UINT64_MAX: never said */
bool hosted_items_add(struct hosted_items *items, struct slice result, struct slice *cursor,
	struct fault *why) MUST_USE;

/* hosted_subscriptions.c */
void hosted_subscriptions_ready(struct hosted_child *child); /* it has opened, or is a principal's now */
void hosted_subscriptions_gone(struct hosted_child *child);
void hosted_subscriptions_finish(struct hosted *hosted);
void hosted_subscriptions_tell(struct hosted_child *child, const struct scan_value *params);
/* Nobody else holds one of its. */
bool hosted_subscriptions_need(const struct hosted_child *child);
bool hosted_subscription_is_held(const struct hosted_subscription *subscription,
	const struct hosted_child *child);

#endif
