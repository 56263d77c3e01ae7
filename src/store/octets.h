/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Octets: numbers as they stand in files, little-endian on every machine.
 */
#ifndef HUSTINGS_STORE_OCTETS_H
#define HUSTINGS_STORE_OCTETS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void octets_put16(void *at, uint16_t value) {
	value = htole16(value);
	memcpy(at, &value, sizeof value);
}
static inline void octets_put32(void *at, uint32_t value) {
	value = htole32(value);
	memcpy(at, &value, sizeof value);
}
static inline void octets_put64(void *at, uint64_t value) {
	value = htole64(value);
	memcpy(at, &value, sizeof value);
}
static inline uint16_t octets_get16(const void *at) {
	uint16_t value;
	memcpy(&value, at, sizeof value);
	return le16toh(value);
}
static inline uint32_t octets_get32(const void *at) {
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return le32toh(value);
}
static inline uint64_t octets_get64(const void *at) {
	uint64_t value;
	memcpy(&value, at, sizeof value);
	return le64toh(value);
}

#endif
