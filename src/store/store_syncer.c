/* SPDX-License-Identifier: Apache-2.0 */
/* Store syncer: fdatasync() on descriptors of its own, so that the mover may delete meanwhile what
 * is in the archive already. */
#include "store/store_syncer.h"

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

/* A descriptor of the first segment that is not safe yet; -1: all are, or *why. */
static int next_segment(struct spool *spool, const struct segment *behind, struct segment_name *name,
	bool *is_sealed, struct fault *why) {
	int file = -1;
	(void)behind;
	pthread_mutex_lock(&spool->lock);
	LIST_EACH(link, &spool->segments) {
		struct segment *segment = CONTAINER_OF(link, struct segment, link);
		if (atomic_load(&segment->is_synced) || segment_name_compare(&segment->name, name) <= 0) continue;
		*is_sealed = atomic_load(&segment->is_sealed);
		*name = segment->name;
		file = fcntl(segment->descriptor, F_DUPFD_CLOEXEC, 0);
		if (file < 0) fault_errno(why, errno, "a spool segment cannot be synced");
		break;
	}
	pthread_mutex_unlock(&spool->lock);
	return file;
}
