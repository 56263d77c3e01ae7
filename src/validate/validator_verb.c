/* SPDX-License-Identifier: Apache-2.0 */
/* Validator verb: lists of words, and how a word is cut out of a name. */
#include "validate/validator_verb.h"

#include <strings.h>

#define VERB_OCTETS 32

static const char *const reading[] = {"get", "list", "read", "search", "find", "query", "select",
	"describe", "show", "count", "head", "options", "view", "fetch", "lookup", "status", "info", "ls",
	"cat", "stat", "exists", "check", "inspect", "explain", "aggregate", "scan", "browse", "preview",
	"validate", "peek", "tail", "diff", "log", "history", "summary", "summarize", "trace", "propfind",
	"report", "retrieve", "load", "download", "open", "watch", "poll", "ping", "test", "verify",
	"compare", "analyze", "analyse", "distinct", "estimated", "enumerate", "display", "print", "grep",
	"glob", "tree", "dir", "lstat", "readdir", "readfile", "help", "version", "whoami", "r", "rb", "rt",
	"ro", "readonly", "mget", "hget", "hgetall", "hmget", "hkeys", "hvals", "hlen", "lrange", "llen",
	"lindex", "smembers", "sismember", "scard", "zrange", "zscore", "zcard", "zcount", "ttl", "pttl",
	"type", "strlen", "keys", "hscan", "sscan", "zscan", "xrange", "xlen", "dbsize", "echo", "strings",
	"calculate", "estimate", "dryrun", "plan", "browse", "detail", "details", "metadata", "schema",
	"sample", "range", "has", "is", NULL};

static const char *const writing[] = {"write", "create", "update", "delete", "put", "post", "patch",
	"insert", "drop", "remove", "set", "add", "append", "upsert", "move", "mv", "rename", "copy", "cp",
	"edit", "modify", "save", "store", "upload", "replace", "truncate", "clear", "reset", "purge",
	"destroy", "erase", "wipe", "kill", "stop", "start", "restart", "execute", "exec", "run", "apply",
	"commit", "push", "merge", "revert", "rollback", "deploy", "install", "uninstall", "enable",
	"disable", "grant", "revoke", "assign", "unassign", "approve", "reject", "send", "publish",
	"submit", "import", "restore", "lock", "unlock", "mkdir", "rmdir", "rm", "del", "touch", "chmod",
	"chown", "link", "unlink", "symlink", "increment", "incr", "decr", "decrement", "w", "wb", "wt",
	"a", "ab", "at", "x", "xb", "rw", "wx", "ax", "bulkwrite", "bulk", "mkcol", "lpush", "rpush",
	"lpop", "rpop", "sadd", "srem", "spop", "zadd", "zrem", "hset", "hmset", "hdel", "hincrby",
	"incrby", "decrby", "mset", "msetnx", "setnx", "setex", "getset", "getdel", "getex", "expire",
	"expireat", "pexpire", "persist", "flushall", "flushdb", "flush", "shutdown", "config", "eval",
	"evalsha", "script", "bgsave", "migrate", "module", "xadd", "xdel", "xtrim", "ltrim", "lset",
	"linsert", "slaveof", "replicaof", "debug", "swapdb", "terminate", "cancel", "close", "archive",
	"unarchive", "transfer", "register", "unregister", "deregister", "subscribe", "unsubscribe",
	"attach", "detach", "invite", "block", "unblock", "mute", "pin", "unpin", "trigger", "invoke",
	"mutate", "reindex", "vacuum", "alter", "fork", "rebase", "squash", "tag", "cherry", "checkout",
	"stash", "init", "clone", "release", "discard", "overwrite", "increase", "decrease", "toggle",
	"change", "make", "build", "generate", "schedule", "unschedule", "pause", "resume", "scale",
	"reboot", "power", "format", "mount", "unmount", "kick", "ban", "vote", "like", "follow",
	"unfollow", "star", "unstar", "pay", "charge", "refund", "order", "buy", "sell", "book", "connect",
	"disconnect", "sync", "proppatch", "renameto", NULL};

