/* SPDX-License-Identifier: Apache-2.0 */
/* Archive: one connection and what it must know; whose statements it holds says archive_open.c. */
#include "store/archive.h"

#include "base/map.h"
#include "store/data_folder.h"
#include "store/migrations.h"
#include "store/octets.h"

#include <stdlib.h>

#define CHECKPOINT_PAGES 1000 /* of the log, before it is brought in */

static bool keys_read(struct archive *archive, struct fault *why) {
	AUTO_FREE char *path = data_folder_path(archive->directory, "secret", why);
	uint8_t mac[SECRET_HASH_SIZE];
	if (!path || !secret_file(path, archive->secret, sizeof archive->secret, why)) return false;
	struct slice key = slice_make(archive->secret, sizeof archive->secret);
	if (!secret_sign(key, SLICE("hustings id hash"), mac))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to derive a key");
	archive->id_seed[0] = octets_get64(mac);
	archive->id_seed[1] = octets_get64(mac + 8);
	return true;
}

/* After every commit: how long the log is now. */
static int note_log(void *context, sqlite3 *database, const char *name, int pages) {
	(void)database, (void)name;
	struct archive *archive = context;
	archive->log_pages = pages;
	return SQLITE_OK;
}

static bool database_ready(struct archive *archive, bool is_power_safe, struct fault *why) {
	AUTO_FREE char *path = data_folder_path(archive->directory, "history.db", why);
	struct database_options options = {
		.path = path,
		.migrations = history_migrations,
		.migration_count = HISTORY_VERSION,
		.is_power_safe = is_power_safe,
		.is_archive = true,
	};
	if (path) archive->database = database_open(&options, why);
	if (!archive->database) return false;
	sqlite3_wal_hook(archive->database, note_log, archive);
	archive->log_pages = 1; /* an earlier process may have left some */
	return true;
}

struct archive *archive_connect(const char *directory, bool is_power_safe, struct fault *why) {
	AUTO(archive) archive = calloc(1, sizeof *archive);
	if (archive) archive->directory = slice_copy(slice_of(directory));
	if (!archive || !archive->directory)
		return fault_null(why, FAULT_NO_MEMORY, "no memory for the archive");
	if (!keys_read(archive, why) || !database_ready(archive, is_power_safe, why)) return NULL;
	return TAKE(archive);
}

void archive_close(struct archive *archive) {
	if (!archive) return;
	statements_finish(&archive->history);
	statements_finish(&archive->retention);
	statements_finish(&archive->proposals);
	statements_finish(&archive->audit);
	statements_finish(&archive->moved);
	database_close(archive->database);
	signer_close(archive->audit_signer);
	secret_wipe(archive->secret, sizeof archive->secret);
	free(archive->directory);
	free(archive);
}

uint64_t archive_hash(const struct archive *archive, struct slice text) {
	return map_hash(archive->id_seed, text);
}

bool archive_checkpoint_now(struct archive *archive, struct fault *why) {
	if (archive->log_pages == 0) return true;
	int result = sqlite3_wal_checkpoint_v2(archive->database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL,
		NULL);
	if (result == SQLITE_OK || result == SQLITE_BUSY) {
		archive->log_pages = 0;
		return true;
	}
	return database_fault(archive->database, why, "bringing the log into history.db");
}

bool archive_checkpoint(struct archive *archive, struct fault *why) {
	return archive->log_pages < CHECKPOINT_PAGES || archive_checkpoint_now(archive, why);
}

/* Whoever reads for long keeps a checkpoint from doing anything: the log itself is brought to the disk. */
bool archive_sync(struct archive *archive, struct fault *why) {
	sqlite3_file *log = NULL;
	int result = sqlite3_file_control(archive->database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
	if (result == SQLITE_OK && log && log->pMethods) result = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL);
	if (result == SQLITE_OK) return true;
	return fault_set(why, FAULT_IO, "the log of history.db cannot be brought to the disk: %s", sqlite3_errstr(result));
}
