/* SPDX-License-Identifier: Apache-2.0 */
/* Validator url: colons are where URLs are found. */
#include "validate/validator_url.h"

#include <strings.h>

static const struct {
	const char *name;
	enum url_scheme scheme;
} schemes[] = {
	{"http", URL_WEB},
	{"https", URL_WEB},
	{"ws", URL_WEB},
	{"wss", URL_WEB},
	{"ftp", URL_NETWORK},
	{"ftps", URL_NETWORK},
	{"sftp", URL_NETWORK},
	{"ssh", URL_NETWORK},
	{"git", URL_NETWORK},
	{"git+ssh", URL_NETWORK},
	{"git+http", URL_NETWORK},
	{"git+https", URL_NETWORK},
	{"svn", URL_NETWORK},
	{"svn+ssh", URL_NETWORK},
	{"postgres", URL_NETWORK},
	{"postgresql", URL_NETWORK},
	{"mysql", URL_NETWORK},
	{"mariadb", URL_NETWORK},
	{"redis", URL_NETWORK},
	{"rediss", URL_NETWORK},
	{"mongodb", URL_NETWORK},
	{"mongodb+srv", URL_NETWORK},
	{"amqp", URL_NETWORK},
	{"amqps", URL_NETWORK},
	{"mqtt", URL_NETWORK},
	{"mqtts", URL_NETWORK},
	{"nats", URL_NETWORK},
	{"tcp", URL_NETWORK},
	{"udp", URL_NETWORK},
	{"tls", URL_NETWORK},
	{"ssl", URL_NETWORK},
	{"rtsp", URL_NETWORK},
	{"rtmp", URL_NETWORK},
	{"sip", URL_NETWORK},
	{"irc", URL_NETWORK},
	{"ircs", URL_NETWORK},
	{"stun", URL_NETWORK},
	{"turn", URL_NETWORK},
	{"kafka", URL_NETWORK},
	{"clickhouse", URL_NETWORK},
	{"mssql", URL_NETWORK},
	{"sqlserver", URL_NETWORK},
	{"grpc", URL_NETWORK},
	{"grpcs", URL_NETWORK},
	{"socks", URL_NETWORK},
	{"socks4", URL_NETWORK},
	{"socks5", URL_NETWORK},
	{"socks5h", URL_NETWORK},
	{"feed", URL_NETWORK},
	{"webcal", URL_NETWORK},
	{"rsync", URL_NETWORK},
	{"docker", URL_NETWORK},
	{"file", URL_CLOSED},
	{"gopher", URL_CLOSED},
	{"gophers", URL_CLOSED},
	{"dict", URL_CLOSED},
	{"ldap", URL_CLOSED},
	{"ldaps", URL_CLOSED},
	{"ldapi", URL_CLOSED},
	{"tftp", URL_CLOSED},
	{"jar", URL_CLOSED},
	{"netdoc", URL_CLOSED},
	{"php", URL_CLOSED},
	{"phar", URL_CLOSED},
	{"expect", URL_CLOSED},
	{"zip", URL_CLOSED},
	{"glob", URL_CLOSED},
	{"ogg", URL_CLOSED},
	{"rar", URL_CLOSED},
	{"compress.zlib", URL_CLOSED},
	{"unix", URL_CLOSED},
	{"http+unix", URL_CLOSED},
	{"https+unix", URL_CLOSED},
	{"npipe", URL_CLOSED},
	{"smb", URL_CLOSED},
	{"cifs", URL_CLOSED},
	{"nfs", URL_CLOSED},
	{"afp", URL_CLOSED},
	{"telnet", URL_CLOSED},
	{"imap", URL_CLOSED},
	{"imaps", URL_CLOSED},
	{"pop3", URL_CLOSED},
	{"pop3s", URL_CLOSED},
	{"smtp", URL_CLOSED},
	{"smtps", URL_CLOSED},
	{"view-source", URL_CLOSED},
	{"chrome", URL_CLOSED},
	{"javascript", URL_CLOSED},
	{"vbscript", URL_CLOSED},
	{"local_file", URL_CLOSED},
	{"local", URL_CLOSED},
	{"res", URL_CLOSED},
	{"shell", URL_CLOSED},
	{"finger", URL_CLOSED},
	{"wais", URL_CLOSED},
	{"scp", URL_CLOSED},
	{"filesystem", URL_CLOSED},
	{"jdbc", URL_CLOSED},
	{"rmi", URL_CLOSED},
	{"iiop", URL_CLOSED},
	{"dns", URL_CLOSED},
	{"nis", URL_CLOSED},
	{"corbaname", URL_CLOSED},
	{"data", URL_INERT},
	{"mailto", URL_INERT},
	{"tel", URL_INERT},
	{"about", URL_INERT},
	{"urn", URL_INERT},
	{"s3", URL_INERT},
	{"gs", URL_INERT},
	{"az", URL_INERT},
	{"abfs", URL_INERT},
	{"abfss", URL_INERT},
	{"arn", URL_INERT},
	{"doi", URL_INERT},
	{"isbn", URL_INERT},
	{"magnet", URL_INERT},
	{"ipfs", URL_INERT},
};

