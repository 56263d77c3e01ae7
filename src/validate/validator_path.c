/* SPDX-License-Identifier: Apache-2.0 */
/* Validator path: tables of places, compared at the beginning of each path and of each part of one. */
#include "validate/validator_path.h"

#include <fnmatch.h>
#include <stdio.h>
#include <strings.h>

#define CLIMBS "climbs out of its folder with .."
#define SECRETS "names a file that holds secrets"
#define SYSTEM "names a file of the system that is closed"
#define DEVICE "names a device"
#define PROCESS "names the inside of a process"
#define SOCKET "names a socket that commands the machine"
#define HIDDEN "hides a path in an encoding"

struct place {
	const char *name;
	bool is_prefix; /* anything may follow */
	const char *what;
};

/* From the root. */
static const struct place roots[] = {
	{"/etc/shadow", true, SECRETS},
	{"/etc/gshadow", true, SECRETS},
	{"/etc/passwd", true, SYSTEM},
	{"/etc/sudoers", true, SYSTEM},
	{"/etc/ssh/ssh_host_", true, SECRETS},
	{"/etc/ssl/private", false, SECRETS},
	{"/etc/letsencrypt/live", false, SECRETS},
	{"/etc/krb5.keytab", false, SECRETS},
	{"/etc/kubernetes", false, SECRETS},
	{"/etc/pam.d", false, SYSTEM},
	{"/etc/security", false, SYSTEM},
	{"/etc/cron", true, SYSTEM},
	{"/var/spool/cron", false, SYSTEM},
	{"/etc/ld.so.preload", false, SYSTEM},
	{"/root", false, SECRETS},
	{"/boot", false, SYSTEM},
	{"/proc/kcore", false, SYSTEM},
	{"/proc/kmem", false, SYSTEM},
	{"/proc/sysrq-trigger", false, SYSTEM},
	{"/proc/sys/kernel/core_pattern", false, SYSTEM},
	{"/proc/sys/kernel/modprobe", false, SYSTEM},
	{"/sys/kernel", false, SYSTEM},
	{"/sys/firmware", false, SYSTEM},
	{"/dev/sd", true, DEVICE},
	{"/dev/hd", true, DEVICE},
	{"/dev/vd", true, DEVICE},
	{"/dev/xvd", true, DEVICE},
	{"/dev/nvme", true, DEVICE},
	{"/dev/mmcblk", true, DEVICE},
	{"/dev/disk", true, DEVICE},
	{"/dev/mapper", false, DEVICE},
	{"/dev/dm-", true, DEVICE},
	{"/dev/loop", true, DEVICE},
	{"/dev/mem", false, DEVICE},
	{"/dev/kmem", false, DEVICE},
	{"/dev/port", false, DEVICE},
	{"/dev/tcp", false, "opens a connection through /dev"},
	{"/dev/udp", false, "opens a connection through /dev"},
	{"/physicaldrive", true, DEVICE},
	{"/run/secrets", false, SECRETS},
	{"/var/run/secrets", false, SECRETS},
	{"/var/lib/docker", false, SYSTEM},
	{"/var/lib/kubelet", false, SYSTEM},
	{"/windows/system32/config", false, SECRETS},
	{"/windows/repair", false, SECRETS},
	{"/windows/ntds", false, SECRETS},
};

