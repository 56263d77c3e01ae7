/* SPDX-License-Identifier: Apache-2.0 */
/* Command: one reader of arguments for every command. */
#include "cli/command.h"

#include "cli/nearest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const struct command_option reaching_options[] = {
	{"url", "URL", "the gateway, http(s)://HOST:PORT; default $HUSTINGS_URL, else the one that runs on DATA"},
	{"token", "TOKEN", "who you are there; default $HUSTINGS_TOKEN, else one is made from DATA"},
	{"data", "DIR", "the data folder; default $HUSTINGS_DATA, else ~/.local/share/hustings"},
	{"ca", "FILE", "PEM file of certificates to trust; default: the system's"},
	{0},
};
static const struct command_option printing_options[] = {
	{"json", NULL, "print JSON"},
	{0},
};
static const struct command_option common_options[] = {
	{"help", NULL, "this text"},
	{0},
};

#define OPTION_TABLES 4

/* The tables of a form, some of which may be NULL. */
static void tables_of(const struct command_form *form,
	const struct command_option *tables[OPTION_TABLES]) {
	tables[0] = form->options;
	tables[1] = form->reaches ? reaching_options : NULL;
	tables[2] = form->prints ? printing_options : NULL;
	tables[3] = common_options;
}

static const struct command_option *option_find(const struct command_form *form, struct slice name,
	const char **nearest) {
	const struct command_option *tables[OPTION_TABLES];
	struct nearest near;
	tables_of(form, tables);
	nearest_init(&near, name);
	for (size_t i = 0; i < OPTION_TABLES; i++) {
		for (const struct command_option *option = tables[i]; option && option->name; option++) {
			if (slice_is(name, option->name)) return option;
			nearest_try(&near, option->name);
		}
	}
	*nearest = near.best;
	return NULL;
}

static void print_help(const struct command_form *form) {
	const struct command_option *tables[OPTION_TABLES];
	tables_of(form, tables);
	printf("hustings %s %s\n%s\n", form->name, form->usage, form->summary);
	printf("\nOptions\n");
	for (size_t i = 0; i < OPTION_TABLES; i++) {
		for (const struct command_option *option = tables[i]; option && option->name; option++) {
			char title[64];
			snprintf(title, sizeof title, "--%s%s%s", option->name, option->value ? " " : "",
				option->value ? option->value : "");
			printf("  %-26s %s\n", title, option->help);
		}
	}
	if (form->more) printf("\n%s\n", form->more);
}

int command_misuse(const struct command_form *form, const char *format, ...) {
	va_list arguments;
	fprintf(stderr, "hustings %s: ", form->name);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fprintf(stderr, "\nusage: hustings %s %s\n`hustings %s --help` tells more\n", form->name,
		form->usage, form->name);
	return COMMAND_USAGE;
}

int command_fail(const struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_display(&text, slice_of(why->text));
	fprintf(stderr, "hustings: %s\n", text_failed(&text) ? why->text : text.bytes);
	return COMMAND_FAILED;
}

/* Reading */

static void give(struct command_line *line, const char *name, const char *value) {
	line->given[line->given_count++] = (struct command_given){name, value};
}

