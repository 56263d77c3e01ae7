/* SPDX-License-Identifier: Apache-2.0 */
/* Code shell: tokens become commands, once to learn names and once to judge. */
#include "validate/code_shell.h"

#include "validate/code_command.h"
#include "validate/code_token_shell.h"

#define VALUE 1024            /* octets of a variable that is followed */
#define EXPANDED (512 * 1024) /* octets of all words that variables were put into */

struct variable {
	struct slice value;
	bool is_known;
};

struct shell {
	struct code_judge *judge;
	struct code_tokens *tokens;
	struct arena *arena;
	struct code_shell_names *names;
	code_shell_inner *inner;
	void *context;
	size_t at;
	struct slice *words; /* room for every token, and for the fields of words that are split */
	size_t count, room;
	struct slice input;
	bool is_piped, is_process;
	struct slice piped_from; /* the command left of the pipe */
	size_t cases;
	bool is_pattern; /* of a case */
	size_t expanded;
	bool is_out_of_memory;
};

void code_shell_names_init(struct code_shell_names *names) {
	map_init(&names->variables);
	map_init(&names->functions);
}

void code_shell_names_finish(struct code_shell_names *names) {
	map_finish(&names->variables);
	map_finish(&names->functions);
}

static const struct code_token *token_at(const struct shell *shell, size_t more) {
	size_t last = shell->tokens->count - 1;
	return &shell->tokens->items[shell->at + more < last ? shell->at + more : last];
}

/* ---- Variables and functions ---- */

static void assign(struct shell *shell, struct slice name, struct slice value, bool is_known) {
	struct variable *had = map_find(&shell->names->variables, name);
	is_known = is_known && value.length <= VALUE && code_deed_is_known(value);
	if (had) {
		if (!is_known || !slice_equal(had->value, value)) had->is_known = false;
		return;
	}
	struct variable *made = name.length ? arena_alloc(shell->arena, sizeof *made) : NULL;
	if (made) *made = (struct variable){value, is_known};
	if (name.length && (!made || !map_add(&shell->names->variables, name, made, NULL)))
		shell->is_out_of_memory = true;
}

static void define(struct shell *shell, struct slice name) {
	if (name.length == 0 || map_find(&shell->names->functions, name)) return;
	if (!map_add(&shell->names->functions, name, shell->names, NULL)) shell->is_out_of_memory = true;
}

static bool is_own(void *context, struct slice name) {
	const struct shell *shell = context;
	return map_find(&shell->names->functions, name);
}

static bool is_assigned(void *context, struct slice name) {
	const struct shell *shell = context;
	return map_find(&shell->names->variables, name);
}

static void hand_over(void *context, enum code_language language, struct slice code) {
	const struct shell *shell = context;
	if (!shell->judge->is_silent) shell->inner(shell->context, language, code);
}

static bool value_of(const struct shell *shell, struct slice name, struct slice *value) {
	const struct variable *variable = map_find(&shell->names->variables, name);
	if (variable) *value = variable->value;
	else if (slice_is(name, "HOME")) *value = SLICE("~");
	else if (slice_is(name, "PWD")) *value = SLICE(".");
	else if (slice_is(name, "IFS")) *value = SLICE(" ");
	else return false;
	return !variable || variable->is_known;
}

/* With the variables that are known put in. */
static struct slice expand(struct shell *shell, struct slice word) {
	AUTO_TEXT struct text text = {0};
	if (code_deed_is_known(word) || shell->expanded > EXPANDED) return word;
	text_init(&text, 0);
	while (word.length > 0) {
		const char *from = memchr(word.bytes, CODE_SHELL_FROM, word.length);
		size_t plain = from ? (size_t)(from - word.bytes) : word.length;
		text_add(&text, slice_make(word.bytes, plain));
		word = slice_make(word.bytes + plain, word.length - plain);
		if (word.length == 0) break;
		const char *to = memchr(word.bytes, CODE_SHELL_TO, word.length);
		size_t whole = to ? (size_t)(to - word.bytes) + 1 : word.length;
		struct slice value = SLICE_NONE, name = slice_make(word.bytes + 1, whole - 2);
		bool is_known = whole > 2 && value_of(shell, name, &value) && text.length < 64 * 1024;
		text_add(&text, is_known ? value : slice_make(word.bytes, whole));
		word = slice_make(word.bytes + whole, word.length - whole);
	}
	shell->expanded += text.length;
	return code_token_keep(shell->tokens, &text);
}

static bool is_name_octet(char c, bool is_first) {
	bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
	return is_letter || (!is_first && c >= '0' && c <= '9');
}