/* Anywhere in a path. */
static const struct place parts[] = {
	{".ssh", false, SECRETS},
	{".gnupg", false, SECRETS},
	{".aws", false, SECRETS},
	{".azure", false, SECRETS},
	{".kube", false, SECRETS},
	{".docker/config.json", false, SECRETS},
	{".config/gcloud", false, SECRETS},
	{".config/gh/hosts", true, SECRETS},
	{".netrc", false, SECRETS},
	{"_netrc", false, SECRETS},
	{".pgpass", false, SECRETS},
	{".my.cnf", false, SECRETS},
	{".git-credentials", false, SECRETS},
	{".pypirc", false, SECRETS},
	{".htpasswd", false, SECRETS},
	{".bash_history", false, SECRETS},
	{".zsh_history", false, SECRETS},
	{".psql_history", false, SECRETS},
	{".mysql_history", false, SECRETS},
	{".vault-token", false, SECRETS},
	{".password-store", false, SECRETS},
	{"id_rsa", false, SECRETS},
	{"id_dsa", false, SECRETS},
	{"id_ecdsa", false, SECRETS},
	{"id_ed25519", false, SECRETS},
	{"authorized_keys", false, SECRETS},
	{"ntuser.dat", false, SECRETS},
	{"library/keychains", false, SECRETS},
	{"docker.sock", false, SOCKET},
	{"containerd.sock", false, SOCKET},
	{"crio.sock", false, SOCKET},
	{"release_agent", false, SYSTEM},
};

/* What a pattern in an absolute path may stand for. */
static const char *const patterned[] = {"/etc/shadow", "/etc/gshadow", "/etc/passwd", "/etc/sudoers",
	"/root", "/root/.ssh", "/proc/self/environ", "/dev/sda", "/home/u/.ssh", "/home/u/.ssh/id_rsa",
	"/root/.ssh/id_rsa", "/home/u/.aws/credentials", "~/.ssh", "~/.ssh/id_rsa", "~/.aws/credentials"};

static const char *const process_parts[] = {"environ", "mem", "root", "cwd", "fd", "ns", "maps"};

static char lower(char octet) { return octet >= 'A' && octet <= 'Z' ? (char)(octet | 0x20) : octet; }

static bool is_name(char octet) {
	octet = lower(octet);
	return (octet >= 'a' && octet <= 'z') || (octet >= '0' && octet <= '9') || octet == '_' ||
		octet == '-' || octet == '.' || (unsigned char)octet >= 0x80;
}

static bool begins_with(struct slice text, size_t at, const char *name, size_t length) {
	return text.length - at >= length && strncasecmp(text.bytes + at, name, length) == 0;
}

static bool stands_at(struct slice text, size_t at, const struct place *place) {
	/* The first octet that tells places apart. */
	size_t first = place->name[0] == '/' ? 1 : 0;
	if (text.length - at <= first || lower(text.bytes[at + first]) != place->name[first]) return false;
	size_t length = strlen(place->name);
	if (!begins_with(text, at, place->name, length)) return false;
	return place->is_prefix || at + length == text.length || !is_name(text.bytes[at + length]) ||
		/* the full stop of a sentence */
		(text.bytes[at + length] == '.' &&
			(at + length + 1 == text.length || text.bytes[at + length + 1] == ' '));
}

/* "/proc/1234/environ", "/proc/self/root" */
static bool is_process(struct slice text, size_t at) {
	if (!begins_with(text, at, "/proc/", 6)) return false;
	size_t slash = at + 6;
	while (slash < text.length && text.bytes[slash] != '/' && text.bytes[slash] != ' ') slash++;
	if (slash >= text.length || text.bytes[slash] != '/') return false;
	for (size_t i = 0; i < COUNT_OF(process_parts); i++) {
		const struct place part = {process_parts[i], false, NULL};
		if (stands_at(text, slash + 1, &part)) return true;
	}
	return false;
}

/* ".env" and ".env.local", but not what is given as an example. */
static bool is_environment(struct slice text, size_t at) {
	if (!begins_with(text, at, ".env", 4)) return false;
	static const char *const kinds[] = {"", ".local", ".production", ".prod", ".development", ".dev",
		".staging", ".stage", ".test", ".live", ".backup", ".bak"};
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		char name[24];
		snprintf(name, sizeof name, ".env%s", kinds[i]);
		const struct place place = {name, false, NULL};
		if (stands_at(text, at, &place)) return true;
	}
	return false;
}

/* ---- One path, word for word ---- */

