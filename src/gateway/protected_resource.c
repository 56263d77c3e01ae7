/* SPDX-License-Identifier: Apache-2.0 */
/* Protected resource: the resource is the URL that the metadata's own path speaks of. */
#include "gateway/protected_resource.h"

#include "gateway/challenge.h"

void protected_resource_show(struct exchange *exchange) {
	const struct gateway *gateway = exchange->gateway;
	const struct http1_head *head = exchange->head;
	AUTO_TEXT struct text resource = {0}, body = {0};
	if (!challenge_has_servers(gateway)) {
		exchange_error(exchange, 404, "not_found", "there is nothing here");
		return;
	}
	text_init(&resource, 0);
	text_init(&body, 0);
	challenge_write_origin(&resource, gateway, head);
	const size_t prefix = strlen(CHALLENGE_METADATA);
	text_add(&resource, slice_make(head->path.bytes + prefix, head->path.length - prefix));
	text_add_cstr(&body, "{\"resource\":");
	text_json(&body, text_slice(&resource));
	text_add_cstr(&body, ",\"authorization_servers\":[");
	for (size_t i = 0; gateway->settings.authorization_servers[i]; i++) {
		if (i) text_add_char(&body, ',');
		text_json(&body, slice_of(gateway->settings.authorization_servers[i]));
	}
	text_add_cstr(&body, "],\"bearer_methods_supported\":[\"header\"],\"resource_name\":\"Hustings\"}");
	exchange_text(exchange, 200, &body);
}
