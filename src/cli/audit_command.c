/* SPDX-License-Identifier: Apache-2.0 */
/* Audit command: its verbs, of which listing needs no word; and checking the chain in the files. */
#include "cli/audit_command.h"

#include "cli/audit_export.h"
#include "cli/audit_list.h"
#include "cli/audit_stats.h"
#include "cli/command.h"
#include "cli/place.h"
#include "store/audit.h"

#include <stdio.h>

/* Verify */

static const struct command_option verify_options[] = {
	{"data", "DIR", "the data folder; default $HUSTINGS_DATA, else ~/.local/share/hustings"},
	{0},
};

static const struct command_form verify_form = {
	.name = "audit verify",
	.usage = "[--data DIR] [--json]",
	.summary = "Checks the chain of audit records in the files; a gateway may be running on them.",
	.more = "Every record is signed together with the one before, with the key in DATA/secret; DATA/audit.head\n"
		"names the newest. So a record that was changed, put in, taken out or moved shows, and a tail that\n"
		"was cut. Exits with 1 when the chain is not sound. What hosted servers claim is not in the chain.",
	.options = verify_options,
	.prints = true,
};

static int verify(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct audit_verdict verdict = {0};
	char data[PLACE_PATH];
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &verify_form, argc, argv, &status)) return status;
	if (!place_find(command_value(&line, "data"), data, &why) || !audit_verify(data, &verdict, &why))
		return command_fail(&why);
	bool is_sound = !verdict.broken && !verdict.tail_cut;
	text_printf(&json, "{\"sound\":%s,\"rows\":%llu,\"first\":%llu,\"broken\":", is_sound ? "true" : "false",
		(unsigned long long)verdict.rows, (unsigned long long)verdict.first);
	if (verdict.broken) text_printf(&json, "%llu", (unsigned long long)verdict.broken);
	else text_add_cstr(&json, "null");
	text_printf(&json, ",\"tailCut\":%s}\n", verdict.tail_cut ? "true" : "false");
	text_printf(&words, "%llu records from row %llu\n", (unsigned long long)verdict.rows,
		(unsigned long long)verdict.first);
	if (verdict.broken)
		text_printf(&words, "row %llu does not fit the chain: it, or what was before it, was changed\n",
			(unsigned long long)verdict.broken);
	if (verdict.tail_cut) text_add_cstr(&words, "the newest records are missing: the tail was cut\n");
	if (is_sound) text_add_cstr(&words, "the chain is sound\n");
	if (!command_print(text_slice(command_has(&line, "json") ? &json : &words))) return COMMAND_FAILED;
	return is_sound ? COMMAND_FINE : COMMAND_FAILED;
}

static const struct command verbs[] = {
	{"list", "lists records by row, the newest first", audit_list},
	{"verify", "checks that none was changed or cut", verify},
	{"export", "writes the trail as JSON lines or CSV", audit_export},
	{"stats", "counts records by type, actor, server or hour", audit_stats},
	{0},
};

int audit_command(int argc, char **argv) {
	if (argc < 2 || argv[1][0] == '-') return audit_list(argc, argv);
	return command_choose(verbs, "hustings audit", NULL, argc, argv);
}
