/* SPDX-License-Identifier: Apache-2.0 */
/* Validator readonly: looks for a word that writes everywhere, and for one that says it reads. */
#include "validate/validator_readonly.h"

#include "validate/validator_sql.h"
#include "validate/validator_verb.h"
#include "validate/validator_walk.h"

#define LENT 4096

struct readonly {
	struct validator_report *report;
	struct validator_walk walk;
	struct arena arena; /* of one item */
	struct shell_words words;
	bool reads; /* something said so */
};

static const char *const sql_names[] = {"sql", "statement", "statements", "stmt", "sqlquery", "rawsql",
	"querysql", "sqlstatement", "dml", "ddl", NULL};
static const char *const query_names[] = {"query", "queries", "q", "expression", "expr", "cypher", "gql",
	"graphql", "document", "mutation", "querystring", "raw", "rawquery", "batch", "command", "cmd",
	NULL};
static const char *const verb_names[] = {"operation", "operations", "op", "ops", "action", "actions",
	"mode", "method", "verb", "httpmethod", "requestmethod", "openmode", "accessmode", "filemode",
	"xhttpmethodoverride", "xhttpmethod", "methodoverride", "operationname", "operationtype", "access", "httpverb",
	"rpcmethod", "subcommand", NULL};
static const char *const command_names[] = {
	"command", "cmd", "commands", "shell", "commandline", "script", NULL};
static const char *const denials[] = {"readonly", "dryrun", "safemode", "isreadonly", NULL};

static void tell(struct readonly *readonly, const char *what, const char *which) {
	char path[VALIDATOR_WALK_PATH];
	validator_walk_path(&readonly->walk, path);
	if (which)
		validator_report_add(
			readonly->report, VALIDATOR_ADVICE_READING, path, "%s (%s)", what, which);
	else validator_report_add(readonly->report, VALIDATOR_ADVICE_READING, path, "%s", what);
}

/* ---- Strings ---- */

static void judge_sql(struct readonly *readonly, const char *name, struct slice text) {
	const char *what = NULL;
	enum sql_trust trust = validator_walk_is(name, sql_names) ? SQL_CERTAIN
		: validator_walk_is(name, query_names)            ? SQL_PERHAPS
								  : SQL_STACKED;
	enum sql_kind kind = validator_sql_judge(text, trust, &what);
	if (kind == SQL_WRITES) tell(readonly, "holds a statement that writes", what);
	if (kind == SQL_READS && trust != SQL_STACKED) readonly->reads = true;
}

static void judge_verb(struct readonly *readonly, struct slice text) {
	enum verb_kind kind = validator_verb_judge(text);
	if (kind == VERB_WRITES) tell(readonly, "names an operation that writes", NULL);
	if (kind == VERB_READS) readonly->reads = true;
}

static void judge_command(struct readonly *readonly, struct slice text) {
	shell_words_clear(&readonly->words);
	shell_words_add(&readonly->words, text, &readonly->arena);
	enum verb_kind kind = validator_verb_judge_words(&readonly->words);
	bool is_redirected = text.length && memchr(text.bytes, '>', text.length);
	if (kind == VERB_WRITES) tell(readonly, "runs a command that writes", NULL);
	else if (is_redirected && kind == VERB_READS) tell(readonly, "redirects into a file", NULL);
	else if (kind == VERB_READS) readonly->reads = true;
}

static void judge_string(struct readonly *readonly, const struct validator_item *item) {
	struct slice text;
	if (!scan_string(&item->value, &readonly->arena, &text)) {
		tell(readonly, "is too long to be looked at", NULL);
		return;
	}
	judge_sql(readonly, item->name, text);
	if (validator_walk_is(item->name, verb_names)) judge_verb(readonly, text);
	if (validator_walk_is(item->name, command_names)) judge_command(readonly, text);
}

/* ---- Names ---- */

/* {"$out":"copy"} of an aggregation. */
static bool is_stage(const struct validator_item *item) {
	const struct scan_member member = {.key = item->key, .key_escaped = item->key_escaped};
	return scan_key_is(&member, "$out") || scan_key_is(&member, "$merge");
}

static void judge_name(struct readonly *readonly, const struct validator_item *item) {
	bool is_true = false;
	if (!item->key.bytes) return;
	if (is_stage(item)) tell(readonly, "is a stage that writes", NULL);
	if (!scan_boolean(&item->value, &is_true)) return;
	if (is_true && validator_verb_is_writing_name(item->name)) tell(readonly, "asks for writing", NULL);
	if (!is_true && validator_walk_is(item->name, denials)) tell(readonly, "asks for writing", NULL);
}

void validator_readonly_judge(
	struct slice arguments, bool says_read_only, struct validator_report *report) {
	char lent[LENT];
	struct readonly readonly; /* not zeroed: it is large */
	struct validator_item item;
	readonly.report = report;
	readonly.reads = says_read_only;
	arena_init(&readonly.arena, lent, sizeof lent, 0);
	validator_walk_open(&readonly.walk, arguments);
	while (validator_walk_next(&readonly.walk, &item)) {
		arena_reset(&readonly.arena);
		judge_name(&readonly, &item);
		if (item.value.type == SCAN_STRING) judge_string(&readonly, &item);
	}
	if (readonly.walk.is_deep)
		validator_report_add(
			report, 0, "arguments", "are nested deeper than %d levels", SCAN_DEPTH);
	if (!readonly.reads && !report->count)
		validator_report_add(report, VALIDATOR_ADVICE_HINT, "arguments",
			"do not say that the call only reads, and neither does the tool");
	arena_finish(&readonly.arena);
}
