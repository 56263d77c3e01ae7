/* SPDX-License-Identifier: Apache-2.0 */
/* Sign-in pace: a bucket for each address, the one that tried last at the end of the list. */
#include "gateway/sign_in_pace.h"

#include "base/list.h"
#include "base/map.h"
#include "room/pace.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#define MINUTE_MS 60000

struct visitor_pace {
	struct link in_order;
	struct pace pace;
	char key[SIGN_IN_SOURCE];
};

struct sign_in_pace {
	struct map by_address; /* struct visitor_pace */
	struct link in_order;
	struct pace_rate rate;
};

struct sign_in_pace *sign_in_pace_open(unsigned units, struct fault *why) {
	struct sign_in_pace *pace = calloc(1, sizeof *pace);
	if (!pace) return fault_null(why, FAULT_NO_MEMORY, "no memory for the pace of sign-ins");
	map_init(&pace->by_address);
	list_init(&pace->in_order);
	pace->rate = (struct pace_rate){units, MINUTE_MS};
	return pace;
}

static void forget(struct sign_in_pace *pace, struct visitor_pace *visitor) {
	map_remove(&pace->by_address, slice_of(visitor->key));
	list_remove(&visitor->in_order);
	free(visitor);
}

void sign_in_pace_close(struct sign_in_pace *pace) {
	if (!pace) return;
	LIST_EACH_SAFE(link, &pace->in_order) forget(pace, CONTAINER_OF(link, struct visitor_pace, in_order));
	map_finish(&pace->by_address);
	free(pace);
}

/* Whoever has one IPv6 address has 2^64 of them. */
void sign_in_pace_source(const char *address, char key[SIGN_IN_SOURCE]) {
	struct in6_addr octets;
	if (inet_pton(AF_INET6, address, &octets) == 1 && !IN6_IS_ADDR_V4MAPPED(&octets)) {
		memset(octets.s6_addr + 8, 0, 8);
		if (inet_ntop(AF_INET6, &octets, key, SIGN_IN_SOURCE)) return;
	}
	snprintf(key, SIGN_IN_SOURCE, "%s", address);
}

static struct visitor_pace *find(struct sign_in_pace *pace, const char *address) {
	char key[SIGN_IN_SOURCE];
	sign_in_pace_source(address, key);
	return map_find(&pace->by_address, slice_of(key));
}

static struct visitor_pace *add(struct sign_in_pace *pace, const char *address) {
	if (pace->by_address.count >= SIGN_IN_ADDRESSES)
		forget(pace, CONTAINER_OF(pace->in_order.next, struct visitor_pace, in_order));
	struct visitor_pace *visitor = calloc(1, sizeof *visitor);
	if (!visitor) return NULL;
	sign_in_pace_source(address, visitor->key);
	list_init(&visitor->in_order);
	if (map_add(&pace->by_address, slice_of(visitor->key), visitor, NULL)) return visitor;
	free(visitor);
	return NULL;
}

bool sign_in_pace_take(struct sign_in_pace *pace, const char *address, unsigned cost, uint64_t now_ms, uint64_t *retry_after_ms) {
	struct visitor_pace *visitor = find(pace, address);
	if (!visitor) visitor = add(pace, address);
	if (!visitor) { /* without memory nobody tries */
		*retry_after_ms = 1000;
		return false;
	}
	list_remove(&visitor->in_order);
	list_append(&pace->in_order, &visitor->in_order);
	for (unsigned taken = 0; taken < cost; taken++) {
		if (pace_take(&visitor->pace, &pace->rate, now_ms * 1000, retry_after_ms)) continue;
		*retry_after_ms += (uint64_t)(cost - taken - 1) * MINUTE_MS / pace->rate.count;
		for (; taken > 0; taken--) pace_give(&visitor->pace, &pace->rate);
		return false;
	}
	return true;
}

void sign_in_pace_give(struct sign_in_pace *pace, const char *address) {
	struct visitor_pace *visitor = find(pace, address);
	for (int i = 1; visitor && i < SIGN_IN_COST; i++) pace_give(&visitor->pace, &pace->rate);
}

size_t sign_in_pace_count(const struct sign_in_pace *pace) { return pace->by_address.count; }
