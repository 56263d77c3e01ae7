/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Web face: what is offered, over HTTP (MCP transports, Streamable HTTP, 2025-03-26 to 2026-07-28):
 * which era a message is of, whether its head says what its body says, and which session it belongs
 * to. hustings_serve_http() opens it; web_face_close() ends every connection.
 */
#ifndef HUSTINGS_CLIENT_WEB_FACE_H
#define HUSTINGS_CLIENT_WEB_FACE_H

struct web_face;

void web_face_close(struct web_face *face); /* NULL is fine */

#endif
