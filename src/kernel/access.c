/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access: every grant in memory, found by agent, server and tool, and by agent. What another process
 * has written is read anew: state_version() is asked at most every LOOK_MS.
 */
#include "kernel/access.h"

#include "base/clock.h"
#include "base/map.h"
#include "hosted/hosted.h"
#include "store/grant_rows.h"

#include <stdlib.h>

#define LOOK_MS 200
#define LONGEST_WAIT_MS (24 * 60 * 60 * 1000) /* of a deadline, for an expiry that lies further off */

struct agent;

struct entry {
	struct access_grant grant; /* its slices lie behind the struct */
	struct slice key;          /* agent, LF, server, LF, tool: behind the struct too */
	struct link in_order, of_agent;
	struct agent *agent;
};

struct agent {
	struct slice id; /* behind the struct */
	struct link entries;
};

struct access {
	struct state *state;
	struct loop *loop;
	struct log *log;
	struct map by_key;   /* struct entry */
	struct map by_agent; /* struct agent */
	struct link order;
	struct link listeners;
	uint64_t version;   /* of the database, as it was read */
	bool is_stale;      /* it is to be read, whatever the version */
	uint64_t looked_at; /* loop ms */
	struct deadline expiry;
};

/* ---- Words ---- */

const char *access_entry_word(enum access_entry entry) {
	return entry == ACCESS_TOOL_GRANT ? "tool_grant" : "server_grant";
}

bool access_entry_read(struct slice word, enum access_entry *entry) {
	bool is_tool = slice_is(word, "tool_grant");
	if (!is_tool && !slice_is(word, "server_grant")) return false;
	*entry = is_tool ? ACCESS_TOOL_GRANT : ACCESS_SERVER_GRANT;
	return true;
}

const char *access_source_word(enum access_source source) {
	static const char *const words[] = {"tool_grant", "server_grant", "default_policy", "administrator"};
	return words[source];
}

static void write_moment(struct text *to, const char *member, int64_t moment) {
	char words[CLOCK_TEXT_SIZE];
	if (!moment) {
		text_printf(to, ",\"%s\":null", member);
		return;
	}
	clock_write(moment, words);
	text_printf(to, ",\"%s\":\"%s\"", member, words);
}

void access_write_grant(struct text *to, const struct access_grant *grant) {
	text_printf(to, "{\"entry_type\":\"%s\",\"agent_id\":", access_entry_word(grant->entry));
	text_json(to, grant->agent);
	text_add_cstr(to, ",\"server_id\":");
	text_json(to, grant->server);
	text_add_cstr(to, ",\"tool_name\":");
	if (grant->tool.length) text_json(to, grant->tool);
	else text_add_cstr(to, "null");
	text_printf(to, ",\"permission\":\"%s\",\"granted_by\":", grant->is_allowed ? "allow" : "deny");
	text_json(to, grant->granted_by);
	write_moment(to, "granted_at", grant->granted_at);
	text_add_cstr(to, ",\"justification\":");
	if (grant->justification.length) text_json(to, grant->justification);
	else text_add_cstr(to, "null");
	write_moment(to, "expires_at", grant->expires_at);
	text_add_char(to, '}');
}

/* ---- The tables ---- */

static void entry_drop(struct access *access, struct entry *entry) {
	struct agent *agent = entry->agent;
	map_remove(&access->by_key, entry->key);
	list_remove(&entry->in_order);
	list_remove(&entry->of_agent);
	free(entry);
	if (!list_is_empty(&agent->entries)) return;
	map_remove(&access->by_agent, agent->id);
	free(agent);
}

static void forget_all(struct access *access) {
	while (!list_is_empty(&access->order))
		entry_drop(access, CONTAINER_OF(access->order.next, struct entry, in_order));
}

