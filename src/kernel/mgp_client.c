/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_client: begun, tied, ended. */
#include "kernel/mgp_client.h"

void mgp_client_begin(struct mgp_client *client, const struct mgp_client_face *face, struct slice principal,
	struct slice session) {
	*client = (struct mgp_client){.face = face, .principal = principal, .session = session};
	list_init(&client->ties);
}

void mgp_client_end(struct mgp_client *client) {
	struct link *link;
	if (!client->face) return;
	client->face = NULL;
	while ((link = list_pop(&client->ties))) {
		struct mgp_client_tie *tie = CONTAINER_OF(link, struct mgp_client_tie, link);
		tie->ended(tie);
	}
}

void mgp_client_tie(struct mgp_client *client, struct mgp_client_tie *tie, void (*ended)(struct mgp_client_tie *tie)) {
	tie->ended = ended;
	list_append(&client->ties, &tie->link);
}

void mgp_client_untie(struct mgp_client *client, struct mgp_client_tie *tie) {
	list_remove(&tie->link);
	if (list_is_empty(&client->ties) && client->face && client->face->is_free) client->face->is_free(client);
}

bool mgp_client_tell(struct mgp_client *client, const char *method, const struct scan_value *params) {
	return client->face && client->face->tell && client->face->tell(client, method, params);
}
