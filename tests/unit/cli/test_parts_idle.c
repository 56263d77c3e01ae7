/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/parts_idle.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

#define AFTER_MS 40

struct scene {
	char folder[64];
	struct config *config;
	struct parts *parts;
	struct parts_idle *idle;
	struct deadline step;
	int looks;         /* at a house with a user in it */
	bool was_draining; /* while it had one */
};

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk) {
	(void)about, (void)kind, (void)walk;
	return remove(path);
}

static void scene_open(struct scene *scene) {
	struct fault why = {0};
	*scene = (struct scene){.folder = "/tmp/hustings-idle-XXXXXX"};
	assert_non_null(mkdtemp(scene->folder));
	scene->config = config_new(&why);
	assert_non_null(scene->config);
	assert_true(config_assign(scene->config, "gateway.listen", SLICE("127.0.0.1:0"), "t", &why));
	assert_true(config_assign(scene->config, "gateway.threads", SLICE("2"), "t", &why));
	assert_true(config_finish(scene->config, &why));
	const struct parts_options options = {.config = scene->config, .data = scene->folder};
	scene->parts = parts_open(&options, &why);
	if (!scene->parts || !parts_listen(scene->parts, &why)) fail_msg("%s", why.text);
	scene->idle = parts_idle_open(scene->parts, AFTER_MS, NULL, &why);
	assert_non_null(scene->idle);
}

static void scene_close(struct scene *scene) {
	parts_idle_close(scene->idle);
	parts_close(scene->parts);
	config_free(scene->config);
	assert_int_equal(nftw(scene->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void count(struct scene *scene, int by) {
	counters_add(loop_counters(parts_loop(scene->parts)), COUNTER_CONNECTIONS, by);
}

static void a_house_that_nobody_uses_ends(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	parts_run(scene.parts); /* ends by itself alone */
	assert_true(parts_is_draining(scene.parts));
	scene_close(&scene);
}

static void look(struct deadline *deadline) {
	struct scene *scene = CONTAINER_OF(deadline, struct scene, step);
	scene->was_draining = scene->was_draining || parts_is_draining(scene->parts);
	if (++scene->looks < 10) deadline_set(parts_loop(scene->parts), deadline, AFTER_MS, look);
	else count(scene, -1); /* the user goes */
}

static void a_house_with_a_user_stays_until_it_goes(void **state) {
	(void)state;
	struct scene scene;
	scene_open(&scene);
	count(&scene, 1);
	deadline_set(parts_loop(scene.parts), &scene.step, AFTER_MS, look);
	parts_run(scene.parts);
	assert_int_equal(scene.looks, 10);
	assert_false(scene.was_draining);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_house_that_nobody_uses_ends),
		cmocka_unit_test(a_house_with_a_user_stays_until_it_goes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
