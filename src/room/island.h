/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Island: the plain data of rooms. An island is all rooms of one loop; nothing outside its thread
 * touches it. The functions over it are in the files named beside each struct; every file of this
 * folder may read these, and writes only what is its own.
 */
#ifndef HUSTINGS_ROOM_ISLAND_H
#define HUSTINGS_ROOM_ISLAND_H

#include "auth/principal.h"
#include "base/list.h"
#include "base/log.h"
#include "base/map.h"
#include "room/outlet.h"
#include "room/pace.h"
#include "room/recent.h"
#include "room/rooms_settings.h"
#include "store/history.h"
#include "store/spool.h"

struct proposal;
struct room;

/* Who wants to hear what becomes of proposals, on the room's thread: of each new one, of each that a room which is
 * opened again still has open, and of each that is settled. It calls nothing of the room's. */
struct rooms_watch {
	void (*changed)(void *context, const struct room *room, const struct proposal *proposal); /* NULL: nobody */
	void *context;
};

/* rooms.h */
struct rooms {
	struct loop *loop;
	struct store *store;
	struct spool *spool;
	struct log *log;
	struct counters *counters;
	struct rooms_settings settings;
	struct map by_topic;
	struct link dirty;   /* rooms whose lanes hold what nobody has yet */
	struct link syncing; /* rooms that wait for the disk (power durability) */
	struct spool_sync sync;
	bool sync_runs;
	bool is_draining;
	bool is_closed;   /* only the sync under way still knows it */
	uint64_t commits; /* of the spool so far */
	bool has_failed;  /* a commit inside the pass did; `failure` says why */
	struct fault failure;
	struct loop_hook pass_end;
	struct arena scratch; /* of the envelope at hand */
	char lent[16 * 1024];
	struct refusal_counts *refusals; /* room_audit.h */
	struct rooms_watch watch;
};

/* What readers of one dialect are still to get (room_log.h). Positions count octets since the room
 * opened; everything up to `ready` may be delivered. */
struct lane_piece {
	struct frame *frame;
	uint32_t start;
	uint32_t end;
	uint64_t position; /* of `start` */
};

struct lane {
	struct lane_piece *pieces;
	unsigned count;
	unsigned capacity;
	unsigned readers;
	uint64_t ready;
	uint64_t end;
};

enum room_state {
	ROOM_LOADING,
	ROOM_OPEN,
	ROOM_CLOSING, /* what it took was not stored: everybody goes, nobody comes */
};

/* room.h */
struct room {
	struct rooms *rooms;
	struct slice topic; /* in this allocation */
	enum room_state state;
	struct map participants; /* by id */
	struct link list;        /* participants in the order of their coming */
	struct link readers;     /* seats */
	struct lane lanes[ENVELOPE_DIALECTS];
	uint64_t sequence;    /* of the last envelope accepted */
	uint64_t marked;      /* the same at the last mark: stored, or on its way to the disk */
	uint64_t stored;      /* the same at the last delivery */
	uint64_t gathered_in; /* rooms->commits when it last had something gathered; 0: never */
	struct link owed;     /* who waits for `stored` (acknowledgement.h) */
	struct recent recent;
	struct link proposals; /* the book, oldest first (proposals.h) */
	size_t proposals_open;
	size_t proposals_count;
	struct map proposals_by_id;
	struct link waiting; /* who waits for it to load (visitor.h) */
	struct history *loading;
	struct link visitors; /* identities that spoke without a seat (visitors.h) */
	size_t visitor_count;
	struct link questions; /* requests addressed to restricted participants (answers.h) */
	size_t question_count;
	struct deadline next;  /* the nearest of idle end, heartbeat, proposals */
	uint64_t heartbeat_at; /* loop ms; 0: none */
	uint64_t idle_since;   /* loop ms; 0: somebody is here */
	struct link in_rooms;  /* dirty or syncing */
	bool is_dirty;
	bool is_syncing;
	bool is_wanted;     /* somebody may make it; else it must have history to be found */
	unsigned leaving;   /* seats to be closed at the end of the pass (leaving.h) */
	bool must_schedule; /* a deadline of it came nearer: room_schedule() at the end of the pass */
};

/* participant.h: a principal in a topic, with one seat per connection. Small: there are many. */
struct participant {
	struct link in_room;
	struct link seats;
	struct room *room;
	struct principal *principal; /* of the connection that speaks for it: the newest */
	int64_t connected_at;        /* wall ms */
	uint64_t refused_since;      /* loop ms of the first pace refusal with nothing passed since; 0: none */
	struct pace pace;
	struct pace proposal_pace;
	uint32_t seat_count;
	uint8_t privilege; /* of the principal; each seat has its own */
	bool is_present;   /* its join was announced */
};

_Static_assert(sizeof(struct participant) <= 88, "memory of an idle connection");

enum seat_state {
	SEAT_JOINING,     /* its history is being read; live frames are held back */
	SEAT_CATCHING_UP, /* welcomed; what came after `since` is being read */
	SEAT_LIVE,
};

/* arrears.h: what a reader gets, or does not want, beside what its lane has from `start` on. */
struct arrears {
	struct catching *catching; /* holding.h; NULL when live */
	struct skips *skips;       /* ranges that it does not want; NULL: none so far (room_log.h) */
	struct past *past;         /* what it still reads in the dialect it had; NULL (room_log.c) */
	struct link echoes;        /* that wait for the store (acknowledgement.h) */
};

/* seat.h: one reader of a room, with its outlet. Small: there are many. */
struct seat {
	struct link in_room;
	/* What a delivery looks at lies together: readers are many, caches small. */
	uint64_t start;          /* lane position from which it reads */
	struct arrears *arrears; /* NULL: none; most have none most of the time */
	struct outlet *outlet;
	uint32_t behind;    /* octets, as its outlet says; what is more than fits is as bad as this */
	uint32_t allowance; /* octets that it may be behind over max_behind: its welcome and replay */
	uint8_t privilege;  /* of this connection (MCPx v0.1 3.1) */
	uint8_t state;
	uint8_t dialect;
	uint8_t leaving;  /* why it is to be closed at the end of the pass, or LEAVING_NOT (leaving.h) */
	bool is_declared; /* said its dialect; else the first envelope does */
	bool is_beside;
	bool is_house; /* of a server of the gateway's own (joining.h) */
	bool echoes;
	struct link in_participant;
	struct participant *participant;
	struct principal *principal; /* of this connection: tokens may differ */
};

_Static_assert(sizeof(struct seat) <= 88, "memory of an idle connection");

static inline struct room *seat_room(const struct seat *seat) { return seat->participant->room; }

#endif