/* NAME=value, NAME+=value, NAME[1]=value; false: it is none. */
static bool split_assignment(struct slice word, struct slice *name, struct slice *value, bool *is_added) {
	const char *equals = word.length ? memchr(word.bytes, '=', word.length) : NULL;
	size_t length = equals ? (size_t)(equals - word.bytes) : 0, at = 0;
	while (at < length && is_name_octet(word.bytes[at], at == 0)) at++;
	bool is_subscript = at > 0 && at < length && word.bytes[at] == '[' && word.bytes[length - 1] == ']';
	*is_added = (at > 0 && at + 1 == length && word.bytes[at] == '+') || is_subscript;
	if (at == 0 || (at != length && !*is_added)) return false;
	*name = slice_make(word.bytes, at);
	*value = slice_make(equals + 1, word.length - length - 1);
	return true;
}

static bool read_assignment(struct shell *shell, struct slice word) {
	static const char *const dangerous[] = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV",
		"PROMPT_COMMAND", "PYTHONSTARTUP", "NODE_OPTIONS", "PERL5OPT", "RUBYOPT", "GIT_SSH_COMMAND",
		"GIT_PAGER", "PERL5DB", "DYLD_INSERT_LIBRARIES", "SHELLOPTS", "BASHOPTS", "PS4"};
	struct slice name, value;
	bool is_added;
	if (!split_assignment(word, &name, &value, &is_added)) return false;
	assign(shell, name, expand(shell, value), !is_added);
	for (size_t i = 0; i < COUNT_OF(dangerous); i++)
		if (slice_is(name, dangerous[i])) code_judge_path_text(shell->judge, "a value of", name);
	return true;
}

/* ---- One command ---- */

/* Commands whose arguments are variables. */
static void learn(struct shell *shell) {
	static const char *const declaring[] = {"export", "declare", "local", "readonly", "typeset", "env"};
	static const char *const reading[] = {"read", "mapfile", "readarray", "getopts", "printf", "let"};
	struct slice name = code_command_name(shell->words[0]);
	for (size_t i = 1; i < shell->count; i++) {
		for (size_t at = 0; at < COUNT_OF(declaring); at++)
			if (slice_is(name, declaring[at])) read_assignment(shell, shell->words[i]);
		for (size_t at = 0; at < COUNT_OF(reading); at++)
			if (slice_is(name, reading[at])) assign(shell, shell->words[i], SLICE_NONE, false);
		const char *equals = slice_is(name, "alias")
			? memchr(shell->words[i].bytes, '=', shell->words[i].length)
			: NULL;
		if (equals)
			define(shell, slice_make(shell->words[i].bytes, (size_t)(equals - shell->words[i].bytes)));
	}
}

static void end_command(struct shell *shell, bool is_pipe) {
	struct slice name = shell->count ? shell->words[0] : SLICE_NONE;
	if (shell->count > 0) {
		bool is_bomb = is_own(shell, name) && shell->is_piped && slice_equal(shell->piped_from, name);
		if (is_bomb) code_judge_pattern(shell->judge, "a function that multiplies itself");
		struct code_command command = {.words = shell->words,
			.count = shell->count,
			.is_piped = shell->is_piped,
			.input = shell->input,
			.is_process = shell->is_process,
			.is_own = is_own,
			.is_assigned = is_assigned,
			.inner = hand_over,
			.context = shell};
		learn(shell);
		code_command_judge(shell->judge, &command);
	}
	shell->piped_from = name;
	shell->count = 0;
	shell->is_piped = is_pipe;
	shell->is_process = false;
	shell->input = SLICE_NONE;
}

static void add_word(struct shell *shell, struct slice word) {
	if (shell->count < shell->room) shell->words[shell->count++] = word;
}

/* A command that a variable holds is split where it has blanks. */
static void add_fields(struct shell *shell, struct slice word) {
	while (word.length > 0) {
		const char *blank = memchr(word.bytes, ' ', word.length);
		size_t length = blank ? (size_t)(blank - word.bytes) : word.length;
		if (length > 0) add_word(shell, slice_make(word.bytes, length));
		length += blank != NULL;
		word = slice_make(word.bytes + length, word.length - length);
	}
}

static bool is_mark(const struct code_token *token, unsigned mark) { return code_token_is(token, mark); }

static void read_array(struct shell *shell, struct slice word) {
	struct slice name = slice_make(word.bytes, word.length - 1);
	assign(shell, name, SLICE_NONE, false);
	shell->at++;
	while (token_at(shell, 1)->type != CODE_END && !is_mark(token_at(shell, 1), CODE_SHELL_CLOSE))
		shell->at++;
	shell->at++;
}

