/* SPDX-License-Identifier: Apache-2.0 */
/* Validator network: every string is searched for URLs, and those of certain keys are taken for hosts. */
#include "validate/validator_network.h"

#include "validate/validator_url.h"
#include "validate/validator_walk.h"

#define LENT 4096
#define URLS 4096 /* in one string; more are refused */

enum holds { /* what a key's value is taken for */
	HOLDS_ANYTHING,
	HOLDS_WORDS, /* a command line, whose words may be hosts */
	HOLDS_PERHAPS,
	HOLDS_HOST,
};

struct network {
	struct validator_report *report;
	struct validator_hosts *hosts;
	struct validator_walk walk;
	struct arena arena; /* of one item */
};

static const char *const host_names[] = {"url", "uri", "href", "endpoint", "host", "hostname", "domain",
	"proxy", "webhook", "callback", "website", "urls", "uris", "hosts", "domains", "endpoints",
	"upstream", "baseurl", NULL};
static const char *const host_endings[] = {"url", "uri", "urls", "uris", "hostname", "endpoint",
	"proxyserver", "serverhost", "dbhost", "targethost", "remotehost", NULL};
static const char *const perhaps_names[] = {"ip", "ips", "ipaddress", "ipaddresses", "address", "addresses",
	"addr", "server", "servers", "target", "targets", "origin", "link", "links", "site", "remote",
	"redirect", "peer", "dsn", "bind", "broker", "dst", "destination", "dest", "source", "src",
	"location", "feed", "nameserver", "gateway", "connection", "connectionstring", "xforwardedhost",
	"forwarded", "referer", "resolve", "connectto", NULL};
static const char *const word_names[] = {"command", "cmd", "commands", "args", "argv", "arguments",
	"script", "code", "shell", "commandline", NULL};

static bool ends_with(const char *name, const char *const *endings) {
	size_t length = strlen(name);
	for (; *endings; endings++) {
		size_t ending = strlen(*endings);
		if (length >= ending && strcmp(name + length - ending, *endings) == 0) return true;
	}
	return false;
}

static enum holds holds_of(const char *name) {
	if (validator_walk_is(name, host_names) || ends_with(name, host_endings)) return HOLDS_HOST;
	if (validator_walk_is(name, perhaps_names)) return HOLDS_PERHAPS;
	return validator_walk_is(name, word_names) ? HOLDS_WORDS : HOLDS_ANYTHING;
}

/* ---- What is told ---- */

static void tell(struct network *network, const char *what) {
	char path[VALIDATOR_WALK_PATH];
	validator_walk_path(&network->walk, path);
	validator_report_add(network->report, VALIDATOR_ADVICE_PUBLIC, path, "%s", what);
}

static void collect(struct network *network, const char *name) {
	struct validator_hosts *hosts = network->hosts;
	for (size_t i = 0; i < hosts->count; i++)
		if (strcmp(hosts->names[i], name) == 0) return;
	if (hosts->count == VALIDATOR_HOSTS) {
		tell(network, "is one host name too many: at most 16 are looked up for a call");
		return;
	}
	memcpy(hosts->names[hosts->count++], name, strlen(name) + 1);
}

/* ---- URLs ---- */

/* What other programs could take for the host where several could be: addresses alone. */
static void judge_astray(struct network *network, struct slice text) {
	struct host_judgement judgement;
	struct url_authority parts;
	while (text.length && (text.bytes[0] == '@' || text.bytes[0] == ':'))
		text = slice_make(text.bytes + 1, text.length - 1);
	validator_url_split(text, &parts);
	validator_host_judge(parts.host, &judgement);
	if (judgement.kind == HOST_CLOSED && judgement.is_plain)
		tell(network, "hides a closed host beside another");
}

