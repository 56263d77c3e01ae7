/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the validators over a call's arguments. What is refused comes with a report that is JSON; the
 * same arguments without insignificant blanks are judged the same. Octets that are no JSON go through the
 * readers of SQL, command lines, paths and URLs as they are. */
#include "validate/validator.h"

#include "validate/validator_command.h"
#include "validate/validator_host.h"
#include "validate/validator_path.h"
#include "validate/validator_sql.h"
#include "validate/validator_url.h"
#include "validate/validator_verb.h"
#include "wire/scan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool inside(struct slice part, struct slice text) {
	return !part.bytes ||
		(part.bytes >= text.bytes && part.bytes + part.length <= text.bytes + text.length);
}

static void read_raw(struct slice text) {
	bool is_command = text.length % 2;
	struct arena arena;
	struct shell_words words;
	struct command_finding finding = {.what = NULL};
	struct url_parts parts;
	const char *what = NULL;
	arena_init(&arena, NULL, 0, 0);
	for (int trust = SQL_CERTAIN; trust <= SQL_STACKED; trust++)
		require(validator_sql_judge(text, (enum sql_trust)trust, &what) != SQL_WRITES || what);
	shell_words_clear(&words);
	shell_words_add(&words, text, &arena);
	require(words.count <= SHELL_WORDS);
	require(!validator_command_judge(&words, is_command, &arena, &finding) || finding.what);
	require(validator_verb_judge_words(&words) <= VERB_WRITES &&
		validator_verb_judge(text) <= VERB_WRITES);
	what = validator_path_judge(text, true, &arena);
	require(!what || what[0]);
	for (size_t from = 0; validator_url_find(text, from, from == 0, &parts); from = parts.end) {
		struct url_authority authority;
		struct host_judgement judgement;
		require(parts.end > from && parts.end <= text.length && inside(parts.authority, text));
		validator_url_split(parts.authority, &authority);
		require(inside(authority.host, text) && inside(authority.port, text));
		validator_host_judge(authority.host, &judgement);
		require(judgement.kind != HOST_CLOSED || judgement.what);
	}
	arena_finish(&arena);
}

static enum validator_verdict judge(enum validator validator, struct slice arguments) {
	const struct tool_security security = {.validator = validator};
	struct validator_report report;
	validator_report_init(&report, validator);
	enum validator_verdict verdict = validator_check(&security, arguments, &report);
	require((verdict == VALIDATOR_REFUSES) == (report.count > 0));
	if (report.count) {
		AUTO_TEXT struct text written = {0};
		struct scan_value root;
		struct scan_fault fault;
		text_init(&written, 0);
		validator_report_write(&written, &report);
		require(scan_check(text_slice(&written), SCAN_DEPTH, &root, &fault) && report.first[0]);
	}
	validator_report_finish(&report);
	return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static const enum validator kinds[] = {
		VALIDATOR_SANDBOX, VALIDATOR_READONLY, VALIDATOR_NETWORK_RESTRICTED};
	AUTO_TEXT struct text compact = {0};
	struct slice text = slice_make(data, size);
	struct scan_value root;
	struct scan_fault fault;
	if (size == 0) return 0;
	if (!scan_check(text, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) {
		read_raw(text);
		return 0;
	}
	text_init(&compact, 0);
	scan_compact(&compact, root.text);
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		require(judge(kinds[i], root.text) == judge(kinds[i], text_slice(&compact)));
	return 0;
}