/* declare -A name=(...) */
static bool read_array_argument(struct shell *shell, const struct code_token *token) {
	struct slice name, value;
	bool is_added, is_open = code_token_is(token_at(shell, 1), CODE_SHELL_OPEN);
	if (!is_open || shell->count == 0) return false;
	if (!split_assignment(token->text, &name, &value, &is_added) || value.length > 0) return false;
	read_array(shell, token->text);
	return true;
}

static void read_argument(struct shell *shell, const struct code_token *token) {
	if (read_array_argument(shell, token)) return;
	struct slice word = expand(shell, token->text);
	bool is_first = shell->count == 0, was_known = code_deed_is_known(token->text);
	bool is_bracket = slice_is(word, "[") || slice_is(word, "[[");
	if (is_first && token->mark & CODE_WORD_GLOB && !is_bracket)
		code_judge_pattern(shell->judge, "a command found by a pattern");
	if (is_first && token->mark & CODE_WORD_BRACE) code_judge_pattern(shell->judge, "a command in braces");
	if (token->mark & CODE_WORD_PROCESS) shell->is_process = true;
	if (is_first && !was_known && !(token->mark & CODE_WORD_QUOTED) && shell->expanded <= EXPANDED)
		add_fields(shell, word);
	else add_word(shell, word);
}

/* ---- Words of the shell's own language ---- */

static bool is_plain(const struct code_token *token, const char *word) {
	return token->type == CODE_NAME && !(token->mark & CODE_WORD_QUOTED) && slice_is(token->text, word);
}

/* for x in a b c: its words are values. */
static void read_for(struct shell *shell) {
	if (token_at(shell, 1)->type != CODE_NAME) return;
	shell->at++;
	if (slice_is(token_at(shell, 0)->text, "((")) return;
	assign(shell, token_at(shell, 0)->text, SLICE_NONE, false);
	if (!is_plain(token_at(shell, 1), "in")) return;
	while (token_at(shell, 1)->type == CODE_NAME) shell->at++;
}

static void read_double_brackets(struct shell *shell) {
	while (token_at(shell, 1)->type != CODE_END && token_at(shell, 1)->type != CODE_LINE &&
		!is_plain(token_at(shell, 1), "]]")) {
		shell->at++;
		code_deed_word(shell->judge, token_at(shell, 0)->text);
	}
	shell->at++;
}

static bool read_reserved(struct shell *shell, const struct code_token *token) {
	static const char *const passed[] = {
		"if", "then", "elif", "else", "fi", "do", "done", "while", "until", "{", "}", "!", "time"};
	for (size_t i = 0; i < COUNT_OF(passed); i++) {
		if (!is_plain(token, passed[i])) continue;
		while (slice_is(token->text, "time") && slice_starts_with(token_at(shell, 1)->text, "-")) shell->at++;
		return true;
	}
	if (is_plain(token, "for") || is_plain(token, "select")) {
		read_for(shell);
	} else if (is_plain(token, "case")) {
		if (token_at(shell, 1)->type == CODE_NAME) shell->at++;
		while (token_at(shell, 1)->type == CODE_LINE) shell->at++;
		if (is_plain(token_at(shell, 1), "in")) shell->at++;
		shell->cases++;
		shell->is_pattern = true;
	} else if (is_plain(token, "esac")) {
		shell->cases -= shell->cases > 0;
	} else if (is_plain(token, "[[")) {
		read_double_brackets(shell);
	} else if (is_plain(token, "function") && token_at(shell, 1)->type == CODE_NAME) {
		shell->at++;
		define(shell, token_at(shell, 0)->text);
		if (is_mark(token_at(shell, 1), CODE_SHELL_OPEN) && is_mark(token_at(shell, 2), CODE_SHELL_CLOSE))
			shell->at += 2;
	} else {
		return false;
	}
	return true;
}

static bool read_definition(struct shell *shell, const struct code_token *token) {
	struct slice name, value;
	bool is_added;
	bool is_open = is_mark(token_at(shell, 1), CODE_SHELL_OPEN);
	if (is_open && is_mark(token_at(shell, 2), CODE_SHELL_CLOSE)) {
		define(shell, token->text);
		shell->at += 2;
		return true;
	}
	if (is_open && split_assignment(token->text, &name, &value, &is_added) && value.length == 0) {
		read_array(shell, token->text);
		return true;
	}
	return read_assignment(shell, token->text);
}

static void read_word(struct shell *shell, const struct code_token *token) {
	if (shell->is_pattern) {
		if (is_plain(token, "esac")) {
			shell->cases -= shell->cases > 0;
			shell->is_pattern = false;
		}
		return;
	}
	if (shell->count == 0 && (read_reserved(shell, token) || read_definition(shell, token))) return;
	read_argument(shell, token);
}

