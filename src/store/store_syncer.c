/* SPDX-License-Identifier: Apache-2.0 */
/* Store syncer: fdatasync() on descriptors of its own, so that the mover may delete meanwhile what
 * is in the archive already. */
#include "store/store_syncer.h"

#include "store/spool.h"
#include "store/spool_segment.h"
#include "store/store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct store_syncer {
	struct store *store;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool has_thread;
	bool is_ending;
	struct letter *first; /* of struct spool_sync, linked by next */
	struct letter **last;
};

/* One segment that is not safe yet, with a descriptor of ours. */
struct unsafe {
	struct segment_name name;
	int file;
	bool is_sealed;
	bool is_named;
};

static bool is_behind(const struct segment *segment, const struct segment_name *name) {
	return segment_name_compare(&segment->name, name) > 0;
}

/* The first behind *unsafe; *found false: there is none. */
static bool next_unsafe(struct spool *spool, struct unsafe *unsafe, bool *found, struct fault *why) {
	bool done = true;
	*found = false;
	pthread_mutex_lock(&spool->lock);
	LIST_EACH(link, &spool->segments) {
		struct segment *segment = CONTAINER_OF(link, struct segment, link);
		if (segment->is_synced || !is_behind(segment, &unsafe->name)) continue;
		*unsafe = (struct unsafe){
			.name = segment->name,
			.file = fcntl(segment->descriptor, F_DUPFD_CLOEXEC, 0),
			.is_sealed = atomic_load(&segment->is_sealed),
			.is_named = segment->is_named,
		};
		*found = unsafe->file >= 0;
		if (!*found) done = fault_errno(why, errno, "a spool segment cannot be synced");
		break;
	}
	pthread_mutex_unlock(&spool->lock);
	return done;
}

/* It may have been moved and deleted meanwhile. */
static void note_safe(struct spool *spool, const struct unsafe *unsafe) {
	pthread_mutex_lock(&spool->lock);
	LIST_EACH(link, &spool->segments) {
		struct segment *segment = CONTAINER_OF(link, struct segment, link);
		if (segment_name_compare(&segment->name, &unsafe->name) != 0) continue;
		segment->is_named = true;
		segment->is_synced = unsafe->is_sealed;
	}
	pthread_mutex_unlock(&spool->lock);
}

static bool sync_spool(struct spool *spool, struct fault *why) {
	struct unsafe unsafe = {0};
	for (bool found;;) {
		if (!next_unsafe(spool, &unsafe, &found, why)) return false;
		if (!found) return true;
		int error = fdatasync(unsafe.file) ? errno : 0;
		if (!error && !unsafe.is_named && fsync(spool->store->spool_folder)) error = errno;
		close(unsafe.file);
		if (error) return segment_fault(why, error, "the spool cannot be synced");
		note_safe(spool, &unsafe);
	}
}

static void *run(void *context) {
	struct store_syncer *syncer = context;
	pthread_mutex_lock(&syncer->lock);
	for (;;) {
		while (!syncer->first && !syncer->is_ending) pthread_cond_wait(&syncer->wake, &syncer->lock);
		struct letter *letter = syncer->first;
		if (!letter) break;
		syncer->first = letter->next;
		if (!syncer->first) syncer->last = &syncer->first;
		pthread_mutex_unlock(&syncer->lock);
		struct spool_sync *sync = CONTAINER_OF(letter, struct spool_sync, letter);
		sync->failed = !sync_spool(sync->spool, &sync->why);
		mailbox_answer(sync->loop, letter, letter->deliver);
		pthread_mutex_lock(&syncer->lock);
	}
	pthread_mutex_unlock(&syncer->lock);
	return NULL;
}

struct store_syncer *store_syncer_open(struct store *store, struct fault *why) {
	struct store_syncer *syncer = calloc(1, sizeof *syncer);
	if (!syncer) return fault_null(why, FAULT_NO_MEMORY, "no memory for the store's syncer");
	syncer->store = store;
	syncer->last = &syncer->first;
	int error = pthread_mutex_init(&syncer->lock, NULL);
	if (error) {
		free(syncer);
		fault_errno(why, error, "the store's syncer");
		return NULL;
	}
	error = pthread_cond_init(&syncer->wake, NULL);
	if (!error) return syncer;
	pthread_mutex_destroy(&syncer->lock);
	free(syncer);
	fault_errno(why, error, "the store's syncer");
	return NULL;
}

void store_syncer_close(struct store_syncer *syncer) {
	if (!syncer) return;
	if (syncer->has_thread) {
		pthread_mutex_lock(&syncer->lock);
		syncer->is_ending = true;
		pthread_cond_signal(&syncer->wake);
		pthread_mutex_unlock(&syncer->lock);
		pthread_join(syncer->thread, NULL);
	}
	pthread_cond_destroy(&syncer->wake);
	pthread_mutex_destroy(&syncer->lock);
	free(syncer);
}

void spool_sync(struct spool *spool, struct spool_sync *sync, struct loop *loop,
	void (*deliver)(struct letter *)) {
	struct store_syncer *syncer = spool->store->syncer;
	sync->letter = (struct letter){.deliver = deliver};
	sync->loop = loop;
	sync->spool = spool;
	sync->failed = false;
	pthread_mutex_lock(&syncer->lock);
	int error = 0;
	if (!syncer->has_thread) {
		error = pthread_create(&syncer->thread, NULL, run, syncer);
		syncer->has_thread = !error;
	}
	if (!error) {
		*syncer->last = &sync->letter;
		syncer->last = &sync->letter.next;
		pthread_cond_signal(&syncer->wake);
	}
	pthread_mutex_unlock(&syncer->lock);
	if (!error) return;
	sync->failed = true;
	fault_errno(&sync->why, error, "the store's syncer cannot start");
	mailbox_answer(loop, &sync->letter, deliver);
}
