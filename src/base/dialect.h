/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect: the few words that C lacks and every file here uses.
 *
 * AUTO(room) room = ...; runs room_auto(&room) when the name goes out of scope; a type offers
 * that by AUTO_RELEASE(type, function), where function takes the pointer and is fine with NULL.
 * TAKE(name) hands the value out and leaves NULL behind, so that nothing is released.
 */
#ifndef HUSTINGS_BASE_DIALECT_H
#define HUSTINGS_BASE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))

#define AUTO(type) __attribute__((cleanup(type##_auto))) struct type *
#define AUTO_RELEASE(type, release) \
	static inline void type##_auto(struct type **held) { \
		if (*held) release(*held); \
	}

/* Plain memory from malloc: AUTO_FREE char *name = ...; */
void dialect_free(void *held);
#define AUTO_FREE __attribute__((cleanup(dialect_free)))

/* A file descriptor: AUTO_CLOSE int name = open(...); -1 is nobody's. */
void dialect_close(const int *held);
#define AUTO_CLOSE __attribute__((cleanup(dialect_close)))

#define TAKE(name) \
	({ \
		__typeof__(name) taken_ = (name); \
		(name) = NULL; \
		taken_; \
	})

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The struct that holds this member. */
#define CONTAINER_OF(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

#endif
