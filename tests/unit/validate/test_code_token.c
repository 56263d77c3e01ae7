/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "validate/code_fold.h"
#include "validate/code_token_javascript.h"
#include "validate/code_token_python.h"
#include "validate/code_token_shell.h"

#include <stdlib.h>

typedef void tokenizer(struct code_tokens *tokens);

/* Strings as they stand in 'single' quotation marks, everything apart by blanks, "|" for a line's end. */
static void write(const struct code_tokens *tokens, struct text *to) {
	for (size_t i = 0; i + 2 < tokens->count; i++) {
		const struct code_token *token = &tokens->items[i];
		if (i > 0) text_add_char(to, ' ');
		if (token->type == CODE_STRING) text_printf(to, "'%.*s'", SLICE_ARGS(token->text));
		else if (token->type == CODE_LINE) text_add_char(to, '|');
		else if (token->text.length) text_add(to, token->text);
		else text_add_char(to, token->type == CODE_MARK ? (char)token->mark : '0');
	}
}

static void check_tokens(tokenizer *read, struct slice code, const char *wanted, const char *trouble) {
	AUTO_TEXT struct text text = {0};
	struct code_tokens tokens;
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	code_token_init(&tokens, code, &arena);
	read(&tokens);
	text_init(&text, 0);
	write(&tokens, &text);
	if (trouble) {
		assert_non_null(tokens.trouble);
		assert_string_equal(tokens.trouble, trouble);
	} else {
		assert_null(tokens.trouble);
		check_text(&text, wanted);
	}
	code_token_finish(&tokens);
	arena_finish(&arena);
}
#define PYTHON(code, wanted) check_tokens(code_token_python, SLICE(code), wanted, NULL)
#define JAVASCRIPT(code, wanted) check_tokens(code_token_javascript, SLICE(code), wanted, NULL)
#define SHELL(code, wanted) check_tokens(read_shell, SLICE(code), wanted, NULL)

static void python_is_read(void **state) {
	(void)state;
	PYTHON("x = 1 # y", "x = 1");
	PYTHON("a(\n b)\nc", "a ( b ) | c");
	PYTHON("a = 1 + \\\n 2", "a = 1 + 2");
	PYTHON("1or eval(2)", "1 or eval ( 2 )");
	PYTHON("0xfor x", "0xf or x");
	PYTHON("'a' \"b\" '''c\n'd''' r'\\n' b'x'", "'a' 'b' 'c\n'd' '\\n' 'x'");
	PYTHON("'\\x41\\u0042\\103\\\n\\q'", "'ABC\\q'");
	PYTHON("f'a{b}c'", "( 'a' + ( b ) + 'c' )");
	PYTHON("f'{a!r:>{w}}{{}}'", "( '' + ( a + 0 + ( w ) ) + '{}' )");
	PYTHON("f'{d['k']}'", "( '' + ( d [ 'k' ] ) + '' )");
	PYTHON("rf'\\{x}'", "( '\\' + ( x ) + '' )");
	PYTHON("\xef\xbd\x85\xef\xbd\x96\xef\xbd\x81\xef\xbd\x8c", "eval");
	PYTHON("# x\ra", "| a");
	check_tokens(code_token_python, SLICE("'a\nb'"), NULL, "a string without an end");
	check_tokens(code_token_python, SLICE("f'{a"), NULL, "a string without an end");
}

