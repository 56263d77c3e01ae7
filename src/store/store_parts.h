/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store parts: what the files of the store share. Nobody outside this folder includes it.
 *
 * Threads: a spool belongs to its loop, but for the list of its segments (its lock); the archive
 * and the mover belong to the store's thread from store_open()'s return on; queue, rules and
 * `is_ending` are under the store's lock.
 */
#ifndef HUSTINGS_STORE_STORE_PARTS_H
#define HUSTINGS_STORE_STORE_PARTS_H

#include "base/list.h"
#include "store/store_queue.h"
#include "store/store_rule.h"

#include <pthread.h>

#define STORE_MOVE_OCTETS (32 * 1024 * 1024) /* that wait; a fourth of the spool's limit if that is less */
#define STORE_MOVE_MS 60000                  /* that an envelope waits at most */
#define STORE_SCAN_MS 10000                  /* that anything else waits */
#define STORE_SPOOL_LIMIT (1024LL * 1024 * 1024)

struct archive;
struct audit_hub;
struct log;
struct mover;
struct segment;
struct store_syncer;

struct spool {
	struct store *store;
	uint32_t index;
	uint32_t next_number;
	struct segment *current; /* NULL: the next record opens one */
	char *gathered;
	size_t length;
	size_t capacity;
	pthread_mutex_t lock; /* of the list */
	struct link segments;
};

struct store {
	char *directory;
	int lock_file;
	int spool_folder;
	struct log *log;
	enum store_durability durability;
	int64_t spool_limit;
	int64_t move_octets;
	uint64_t id_seed[2];
	uint64_t generation;
	struct spool *spools;
	unsigned spool_count;
	_Atomic int64_t backlog;
	_Atomic(struct audit_hub *) audit_hub; /* audit_listener.c; NULL: nobody ever listened */

	struct archive *archive;
	struct mover *mover;
	struct store_syncer *syncer;

	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool has_thread;
	bool is_ending;
	struct store_queue queue;
	struct store_rule *rules;
	size_t rule_count;
	struct store_retention audit;
};

bool spool_init(struct spool *spool, struct store *store, unsigned index, struct fault *why) MUST_USE;
void spool_finish(struct spool *spool);

bool store_rules_copy(const struct store_rule *rules, size_t count, struct store_rule **copy) MUST_USE;

/* Of the store's thread. */
void store_wake(struct store *store);
/* `run` is called on the store's thread when what it needs of everything committed so far is in the
 * archive; *failed is why it could not be brought there, or NULL. */
bool store_ask_for(struct store *store, const struct store_question *question, struct fault *why) MUST_USE;
/* The same for who needs no envelope. */
bool store_ask(struct store *store, struct letter *letter, store_work *run, struct fault *why) MUST_USE;

/* store_thread.c: for who opens and closes. */
bool store_thread_start(struct store *store, struct fault *why) MUST_USE;
void store_thread_end(struct store *store); /* answers what was asked, moves everything */

#endif
