/* SPDX-License-Identifier: Apache-2.0 */
/* Schema format: each is a small reader that must come to the end of the text. */
#include "mcp/schema_format.h"

#include <arpa/inet.h>

static bool is_digit(char octet) {
	return octet >= '0' && octet <= '9';
}

static bool is_hex(char octet) {
	char letter = (char)(octet | 0x20);
	return is_digit(octet) || (letter >= 'a' && letter <= 'f');
}

static bool is_letter(char octet) {
	char letter = (char)(octet | 0x20);
	return letter >= 'a' && letter <= 'z';
}

/* `count` digits that stand for `least` to `most`. */
static bool digits_take(struct slice *rest, size_t count, unsigned least, unsigned most,
	unsigned *number) {
	unsigned sum = 0;
	if (rest->length < count) return false;
	for (size_t i = 0; i < count; i++) {
		if (!is_digit(rest->bytes[i])) return false;
		sum = sum * 10 + (unsigned)(rest->bytes[i] - '0');
	}
	*rest = slice_make(rest->bytes + count, rest->length - count);
	*number = sum;
	return sum >= least && sum <= most;
}

static bool octet_take(struct slice *rest, char octet) {
	if (!rest->length || rest->bytes[0] != octet) return false;
	*rest = slice_make(rest->bytes + 1, rest->length - 1);
	return true;
}

static bool date_take(struct slice *rest) {
	static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned year, month, day;
	if (!digits_take(rest, 4, 0, 9999, &year) || !octet_take(rest, '-') ||
		!digits_take(rest, 2, 1, 12, &month) || !octet_take(rest, '-') ||
		!digits_take(rest, 2, 1, days[month - 1], &day))
		return false;
	bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
	return month != 2 || day < 29 || is_leap;
}

/* Minutes east of Greenwich. */
static bool zone_take(struct slice *rest, int *minutes) {
	unsigned hour, minute;
	*minutes = 0;
	if (octet_take(rest, 'Z') || octet_take(rest, 'z')) return true;
	bool is_west = octet_take(rest, '-');
	if (!is_west && !octet_take(rest, '+')) return false;
	if (!digits_take(rest, 2, 0, 23, &hour) || !octet_take(rest, ':') ||
		!digits_take(rest, 2, 0, 59, &minute))
		return false;
	*minutes = (int)(hour * 60 + minute) * (is_west ? -1 : 1);
	return true;
}

static bool time_take(struct slice *rest) {
	unsigned hour, minute, second;
	int zone;
	if (!digits_take(rest, 2, 0, 23, &hour) || !octet_take(rest, ':') ||
		!digits_take(rest, 2, 0, 59, &minute) || !octet_take(rest, ':') ||
		!digits_take(rest, 2, 0, 60, &second))
		return false;
	if (octet_take(rest, '.')) {
		if (!rest->length || !is_digit(rest->bytes[0])) return false;
		while (rest->length && is_digit(rest->bytes[0])) octet_take(rest, rest->bytes[0]);
	}
	if (!zone_take(rest, &zone)) return false;
	if (second < 60) return true;
	/* A leap second is the last one of a day in Greenwich. */
	int there = ((int)(hour * 60 + minute) - zone + 2 * 24 * 60) % (24 * 60);
	return there == 23 * 60 + 59;
}

static bool date_time_take(struct slice *rest) {
	return date_take(rest) && (octet_take(rest, 'T') || octet_take(rest, 't')) && time_take(rest);
}

static bool ip_fits(struct slice text, int family) {
	char written[64], read[16];
	if (text.length >= sizeof written || (text.length && memchr(text.bytes, '\0', text.length)))
		return false;
	if (text.length) memcpy(written, text.bytes, text.length);
	written[text.length] = '\0';
	return inet_pton(family, written, read) == 1;
}

static bool host_fits(struct slice host) {
	size_t label = 0;
	if (!host.length || host.length > 253) return false;
	for (size_t i = 0; i < host.length; i++) {
		char octet = host.bytes[i], next = i + 1 < host.length ? host.bytes[i + 1] : '.';
		if (octet == '.') {
			if (!label) return false;
			label = 0;
			continue;
		}
		bool is_dash = octet == '-' && label && next != '.';
		if (!is_digit(octet) && !is_letter(octet) && !is_dash) return false;
		if (++label > 63) return false;
	}
	return label > 0;
}

static bool mailbox_fits(struct slice local) {
	bool is_quoted = local.length >= 2 && local.bytes[0] == '"' && local.bytes[local.length - 1] == '"';
	if (!local.length || local.length > 64) return false;
	for (size_t i = is_quoted; i < local.length - is_quoted; i++) {
		unsigned char octet = (unsigned char)local.bytes[i];
		if (octet >= 0x7f || octet < (is_quoted ? 0x20 : 0x21)) return false;
		if (is_quoted) {
			if (octet == '"') return false;
			if (octet == '\\' && ++i >= local.length - 1) return false;
			continue;
		}
		bool is_edge = i == 0 || i + 1 == local.length || local.bytes[i - 1] == '.';
		if (octet == '.' ? is_edge : strchr("()<>[]:;@\\,\"", octet) != NULL) return false;
	}
	return true;
}

