/* SPDX-License-Identifier: Apache-2.0 */
/* Store, opening: in the order that recovery needs, and closing in the other. Declared in store.h. */
#include "store/store.h"

#include "store/archive.h"
#include "store/audit_chain.h"
#include "store/audit_listener.h"
#include "store/data_folder.h"
#include "store/mover.h"
#include "store/store_parts.h"
#include "store/store_syncer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define SPOOLS 1024

static void store_free(struct store *store) {
	for (unsigned i = 0; i < store->spool_count; i++) spool_finish(&store->spools[i]);
	audit_hub_close(store);
	store_syncer_close(store->syncer);
	mover_close(store->mover);
	archive_close(store->archive);
	if (store->spool_folder >= 0) close(store->spool_folder);
	if (store->lock_file >= 0) close(store->lock_file);
	pthread_cond_destroy(&store->wake);
	pthread_mutex_destroy(&store->lock);
	free(store->rules);
	free(store->spools);
	free(store->directory);
	free(store);
}

static void store_drop(struct store *store) {
	if (store) store_free(store);
}
AUTO_RELEASE(store, store_drop)

static struct store *store_make(struct fault *why) {
	struct store *store = calloc(1, sizeof *store);
	if (!store) return fault_null(why, FAULT_NO_MEMORY, "no memory for the store");
	store->lock_file = store->spool_folder = -1;
	pthread_condattr_t attributes;
	int error = pthread_mutex_init(&store->lock, NULL);
	if (!error && !(error = pthread_condattr_init(&attributes))) {
		pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
		error = pthread_cond_init(&store->wake, &attributes);
		pthread_condattr_destroy(&attributes);
	}
	if (!error) return store;
	free(store);
	fault_errno(why, error, "the store's lock");
	return NULL;
}

static bool folders_open(struct store *store, const char *directory, struct fault *why) {
	if (!data_folder_make(directory, why)) return false;
	store->directory = slice_copy(slice_of(directory));
	AUTO_FREE char *spools = data_folder_path(directory, "spool", why);
	if (!store->directory || !spools)
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the data folder's name");
	store->lock_file = data_folder_lock(directory, why);
	if (store->lock_file < 0 || !data_folder_make(spools, why)) return false;
	store->spool_folder = open(spools, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return store->spool_folder >= 0 || fault_errno(why, errno, "%s", spools);
}

/* Made before the first row, so that a head that is missing later was taken away. It is no reason
 * not to start. */
static bool head_ready(struct store *store, struct fault *why) {
	struct audit_link head, last;
	struct fault failed;
	if (audit_head_read(store->directory, &head, &failed)) return true;
	if (!audit_last_read(store->archive, &last, why)) return false;
	if (last.row == 0 && audit_head_write(store->directory, &last, &failed)) return true;
	log_write(store->log, LOG_WARNING,
		"store: audit.head is missing or damaged; the next audit record makes it anew: %s", failed.text);
	return true;
}

static bool archive_ready(struct store *store, struct fault *why) {
	store->archive = archive_open(store->directory, store->durability == STORE_POWER, why);
	if (!store->archive) return false;
	memcpy(store->id_seed, store->archive->id_seed, sizeof store->id_seed);
	return head_ready(store, why);
}

static bool spools_ready(struct store *store, unsigned count, struct fault *why) {
	store->spools = calloc(count, sizeof *store->spools);
	if (!store->spools) return fault_set(why, FAULT_NO_MEMORY, "no memory for the spools");
	for (; store->spool_count < count; store->spool_count++)
		if (!spool_init(&store->spools[store->spool_count], store, store->spool_count, why)) return false;
	return true;
}

/* What a killed process left goes into the archive before anybody is let in. Where the disk is too
 * full for that the gateway starts all the same and tries again. */
static bool recover(struct store *store, struct fault *why) {
	struct fault failed;
	store->mover = mover_open(store, why);
	if (!store->mover) return false;
	if (mover_run(store->mover, &failed)) return true;
	log_write(store->log, LOG_ERROR, "store: what the last run left is not in history.db yet: %s",
		failed.text);
	if (failed.code == FAULT_FULL) return true;
	if (why) *why = failed;
	return false;
}

struct store *store_open(const struct store_options *options, struct fault *why) {
	if (options->spools == 0 || options->spools > SPOOLS)
		return fault_null(why, FAULT_BAD_INPUT, "a store has 1 to %d spools, not %u", SPOOLS,
			options->spools);
	AUTO(store) store = store_make(why);
	if (!store) return NULL;
	store->log = options->log;
	store->durability = options->durability;
	store->spool_limit = options->spool_limit ? options->spool_limit : STORE_SPOOL_LIMIT;
	store->move_octets = STORE_MOVE_OCTETS;
	if (store->move_octets > store->spool_limit / 4) store->move_octets = store->spool_limit / 4;
	store->audit = options->audit;
	store->rule_count = options->rule_count;
	if (!store_rules_copy(options->rules, options->rule_count, &store->rules))
		return fault_null(why, FAULT_NO_MEMORY, "no memory for the store's rules");
	if (!folders_open(store, options->directory, why) || !archive_ready(store, why)) return NULL;
	if (!recover(store, why) || !spools_ready(store, options->spools, why)) return NULL;
	store->syncer = store_syncer_open(store, why);
	if (!store->syncer || !store_thread_start(store, why)) return NULL;
	return TAKE(store);
}

void store_close(struct store *store) {
	if (!store) return;
	struct fault why;
	store_thread_end(store);
	store_syncer_close(TAKE(store->syncer));
	if (mover_run(store->mover, &why))
		mover_clear(store->mover);
	else
		log_write(store->log, LOG_ERROR,
			"store: the spool stays behind, the next start brings it into history.db: %s", why.text);
	store_free(store);
}
