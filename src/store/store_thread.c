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
#define STEP_MS 50    /* between the steps of one, unless twice of what begins one waits */
#define REST_MS 500   /* after the last move: what it took is not kept for the next */

struct worker {
	struct store *store;
	uint64_t scan_at; /* when to look at what there is */
	uint64_t move_at; /* when to move it */
	uint64_t step_at; /* the next step of the move under way */
	bool is_moving;
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

static void note_work(struct worker *worker, bool done, const struct fault *why) {
	uint64_t now = clock_monotonic_ms();
	worker->scan_at = now + STORE_SCAN_MS;
	worker->rest_at = now + REST_MS;
	worker->not_before = done ? 0 : now + AGAIN_MS;
	if (!done) complain(worker, "the spool cannot be moved into history.db, it is tried again", why);
}

static bool scan(struct worker *worker, struct fault *why) {
	bool done = mover_scan(worker->store->mover, why);
	note_work(worker, done, why);
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

static bool take_question(struct store *store, struct store_question *question) {
	pthread_mutex_lock(&store->lock);
	bool found = store_queue_take(&store->queue, question);
	pthread_mutex_unlock(&store->lock);
	return found;
}

static bool provide(struct worker *worker, const struct store_question *question, struct fault *why) {
	struct mover *mover = worker->store->mover;
	bool done = true;
	if (question->need == STORE_NEEDS_TOPIC) done = mover_topic(mover, question->topic, why);
	if (question->need == STORE_NEEDS_ALL) done = mover_run(mover, why);
	if (!done) note_work(worker, false, why);
	return done;
}

/* One scan serves all questions that were there before it; on a full disk one trial does. */
static void answer(struct worker *worker) {
	struct store *store = worker->store;
	struct store_question question;
	struct fault why;
	pthread_mutex_lock(&store->lock);
	size_t count = store->queue.count;
	pthread_mutex_unlock(&store->lock);
	if (count == 0) return;
	bool can_move = scan(worker, &why), is_trial = false, was_tried = false;
	for (; count && take_question(store, &question); count--) {
		bool done = is_trial || (can_move && provide(worker, &question, &why));
		if (!done && why.code == FAULT_FULL && !was_tried) {
			was_tried = true;
			can_move = false;
			done = is_trial = mover_try(store->mover, &why);
		}
		question.run(store->archive, question.letter, done ? NULL : &why);
	}
	if (is_trial) mover_try_end(store->mover);
}

/* A move goes in steps with pauses between them: it falls on nobody all at once, and questions that come
 * meanwhile do not wait for its end. */
static void begin_move(struct worker *worker) {
	struct fault why;
	worker->is_moving = scan(worker, &why);
	worker->step_at = clock_monotonic_ms();
	worker->move_at = worker->step_at + STORE_SCAN_MS; /* when it fails */
}

static void step(struct worker *worker) {
	struct store *store = worker->store;
	struct fault why;
	bool more = false, done = mover_step(store->mover, &more, &why);
	uint64_t now = clock_monotonic_ms();
	bool is_pressed = store_backlog(store) >= 2 * store->move_octets;
	worker->is_moving = done && more;
	worker->step_at = now + (is_pressed ? 0 : STEP_MS);
	if (done) worker->move_at = now + STORE_MOVE_MS;
	note_work(worker, done, &why);
}

static bool move_is_due(const struct worker *worker, uint64_t now) {
	int64_t backlog = store_backlog(worker->store);
	if (worker->is_moving || backlog <= 0 || now < worker->not_before) return false;
	return backlog >= worker->store->move_octets || now >= worker->move_at;
}

static bool step_is_due(const struct worker *worker, uint64_t now) {
	return worker->is_moving && now >= worker->step_at;
}

static bool scan_is_due(const struct worker *worker, uint64_t now) {
	return store_backlog(worker->store) > 0 && now >= worker->not_before && now >= worker->scan_at;
}

static uint64_t earliest(const struct worker *worker, uint64_t now) {
	uint64_t at = worker->move_at < worker->sweep_at ? worker->move_at : worker->sweep_at;
	if (worker->scan_at < at) at = worker->scan_at;
	if (worker->is_moving && worker->step_at < at) at = worker->step_at;
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
		if (store->is_ending || store->queue.count) break;
		if (move_is_due(worker, now) || step_is_due(worker, now) || scan_is_due(worker, now)) break;
		if (now >= worker->sweep_at || now >= worker->rest_at) break;
		if (now >= worker->move_at) worker->move_at = now + STORE_MOVE_MS;
		if (now >= worker->scan_at) worker->scan_at = now + STORE_SCAN_MS;
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
	worker.scan_at = now + STORE_SCAN_MS;
	worker.move_at = now + STORE_MOVE_MS;
	worker.sweep_at = now;
	worker.rest_at = UINT64_MAX;
	while (!wait_for_work(&worker)) {
		answer(&worker);
		now = clock_monotonic_ms();
		if (move_is_due(&worker, now))
			begin_move(&worker);
		else if (scan_is_due(&worker, now))
			(void)!scan(&worker, &why);
		if (step_is_due(&worker, now)) step(&worker);
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
