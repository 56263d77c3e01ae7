/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest parts: what the files of a guest share; for this folder alone.
 */
#ifndef HUSTINGS_CLIENT_GUEST_PARTS_H
#define HUSTINGS_CLIENT_GUEST_PARTS_H

#include "client/guest.h"
#include "client/peers.h"

struct guest {
	struct loop *loop;
	struct guest_options options;     /* membership.name is the membership's copy */
	const struct guest_events *events;
	void *context;
	struct membership *membership;
	struct roster roster;
	struct peers peers;
	struct link errands;
	struct mcp_server *server;
	struct mcp_server *own_server;    /* NULL: one was lent */
	char *name;
	bool was_joined;
	bool is_restricted;
	bool is_closing;
	bool has_chat_tools;
	struct task closing;              /* frees it, when no callback is under way any more */
	char privilege[32];
};

#define GUEST_TELL(guest, event, ...) \
	do { \
		if ((guest)->events->event && !(guest)->is_closing) \
			(guest)->events->event((guest)->context, ##__VA_ARGS__); \
	} while (0)

/* guest_intake.c */
extern const struct membership_events guest_membership_events;
extern const struct roster_events guest_roster_events;
void guest_tell_tools_changed(struct guest *guest, struct slice id);

/* chat.c: shows an envelope as chat if it is any; false: it is none. `past` as given. */
bool chat_take(struct guest *guest, const struct envelope *envelope, enum guest_moment moment,
	struct arena *arena);

/* proposing.c */
void proposing_take(struct guest *guest, const struct envelope *envelope,
	enum guest_moment moment, struct arena *arena);
void proposing_settled(struct guest *guest, const struct envelope *envelope, struct arena *arena);

/* errand.c */
void errands_wake(struct link *waiters);
void errands_fail(struct link *waiters, const struct fault *why);
void errands_start(struct guest *guest); /* we are in the room */
void errands_end(struct guest *guest, const struct fault *why);

#endif
