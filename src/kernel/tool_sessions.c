/* SPDX-License-Identifier: Apache-2.0 */
/* Tool sessions: a context for each client, and what is pinned for all. */
#include "kernel/tool_sessions.h"

#include "kernel/tool_context.h"

#include <stdlib.h>

struct tool_session {
	struct link link;
	struct slice key, principal, session; /* behind the struct */
	struct tool_context context;
};

struct pinned {
	struct slice name; /* "server.tool", behind the struct */
	uint64_t tokens;   /* 0: there is no such tool */
};

struct pins_of_all {
	struct map by_name;
	struct pinned *list[TOOL_PINNED_MOST];
	size_t count;
	uint64_t tokens;
};

struct tool_sessions {
	struct log *log;
	struct tool_budget budget;
	struct pins_of_all *pinned;
	struct map by_key;
	struct link in_use; /* the least recently used one first */
	struct link listeners;
	bool has_warned; /* the pinned ones cost more than their reserve */
};

uint64_t tool_tokens(size_t octets) { return ((uint64_t)octets + 3) / 4; }

/* ---- Pinned ---- */

static void pinned_free(struct pins_of_all *pinned) {
	if (!pinned) return;
	for (size_t i = 0; i < pinned->count; i++) free(pinned->list[i]);
	map_finish(&pinned->by_name);
	free(pinned);
}

static bool pin(struct pins_of_all *pinned, const struct pins_of_all *before, struct slice name) {
	if (pinned->count == TOOL_PINNED_MOST || map_find(&pinned->by_name, name)) return true;
	struct pinned *one = calloc(1, sizeof *one + name.length);
	if (!one) return false;
	memcpy(one + 1, name.bytes, name.length);
	one->name = slice_make(one + 1, name.length);
	if (!map_add(&pinned->by_name, one->name, one, NULL)) {
		free(one);
		return false;
	}
	const struct pinned *known = before ? map_find(&before->by_name, name) : NULL;
	if (known) one->tokens = known->tokens;
	pinned->tokens += one->tokens;
	pinned->list[pinned->count++] = one;
	return true;
}

static struct pins_of_all *pinned_make(const struct pins_of_all *before, const char *const *names, struct fault *why) {
	struct pins_of_all *pinned = calloc(1, sizeof *pinned);
	bool is_whole = pinned != NULL;
	if (pinned) map_init(&pinned->by_name);
	for (; is_whole && names && *names; names++)
		if (**names) is_whole = pin(pinned, before, slice_of(*names));
	if (is_whole) return pinned;
	pinned_free(pinned);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for the tools that are pinned");
}

static struct pinned *pinned_find(const struct tool_sessions *sessions, struct slice server, struct slice tool) {
	char lent[TOOL_KEY];
	struct slice name;
	if (!sessions->pinned->count || !tool_key_write(lent, server, tool, '.', &name)) return NULL;
	return map_find(&sessions->pinned->by_name, name);
}

static void warn(struct tool_sessions *sessions) {
	bool is_over = sessions->pinned->tokens > sessions->budget.pinned_reserve;
	if (is_over && !sessions->has_warned)
		log_write(sessions->log, LOG_WARNING, "kernel.pinned: these tools cost about %llu tokens, and kernel.tool_context_budget.pinned_reserve is %llu: pin fewer, or reserve more",
			(unsigned long long)sessions->pinned->tokens, (unsigned long long)sessions->budget.pinned_reserve);
	sessions->has_warned = is_over;
}

/* What the pinned ones leave of the whole. */
static uint64_t cache_limit(const struct tool_sessions *sessions) {
	const struct tool_budget *budget = &sessions->budget;
	uint64_t pinned = sessions->pinned->tokens;
	uint64_t left = budget->max_tokens > pinned ? budget->max_tokens - pinned : 0;
	return left < budget->cache_limit ? left : budget->cache_limit;
}

/* ---- Sessions ---- */

static struct tool_session *one_of(struct link *link) { return CONTAINER_OF(link, struct tool_session, link); }

static void tell(struct tool_sessions *sessions, const struct tool_session *one) {
	LIST_EACH_SAFE(link, &sessions->listeners) {
		struct tool_listener *listener = CONTAINER_OF(link, struct tool_listener, link);
		listener->changed(listener, one->principal, one->session);
	}
}

static void session_free(struct tool_sessions *sessions, struct tool_session *one) {
	map_remove(&sessions->by_key, one->key);
	list_remove(&one->link);
	tool_context_finish(&one->context);
	free(one);
}

/* Whose context is gone may still list: it hears that its list is another one. */
static void forget_oldest(struct tool_sessions *sessions) {
	struct tool_session *oldest = one_of(sessions->in_use.next);
	if (oldest->context.by_key.count) tell(sessions, oldest);
	session_free(sessions, oldest);
}

