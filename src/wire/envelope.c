/* SPDX-License-Identifier: Apache-2.0 */
/* Envelope: reading. The scan's one pass notes the members as they end; what they must be is asked
 * when the text is known to be sound. The first complaint stands, but the pass goes on, so that a
 * refusal can name the envelope's id. */
#include "wire/envelope.h"
#include "base/clock.h"
#include "wire/scan_core.h"

#include <stdarg.h>
#include <stdio.h>

#define LONGEST_FIELD 14     /* "correlation_id" */
#define LONGEST_PART (6 * 6) /* "method" with all its letters escaped */
#define FEW_EXTRAS 8         /* unknown fields that are compared one by one */

enum field {
	FIELD_PROTOCOL,
	FIELD_ID,
	FIELD_TS,
	FIELD_FROM,
	FIELD_TO,
	FIELD_KIND,
	FIELD_CORRELATION,
	FIELD_PAYLOAD,
	FIELDS,
	FIELD_UNKNOWN = FIELDS,
};

static const char *const field_names[FIELDS] = {
	[FIELD_PROTOCOL] = "protocol",
	[FIELD_ID] = "id",
	[FIELD_TS] = "ts",
	[FIELD_FROM] = "from",
	[FIELD_TO] = "to",
	[FIELD_KIND] = "kind",
	[FIELD_CORRELATION] = "correlation_id",
	[FIELD_PAYLOAD] = "payload",
};

static const struct slice dialect_texts[ENVELOPE_DIALECTS] = {
	[ENVELOPE_V0] = SLICE("mcp-x/v0"),
	[ENVELOPE_V01] = SLICE("mcpx/v0.1"),
};

static const struct slice kind_texts[ENVELOPE_KINDS] = {
	[ENVELOPE_MCP] = SLICE("mcp"),
	[ENVELOPE_PROPOSAL] = SLICE("mcp/proposal"),
	[ENVELOPE_CHAT] = SLICE("chat"),
	[ENVELOPE_PRESENCE] = SLICE("presence"),
	[ENVELOPE_SYSTEM] = SLICE("system"),
};

struct reading {
	struct envelope *envelope;
	struct arena *arena;
	struct envelope_refusal *refusal;
	bool is_refused;
	unsigned extras;
	struct scan_value fields[FIELDS];
	struct slice few[FEW_EXTRAS];
};

static void refuse(struct reading *reading, const char *gate, const char *word, const char *format,
	...) PRINTF_LIKE(4, 5);

static void refuse(struct reading *reading, const char *gate, const char *word, const char *format,
	...) {
	if (reading->is_refused) return;

	reading->is_refused = true;
	if (!reading->refusal) return;
	reading->refusal->gate = gate;
	reading->refusal->word = word;
	reading->refusal->is_utf8_fault = false;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(reading->refusal->message, sizeof(reading->refusal->message), format, arguments);
	va_end(arguments);
}

static void refuse_shape(struct reading *reading, const char *field, const char *what) {
	refuse(reading, "shape", "bad_envelope", "field %s: %s", field, what);
}

static void refuse_twice(struct reading *reading, const char *field, const char *what) {
	refuse(reading, "shape", "duplicate_key", "field %s: %s", field, what);
}

/* ---- What a key names ---- */

SCAN_INLINE bool octets_are(struct slice key, const char *name, size_t length) {
	return memcmp(key.bytes, name, length) == 0;
}

SCAN_INLINE enum field field_of(struct slice key) {
	switch (key.length) {
	case 2:
		if (octets_are(key, "id", 2)) return FIELD_ID;
		if (octets_are(key, "ts", 2)) return FIELD_TS;
		return octets_are(key, "to", 2) ? FIELD_TO : FIELD_UNKNOWN;
	case 4:
		if (octets_are(key, "kind", 4)) return FIELD_KIND;
		return octets_are(key, "from", 4) ? FIELD_FROM : FIELD_UNKNOWN;
	case 7: return octets_are(key, "payload", 7) ? FIELD_PAYLOAD : FIELD_UNKNOWN;
	case 8: return octets_are(key, "protocol", 8) ? FIELD_PROTOCOL : FIELD_UNKNOWN;
	case LONGEST_FIELD:
		return octets_are(key, "correlation_id", LONGEST_FIELD) ? FIELD_CORRELATION : FIELD_UNKNOWN;
	default: return FIELD_UNKNOWN;
	}
}

