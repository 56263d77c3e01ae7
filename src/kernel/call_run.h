/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call run: one request to a hosted server on its way through the gates (kernel/call_gates.h). Where it
 * stands is data, so it can wait at a gate. For kernel/ alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_RUN_H
#define HUSTINGS_KERNEL_CALL_RUN_H

#include "base/secret.h"
#include "base/trace.h"
#include "kernel/governed.h"
#include "mcp/mgp_error.h"
#include "kernel/permissions.h"
#include "kernel/tools.h"
#include "kernel/usage.h"
#include "validate/validator.h"

/* What is unknown and what is denied sound alike to who may not use it (docs/protocol.md). */
#define CALL_NO_SUCH_TOOL "there is no such tool here that you may use: tools/list says what there is"
#define CALL_NO_SUCH_THING "there is nothing of that name here that you may use"

/* data.type of refusals at the gate `authorization` (docs/protocol.md). */
#define CALL_AUTHORIZATION_DENIED "authorization_denied"
#define CALL_AUTHORIZATION_TIMEOUT "authorization_timeout"

enum call_verdict {
	CALL_PASS,   /* on to the next gate */
	CALL_HOLD,   /* waits here; call_resume() asks this gate again */
	CALL_REFUSE, /* turned back; call_refuse() said why */
};

struct call;
struct call_gate {
	const char *name;
	enum call_verdict (*ask)(struct call *call);
};

/* Who calls, as the gateway itself found out. */
struct call_asker {
	struct slice principal; /* its id: MGP's agent_id */
	struct slice session;   /* of a legacy MCP client; length 0: the principal is all there is (MGP 16.7) */
	struct slice kind;      /* "human", "agent", "robot" or length 0 */
	struct slice topic;     /* of the room where it asks; length 0: in none */
	bool is_admin;
	bool is_local;          /* the gateway's own local user */
	bool is_in_room;        /* asked from a room where the server sits */
	bool has_authorization; /* hears refusals of decisions in ADR-001's words (docs/protocol.md) */
	struct mgp_agreed mgp;  /* with this asker */
};

/* One refusal; at most one a call. */
struct call_refusal {
	int64_t code; /* of MGP 14.3; 0: none */
	char message[480];
	const char *type;             /* data.type; NULL: the code's own */
	struct slice reason;          /* the decider's own words, in the arena; length 0: none */
	bool is_result;               /* a plain client hears it as a result, whatever its code */
	struct mgp_recovery recovery; /* its slices lie in the call's arena */
};

struct call {
	struct link link; /* of governed->calls */
	struct governed *governed;
	struct hosted *hosted;
	struct call_asker asker; /* slices: the asker's until call_keep() */
	struct hosted_ask *outer;
	struct hosted_ask inner; /* toward the server; its slices are the outer's until call_keep() */
	const struct call_gate *gates;
	const struct call_gate *counted_gates; /* by whose names refusals are counted (call_figures.h) */
	unsigned at;
	bool is_tool;      /* tools/call: `name` and `arguments` are set */
	bool is_guided;    /* interaction.start of a tool whose server leads: `name` is set */
	bool is_kept;      /* what the asker lent was copied into the arena */
	bool is_walking;   /* inside of call_resume() */
	bool is_started;   /* call_start() has returned: the asker may be answered */
	bool is_counted;   /* by usage */
	bool is_announced; /* as an event that it has started */
	struct arena arena;
	char trace[TRACE_SIZE];      /* "": none yet */
	struct slice name;           /* of the tool, unescaped; length 0: none */
	struct scan_value arguments; /* an object, or SCAN_NONE */
	bool has_asked;              /* its server has asked its asker something */
	bool is_repeatable;          /* asking the server twice does no harm */
	const char *risk;            /* "dangerous"; NULL: not known. Static, as the next */
	const char *validator;       /* that was applied; NULL: none */
	struct slice fallback_of;    /* the tool that it is called in place of; length 0: none */
	const char *decision;        /* the id of the last decision asked for; in the arena; NULL: none */
	bool was_approved;           /* the decision said yes */
	bool was_told_early;         /* who asked knows that it waits for one, and hears the outcome later */
	bool is_marked;              /* `approved` says what was (call_rounds.h) */
	uint8_t approved[SECRET_HASH_SIZE];
	struct call_refusal refusal;
	uint64_t began_at;            /* loop ms */
	uint64_t began_us;            /* call_figures.c's own */
	unsigned tries;               /* that were sent */
	unsigned told;                /* that it waits for a person */
	uint64_t asked_at;            /* loop ms, a person */
	uint64_t waited_ms;           /* for one, in all */
	uint64_t deadline_ms;         /* as the asker wants it */
	struct call_missing *missing; /* call_missing.c's own; NULL: nothing was asked for */
	struct link callbacks;        /* what the server asks meanwhile: call_callback.c's own, as the next */
	bool hears_info;              /* the asker's log level lets that through */
	struct deadline again;        /* of the pause before a retry */
	struct task ending;           /* what must not come from inside of call_start() */
	struct task telling;          /* that it waits for a person */
	struct decision_asker waits;  /* for a person */
	struct hosted_wait *list;     /* for the list of tools; NULL: none */
	bool has_listed;              /* the list was asked for anew */
	struct fault list_why;        /* it could not be had */
	struct validator_wait *names; /* of hosts that are being resolved; NULL: none */
	bool is_validated;            /* they were, with what `report` holds */
	struct validator_report report;
	struct hosted_ask_events events; /* of `inner`: what the asker does not want is not asked of the server */
	bool wants_stream;               /* the asker has agreed on it, and asked for it (MGP 12.3) */
	uint64_t chunks;                 /* that went to the asker */
	bool was_stopped;                /* call_stop() was called */
	bool is_stopped;                 /* and in time */
	hosted_stopped *stopped;         /* whom that is to be told; NULL: nobody, or it was */
	void *stop_context;
	bool *is_gone;                      /* set when it is freed, for whoever has called out; may be NULL */
	void (*passed)(struct call *call);  /* all gates are behind it */
	void (*refused)(struct call *call); /* call->refusal says why */
	char lent[1024];                    /* to the arena. The last one: it is not cleared */
};

/* MGP 5: administrators and the gateway's own local user may everything; a room's participants what was seated
 * there, unless they were denied it; others what they were granted, or the server's policy says. `tool` length
 * 0: the server as a whole. */
bool call_asker_may(const struct call_asker *asker, const struct governed *governed, struct slice tool);
/* Asks the gates from where it stands. Calls passed() or refused() at their end, or waits. */
void call_resume(struct call *call);
/* The gate's name where it stands; "" behind the last. */
const char *call_gate_name(const struct call *call);
/* CALL_REFUSE, with the sentence; more may be written into call->refusal. */
enum call_verdict call_refuse(struct call *call, int64_t code, const char *format, ...) PRINTF_LIKE(3, 4);
/* CALL_HOLD: what the asker lent is copied. Without memory CALL_REFUSE. */
enum call_verdict call_hold(struct call *call);
/* What the asker lent is copied, once. */
bool call_keep(struct call *call, struct fault *why) MUST_USE;
/* Of that only what its end has to name: who called what. */
bool call_keep_names(struct call *call, struct fault *why) MUST_USE;
/* Other params for the server (JSON text, copied): the name and the arguments are read from them. */
bool call_set_params(struct call *call, struct slice params, struct fault *why) MUST_USE;
/* A JSON object for refusal.recovery.details; copied. */
void call_detail(struct call *call, struct slice object);
/* Everything that it waits for is given up, but the server's answer; a person's is not wanted any more. */
void call_stop_waiting(struct call *call);

#endif
