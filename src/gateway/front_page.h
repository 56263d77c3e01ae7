/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Front page: a word to those who came with a browser, of a binary without the console.
 */
#ifndef HUSTINGS_GATEWAY_FRONT_PAGE_H
#define HUSTINGS_GATEWAY_FRONT_PAGE_H

#include "gateway/exchange.h"

void front_page(struct exchange *exchange);

#endif
