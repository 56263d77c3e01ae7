/* SPDX-License-Identifier: Apache-2.0 */
/* Parts sign in: the link to the console that is shown to who starts a gateway in a terminal. */
#include "cli/parts.h"

#include "auth/session_token.h"
#include "base/secret.h"
#include "cli/parts_inside.h"
#include "cli/reach.h"

struct finding {
	struct principal *principal;
	struct fault why;
};

static void found(void *context, struct principal *principal, const struct fault *why) {
	struct finding *finding = context;
	finding->principal = principal;
	if (!principal) finding->why = *why;
}

/* The token behind it is nobody's to send: its text is forgotten here, and what it gives ends with it. */
bool parts_sign_in_ticket(struct parts *parts, const char *data, char ticket[TICKET_TEXT], struct fault *why) {
	struct gateway *gateway = &parts->gateway;
	struct finding finding = {0};
	char token[TOKEN_TEXT];
	const int64_t life_ms = SESSION_TOKEN_LIFE_MS + TICKET_SIGN_IN_LIFE_MS;
	if (!reach_make_token(data, NULL, true, life_ms, token, sizeof token, why)) return false;
	identity_ask(gateway->identity, slice_of(token), found, &finding);
	secret_wipe(token, sizeof token);
	if (!finding.principal) {
		*why = finding.why;
		return false;
	}
	bool is_made = ticket_make(gateway->sign_in_tickets, finding.principal, SLICE_NONE, ticket, why);
	principal_drop(finding.principal);
	return is_made;
}
