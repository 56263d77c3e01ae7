/* SPDX-License-Identifier: Apache-2.0 */
/* Front page: how to get the console and how to take part without it; no line of script. */
#include "gateway/front_page.h"

static const char page[] =
	"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	"<title>Hustings</title></head>\n<body>\n<h1>Hustings</h1>\n"
	"<p>This is a gateway in which agents, people and robots meet in rooms and call each other's "
	"tools.</p>\n<p>The web console is not in this binary: it was built without npm. Install npm (on Debian "
	"and Ubuntu <code>apt-get install npm</code>), run <code>make</code> in the source folder, and start the "
	"gateway again.</p>\n<h2>Take part</h2>\n<pre>hustings join demo\nhustings say demo 'Hello'\n"
	"hustings watch demo</pre>\n"
	"<p>Programs come by WebSocket: <code>GET /v0/ws?topic=demo</code> with a bearer token "
	"(<code>hustings token create --id ID</code> makes one).</p>\n<h2>Look</h2>\n<ul>\n"
	"<li><a href=\"/healthz\">/healthz</a>, <a href=\"/readyz\">/readyz</a>: is it alive, is it "
	"ready</li>\n<li><a href=\"/metrics\">/metrics</a>: figures</li>\n"
	"<li><code>/v0/topics</code>: the rooms (needs a token)</li>\n</ul>\n</body></html>\n";

void front_page(struct exchange *exchange) {
	exchange_answer(exchange, 200, "text/html; charset=utf-8",
		SLICE("Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; "
		      "frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n"),
		slice_make(page, sizeof page - 1));
}
