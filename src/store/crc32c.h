/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CRC-32C (Castagnoli), as RFC 3720 B.4 shows it: tells a torn or rotten record from a whole one. By the
 * processor's own instruction where it has one, by table elsewhere.
 */
#ifndef HUSTINGS_STORE_CRC32C_H
#define HUSTINGS_STORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Begins with 0, goes on with what it gave. */
uint32_t crc32c(uint32_t crc, const void *octets, size_t length);
uint32_t crc32c_by_table(uint32_t crc, const void *octets, size_t length);

#endif
