/* SPDX-License-Identifier: Apache-2.0 */
/* Console files: finds the file, chooses its form, and says what the page may do. */
#include "gateway/console_files.h"

#include "gateway/console_table.h"
#include "gateway/front_page.h"
#include "wire/http1_choice.h"

/* The page runs our scripts alone, talks to us alone, and writes no markup as text into itself. */
static const char rules[] =
	"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
	"img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
	"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n"
	"Cross-Origin-Opener-Policy: same-origin\r\n"
	"Cross-Origin-Resource-Policy: same-origin\r\n"
	"Permissions-Policy: accelerometer=(), autoplay=(), camera=(), display-capture=(), geolocation=(), "
	"gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), "
	"usb=(), xr-spatial-tracking=()\r\n"
	"Referrer-Policy: no-referrer\r\n"
	"X-Frame-Options: DENY\r\n";

static const struct console_file *find(struct slice path) {
	for (const struct console_file *file = console_table; file->path; file++)
		if (slice_is(path, file->path)) return file;
	return NULL;
}

static void give(struct exchange *exchange, const struct console_file *file, bool is_kept) {
	AUTO_TEXT struct text headers = {0}, tag = {0};
	bool is_packed = file->packed.bytes && http1_accepts_coding(exchange->head, "gzip");
	const struct console_octets *octets = is_packed ? &file->packed : &file->plain;
	text_init(&headers, 0);
	text_init(&tag, 0);
	text_printf(&tag, "\"%s%s\"", file->hash, is_packed ? "-gzip" : "");
	text_printf(&headers, "ETag: %.*s\r\nVary: Accept-Encoding\r\n%s", SLICE_ARGS(text_slice(&tag)), rules);
	bool is_known = http1_has_already(exchange->head, text_slice(&tag));
	if (is_packed && !is_known) text_add_cstr(&headers, "Content-Encoding: gzip\r\n");
	if (text_failed(&tag) || text_failed(&headers)) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	exchange->cache_control = is_kept ? "public, max-age=31536000, immutable" : "no-cache";
	if (is_known)
		exchange_answer(exchange, 304, NULL, text_slice(&headers), SLICE_NONE);
	else
		exchange_answer(exchange, 200, file->type, text_slice(&headers), slice_make(octets->bytes, octets->length));
}

void console_files_page(struct exchange *exchange) {
	const struct console_file *file = find(SLICE("/"));
	if (file) give(exchange, file, false);
	else front_page(exchange);
}

void console_files_show(struct exchange *exchange) {
	const struct console_file *file = find(exchange->head->path);
	if (!file) {
		exchange_error(exchange, 404, "not_found", "there is nothing here");
		return;
	}
	give(exchange, file, slice_is(exchange->segments[0], "assets"));
}

size_t console_files_count(size_t *octets) {
	size_t count = 0;
	*octets = 0;
	for (const struct console_file *file = console_table; file->path; file++, count++)
		*octets += file->plain.length + file->packed.length;
	return count;
}
