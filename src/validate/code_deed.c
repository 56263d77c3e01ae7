/* SPDX-License-Identifier: Apache-2.0 */
/* Code deed: tables of files, options and commands; one function for each kind of deed. */
#include "validate/code_deed.h"

#include "validate/code_token_shell.h"

bool code_deed_is_in(struct slice word, const char *const *words, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (slice_is(word, words[i])) return true;
	return false;
}
static bool has(struct slice word, const char *part) {
	return word.bytes && memmem(word.bytes, word.length, part, strlen(part));
}

bool code_deed_is_known(struct slice word) { return !memchr(word.bytes, CODE_SHELL_FROM, word.length); }

/* ---- Files ---- */

static const char *const system_folders[] = {"/etc", "/bin", "/sbin", "/usr", "/boot", "/dev", "/sys",
	"/proc", "/lib", "/lib64", "/root", "/var/spool/cron", "/var/lib", "/var/log"};

static bool is_below(struct slice path, const char *folder) {
	size_t length = strlen(folder);
	return slice_starts_with(path, folder) && (path.length == length || path.bytes[length] == '/');
}

static bool is_system_file(struct slice path) {
	static const char *const own[] = {".ssh", ".bashrc", ".bash_profile", ".profile", ".zshrc",
		".gitconfig", "authorized_keys", ".npmrc", ".config/autostart", ".kube", ".aws", ".gnupg"};
	static const char *const harmless[] = {
		"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/fd", "/dev/shm"};
	for (size_t i = 0; i < COUNT_OF(harmless); i++)
		if (is_below(path, harmless[i]) && !has(path, "..")) return false;
	for (size_t i = 0; i < COUNT_OF(system_folders); i++)
		if (is_below(path, system_folders[i])) return true;
	for (size_t i = 0; i < COUNT_OF(own); i++)
		if (has(path, own[i])) return true;
	return slice_is(path, "/") || slice_starts_with(path, "//") || has(path, "../etc/");
}

void code_deed_word(struct code_judge *judge, struct slice word) {
	static const char *const secrets[] = {"/dev/tcp/", "/dev/udp/", "/etc/shadow", "/etc/gshadow",
		"/etc/sudoers", "/.ssh/id_", "/.aws/credentials", "/.git-credentials", "/.netrc", "/.kube/config",
		"/.gnupg/", "docker.sock", "/proc/self/mem", "/proc/self/environ", "/proc/1/", "/dev/mem",
		"/dev/kmem", "/dev/sd", "/dev/nvme", "/dev/disk", "/proc/sys/", "/proc/sysrq-trigger",
		"/sys/kernel", "/etc/ssl/private", "/.docker/config.json", "/proc/kcore", "169.254.169.254",
		"/.config/gcloud", "/.bash_history", "/etc/ld.so.preload", "/.pgpass"};
	if (!memchr(word.bytes, '/', word.length) && !memchr(word.bytes, '.', word.length)) return;
	for (size_t i = 0; i < COUNT_OF(secrets); i++)
		if (has(word, secrets[i])) code_judge_pattern(judge, secrets[i]);
	bool is_environ = slice_starts_with(word, "/proc/") && has(word, "/environ");
	if (is_environ) code_judge_pattern(judge, "/proc/*/environ");
}

void code_deed_output(struct code_judge *judge, struct slice file) {
	static const char *const harmless[] = {"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-"};
	uint64_t number;
	code_deed_word(judge, file);
	if (CODE_DEED_IS_IN(file, harmless) || slice_number(file, 999, &number)) return;
	if (is_system_file(file)) code_judge_path_text(judge, "a write to", file);
	code_judge_write(judge, SLICE(">"));
}

static void blame(const struct code_deed *deed, const char *pattern) {
	code_judge_pattern(deed->judge, pattern);
}

bool code_deed_is_option(struct slice word) { return word.length > 1 && word.bytes[0] == '-'; }

bool code_deed_has_letter(struct slice word, char letter) {
	return code_deed_is_option(word) && word.bytes[1] != '-' &&
		memchr(word.bytes + 1, letter, word.length - 1);
}

bool code_deed_has_option(const struct code_deed *deed, const char *const *options, size_t count) {
	for (size_t i = 1; i < deed->count; i++)
		if (code_deed_is_in(deed->words[i], options, count)) return true;
	return false;
}

/* ---- Commands by what they do to files ---- */

static bool is_wide_target(const struct code_deed *deed, struct slice word) {
	static const char *const wide[] = {
		"/", "/*", "*", ".", "..", "~", "~/", "~/*", "./*", "../", "../*", "./", ".*"};
	if (CODE_DEED_IS_IN(word, wide) || slice_starts_with(word, "~") || slice_starts_with(word, "../"))
		return true;
	if (slice_starts_with(word, "/")) return !is_below(word, "/tmp") && !is_below(word, "/var/tmp");
	if (!word.length || word.bytes[0] != CODE_SHELL_FROM) return false;
	const char *end = memchr(word.bytes, CODE_SHELL_TO, word.length);
	struct slice name = slice_make(word.bytes + 1, end ? (size_t)(end - word.bytes) - 1 : 0);
	return name.length && !deed->command->is_assigned(deed->command->context, name);
}