static void javascript_is_read(void **state) {
	(void)state;
	JAVASCRIPT("a = b / c / d // e", "a = b / c / d");
	JAVASCRIPT("a = /'\\/[/]/g; b", "a = /'\\/[/]/g ; b");
	JAVASCRIPT("if (a) /b'/.test(c)", "if ( a ) /b'/ . test ( c )");
	JAVASCRIPT("(a) / b / c", "( a ) / b / c");
	JAVASCRIPT("x.return / 2 / 3", "x . return / 2 / 3");
	JAVASCRIPT("({}) / 2; a[0] / 1 /* / ' */", "( { } ) / 2 ; a [ 0 ] / 1");
	JAVASCRIPT("`a${b + `c${d}`}e`", "( 'a' + ( b + ( 'c' + ( d ) + '' ) ) + 'e' )");
	JAVASCRIPT("`a\\`b`", "'a`b'");
	JAVASCRIPT("\\u0065v\\u{61}l(1)", "eval ( 1 )");
	JAVASCRIPT("'\\x61\\u{62}\\\nc\\'d'", "'abc'd'");
	JAVASCRIPT("a?.b?.[c] ? .5 : 1", "a . b [ c ] ? .5 : 1");
	JAVASCRIPT("// x\xe2\x80\xa8y", "y");
	JAVASCRIPT("#!/usr/bin/node\nx", "x");
	check_tokens(code_token_javascript, SLICE("`${a"), NULL, "a template without an end");
	check_tokens(code_token_javascript, SLICE("a = 'b\n"), NULL, "a string without an end");
	check_tokens(code_token_javascript, SLICE("a = /b\n"), NULL, "a regular expression without an end");
	check_tokens(code_token_javascript, SLICE("x <!-- y"), NULL, "'<!--', which may be a comment or not");
	check_tokens(code_token_javascript, SLICE("x\n --> y"), NULL, "'-->', which may be a comment or not");
	check_tokens(code_token_javascript, SLICE("{} /a/"), NULL,
		"a slash that may divide or begin a regular expression");
}

static struct text ran; /* what the shell's words run */

static void run(void *context, struct slice code) {
	(void)context;
	text_add(&ran, code);
	text_add_char(&ran, '\n');
}

static void read_shell(struct code_tokens *tokens) {
	text_clear(&ran);
	code_token_shell(tokens, run, NULL);
}

static void shell_is_read(void **state) {
	(void)state;
	SHELL("e''v\"a\"\\l 'x y' # z", "eval x y");
	SHELL("$'\\x65\\166al' a", "eval a");
	SHELL("a$b \"${c}d\" $1x", "a\1b\2 \1c\2d \1"
				   "1\2x");
	SHELL("a 2>/dev/null>&1", "a > /dev/null >& 1");
	SHELL("a&&b||c|d;e&", "a && b || c | d ; e &");
	SHELL("x$(a \"$(b)\" ')')y", "x\1\2y");
	assert_string_equal(ran.bytes, "a \"$(b)\" ')'\n");
	SHELL("\"`a \\`b\\``\"", "\1\2");
	assert_string_equal(ran.bytes, "a `b`\n");
	SHELL("echo $((1 + 2)) $((a b))", "echo \1\2 \1\2");
	assert_string_equal(ran.bytes, "(a b)\n");
	SHELL("${x:-$(a)} <(b)", "\1\2 \1\2");
	assert_string_equal(ran.bytes, "a\nb\n");
	SHELL("\"$(case x in x) a;; esac)\"", "\1\2");
	assert_string_equal(ran.bytes, "case x in x) a;; esac\n");
	SHELL("cat <<E; b\n$(a)\nE\nc", "cat << '$(a)\n' ; b | c");
	assert_string_equal(ran.bytes, "a\n");
	SHELL("cat <<-'E'\n\t$(a)\n\tE\nc", "cat <<- '\t$(a)\n' | c");
	check_tokens(read_shell, SLICE("a 'b"), NULL, "a string without an end");
	check_tokens(read_shell, SLICE("a $(b"), NULL, "a substitution without an end");
	check_tokens(read_shell, SLICE("a `b"), NULL, "a backtick without another");
	text_finish(&ran);
}

static void letters_fold(void **state) {
	char letters[CODE_FOLD_OCTETS + 1];
	(void)state;
	assert_int_equal(code_fold_character('a', letters), 0);
	assert_int_equal(code_fold_character(0xff45, letters), 1);
	assert_string_equal(letters, "e");
	assert_int_equal(code_fold_character(0x1d41a, letters), 1);
	assert_string_equal(letters, "a");
	assert_int_equal(code_fold_character(0x1d7d9, letters), 1);
	assert_string_equal(letters, "1");
	assert_int_equal(code_fold_character(0xfb01, letters), 2);
	assert_string_equal(letters, "fi");
	assert_int_equal(code_fold_character(0xe9, letters), 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_is_read),
		cmocka_unit_test(javascript_is_read),
		cmocka_unit_test(shell_is_read),
		cmocka_unit_test(letters_fold),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
