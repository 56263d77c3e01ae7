/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Console files: what a browser gets of the web console, out of the binary (console_table.h). The
 * page is asked for anew each time, and answered with 304 where nothing has changed; what lies in
 * /assets/ has its hash in its name and is kept for good. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_CONSOLE_FILES_H
#define HUSTINGS_GATEWAY_CONSOLE_FILES_H

#include "gateway/exchange.h"

/* GET /: the console, or the front page where it is not in the binary. */
void console_files_page(struct exchange *exchange);
/* Any other of its files, by the path; 404 where there is none. */
void console_files_show(struct exchange *exchange);
/* How many files of the console this binary holds, and their octets as they lie in it. */
size_t console_files_count(size_t *octets);

#endif