/* One option at argv[*at]; *at moves over a value of its own. */
static bool read_option(struct command_line *line, int argc, char **argv, int *at, int *status) {
	const struct command_form *form = line->form;
	const char *nearest = NULL, *text = argv[*at] + 2, *equal = strchr(text, '=');
	struct slice name = slice_make(text, equal ? (size_t)(equal - text) : strlen(text));
	const struct command_option *option = option_find(form, name, &nearest);
	if (!option) {
		*status = command_misuse(form, "there is no option --%.*s%s%s%s", SLICE_ARGS(name),
			nearest ? ": did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "");
		return false;
	}
	if (!option->value) {
		if (equal) *status = command_misuse(form, "--%s takes no value", option->name);
		else give(line, option->name, "");
		return !equal;
	}
	if (equal) {
		give(line, option->name, equal + 1);
		return true;
	}
	if (*at + 1 >= argc || strcmp(argv[*at + 1], "--") == 0) {
		*status = command_misuse(form, "--%s needs %s", option->name, option->value);
		return false;
	}
	give(line, option->name, argv[++*at]);
	return true;
}

static bool read_arguments(struct command_line *line, int argc, char **argv, int *status) {
	for (int at = 1; at < argc; at++) {
		if (strcmp(argv[at], "--") == 0) {
			line->rest = argv + at + 1;
			line->rest_count = (size_t)(argc - at - 1);
			return true;
		}
		if (strcmp(argv[at], "-h") == 0) give(line, "help", "");
		else if (argv[at][0] == '-' && argv[at][1] == '-') {
			if (!read_option(line, argc, argv, &at, status)) return false;
		} else if (argv[at][0] == '-' && argv[at][1]) {
			*status = command_misuse(line->form, "there is no option %s: options begin with --", argv[at]);
			return false;
		} else
			line->words[line->count++] = argv[at];
	}
	return true;
}

/* Without a form that takes it, what stands behind -- is words, even when it begins with a dash. */
static void take_rest_as_words(struct command_line *line) {
	if (line->form->has_rest || !line->rest) return;
	for (size_t i = 0; i < line->rest_count; i++) line->words[line->count++] = line->rest[i];
	line->rest = NULL;
	line->rest_count = 0;
}

/* The usage begins with the words that are required: "TOPIC TEXT... [options]". */
static struct slice usage_word(const struct command_form *form, size_t at) {
	const char *word = form->usage;
	for (; at && strchr(word, ' '); at--) word = strchr(word, ' ') + 1;
	return slice_make(word, strcspn(word, " ."));
}

static bool check_words(const struct command_line *line, int *status) {
	const struct command_form *form = line->form;
	if (line->count < form->least) {
		*status = command_misuse(form, "%.*s is missing", SLICE_ARGS(usage_word(form, line->count)));
		return false;
	}
	if (line->count > form->most) {
		*status = command_misuse(form, "'%s' is one word too many", line->words[form->most]);
		return false;
	}
	return true;
}

bool command_read(struct command_line *line, const struct command_form *form, int argc,
	char **argv, int *status) {
	*line = (struct command_line){.form = form};
	line->words = calloc((size_t)argc + 1, sizeof *line->words);
	line->given = calloc((size_t)argc + 1, sizeof *line->given);
	if (!line->words || !line->given) {
		fprintf(stderr, "hustings: no memory\n");
		*status = COMMAND_FAILED;
		return false;
	}
	if (!read_arguments(line, argc, argv, status)) return false;
	if (command_has(line, "help")) {
		print_help(form);
		*status = COMMAND_FINE;
		return false;
	}
	take_rest_as_words(line);
	return check_words(line, status);
}

void command_finish(struct command_line *line) {
	free(line->words);
	free(line->given);
	*line = (struct command_line){0};
}

void command_line_auto(struct command_line *line) { command_finish(line); }

const char *command_next(const struct command_line *line, const char *name, size_t *at) {
	while (*at < line->given_count) {
		const struct command_given *given = &line->given[(*at)++];
		if (strcmp(given->name, name) == 0) return given->value;
	}
	return NULL;
}

const char *command_value(const struct command_line *line, const char *name) {
	const char *last = NULL, *value;
	for (size_t at = 0; (value = command_next(line, name, &at));) last = value;
	return last;
}

bool command_has(const struct command_line *line, const char *name) {
	return command_value(line, name) != NULL;
}

bool command_number(const struct command_line *line, const char *name, uint64_t least, uint64_t most,
	uint64_t otherwise, uint64_t *number) {
	const char *value = command_value(line, name);
	uint64_t found = otherwise;
	if (value && (!slice_number(slice_of(value), most, &found) || found < least)) {
		command_misuse(line->form, "--%s has to be a number from %llu to %llu, not '%s'", name,
			(unsigned long long)least, (unsigned long long)most, value);
		return false;
	}
	*number = found;
	return true;
}

/* Choosing */

static bool is_named(const struct command *row, const char *word) {
	size_t length = strlen(row->name);
	if (strncmp(word, row->name, length) != 0) return false;
	return word[length] == '\0' || (word[length] == 's' && word[length + 1] == '\0');
}

static int print_table(FILE *to, const struct command *table, const char *title, const char *more) {
	fprintf(to, "usage: %s COMMAND [...]\n\n", title);
	for (const struct command *row = table; row->name; row++)
		fprintf(to, "  %-10s %s\n", row->name, row->summary);
	fprintf(to, "\n`%s COMMAND --help` tells more\n", title);
	if (more) fprintf(to, "\n%s\n", more);
	return to == stdout ? COMMAND_FINE : COMMAND_USAGE;
}

int command_choose(const struct command *table, const char *title, const char *more, int argc,
	char **argv) {
	struct nearest nearest;
	if (argc < 2) return print_table(stderr, table, title, more);
	const char *word = argv[1];
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0)
		return print_table(stdout, table, title, more);
	nearest_init(&nearest, slice_of(word));
	for (const struct command *row = table; row->name; row++) {
		if (is_named(row, word)) return row->run(argc - 1, argv + 1);
		nearest_try(&nearest, row->name);
	}
	fprintf(stderr, "%s: there is no command '%s'", title, word);
	if (nearest.best) fprintf(stderr, ": did you mean '%s'?", nearest.best);
	fprintf(stderr, "\n`%s --help` lists all\n", title);
	return COMMAND_USAGE;
}

bool command_print(struct slice text) {
	if (fwrite(text.bytes ? text.bytes : "", 1, text.length, stdout) == text.length &&
		fflush(stdout) == 0)
		return true;
	fprintf(stderr, "hustings: cannot write to stdout: %s\n", strerror(errno));
	return false;
}