/* "http://good.example#@127.0.0.1/", "http://good.example\@127.0.0.1/" */
static void judge_behind(struct network *network, struct slice text, size_t end) {
	size_t at = end;
	if (end >= text.length ||
		(text.bytes[end] != '#' && text.bytes[end] != '\\' && text.bytes[end] != '?'))
		return;
	while (at < text.length && text.bytes[at] != '/' && text.bytes[at] != '@') at++;
	if (at >= text.length || text.bytes[at] != '@') return;
	size_t stop = at + 1;
	while (stop < text.length && !strchr("/?# \\", text.bytes[stop])) stop++;
	judge_astray(network, slice_make(text.bytes + at + 1, stop - at - 1));
}

static void judge_host(struct network *network, struct slice host, bool is_whole) {
	struct host_judgement judgement;
	/* The end of a sentence is not part of its last word. */
	while (!is_whole && host.length && strchr(".,:!]*_", host.bytes[host.length - 1]) &&
		!(host.bytes[host.length - 1] == ']' && host.bytes[0] == '['))
		host.length--;
	validator_host_judge(host, &judgement);
	switch (judgement.kind) {
	case HOST_PUBLIC: return;
	case HOST_CLOSED: tell(network, judgement.what); return;
	case HOST_NAME: collect(network, judgement.name); return;
	case HOST_UNREADABLE:
		if (is_whole) tell(network, "holds a host that cannot be read");
		return;
	}
}

static void judge_authority(struct network *network, const struct url_parts *url, bool is_whole) {
	struct url_authority parts;
	validator_url_split(url->authority, &parts);
	if (url->scheme == URL_WEB && validator_url_is_bad_port(parts.port) &&
		(is_whole || parts.port.length <= 5))
		tell(network, "names a port that is closed to web requests");
	if (parts.userinfo.bytes && parts.userinfo.length) judge_astray(network, parts.userinfo);
	judge_host(network, parts.host, is_whole);
}

static void judge_url(
	struct network *network, const struct url_parts *url, struct slice text, bool is_whole) {
	bool is_first = is_whole && url->name.bytes == text.bytes;
	switch (url->scheme) {
	case URL_WEB:
	case URL_NETWORK:
		judge_authority(network, url, is_whole);
		judge_behind(network, text, url->end);
		return;
	case URL_CLOSED: tell(network, "uses a scheme that is closed"); return;
	case URL_UNKNOWN:
		if (is_first) tell(network, "uses a scheme that is not known");
		return;
	case URL_INERT:
	case URL_NONE: return;
	}
}

static bool judge_urls(struct network *network, struct slice text, bool is_whole) {
	struct url_parts url;
	size_t from = 0, count = 0;
	while (validator_url_find(text, from, is_whole && from == 0, &url)) {
		judge_url(network, &url, text, is_whole && from == 0);
		from = url.end;
		if (++count < URLS) continue;
		tell(network, "holds too many URLs");
		break;
	}
	return count > 0;
}

/* ---- Bare hosts ---- */

static bool is_host_text(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if ((unsigned char)text.bytes[i] <= ' ' || strchr("\"'<>`{}|^(),;=", text.bytes[i]))
			return false;
	return text.length > 0;
}

static bool is_port(struct slice port) {
	uint64_t number;
	return port.bytes && slice_number(port, 65535, &number);
}

/* "10.0.0.0/8" is a range of addresses, which nobody can ask for anything. */
static bool is_range(struct slice rest) {
	uint64_t bits;
	return rest.length > 1 && rest.bytes[0] == '/' &&
		slice_number(slice_make(rest.bytes + 1, rest.length - 1), 128, &bits);
}

static bool has_digit(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] >= '0' && text.bytes[i] <= '9') return true;
	return false;
}