static bool is_climbing(struct slice text, size_t at) {
	if (!begins_with(text, at, "..", 2)) return false;
	bool behind = at + 2 < text.length && text.bytes[at + 2] == '/';
	bool ends = at + 2 == text.length || !is_name(text.bytes[at + 2]);
	bool before = at > 0 && text.bytes[at - 1] == '/';
	return behind || (ends && before) || text.length == 2;
}

static const char *judge_part(struct slice text, size_t at, bool is_command) {
	if (!strchr("._acdilnr", lower(text.bytes[at]))) return NULL; /* none of ours begins so */
	if (is_climbing(text, at)) return CLIMBS;
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (stands_at(text, at, &parts[i])) return parts[i].what;
	return is_command && is_environment(text, at) ? SECRETS : NULL;
}

static const char *judge_root(struct slice text, size_t at) {
	if (at + 1 >= text.length || !strchr("bdeprsvw", lower(text.bytes[at + 1]))) return NULL;
	for (size_t i = 0; i < COUNT_OF(roots); i++)
		if (stands_at(text, at, &roots[i])) return roots[i].what;
	return is_process(text, at) ? PROCESS : NULL;
}

/* A pattern that would take long to compare is not let through either. */
static const char *judge_pattern(struct slice text, size_t at) {
	char pattern[65];
	size_t length = 0, stars = 0;
	bool is_pattern = false, has_class = false;
	for (; at < text.length && length < sizeof pattern - 1; at++) {
		char octet = lower(text.bytes[at]);
		if (strchr(" \t\r\n'\"=,:", octet)) break; /* and NUL */
		if (octet == '*') stars++;
		if (octet == '[') has_class = true;
		if (octet == '*' || octet == '?' || octet == '[') is_pattern = true;
		pattern[length++] = octet;
	}
	pattern[length] = '\0';
	if (!is_pattern) return NULL;
	if (stars > 4 || (has_class && length == sizeof pattern - 1))
		return "has a pattern that is too long";
	for (size_t i = 0; i < COUNT_OF(patterned); i++)
		if (fnmatch(pattern, patterned[i], FNM_PATHNAME) == 0) return SECRETS;
	return NULL;
}

static bool begins_part(struct slice text, size_t at) {
	return at == 0 || (!is_name(text.bytes[at - 1]) && text.bytes[at - 1] != '*');
}

static bool has_pattern(struct slice text) {
	return text.length &&
		(memchr(text.bytes, '*', text.length) || memchr(text.bytes, '?', text.length) ||
			memchr(text.bytes, '[', text.length));
}

static const char *judge_plain(struct slice text, bool is_command) {
	bool may_be_pattern = has_pattern(text);
	for (size_t at = 0; at < text.length; at++) {
		char octet = text.bytes[at];
		const char *what = NULL;
		if (!begins_part(text, at)) continue;
		if (octet == '/' && (at == 0 || text.bytes[at - 1] != '~')) what = judge_root(text, at);
		if (!what && is_name(octet)) what = judge_part(text, at, is_command);
		if (!what && may_be_pattern && (octet == '/' || octet == '~') &&
			(at == 0 || text.bytes[at - 1] != '/'))
			what = judge_pattern(text, at);
		if (what) return what;
	}
	return NULL;
}

/* ---- What hides a path ---- */

static bool contains(struct slice text, const char *part) {
	size_t length = strlen(part);
	for (size_t i = 0; i + length <= text.length; i++)
		if (strncasecmp(text.bytes + i, part, length) == 0) return true;
	return false;
}