/* Who has no session has one of no name. */
static struct tool_session *session_make(struct slice principal, struct slice session) {
	struct tool_session *one = calloc(1, sizeof *one + principal.length + 1 + session.length);
	if (!one) return NULL;
	char *at = (char *)(one + 1);
	one->key = slice_make(at, principal.length + 1 + session.length);
	one->principal = slice_make(at, principal.length);
	one->session = slice_make(at + principal.length + 1, session.length);
	if (principal.length) memcpy(at, principal.bytes, principal.length);
	if (session.length) memcpy(at + principal.length + 1, session.bytes, session.length);
	list_init(&one->link);
	tool_context_init(&one->context);
	return one;
}

#define KEY 512 /* octets of a principal's id and of a session's that have a context at all */

static struct tool_session *find(const struct tool_sessions *sessions, struct slice principal, struct slice session) {
	char key[KEY];
	size_t length = principal.length + 1 + session.length;
	if (length > sizeof key) return NULL;
	if (principal.length) memcpy(key, principal.bytes, principal.length);
	key[principal.length] = '\0';
	if (session.length) memcpy(key + principal.length + 1, session.bytes, session.length);
	return map_find(&sessions->by_key, slice_make(key, length));
}

static struct tool_session *find_of(const struct tool_sessions *sessions, const struct call_asker *asker) {
	return find(sessions, asker->principal, asker->session);
}

/* The most recently used one now. NULL: no memory. */
static struct tool_session *enter(struct tool_sessions *sessions, const struct call_asker *asker) {
	struct tool_session *one = find_of(sessions, asker);
	if (!one) {
		if (asker->principal.length + 1 + asker->session.length > KEY) return NULL;
		one = session_make(asker->principal, asker->session);
		if (!one) return NULL;
		if (!map_add(&sessions->by_key, one->key, one, NULL)) {
			free(one);
			return NULL;
		}
		if (sessions->by_key.count > TOOL_SESSIONS) forget_oldest(sessions);
	}
	list_remove(&one->link);
	list_append(&sessions->in_use, &one->link);
	return one;
}

/* ---- Its life ---- */

struct tool_sessions *tool_sessions_open(struct log *log, struct fault *why) {
	static const struct tool_budget standard = TOOL_BUDGET;
	struct tool_sessions *sessions = calloc(1, sizeof *sessions);
	if (!sessions) return fault_null(why, FAULT_NO_MEMORY, "no memory for the kernel");
	sessions->log = log;
	map_init(&sessions->by_key);
	list_init(&sessions->in_use);
	list_init(&sessions->listeners);
	if (tool_sessions_change(sessions, &standard, NULL, why)) return sessions;
	tool_sessions_close(sessions);
	return NULL;
}

void tool_sessions_close(struct tool_sessions *sessions) {
	if (!sessions) return;
	LIST_EACH_SAFE(link, &sessions->in_use) session_free(sessions, one_of(link));
	while (list_pop(&sessions->listeners)) {}
	map_finish(&sessions->by_key);
	pinned_free(sessions->pinned);
	free(sessions);
}

static bool same_pins(const struct pins_of_all *one, const struct pins_of_all *other) {
	if (!one || one->count != other->count) return false;
	for (size_t i = 0; i < one->count; i++)
		if (!slice_equal(one->list[i]->name, other->list[i]->name)) return false;
	return true;
}

bool tool_sessions_change(struct tool_sessions *sessions, const struct tool_budget *budget,
	const char *const *pinned, struct fault *why) {
	struct pins_of_all *made = pinned_make(sessions->pinned, pinned, why);
	if (!made) return false;
	bool is_same = same_pins(sessions->pinned, made);
	pinned_free(sessions->pinned);
	sessions->pinned = made;
	sessions->budget = *budget;
	sessions->has_warned = false;
	warn(sessions);
	LIST_EACH_SAFE(link, &sessions->in_use) {
		bool has_left = tool_context_trim(&one_of(link)->context, cache_limit(sessions));
		if (has_left || !is_same) tell(sessions, one_of(link));
	}
	return true;
}

const struct tool_budget *tool_sessions_budget(const struct tool_sessions *sessions) { return &sessions->budget; }

/* ---- One client's ---- */

enum tool_standing tool_sessions_standing(const struct tool_sessions *sessions, const struct call_asker *asker,
	struct slice server, struct slice tool) {
	if (pinned_find(sessions, server, tool)) return TOOL_PINNED;
	const struct tool_session *one = find_of(sessions, asker);
	const struct tool_in_context *there = one ? tool_context_find(&one->context, server, tool) : NULL;
	if (!there) return TOOL_UNKNOWN;
	return there->is_cached ? TOOL_CACHED : TOOL_FOUND;
}