static void judge_bare(struct network *network, struct slice text, enum holds holds) {
	struct host_judgement judgement;
	struct url_authority parts;
	size_t start = 0, end;
	while (start < text.length && (text.bytes[start] == '/' || text.bytes[start] == '\\')) start++;
	if (start == 1 || (start > 2 && holds < HOLDS_PERHAPS)) return; /* a path */
	if (slice_starts_with(text, "./") || slice_starts_with(text, "../")) return;
	text = slice_make(text.bytes + start, text.length - start);
	for (end = 0; end < text.length && !strchr("/\\?#", text.bytes[end]);) end++;
	struct slice rest = slice_make(text.bytes + end, text.length - end);
	if (!end || !is_host_text(slice_make(text.bytes, end)) || (holds < HOLDS_PERHAPS && is_range(rest)))
		return;
	validator_url_split(slice_make(text.bytes, end), &parts);
	if (parts.userinfo.bytes && holds < HOLDS_HOST) return; /* an address for mail */
	/* "a::b" is a name in many languages. */
	bool has_colon = parts.host.length && parts.host.bytes[0] != '[' &&
		memchr(parts.host.bytes, ':', parts.host.length);
	if (has_colon && (holds == HOLDS_WORDS || (holds == HOLDS_ANYTHING && !has_digit(parts.host)))) return;
	validator_host_judge(parts.host, &judgement);
	if (judgement.kind == HOST_CLOSED) {
		bool is_likely = judgement.is_plain ||
			(holds >= HOLDS_PERHAPS && (is_port(parts.port) || start > 0));
		if (holds == HOLDS_HOST || (holds == HOLDS_PERHAPS && !judgement.is_single) || is_likely)
			tell(network, judgement.what);
	} else if (judgement.kind == HOST_NAME) {
		bool is_likely = holds == HOLDS_PERHAPS && (is_port(parts.port) || start > 0);
		if (holds == HOLDS_HOST || is_likely) collect(network, judgement.name);
	} else if (judgement.kind == HOST_UNREADABLE && holds == HOLDS_HOST) {
		tell(network, "holds a host that cannot be read");
	}
}

static bool is_break(char octet) {
	return (unsigned char)octet <= ' ' || strchr("\"'`=,;|&<>()", octet) != NULL;
}

/* "?next=//127.0.0.1": a URL without its scheme, inside another one. */
static void judge_bare_inner(struct network *network, struct slice text) {
	while (text.length) {
		const char *found = memmem(text.bytes, text.length, "=//", 3);
		if (!found) return;
		size_t end = 0, left = (size_t)(text.bytes + text.length - found - 1);
		while (end < left && found[1 + end] != '&' && (unsigned char)found[1 + end] > ' ') end++;
		judge_bare(network, slice_make(found + 1, end), HOLDS_ANYTHING);
		text = slice_make(found + 1 + end, left - end);
	}
}

static void judge_words(struct network *network, struct slice text) {
	size_t at = 0;
	while (at < text.length) {
		while (at < text.length && is_break(text.bytes[at])) at++;
		size_t start = at;
		while (at < text.length && !is_break(text.bytes[at])) at++;
		if (at > start)
			judge_bare(network, slice_make(text.bytes + start, at - start), HOLDS_WORDS);
	}
}

/* ---- Strings ---- */

/* Programs drop line ends and tabs inside a URL, and blanks around it. */
static struct slice without_breaks(struct network *network, struct slice text) {
	while (text.length && (unsigned char)text.bytes[0] <= ' ')
		text = slice_make(text.bytes + 1, text.length - 1);
	while (text.length && (unsigned char)text.bytes[text.length - 1] <= ' ') text.length--;
	bool has_breaks = false;
	for (size_t i = 0; i < text.length; i++)
		if (strchr("\t\r\n", text.bytes[i])) has_breaks = true; /* and NUL */
	char *copy = has_breaks ? arena_alloc(&network->arena, text.length) : NULL;
	if (!copy) return text;
	size_t length = 0;
	for (size_t i = 0; i < text.length; i++)
		if (!strchr("\t\r\n", text.bytes[i])) copy[length++] = text.bytes[i];
	return slice_make(copy, length);
}