static bool email_fits(struct slice text) {
	size_t at = text.length;
	while (at && text.bytes[at - 1] != '@') at--;
	if (!at) return false;
	struct slice host = slice_make(text.bytes + at, text.length - at);
	if (!mailbox_fits(slice_make(text.bytes, at - 1))) return false;
	if (host.length < 3 || host.bytes[0] != '[' || host.bytes[host.length - 1] != ']')
		return host_fits(host);
	host = slice_make(host.bytes + 1, host.length - 2);
	if (!slice_starts_with(host, "IPv6:")) return ip_fits(host, AF_INET);
	return ip_fits(slice_make(host.bytes + 5, host.length - 5), AF_INET6);
}

static bool authority_fits(struct slice authority) {
	const char *host = authority.bytes, *end = host + authority.length;
	for (const char *at = host; at < end; at++)
		if (*at == '@') host = at + 1;
	for (const char *at = authority.bytes; at < host; at++)
		if (*at == '[' || *at == ']') return false;
	const char *port = end;
	if (host < end && *host == '[') {
		const char *close = memchr(host, ']', (size_t)(end - host));
		if (!close) return false;
		struct slice inside = slice_make(host + 1, (size_t)(close - host - 1));
		bool is_later = inside.length && (inside.bytes[0] | 0x20) == 'v';
		if (!is_later && !ip_fits(inside, AF_INET6)) return false;
		port = close + 1;
	} else {
		for (const char *at = host; at < end; at++)
			if (*at == '[' || *at == ']') return false;
		const char *colon = memchr(host, ':', (size_t)(end - host));
		if (colon) port = colon;
	}
	if (port < end && *port++ != ':') return false;
	for (; port < end; port++)
		if (!is_digit(*port)) return false;
	return true;
}

static bool is_uri_octet(char octet) {
	return is_letter(octet) || is_digit(octet) || (octet && strchr("-._~:/?@!$&'()*+,;=", octet));
}

static bool uri_fits(struct slice text) {
	size_t scheme = 0;
	bool has_fragment = false;
	while (scheme < text.length && text.bytes[scheme] != ':') {
		char octet = text.bytes[scheme++];
		bool is_other = octet && (is_digit(octet) || strchr("+-.", octet));
		if (!is_letter(octet) && (scheme == 1 || !is_other)) return false;
	}
	if (!scheme || scheme == text.length) return false;
	struct slice rest = slice_make(text.bytes + scheme + 1, text.length - scheme - 1);
	size_t authority = 0;
	bool has_authority = slice_starts_with(rest, "//");
	for (size_t i = has_authority ? 2 : 0; has_authority && i < rest.length; i++, authority++)
		if (strchr("/?#", rest.bytes[i])) break;
	for (size_t i = 0; i < rest.length; i++) {
		char octet = rest.bytes[i];
		bool is_bracket = (octet == '[' || octet == ']') && has_authority && i < authority + 2;
		if (octet == '%') {
			if (i + 2 >= rest.length || !is_hex(rest.bytes[i + 1]) || !is_hex(rest.bytes[i + 2]))
				return false;
		} else if (octet == '#') {
			if (has_fragment) return false;
			has_fragment = true;
		} else if (!is_bracket && !is_uri_octet(octet)) {
			return false;
		}
	}
	return !has_authority || authority_fits(slice_make(rest.bytes + 2, authority));
}

static bool uuid_fits(struct slice text) {
	if (text.length != 36) return false;
	for (size_t i = 0; i < text.length; i++) {
		bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (is_dash ? text.bytes[i] != '-' : !is_hex(text.bytes[i])) return false;
	}
	return true;
}

static const struct {
	const char *name;
	const char *words;
} formats[SCHEMA_FORMATS] = {
	[SCHEMA_FORMAT_NONE] = {"", ""},
	[SCHEMA_DATE] = {"date", "a date (YYYY-MM-DD) like 2026-01-31"},
	[SCHEMA_TIME] = {"time", "a time with its zone, like 13:05:00Z"},
	[SCHEMA_DATE_TIME] = {"date-time", "a time like 2026-01-31T13:05:00Z"},
	[SCHEMA_EMAIL] = {"email", "an address like name@example.org"},
	[SCHEMA_URI] = {"uri", "a URI with its scheme, like https://example.org/"},
	[SCHEMA_UUID] = {"uuid", "a UUID like 0b0e9e0c-5a0f-4d60-8f0e-0c6f7a1f2b3c"},
	[SCHEMA_IPV4] = {"ipv4", "an address like 192.0.2.1"},
	[SCHEMA_IPV6] = {"ipv6", "an address like 2001:db8::1"},
};

enum schema_format schema_format_find(struct slice name) {
	for (unsigned i = SCHEMA_FORMAT_NONE + 1; i < SCHEMA_FORMATS; i++)
		if (slice_is(name, formats[i].name)) return i;
	return SCHEMA_FORMAT_NONE;
}

const char *schema_format_words(enum schema_format format) {
	return formats[format].words;
}

bool schema_format_fits(enum schema_format format, struct slice text) {
	struct slice rest = text;
	switch (format) {
	case SCHEMA_DATE: return date_take(&rest) && !rest.length;
	case SCHEMA_TIME: return time_take(&rest) && !rest.length;
	case SCHEMA_DATE_TIME: return date_time_take(&rest) && !rest.length;
	case SCHEMA_EMAIL: return email_fits(text);
	case SCHEMA_URI: return uri_fits(text);
	case SCHEMA_UUID: return uuid_fits(text);
	case SCHEMA_IPV4: return ip_fits(text, AF_INET);
	case SCHEMA_IPV6: return ip_fits(text, AF_INET6);
	case SCHEMA_FORMAT_NONE:
	case SCHEMA_FORMATS: break;
	}
	return true;
}
