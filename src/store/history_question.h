/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History question: what may be asked about a topic, with the place for its answer. Asked and given
 * back by store/history.h.
 */
#ifndef HUSTINGS_STORE_HISTORY_QUESTION_H
#define HUSTINGS_STORE_HISTORY_QUESTION_H

#include "base/fault.h"
#include "base/slice.h"
#include "net/mailbox.h"

enum history_kind {
	HISTORY_PAGE,   /* newest first: `limit` envelopes before `before` (REST) */
	HISTORY_TAIL,   /* oldest first: the last `limit` up to `upto` (welcome) */
	HISTORY_SINCE,  /* oldest first: those after `after` or, when that is empty, after sequence `from`;
	                 * up to `upto` */
	HISTORY_ROOM,   /* what a room needs to open: last sequence, recent ids, open proposals (as records:
	                 * text is the JSON that SPOOL_PROPOSAL had) */
	HISTORY_TOPICS, /* the topics that were spoken in, by name, those behind `after`: text is the topic,
	                 * sequence its last */
};

#define HISTORY_COUNT 1000
#define HISTORY_OCTETS (1024 * 1024) /* of one answer's envelopes; at least one is given */

struct history_record {
	uint64_t sequence;
	int64_t moment;
	struct slice text;
};

struct history_recent { /* an id seen, packed */
	uint64_t id_hash;
	uint64_t text_hash;
};

struct history {
	struct letter letter;
	struct loop *loop; /* where the answer goes */
	void (*answered)(struct history *history);
	void *context;

	/* The question. */
	enum history_kind kind;
	struct slice topic;  /* borrowed until the answer */
	size_t limit;        /* envelopes; at most HISTORY_COUNT, which 0 means as well.
	                      * HISTORY_ROOM: recent ids wanted */
	struct slice before; /* HISTORY_PAGE: an envelope's id, or empty */
	bool before_is_time;
	int64_t before_time; /* wall ms, compared with the envelopes' own ts */
	struct slice after;  /* HISTORY_SINCE: an envelope's id */
	uint64_t from;       /* HISTORY_SINCE, to go on: after this sequence */
	uint64_t upto;       /* 0: no bound */

	/* The answer. */
	bool failed; /* why says so */
	struct fault why;
	bool found; /* PAGE, SINCE: the id is known */
	bool more;  /* cut at a limit; the last record says where to go on */
	struct history_record *records;
	size_t count;
	uint64_t last_sequence;        /* of the topic, 0: never spoken in */
	struct history_recent *recent; /* HISTORY_ROOM: oldest first */
	size_t recent_count;
	void *memory; /* what the above lie in */
};

#endif
