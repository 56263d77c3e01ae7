/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Front page: GET /: a word to those who came with a browser.
 */
#ifndef HUSTINGS_GATEWAY_FRONT_PAGE_H
#define HUSTINGS_GATEWAY_FRONT_PAGE_H

#include "gateway/exchange.h"

void front_page(struct exchange *exchange);

#endif
