/* SPDX-License-Identifier: Apache-2.0 */
/* Challenge: a token that came and was refused is told apart from one that is missing (RFC 6750 3.1). */
#include "gateway/challenge.h"

bool challenge_has_servers(const struct gateway *gateway) {
	return gateway->settings.authorization_servers[0] != NULL;
}

void challenge_write_origin(struct text *to, const struct gateway *gateway,
	const struct http1_head *head) {
	if (gateway->settings.public_origin) {
		text_add_cstr(to, gateway->settings.public_origin);
		return;
	}
	text_add_cstr(to, gateway->tls ? "https://" : "http://");
	text_add(to, http1_field(head, "Host"));
}

static bool is_face(struct slice path) {
	return slice_is(path, "/mcp") || slice_starts_with(path, "/mcp/");
}

void challenge_write(struct text *to, const struct gateway *gateway, const struct http1_head *head) {
	text_add_cstr(to, "WWW-Authenticate: Bearer realm=\"hustings\"");
	if (http1_field(head, "Authorization").bytes) text_add_cstr(to, ", error=\"invalid_token\"");
	if (is_face(head->path) && challenge_has_servers(gateway)) {
		text_add_cstr(to, ", resource_metadata=\"");
		challenge_write_origin(to, gateway, head);
		text_add_cstr(to, CHALLENGE_METADATA);
		text_add(to, head->path);
		text_add_char(to, '"');
	}
	text_add_cstr(to, "\r\n");
}