static struct agent *agent_of(struct access *access, struct slice id) {
	struct agent *agent = map_find(&access->by_agent, id);
	if (agent || !(agent = calloc(1, sizeof *agent + id.length))) return agent;
	memcpy(agent + 1, id.bytes, id.length);
	agent->id = slice_make(agent + 1, id.length);
	list_init(&agent->entries);
	if (map_add(&access->by_agent, agent->id, agent, NULL)) return agent;
	free(agent);
	return NULL;
}

static struct slice put(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

static void put_char(char **at, char character) { *(*at)++ = character; }

static struct entry *entry_make(const struct access_grant *grant) {
	size_t octets = grant->agent.length + grant->server.length + grant->tool.length + 2 +
		grant->granted_by.length + grant->justification.length;
	struct entry *entry = calloc(1, sizeof *entry + octets);
	if (!entry) return NULL;
	char *at = (char *)(entry + 1), *start = at;
	entry->grant = *grant;
	entry->grant.agent = put(&at, grant->agent);
	put_char(&at, '\n');
	entry->grant.server = put(&at, grant->server);
	put_char(&at, '\n');
	entry->grant.tool = put(&at, grant->tool);
	entry->key = slice_make(start, (size_t)(at - start));
	entry->grant.granted_by = put(&at, grant->granted_by);
	entry->grant.justification = put(&at, grant->justification);
	return entry;
}

/* In place of one of its key. */
static bool remember(struct access *access, const struct access_grant *grant) {
	struct entry *entry = entry_make(grant);
	struct agent *agent = entry ? agent_of(access, grant->agent) : NULL;
	if (!agent) {
		free(entry);
		return false;
	}
	entry->agent = agent;
	list_append(&agent->entries, &entry->of_agent);
	struct entry *before = map_find(&access->by_key, entry->key);
	if (before) entry_drop(access, before);
	list_append(&access->order, &entry->in_order);
	if (map_add(&access->by_key, entry->key, entry, NULL)) return true;
	entry_drop(access, entry);
	return false;
}

static struct entry *find(const struct access *access, struct slice agent, struct slice server,
	struct slice tool) {
	char lent[512];
	size_t length = agent.length + server.length + tool.length + 2;
	char *key = length <= sizeof lent ? lent : malloc(length), *at = key;
	if (!key) return NULL;
	put(&at, agent);
	put_char(&at, '\n');
	put(&at, server);
	put_char(&at, '\n');
	put(&at, tool);
	struct entry *entry = map_find(&access->by_key, slice_make(key, length));
	if (key != lent) free(key);
	return entry;
}

/* ---- Time, and other processes ---- */

static bool has_expired(const struct entry *entry) {
	return entry->grant.expires_at && entry->grant.expires_at <= clock_wall_ms();
}

static void tell(struct access *access, struct slice agent, struct slice server) {
	LIST_EACH_SAFE(link, &access->listeners) {
		struct access_listener *listener = CONTAINER_OF(link, struct access_listener, link);
		listener->changed(listener, agent, server);
	}
}

static void wait_for_expiry(struct access *access);

static void expired(struct deadline *deadline) {
	struct access *access = CONTAINER_OF(deadline, struct access, expiry);
	tell(access, SLICE_NONE, SLICE_NONE);
	wait_for_expiry(access);
}

static void wait_for_expiry(struct access *access) {
	int64_t now = clock_wall_ms(), next = INT64_MAX;
	LIST_EACH(link, &access->order) {
		int64_t at = CONTAINER_OF(link, struct entry, in_order)->grant.expires_at;
		if (at > now && at < next) next = at;
	}
	if (next == INT64_MAX) {
		deadline_clear(&access->expiry);
		return;
	}
	int64_t wait = next - now + 1;
	deadline_set(access->loop, &access->expiry, (uint64_t)(wait < LONGEST_WAIT_MS ? wait : LONGEST_WAIT_MS), expired);
}

struct loading {
	struct access *access;
	bool is_fine;
};

static bool loaded(void *context, const struct grant_row *row) {
	struct loading *loading = context;
	const struct access_grant grant = {
		.entry = row->tool.length ? ACCESS_TOOL_GRANT : ACCESS_SERVER_GRANT,
		.is_allowed = row->is_allowed,
		.agent = row->agent,
		.server = row->server,
		.tool = row->tool,
		.granted_by = row->granted_by,
		.justification = row->justification,
		.granted_at = row->granted_at,
		.expires_at = row->expires_at,
	};
	loading->is_fine = remember(loading->access, &grant);
	return loading->is_fine;
}

static bool load(struct access *access, struct fault *why) {
	struct loading loading = {access, true};
	forget_all(access);
	access->is_stale = true;
	access->version = state_version(access->state);
	if (!grant_row_each(access->state, loaded, &loading, why)) return false;
	if (!loading.is_fine) return fault_set(why, FAULT_NO_MEMORY, "no memory for the grants");
	access->is_stale = false;
	wait_for_expiry(access);
	return true;
}

/* What cannot be read leaves nothing granted. */
static void look(struct access *access) {
	uint64_t now = loop_now(access->loop);
	struct fault why;
	if (access->looked_at && now - access->looked_at < LOOK_MS) return;
	access->looked_at = now ? now : 1;
	if (!access->is_stale && state_version(access->state) == access->version) return;
	if (!load(access, &why)) {
		forget_all(access);
		log_write(access->log, LOG_ERROR, "grants cannot be read, so there are none: %s", why.text);
	}
	tell(access, SLICE_NONE, SLICE_NONE);
}

struct access *access_open(struct state *state, struct loop *loop, struct log *log, struct fault *why) {
	struct access *access = calloc(1, sizeof *access);
	if (!access) return fault_null(why, FAULT_NO_MEMORY, "no memory for the grants");
	access->state = state;
	access->loop = loop;
	access->log = log;
	map_init(&access->by_key);
	map_init(&access->by_agent);
	list_init(&access->order);
	list_init(&access->listeners);
	if (load(access, why)) return access;
	access_close(access);
	return NULL;
}

void access_close(struct access *access) {
	if (!access) return;
	deadline_clear(&access->expiry);
	forget_all(access);
	map_finish(&access->by_key);
	map_finish(&access->by_agent);
	free(access);
}

/* ---- Questions ---- */

static const struct entry *valid(const struct access *access, struct slice agent, struct slice server,
	struct slice tool) {
	const struct entry *entry = find(access, agent, server, tool);
	return entry && !has_expired(entry) ? entry : NULL;
}

struct access_answer access_ask(struct access *access, struct slice agent, struct slice server,
	struct slice tool, enum access_policy fallback) {
	struct access_answer answer = {.is_allowed = fallback == ACCESS_OPT_OUT, .source = ACCESS_FROM_POLICY};
	const struct entry *entry = NULL;
	look(access);
	if (list_is_empty(&access->order)) return answer;
	if (tool.length) entry = valid(access, agent, server, tool);
	answer.source = ACCESS_FROM_TOOL;
	if (!entry) {
		entry = valid(access, agent, server, SLICE_NONE);
		answer.source = ACCESS_FROM_SERVER;
	}
	if (!entry) {
		answer.source = ACCESS_FROM_POLICY;
		return answer;
	}
	answer.is_allowed = entry->grant.is_allowed;
	answer.grant = &entry->grant;
	return answer;
}

bool access_has_any(struct access *access, struct slice agent, struct slice server,
	enum access_policy fallback) {
	if (access_ask(access, agent, server, SLICE_NONE, fallback).is_allowed) return true;
	const struct agent *known = map_find(&access->by_agent, agent);
	if (!known) return false;
	LIST_EACH(link, &known->entries) {
		const struct entry *entry = CONTAINER_OF(link, struct entry, of_agent);
		if (entry->grant.tool.length && entry->grant.is_allowed && !has_expired(entry) &&
			slice_equal(entry->grant.server, server))
			return true;
	}
	return false;
}

/* ---- Changes ---- */

static bool is_word(struct slice word, size_t most) {
	if (!word.length || word.length > most) return false;
	for (size_t i = 0; i < word.length; i++)
		if ((unsigned char)word.bytes[i] < ' ') return false;
	return true;
}

static bool check(const struct access_grant *grant, struct fault *why) {
	if (!is_word(grant->agent, 128)) return fault_set(why, FAULT_BAD_INPUT, "agent_id: a principal's id is due, 1 to 128 octets");
	if (!is_word(grant->server, HOSTED_ID)) return fault_set(why, FAULT_BAD_INPUT, "server_id: 1 to %d octets are due", HOSTED_ID);
	if (grant->entry == ACCESS_TOOL_GRANT && !is_word(grant->tool, 128))
		return fault_set(why, FAULT_BAD_INPUT, "tool_name: a tool_grant needs the name of a tool, 1 to 128 octets");
	if (grant->entry == ACCESS_SERVER_GRANT && grant->tool.length)
		return fault_set(why, FAULT_BAD_INPUT, "tool_name: a server_grant has none: entry_type \"tool_grant\" has");
	if (grant->justification.length > ACCESS_JUSTIFICATION)
		return fault_set(why, FAULT_BAD_INPUT, "justification: at most %d octets", ACCESS_JUSTIFICATION);
	if (grant->expires_at && grant->expires_at <= clock_wall_ms())
		return fault_set(why, FAULT_BAD_INPUT, "expires_at: a moment that is still to come is due");
	return true;
}

bool access_grant(struct access *access, const struct access_grant *grant, struct fault *why) {
	const struct grant_row row = {
		.agent = grant->agent,
		.server = grant->server,
		.tool = grant->tool,
		.is_allowed = grant->is_allowed,
		.granted_by = grant->granted_by,
		.justification = grant->justification,
		.granted_at = grant->granted_at,
		.expires_at = grant->expires_at,
	};
	if (!check(grant, why)) return false;
	look(access);
	if (access->by_key.count >= ACCESS_GRANTS && !find(access, grant->agent, grant->server, grant->tool))
		return fault_set(why, FAULT_FULL, "there are %d grants already: revoke some", ACCESS_GRANTS);
	if (!grant_row_put(access->state, &row, why)) return false;
	if (!remember(access, grant)) access->is_stale = true; /* read again before long */
	wait_for_expiry(access);
	tell(access, grant->agent, grant->server);
	return true;
}

bool access_revoke(struct access *access, enum access_entry entry, struct slice agent, struct slice server,
	struct slice tool, struct fault *why) {
	struct slice name = entry == ACCESS_TOOL_GRANT ? tool : SLICE_NONE;
	bool was_there = false;
	if (!grant_row_remove(access->state, agent, server, name, &was_there, why)) return false;
	if (!was_there)
		return fault_set(why, FAULT_NOT_FOUND, "there is no %s of that agent and server", access_entry_word(entry));
	struct entry *known = find(access, agent, server, name);
	if (known) entry_drop(access, known);
	wait_for_expiry(access);
	tell(access, agent, server);
	return true;
}

void access_each(struct access *access, struct slice agent, struct slice server, access_seen *seen,
	void *context) {
	look(access);
	LIST_EACH(link, &access->order) {
		const struct access_grant *grant = &CONTAINER_OF(link, struct entry, in_order)->grant;
		if ((agent.length && !slice_equal(agent, grant->agent)) ||
			(server.length && !slice_equal(server, grant->server)))
			continue;
		if (!seen(context, grant)) return;
	}
}

void access_listen(struct access *access, struct access_listener *listener) {
	list_append(&access->listeners, &listener->link);
}

void access_unlisten(struct access_listener *listener) { list_remove(&listener->link); }