static int digit_of(char octet) {
	if (is_break(octet)) return -1;
	if (octet >= '0' && octet <= '9') return octet - '0';
	octet = (char)(octet | 0x20);
	return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

static bool is_written(struct slice text, size_t at, const char *escape) {
	return text.length - at >= 3 && text.bytes[at + 1] == escape[1] &&
		(text.bytes[at + 2] | 0x20) == escape[2];
}

/* A URL inside a URL has its colon or slashes written as %3A, %2F. */
static bool has_inner(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (text.bytes[i] == '%' && (is_written(text, i, "%3a") || is_written(text, i, "%2f")))
			return true;
	return false;
}

static void judge_inner(struct network *network, struct slice text) {
	char *copy = arena_alloc(&network->arena, text.length);
	size_t length = 0;
	if (!copy) {
		tell(network, "is too long to be looked at");
		return;
	}
	for (size_t i = 0; i < text.length; i++) {
		int high = text.bytes[i] == '%' && text.length - i > 2 ? digit_of(text.bytes[i + 1]) : -1;
		int low = high >= 0 ? digit_of(text.bytes[i + 2]) : -1;
		copy[length++] = low >= 0 ? (char)(high << 4 | low) : text.bytes[i];
		if (low >= 0) i += 2;
	}
	judge_urls(network, slice_make(copy, length), false);
}

static void judge_text(struct network *network, struct slice text, const char *name) {
	enum holds holds = holds_of(name);
	bool is_one = !text.length || !memchr(text.bytes, ' ', text.length);
	if (holds == HOLDS_HOST || is_one) text = without_breaks(network, text);
	if (!text.length) return;
	/* A sentence under a host's key is searched like any other. */
	const char *blank = memchr(text.bytes, ' ', text.length),
		   *colon = memchr(text.bytes, ':', text.length);
	bool is_whole = holds == HOLDS_HOST && (!blank || (colon && colon < blank && colon + 1 != blank));
	bool has_urls = judge_urls(network, text, is_whole);
	if (has_inner(text)) judge_inner(network, text);
	if (has_urls) judge_bare_inner(network, text);
	if (holds == HOLDS_WORDS) judge_words(network, text);
	else if (!has_urls) judge_bare(network, text, holds);
}

static void judge_string(struct network *network, const struct validator_item *item) {
	struct slice text;
	if (scan_string(&item->value, &network->arena, &text)) judge_text(network, text, item->name);
	else tell(network, "is too long to be looked at");
}

static void judge_key(struct network *network, const struct validator_item *item) {
	const struct scan_member member = {.key = item->key, .key_escaped = item->key_escaped};
	struct slice key;
	if (!item->key.bytes) return;
	if (scan_key(&member, &network->arena, &key)) judge_urls(network, key, false);
	else tell(network, "is too long to be looked at");
}

/* {"host":2130706433} is 127.0.0.1. */
static void judge_number(struct network *network, const struct validator_item *item) {
	static const char *const names[] = {
		"host", "hostname", "ip", "ipaddress", "addr", "server", "hosts", NULL};
	if (validator_walk_is(item->name, names)) judge_bare(network, item->value.text, HOLDS_HOST);
}

void validator_network_judge(
	struct slice arguments, struct validator_hosts *hosts, struct validator_report *report) {
	char lent[LENT];
	struct network network; /* not zeroed: it is large */
	struct validator_item item;
	network.report = report;
	network.hosts = hosts;
	hosts->count = 0;
	arena_init(&network.arena, lent, sizeof lent, 0);
	validator_walk_open(&network.walk, arguments);
	while (validator_walk_next(&network.walk, &item)) {
		arena_reset(&network.arena);
		judge_key(&network, &item);
		if (item.value.type == SCAN_STRING) judge_string(&network, &item);
		else if (item.value.type == SCAN_NUMBER) judge_number(&network, &item);
	}
	if (network.walk.is_deep)
		validator_report_add(
			report, 0, "arguments", "are nested deeper than %d levels", SCAN_DEPTH);
	arena_finish(&network.arena);
}