static int digit_of(char octet) {
	octet = lower(octet);
	if (octet >= '0' && octet <= '9') return octet - '0';
	return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

/* In place; whether anything was undone. */
static bool undo_percent(char *bytes, size_t *length) {
	size_t to = 0;
	bool is_changed = false;
	for (size_t i = 0; i < *length; i++) {
		int high = bytes[i] == '%' && *length - i > 2 ? digit_of(bytes[i + 1]) : -1;
		int low = high >= 0 ? digit_of(bytes[i + 2]) : -1;
		if (low >= 0) {
			bytes[to++] = (char)(high << 4 | low);
			is_changed = true;
			i += 2;
		} else {
			bytes[to++] = bytes[i];
		}
	}
	*length = to;
	return is_changed;
}

/* Quotes go, backslashes become slashes (or go as well, as a shell has it), "//" and "/./" one slash. */
static size_t make_plain(char *bytes, size_t length, bool is_shell) {
	size_t to = 0;
	for (size_t i = 0; i < length; i++) {
		char octet = bytes[i] == '\\' ? '/' : bytes[i];
		if (octet == '"' || octet == '\'' || (is_shell && bytes[i] == '\\')) continue;
		bytes[to++] = octet;
		if (to > 1 && octet == '/' && bytes[to - 2] == '/') to--;
		if (to > 2 && octet == '/' && bytes[to - 2] == '.' && bytes[to - 3] == '/') to -= 2;
	}
	return to;
}

static bool has_disguise(struct slice text) {
	for (size_t i = 0; i < text.length; i++) {
		char octet = text.bytes[i];
		if (octet == '%' || octet == '\\' || octet == '"' || octet == '\'') return true;
		if (octet == '/' && i + 1 < text.length &&
			(text.bytes[i + 1] == '/' || text.bytes[i + 1] == '.'))
			return true;
	}
	return false;
}

/* "/etc/{passwd,hosts}": each alternative of the first braces with what stands before and behind them. */
static const char *judge_braces(struct slice text, bool is_command) {
	const char *open = text.length ? memchr(text.bytes, '{', text.length) : NULL;
	const char *close = open ? memchr(open, '}', (size_t)(text.bytes + text.length - open)) : NULL;
	if (!close || close - open > 256) return NULL;
	size_t before = 0, behind = 0;
	while (before < 128 && open - before > text.bytes &&
		!strchr(" \t'\"", open[-1 - (ptrdiff_t)before]))
		before++;
	while (behind < 128 && close + behind + 1 < text.bytes + text.length &&
		!strchr(" \t'\"", close[1 + behind]))
		behind++;
	struct slice rest = slice_make(open + 1, (size_t)(close - open - 1)), part;
	while (slice_split(&rest, ',', &part)) {
		char path[640];
		int length = snprintf(path, sizeof path, "%.*s%.*s%.*s", (int)before, open - before,
			SLICE_ARGS(part), (int)behind, close + 1);
		const char *what = judge_plain(slice_make(path, (size_t)length), is_command);
		if (what) return what;
	}
	return NULL;
}

static const char *judge_copy(struct slice text, bool is_command, bool is_shell, struct arena *arena) {
	char *copy = arena_alloc(arena, text.length + 1);
	if (!copy) return "is too long to be looked at";
	memcpy(copy, text.bytes, text.length);
	size_t length = text.length;
	for (int rounds = 0; rounds < 3 && undo_percent(copy, &length); rounds++) {}
	length = make_plain(copy, length, is_shell);
	return judge_plain(slice_make(copy, length), is_command);
}

const char *validator_path_judge(struct slice text, bool is_command, struct arena *arena) {
	bool is_one = text.length && !memchr(text.bytes, ' ', text.length);
	const char *what = judge_plain(text, is_command || is_one);
	if (!what) what = judge_braces(text, is_command);
	if (what || !has_disguise(text)) return what;
	static const char *const encodings[] = {"%c0%ae", "%c0%af", "%c1%9c", "%u002e", "%u2215", "....//"};
	for (size_t i = 0; i < COUNT_OF(encodings); i++)
		if (contains(text, encodings[i])) return HIDDEN;

	what = judge_copy(text, is_command || is_one, false, arena);
	if (!what && memchr(text.bytes, '\\', text.length))
		what = judge_copy(text, is_command || is_one, true, arena);
	return what;
}
