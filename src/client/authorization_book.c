/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization book: judged, asked, answered, held. */
#include "client/authorization_book.h"

#include "base/secret.h"
#include "client/authorization_rules.h"
#include "client/guest.h"

#include <stdio.h>
#include <stdlib.h>

struct held { /* an approval until a later time */
	struct link link;
	const struct guest *guest;
	int64_t until;
	uint8_t digest[SECRET_HASH_SIZE];
	char *delegate; /* who may take it back; NULL: the deciders */
	char *requester;
	char id[AUTHORIZATION_BOOK_ID];
};

struct waiting {
	struct link link;
	struct hustings *hustings;
	struct guest *guest; /* NULL: a host's call */
	struct hustings_request *request;
	authorization_go *go;
	struct deadline deadline;
	int64_t expires_at;
	uint8_t digest[SECRET_HASH_SIZE];
	bool is_own; /* the author is asked, not the room */
	char *requester, *reason, *arguments;
	char *delegate; /* NULL: the deciders */
	char id[AUTHORIZATION_BOOK_ID];
};

struct authorization_book {
	struct link waiting, held;
	size_t waiting_count, held_count;
	struct authorization_wishes wishes;
};

/* ---- Coming and going ---- */

static void held_free(struct authorization_book *book, struct held *held) {
	list_remove(&held->link);
	book->held_count--;
	free(held->delegate);
	free(held->requester);
	free(held);
}

static void waiting_free(struct waiting *waiting) {
	deadline_clear(&waiting->deadline);
	list_remove(&waiting->link);
	waiting->hustings->authorizations->waiting_count--;
	free(waiting->requester);
	free(waiting->reason);
	free(waiting->arguments);
	free(waiting->delegate);
	free(waiting);
}

static struct authorization_book *book_of(struct hustings *hustings) {
	struct authorization_book *book = hustings->authorizations;
	if (book) return book;
	book = calloc(1, sizeof *book);
	if (!book) return NULL;
	list_init(&book->waiting);
	list_init(&book->held);
	return hustings->authorizations = book;
}

void authorization_book_close(struct authorization_book *book) {
	if (!book) return;
	LIST_EACH_SAFE(link, &book->held) held_free(book, CONTAINER_OF(link, struct held, link));
	authorization_wishes_finish(&book->wishes);
	free(book);
}

/* ---- Refusals ---- */

static void deny(struct hustings_request *request, const char *type, const char *reason) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	authorization_write_denial_data(&data, slice_of(reason), type);
	library_request_refuse_data(request, AUTHORIZATION_DENIED, AUTHORIZATION_DENIED_MESSAGE,
		text_failed(&data) ? SLICE_NONE : text_slice(&data));
}

static void deny_waiting(struct waiting *waiting, const char *type, const char *reason) {
	struct hustings_request *request = waiting->request;
	waiting_free(waiting);
	request->cancelled = NULL;
	deny(request, type, reason);
}

static void overdue(struct deadline *deadline) {
	deny_waiting(CONTAINER_OF(deadline, struct waiting, deadline), "authorization_timeout", "nobody answered in time");
}

static void cancelled(void *context, struct hustings_request *request) {
	(void)request;
	deny_waiting(context, "authorization_denied", "the call was cancelled");
}

void authorization_book_finish(struct hustings *hustings) {
	struct authorization_book *book = hustings->authorizations;
	while (book && !list_is_empty(&book->waiting))
		deny_waiting(CONTAINER_OF(book->waiting.next, struct waiting, link), "authorization_denied", "the tool's owner is leaving");
}

void authorization_book_left(struct hustings *hustings, const struct guest *guest) {
	struct authorization_book *book = hustings->authorizations;
	if (!book) return;
	LIST_EACH_SAFE(link, &book->waiting) {
		struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		if (waiting->guest == guest) deny_waiting(waiting, "authorization_denied", "the tool's owner is leaving");
	}
	LIST_EACH_SAFE(at, &book->held) {
		struct held *held = CONTAINER_OF(at, struct held, link);
		if (held->guest == guest) held_free(book, held);
	}
}

/* ---- Asking ---- */

static void tell_asked(const struct waiting *waiting, void (*authorize)(void *context, const struct hustings_asked *asked),
	void *context) {
	const struct hustings_asked asked = {
		.id = waiting->id,
		.owner = "",
		.tool = waiting->request->name,
		.requester = waiting->requester,
		.reason = waiting->reason,
		.arguments = library_json(slice_of(waiting->arguments)),
		.expires_at = waiting->expires_at,
	};
	authorize(context, &asked); /* which may answer at once */
}

