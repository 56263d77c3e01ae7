/* SPDX-License-Identifier: Apache-2.0 */
/* Code guess: signs by how a line begins and ends and what stands in it. */
#include "validate/code_guess.h"

struct sign {
	const char *text;
	enum code_language language;
};

/* Of one language alone. */
static const struct sign begins[] = {
	{"def ", CODE_PYTHON},
	{"elif ", CODE_PYTHON},
	{"except", CODE_PYTHON},
	{"print(", CODE_PYTHON},
	{"async def ", CODE_PYTHON},
	{"with open(", CODE_PYTHON},
	{"@property", CODE_PYTHON},
	{"# -*- coding", CODE_PYTHON},
	{"# coding", CODE_PYTHON},
	{"#coding", CODE_PYTHON},
	{"const ", CODE_JAVASCRIPT},
	{"let ", CODE_JAVASCRIPT},
	{"var ", CODE_JAVASCRIPT},
	{"function ", CODE_JAVASCRIPT},
	{"async function", CODE_JAVASCRIPT},
	{"console.", CODE_JAVASCRIPT},
	{"module.exports", CODE_JAVASCRIPT},
	{"process.", CODE_JAVASCRIPT},
	{"export default", CODE_JAVASCRIPT},
	{"export const", CODE_JAVASCRIPT},
	{"export function", CODE_JAVASCRIPT},
	{"#!/bin/sh", CODE_SHELL},
	{"#!/bin/bash", CODE_SHELL},
	{"#!/usr/bin/env bash", CODE_SHELL},
	{"#!/usr/bin/env sh", CODE_SHELL},
	{"echo ", CODE_SHELL},
	{"export ", CODE_SHELL},
	{"set -", CODE_SHELL},
	{"cat ", CODE_SHELL},
	{"grep ", CODE_SHELL},
	{"ls ", CODE_SHELL},
	{"cd ", CODE_SHELL},
	{"rm ", CODE_SHELL},
	{"curl ", CODE_SHELL},
	{"fi", CODE_SHELL},
	{"done", CODE_SHELL},
	{"esac", CODE_SHELL},
};

static const struct sign parts[] = {
	{" import (", CODE_PYTHON},
	{"__name__", CODE_PYTHON},
	{"self.", CODE_PYTHON},
	{" is None", CODE_PYTHON},
	{"lambda ", CODE_PYTHON},
	{"=> ", CODE_JAVASCRIPT},
	{"=>{", CODE_JAVASCRIPT},
	{"===", CODE_JAVASCRIPT},
	{"require(", CODE_JAVASCRIPT},
	{" from '", CODE_JAVASCRIPT},
	{" from \"", CODE_JAVASCRIPT},
	{"new Function", CODE_JAVASCRIPT},
	{"; then", CODE_SHELL},
	{"; do", CODE_SHELL},
	{"$(", CODE_SHELL},
	{" | ", CODE_SHELL},
	{" 2>&1", CODE_SHELL},
};

/* How lines of Python and JavaScript begin that would be commands of a shell. */
static const char *const words[] = {"import", "from", "def", "class", "if", "elif", "else", "for", "while",
	"try", "except", "finally", "with", "return", "raise", "assert", "del", "global", "nonlocal", "pass",
	"print", "yield", "lambda", "async", "await", "const", "let", "var", "function", "export", "new",
	"throw", "switch", "case", "default", "do", "catch", "typeof", "interface", "type", "enum", "break",
	"continue", "not", "static", "delete"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_language_word(struct slice word) {
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (slice_is(word, words[i])) return true;
	return false;
}

/* A word, then a blank or the end, then neither an equals sign nor an operator: a command may stand here. */
static bool may_be_command(struct slice line) {
	size_t at = 0;
	while (at < line.length && !strchr(" \t;|&<>", line.bytes[at])) at++;
	struct slice word = slice_make(line.bytes, at);
	while (at < line.length && strchr(" \t", line.bytes[at])) at++;
	struct slice rest = slice_make(line.bytes + at, line.length - at);
	bool is_function = word.length > 2 && memcmp(word.bytes + word.length - 2, "()", 2) == 0;
	if (is_function && (slice_starts_with(rest, "{") || rest.length == 0)) return true;
	if (slice_starts_with(rest, "<(")) return true;
	at = word.length;
	if (at == 0 || is_language_word(word) || slice_starts_with(word, "function") ||
		memchr(word.bytes, '(', at) || memchr(word.bytes, ',', at))
		return false;
	if (strchr(")]}#@", word.bytes[0]) || word.bytes[at - 1] == ':') return false;
	if (slice_starts_with(word, "//") || slice_starts_with(word, "/*") || slice_starts_with(word, "*"))
		return false;
	while (at < line.length && strchr(" \t", line.bytes[at])) at++;
	bool is_operator = at < line.length && strchr("=+*/%<>!?:^,.)", line.bytes[at]);
	bool is_path = at < line.length && strchr("/.", line.bytes[at]) && at + 1 < line.length &&
		line.bytes[at + 1] != ' ';
	return !is_operator || is_path;
}

static void read_import(struct slice line, size_t *signs) {
	bool is_import = slice_starts_with(line, "import ") || slice_starts_with(line, "from ");
	bool is_quoted = memchr(line.bytes, '\'', line.length) || memchr(line.bytes, '"', line.length);
	if (is_import) signs[is_quoted ? CODE_JAVASCRIPT : CODE_PYTHON]++;
}

static void read_line(struct slice line, struct code_guess *guess, size_t *signs) {
	line = slice_trim(line);
	if (line.length == 0) return;
	read_import(line, signs);
	for (size_t i = 0; i < COUNT_OF(begins); i++)
		signs[begins[i].language] += slice_starts_with(line, begins[i].text);
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (memmem(line.bytes, line.length, parts[i].text, strlen(parts[i].text)))
			signs[parts[i].language]++;
	bool is_block = line.bytes[line.length - 1] == ':' && is_letter(line.bytes[0]);
	signs[CODE_PYTHON] += is_block;
	guess->may_be[CODE_SHELL] |= may_be_command(line);
}

/* Calls, members, subscripts: both languages have them. */
static bool has_calls(struct slice code) {
	for (size_t i = 1; i < code.length; i++) {
		char before = code.bytes[i - 1];
		bool is_value = is_letter(before) || before == ')' || before == ']' || before == '"' ||
			before == '\'' || before == '`';
		if (is_value && code.bytes[i] && strchr("([.`", code.bytes[i])) return true;
	}
	return false;
}

struct code_guess code_guess_of(struct slice code) {
	struct code_guess guess = {0};
	struct slice rest = code, line;
	size_t signs[CODE_LANGUAGES] = {0};
	unsigned clear = 0;
	while (slice_split(&rest, '\n', &line)) read_line(line, &guess, signs);
	if (has_calls(code)) guess.may_be[CODE_PYTHON] = guess.may_be[CODE_JAVASCRIPT] = true;
	for (unsigned language = CODE_PYTHON; language <= CODE_SHELL; language++) {
		if (!signs[language]) continue;
		guess.may_be[language] = true;
		guess.clear = language;
		clear++;
	}
	if (clear != 1) guess.clear = CODE_UNSAID;
	bool is_any = guess.may_be[CODE_PYTHON] || guess.may_be[CODE_JAVASCRIPT] || guess.may_be[CODE_SHELL];
	for (unsigned language = CODE_PYTHON; language <= CODE_SHELL && !is_any; language++)
		guess.may_be[language] = true;
	return guess;
}
