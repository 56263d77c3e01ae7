/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy: what is configured of how a hosted server is governed: [kernel] for all of them, and
 * [servers.mgp] of one, where whatever is left out is the kernel's. Plain data; strings are the
 * configuration's, and are copied with the settings of a server (hosted_add).
 */
#ifndef HUSTINGS_HOSTED_POLICY_H
#define HUSTINGS_HOSTED_POLICY_H

#include "flow/authorization.h"
#include "mcp/mgp.h"

enum permission_policy { /* MGP 3.3 */
	PERMISSION_UNSAID,
	PERMISSION_INTERACTIVE,
	PERMISSION_AUTO_APPROVE,
	PERMISSION_DENY_ALL,    /* but what permissions_granted names */
	PERMISSION_CONFIG_ONLY, /* what permissions_granted names, and nothing is asked */
	PERMISSION_POLICIES
};

enum approval_policy { /* of dangerous calls, and of such as want to be confirmed (MGP 4.4) */
	APPROVAL_UNSAID,
	APPROVAL_INTERACTIVE,
	APPROVAL_AUTO_APPROVE,
	APPROVAL_POLICIES
};

enum access_policy { /* MGP 5.5 */
	ACCESS_UNSAID,
	ACCESS_OPT_IN,
	ACCESS_OPT_OUT,
	ACCESS_POLICIES
};

/* So many within so long; count 0: as many as they like. */
struct policy_rate {
	uint64_t count;
	uint64_t window_ms;
};

struct policy {
	enum permission_policy permissions;
	enum approval_policy approval;
	enum access_policy access;
	uint64_t call_timeout_ms;     /* 0: unsaid */
	bool has_call_rate;           /* of one principal at one server, as the next */
	struct policy_rate call_rate; /* "10/s" */
	bool has_quota;
	struct policy_rate quota;    /* "1000/day" */
	unsigned max_in_flight;      /* calls of one principal at one server; 0: unsaid */
	int64_t decision_ttl_ms;     /* 0: unsaid */
	uint64_t health_interval_ms; /* 0: unsaid */
	bool is_flowless;            /* none of its tools asks for what it needs: no guided sessions (MCP Flow) */

	/* Of one server alone. */
	bool is_mgp_limited;                     /* `extensions` was written: nothing else is agreed on */
	unsigned extensions;                     /* enum mgp_extension */
	const char *const *permissions_required; /* besides what the server says; may be NULL */
	const char *const *permissions_granted;  /* may be NULL */
	bool has_trust;
	enum mgp_trust trust;                        /* unsaid: standard */
	const char *const *validators;               /* "TOOL=VALIDATOR"; "*=sandbox"; may be NULL */
	struct authorization_settings authorization; /* [servers.authorization] */
	const char *const *authorization_deciders;   /* who decides where there is no delegate; may be NULL */
};

/* `of` where it says something, else `kernel`, else what is built in (interactive, interactive,
 * opt-in; with is_open auto_approve, auto_approve, opt-out). Strings are borrowed from `of`. */
struct policy policy_settle(const struct policy *of, const struct policy *kernel, bool is_open);

bool permission_policy_read(struct slice word, enum permission_policy *policy) MUST_USE;
bool approval_policy_read(struct slice word, enum approval_policy *policy) MUST_USE;
bool access_policy_read(struct slice word, enum access_policy *policy) MUST_USE;
const char *permission_policy_word(enum permission_policy policy); /* "interactive" */
const char *approval_policy_word(enum approval_policy policy);
const char *access_policy_word(enum access_policy policy); /* "opt-in" */
/* "10/s", "100/min", "5/h", "1000/day"; "off": no bound. */
bool policy_rate_read(struct slice words, struct policy_rate *rate, struct fault *why) MUST_USE;
void policy_rate_write(struct text *to, const struct policy_rate *rate);

#endif