static struct authorization_request request_of(const struct waiting *waiting, char expires[CLOCK_TEXT_SIZE]) {
	clock_write(waiting->expires_at, expires);
	return (struct authorization_request){
		.id = slice_of(waiting->id),
		.tool = slice_of(waiting->request->name),
		.requester = slice_of(waiting->requester),
		.reason = slice_of(waiting->reason),
		.arguments = slice_of(waiting->arguments),
		.expires_at = slice_of(expires),
	};
}

static bool tell_room(const struct waiting *waiting, struct fault *why) {
	AUTO_TEXT struct text params = {0}, message = {0};
	char expires[CLOCK_TEXT_SIZE];
	const struct authorization_request request = request_of(waiting, expires);
	struct slice to = slice_of(waiting->delegate);
	text_init(&params, 0);
	text_init(&message, 0);
	authorization_write_request(&params, &request);
	jsonrpc_write_notification(&message, SLICE("notifications/authorization/request"), text_slice(&params));
	if (text_failed(&params) || text_failed(&message)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a question");
	return membership_send(guest_membership(waiting->guest), ENVELOPE_MCP, waiting->delegate ? &to : NULL,
		waiting->delegate ? 1 : 0, SLICE_NONE, text_slice(&message), NULL, why);
}

void authorization_book_arrived(struct hustings *hustings, struct guest *guest, struct slice id) {
	const struct authorization_book *book = hustings->authorizations;
	struct fault why;
	if (!book) return;
	LIST_EACH(link, &book->waiting) {
		const struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		bool is_for_it = waiting->guest == guest && waiting->delegate && slice_is(id, waiting->delegate);
		if (is_for_it) (void)!tell_room(waiting, &why);
	}
}

/* The caller knows of ADR-001: it hears at once, and later what became of it. */
static bool warn(const struct waiting *waiting) {
	AUTO_TEXT struct text data = {0};
	char expires[CLOCK_TEXT_SIZE];
	const struct authorization_request request = request_of(waiting, expires);
	text_init(&data, 0);
	authorization_write_error_data(&data, &request);
	waiting->request->warned = slice_copy(slice_of(waiting->id));
	if (text_failed(&data) || !waiting->request->warned) return false;
	peer_question_warn(waiting->request->question, AUTHORIZATION_REQUIRED, SLICE(AUTHORIZATION_REQUIRED_MESSAGE), text_slice(&data));
	return true;
}

/* ---- What is asked for ---- */

static bool digest_of(const struct hustings_request *request, const char *requester, struct slice arguments,
	uint8_t digest[SECRET_HASH_SIZE]) {
	AUTO_TEXT struct text whole = {0};
	text_init(&whole, 0);
	text_json(&whole, slice_of(request->name));
	text_json(&whole, slice_of(requester));
	scan_compact(&whole, arguments);
	return !text_failed(&whole) && secret_hash(text_slice(&whole), digest);
}

static bool is_held(struct authorization_book *book, const struct waiting *wanted) {
	int64_t now = clock_wall_ms();
	LIST_EACH_SAFE(link, &book->held) {
		struct held *held = CONTAINER_OF(link, struct held, link);
		if (held->until <= now) held_free(book, held);
		else if (held->guest == wanted->guest && secret_equal(held->digest, wanted->digest, SECRET_HASH_SIZE)) return true;
	}
	return false;
}

static size_t count_of(const struct authorization_book *book, const struct waiting *wanted) {
	size_t count = 0;
	LIST_EACH(link, &book->waiting) {
		const struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		count += waiting->guest == wanted->guest && strcmp(waiting->requester, wanted->requester) == 0;
	}
	return count;
}

/* ---- Waiting ---- */

static struct waiting *make(struct authorization_book *book, struct hustings_request *request,
	const struct scan_value *arguments, const struct authorization_verdict *verdict, const char *requester) {
	char uuid[IDENT_UUID_SIZE];
	const char *from = NULL;
	struct waiting *waiting = calloc(1, sizeof *waiting);
	if (!waiting) return NULL;
	list_append(&book->waiting, &waiting->link);
	book->waiting_count++;
	waiting->hustings = request->hustings;
	waiting->request = request;
	guest_asker(request->question, &waiting->guest, &from);
	waiting->expires_at = clock_wall_ms() + (int64_t)verdict->timeout_ms;
	waiting->requester = slice_copy(slice_of(requester));
	waiting->reason = slice_copy(verdict->message.length ? verdict->message : SLICE("The tool's owner has to approve this call"));
	waiting->arguments = slice_copy(arguments->text);
	waiting->delegate = verdict->delegate.length ? slice_copy(verdict->delegate) : NULL;
	ident_uuid(uuid);
	snprintf(waiting->id, sizeof waiting->id, "auth-%s", uuid);
	waiting->is_own = !waiting->guest || (book->wishes.authorize && !waiting->delegate);
	bool is_whole = waiting->requester && waiting->reason && waiting->arguments &&
		(waiting->delegate || !verdict->delegate.length) &&
		digest_of(request, requester, arguments->text, waiting->digest);
	if (is_whole) return waiting;
	waiting_free(waiting);
	return NULL;
}

static void refuse(struct waiting *waiting, const char *reason) { deny_waiting(waiting, "authorization_denied", reason); }

static void ask(struct authorization_book *book, struct waiting *waiting, uint64_t timeout_ms, bool declares,
	authorization_go *go) {
	struct hustings_request *request = waiting->request;
	struct fault why;
	waiting->go = go;
	request->cancelled = cancelled;
	request->context = waiting;
	deadline_set(request->hustings->loop, &waiting->deadline, timeout_ms, overdue);
	if (waiting->is_own && !book->wishes.authorize) refuse(waiting, "there is nobody here who could approve it");
	else if (waiting->delegate && strcmp(waiting->delegate, waiting->requester) == 0)
		refuse(waiting, "the one who would decide is the one who calls");
	else if (declares && waiting->guest && !warn(waiting)) refuse(waiting, "no memory: try again");
	else if (waiting->is_own) tell_asked(waiting, book->wishes.authorize, book->wishes.context);
	else if (!tell_room(waiting, &why)) refuse(waiting, why.text);
}

static void hold(struct hustings_request *request, const struct scan_value *arguments,
	const struct authorization_verdict *verdict, const char *requester, authorization_go *go) {
	struct authorization_book *book = book_of(request->hustings);
	bool declares = request->hustings->declares;
	struct waiting *waiting = book && !authorization_rules_twins(arguments) ? make(book, request, arguments, verdict, requester) : NULL;
	if (!waiting) {
		library_request_refuse(request, book ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL_ERROR,
			book ? "params.arguments name something twice, or there is no memory" : "no memory");
		return;
	}
	if (is_held(book, waiting)) {
		waiting_free(waiting);
		go(request, arguments);
	} else if (book->waiting_count > AUTHORIZATION_BOOK_WAITING || count_of(book, waiting) > AUTHORIZATION_BOOK_OWN)
		refuse(waiting, "too many calls wait to be approved: try again later");
	else ask(book, waiting, verdict->timeout_ms, declares, go);
}

/* Hosts read the tool's own words in its definition, and ask their users themselves, as MCP has it; what the author
 * settled holds for them too. */
static bool is_left_to_host(const struct hustings_request *request) {
	const struct authorization_book *book = request->hustings->authorizations;
	struct guest *guest = NULL;
	const char *id = NULL;
	guest_asker(request->question, &guest, &id);
	return !guest && (!book || !book->wishes.is_settled);
}

const struct authorization_wishes *authorization_book_wishes(const struct hustings *hustings) {
	return hustings->authorizations ? &hustings->authorizations->wishes : NULL;
}

bool authorization_book_lets(struct hustings_request *request, const struct scan_value *arguments, authorization_go *go) {
	char lent[1024];
	struct arena arena;
	struct authorization_verdict verdict;
	const char *requester = hustings_request_from(request);
	const struct authorization_wishes *wishes = authorization_book_wishes(request->hustings);
	if (is_left_to_host(request)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_judged = authorization_rules_judge(wishes, request, requester, arguments, &arena, &verdict);
	/* What stands twice could be one thing to a rule and another to the tool. */
	if (is_judged && authorization_rules_look(wishes) && authorization_rules_twins(arguments)) verdict.action = AUTHORIZATION_DENY;
	bool lets = is_judged && verdict.action == AUTHORIZATION_ALLOW;
	if (!is_judged) library_request_refuse(request, JSONRPC_INTERNAL_ERROR, "no memory");
	else if (verdict.action == AUTHORIZATION_DENY) deny(request, "authorization_denied", "a rule of the tool's owner denies it");
	else if (!lets) hold(request, arguments, &verdict, requester, go);
	arena_finish(&arena);
	return lets;
}

/* ---- Answers ---- */

/* Restricted ones pass no gate of the room with this; the roster says it once more. */
static bool may_decide(const struct authorization_book *book, const struct guest *guest, struct slice from,
	const char *requester, const char *delegate) {
	const struct roster_entry *entry = roster_find(guest_roster(guest), from);
	bool is_restricted = entry && strcmp(entry->privilege, "restricted") == 0;
	if (is_restricted || slice_is(from, requester)) return false;
	return delegate ? slice_is(from, delegate) : authorization_wishes_list(&book->wishes, from);
}

static struct waiting *find_waiting(const struct authorization_book *book, struct slice id) {
	LIST_EACH(link, &book->waiting) {
		struct waiting *waiting = CONTAINER_OF(link, struct waiting, link);
		if (slice_is(id, waiting->id)) return waiting;
	}
	return NULL;
}

static void keep_approval(struct authorization_book *book, const struct waiting *waiting, int64_t until) {
	struct held *held = until > clock_wall_ms() && book->held_count < AUTHORIZATION_BOOK_HELD ? calloc(1, sizeof *held) : NULL;
	if (!held) return;
	held->guest = waiting->guest;
	held->until = until;
	memcpy(held->digest, waiting->digest, sizeof held->digest);
	memcpy(held->id, waiting->id, sizeof held->id);
	list_append(&book->held, &held->link);
	book->held_count++;
	held->requester = slice_copy(slice_of(waiting->requester));
	held->delegate = waiting->delegate ? slice_copy(slice_of(waiting->delegate)) : NULL;
	if (!held->requester || (waiting->delegate && !held->delegate)) held_free(book, held);
}

static void approve(struct waiting *waiting) {
	struct hustings_request *request = waiting->request;
	authorization_go *run = waiting->go;
	struct scan_value arguments;
	struct scan_fault fault;
	AUTO_FREE char *text = TAKE(waiting->arguments);
	waiting_free(waiting);
	request->cancelled = NULL;
	if (scan_check(slice_of(text), SCAN_DEPTH, &arguments, &fault)) run(request, &arguments);
	else deny(request, "authorization_denied", "no memory: try again");
}

bool authorization_book_decide(struct hustings *hustings, const struct guest *guest, struct slice from,
	const struct authorization_response *response, struct fault *why) {
	struct authorization_book *book = hustings->authorizations;
	struct waiting *waiting = book ? find_waiting(book, response->id) : NULL;
	if (!waiting || (guest && waiting->guest != guest) || (!guest && !waiting->is_own))
		return fault_set(why, FAULT_NOT_FOUND, "nothing of that id waits here");
	if (guest && (waiting->is_own || !may_decide(book, guest, from, waiting->requester, waiting->delegate)))
		return fault_set(why, FAULT_REFUSED, "that participant may not decide about this call");
	if (response->approves) {
		keep_approval(book, waiting, response->valid_until);
		approve(waiting);
		return true;
	}
	AUTO_FREE char *reason = response->reason.length ? slice_copy(response->reason) : NULL;
	deny_waiting(waiting, "authorization_denied", reason ? reason : "the decider denied it");
	return true;
}

bool authorization_book_revoke(struct hustings *hustings, const struct guest *guest, struct slice from,
	struct slice id, struct fault *why) {
	struct authorization_book *book = hustings->authorizations;
	if (book)
		LIST_EACH(link, &book->held) {
			struct held *held = CONTAINER_OF(link, struct held, link);
			if (!slice_is(id, held->id) || (guest && held->guest != guest)) continue;
			if (guest && !may_decide(book, guest, from, held->requester, held->delegate))
				return fault_set(why, FAULT_REFUSED, "that participant may not take this approval back");
			held_free(book, held);
			return true;
		}
	return fault_set(why, FAULT_NOT_FOUND, "no approval of that id holds here");
}

/* ---- The author ---- */

bool hustings_authorize(struct hustings *hustings, const struct hustings_authorization *wished,
	struct hustings_error *error) {
	struct fault why;
	struct authorization_wishes wishes;
	struct authorization_book *book = book_of(hustings);
	if (!book) fault_set(&why, FAULT_NO_MEMORY, "no memory for settings");
	if (!book || !authorization_wishes_copy(&wishes, wished, &why)) return library_error(error, &why);
	authorization_wishes_finish(&book->wishes);
	book->wishes = wishes;
	return true;
}

bool hustings_permit(struct hustings *hustings, const char *id, bool approves, const char *reason,
	int64_t valid_until, struct hustings_error *error) {
	const struct authorization_response response = {
		.id = slice_of(id), .approves = approves, .reason = slice_of(reason), .valid_until = valid_until};
	struct fault why;
	if (authorization_book_decide(hustings, NULL, SLICE_NONE, &response, &why) ||
		(!approves && authorization_book_revoke(hustings, NULL, SLICE_NONE, response.id, &why)))
		return true;
	return library_error(error, &why);
}
