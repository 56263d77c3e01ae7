/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted/hosted_rig.h"

#include "kernel/registry.h"
#include "store/state.h"

#include <ftw.h>

struct office {
	struct hosted_rig rig;
	char folder[64];
	struct state *state;
	struct registry *registry;
	char definition[600];
};

static int remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static void open_again(struct office *office) {
	struct fault why;
	rig_open(&office->rig);
	office->state = state_open(office->folder, &why);
	assert_non_null(office->state);
	office->registry = registry_open(office->rig.servers, office->state, NULL, &why);
	assert_non_null(office->registry);
}

static void shut(struct office *office) {
	registry_close(office->registry);
	rig_close(&office->rig);
	state_close(office->state);
}

static int set_up(void **state) {
	static struct office office;
	memset(&office, 0, sizeof office);
	snprintf(office.folder, sizeof office.folder, "/tmp/hustings-registry-XXXXXX");
	assert_non_null(mkdtemp(office.folder));
	open_again(&office);
	snprintf(office.definition, sizeof office.definition, "{\"id\":\"notes\",\"command\":\"%s\"}",
		office.rig.program);
	*state = &office;
	return 0;
}

static int tear_down(void **state) {
	struct office *office = *state;
	shut(office);
	nftw(office->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

static struct hosted *notes(struct office *office) {
	return hosted_find(office->rig.servers, SLICE("notes"));
}

static void a_server_that_was_added_is_there_after_a_restart(void **state) {
	struct office *office = *state;
	struct fault why;
	struct hosted *hosted =
		registry_add(office->registry, slice_of(office->definition), SLICE("alice"), &why);
	assert_non_null(hosted);
	assert_true(hosted_settings(hosted)->is_registered);
	rig_until(&office->rig, hosted_state(hosted) == HOSTED_CONNECTED);
	shut(office);
	open_again(office);
	assert_non_null(notes(office));
	rig_until(&office->rig, hosted_state(notes(office)) == HOSTED_CONNECTED);
}

static void a_server_that_was_removed_is_forgotten(void **state) {
	struct office *office = *state;
	struct fault why;
	struct hosted *hosted =
		registry_add(office->registry, slice_of(office->definition), SLICE("alice"), &why);
	assert_true(registry_remove(office->registry, hosted, &why));
	assert_null(notes(office));
	shut(office);
	open_again(office);
	assert_null(notes(office));
}

static void an_id_that_is_taken_is_refused_and_not_remembered(void **state) {
	struct office *office = *state;
	struct fault why;
	struct hosted *configured = rig_add(&office->rig, "notes", (struct hosted_settings){0}, NULL);
	assert_null(registry_add(office->registry, slice_of(office->definition), SLICE("alice"), &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_ptr_equal(notes(office), configured);
	shut(office);
	open_again(office);
	assert_null(notes(office));
}

static void a_configured_server_is_not_removed_here(void **state) {
	struct office *office = *state;
	struct fault why;
	struct hosted *configured = rig_add(&office->rig, "notes", (struct hosted_settings){0}, NULL);
	assert_false(registry_remove(office->registry, configured, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_non_null(strstr(why.text, "configuration"));
	assert_ptr_equal(notes(office), configured);
}

/* The configuration had the id for a while: the older one did not start, and is replaced. */
static void the_newest_definition_of_an_id_is_remembered(void **state) {
	struct office *office = *state;
	struct fault why;
	char other[sizeof office->definition];
	const struct server_row row = {.id = SLICE("notes"), .definition = SLICE("{\"id\":\"notes\",\"url\":\"x\"}"), .created_by = SLICE("bob")};
	snprintf(other, sizeof other, "%.*s,\"rooms\":[\"demo\"]}", (int)strlen(office->definition) - 1, office->definition);
	assert_true(server_row_add(office->state, &row, &why));
	assert_non_null(registry_add(office->registry, slice_of(other), SLICE("alice"), &why));
	shut(office);
	open_again(office);
	assert_non_null(notes(office));
	assert_string_equal(hosted_settings(notes(office))->rooms[0], "demo");
}

static void an_unsound_definition_changes_nothing(void **state) {
	struct office *office = *state;
	struct fault why;
	assert_null(registry_add(office->registry, SLICE("{\"id\":\"notes\"}"), SLICE("alice"), &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_int_equal(hosted_count(office->rig.servers), 0);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_server_that_was_added_is_there_after_a_restart, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_server_that_was_removed_is_forgotten, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_id_that_is_taken_is_refused_and_not_remembered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_configured_server_is_not_removed_here, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_newest_definition_of_an_id_is_remembered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_unsound_definition_changes_nothing, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
