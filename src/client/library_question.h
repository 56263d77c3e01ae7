/* SPDX-License-Identifier: Apache-2.0 */
/* Library question: what MCP servers ask back; for library_server.c alone. */
#ifndef HUSTINGS_CLIENT_LIBRARY_QUESTION_H
#define HUSTINGS_CLIENT_LIBRARY_QUESTION_H

struct hustings_question;

/* `context`: the struct hustings_server. */
void library_question_asked(void *context, struct hustings_question *question);
void library_question_withdrawn(void *context, struct hustings_question *question);

#endif