static void judge_removal(const struct code_deed *deed) {
	bool is_deep = false, is_wide = false;
	for (size_t i = 1; i < deed->count; i++) {
		struct slice word = deed->words[i];
		is_deep |= code_deed_has_letter(word, 'r') || code_deed_has_letter(word, 'R') ||
			slice_is(word, "--recursive");
		if (slice_is(word, "--no-preserve-root")) blame(deed, "rm --no-preserve-root");
		if (!code_deed_is_option(word)) is_wide |= is_wide_target(deed, word) || is_system_file(word);
	}
	if (is_deep && is_wide) blame(deed, "rm -r");
	else if (is_wide && deed->count > 1)
		for (size_t i = 1; i < deed->count; i++)
			if (is_system_file(deed->words[i])) blame(deed, "rm of a system file");
}

static void judge_targets(const struct code_deed *deed) {
	static const char *const movers[] = {"mv", "cp", "chmod", "chown", "chgrp", "ln", "tee", "touch",
		"truncate", "install", "unlink", "shred", "rmdir"};
	static const char *const last_alone[] = {"cp", "ln", "install"};
	if (!CODE_DEED_IS_IN(deed->name, movers)) return;
	size_t from = CODE_DEED_IS_IN(deed->name, last_alone) && deed->count > 1 ? deed->count - 1 : 1;
	for (size_t i = from; i < deed->count; i++)
		if (!code_deed_is_option(deed->words[i]) && is_system_file(deed->words[i]))
			code_judge_path_text(deed->judge, "a change of", deed->words[i]);
}

static void judge_mode(const struct code_deed *deed) {
	if (!slice_is(deed->name, "chmod") && !slice_is(deed->name, "install")) return;
	for (size_t i = 1; i < deed->count; i++) {
		struct slice word = deed->words[i];
		bool is_number = word.length == 4 && word.bytes[0] >= '2' && word.bytes[0] <= '7';
		for (size_t at = 0; at < word.length && is_number; at++)
			is_number = word.bytes[at] >= '0' && word.bytes[at] <= '7';
		bool is_sign = memchr(word.bytes, '+', word.length) && !has(word, "/") && has(word, "s") &&
			word.length < 8;
		if (is_number || is_sign) blame(deed, "chmod +s");
	}
}

/* ---- Commands with a language of their own ---- */

static void judge_programs(const struct code_deed *deed) {
	static const char *const awks[] = {"awk", "gawk", "mawk", "nawk"};
	static const char *const editors[] = {"vi", "vim", "nvim", "view", "ex", "ed", "emacs", "rvim", "gdb"};
	for (size_t i = 1; i < deed->count; i++) {
		struct slice word = deed->words[i];
		if (CODE_DEED_IS_IN(deed->name, awks)) {
			bool is_running = has(word, "system(") || has(word, "system (") || has(word, "| \"") ||
				has(word, "|\"") || has(word, "|& \"") || has(word, "/inet/") || has(word, "getline <");
			bool is_piping = has(word, "|getline") || has(word, "| getline");
			if (is_running || is_piping) blame(deed, "awk system(");
			if (has(word, "> \"") || has(word, ">\"")) code_judge_write(deed->judge, SLICE("awk >"));
		}
		if (CODE_DEED_IS_IN(deed->name, editors) &&
			(has(word, "!") || has(word, "py") || slice_is(word, "-c")))
			blame(deed, "an editor that runs commands");
		bool is_sed = slice_is(deed->name, "sed") || slice_is(deed->name, "gsed");
		if (is_sed && !code_deed_is_option(word) && word.length > 2) {
			char last = word.bytes[word.length - 1], before = word.bytes[word.length - 2];
			bool is_run = last == 'e' && strchr("/|#,:;@", before) && word.bytes[0] == 's';
			size_t digits = 0;
			while (digits < word.length && word.bytes[digits] >= '0' && word.bytes[digits] <= '9') digits++;
			bool is_order = digits && digits + 1 < word.length && word.bytes[digits] == 'e' &&
				word.bytes[digits + 1] == ' ';
			if (is_run || is_order || slice_starts_with(word, "e ")) blame(deed, "sed e");
		}
	}
}

