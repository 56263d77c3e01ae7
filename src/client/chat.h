/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chat: what people say in a room (MCPx v0 8, v0.1 4.3), for a guest (client/guest.h).
 */
#ifndef HUSTINGS_CLIENT_CHAT_H
#define HUSTINGS_CLIENT_CHAT_H

#include "base/ident.h"
#include "client/guest_options.h"

/* Chat, in the form of our dialect; `to` may be SLICE_NONE: everyone. `id` (may be NULL)
 * takes the envelope's id. */
bool guest_say(struct guest *guest, struct slice to, struct slice text, bool is_markdown,
	char id[IDENT_UUID_SIZE], struct fault *why) MUST_USE;
/* Offers chat.say and presence.get (MCPx v0 8.2) on its server. They go with guest_close(). */
bool guest_offer_chat(struct guest *guest, struct fault *why) MUST_USE;

/* For guest_intake.c: shows an envelope as chat if it is any; false: it is none. `past` as given. */
bool chat_take(struct guest *guest, const struct envelope *envelope, enum guest_moment moment,
	struct arena *arena);

#endif
