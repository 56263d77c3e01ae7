/* SPDX-License-Identifier: Apache-2.0 */
/* Code command: tables of what wraps, what interprets, what writes; one function for each. */
#include "validate/code_command.h"

#include "validate/code_token_shell.h"

#define WRAPPERS 12 /* commands that run a command, one within another */
#define DEPTH 4     /* of find within find */

struct slice code_command_name(struct slice word) {
	const char *slash = word.length ? memrchr(word.bytes, '/', word.length) : NULL;
	size_t at = slash ? (size_t)(slash - word.bytes) + 1 : 0;
	return slice_make(word.bytes + at, word.length - at);
}

static void blame(const struct code_deed *deed, const char *pattern) {
	code_judge_pattern(deed->judge, pattern);
}

static void run_inner(
	const struct code_deed *deed, enum code_language language, struct slice code, const char *pattern) {
	if (code_deed_is_known(code)) deed->command->inner(deed->command->context, language, code);
	else blame(deed, pattern);
}

/* ---- Commands that run what they are given ---- */

static const char *const shells[] = {
	"sh", "bash", "dash", "zsh", "ksh", "ash", "csh", "tcsh", "fish", "rbash", "mksh", "busybox-sh"};

static const struct interpreter {
	const char *name;
	enum code_language language;
	const char *codes; /* letters of the options whose argument is code */
} interpreters[] = {
	{"python", CODE_PYTHON, "c"},
	{"pypy", CODE_PYTHON, "c"},
	{"ipython", CODE_PYTHON, "c"},
	{"node", CODE_JAVASCRIPT, "ep"},
	{"nodejs", CODE_JAVASCRIPT, "ep"},
	{"deno", CODE_JAVASCRIPT, ""},
	{"bun", CODE_JAVASCRIPT, "ep"},
	{"perl", CODE_OTHER, "eE"},
	{"ruby", CODE_OTHER, "e"},
	{"php", CODE_OTHER, "rBRE"},
	{"lua", CODE_OTHER, "e"},
	{"Rscript", CODE_OTHER, "e"},
	{"tclsh", CODE_OTHER, ""},
	{"osascript", CODE_OTHER, "e"},
};

/* "python3.11" is python. */
static const struct interpreter *find_interpreter(struct slice name) {
	for (size_t i = 0; i < COUNT_OF(interpreters); i++) {
		size_t length = strlen(interpreters[i].name);
		if (!slice_starts_with(name, interpreters[i].name)) continue;
		size_t at = length;
		while (at < name.length && strchr("0123456789.", name.bytes[at])) at++;
		if (at == name.length) return &interpreters[i];
	}
	return NULL;
}

static void run_code(const struct code_deed *deed, enum code_language language, struct slice code) {
	if (language == CODE_OTHER) code_judge_path_text(deed->judge, "code handed to", deed->name);
	else run_inner(deed, language, code, "code that is only known when it runs");
}

/* The input that no argument takes the place of. */
static void run_input(const struct code_deed *deed, enum code_language language) {
	if (deed->command->input.bytes) run_code(deed, language, deed->command->input);
	else code_judge_path_text(deed->judge, "a pipe into", deed->name);
}

/* The code of "-c CODE", "-cCODE" and "--eval=CODE" at `i`; false: it is no such option. */
static bool code_at(const struct code_deed *deed, size_t i, const char *letters, struct slice *code) {
	static const char *const options[] = {"--eval", "--print", "--command"};
	struct slice word = deed->words[i];
	bool is_code = false;
	for (size_t at = 0; at < COUNT_OF(options); at++) {
		size_t length = strlen(options[at]);
		if (!slice_starts_with(word, options[at])) continue;
		is_code = word.length == length;
		if (is_code || word.bytes[length] != '=') continue;
		*code = slice_make(word.bytes + length + 1, word.length - length - 1);
		return true;
	}
	for (const char *letter = letters; *letter && !is_code; letter++) {
		is_code = code_deed_has_letter(word, *letter);
		if (!is_code || word.bytes[1] != *letter || word.length == 2 || letters[1]) continue;
		*code = slice_make(word.bytes + 2, word.length - 2);
		return true;
	}
	if (!is_code) return false;
	for (i++; i + 1 < deed->count && code_deed_is_option(deed->words[i]);) i++;
	*code = i < deed->count ? deed->words[i] : SLICE("");
	return true;
}

