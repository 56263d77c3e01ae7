/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_said: lines in a list; the oldest give way. */
#include "gateway/mcp_room_said.h"

#include "base/clock.h"
#include "base/list.h"

#include <stdlib.h>

struct line {
	struct link link;
	size_t length;
	char bytes[];
};

void mcp_room_said_init(struct mcp_room_said *said) {
	*said = (struct mcp_room_said){0};
	list_init(&said->lines);
}

static void drop_oldest(struct mcp_room_said *said) {
	struct line *line = CONTAINER_OF(list_pop(&said->lines), struct line, link);
	said->count--;
	said->octets -= line->length;
	free(line);
}

void mcp_room_said_finish(struct mcp_room_said *said) {
	while (said->count) drop_oldest(said);
}

/* A message of several lines stays one: nobody speaks in another's name by a line break. */
static void write_text(struct text *to, struct slice text) {
	struct slice line;
	const char *before = "";
	while (slice_split(&text, '\n', &line)) {
		text_add_cstr(to, before);
		text_display(to, line);
		before = "\n\t";
	}
}

void mcp_room_said_add(struct mcp_room_said *said, const struct guest_chat *chat) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (chat->at) {
		char at[CLOCK_TEXT_SIZE];
		clock_write(chat->at, at);
		text_printf(&text, "%s ", at);
	}
	text_display(&text, chat->from);
	text_add_cstr(&text, ": ");
	size_t length = slice_cut(chat->text, MCP_ROOM_SAID_LINE);
	write_text(&text, slice_make(chat->text.bytes, length));
	text_add_cstr(&text, length < chat->text.length ? " [...]\n" : "\n");
	struct line *line = text_failed(&text) ? NULL : malloc(sizeof *line + text.length);
	if (!line) return;
	line->length = text.length;
	memcpy(line->bytes, text.bytes, text.length);
	list_append(&said->lines, &line->link);
	said->count++;
	said->octets += line->length;
	while (said->count > MCP_ROOM_SAID || said->octets > MCP_ROOM_SAID_OCTETS) drop_oldest(said);
}

void mcp_room_said_write(const struct mcp_room_said *said, struct text *to) {
	LIST_EACH(link, &said->lines) {
		const struct line *line = CONTAINER_OF(link, struct line, link);
		text_add(to, slice_make(line->bytes, line->length));
	}
}
