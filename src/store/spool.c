/* SPDX-License-Identifier: Apache-2.0 */
/* Spool: gathering a pass's records and writing them with one write. */
#include "store/spool.h"

#include "store/spool_record.h"
#include "store/spool_segment.h"
#include "store/store_parts.h"

#include <errno.h>
#include <stdlib.h>

#define KEPT_CAPACITY (1024 * 1024) /* what a pass's memory may stay at */
#define GATHERED_LIMIT (1024 * 1024 * 1024)
#define SLACK (64 * 1024) /* for audit records behind an envelope that was promised room */

bool spool_init(struct spool *spool, struct store *store, unsigned index, struct fault *why) {
	int error = pthread_mutex_init(&spool->lock, NULL);
	if (error) return fault_errno(why, error, "a spool's lock");
	spool->store = store;
	spool->index = index;
	list_init(&spool->segments);
	return true;
}

void spool_finish(struct spool *spool) {
	LIST_EACH_SAFE(link, &spool->segments)
		segment_close(CONTAINER_OF(link, struct segment, link));
	free(spool->gathered);
	pthread_mutex_destroy(&spool->lock);
}

struct spool *store_spool(struct store *store, unsigned index) {
	return index < store->spool_count ? &store->spools[index] : NULL;
}

bool spool_is_empty(const struct spool *spool) {
	return spool->length == 0;
}

/* The segment that a pass beginning now goes to. */
static bool segment_ready(struct spool *spool, struct fault *why) {
	struct segment *old = spool->current;
	if (old && (spool->length || atomic_load(&old->end) < SPOOL_SEGMENT)) return true;

	struct segment_name name = {spool->store->generation, spool->index, spool->next_number};
	struct segment *next = segment_open(spool->store->spool_folder, &name, why);
	if (!next) return false;
	spool->next_number++;
	pthread_mutex_lock(&spool->lock);
	if (old) atomic_store(&old->is_sealed, true); /* from here the mover may delete it */
	list_append(&spool->segments, &next->link);
	pthread_mutex_unlock(&spool->lock);
	spool->current = next;
	return true;
}

/* Blocks for so many octets behind what is gathered. */
static bool room_for(struct spool *spool, size_t octets, struct fault *why) {
	int64_t more = (int64_t)(spool->length + octets);
	if (store_backlog(spool->store) + more > spool->store->spool_limit)
		return fault_set(why, FAULT_FULL,
			"%lld MiB of records wait to be stored, the limit; see the log why they cannot be",
			(long long)(spool->store->spool_limit / (1024 * 1024)));
	if (!segment_ready(spool, why)) return false;
	return segment_reserve(spool->current, atomic_load(&spool->current->end) + more, why);
}

bool spool_reserve(struct spool *spool, size_t octets, struct fault *why) {
	if (octets > SPOOL_TEXT)
		return fault_set(why, FAULT_TOO_LARGE, "a record of %zu octets; the limit is %d", octets,
			SPOOL_TEXT);
	return room_for(spool, octets + SPOOL_HEAD + SPOOL_TOPIC + SLACK, why);
}

static bool memory_for(struct spool *spool, size_t size, struct fault *why) {
	size_t wanted = spool->length + size;
	if (wanted <= spool->capacity) return true;
	if (wanted > GATHERED_LIMIT)
		return fault_set(why, FAULT_FULL, "too many records in one pass: over %d octets",
			GATHERED_LIMIT);
	size_t capacity = spool->capacity ? spool->capacity : 16 * 1024;
	while (capacity < wanted) capacity *= 2;
	char *more = realloc(spool->gathered, capacity);
	if (!more) return fault_set(why, FAULT_NO_MEMORY, "no memory for a record of the spool");
	spool->gathered = more;
	spool->capacity = capacity;
	return true;
}

bool spool_add(struct spool *spool, const struct spool_record *record, const struct slice *pieces,
	size_t count, struct fault *why) {
	size_t length = 0;
	for (size_t i = 0; i < count; i++) length += pieces[i].length;
	if (record->topic.length > SPOOL_TOPIC || length > SPOOL_TEXT)
		return fault_set(why, FAULT_TOO_LARGE, "a record of %zu octets; the limit is %d", length,
			SPOOL_TEXT);
	size_t size = spool_record_size(record, length);
	if (!room_for(spool, size, why) || !memory_for(spool, size, why)) return false;
	spool_record_write(record, pieces, count, spool->gathered + spool->length);
	spool->length += size;
	return true;
}

static void forget_gathered(struct spool *spool) {
	spool->length = 0;
	if (spool->capacity <= KEPT_CAPACITY) return;
	free(spool->gathered);
	spool->gathered = NULL;
	spool->capacity = 0;
}

bool spool_commit(struct spool *spool, struct fault *why) {
	if (spool->length == 0) return true;

	struct segment *segment = spool->current;
	int64_t length = (int64_t)spool->length;
	bool done = segment_write(segment, slice_make(spool->gathered, spool->length), why);
	forget_gathered(spool);
	if (!done) {
		if (!segment->is_broken) return false;
		spool->current = NULL;
		atomic_store(&segment->is_sealed, true);
		return false;
	}
	int64_t before = atomic_fetch_add(&spool->store->backlog, length);
	int64_t enough = spool->store->move_octets;
	if (before < enough && before + length >= enough) store_wake(spool->store);
	return true;
}
