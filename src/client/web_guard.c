/* SPDX-License-Identifier: Apache-2.0 */
/* Web guard: names are compared whole, tokens by their hashes. */
#include "client/web_guard.h"

static const char *const loopback[] = {"localhost", "127.0.0.1", "[::1]", NULL};

static const char **keep_all(struct web_guard *guard, const char *const *words, const char *first) {
	size_t count = 0, at = 0;
	struct slice copy;
	while (words && words[count]) count++;
	const char **kept = arena_zero(&guard->words, (count + 2) * sizeof *kept);
	if (!kept) return NULL;
	if (first && !arena_copy(&guard->words, slice_of(first), &copy)) return NULL;
	if (first) kept[at++] = copy.bytes;
	for (size_t i = 0; i < count; i++) {
		if (!arena_copy(&guard->words, slice_of(words[i]), &copy)) return NULL;
		kept[at++] = copy.bytes;
	}
	return kept;
}

bool web_guard_init(struct web_guard *guard, const char *address, const char *const *hosts,
	const char *const *origins, const char *token, struct fault *why) {
	*guard = (struct web_guard){.has_token = token != NULL};
	arena_init(&guard->words, NULL, 0, 0);
	guard->hosts = keep_all(guard, hosts, address);
	guard->origins = keep_all(guard, origins, NULL);
	bool is_fine = guard->hosts && guard->origins &&
		(!token || secret_hash(slice_of(token), guard->token));
	if (is_fine) return true;
	web_guard_finish(guard);
	return fault_set(why, FAULT_NO_MEMORY, "no memory to serve HTTP");
}

void web_guard_finish(struct web_guard *guard) {
	secret_wipe(guard->token, sizeof guard->token);
	arena_finish(&guard->words);
}

/* "name:port" without its port. */
static struct slice name_of(struct slice authority) {
	size_t from = 0;
	if (authority.length && authority.bytes[0] == '[') {
		const char *end = memchr(authority.bytes, ']', authority.length);
		if (!end) return SLICE_NONE;
		from = (size_t)(end - authority.bytes);
	}
	const char *colon = memchr(authority.bytes + from, ':', authority.length - from);
	return colon ? slice_make(authority.bytes, (size_t)(colon - authority.bytes)) : authority;
}

static bool is_among(struct slice word, const char *const *words) {
	for (; *words; words++)
		if (slice_equal_ignoring_case(word, slice_of(*words))) return true;
	return false;
}

static bool is_known_host(const struct web_guard *guard, struct slice authority) {
	struct slice name = name_of(authority);
	return name.length && (is_among(name, loopback) || is_among(name, (const char *const *)guard->hosts));
}

static bool is_known_origin(const struct web_guard *guard, struct slice origin) {
	struct slice rest = origin;
	if (is_among(origin, (const char *const *)guard->origins)) return true;
	if (slice_starts_with(origin, "http://")) rest = slice_make(origin.bytes + 7, origin.length - 7);
	else if (slice_starts_with(origin, "https://")) rest = slice_make(origin.bytes + 8, origin.length - 8);
	else return false;
	return is_known_host(guard, rest);
}

static bool has_token(const struct web_guard *guard, const struct http1_head *head) {
	struct slice field = http1_field(head, "Authorization");
	uint8_t shown[SECRET_HASH_SIZE];
	bool is_bearer = field.length > 7 &&
		slice_equal_ignoring_case(slice_make(field.bytes, 7), SLICE("bearer "));
	if (!is_bearer) return false;
	struct slice token = slice_trim(slice_make(field.bytes + 7, field.length - 7));
	return secret_hash(token, shown) && secret_equal(shown, guard->token, sizeof shown);
}

unsigned web_guard_refuses(const struct web_guard *guard, const struct http1_head *head,
	const char **what) {
	struct slice origin = http1_field(head, "Origin");
	*what = "this Host is not served here";
	if (!is_known_host(guard, head->host)) return 403;
	*what = "pages of this Origin may not ask here";
	if (origin.bytes && !is_known_origin(guard, origin)) return 403;
	*what = "a bearer token is due";
	return guard->has_token && !has_token(guard, head) ? 401 : 0;
}