static void judge_interpreter(const struct code_deed *deed, enum code_language language, const char *letters) {
	static const char *const asking[] = {"--version", "-V", "--help", "-h", "-v"};
	bool has_script = CODE_DEED_HAS_OPTION(deed, asking) && deed->count == 2;
	for (size_t i = 1; i < deed->count; i++) {
		struct slice word = deed->words[i], code;
		if (code_at(deed, i, letters, &code)) {
			run_code(deed, language, code);
			return;
		}
		bool is_input = slice_is(word, "-") || slice_is(word, "-s") || slice_is(word, "/dev/stdin");
		if (!code_deed_is_option(word) && !is_input) has_script = true;
	}
	if (deed->command->is_process || !has_script) run_input(deed, language);
}

static bool judge_interpreters(const struct code_deed *deed) {
	const struct interpreter *interpreter = find_interpreter(deed->name);
	if (CODE_DEED_IS_IN(deed->name, shells)) judge_interpreter(deed, CODE_SHELL, "c");
	else if (interpreter) judge_interpreter(deed, interpreter->language, interpreter->codes);
	else return false;
	return true;
}

/* Words after which another command stands; the letters of the options that take an argument. */
static const struct wrapper {
	const char *name;
	const char *arguments;
	size_t words; /* of its own before the command, options left out */
} wrappers[] = {
	{"env", "uCS", 0},
	{"nohup", "", 0},
	{"timeout", "sk", 1},
	{"nice", "n", 0},
	{"ionice", "cnp", 0},
	{"stdbuf", "ioe", 0},
	{"time", "fo", 0},
	{"command", "", 0},
	{"builtin", "", 0},
	{"exec", "a", 0},
	{"xargs", "IiLlnPsdEa", 0},
	{"parallel", "jNI", 0},
	{"watch", "n", 0},
	{"setsid", "", 0},
	{"flock", "wE", 1},
	{"busybox", "", 0},
	{"toybox", "", 0},
	{"sudo", "ugpC", 0},
	{"doas", "u", 0},
	{"chroot", "", 1},
	{"unbuffer", "", 0},
	{"taskset", "p", 1},
	{"setarch", "", 1},
	{"caffeinate", "", 0},
	{"strace", "eo", 0},
	{"ltrace", "eo", 0},
	{"noglob", "", 0},
	{"nocorrect", "", 0},
	{"coproc", "", 0},
	{"!", "", 0},
	{"-", "", 0},
};