static void judge_options(const struct code_deed *deed) {
	static const struct {
		const char *command, *option, *shown;
	} rows[] = {
		{"tar", "--checkpoint-action", "tar --checkpoint-action"},
		{"tar", "--to-command", "tar --to-command"},
		{"tar", "--use-compress-program", "tar --use-compress-program"},
		{"git", "core.sshCommand", "git -c core.sshCommand"},
		{"git", "core.pager", "git -c core.pager"},
		{"git", "core.fsmonitor", "git -c core.fsmonitor"},
		{"git", "core.hooksPath", "git -c core.hooksPath"},
		{"git", "ext::", "git ext::"},
		{"git", "--upload-pack", "git --upload-pack"},
		{"curl", "--upload-file", "curl --upload-file"},
		{"curl", "-T", "curl --upload-file"},
		{"curl", "@/", "curl of a file's contents"},
		{"curl", "@-", "curl of another command's output"},
		{"curl", "=@", "curl of a file's contents"},
		{"curl", "file://", "curl file://"},
		{"wget", "--post-file", "wget --post-file"},
		{"wget", "--body-file", "wget --post-file"},
		{"zip", "-TT", "zip -TT"},
		{"zip", "--unzip-command", "zip -TT"},
		{"hash", "-p", "hash -p"},
		{"kill", "-1", "kill -1"},
		{"openssl", "s_client", "openssl s_client"},
		{"man", "-P", "man -P"},
		{"less", "+!", "less +!"},
		{"sort", "--compress-program", "sort --compress-program"},
		{"rsync", "-e", "rsync -e"},
		{"make", "--eval", "make --eval"},
		{"npm", "explore", "npm explore"},
		{"php", "-S", "php -S"},
		{"ssh-keygen", "-D", "ssh-keygen -D"},
		{"getent", "shadow", "getent shadow"},
		{"unset", "HISTFILE", "unset HISTFILE"},
		{"history", "-c", "history -c"},
		{"pip", "--index-url", "pip --index-url"},
		{"split", "--filter", "split --filter"},
		{"ionice", "-c1", "ionice -c1"},
	};
	for (size_t row = 0; row < COUNT_OF(rows); row++) {
		if (!slice_is(deed->name, rows[row].command)) continue;
		size_t length = strlen(rows[row].option);
		for (size_t i = 1; i < deed->count; i++) {
			bool is_short = rows[row].option[0] == '-' && length == 2;
			bool is_it = is_short ? slice_is(deed->words[i], rows[row].option)
					      : has(deed->words[i], rows[row].option);
			bool is_last = !slice_is(deed->name, "kill") || i > 1 || deed->count == 2;
			if (is_it && is_last) blame(deed, rows[row].shown);
		}
	}
}

/* ---- readonly ---- */

static void judge_writing(const struct code_deed *deed) {
	static const char *const writers[] = {"rm", "mv", "cp", "ln", "mkdir", "rmdir", "touch", "tee", "dd",
		"truncate", "install", "chmod", "chown", "chgrp", "patch", "unzip", "zip", "gzip", "gunzip",
		"bzip2", "xz", "zstd", "split", "csplit", "mktemp", "mkfifo", "mknod", "wget", "shred", "unlink",
		"rsync", "npm", "pip", "pip3", "make", "crontab", "kill", "sqlite3", "psql", "mysql", "ed", "ex",
		"vi", "vim", "cpio", "ar", "setfacl", "chattr", "fallocate"};
	static const char *const outputs[] = {"-o", "-O", "--output", "--remote-name", "-d", "--data", "-F",
		"--form", "-X", "--request", "-T", "--data-raw", "--data-binary", "--json", "-c", "--cookie-jar"};
	static const char *const changes[] = {"add", "commit", "push", "checkout", "reset", "clean", "merge",
		"rebase", "pull", "clone", "init", "rm", "mv", "stash", "apply", "am", "tag", "config", "switch",
		"restore", "cherry-pick"};
	if (!code_judge_is_readonly(deed->judge)) return;
	bool is_writing = CODE_DEED_IS_IN(deed->name, writers) ||
		(slice_is(deed->name, "curl") && CODE_DEED_HAS_OPTION(deed, outputs)) ||
		(slice_is(deed->name, "git") && CODE_DEED_HAS_OPTION(deed, changes));
	for (size_t i = 1; i < deed->count && !is_writing; i++) {
		struct slice word = deed->words[i];
		bool is_sed = slice_is(deed->name, "sed") || slice_is(deed->name, "perl");
		is_writing |= is_sed && (code_deed_has_letter(word, 'i') || slice_starts_with(word, "--in-place"));
		is_writing |= slice_is(deed->name, "sort") &&
			(code_deed_has_letter(word, 'o') || slice_starts_with(word, "--output"));
		is_writing |= slice_is(deed->name, "tar") && !has(word, "t") && i == 1;
		is_writing |= slice_is(deed->name, "yq") && code_deed_has_letter(word, 'i');
		is_writing |= slice_is(deed->name, "date") &&
			(slice_is(word, "-s") || slice_starts_with(word, "--set"));
		is_writing |= slice_is(deed->name, "hostname") && !code_deed_is_option(word);
		is_writing |= slice_is(deed->name, "uniq") && i > 1 && !code_deed_is_option(word) &&
			!code_deed_is_option(deed->words[1]);
	}
	if (is_writing) code_judge_write(deed->judge, deed->name);
}

/* ---- The whole ---- */

void code_deed_judge(const struct code_deed *deed) {
	if (slice_is(deed->name, "rm")) judge_removal(deed);
	judge_targets(deed);
	judge_mode(deed);
	judge_programs(deed);
	judge_options(deed);
	judge_writing(deed);
}