/* ---- Operators ---- */

static void read_redirection(struct shell *shell, unsigned mark) {
	const struct code_token *target = token_at(shell, 1);
	if (target->type != CODE_NAME && target->type != CODE_STRING) return;
	shell->at++;
	struct slice word = target->type == CODE_NAME ? expand(shell, target->text) : target->text;
	bool is_here = mark == CODE_SHELL_HERE || mark == CODE_SHELL_STRING;
	if (target->mark & CODE_WORD_PROCESS) shell->is_process = true;
	bool is_bodiless = mark == CODE_SHELL_HERE && target->type == CODE_NAME;
	if (is_here) shell->input = word.bytes && !is_bodiless ? word : SLICE("");
	else if (mark == CODE_SHELL_IN) code_deed_word(shell->judge, word);
	else code_deed_output(shell->judge, word);
}

static void read_operator(struct shell *shell, unsigned mark) {
	switch (mark) {
	case CODE_SHELL_IN:
	case CODE_SHELL_OUT:
	case CODE_SHELL_COPY:
	case CODE_SHELL_HERE:
	case CODE_SHELL_STRING: read_redirection(shell, mark); return;
	default: break;
	}
	if (shell->is_pattern) {
		if (mark == CODE_SHELL_CLOSE) shell->is_pattern = false;
		return;
	}
	end_command(shell, mark == CODE_SHELL_PIPE);
	if (mark == CODE_SHELL_CASE && shell->cases > 0) shell->is_pattern = true;
}

static void go_over(struct shell *shell) {
	shell->cases = 0;
	shell->is_pattern = false;
	for (shell->at = 0; shell->at < shell->tokens->count && !shell->is_out_of_memory; shell->at++) {
		const struct code_token *token = token_at(shell, 0);
		if (token->type == CODE_NAME) read_word(shell, token);
		else if (token->type == CODE_MARK) read_operator(shell, token->mark);
		else if (!shell->is_pattern) end_command(shell, shell->is_piped && shell->count == 0);
	}
}

/* ---- The whole ---- */

struct handing {
	code_shell_inner *inner;
	void *context;
};

static void hand_on(void *context, struct slice code) {
	const struct handing *handing = context;
	handing->inner(handing->context, CODE_SHELL, code);
}

/* The words in a row; those of several are strings. */
static void write_words(const struct code_tokens *tokens, struct text *to) {
	for (size_t i = 0; i < tokens->count; i++) {
		const struct code_token *token = &tokens->items[i];
		bool is_shown = token->type == CODE_NAME && !memchr(token->text.bytes, ' ', token->text.length);
		if (token->type == CODE_LINE) text_add_char(to, '\n');
		else if (is_shown || token->type == CODE_MARK) text_add(to, token->text);
		else text_add_cstr(to, "\"\"");
		if (token->type != CODE_LINE) text_add_char(to, ' ');
	}
}

static bool judge_tokens(struct code_judge *judge, struct code_tokens *tokens, struct arena *arena,
	struct code_shell_names *names, struct handing *handing) {
	AUTO_TEXT struct text text = {0};
	size_t room = tokens->count + VALUE;
	struct shell shell = {.judge = judge,
		.tokens = tokens,
		.arena = arena,
		.names = names,
		.inner = handing->inner,
		.context = handing->context,
		.words = arena_alloc(arena, room * sizeof *shell.words),
		.room = room};
	if (!shell.words) return false;
	judge->is_silent = true;
	go_over(&shell);
	judge->is_silent = false;
	go_over(&shell);
	text_init(&text, 0);
	write_words(tokens, &text);
	if (text_failed(&text)) return false;
	code_judge_text(judge, text_slice(&text), tokens->code);
	return !shell.is_out_of_memory && !tokens->is_out_of_memory;
}

bool code_shell_check(struct code_judge *judge, struct slice code, struct arena *arena,
	struct code_shell_names *names, code_shell_inner *inner, void *context) {
	struct code_tokens tokens;
	struct handing handing = {inner, context};
	code_token_init(&tokens, code, arena);
	code_token_shell(&tokens, hand_on, &handing);
	if (tokens.trouble)
		code_report_say(judge->report, "Unreadable code: %s, at line %zu", tokens.trouble,
			code_token_line(code, tokens.trouble_at));
	bool is_fine = !tokens.is_out_of_memory && judge_tokens(judge, &tokens, arena, names, &handing);
	code_token_finish(&tokens);
	return is_fine;
}