/* The field that a lenient reader would take it for: letters fold as in ASCII, and the two letters
 * outside of it whose simple folding lies inside (the Kelvin sign, the long s) as well. */
static enum field field_ignoring_case(struct slice key) {
	char folded[LONGEST_FIELD];
	size_t length = 0;
	for (size_t at = 0; at < key.length; at++) {
		struct slice rest = slice_make(key.bytes + at, key.length - at);
		char letter = rest.bytes[0];
		if (letter >= 'A' && letter <= 'Z') {
			letter = (char)(letter | 0x20);
		} else if (slice_starts_with(rest, "\xe2\x84\xaa")) {
			letter = 'k';
			at += 2;
		} else if (slice_starts_with(rest, "\xc5\xbf")) {
			letter = 's';
			at++;
		}
		if (length == sizeof(folded)) return FIELD_UNKNOWN;
		folded[length++] = letter;
	}
	return field_of(slice_make(folded, length));
}

static struct scan_value *body_part(struct envelope *envelope, struct slice key) {
	switch (key.length) {
	case 2: return octets_are(key, "id", 2) ? &envelope->body.id : NULL;
	case 4: return octets_are(key, "text", 4) ? &envelope->body.text : NULL;
	case 5: return octets_are(key, "error", 5) ? &envelope->body.error : NULL;
	case 6:
		if (octets_are(key, "method", 6)) return &envelope->body.method;
		if (octets_are(key, "params", 6)) return &envelope->body.params;
		if (octets_are(key, "result", 6)) return &envelope->body.result;
		return octets_are(key, "reason", 6) ? &envelope->body.reason : NULL;
	default: return NULL;
	}
}

/* ---- The pass ---- */

/* Keys that no text knows: nothing that another reader could take for a known one, none twice. */
static void extra_see(struct reading *reading, struct slice key) {
	enum field meant = field_ignoring_case(key);
	if (meant != FIELD_UNKNOWN) {
		refuse_twice(reading, field_names[meant], "written in another case");
		return;
	}
	if (key.length && memchr(key.bytes, '\0', key.length)) {
		refuse(reading, "shape", "bad_envelope", "a field's name holds a NUL");
		return;
	}
	unsigned known = reading->extras < FEW_EXTRAS ? reading->extras : FEW_EXTRAS;
	for (unsigned i = 0; i < known; i++)
		if (slice_equal(reading->few[i], key))
			refuse_twice(reading, "of no known name", "stands there twice");
	if (reading->extras < FEW_EXTRAS) reading->few[reading->extras] = key;
	reading->extras++;
}

SCAN_INLINE void field_see(struct reading *reading, struct slice key, struct scan_value value) {
	enum field field = field_of(key);
	if (__builtin_expect(field == FIELD_UNKNOWN, 0)) {
		extra_see(reading, key);
		return;
	}
	if (__builtin_expect(reading->fields[field].type != SCAN_NONE, 0)) {
		refuse_twice(reading, field_names[field], "stands there twice");
		return;
	}
	reading->fields[field] = value;
}

SCAN_INLINE void part_see(struct reading *reading, struct slice key, struct scan_value value) {
	struct scan_value *part = body_part(reading->envelope, key);
	if (!part) return;
	if (__builtin_expect(part->type != SCAN_NONE, 0))
		refuse(reading, "shape", "duplicate_key", "field payload: %.*s stands there twice",
			SLICE_ARGS(key));
	else *part = value;
}

/* A member with an escape in its key or in its parent's. */
static __attribute__((cold, noinline)) void escaped_member_see(struct reading *reading,
	unsigned level, const struct scan_name *names, struct scan_value value) {
	const struct scan_name *name = &names[level - 1];
	struct scan_member parent = {.key = names[0].key, .key_escaped = names[0].is_escaped};
	struct scan_member member = {.key = name->key, .key_escaped = name->is_escaped};
	struct slice key;
	if (level == 2 && !scan_key_is(&parent, "payload")) return;
	if (level == 2 && member.key.length > LONGEST_PART) return;
	if (!scan_key(&member, reading->arena, &key))
		refuse(reading, "shape", "no_memory", "no memory for a field's name");
	else if (level == 1) field_see(reading, key, value);
	else part_see(reading, key, value);
}