/* Those that the Fetch standard keeps browsers from. */
static const unsigned short bad_ports[] = {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43,
	53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139,
	143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587,
	601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379,
	6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211};

static bool is_letter(char octet) {
	octet = (char)(octet | 0x20);
	return octet >= 'a' && octet <= 'z';
}

static bool is_digit(char octet) { return octet >= '0' && octet <= '9'; }

static bool is_of_scheme(char octet) {
	return is_letter(octet) || is_digit(octet) || octet == '+' || octet == '-' || octet == '.' ||
		octet == '_';
}

static bool is_slash(char octet) { return octet == '/' || octet == '\\'; }

static enum url_scheme scheme_of(struct slice name) {
	if (!name.length) return URL_NONE;
	for (size_t i = 0; i < COUNT_OF(schemes); i++)
		if (slice_equal_ignoring_case(name, slice_of(schemes[i].name))) return schemes[i].scheme;
	return URL_UNKNOWN;
}

/* Where the name of the scheme begins that ends before the colon. */
static size_t scheme_start(struct slice text, size_t colon, size_t from) {
	size_t start = colon, least = colon > 24 ? colon - 24 : 0;
	if (least < from) least = from;
	while (start > least && is_of_scheme(text.bytes[start - 1])) start--;
	while (start < colon && !is_letter(text.bytes[start])) start++;
	return start;
}

/* In a URL that is the whole text, blanks and quotes belong to it. */
static bool ends_authority(char octet, bool is_whole) {
	if (is_slash(octet) || octet == '?' || octet == '#') return true;
	return !is_whole && ((unsigned char)octet <= ' ' || strchr("\"'<>`{}|^(),;", octet));
}

bool validator_url_find(struct slice text, size_t from, bool is_whole, struct url_parts *parts) {
	for (size_t colon = from; colon < text.length; colon++) {
		const char *next = memchr(text.bytes + colon, ':', text.length - colon);
		if (!next) return false;
		colon = (size_t)(next - text.bytes);
		size_t start = scheme_start(text, colon, from), at = colon + 1;
		struct slice name = slice_make(text.bytes + start, colon - start);
		enum url_scheme scheme = scheme_of(name);
		while (at < text.length && is_slash(text.bytes[at])) at++;
		size_t slashes = at - colon - 1;
		bool is_bare = is_whole && start == 0 && slashes == 0 && at < text.length &&
			!is_digit(text.bytes[at]);
		bool is_web = scheme == URL_WEB && (slashes >= 1 || (is_whole && start == 0));
		if (scheme == URL_NONE ||
			!(slashes >= 2 || is_web || is_bare ||
				(is_whole && start == 0 && scheme == URL_CLOSED)))
			continue;
		/* file:///path has no host; http:///host has. */
		if (scheme != URL_WEB && slashes > 2) at = colon + 3;
		size_t end = at;
		while (end < text.length && !ends_authority(text.bytes[end], is_whole)) end++;
		*parts = (struct url_parts){scheme, name, slice_make(text.bytes + at, end - at), end};
		return true;
	}
	return false;
}

void validator_url_split(struct slice authority, struct url_authority *parts) {
	*parts = (struct url_authority){.host = authority};
	const char *at = authority.length ? memrchr(authority.bytes, '@', authority.length) : NULL;
	if (at) {
		size_t before = (size_t)(at - authority.bytes);
		parts->userinfo = slice_make(authority.bytes, before);
		parts->host = slice_make(at + 1, authority.length - before - 1);
	}
	struct slice host = parts->host;
	if (!host.length) return;
	const char *bracket = host.bytes[0] == '[' ? memchr(host.bytes, ']', host.length) : NULL;
	size_t from = bracket ? (size_t)(bracket - host.bytes) : 0;
	const char *colon = memchr(host.bytes + from, ':', host.length - from);
	if (!colon) return;
	/* More than one without brackets: an IPv6 address. */
	if (!bracket && memrchr(host.bytes, ':', host.length) != colon) return;
	size_t length = (size_t)(colon - host.bytes);
	parts->host = slice_make(host.bytes, length);
	parts->port = slice_make(colon + 1, host.length - length - 1);
}

bool validator_url_is_bad_port(struct slice port) {
	uint64_t number;
	if (!port.bytes || !port.length) return false;
	if (!slice_number(port, 65535, &number)) return true;
	for (size_t i = 0; i < COUNT_OF(bad_ports); i++)
		if (number == bad_ports[i]) return true;
	return false;
}
