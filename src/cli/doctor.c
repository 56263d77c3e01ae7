/* SPDX-License-Identifier: Apache-2.0 */
/* Doctor: runs the table of checks and prints it. */
#include "cli/doctor.h"

#include "cli/config_flags.h"
#include "cli/doctor_checks.h"

#include <stdio.h>

extern char **environ;

static const struct command_option options[] = {
	{"config", "FILE", "the configuration to look at; default as for serve"},
	{"listen", "HOST:PORT", "the address to look at; default as configured"},
	{0},
};

static const struct command_form form = {
	.name = "doctor",
	.usage = "[options]",
	.summary = "Looks at this machine and says what is fine, what might hurt, and what is in the way.",
	.more = "Each line is ok, warning or problem; what is not ok names the next step. The exit status is 1\n"
		"when there is a problem.",
	.options = options,
	.reaches = true,
	.prints = true,
};

static const char *word_of(enum doctor_verdict verdict) {
	static const char *const words[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_WARNING] = "warning",
		[DOCTOR_PROBLEM] = "problem",
	};
	return words[verdict];
}

/* True: nothing is in the way. */
static bool look(const struct doctor *doctor, struct text *json, struct text *words) {
	bool is_fine = true;
	text_add_cstr(json, "{\"checks\":[");
	for (const struct doctor_row *row = doctor_rows; row->name; row++) {
		struct doctor_finding finding = {0};
		row->look(doctor, &finding);
		if (finding.verdict == DOCTOR_PROBLEM) is_fine = false;
		text_printf(words, "%-8s %-14s ", word_of(finding.verdict), row->name);
		text_display(words, slice_of(finding.text));
		text_add_char(words, '\n');
		if (row != doctor_rows) text_add_char(json, ',');
		text_printf(json, "{\"check\":\"%s\",\"verdict\":\"%s\",\"text\":", row->name, word_of(finding.verdict));
		text_json(json, slice_of(finding.text));
		text_add_char(json, '}');
	}
	text_printf(json, "],\"ok\":%s}\n", is_fine ? "true" : "false");
	return is_fine;
}

int doctor_command(int argc, char **argv) {
	AUTO_COMMAND struct command_line line = {0};
	AUTO_TEXT struct text json = {0}, words = {0};
	struct doctor doctor = {.line = &line};
	struct fault why;
	int status;
	text_init(&json, 0);
	text_init(&words, 0);
	if (!command_read(&line, &form, argc, argv, &status)) return status;
	AUTO(config) config = config_flags_read(&line, command_value(&line, "config"), environ, &doctor.config_fault);
	doctor.config = config;
	if (!place_find(config ? config->data : command_value(&line, "data"), doctor.data, &why))
		return command_fail(&why);
	doctor.has_gateway = place_gateway(doctor.data, &doctor.gateway, &doctor.gateway_fault);
	bool is_fine = look(&doctor, &json, &words);
	if (!command_print(text_slice(command_has(&line, "json") ? &json : &words))) return COMMAND_FAILED;
	return is_fine ? COMMAND_FINE : COMMAND_FAILED;
}
