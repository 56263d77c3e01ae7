/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prompt: one question to a person in a guided session (MCP Flow, appendix A): its type, its words, and what an
 * answer has to be. A plain value; its slices lie in what it was read from, or in the arena. Any thread.
 */
#ifndef HUSTINGS_FLOW_PROMPT_H
#define HUSTINGS_FLOW_PROMPT_H

#include "wire/scan.h"

#define PROMPT_NAME 128           /* octets */
#define PROMPT_MESSAGE (8 * 1024) /* octets, of the placeholder too */
#define PROMPT_CHOICES 1000
#define PROMPT_OCTETS ((size_t)64 << 10) /* of one as JSON */
#define PROMPT_FILE_OCTETS 1e15          /* of a file, at most */

enum prompt_type {
	PROMPT_TEXT,
	PROMPT_CHOICE,
	PROMPT_CONFIRM,
	PROMPT_NUMBER,
	PROMPT_DATE,
	PROMPT_FILE, /* by reference: {"uri","name","size","mimeType"} */
	PROMPT_CUSTOM,
	PROMPT_TYPES
};

struct prompt_choice {
	struct slice value; /* JSON text */
	struct slice label; /* length 0: the value */
};

/* `validation` of the text, with what it leaves open named as JSON Schema names it (docs/protocol.md). */
struct prompt_rules {
	bool is_required;
	bool has_least, has_most; /* min, max: of a number; of a text's characters */
	double least, most;
	bool is_whole;            /* of a number: "integer" */
	struct slice pattern;     /* of a text; length 0: any, as with the next */
	struct slice format;      /* of a text: "email", "uri"; of a date: "date" where nothing is said, "date-time", "time" */
	struct slice first, last; /* min, max of a date, in its format */
	double most_octets;       /* of a file: maxSize; 0: PROMPT_FILE_OCTETS */
	struct scan_value accept; /* of a file: an array of "image/png", "image/" with a star, ".pdf" */
};

struct prompt {
	enum prompt_type type;
	struct slice name; /* of the parameter that it asks for; length 0: none */
	struct slice id;   /* promptId; length 0: none */
	struct slice message;
	struct slice title;         /* of its field in a form; length 0: the name. Not of the text */
	struct slice placeholder;   /* length 0: none */
	struct slice default_value; /* JSON text; length 0: none */
	const struct prompt_choice *choices;
	size_t choice_count;
	struct slice schema; /* JSON text, which the answer has to fit as well; length 0: there is none */
	struct prompt_rules rules;
};

struct prompt_progress {         /* of a session */
	unsigned current, total; /* total 0: not known */
	struct slice message;    /* length 0: none */
};

const char *prompt_type_word(enum prompt_type type); /* "choice" */
/* Of an object as it came. FAULT_BAD_INPUT names the member, FAULT_TOO_LARGE the bound. */
bool prompt_read(const struct scan_value *value, struct arena *arena, struct prompt *prompt,
	struct fault *why) MUST_USE;
void prompt_write(struct text *to, const struct prompt *prompt);
void prompt_write_progress(struct text *to, const struct prompt_progress *progress); /* an object */

#endif
