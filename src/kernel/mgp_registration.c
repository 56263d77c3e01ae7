/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_registration: a definition is put together from what was asked for, shown to a person, and added. */
#include "kernel/mgp_registration.h"

#include "base/clock.h"
#include "kernel/registry.h"
#include "kernel/tool_creation.h"
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <stdlib.h>

#define BETWEEN_WORDS '\x1f' /* of a command in register_allow */

/* A registration that waits for its decision. */
struct registration {
	struct link link;
	const struct kernel_means *means;
	struct decision_asker asker;
};

/* ---- Reading ---- */

static const char *comma(const struct text *to) { return to->bytes[to->length - 1] == '{' ? "" : ","; }

/* `mgp` as it was asked for, but for a trust that is not the asker's to give. */
static void write_mgp(struct text *to, const struct scan_value *mgp, const char *trust) {
	struct scan_walk walk;
	struct scan_member member;
	text_printf(to, "%s\"mgp\":{", comma(to));
	if (mgp->type == SCAN_OBJECT)
		for (scan_open(&walk, mgp); scan_next(&walk, &member);) {
			if (trust && scan_key_is(&member, "trust_level")) continue;
			text_printf(to, "%s\"%.*s\":", comma(to), SLICE_ARGS(member.key));
			text_add(to, member.value.text);
		}
	if (trust) text_printf(to, "%s\"trust_level\":\"%s\"", comma(to), trust);
	text_add_char(to, '}');
}

/* What an agent may not say of its own server: whom it is shown to, what it is given, how it is governed. */
static bool is_free_of(struct mgp_ask *ask, const struct scan_value *object, const char *outer,
	const char *const *names) {
	struct scan_value value;
	for (; *names; names++) {
		if (object->type != SCAN_OBJECT || !scan_find(object, *names, &value)) continue;
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.%s%s: only an administrator may say that", outer, *names);
		return false;
	}
	return true;
}

/* What is said of trust does not count for an agent, and is to be sound all the same. */
static bool has_sound_trust(struct mgp_ask *ask, const struct scan_value *mgp) {
	struct scan_value value;
	struct slice word;
	enum mgp_trust trust;
	if (mgp->type != SCAN_OBJECT || !scan_find(mgp, "trust_level", &value) || value.type == SCAN_NULL) return true;
	if (scan_string(&value, ask->arena, &word) && mgp_trust_read(word, &trust)) return true;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.mgp.trust_level: trusted, standard or sandboxed is due");
	return false;
}

static bool may_say(struct mgp_ask *ask, const struct scan_value *mgp) {
	static const char *const outer[] = {"env", "headers", "rooms", "share", "authorization", NULL};
	static const char *const inner[] = {"permissions_granted", "policy", "approval", "default_policy",
		"validators", "call_rate", "quota", "max_in_flight", NULL};
	if (!has_sound_trust(ask, mgp)) return false;
	if (ask->asker.is_admin) return true;
	return is_free_of(ask, &ask->params, "", outer) && is_free_of(ask, mgp, "mgp.", inner);
}

static bool is_said_here(const struct scan_member *member) {
	return scan_key_is(member, "created_by") || scan_key_is(member, "justification") ||
		scan_key_is(member, "mgp") || scan_key_is(member, "trace_id") || scan_key_is(member, "_meta") ||
		scan_key_is(member, "_mgp");
}

