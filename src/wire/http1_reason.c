/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http1_reason: the words beside a status (RFC 9110 15, RFC 6585).
 */
#include "wire/http1.h"

static const struct {
	unsigned status;
	const char *reason;
} reasons[] = {
	{100, "Continue"},
	{101, "Switching Protocols"},
	{200, "OK"},
	{201, "Created"},
	{202, "Accepted"},
	{204, "No Content"},
	{206, "Partial Content"},
	{301, "Moved Permanently"},
	{302, "Found"},
	{303, "See Other"},
	{304, "Not Modified"},
	{307, "Temporary Redirect"},
	{308, "Permanent Redirect"},
	{400, "Bad Request"},
	{401, "Unauthorized"},
	{402, "Payment Required"},
	{403, "Forbidden"},
	{404, "Not Found"},
	{405, "Method Not Allowed"},
	{406, "Not Acceptable"},
	{408, "Request Timeout"},
	{409, "Conflict"},
	{410, "Gone"},
	{411, "Length Required"},
	{412, "Precondition Failed"},
	{413, "Content Too Large"},
	{414, "URI Too Long"},
	{415, "Unsupported Media Type"},
	{416, "Range Not Satisfiable"},
	{417, "Expectation Failed"},
	{421, "Misdirected Request"},
	{422, "Unprocessable Content"},
	{426, "Upgrade Required"},
	{428, "Precondition Required"},
	{429, "Too Many Requests"},
	{431, "Request Header Fields Too Large"},
	{500, "Internal Server Error"},
	{501, "Not Implemented"},
	{502, "Bad Gateway"},
	{503, "Service Unavailable"},
	{504, "Gateway Timeout"},
	{505, "HTTP Version Not Supported"},
	{507, "Insufficient Storage"},
};

static const char *const classes[] = {"Unknown", "Information", "Success", "Redirection",
	"Client Error", "Server Error"};

const char *http1_reason(unsigned status) {
	for (size_t i = 0; i < COUNT_OF(reasons); i++)
		if (reasons[i].status == status) return reasons[i].reason;
	unsigned class = status / 100;
	return classes[class < COUNT_OF(classes) ? class : 0];
}