/* Behind another word too: "getOrCreate", "find_one_and_update". */
static const char *const certain[] = {"write", "create", "update", "delete", "insert", "replace", "modify",
	"remove", "drop", "upsert", "append", "truncate", "overwrite", "destroy", "purge", "execute", NULL};

static const char *const writing_names[] = {"delete", "write", "create", "update", "overwrite", "truncate",
	"drop", "purge", "remove", "insert", "upsert", "append", "destroy", "commit", "save", "recreate",
	"createifmissing", "deleteafter", "force", "inplace", "allowwrite", "allowwrites", "writable",
	"writeable", "readwrite", "persist", "autocommit", "allowdangerousoperations", "apply", NULL};

static const char *const reading_programs[] = {"ls", "cat", "head", "tail", "less", "more", "grep", "egrep",
	"fgrep", "rg", "find", "fd", "wc", "sort", "uniq", "cut", "tr", "diff", "cmp", "comm", "stat",
	"file", "du", "df", "pwd", "echo", "printf", "whoami", "id", "uname", "hostname", "date", "uptime",
	"ps", "top", "free", "env", "printenv", "which", "whereis", "type", "tree", "readlink", "realpath",
	"basename", "dirname", "md5sum", "sha1sum", "sha256sum", "cksum", "strings", "hexdump", "xxd", "od",
	"jq", "column", "nl", "tac", "rev", "lsof", "netstat", "ss", "ping", "dig", "nslookup", "host",
	"man", "help", "test", "true", "false", "seq", "expr", "bc", "get", "mget", "keys", "scan", "ttl",
	"hget", "hgetall", "lrange", "smembers", "zrange", "exists", "info", "dbsize", "strlen", "awk",
	"sed", NULL};

static const char *const reading_git[] = {"status", "log", "diff", "show", "blame", "grep", "ls-files",
	"ls-tree", "rev-parse", "describe", "shortlog", "cat-file", "rev-list", "ls-remote", "reflog",
	NULL};
static const char *const reading_others[] = {"get", "describe", "logs", "ps", "images", "inspect",
	"version", "top", "events", "explain", "info", "list", "ls", "view", "show", "status", "search",
	NULL};
static const char *const other_programs[] = {"kubectl", "docker", "podman", "helm", "npm", "pip", "apt",
	"systemctl", "terraform", "brew", "cargo", NULL};

static bool is_one_of(struct slice word, const char *const *list) {
	for (; *list && word.length; list++)
		if ((word.bytes[0] | 0x20) == (**list | 0x20) && word.length == strlen(*list) &&
			strncasecmp(word.bytes, *list, word.length) == 0)
			return true;
	return false;
}

static bool is_lower(char octet) { return octet >= 'a' && octet <= 'z'; }
static bool is_upper(char octet) { return octet >= 'A' && octet <= 'Z'; }
static bool is_part(char octet) {
	return is_lower(octet) || is_upper(octet) || (octet >= '0' && octet <= '9');
}

/* The next word of "findOneAndUpdate" or "get_item"; false: no more. */
static bool take_word(struct slice *rest, struct slice *word) {
	size_t start = 0;
	while (start < rest->length && !is_part(rest->bytes[start])) start++;
	if (start == rest->length) return false;
	size_t end = start + 1;
	while (end < rest->length && is_part(rest->bytes[end]) &&
		!(is_upper(rest->bytes[end]) && is_lower(rest->bytes[end - 1])))
		end++;
	*word = slice_make(rest->bytes + start, end - start);
	*rest = slice_make(rest->bytes + end, rest->length - end);
	return true;
}

enum verb_kind validator_verb_judge(struct slice text) {
	struct slice rest = slice_trim(text), word;
	/* A file's mode with a plus writes: "r+", "rb+". */
	if (rest.length > 1 && rest.length < 5 && memchr(rest.bytes, '+', rest.length)) return VERB_WRITES;
	if (is_one_of(rest, writing)) return VERB_WRITES;
	if (is_one_of(rest, reading)) return VERB_READS;
	enum verb_kind kind = VERB_UNKNOWN;
	for (size_t count = 0; count < VERB_OCTETS && take_word(&rest, &word); count++) {
		if (is_one_of(word, certain)) return VERB_WRITES;
		if (count) continue;
		if (is_one_of(word, writing)) return VERB_WRITES;
		if (is_one_of(word, reading)) kind = VERB_READS;
	}
	return kind;
}

