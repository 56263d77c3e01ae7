/* SPDX-License-Identifier: Apache-2.0 */
/* Live: who is connected by what, and news for the rooms. */
#include "gateway/live.h"

#include "base/clock.h"

#include <stdlib.h>

struct live_entry { /* small: there is one for each connection */
	struct link in_live;
	struct letter letter; /* its way home from another thread */
	struct principal *principal;
	uint8_t privilege;
	uint8_t topic_length; /* at most 128 (ident_is_topic) */
	bool is_beside;
	char topic[];
};

static struct slice topic_of(const struct live_entry *entry) {
	return slice_make(entry->topic, entry->topic_length);
}

struct live {
	struct gateway *gateway;
	struct link entries;
	struct deadline poll;
	uint64_t version;
	int64_t next_expiry; /* wall ms; INT64_MAX: none */
	uint64_t sweep_at;   /* loop ms: when tokens that are long over are removed */
	bool must_review;    /* the rooms could not be told of something */
	bool must_review_sessions;
};

static void poll_again(struct deadline *deadline);

struct live *live_open(struct gateway *gateway, struct fault *why) {
	struct live *live = calloc(1, sizeof *live);
	if (!live) return fault_null(why, FAULT_NO_MEMORY, "no memory for live connections");
	live->gateway = gateway;
	live->version = state_version(gateway->state);
	live->next_expiry = INT64_MAX;
	list_init(&live->entries);
	deadline_set(gateway->loop, &live->poll, LIVE_POLL_MS, poll_again);
	return live;
}

static void entry_free(struct live_entry *entry) {
	list_remove(&entry->in_live);
	principal_drop(entry->principal);
	free(entry);
}

void live_close(struct live *live) {
	if (!live) return;
	deadline_clear(&live->poll);
	LIST_EACH_SAFE(link, &live->entries)
		entry_free(CONTAINER_OF(link, struct live_entry, in_live));
	free(live);
}

struct live_entry *live_add(struct live *live, struct principal *principal, struct slice topic,
	enum privilege privilege, struct fault *why) {
	struct live_entry *entry = calloc(1, sizeof *entry + topic.length);
	if (!entry) return fault_null(why, FAULT_NO_MEMORY, "no memory for another connection");
	memcpy(entry->topic, topic.bytes, topic.length);
	entry->topic_length = (uint8_t)topic.length;
	entry->privilege = (uint8_t)privilege;
	entry->principal = principal_keep(principal);
	list_append(&live->entries, &entry->in_live);
	if (principal->expires_at && principal->expires_at < live->next_expiry)
		live->next_expiry = principal->expires_at;
	return entry;
}

void live_sits_beside(struct live_entry *entry) { entry->is_beside = true; }

bool live_sits(const struct live *live, struct slice id, struct slice topic) {
	LIST_EACH(link, &live->entries) {
		const struct live_entry *entry = CONTAINER_OF(link, struct live_entry, in_live);
		if (!entry->is_beside && slice_equal(entry->principal->id, id) && slice_equal(topic_of(entry), topic))
			return true;
	}
	return false;
}

static void came_home(struct letter *letter) {
	entry_free(CONTAINER_OF(letter, struct live_entry, letter));
}

void live_drop(struct gateway *gateway, struct live_entry *entry) {
	if (loop_is_here(gateway->loop))
		entry_free(entry);
	else
		mailbox_answer(gateway->loop, &entry->letter, came_home);
}

/* ---- News for the islands ---- */

struct news {
	struct letter letter;
	struct rooms *rooms;
	void (*tell)(const struct news *news);
	struct slice token_id, id, topic; /* in this allocation */
	enum privilege privilege;
	struct principal *principal; /* kept; NULL: none */
};