/* Always true: the pass goes on to its end. */
SCAN_INLINE bool member_see(void *context, unsigned level, const struct scan_name *names,
	struct scan_value value) {
	struct reading *reading = context;
	struct slice key = names[level - 1].key;
	if (__builtin_expect(names[0].is_escaped || names[level - 1].is_escaped, 0))
		escaped_member_see(reading, level, names, value);
	else if (level == 1) field_see(reading, key, value);
	else if (names[0].key.length == 7 && octets_are(names[0].key, "payload", 7))
		part_see(reading, key, value);
	return true;
}

/* ---- What the fields must be ---- */

/* Eight at a time: no octet below a blank, none from DEL on. Never true in vain. */
static bool is_plain_ascii(struct slice name) {
	const uint64_t ones = 0x0101010101010101u;
	uint64_t odd = 0;
	size_t at = 0;
	if (name.length < sizeof(odd)) return false;
	for (;;) {
		uint64_t word;
		memcpy(&word, name.bytes + at, sizeof(word));
		/* A carry comes only from an octet that has set its own mark already. */
		odd |= word | (word + ones) | ~(word + 0x60 * ones);
		if (at == name.length - sizeof(word)) break;
		at += sizeof(word);
		if (at > name.length - sizeof(word)) at = name.length - sizeof(word);
	}
	return !(odd & 0x80 * ones);
}

/* False for control characters, C1 and DEL included; the text is sound UTF-8. */
static bool is_free_of_controls(struct slice name) {
	if (is_plain_ascii(name)) return true;
	for (size_t i = 0; i < name.length; i++) {
		unsigned char octet = (unsigned char)name.bytes[i];
		if (octet < 0x20 || octet == 0x7f) return false;
		bool is_pair = octet == 0xc2 && i + 1 < name.length;
		if (is_pair && (unsigned char)name.bytes[i + 1] < 0xa0) return false;
	}
	return true;
}

/* What is wrong with a name; NULL: nothing. */
static const char *name_check(const struct scan_value *value, size_t limit, struct arena *arena,
	struct slice *name) {
	struct slice plain;
	if (value->type != SCAN_STRING) return "must be a string";
	if (value->text.length > 6 * limit + 2) return "too long";
	if (!scan_string(value, arena, &plain)) return "no memory to read it";
	if (!plain.length) return "must not be empty";
	if (plain.length > limit) return "too long";
	if (!is_free_of_controls(plain)) return "holds a control character";
	*name = plain;
	return NULL;
}

/* A field that is a name, if it is there at all. */
static bool name_read(struct reading *reading, enum field field, size_t limit, struct slice *name) {
	const struct scan_value *value = &reading->fields[field];
	if (value->type == SCAN_NONE) return true;

	const char *wrong = name_check(value, limit, reading->arena, name);
	if (!wrong) return true;
	refuse(reading, "shape", "bad_envelope", "field %s: %s; a string of 1 to %zu octets without "
						 "control characters is due",
		field_names[field], wrong, limit);
	return false;
}

static void protocol_read(struct reading *reading) {
	struct envelope *envelope = reading->envelope;
	const struct scan_value *value = &reading->fields[FIELD_PROTOCOL];
	struct slice plain;
	if (value->type != SCAN_STRING || value->text.length > 128 ||
		!scan_string(value, reading->arena, &plain) ||
		!envelope_dialect_read(plain, &envelope->dialect))
		refuse(reading, "protocol", "bad_protocol", "field protocol: must be \"%s\" or \"%s\"",
			dialect_texts[ENVELOPE_V01].bytes, dialect_texts[ENVELOPE_V0].bytes);
	else envelope->protocol_value = value->text;
}

static void kind_read(struct reading *reading) {
	struct envelope *envelope = reading->envelope;
	if (!name_read(reading, FIELD_KIND, ENVELOPE_NAME, &envelope->kind_text)) return;

	envelope->kind_value = reading->fields[FIELD_KIND];
	envelope->kind = ENVELOPE_OTHER;
	for (unsigned kind = 0; kind < ENVELOPE_KINDS; kind++)
		if (slice_equal(envelope->kind_text, kind_texts[kind])) envelope->kind = kind;
}

