/* SPDX-License-Identifier: Apache-2.0 */
/* Tool talk: on stderr what is for people, on stdout what is for whoever reads the result. */
#include "cli/tool_talk.h"

#include "cli/command.h"
#include "cli/form_ask.h"
#include "cli/tool_result.h"

#include <stdio.h>
#include <unistd.h>

bool tool_talk_confirm(struct slice tool) {
	char answer[16], shown[200];
	text_display_in(shown, sizeof shown, tool);
	fprintf(stderr, "%s says of itself that it may destroy something. Call it? [y/N] ", shown);
	fflush(stderr);
	if (!form_line(stdin, answer, sizeof answer)) return false;
	return answer[0] == 'y' || answer[0] == 'Y';
}

bool tool_talk_print(struct slice result, bool as_json, bool *has_failed, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	*has_failed = false;
	if (!tool_result_write(&text, result, isatty(STDOUT_FILENO), has_failed)) as_json = true;
	bool is_complaint = *has_failed && !as_json;
	if (is_complaint) { /* for the other terminal, if it is one */
		text_clear(&text);
		(void)!tool_result_write(&text, result, isatty(STDERR_FILENO), has_failed);
	}
	if (as_json) {
		text_clear(&text);
		text_add(&text, result);
		text_add_char(&text, '\n');
	}
	if (text_failed(&text)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the result");
	if (is_complaint) fwrite(text.bytes, 1, text.length, stderr);
	else if (!command_print(text_slice(&text))) *has_failed = true;
	return true;
}
