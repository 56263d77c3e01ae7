/* SPDX-License-Identifier: Apache-2.0 */
/* Jwt: verification, and the keys it needs: from the configuration, or fetched and kept. */
#include "auth/jwt.h"

#include "auth/jwt_claims.h"
#include "auth/jwt_keys.h"
#include "base/clock.h"
#include "net/fetch.h"
#include "wire/http1.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FETCH_AGAIN_MS 30000        /* at the earliest, for a kid that is unknown */
#define FETCH_FRESH_MS (10 * 60000) /* keys are fetched anew after that long, when asked for */
#define JWKS_OCTETS (512 * 1024)
#define WAITING 1000 /* bearers that wait for keys at a time */

struct waiting {
	struct link in_jwt;
	jwt_found *found;
	void *context;
	size_t length;
	char bearer[];
};

struct jwt {
	struct loop *loop;
	struct log *log;
	struct jwt_settings settings; /* its strings are copies */
	struct jwt_keys *own;         /* the secret's and the file's */
	struct jwt_keys *file;
	struct jwt_keys *fetched;
	struct fetch_desk *desk;
	struct fetch *fetch; /* under way */
	uint64_t fetched_at; /* loop ms; 0: never */
	struct link waiting;
	size_t waiting_count;
};

/* ---- Settings ---- */

static bool copy_string(const char **string, struct fault *why) {
	if (!*string) return true;
	*string = strdup(*string);
	return *string ? true : fault_set(why, FAULT_NO_MEMORY, "no memory for [auth.jwt]");
}

static const char **strings(struct jwt_settings *settings, size_t at) {
	const char **const all[] = {&settings->jwks_url, &settings->jwks_file, &settings->secret,
		&settings->issuer, &settings->audience, &settings->claim_id, &settings->claim_topics,
		&settings->claim_privilege, &settings->claim_kind, &settings->claim_name,
		&settings->claim_admin};
	return at < COUNT_OF(all) ? all[at] : NULL;
}

static bool read_file(const char *path, struct text *to, struct fault *why) {
	char buffer[8192];
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return fault_errno(why, errno, "auth.jwt.jwks_file %s", path);
	for (;;) {
		ssize_t got = read(file, buffer, sizeof buffer);
		if (got < 0 && errno == EINTR) continue;
		if (got < 0) return fault_errno(why, errno, "auth.jwt.jwks_file %s", path);
		if (got == 0) break;
		text_add(to, slice_make(buffer, (size_t)got));
	}
	if (text_failed(to)) return fault_set(why, FAULT_TOO_LARGE, "auth.jwt.jwks_file %s is over 512 KiB", path);
	return true;
}

/* Keys that came in the clear could be anybody's, except from this machine itself. */
static bool check_url(const char *url, struct fault *why) {
	struct slice rest = slice_of(url), authority, host;
	unsigned port;
	if (slice_starts_with(rest, "https://")) return true;
	if (slice_starts_with(rest, "http://")) {
		rest = slice_make(rest.bytes + 7, rest.length - 7);
		if (slice_split(&rest, '/', &authority) && http1_authority(authority, &host, &port) &&
			(slice_is(host, "localhost") || slice_is(host, "127.0.0.1") || slice_is(host, "::1")))
			return true;
	}
	return fault_set(why, FAULT_BAD_INPUT,
		"auth.jwt.jwks %s must begin with https:// (http:// is for loopback alone)", url);
}

static bool load_keys(struct jwt *jwt, struct fault *why) {
	const struct jwt_settings *settings = &jwt->settings;
	if (settings->jwks_url && !check_url(settings->jwks_url, why)) return false;
	if (settings->secret && !(jwt->own = jwt_keys_secret(slice_of(settings->secret), why)))
		return fault_before(why, "auth.jwt.secret: ");
	if (settings->jwks_file) {
		AUTO_TEXT struct text document = {0};
		text_init(&document, JWKS_OCTETS);
		if (!read_file(settings->jwks_file, &document, why)) return false;
		jwt->file = jwt_keys_read(text_slice(&document), why);
		if (!jwt->file) return fault_before(why, "auth.jwt.jwks_file: ");
	}
	if (settings->jwks_url && !(jwt->desk = fetch_desk_open(jwt->loop, why))) return false;
	if (!settings->secret && !settings->jwks_file && !settings->jwks_url)
		return fault_set(why, FAULT_BAD_INPUT, "[auth.jwt] needs secret, jwks_file or jwks_url");
	return true;
}

