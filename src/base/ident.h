/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ident: names nobody guesses, and names anybody may use.
 */
#ifndef HUSTINGS_BASE_IDENT_H
#define HUSTINGS_BASE_IDENT_H

#include "base/dialect.h"
#include "base/text.h"

#define IDENT_UUID_SIZE 37

void ident_random(void *octets, size_t length); /* from the kernel; buffered per thread; never fails */
void ident_uuid(char text[IDENT_UUID_SIZE]);    /* UUIDv4, lower case, NUL ended */
/* Participant and token identities: 1-128 octets of printable ASCII or UTF-8 without control
 * characters, blanks, quotes, backslash or slash; not beginning with "system:" or "server:", which are
 * names of the house in records. */
bool ident_is_identity(struct slice text);
/* Topics: 1-128 octets of ASCII letters, digits and ._:@-/ without "..". */
bool ident_is_topic(struct slice text);

#endif
