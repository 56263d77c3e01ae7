/* SPDX-License-Identifier: Apache-2.0 */
/* Call stream: what was said so far is kept, to be compared with the whole. */
#include "cli/call_stream.h"

#include "cli/command.h"
#include "cli/tool_result.h"
#include "cli/tool_talk.h"
#include "mcp/mgp_chunk.h"

#include <unistd.h>

void call_stream_init(struct call_stream *stream, bool as_json) {
	*stream = (struct call_stream){.as_json = as_json};
	text_init(&stream->said, CALL_STREAM_OCTETS);
}

void call_stream_finish(struct call_stream *stream) { text_finish(&stream->said); }

static bool print_json(const struct scan_value *params) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	scan_compact(&line, params->text);
	text_add_char(&line, '\n');
	return !text_failed(&line) && command_print(text_slice(&line));
}

static bool print_words(struct slice words) {
	AUTO_TEXT struct text shown = {0};
	if (!isatty(STDOUT_FILENO)) return command_print(words);
	text_init(&shown, 0);
	tool_result_show(&shown, words);
	return !text_failed(&shown) && command_print(text_slice(&shown));
}

bool call_stream_take(struct call_stream *stream, const struct scan_value *params) {
	struct mgp_chunk chunk;
	struct scan_value text;
	struct slice words;
	struct arena arena;
	char lent[1024];
	if (!mgp_chunk_read(params, &chunk)) return true;
	if (chunk.index != stream->next) stream->has_gap = true;
	stream->next = chunk.index + 1;
	if (stream->as_json) return print_json(params);
	if (!chunk.text.bytes || !scan_path(params, &text, "content", "text", NULL)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = true;
	if (scan_string(&text, &arena, &words) && words.length) {
		text_add(&stream->said, words);
		stream->has_begun = true;
		is_fine = print_words(words);
	}
	arena_finish(&arena);
	return is_fine;
}

/* It ends as tool_result_write() does: with its line. */
static bool ends_line(const struct call_stream *stream) {
	const struct text *said = &stream->said;
	return said->length && said->bytes[said->length - 1] == '\n';
}

/* Whether what was read is all of the answer's text. */
static bool is_whole(const struct call_stream *stream, struct slice result, bool *has_failed) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (stream->has_gap || text_failed(&stream->said) || !tool_result_write(&text, result, false, has_failed) ||
		text_failed(&text) || *has_failed)
		return false;
	size_t length = text.length - (!ends_line(stream) && text.length ? 1 : 0);
	return slice_equal(slice_make(text.bytes, length), text_slice(&stream->said));
}

bool call_stream_end(struct call_stream *stream, struct slice result, bool *has_failed, struct fault *why) {
	*has_failed = false;
	if (!stream->has_begun) return tool_talk_print(result, stream->as_json, has_failed, why);
	if (!ends_line(stream) && !command_print(SLICE("\n"))) *has_failed = true;
	bool was_cut = *has_failed;
	if (was_cut || is_whole(stream, result, has_failed)) return true;
	return tool_talk_print(result, false, has_failed, why);
}