static bool is_assignment(struct slice word) {
	const char *equals = word.length ? memchr(word.bytes, '=', word.length) : NULL;
	if (!equals || equals == word.bytes) return false;
	for (const char *at = word.bytes; at < equals; at++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789", *at)) return false;
	return true;
}

/* Where the command within begins; 0: there is none. */
static size_t behind_wrapper(const struct code_deed *deed, const struct wrapper *wrapper, bool *is_unsure) {
	size_t own = wrapper->words, i = 1;
	for (; i < deed->count; i++) {
		struct slice word = deed->words[i];
		bool is_asking = slice_is(deed->name, "command") && (slice_is(word, "-v") || slice_is(word, "-V"));
		if (is_asking) return 0;
		if (slice_is(deed->name, "env") &&
			(slice_is(word, "-S") || slice_starts_with(word, "--split-string"))) {
			if (i + 1 < deed->count) run_inner(deed, CODE_SHELL, deed->words[i + 1], "env -S");
			return 0;
		}
		if (slice_is(deed->name, "env") && is_assignment(word)) continue;
		if (code_deed_is_option(word)) {
			bool is_taking = word.length == 2 && strchr(wrapper->arguments, word.bytes[1]);
			i += is_taking;
			/* "--signal 9": whether a long option takes the next word only the program knows */
			*is_unsure |= slice_starts_with(word, "--") && word.length > 2 &&
				!memchr(word.bytes, '=', word.length);
			continue;
		}
		if (own == 0) return i;
		own--;
	}
	return 0;
}

static const struct wrapper *find_wrapper(struct slice name) {
	for (size_t i = 0; i < COUNT_OF(wrappers); i++)
		if (slice_is(name, wrappers[i].name)) return &wrappers[i];
	return NULL;
}

static void judge_find(const struct code_deed *deed) {
	static const char *const runs[] = {"-exec", "-execdir", "-ok", "-okdir"};
	static const char *const writes[] = {"-delete", "-fprint", "-fprintf", "-fls", "-fprint0"};
	if (!slice_is(deed->name, "find")) return;
	if (deed->command->depth == DEPTH) {
		blame(deed, "find within find");
		return;
	}
	if (CODE_DEED_HAS_OPTION(deed, writes)) code_judge_write(deed->judge, SLICE("find -delete"));
	bool is_wide = deed->count > 1 && (slice_is(deed->words[1], "/") || slice_is(deed->words[1], "~"));
	static const char *const deletes[] = {"-delete"};
	if (is_wide && CODE_DEED_HAS_OPTION(deed, deletes)) blame(deed, "find / -delete");
	for (size_t i = 1; i + 1 < deed->count; i++) {
		if (!CODE_DEED_IS_IN(deed->words[i], runs)) continue;
		struct code_command inner = *deed->command;
		inner.words = deed->words + i + 1;
		inner.count = 0;
		while (i + 1 + inner.count < deed->count && !slice_is(inner.words[inner.count], ";") &&
			!slice_is(inner.words[inner.count], "+"))
			inner.count++;
		inner.is_piped = false;
		inner.depth++;
		code_command_judge(deed->judge, &inner);
		i += inner.count;
	}
}

/* ---- Built into the shell ---- */

/* eval puts its words in a row. */
static void run_words(const struct code_deed *deed) {
	AUTO_TEXT struct text text = {0};
	struct slice code;
	text_init(&text, 0);
	for (size_t i = 1; i < deed->count; i++) {
		text_add(&text, deed->words[i]);
		text_add_char(&text, ' ');
	}
	if (text_failed(&text) || !arena_copy(deed->judge->arena, text_slice(&text), &code))
		deed->judge->report->is_out_of_memory = true;
	else run_inner(deed, CODE_SHELL, code, "eval of code only known when it runs");
}

static void judge_builtin(const struct code_deed *deed) {
	static const char *const sources[] = {"source", "."};
	if (deed->count < 2) return;
	struct slice first = deed->words[1];
	if (slice_is(deed->name, "trap"))
		run_inner(deed, CODE_SHELL, first, "trap of code only known when it runs");
	if (slice_is(deed->name, "eval")) run_words(deed);
	if (slice_is(deed->name, "alias")) {
		for (size_t i = 1; i < deed->count; i++) {
			const char *equals = memchr(deed->words[i].bytes, '=', deed->words[i].length);
			if (!equals) continue;
			size_t at = (size_t)(equals - deed->words[i].bytes) + 1;
			run_inner(deed, CODE_SHELL, slice_make(equals + 1, deed->words[i].length - at), "alias");
		}
	}
	if (CODE_DEED_IS_IN(deed->name, sources)) {
		bool is_odd = !code_deed_is_known(first) || deed->command->is_process ||
			slice_starts_with(first, "/dev/") || slice_starts_with(first, "/proc/") ||
			slice_starts_with(first, "/tmp/");
		if (is_odd) blame(deed, "source of what is only known when it runs");
	}
}

/* ---- The whole ---- */

static bool is_arithmetic(struct slice name) { return slice_is(name, "((") || slice_is(name, "[["); }

static void judge_one(const struct code_deed *deed) {
	bool is_own = deed->command->is_own(deed->command->context, deed->name);
	if (!is_own && !is_arithmetic(deed->name) && deed->name.length)
		code_judge_import(deed->judge, deed->name);
	judge_interpreters(deed);
	judge_find(deed);
	judge_builtin(deed);
	code_deed_judge(deed);
}

void code_command_judge(struct code_judge *judge, const struct code_command *command) {
	struct code_deed deed = {
		.judge = judge, .command = command, .words = command->words, .count = command->count};
	for (size_t i = 0; i < command->count; i++) code_deed_word(judge, command->words[i]);
	for (int looks = 0; deed.count > 0; looks++) {
		if (looks == WRAPPERS) {
			blame(&deed, "commands within commands");
			return;
		}
		if (!code_deed_is_known(deed.words[0])) {
			blame(&deed, "a command that is only known when it runs");
			return;
		}
		deed.name = code_command_name(deed.words[0]);
		judge_one(&deed);
		const struct wrapper *wrapper = find_wrapper(deed.name);
		bool is_unsure = false;
		size_t at = wrapper ? behind_wrapper(&deed, wrapper, &is_unsure) : 0;
		if (at && is_unsure && at + 1 < deed.count) {
			struct code_deed other = deed;
			other.words += at + 1;
			other.count -= at + 1;
			other.name = code_command_name(other.words[0]);
			judge_one(&other);
		}
		if (at == 0) return;
		deed.words += at;
		deed.count -= at;
	}
}