struct jwt *jwt_open(struct loop *loop, const struct jwt_settings *settings, struct log *log,
	struct fault *why) {
	struct jwt *jwt = calloc(1, sizeof *jwt);
	if (!jwt) return fault_null(why, FAULT_NO_MEMORY, "no memory for [auth.jwt]");
	jwt->loop = loop;
	jwt->log = log;
	jwt->settings = *settings;
	list_init(&jwt->waiting);
	/* All pointers are the caller's until each was copied: what was not is forgotten. */
	bool is_open = true;
	for (size_t at = 0; strings(&jwt->settings, at); at++) {
		const char **string = strings(&jwt->settings, at);
		if (!is_open)
			*string = NULL;
		else
			is_open = copy_string(string, why);
	}
	if (is_open && load_keys(jwt, why)) return jwt;
	jwt_close(jwt);
	return NULL;
}

static void tell(struct waiting *waiting, struct principal *principal, const struct fault *why) {
	waiting->found(waiting->context, principal, why);
	free(waiting);
}

void jwt_close(struct jwt *jwt) {
	if (!jwt) return;
	struct fault why;
	fault_set(&why, FAULT_NOT_READY, "the gateway is changing its settings: try again");
	fetch_close(jwt->fetch);
	for (struct link *link; (link = list_pop(&jwt->waiting));)
		tell(CONTAINER_OF(link, struct waiting, in_jwt), NULL, &why);
	fetch_desk_close(jwt->desk);
	jwt_keys_free(jwt->own);
	jwt_keys_free(jwt->file);
	jwt_keys_free(jwt->fetched);
	for (size_t at = 0; strings(&jwt->settings, at); at++) free((void *)*strings(&jwt->settings, at));
	free(jwt);
}

/* ---- Verification ---- */

static bool holds(const struct jwt_keys *keys, const struct jwt_token *token, bool *knows) {
	const struct jwt_key *key;
	for (size_t at = 0; (key = jwt_keys_next(keys, token->kid, token->algorithm, &at));) {
		*knows = true;
		if (signature_holds(key->key, jwt_scheme(token->algorithm), token->signed_text, token->signature))
			return true;
	}
	return false;
}

/* NULL with *wants_keys: the keys there are do not know the token's kid. */
static struct principal *verify(struct jwt *jwt, struct slice bearer, bool *wants_keys,
	struct fault *why) {
	char lent[8192];
	struct arena arena;
	struct jwt_token token;
	struct principal *principal = NULL;
	bool knows = false;
	*wants_keys = false;
	arena_init(&arena, lent, sizeof lent, 256 * 1024);
	if (!jwt_token_read(&token, bearer, &arena, why))
		principal = NULL;
	else if (!(jwt->settings.algorithms & 1u << token.algorithm))
		fault_set(why, FAULT_REFUSED, "bad_token: the JWT's alg is not in auth.jwt.algorithms");
	else if (holds(jwt->own, &token, &knows) || holds(jwt->file, &token, &knows) ||
		holds(jwt->fetched, &token, &knows))
		principal = jwt_claims_principal(&token, &jwt->settings, clock_wall_ms(), &arena, why);
	else {
		*wants_keys = !knows && jwt->desk;
		fault_set(why, FAULT_REFUSED, "bad_token: the JWT's signature does not hold");
	}
	arena_finish(&arena);
	return principal;
}

