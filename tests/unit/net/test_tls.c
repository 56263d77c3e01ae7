/* SPDX-License-Identifier: Apache-2.0 */
#include "certificate_rig.h"
#include "stream_rig.h"

#include "net/mailbox.h"
#include "net/stream_parts.h"

#include <openssl/ssl.h>
#include <pthread.h>

static struct loop *loop;
static struct certificate_rig rig;
static struct tls *server_tls, *client_tls;
static struct owner server, client;
static int ends[2];

static int set_up(void **state) {
	(void)state;
	struct fault why;
	memset(&server, 0, sizeof(server));
	memset(&client, 0, sizeof(client));
	loop = rig_loop();
	certificate_rig_open(&rig);
	server_tls = tls_server_open(rig.certificate, rig.key, &why);
	client_tls = tls_client_open(rig.certificate, &why);
	assert_non_null(server_tls);
	assert_non_null(client_tls);
	rig_tcp_pair(ends);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	owner_close(&server);
	owner_close(&client);
	tls_close(server_tls);
	tls_close(client_tls);
	loop_close(loop);
	certificate_rig_close(&rig);
	return 0;
}

static void open_both(const char *host) {
	owner_open(&server, loop, ends[0], server_tls, NULL);
	owner_open(&client, loop, ends[1], client_tls, host);
	assert_true(stream_is_secure(server.stream));
}

static void talk(void) {
	assert_true(stream_write(client.stream, SLICE("question")));
	RIG_UNTIL(loop, server.arrived == 8);
	assert_true(stream_write(server.stream, SLICE("answer")));
	RIG_UNTIL(loop, client.arrived == 6);
	assert_true(owner_has(&server, "question"));
	assert_true(owner_has(&client, "answer"));
}

static void both_sides_talk(void **state) {
	(void)state;
	open_both("localhost");
	talk();
}

static void an_address_is_a_name_too(void **state) {
	(void)state;
	open_both("127.0.0.1");
	talk();
}

static void tls_1_2_still_talks(void **state) {
	(void)state;
	open_both("localhost");
	SSL_set_max_proto_version(server.stream->session, TLS1_2_VERSION);
	talk();
	assert_int_equal(SSL_version(client.stream->session), TLS1_2_VERSION);
}

/* A client that speaks nothing newer, made past our own floor. */
static void tls_1_1_is_refused(void **state) {
	(void)state;
	owner_open(&server, loop, ends[0], server_tls, NULL);
	SSL_CTX *old = SSL_CTX_new(TLS_client_method());
	SSL_CTX_set_security_level(old, 0);
	SSL_CTX_set_min_proto_version(old, TLS1_1_VERSION);
	SSL_CTX_set_max_proto_version(old, TLS1_1_VERSION);
	SSL *session = SSL_new(old);
	SSL_set_fd(session, ends[1]);
	assert_int_equal(SSL_connect(session), -1); /* has sent its hello */
	RIG_UNTIL(loop, server.ended);
	assert_non_null(strstr(server.why.text, "unsupported protocol"));
	SSL_free(session);
	SSL_CTX_free(old);
	close(ends[1]);
}

/* Handshakes that fail */

static void a_wrong_host_is_not_trusted(void **state) {
	(void)state;
	open_both("example.org");
	assert_true(stream_write(client.stream, SLICE("secret")));
	RIG_UNTIL(loop, client.ended && server.ended);
	assert_int_equal(client.why.code, FAULT_REFUSED);
	assert_non_null(strstr(client.why.text, "handshake failed"));
	assert_non_null(strstr(client.why.text, "not trusted"));
	assert_int_equal(server.arrived, 0);
	assert_non_null(strstr(server.why.text, "handshake failed"));
}

static void a_wrong_address_is_not_trusted(void **state) {
	(void)state;
	open_both("127.0.0.2");
	RIG_UNTIL(loop, client.ended);
	assert_int_equal(client.why.code, FAULT_REFUSED);
}

static void an_unknown_authority_is_not_trusted(void **state) {
	(void)state;
	struct fault why;
	struct certificate_rig other;
	certificate_rig_open(&other);
	tls_close(client_tls);
	client_tls = tls_client_open(other.certificate, &why);
	assert_non_null(client_tls);
	certificate_rig_close(&other);
	open_both("localhost");
	RIG_UNTIL(loop, client.ended && server.ended);
	assert_int_equal(client.why.code, FAULT_REFUSED);
	assert_int_equal(server.why.code, FAULT_REFUSED); /* the client's alert */
}