static void deliver(struct letter *letter) {
	struct news *news = CONTAINER_OF(letter, struct news, letter);
	news->tell(news);
	principal_drop(news->principal);
	free(news);
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

/* To one island: a copy of its own. False: no memory now; the next poll tries again. */
static bool send_news(struct gateway *gateway, struct gateway_island *island, const struct news *like) {
	size_t length = like->token_id.length + like->id.length + like->topic.length;
	struct news *news = malloc(sizeof *news + length);
	if (!news) {
		log_write(gateway->log, LOG_ERROR, "live: no memory to tell the rooms of a change: again soon");
		gateway->live->must_review = true;
		return false;
	}
	char *at = (char *)(news + 1);
	*news = *like;
	news->rooms = island->rooms;
	news->token_id = place(&at, like->token_id);
	news->id = place(&at, like->id);
	news->topic = place(&at, like->topic);
	if (news->principal) principal_keep(news->principal);
	if (loop_is_here(island->loop))
		deliver(&news->letter);
	else
		mailbox_answer(island->loop, &news->letter, deliver);
	return true;
}

static bool send_all(struct gateway *gateway, const struct news *like) {
	bool is_sent = true;
	for (unsigned i = 0; i < gateway->island_count; i++)
		is_sent = send_news(gateway, &gateway->islands[i], like) && is_sent;
	return is_sent;
}

static void tell_revocation(const struct news *news) {
	rooms_revoke(news->rooms, news->token_id, news->id);
}

static void tell_expiry(const struct news *news) { rooms_expire(news->rooms, news->principal); }

static void tell_promotion(const struct news *news) {
	rooms_promote(news->rooms, news->id, news->topic, news->privilege);
}

static void revoke_tickets(struct gateway *gateway, struct slice token_id, struct slice id) {
	tickets_revoke(gateway->tickets, token_id, id);
	tickets_revoke(gateway->sign_in_tickets, token_id, id);
}

void live_review_sessions_soon(struct live *live) { live->must_review_sessions = true; }

void live_revoke(struct gateway *gateway, struct slice token_id, struct slice id) {
	struct news news = {.tell = tell_revocation, .token_id = token_id, .id = id};
	revoke_tickets(gateway, token_id, id);
	(void)send_all(gateway, &news);
	live_review_sessions_soon(gateway->live); /* a token takes its sessions along, which have names of their own */
}

void live_promote(struct gateway *gateway, struct slice id, struct slice topic,
	enum privilege privilege) {
	struct news news = {.tell = tell_promotion, .id = id, .topic = topic, .privilege = privilege};
	if (!send_all(gateway, &news)) return;
	LIST_EACH(link, &gateway->live->entries) {
		struct live_entry *entry = CONTAINER_OF(link, struct live_entry, in_live);
		if (slice_equal(entry->principal->id, id) && (!topic.length || slice_equal(topic_of(entry), topic)))
			entry->privilege = (uint8_t)privilege;
	}
}

bool live_privilege(const struct live *live, struct slice id, struct slice topic,
	enum privilege *privilege) {
	LIST_EACH(link, &live->entries) {
		const struct live_entry *entry = CONTAINER_OF(link, struct live_entry, in_live);
		if (!slice_equal(entry->principal->id, id)) continue;
		if (topic.length && !slice_equal(topic_of(entry), topic)) continue;
		*privilege = entry->privilege;
		return true;
	}
	return false;
}

/* ---- Watching ---- */

/* All are looked at again soon; the log hears it once a pass. */
static void could_not_read(struct live *live, const struct fault *why) {
	if (!live->must_review) log_write(live->gateway->log, LOG_WARNING, "live: %s: again soon", why->text);
	live->must_review = true;
}

bool live_was_revoked(struct live *live, const struct principal *principal) {
	char token_id[TOKEN_ID];
	struct fault why;
	struct slice said = principal_text(principal, PRINCIPAL_TOKEN_ID);
	if (said.length == 0 || said.length >= sizeof token_id) return false;
	memcpy(token_id, said.bytes, said.length);
	token_id[said.length] = '\0';
	struct token_row *row = token_find_id(live->gateway->state, token_id, &why);
	bool is_unknown = !row && why.code == FAULT_NOT_FOUND;
	bool is_revoked = row ? row->revoked_at != 0 : is_unknown && slice_starts_with(said, "t_");
	if (!row && !is_unknown) could_not_read(live, &why);
	token_row_free(row);
	return is_revoked;
}

/* One entry against state.db and the rules as they are now. */
static void review(struct live *live, struct live_entry *entry) {
	struct gateway *gateway = live->gateway;
	enum privilege privilege;
	struct fault why;
	if (live_was_revoked(live, entry->principal)) {
		struct slice token_id = principal_text(entry->principal, PRINCIPAL_TOKEN_ID);
		struct news news = {.tell = tell_revocation, .token_id = token_id};
		revoke_tickets(gateway, token_id, SLICE_NONE);
		(void)send_news(gateway, gateway_island(gateway, topic_of(entry)), &news);
		return;
	}
	if (!identity_privilege(gateway->identity, entry->principal, topic_of(entry), &privilege, NULL, &why)) {
		could_not_read(live, &why);
		return;
	}
	if (privilege == entry->privilege) return;
	struct news news = {
		.tell = tell_promotion,
		.id = entry->principal->id,
		.topic = topic_of(entry),
		.privilege = privilege,
	};
	if (send_news(gateway, gateway_island(gateway, topic_of(entry)), &news)) entry->privilege = (uint8_t)privilege;
}

/* News on this very thread end connections, and their entries, while the list is walked: so each
 * pass marks how far it came by moving what it has seen to the end of a list of its own. */
static void review_all(struct live *live, bool is_of_sessions) {
	struct link seen;
	list_init(&seen);
	while (!list_is_empty(&live->entries)) {
		struct link *link = list_pop(&live->entries);
		struct live_entry *entry = CONTAINER_OF(link, struct live_entry, in_live);
		list_append(&seen, link);
		if (!is_of_sessions || entry->principal->is_session) review(live, entry);
	}
	list_move(&live->entries, &seen);
}

void live_review(struct live *live) { review_all(live, false); }

void live_look(struct live *live) {
	uint64_t version = state_version(live->gateway->state);
	bool must_review = version != live->version || live->must_review;
	if (!must_review && !live->must_review_sessions) return;
	live->version = version;
	live->must_review = live->must_review_sessions = false;
	review_all(live, !must_review);
}

static void expire(struct live *live) {
	int64_t now = clock_wall_ms();
	struct gateway *gateway = live->gateway;
	struct link seen;
	if (live->next_expiry > now) return;
	live->next_expiry = INT64_MAX;
	list_init(&seen);
	while (!list_is_empty(&live->entries)) {
		struct link *link = list_pop(&live->entries);
		struct live_entry *entry = CONTAINER_OF(link, struct live_entry, in_live);
		int64_t expires_at = entry->principal->expires_at;
		list_append(&seen, link);
		if (expires_at == 0) continue;
		if (expires_at > now) {
			if (expires_at < live->next_expiry) live->next_expiry = expires_at;
			continue;
		}
		struct news news = {.tell = tell_expiry, .principal = entry->principal};
		if (!send_news(gateway, gateway_island(gateway, topic_of(entry)), &news)) live->next_expiry = now;
	}
	list_move(&live->entries, &seen);
}

static void sweep(struct live *live) {
	struct fault why;
	uint64_t now = loop_now(live->gateway->loop);
	if (now < live->sweep_at) return;
	live->sweep_at = now + LIVE_SWEEP_MS;
	if (!token_sweep(live->gateway->state, &why)) log_write(live->gateway->log, LOG_WARNING, "live: %s", why.text);
}

static void poll_again(struct deadline *deadline) {
	struct live *live = CONTAINER_OF(deadline, struct live, poll);
	expire(live);
	live_look(live);
	sweep(live);
	deadline_set(live->gateway->loop, &live->poll, LIVE_POLL_MS, poll_again);
}