static void ts_read(struct reading *reading) {
	struct envelope *envelope = reading->envelope;
	const struct scan_value *value = &reading->fields[FIELD_TS];
	struct slice plain;
	if (value->type == SCAN_NONE) return;
	if (value->text.length > 6 * ENVELOPE_NAME || !scan_string(value, reading->arena, &plain) ||
		!clock_read(plain, &envelope->moment))
		refuse_shape(reading, "ts", "must be an RFC 3339 date and time such as "
					    "\"2025-08-17T14:00:00Z\"");
	else envelope->ts = plain;
}

static void to_read(struct reading *reading) {
	struct envelope *envelope = reading->envelope;
	const struct scan_value *value = &reading->fields[FIELD_TO];
	if (value->type == SCAN_NONE) return;
	if (value->type != SCAN_ARRAY) {
		refuse_shape(reading, "to", "must be an array of participant ids");
		return;
	}
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, value); scan_next(&walk, &member); envelope->recipients++) {
		struct slice name;
		const char *wrong = envelope->recipients == ENVELOPE_RECIPIENTS ? "too many recipients"
										: name_check(&member.value, ENVELOPE_IDENTITY, reading->arena, &name);
		if (wrong) {
			refuse(reading, "shape", "bad_envelope", "field to: recipient %zu: %s; at most %d "
								 "strings of 1 to %d octets without control characters are due",
				envelope->recipients + 1, wrong, ENVELOPE_RECIPIENTS, ENVELOPE_IDENTITY);
			return;
		}
		if (!envelope->recipients) envelope->recipient = name;
	}
	envelope->to = *value;
}

static void required_check(struct reading *reading) {
	static const enum field required[] = {FIELD_ID, FIELD_KIND, FIELD_PAYLOAD};
	for (size_t i = 0; i < COUNT_OF(required); i++)
		if (reading->fields[required[i]].type == SCAN_NONE)
			refuse_shape(reading, field_names[required[i]], "is required and missing");
	if (reading->fields[FIELD_PAYLOAD].type != SCAN_OBJECT)
		refuse_shape(reading, "payload", "must be an object");
}

static void extras_check(struct reading *reading, struct slice text) {
	if (reading->extras <= FEW_EXTRAS) return;

	bool is_twice;
	struct scan_value root = {.text = text, .type = SCAN_OBJECT};
	if (!scan_has_twins(&root, reading->extras + FIELDS, reading->arena, &is_twice))
		refuse(reading, "shape", "no_memory", "no memory for so many extra fields");
	else if (is_twice) refuse_twice(reading, "of no known name", "stands there twice");
}

/* Readers of v0 get a chat one level further in (envelope_write): it must be sound there too. */
static void chat_check(struct reading *reading) {
	const struct scan_value *payload = &reading->fields[FIELD_PAYLOAD];
	if (reading->envelope->kind != ENVELOPE_CHAT || payload->type != SCAN_OBJECT) return;
	if (payload->text.length <= 2 * (SCAN_DEPTH - 2)) return; /* too short for so many brackets */
	if (!scan_check(payload->text, SCAN_DEPTH - 2, NULL, NULL))
		refuse(reading, "shape", "too_deep", "field payload: a chat has at most %d levels of "
						     "arrays and objects",
			SCAN_DEPTH - 2);
}

static void fields_read(struct reading *reading) {
	struct envelope *envelope = reading->envelope;
	extras_check(reading, envelope->text);
	protocol_read(reading);
	required_check(reading);
	kind_read(reading);
	chat_check(reading);
	if (name_read(reading, FIELD_FROM, ENVELOPE_IDENTITY, &envelope->from))
		envelope->from_value = reading->fields[FIELD_FROM];
	if (name_read(reading, FIELD_CORRELATION, ENVELOPE_NAME, &envelope->correlation_id))
		envelope->correlation_value = reading->fields[FIELD_CORRELATION];
	ts_read(reading);
	to_read(reading);
	envelope->payload = reading->fields[FIELD_PAYLOAD];
}