static void a_client_without_a_host_is_refused(void **state) {
	(void)state;
	struct fault why;
	assert_null(stream_open(loop, ends[1], client_tls, NULL, &owner_events, NULL, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_int_equal(fcntl(ends[1], F_GETFD), -1);
	close(ends[0]);
}

static void plain_http_is_called_by_its_name(void **state) {
	(void)state;
	owner_open(&server, loop, ends[0], server_tls, NULL);
	const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
	assert_int_equal(write(ends[1], request, sizeof(request) - 1), sizeof(request) - 1);
	RIG_UNTIL(loop, server.ended);
	assert_int_equal(server.why.code, FAULT_BAD_INPUT);
	assert_non_null(strstr(server.why.text, "plain HTTP"));
	close(ends[1]);
}

static void a_peer_that_goes_during_the_handshake_is_told(void **state) {
	(void)state;
	owner_open(&client, loop, ends[1], client_tls, "localhost");
	shutdown(ends[0], SHUT_WR);
	RIG_UNTIL(loop, client.ended);
	assert_int_equal(client.why.code, FAULT_CLOSED);
	assert_non_null(strstr(client.why.text, "handshake"));
	close(ends[0]);
}

static void what_is_sent_before_the_handshake_waits_for_it(void **state) {
	(void)state;
	open_both("localhost");
	assert_true(stream_write(server.stream, SLICE("welcome")));
	assert_int_equal(stream_behind(server.stream), 7);
	stream_pause(server.stream); /* a paused stream shakes hands all the same */
	assert_true(stream_write(client.stream, SLICE("early")));
	RIG_UNTIL(loop, client.arrived == 7);
	RIG_UNTIL(loop, server.drained);
	assert_int_equal(server.arrived, 0);
	stream_resume(server.stream);
	RIG_UNTIL(loop, server.arrived == 5);
}

/* Much, and many */

#define LARGE (3u * 1024 * 1024)

static void short_sends_keep_the_rest_in_both_directions(void **state) {
	(void)state;
	open_both("localhost");
	server.checks_sequence = client.checks_sequence = true;
	struct frame *frame = rig_frame(0, LARGE);
	assert_true(stream_send(server.stream, frame, 0, LARGE));
	assert_true(stream_send(client.stream, frame, 0, LARGE / 2));
	assert_true(stream_send(client.stream, frame, LARGE / 2, LARGE / 2));
	assert_int_equal(frame->references, 3);
	frame_drop(frame);
	RIG_UNTIL(loop, client.arrived == LARGE && server.arrived == LARGE);
	assert_true(client.intact);
	assert_true(server.intact);
	RIG_UNTIL(loop, client.drained && server.drained);
}

/* What OpenSSL has read ahead is never left lying: the socket will not tell of it again. */
static void many_small_records_that_come_at_once_all_arrive(void **state) {
	(void)state;
	open_both("localhost");
	talk();
	server.checks_sequence = true;
	server.arrived = 0;
	size_t sent = 0;
	for (int i = 0; i < 2000; i++) {
		char bytes[37];
		rig_fill(bytes, sent, sizeof(bytes));
		assert_true(stream_write(client.stream, slice_make(bytes, sizeof(bytes))));
		sent += sizeof(bytes);
	}
	RIG_UNTIL(loop, server.arrived == sent);
	assert_true(server.intact);
}

/* Ending */

static void finishing_says_goodbye(void **state) {
	(void)state;
	open_both("localhost");
	talk();
	client.checks_sequence = true;
	client.arrived = 0;
	struct frame *frame = rig_frame(0, LARGE);
	assert_true(stream_send(server.stream, frame, 0, LARGE));
	frame_drop(frame);
	stream_finish(server.stream, 10 * 60 * 1000);
	server.stream = NULL;
	RIG_UNTIL(loop, client.ended);
	assert_int_equal(client.arrived, LARGE);
	assert_true(client.intact);
	assert_int_equal(client.why.code, FAULT_CLOSED);
	assert_string_equal(client.why.text, "the peer closed the connection");
}

static void a_cut_connection_is_told_apart_from_a_goodbye(void **state) {
	(void)state;
	open_both("localhost");
	talk();
	stream_close(server.stream);
	server.stream = NULL;
	RIG_UNTIL(loop, client.ended);
	assert_int_equal(client.why.code, FAULT_CLOSED);
	assert_string_equal(client.why.text, "TLS failed: unexpected eof while reading");
}

static void a_peer_that_is_gone_raises_no_signal(void **state) {
	(void)state;
	open_both("localhost");
	talk();
	struct linger at_once = {.l_onoff = 1, .l_linger = 0};
	setsockopt(server.stream->descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	stream_pause(client.stream);
	stream_close(server.stream);
	server.stream = NULL;
	struct pollfd broken = {.fd = client.stream->descriptor};
	assert_int_equal(poll(&broken, 1, RIG_PATIENCE_MS), 1);
	for (int i = 0; i < 3; i++) assert_true(stream_write(client.stream, SLICE("anybody there?")));
	assert_int_equal(client.ended, 0);
	RIG_UNTIL(loop, client.ended);
	assert_int_equal(client.why.code, FAULT_CLOSED);
}

/* Certificates */

static void a_renewed_certificate_is_taken_by_new_connections(void **state) {
	(void)state;
	struct fault why;
	open_both("localhost");
	talk();
	certificate_renew(&rig, NULL);
	assert_true(tls_reload(server_tls, &why));
	client.got.length = server.got.length = client.arrived = server.arrived = 0;
	talk(); /* the old connection lives on */

	struct owner new_server, new_client;
	struct tls *new_trust = tls_client_open(rig.certificate, &why);
	assert_non_null(new_trust);
	rig_tcp_pair(ends);
	owner_open(&new_server, loop, ends[0], server_tls, NULL);
	owner_open(&new_client, loop, ends[1], new_trust, "localhost");
	tls_close(new_trust); /* while a connection uses it */
	assert_true(stream_write(new_client.stream, SLICE("new")));
	RIG_UNTIL(loop, new_server.arrived == 3);
	owner_close(&new_server);
	owner_close(&new_client);
}

static void a_bad_renewal_keeps_the_old_certificate(void **state) {
	(void)state;
	struct fault why;
	FILE *file = fopen(rig.key, "w");
	assert_non_null(file);
	fputs("no key\n", file);
	fclose(file);
	assert_false(tls_reload(server_tls, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_non_null(strstr(why.text, rig.key));
	open_both("localhost");
	talk();
}

static void files_that_cannot_be_used_are_named(void **state) {
	(void)state;
	struct fault why;
	char missing[128];
	snprintf(missing, sizeof(missing), "%s/missing.pem", rig.folder);
	assert_null(tls_server_open(missing, rig.key, &why));
	assert_non_null(strstr(why.text, missing));
	assert_null(tls_server_open(rig.certificate, missing, &why));
	assert_non_null(strstr(why.text, missing));
	assert_null(tls_client_open(missing, &why));
	assert_non_null(strstr(why.text, missing));

	struct certificate_rig other;
	certificate_rig_open(&other);
	assert_null(tls_server_open(rig.certificate, other.key, &why)); /* not of one another */
	assert_non_null(strstr(why.text, other.key));
	certificate_renew(&other, "secret");
	assert_null(tls_server_open(other.certificate, other.key, &why)); /* and nobody is asked */
	assert_non_null(strstr(why.text, other.key));
	certificate_rig_close(&other);
}

static void the_systems_store_can_be_used(void **state) {
	(void)state;
	struct fault why;
	struct tls *tls = tls_client_open(NULL, &why);
	assert_non_null(tls);
	tls_close(tls);
}

/* Moving */

struct move {
	struct letter letter;
	struct loop *to;
	struct stream_socket socket;
	struct owner owner;
};

static void move_done(struct stream *stream, const struct fault *why) {
	owner_ended(stream, why);
	struct move *move = CONTAINER_OF(stream_context(stream), struct move, owner);
	stream_close(stream);
	move->owner.stream = NULL;
	loop_stop(move->to);
}

static const struct stream_events move_events = {
	.arrived = owner_arrived,
	.drained = owner_drained,
	.ended = move_done,
};

static void move_arrives(struct letter *letter) {
	struct move *move = CONTAINER_OF(letter, struct move, letter);
	struct fault why;
	move->owner.echoes = true;
	move->owner.stream = stream_adopt(move->to, &move->socket, &move_events, &move->owner, &why);
	assert_non_null(move->owner.stream);
	assert_true(stream_is_secure(move->owner.stream));
}

static void *move_run(void *context) {
	loop_run(((struct move *)context)->to);
	return NULL;
}

static void a_session_moves_to_the_loop_of_another_thread(void **state) {
	(void)state;
	struct move move = {.to = rig_loop()};
	pthread_t thread;
	text_init(&move.owner.got, 0);
	assert_int_equal(pthread_create(&thread, NULL, move_run, &move), 0);
	open_both("localhost");
	talk();
	assert_true(stream_release(server.stream, &move.socket));
	server.stream = NULL;
	assert_non_null(move.socket.session);
	assert_true(mailbox_post(move.to, &move.letter, move_arrives));

	assert_true(stream_write(client.stream, SLICE("over there")));
	RIG_UNTIL(loop, client.arrived == 6 + 10);
	assert_true(owner_has(&client, "answerover there"));
	owner_close(&client);
	pthread_join(thread, NULL);
	assert_true(owner_has(&move.owner, "over there"));
	loop_close(move.to);
	text_finish(&move.owner.got);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(both_sides_talk),
		TEST(an_address_is_a_name_too),
		TEST(tls_1_2_still_talks),
		TEST(tls_1_1_is_refused),
		TEST(a_wrong_host_is_not_trusted),
		TEST(a_wrong_address_is_not_trusted),
		TEST(an_unknown_authority_is_not_trusted),
		TEST(a_client_without_a_host_is_refused),
		TEST(plain_http_is_called_by_its_name),
		TEST(a_peer_that_goes_during_the_handshake_is_told),
		TEST(what_is_sent_before_the_handshake_waits_for_it),
		TEST(short_sends_keep_the_rest_in_both_directions),
		TEST(many_small_records_that_come_at_once_all_arrive),
		TEST(finishing_says_goodbye),
		TEST(a_cut_connection_is_told_apart_from_a_goodbye),
		TEST(a_peer_that_is_gone_raises_no_signal),
		TEST(a_renewed_certificate_is_taken_by_new_connections),
		TEST(a_bad_renewal_keeps_the_old_certificate),
		TEST(files_that_cannot_be_used_are_named),
		TEST(the_systems_store_can_be_used),
		TEST(a_session_moves_to_the_loop_of_another_thread),
	};
	return cmocka_run_group_tests_name("net/tls", tests, NULL, NULL);
}
