/* SPDX-License-Identifier: Apache-2.0 */
/* Launcher order: a head of numbers, then NUL-ended strings in a fixed order. */
#include "net/launcher_order.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ORDER_MARK UINT64_C(0x31676e6974737548)
#define ORDER_LIMIT ((size_t)16 * 1024 * 1024)
#define ORDER_STRINGS 65536

enum order_list {
	ORDER_ARGUMENTS,
	ORDER_ENVIRONMENT,
	ORDER_HIDDEN,
	ORDER_WRITABLE,
	ORDER_VIEW,
	ORDER_LISTS
};

struct order_head {
	uint64_t mark;
	uint64_t memory_limit;
	uint32_t descriptor_limit;
	uint32_t user;
	uint32_t process_limit;
	uint32_t cpu_seconds;
	uint32_t has_network;
	uint32_t counts[ORDER_LISTS];
	uint32_t has[ORDER_LISTS]; /* an empty list is not the same as none */
};

/* The order, its pointers and its octets, in one block each. */
struct order_read {
	struct launcher_order order; /* first: it is what is handed out */
	const char **pointers;
	char *bytes;
};

/* Writing */

static void add_string(struct text *text, const char *string) {
	text_add(text, slice_make(string ? string : "", string ? strlen(string) + 1 : 1));
}

static const char *const *list_of(const struct launcher_order *order, enum order_list which) {
	switch (which) {
	case ORDER_ARGUMENTS: return order->arguments;
	case ORDER_ENVIRONMENT: return order->environment;
	case ORDER_HIDDEN: return order->hidden;
	case ORDER_VIEW: return order->view;
	default: return order->writable;
	}
}

static void order_add(struct text *text, const struct launcher_order *order) {
	struct order_head head = {
		.mark = ORDER_MARK,
		.memory_limit = order->memory_limit,
		.descriptor_limit = order->descriptor_limit,
		.user = order->user,
		.process_limit = order->process_limit,
		.cpu_seconds = order->cpu_seconds,
		.has_network = order->has_network,
	};
	for (int which = 0; which < ORDER_LISTS; which++) {
		const char *const *list = list_of(order, which);
		head.has[which] = list != NULL;
		for (; list && *list; list++) head.counts[which]++;
	}
	text_add(text, slice_make(&head, sizeof head));
	add_string(text, order->directory);
	add_string(text, order->bubblewrap);
	for (int which = 0; which < ORDER_LISTS; which++)
		for (const char *const *list = list_of(order, which); list && *list; list++)
			add_string(text, *list);
}

int launcher_order_write(const struct launcher_order *order, struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, ORDER_LIMIT);
	order_add(&text, order);
	if (text_failed(&text)) {
		fault_set(why, FAULT_TOO_LARGE,
			"arguments and environment of a child: limit %zu octets",
			ORDER_LIMIT);
		return -1;
	}

	AUTO_CLOSE int file = memfd_create("hustings-order", MFD_CLOEXEC);
	if (file < 0) {
		fault_errno(why, errno, "an anonymous file for a child's order");
		return -1;
	}
	for (size_t done = 0; done < text.length;) {
		ssize_t written = pwrite(file, text.bytes + done, text.length - done, (off_t)done);
		if (written < 0) {
			fault_errno(why, errno, "writing a child's order");
			return -1;
		}
		done += (size_t)written;
	}
	int result = file;
	file = -1;
	return result;
}

/* Reading */

void launcher_order_free(struct launcher_order *order) {
	if (!order) return;
	struct order_read *owner = CONTAINER_OF(order, struct order_read, order);
	free(owner->pointers);
	free(owner->bytes);
	free(owner);
}

static bool order_load(struct order_read *owner, int descriptor, size_t *length, struct fault *why) {
	struct stat about;
	if (fstat(descriptor, &about) != 0) return fault_errno(why, errno, "a child's order");
	size_t size = (size_t)about.st_size;
	if (size < sizeof(struct order_head) || size > ORDER_LIMIT)
		return fault_set(why, FAULT_BAD_INPUT,
			"a child's order: %zu octets are none", size);

	owner->bytes = malloc(size + 1);
	if (!owner->bytes) return fault_set(why, FAULT_NO_MEMORY, "no memory for a child's order");
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(descriptor, owner->bytes + done, size - done, (off_t)done);
		if (got <= 0) return fault_errno(why, got ? errno : EIO, "reading a child's order");
		done += (size_t)got;
	}
	owner->bytes[size] = '\0';
	*length = size;
	return true;
}

static const char *next_string(const char **at, const char *end) {
	if (*at >= end) return NULL;
	const char *string = *at;
	*at += strlen(string) + 1;
	return string;
}

static void list_set(struct launcher_order *order, int which, const char *const *list) {
	switch (which) {
	case ORDER_ARGUMENTS: order->arguments = list; break;
	case ORDER_ENVIRONMENT: order->environment = list; break;
	case ORDER_HIDDEN: order->hidden = list; break;
	case ORDER_VIEW: order->view = list; break;
	default: order->writable = list; break;
	}
}

static bool order_take(struct order_read *owner, const struct order_head *head, size_t length) {
	const char *at = owner->bytes + sizeof *head;
	const char *end = owner->bytes + length;
	const char **free_slot = owner->pointers;
	struct launcher_order *order = &owner->order;
	const char *directory = next_string(&at, end);
	const char *bubblewrap = next_string(&at, end);
	if (!directory || !bubblewrap) return false;

	order->directory = *directory ? directory : NULL;
	order->bubblewrap = *bubblewrap ? bubblewrap : NULL;
	for (int which = 0; which < ORDER_LISTS; which++) {
		if (head->has[which]) list_set(order, which, free_slot);
		for (uint32_t i = 0; i < head->counts[which]; i++)
			if (!(*free_slot++ = next_string(&at, end))) return false;
		free_slot++; /* calloc has put the NULL there */
	}
	return order->arguments && order->arguments[0] && order->environment;
}

struct launcher_order *launcher_order_read(int descriptor, struct fault *why) {
	struct order_read *owner = calloc(1, sizeof *owner);
	if (!owner) return fault_null(why, FAULT_NO_MEMORY, "no memory for a child's order");
	AUTO(launcher_order) order = &owner->order;
	struct order_head head;
	size_t length = 0;
	if (!order_load(owner, descriptor, &length, why)) return NULL;

	memcpy(&head, owner->bytes, sizeof head);
	size_t pointers = ORDER_LISTS;
	bool is_bounded = head.mark == ORDER_MARK;
	for (int which = 0; which < ORDER_LISTS; which++) {
		is_bounded = is_bounded && head.counts[which] <= ORDER_STRINGS;
		pointers += head.counts[which];
	}
	if (!is_bounded)
		return fault_null(why, FAULT_BAD_INPUT, "a child's order of another version");

	owner->pointers = calloc(pointers, sizeof *owner->pointers);
	if (!owner->pointers) return fault_null(why, FAULT_NO_MEMORY,
		"no memory for a child's order");
	order->memory_limit = head.memory_limit;
	order->descriptor_limit = head.descriptor_limit;
	order->user = head.user;
	order->process_limit = head.process_limit;
	order->cpu_seconds = head.cpu_seconds;
	order->has_network = head.has_network != 0;
	if (!order_take(owner, &head, length))
		return fault_null(why, FAULT_BAD_INPUT, "a child's order that ends too early");
	return TAKE(order);
}