static bool write_definition(struct mgp_ask *ask, struct text *to) {
	struct scan_value mgp = {.type = SCAN_NONE};
	struct scan_walk walk;
	struct scan_member member;
	if (ask->params.type != SCAN_OBJECT) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params: an object with id and command, or url, is due");
		return false;
	}
	(void)scan_find(&ask->params, "mgp", &mgp);
	if (!may_say(ask, &mgp)) return false;
	text_add_char(to, '{');
	for (scan_open(&walk, &ask->params); scan_next(&walk, &member);) {
		if (is_said_here(&member)) continue;
		text_printf(to, "%s\"%.*s\":", comma(to), SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
	write_mgp(to, &mgp, ask->asker.is_admin ? NULL : mgp_trust_word(MGP_SANDBOXED));
	text_add_char(to, '}');
	return true;
}

/* Whether the command is one of those that need no question, word for word. In a folder of the asker's
 * choice the same words may start something else. */
static bool is_allowed(const struct kernel_means *means, const struct hosted_settings *settings) {
	if (!settings->arguments || settings->directory) return false;
	for (const char *const *one = means->register_allow; one && *one; one++) {
		struct slice rest = slice_of(*one), word;
		const char *const *argument = settings->arguments;
		bool is_same = true;
		while (is_same && slice_split(&rest, BETWEEN_WORDS, &word)) {
			is_same = *argument && slice_is(word, *argument);
			if (is_same) argument++;
		}
		if (is_same && !*argument) return true;
	}
	return false;
}

/* ---- Waiting ---- */

static void audit(const struct kernel_means *means, struct slice server, struct slice by, struct slice result,
	struct slice words) {
	AUTO_TEXT struct text details = {0};
	text_init(&details, 4096);
	if (words.length) {
		text_add_cstr(&details, "{\"reason\":");
		text_json(&details, words);
		text_add_char(&details, '}');
	}
	const struct audit_record record = {
		.event = SLICE("dev.hustings.server_registered"),
		.actor = by,
		.server_id = server,
		.result = result,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(means, &record);
}

/* Who brought it may use it. */
static void let_use(const struct kernel_means *means, struct slice id, struct slice by, struct slice decider) {
	const struct access_grant grant = {
		.entry = ACCESS_SERVER_GRANT,
		.is_allowed = true,
		.agent = by,
		.server = id,
		.granted_by = decider,
		.justification = SLICE("registered it"),
		.granted_at = clock_wall_ms(),
	};
	struct fault why;
	if (!access_grant(means->access, &grant, &why))
		log_write(means->log, LOG_WARNING, "server %.*s: who registered it may not use it: %s", SLICE_ARGS(id), why.text);
}

static bool add(const struct kernel_means *means, struct slice definition, struct slice id, struct slice by,
	struct slice decider, struct fault *why) {
	if (!means->registry) return fault_set(why, FAULT_NOT_READY, "servers cannot be added now");
	struct hosted *hosted = registry_add(means->registry, definition, by, why);
	if (hosted) let_use(means, id, by, decider);
	audit(means, id, by, hosted ? AUDIT_SUCCESS : AUDIT_FAILED, hosted ? SLICE_NONE : slice_of(why->text));
	return hosted != NULL;
}

static void registration_free(struct registration *registration) {
	list_remove(&registration->link);
	free(registration);
}

static void decided(struct decision_asker *asker, const struct decision *decision) {
	struct registration *registration = CONTAINER_OF(asker, struct registration, asker);
	const struct kernel_means *means = registration->means;
	struct fault why;
	registration_free(registration);
	if (!decision_is_yes(decision)) {
		audit(means, decision->server, decision->requester, AUDIT_BLOCKED, decision->reason);
		return;
	}
	if (!add(means, decision->arguments, decision->server, decision->requester,
		    decision->decided_by, &why))
		log_write(means->log, LOG_ERROR, "server %.*s was approved, and cannot be added: %s", SLICE_ARGS(decision->server),
			why.text);
}

static const struct decision *wait(const struct kernel_means *means, const struct decision_wish *wish,
	struct fault *why) {
	struct registration *registration = calloc(1, sizeof *registration);
	if (!registration) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	registration->means = means;
	registration->asker.decided = decided;
	list_append(means->registrations, &registration->link);
	const struct decision *decision = inbox_ask(means->inbox, wish, &registration->asker, why);
	if (!decision) registration_free(registration);
	return decision;
}

/* The very same subject is asked about again, which joins the question that is open. */
static bool restore(const struct kernel_means *means, const struct decision *decision, struct fault *why) {
	const struct decision_wish wish = {
		.kind = DECISION_REGISTRATION,
		.requester = decision->requester,
		.server = decision->server,
		.message = decision->message,
		.arguments = decision->arguments,
	};
	return wait(means, &wish, why) != NULL;
}

bool mgp_registration_restore(const struct kernel_means *means, struct fault *why) {
	const struct decision *pending[DECISION_NAMES];
	size_t count = 0;
	for (const struct decision *one = NULL; means->inbox && (one = inbox_next(means->inbox, one));)
		if (one->kind == DECISION_REGISTRATION && one->state == DECISION_PENDING && count < COUNT_OF(pending))
			pending[count++] = one;
	for (size_t i = 0; i < count; i++)
		if (!restore(means, pending[i], why)) return false;
	return true;
}

void mgp_registration_end(const struct kernel_means *means) {
	while (!list_is_empty(means->registrations)) {
		struct registration *one = CONTAINER_OF(means->registrations->next, struct registration, link);
		inbox_leave(means->inbox, &one->asker);
		registration_free(one);
	}
}

/* ---- The methods ---- */

static void ask_people(struct mgp_ask *ask, struct slice definition, const struct hosted_settings *settings) {
	AUTO_TEXT struct text message = {0}, result = {0};
	struct slice justification;
	struct fault why;
	if (!mgp_ask_word(ask, "justification", false, &justification)) return;
	text_init(&message, DECISION_MESSAGE);
	text_printf(&message, "%.*s wants the server %s to be hosted", SLICE_ARGS(ask->asker.principal), settings->id);
	if (justification.length) {
		text_add_cstr(&message, ": ");
		text_display(&message, slice_make(justification.bytes, slice_cut(justification, 1000)));
	}
	const struct decision_wish wish = {
		.kind = DECISION_REGISTRATION,
		.requester = ask->asker.principal,
		.server = slice_of(settings->id),
		.message = text_slice(&message),
		.arguments = definition,
		.ttl_ms = ask->means->policy.decision_ttl_ms,
	};
	const struct decision *decision = wait(ask->means, &wish, &why);
	if (!decision) {
		mgp_ask_fail(ask, &why);
		return;
	}
	text_init(&result, 0);
	text_printf(&result, "{\"status\":\"pending\",\"decision_id\":\"%s\",\"id\":", decision->id);
	text_json(&result, slice_of(settings->id));
	text_add_char(&result, '}');
	mgp_ask_answer(ask, &result);
}

static void add_now(struct mgp_ask *ask, struct slice definition, const struct hosted_settings *settings) {
	AUTO_TEXT struct text result = {0};
	struct fault why;
	if (!add(ask->means, definition, slice_of(settings->id), ask->asker.principal, SLICE("kernel.register_allow"), &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	text_init(&result, 0);
	text_add_cstr(&result, "{\"status\":\"registered\",\"id\":");
	text_json(&result, slice_of(settings->id));
	text_printf(&result, ",\"trust_level\":\"%s\",\"created_by\":",
		mgp_trust_word(settings->policy && settings->policy->has_trust ? settings->policy->trust : MGP_STANDARD));
	text_json(&result, ask->asker.principal);
	text_add_char(&result, '}');
	mgp_ask_answer(ask, &result);
}

void mgp_discovery_register(struct mgp_ask *ask) {
	AUTO_TEXT struct text definition = {0};
	struct hosted_settings settings;
	struct fault why;
	text_init(&definition, DEFINITION_OCTETS);
	if (!write_definition(ask, &definition)) return;
	if (text_failed(&definition)) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params: a definition has at most %d octets", DEFINITION_OCTETS);
		return;
	}
	if (!definition_read(text_slice(&definition), ask->arena, &settings, &why) ||
		!hosted_settings_check(&settings, &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	bool is_offered = false;
	bool is_made = tool_creation_allows(ask->means, &ask->asker, &settings, &is_offered, &why);
	if (hosted_find(ask->means->servers, slice_of(settings.id)))
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.id: the name %s is taken", settings.id);
	else if (is_offered && !is_made)
		mgp_ask_refuse(ask, MGP_CODE_SAFETY_VIOLATION, "%s", why.text);
	else if (ask->asker.is_admin || is_made || is_allowed(ask->means, &settings))
		add_now(ask, text_slice(&definition), &settings);
	else
		ask_people(ask, text_slice(&definition), &settings);
}

static bool is_its_own(const struct mgp_ask *ask, const struct hosted *hosted) {
	const char *by = hosted_settings(hosted)->created_by;
	return ask->asker.is_admin || (by && slice_is(ask->asker.principal, by));
}

bool mgp_registration_remove(const struct kernel_means *means, struct hosted *hosted, struct fault *why) {
	const char *by = hosted_settings(hosted)->created_by;
	char creator[256], id[HOSTED_ID + 1];
	struct fault none;
	snprintf(creator, sizeof creator, "%s", by ? by : "");
	snprintf(id, sizeof id, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	if (!registry_remove(means->registry, hosted, why)) return false;
	/* Another server of that name is not this one's creator's. */
	if (creator[0]) (void)!access_revoke(means->access, ACCESS_SERVER_GRANT, slice_of(creator), slice_of(id), SLICE_NONE, &none);
	return true;
}

void mgp_discovery_deregister(struct mgp_ask *ask) {
	struct slice id, reason;
	struct fault why;
	AUTO_TEXT struct text result = {0};
	if (!mgp_ask_word(ask, "id", true, &id) || !mgp_ask_word(ask, "reason", false, &reason)) return;
	struct hosted *hosted = hosted_find(ask->means->servers, id);
	if (!hosted || !is_its_own(ask, hosted)) {
		if (ask->asker.is_admin) mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.id: there is no such server");
		else mgp_ask_refuse(ask, MGP_ACCESS_DENIED, "there is no server of that name that you have registered");
		return;
	}
	if (!mgp_registration_remove(ask->means, hosted, &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	const struct audit_record record = {
		.event = SLICE("dev.hustings.server_deregistered"),
		.actor = ask->asker.principal,
		.server_id = id,
		.result = AUDIT_SUCCESS,
		.detail = slice_make(reason.bytes, slice_cut(reason, 500)),
	};
	kernel_audit(ask->means, &record);
	text_init(&result, 0);
	text_add_cstr(&result, "{\"deregistered\":true,\"id\":");
	text_json(&result, id);
	text_add_char(&result, '}');
	mgp_ask_answer(ask, &result);
}
