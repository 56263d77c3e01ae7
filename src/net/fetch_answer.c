/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch answer: libcurl's outcome of a request in our own words. */
#include "net/fetch_answer.h"
#include "net/fetch_parts.h"

struct slice fetch_header(const struct fetch *fetch, const char *name) {
	struct slice rest = text_slice(&fetch->head), line, found = SLICE_NONE;
	while (slice_split(&rest, '\n', &line)) {
		struct slice value = line, field;
		if (!slice_split(&value, ':', &field) || !value.bytes) continue;
		if (!slice_equal_ignoring_case(field, slice_of(name))) continue;
		if (value.length && value.bytes[value.length - 1] == '\r') value.length--;
		found = slice_trim(value);
	}
	return found;
}

unsigned fetch_status(const struct fetch *fetch) {
	long status = 0;
	fetch->desk->library->easy_getinfo(fetch->easy, CURLINFO_RESPONSE_CODE, &status);
	return (unsigned)status;
}

static enum fault_code code_of(CURLcode code) {
	switch (code) {
	case CURLE_OUT_OF_MEMORY: return FAULT_NO_MEMORY;
	case CURLE_URL_MALFORMAT: return FAULT_BAD_INPUT;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY: return FAULT_NOT_FOUND;
	case CURLE_OPERATION_TIMEDOUT: return FAULT_TIMEOUT;
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_TOO_MANY_REDIRECTS:
	case CURLE_PEER_FAILED_VERIFICATION: return FAULT_REFUSED;
	case CURLE_COULDNT_CONNECT:
	case CURLE_GOT_NOTHING:
	case CURLE_PARTIAL_FILE:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR: return FAULT_CLOSED;
	default: return FAULT_IO;
	}
}

void fetch_finish(struct fetch *fetch, CURLcode code) {
	const struct fetch_library *library = fetch->desk->library;
	if (code != CURLE_OK && fetch->why.code == FAULT_NONE)
		fault_set(&fetch->why, code_of(code), "%s: %s", fetch->host,
			fetch->error[0] ? fetch->error : library->easy_strerror(code));

	fetch->state = FETCH_DONE;
	deadline_clear(&fetch->deadline);
	if (fetch->why.code != FAULT_NONE) {
		fetch->events->done(fetch->context, NULL, &fetch->why);
		return;
	}
	struct fetch_answer answer = {
		.status = fetch_status(fetch),
		.body = text_slice(&fetch->body),
		.type = fetch_header(fetch, "content-type"),
	};
	fetch->events->done(fetch->context, &answer, NULL);
}
