/* SPDX-License-Identifier: Apache-2.0 */
/* Origin: scheme, host and port. */
#include "gateway/origin.h"

unsigned origin_port(bool is_secure, unsigned port) {
	if (port) return port;
	return is_secure ? 443 : 80;
}

bool origin_read(struct slice text, struct origin *origin) {
	static const struct {
		const char *text;
		bool is_secure;
	} schemes[] = {{"http://", false}, {"https://", true}};
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		struct slice host;
		unsigned port;
		if (!slice_starts_with(text, schemes[i].text)) continue;
		size_t length = strlen(schemes[i].text);
		if (!http1_authority(slice_make(text.bytes + length, text.length - length), &host, &port)) return false;
		*origin = (struct origin){host, origin_port(schemes[i].is_secure, port), schemes[i].is_secure};
		return true;
	}
	return false;
}

bool origin_equal(const struct origin *a, const struct origin *b) {
	return a->is_secure == b->is_secure && a->port == b->port && slice_equal_ignoring_case(a->host, b->host);
}

bool origin_of_request(const struct exchange *exchange, struct origin *origin) {
	const struct gateway *gateway = exchange->gateway;
	struct origin public;
	struct slice host;
	unsigned port;
	if (!http1_authority(exchange->head->host, &host, &port)) return false;
	if (gateway->settings.public_origin && origin_read(slice_of(gateway->settings.public_origin), &public) &&
		slice_equal_ignoring_case(host, public.host) && origin_port(public.is_secure, port) == public.port) {
		*origin = public;
		return true;
	}
	bool is_secure = gateway->tls != NULL;
	*origin = (struct origin){host, origin_port(is_secure, port), is_secure};
	return true;
}
