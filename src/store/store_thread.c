/* SPDX-License-Identifier: Apache-2.0 */
/* Store thread: moves when enough waits or long enough, answers questions, applies retention. */
#include "base/clock.h"
#include "store/mover.h"
#include "store/retention.h"
#include "store/store_parts.h"

#include <errno.h>
#include <time.h>

#define SWEEP_MS 60000
#define COMPLAINT_MS 60000
#define AGAIN_MS 1000 /* after a move that failed */
#define REST_MS 500   /* after the last move: what it took is not kept for the next */

struct worker {
	struct store *store;
	uint64_t move_at;    /* when to move what there is */
	uint64_t not_before; /* when a move that failed may be tried again unasked */
	uint64_t sweep_at;
	uint64_t rest_at;      /* UINT64_MAX: nothing was moved since */
	uint64_t complaint_at; /* when the next failure is said */
};

static void complain(struct worker *worker, const char *what, const struct fault *why) {
	uint64_t now = clock_monotonic_ms();
	if (now < worker->complaint_at) return;
	worker->complaint_at = now + COMPLAINT_MS;
	log_write(worker->store->log, LOG_ERROR, "store: %s: %s", what, why->text);
}

static bool move(struct worker *worker, struct fault *why) {
	uint64_t now = clock_monotonic_ms();
	bool done = mover_run(worker->store->mover, why);
	worker->move_at = now + STORE_MOVE_MS;
	worker->rest_at = now + REST_MS;
	worker->not_before = done ? 0 : now + AGAIN_MS;
	if (!done) complain(worker, "the spool cannot be moved into history.db, it is tried again", why);
	return done;
}

static void sweep(struct worker *worker) {
	struct fault why;
	worker->sweep_at = clock_monotonic_ms() + SWEEP_MS;
	if (!retention_sweep(worker->store->archive, worker->store, clock_wall_ms(), &why))
		complain(worker, "retention", &why);
}

static void rest(struct worker *worker) {
	worker->rest_at = UINT64_MAX;
	mover_rest(worker->store->mover);
}

/* One move serves all questions that were there before it. */
static void answer(struct worker *worker) {
	struct store *store = worker->store;
	struct store_question question;
	struct fault why;
	pthread_mutex_lock(&store->lock);
	size_t count = store->queue.count;
	pthread_mutex_unlock(&store->lock);
	if (count == 0) return;
	bool moved = move(worker, &why), is_trial = false;
	if (!moved && why.code == FAULT_FULL) moved = is_trial = mover_try(store->mover, &why);
	for (bool found = true; count && found; count--) {
		pthread_mutex_lock(&store->lock);
		found = store_queue_take(&store->queue, &question);
		pthread_mutex_unlock(&store->lock);
		if (found) question.run(store->archive, question.letter, moved ? NULL : &why);
	}
	if (is_trial) mover_try_end(store->mover);
}

static bool move_is_due(const struct worker *worker, uint64_t now) {
	int64_t backlog = store_backlog(worker->store);
	if (backlog <= 0 || now < worker->not_before) return false;
	return backlog >= STORE_MOVE_OCTETS || now >= worker->move_at;
}

static uint64_t earliest(const struct worker *worker, uint64_t now) {
	uint64_t at = worker->move_at < worker->sweep_at ? worker->move_at : worker->sweep_at;
	if (worker->rest_at < at) at = worker->rest_at;
	if (worker->not_before > now && worker->not_before < at) at = worker->not_before;
	return at > now ? at : now + AGAIN_MS;
}

/* Until there is something to do. True: the store ends. */
static bool wait_for_work(struct worker *worker) {
	struct store *store = worker->store;
	pthread_mutex_lock(&store->lock);
	for (;;) {
		uint64_t now = clock_monotonic_ms();
		if (store->is_ending || store->queue.count || move_is_due(worker, now)) break;
		if (now >= worker->sweep_at || now >= worker->rest_at) break;
		if (now >= worker->move_at) worker->move_at = now + STORE_MOVE_MS;
		uint64_t at = earliest(worker, now);
		struct timespec until = {(time_t)(at / 1000), (long)(at % 1000) * 1000000};
		pthread_cond_timedwait(&store->wake, &store->lock, &until);
	}
	bool is_ending = store->is_ending;
	pthread_mutex_unlock(&store->lock);
	return is_ending;
}

static void *run(void *context) {
	struct worker worker = {.store = context};
	struct fault why;
	uint64_t now = clock_monotonic_ms();
	worker.move_at = now + STORE_MOVE_MS;
	worker.sweep_at = now;
	worker.rest_at = UINT64_MAX;
	while (!wait_for_work(&worker)) {
		answer(&worker);
		now = clock_monotonic_ms();
		if (move_is_due(&worker, now)) (void)!move(&worker, &why);
		if (now >= worker.sweep_at) sweep(&worker);
		if (now >= worker.rest_at) rest(&worker);
	}
	answer(&worker);
	return NULL;
}

bool store_thread_start(struct store *store, struct fault *why) {
	int error = pthread_create(&store->thread, NULL, run, store);
	if (error) return fault_errno(why, error, "the store's thread");
	store->has_thread = true;
	return true;
}

void store_thread_end(struct store *store) {
	if (!store->has_thread) return;
	pthread_mutex_lock(&store->lock);
	store->is_ending = true;
	pthread_cond_signal(&store->wake);
	pthread_mutex_unlock(&store->lock);
	pthread_join(store->thread, NULL);
	store->has_thread = false;
}