uint64_t tool_sessions_load(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool, size_t octets) {
	if (pinned_find(sessions, server, tool)) return 0;
	struct tool_session *one = enter(sessions, asker);
	if (!one) return 0;
	const struct tool_in_context *before = tool_context_find(&one->context, server, tool);
	bool was_cached = before && before->is_cached;
	if (tool_context_use(&one->context, server, tool, tool_tokens(octets), cache_limit(sessions))) tell(sessions, one);
	const struct tool_in_context *now = tool_context_find(&one->context, server, tool);
	return now && now->is_cached && !was_cached ? now->tokens : 0;
}

void tool_sessions_use(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool, size_t octets) {
	(void)tool_sessions_load(sessions, asker, server, tool, octets);
}

void tool_sessions_end(struct tool_sessions *sessions, struct slice principal, struct slice session) {
	struct tool_session *one = find(sessions, principal, session);
	if (one) session_free(sessions, one);
}

/* The very tools that were found before, in whatever order. */
static bool are_known(const struct tool_sessions *sessions, const struct tool_context *context,
	const struct tool_found *found, size_t count) {
	size_t before = 0, known = 0;
	LIST_EACH(link, &context->found) before++;
	for (size_t i = 0; i < count; i++) {
		if (pinned_find(sessions, found[i].server, found[i].tool)) continue;
		const struct tool_in_context *one = tool_context_find(context, found[i].server, found[i].tool);
		if (!one) return false;
		known += !one->is_cached;
	}
	return known == before;
}

void tool_sessions_find(struct tool_sessions *sessions, const struct call_asker *asker,
	const struct tool_found *found, size_t count) {
	struct tool_session *one = count ? enter(sessions, asker) : find_of(sessions, asker);
	if (!one || are_known(sessions, &one->context, found, count)) return;
	tool_context_forget_found(&one->context);
	for (size_t i = 0; i < count; i++)
		if (!pinned_find(sessions, found[i].server, found[i].tool))
			tool_context_find_new(&one->context, found[i].server, found[i].tool, tool_tokens(found[i].octets));
	tell(sessions, one);
}

bool tool_sessions_evict(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool) {
	struct tool_session *one = find_of(sessions, asker);
	if (!one || !tool_context_evict(&one->context, server, tool)) return false;
	tell(sessions, one);
	return true;
}

void tool_sessions_each(const struct tool_sessions *sessions, const struct call_asker *asker, tool_cached *each,
	void *context) {
	const struct tool_session *one = find_of(sessions, asker);
	if (!one) return;
	for (const struct link *link = one->context.cached.previous; link != &one->context.cached; link = link->previous) {
		const struct tool_in_context *cached = CONTAINER_OF(link, struct tool_in_context, link);
		if (!pinned_find(sessions, cached->server, cached->tool)) each(context, cached->server, cached->tool, cached->tokens);
	}
}

struct slice tool_sessions_pinned_at(const struct tool_sessions *sessions, size_t at) {
	return at < sessions->pinned->count ? sessions->pinned->list[at]->name : SLICE_NONE;
}

uint64_t tool_sessions_cached_tokens(const struct tool_sessions *sessions, const struct call_asker *asker) {
	const struct tool_session *one = find_of(sessions, asker);
	return one ? one->context.tokens : 0;
}

uint64_t tool_sessions_room(const struct tool_sessions *sessions, uint64_t used) {
	const struct tool_budget *budget = &sessions->budget;
	uint64_t left = budget->max_tokens > used ? budget->max_tokens - used : 0;
	return left < budget->discovery_reserve ? left : budget->discovery_reserve;
}

/* ---- What comes and goes ---- */

void tool_sessions_weigh(struct tool_sessions *sessions, struct slice server, struct slice tool, size_t octets) {
	struct pinned *one = pinned_find(sessions, server, tool);
	if (!one) return;
	sessions->pinned->tokens -= one->tokens;
	one->tokens = tool_tokens(octets);
	sessions->pinned->tokens += one->tokens;
	warn(sessions);
}

void tool_sessions_forget_server(struct tool_sessions *sessions, struct slice server) {
	LIST_EACH_SAFE(link, &sessions->in_use)
		if (tool_context_forget_server(&one_of(link)->context, server)) tell(sessions, one_of(link));
}

void tool_sessions_listen(struct tool_sessions *sessions, struct tool_listener *listener) {
	list_append(&sessions->listeners, &listener->link);
}

void tool_sessions_unlisten(struct tool_listener *listener) {
	if (listener->link.next) list_remove(&listener->link);
}