static void fetched(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct jwt *jwt = context;
	struct fault fault = {0};
	bool wants_keys;
	struct jwt_keys *keys = NULL;
	if (answer && answer->status == 200)
		keys = jwt_keys_read(answer->body, &fault);
	else if (answer)
		fault_set(&fault, FAULT_IO, "it answered %u", answer->status);
	else
		fault = *why;
	if (keys) {
		jwt_keys_free(jwt->fetched);
		jwt->fetched = keys;
	} else
		log_write(jwt->log, LOG_WARNING, "auth.jwt.jwks_url: no keys: %s", fault.text);
	fetch_close(TAKE(jwt->fetch));
	jwt->fetched_at = loop_now(jwt->loop);
	/* None of them waits again: it was fetched just now. */
	for (struct link *link; (link = list_pop(&jwt->waiting));) {
		struct waiting *who = CONTAINER_OF(link, struct waiting, in_jwt);
		jwt->waiting_count--;
		struct principal *principal =
			verify(jwt, slice_make(who->bearer, who->length), &wants_keys, &fault);
		if (!principal && wants_keys && !keys)
			fault_set(&fault, FAULT_NOT_READY, "the JWT's key could not be fetched: try again");
		tell(who, principal, principal ? NULL : &fault);
	}
}

static bool start_fetch(struct jwt *jwt, struct fault *why) {
	if (jwt->fetch) return true;
	struct fetch_options options = {
		.url = jwt->settings.jwks_url,
		.limit = JWKS_OCTETS,
		.deadline_ms = 10000,
	};
	static const struct fetch_events events = {.done = fetched};
	jwt->fetch = fetch_open(jwt->desk, &options, &events, jwt, why);
	return jwt->fetch != NULL;
}

static bool may_fetch(const struct jwt *jwt) {
	return jwt->fetch || jwt->fetched_at == 0 ||
		loop_now(jwt->loop) - jwt->fetched_at >= FETCH_AGAIN_MS;
}

static bool wait_for_keys(struct jwt *jwt, struct slice bearer, jwt_found *found, void *context,
	struct fault *why) {
	if (jwt->waiting_count >= WAITING)
		return fault_set(why, FAULT_FULL, "too many JWTs wait for their keys: try again");
	struct waiting *waiting = malloc(sizeof *waiting + bearer.length);
	if (!waiting) return fault_set(why, FAULT_NO_MEMORY, "no memory");
	*waiting = (struct waiting){.found = found, .context = context, .length = bearer.length};
	memcpy(waiting->bearer, bearer.bytes, bearer.length);
	list_append(&jwt->waiting, &waiting->in_jwt);
	jwt->waiting_count++;
	if (start_fetch(jwt, why)) return true;
	list_remove(&waiting->in_jwt);
	jwt->waiting_count--;
	free(waiting);
	return false;
}

void jwt_ask(struct jwt *jwt, struct slice bearer, jwt_found *found, void *context) {
	struct fault why = {0};
	bool wants_keys;
	/* Old keys still serve this one; the next will see whether they were withdrawn. */
	bool is_stale = jwt->desk && jwt->fetched_at && !jwt->fetch &&
		loop_now(jwt->loop) - jwt->fetched_at >= FETCH_FRESH_MS;
	if (is_stale && !start_fetch(jwt, &why))
		log_write(jwt->log, LOG_WARNING, "auth.jwt.jwks_url: %s", why.text);
	struct principal *principal = verify(jwt, bearer, &wants_keys, &why);
	if (!principal && wants_keys && may_fetch(jwt) &&
		wait_for_keys(jwt, bearer, found, context, &why))
		return;
	found(context, principal, principal ? NULL : &why);
}

void jwt_forget(struct jwt *jwt, void *context) {
	LIST_EACH_SAFE(link, &jwt->waiting) {
		struct waiting *waiting = CONTAINER_OF(link, struct waiting, in_jwt);
		if (waiting->context != context) continue;
		list_remove(&waiting->in_jwt);
		jwt->waiting_count--;
		free(waiting);
	}
}