/* ---- The whole ---- */

/* The library's memset: of a size they know compilers make a far slower string instruction. */
static void octets_clear(void *octets, size_t size) {
	__asm__(""
		: "+r"(size));
	memset(octets, 0, size);
}

static void refuse_json(struct reading *reading, const struct scan_trouble *trouble,
	struct slice text) {
	reading->is_refused = false; /* what is no JSON at all is nothing else */
	bool is_deep = trouble->error == SCAN_DEEP;
	refuse(reading, "shape", is_deep ? "too_deep" : "bad_json",
		is_deep ? "octet %zu: %s, at most %d" : "octet %zu: %s", (size_t)(trouble->at - text.bytes),
		trouble->what, SCAN_DEPTH);
	if (reading->refusal) reading->refusal->is_utf8_fault = trouble->error == SCAN_UTF8;
}

static bool not_object(struct reading *reading, struct slice text) {
	struct scan_fault fault = {SCAN_FINE, 0, NULL};
	if (scan_check(text, SCAN_DEPTH, NULL, &fault)) {
		refuse(reading, "shape", "bad_envelope", "an envelope is a JSON object");
		return false;
	}
	struct scan_trouble trouble = {fault.error, text.bytes + fault.offset, fault.what};
	refuse_json(reading, &trouble, text);
	return false;
}

bool envelope_read(struct envelope *envelope, struct slice text, struct arena *arena,
	struct envelope_refusal *refusal) {
	struct reading reading;
	struct scan_trouble trouble;
	struct scan_value root;
	octets_clear(envelope, sizeof(*envelope));
	reading.envelope = envelope;
	reading.arena = arena;
	reading.refusal = refusal;
	reading.is_refused = false;
	reading.extras = 0;
	for (unsigned i = 0; i < FIELDS; i++) reading.fields[i].type = SCAN_NONE;

	if (!text.bytes) text = SLICE("");
	const char *end = text.bytes + text.length;
	const char *start = scan_run_blanks(text.bytes, end);
	if (start == end || *start != '{') return not_object(&reading, text);

	bool is_sound = scan_core_run(text, SCAN_DEPTH, &root, member_see, &reading, &trouble);
	if (name_read(&reading, FIELD_ID, ENVELOPE_NAME, &envelope->id))
		envelope->id_value = reading.fields[FIELD_ID];
	if (!is_sound) {
		refuse_json(&reading, &trouble, text);
		return false;
	}
	envelope->text = root.text;
	fields_read(&reading);
	return !reading.is_refused;
}

bool envelope_recipient(const struct envelope *envelope, size_t *at, struct arena *arena,
	struct slice *name) {
	const struct slice *text = &envelope->to.text;
	struct scan_member member;
	if (envelope->to.type != SCAN_ARRAY) return false;

	/* `at` counts octets behind the bracket, so that each step is one element long. */
	struct scan_walk walk;
	scan_open(&walk, &envelope->to);
	if (!walk.at || *at > (size_t)(walk.end - walk.at)) return false;
	walk.at += *at;
	if (!scan_next(&walk, &member) || !scan_string(&member.value, arena, name)) return false;
	*at = (size_t)(walk.at - text->bytes) - 1;
	return true;
}

bool envelope_is_request(const struct envelope *envelope) {
	return envelope->body.method.type != SCAN_NONE && envelope->body.id.type != SCAN_NONE;
}

bool envelope_is_response(const struct envelope *envelope) {
	return envelope->body.result.type != SCAN_NONE || envelope->body.error.type != SCAN_NONE;
}

const char *envelope_dialect_text(enum envelope_dialect dialect) {
	return dialect_texts[dialect].bytes;
}

bool envelope_dialect_read(struct slice text, enum envelope_dialect *dialect) {
	for (unsigned i = 0; i < ENVELOPE_DIALECTS; i++) {
		if (!slice_equal(text, dialect_texts[i])) continue;
		*dialect = i;
		return true;
	}
	return false;
}

const char *envelope_kind_text(enum envelope_kind kind) {
	return kind < ENVELOPE_KINDS ? kind_texts[kind].bytes : "unknown";
}