bool validator_verb_is_writing_name(const char *name) { return is_one_of(slice_of(name), writing_names); }

/* ---- Command lines ---- */

static bool has_option(const struct shell_word *words, size_t count, const char *beginning) {
	for (size_t i = 1; i < count; i++)
		if (slice_starts_with(words[i].text, beginning)) return true;
	return false;
}

/* The word behind the program that is no option. */
static struct slice verb_of(const struct shell_word *words, size_t count) {
	for (size_t i = 1; i < count; i++)
		if (words[i].text.length && words[i].text.bytes[0] != '-') return words[i].text;
	return SLICE_NONE;
}

static enum verb_kind judge_program(const struct shell_word *words, size_t count) {
	char program[SHELL_PROGRAM];
	shell_program(words[0].text, program);
	struct slice name = slice_of(program);
	static const char *const lists[] = {"branch", "tag", "remote", NULL};
	if (slice_is(name, "git") && is_one_of(verb_of(words, count), lists))
		return count == 2 || has_option(words, count, "--list") || has_option(words, count, "-v")
			? VERB_READS
			: VERB_WRITES;
	if (slice_is(name, "git"))
		return is_one_of(verb_of(words, count), reading_git) ? VERB_READS : VERB_WRITES;
	if (is_one_of(name, other_programs))
		return is_one_of(verb_of(words, count), reading_others) ? VERB_READS : VERB_WRITES;
	if (slice_is(name, "sed"))
		return has_option(words, count, "-i") || has_option(words, count, "--in") ? VERB_WRITES
											  : VERB_READS;
	if (slice_is(name, "sort"))
		return has_option(words, count, "-o") || has_option(words, count, "--output") ? VERB_WRITES
											      : VERB_READS;
	if (slice_is(name, "find") || slice_is(name, "fd"))
		return has_option(words, count, "-delete") || has_option(words, count, "-exec") ||
				has_option(words, count, "-ok") || has_option(words, count, "-fprint") ||
				has_option(words, count, "-fls") || has_option(words, count, "-x") ||
				has_option(words, count, "-X")
			? VERB_WRITES
			: VERB_READS;
	if (slice_is(name, "env") && count > 1) return VERB_UNKNOWN;
	if (slice_is(name, "awk")) return VERB_UNKNOWN;
	if (slice_is(name, "hostname") || slice_is(name, "date"))
		return count > 1 && !has_option(words, count, "-") && !has_option(words, count, "+")
			? VERB_WRITES
			: VERB_READS;
	if (is_one_of(name, reading_programs)) return VERB_READS;
	static const char *const programs[] = {"tee", "dd", "ln", "install", "rsync", "scp", "shred",
		"curl", "wget", "tar", "unzip", "zip", "gzip", "make", "mkfs", "python", "python3", "node",
		"bash", "sh", "perl", "ruby", "xargs", "sudo", "crontab", "useradd", "passwd", "shutdown",
		"nano", "vi", "vim", "ed", "export", "alias", NULL};
	if (is_one_of(name, programs)) return VERB_WRITES;
	return validator_verb_judge(name) == VERB_WRITES ? VERB_WRITES : VERB_UNKNOWN;
}

enum verb_kind validator_verb_judge_words(const struct shell_words *words) {
	enum verb_kind kind = words->count ? VERB_READS : VERB_UNKNOWN;
	size_t from = 0;
	if (words->is_cut || words->has_failed) return VERB_UNKNOWN;
	for (size_t i = 1; i <= words->count && words->count; i++) {
		if (i < words->count && !words->items[i].begins) continue;
		enum verb_kind one = judge_program(words->items + from, i - from);
		if (one == VERB_WRITES) return VERB_WRITES;
		if (one == VERB_UNKNOWN) kind = VERB_UNKNOWN;
		from = i;
	}
	return kind;
}
