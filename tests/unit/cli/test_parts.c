/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/ask.h"
#include "cli/parts.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct scene {
	char folder[64];
	struct config *config;
	struct parts *parts;
};

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk) {
	(void)about, (void)kind, (void)walk;
	return remove(path);
}

static struct config *config_with(const char *key, const char *value) {
	struct fault why = {0};
	struct config *config = config_new(&why);
	assert_non_null(config);
	assert_true(config_assign(config, "gateway.listen", SLICE("127.0.0.1:0"), "t", &why));
	if (key && !config_assign(config, key, slice_of(value), "t", &why)) fail_msg("%s", why.text);
	assert_true(config_finish(config, &why));
	return config;
}

static void scene_open(struct scene *scene, const char *threads, bool is_open) {
	struct fault why = {0};
	snprintf(scene->folder, sizeof scene->folder, "/tmp/hustings-parts-XXXXXX");
	assert_non_null(mkdtemp(scene->folder));
	scene->config = config_with("gateway.threads", threads);
	const struct parts_options options = {.config = scene->config, .data = scene->folder, .is_open = is_open};
	scene->parts = parts_open(&options, &why);
	if (!scene->parts) fail_msg("%s", why.text);
	if (!parts_listen(scene->parts, &why)) fail_msg("%s", why.text);
}

static void scene_close(struct scene *scene) {
	parts_close(scene->parts);
	config_free(scene->config);
	assert_int_equal(nftw(scene->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* A client on a thread of its own; when it is done the house drains. */
struct visit {
	struct scene *scene;
	const char *path;
	bool is_fine;
	struct text answer;
	struct letter done;
};

static void visit_over(struct letter *letter) {
	struct visit *visit = CONTAINER_OF(letter, struct visit, done);
	parts_drain(visit->scene->parts);
}

static void *visit_run(void *context) {
	struct visit *visit = context;
	struct reach reach = {0};
	struct fault why = {0};
	snprintf(reach.url, sizeof reach.url, "%s", parts_url(visit->scene->parts));
	visit->is_fine = ask(&reach, "GET", visit->path, SLICE_NONE, &visit->answer, &why);
	mailbox_answer(parts_loop(visit->scene->parts), &visit->done, visit_over);
	return NULL;
}

static void visit_house(struct scene *scene, struct visit *visit, const char *path) {
	pthread_t thread;
	*visit = (struct visit){.scene = scene, .path = path};
	assert_int_equal(pthread_create(&thread, NULL, visit_run, visit), 0);
	parts_run(scene->parts); /* ends by the drain alone */
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(parts_is_draining(scene->parts));
}

static void check_house(const char *threads) {
	struct scene scene;
	struct visit visit;
	scene_open(&scene, threads, true);
	assert_true(slice_starts_with(slice_of(parts_url(scene.parts)), "http://127.0.0.1:"));
	visit_house(&scene, &visit, "/v0/topics?id=somebody");
	assert_true(visit.is_fine);
	check_text(&visit.answer, "{\"topics\":[]}");
	text_finish(&visit.answer);
	scene_close(&scene);
}

static void a_house_of_one_loop_answers_and_drains(void **state) {
	(void)state;
	check_house("1");
}

static void a_house_of_four_loops_answers_and_drains(void **state) {
	(void)state;
	check_house("4");
}

static void a_house_that_never_ran_is_closed(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene, "3", false);
	scene_close(&scene);
}

static void another_configuration_holds_from_then_on(void **state) {
	(void)state;
	struct scene scene;
	struct visit visit;
	struct fault why = {0};
	scene_open(&scene, "2", true);
	struct config *bad = config_with("auth.jwt.jwks", "/nonexistent/keys.json");
	assert_false(parts_change(scene.parts, bad, &why));
	assert_non_null(strstr(why.text, "/nonexistent/keys.json"));
	struct config *other = config_with("rooms.create", "admin");
	assert_true(parts_change(scene.parts, other, &why));
	config_free(scene.config);
	config_free(bad);
	scene.config = other;
	visit_house(&scene, &visit, "/healthz");
	assert_true(visit.is_fine);
	text_finish(&visit.answer);
	scene_close(&scene);
}

static void open_mode_is_not_for_every_address(void **state) {
	(void)state;
	struct fault why = {0};
	struct scene scene;
	snprintf(scene.folder, sizeof scene.folder, "/tmp/hustings-parts-XXXXXX");
	assert_non_null(mkdtemp(scene.folder));
	scene.config = config_with("gateway.listen", "0.0.0.0:0");
	const struct parts_options options = {.config = scene.config, .data = scene.folder, .is_open = true};
	scene.parts = parts_open(&options, &why);
	assert_non_null(scene.parts);
	assert_false(parts_listen(scene.parts, &why));
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_non_null(strstr(why.text, "--insecure-open"));
	scene_close(&scene);
}

static void two_houses_do_not_share_a_folder(void **state) {
	(void)state;
	struct scene scene;
	struct fault why = {0};
	scene_open(&scene, "1", false);
	const struct parts_options options = {.config = scene.config, .data = scene.folder};
	assert_null(parts_open(&options, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_house_of_one_loop_answers_and_drains),
		cmocka_unit_test(a_house_of_four_loops_answers_and_drains),
		cmocka_unit_test(a_house_that_never_ran_is_closed),
		cmocka_unit_test(another_configuration_holds_from_then_on),
		cmocka_unit_test(open_mode_is_not_for_every_address),
		cmocka_unit_test(two_houses_do_not_share_a_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
