/* SPDX-License-Identifier: Apache-2.0 */
/* The source itself, with memory that runs out. */
#include "failing_malloc.h"

#include "net/sandbox_view.c"

#include "check.h"

/* A home folder with a project, keys and tools in it, and a data folder beside it. */
struct place {
	char root[40];
	char home[60], project[80], keys[80], tools[80], local[80], stray[100], data[60], inner[80];
};

static void make(char *path, size_t size, const char *folder, const char *name) {
	assert_true(snprintf(path, size, "%s/%s", folder, name) < (int)size);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void place_make(struct place *place) {
	snprintf(place->root, sizeof place->root, "/tmp/hustings-view-XXXXXX");
	assert_non_null(mkdtemp(place->root));
	make(place->home, sizeof place->home, place->root, "home");
	make(place->project, sizeof place->project, place->home, "project");
	make(place->keys, sizeof place->keys, place->home, ".ssh");
	make(place->tools, sizeof place->tools, place->home, ".nvm");
	make(place->local, sizeof place->local, place->home, ".local");
	make(place->data, sizeof place->data, place->root, "data");
	make(place->inner, sizeof place->inner, place->data, "inner");
	snprintf(place->stray, sizeof place->stray, "%s/bin", place->local);
	assert_int_equal(symlink(place->data, place->stray), 0);
}

static void place_remove(const struct place *place) {
	char command[100];
	snprintf(command, sizeof command, "rm -r %s", place->root);
	assert_int_equal(system(command), 0);
}

static struct sandbox_wish wish_of(const struct place *place) {
	return (struct sandbox_wish){
		.directory = place->project,
		.home = place->home,
		.scratch_limit = 4096,
	};
}

/* The place of the last such run of words; -1: there is none. */
static int found(const struct sandbox_view *view, const char *first, const char *second,
	const char *third) {
	int last = -1;
	for (int i = 0; view->arguments[i]; i++) {
		const char *const *at = view->arguments + i;
		if (strcmp(at[0], first) != 0) continue;
		if (second && (!at[1] || strcmp(at[1], second) != 0)) continue;
		if (third && (!at[1] || !at[2] || strcmp(at[2], third) != 0)) continue;
		last = i;
	}
	return last;
}

static bool is_mentioned(const struct sandbox_view *view, const char *path) {
	return found(view, path, NULL, NULL) >= 0;
}

static void refused(const struct sandbox_wish *wish, enum fault_code code, const char *words) {
	struct fault why = {0};
	assert_null(sandbox_view_make(wish, &why));
	assert_int_equal(why.code, code);
	if (!strstr(why.text, words)) fail_msg("\"%s\" does not say \"%s\"", why.text, words);
}

static void little_is_shown_and_nothing_can_be_changed(void **state) {
	(void)state;
	struct place place;
	place_make(&place);
	struct sandbox_wish wish = wish_of(&place);
	AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
	assert_non_null(view);
	assert_string_equal(view->directory, place.project);
	assert_true(found(view, "--ro-bind", "/usr", "/usr") >= 0);
	assert_true(found(view, "--ro-bind", place.project, place.project) >
		found(view, "--tmpfs", place.home, NULL));
	assert_true(found(view, "--tmpfs", "/tmp", NULL) >= 0);
	assert_true(found(view, "--size", "4096", "--tmpfs") >= 0);
	assert_true(found(view, "--ro-bind", place.tools, place.tools) >= 0);
	assert_true(found(view, "--remount-ro", "/", NULL) > found(view, "--ro-bind", NULL, NULL));
	assert_int_equal(found(view, "--bind", NULL, NULL), -1);
	assert_false(is_mentioned(view, place.keys));
	assert_false(is_mentioned(view, place.data));
	assert_false(is_mentioned(view, place.stray));
	assert_false(is_mentioned(view, "/home"));
	assert_false(is_mentioned(view, "/run"));
	place_remove(&place);
}

/* Of a home that is not the one of who asks; only root can make a folder there. */
static void what_is_named_in_the_home_of_root_is_shown(void **state) {
	(void)state;
	char folder[] = "/root/hustings-view-XXXXXX";
	if (geteuid() != 0 || !mkdtemp(folder)) return;
	const char *const named[] = {folder, NULL};
	struct place place;
	place_make(&place);
	struct sandbox_wish wish = wish_of(&place);
	wish.readable = named;
	AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
	assert_non_null(view);
	assert_true(found(view, "--ro-bind", folder, folder) >= 0);
	assert_int_equal(found(view, "--tmpfs", "/root", NULL), -1);
	assert_int_equal(found(view, "--ro-bind", "/root", NULL), -1);
	assert_int_equal(rmdir(folder), 0);
	place_remove(&place);
}

static void the_network_is_a_namespace_unless_it_is_granted(void **state) {
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct sandbox_wish wish = {.directory = "/tmp", .network = i & 1, .has_user = i & 2};
		AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
		assert_non_null(view);
		assert_int_equal(is_mentioned(view, "--unshare-net"), !(i & 1));
		/* Where bubblewrap is root the launcher makes the namespace, and loads the filter. */
		assert_int_equal(is_mentioned(view, "--unshare-user"), !(i & 2));
		assert_int_equal(found(view, "--seccomp", "7", NULL) >= 0, !(i & 2));
		assert_true(is_mentioned(view, "--unshare-pid"));
		assert_true(is_mentioned(view, "--unshare-ipc"));
		assert_true(is_mentioned(view, "--unshare-uts"));
		assert_true(is_mentioned(view, "--die-with-parent"));
	}
}

static void a_folder_that_holds_more_is_not_worked_in(void **state) {
	(void)state;
	struct place place;
	place_make(&place);
	struct sandbox_wish wish = wish_of(&place);
	const char *const folders[] = {place.home, place.root, "/", "/var", "/home", "/proc/self", "/dev/shm"};
	for (size_t i = 0; i < COUNT_OF(folders); i++) {
		if (access(folders[i], F_OK) != 0) continue;
		wish.directory = folders[i];
		refused(&wish, FAULT_BAD_INPUT, "holds more than a sandbox is shown");
	}
	wish.directory = "/no/such/folder";
	refused(&wish, FAULT_NOT_FOUND, "folder /no/such/folder");

	/* Nobody named it: it is just not shown. */
	char before[PATH_MAX];
	assert_non_null(getcwd(before, sizeof before));
	assert_int_equal(chdir(place.home), 0);
	wish.directory = NULL;
	AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
	assert_int_equal(chdir(before), 0);
	assert_non_null(view);
	assert_string_equal(view->directory, "/tmp");
	assert_int_equal(found(view, "--ro-bind", place.home, NULL), -1);
	place_remove(&place);
}

static void what_is_named_must_be_there_and_be_harmless(void **state) {
	(void)state;
	struct place place;
	place_make(&place);
	const struct {
		const char *path;
		enum fault_code code;
		const char *words;
	} cases[] = {
		{"/no/such/folder", FAULT_NOT_FOUND, "/no/such/folder"},
		{"no-such-relative", FAULT_NOT_FOUND, "no-such-relative"},
		{"", FAULT_NOT_FOUND, "able : "},
		{"/", FAULT_BAD_INPUT, "never shown"},
		{"/usr/..", FAULT_BAD_INPUT, "never shown"},
		{"/tmp", FAULT_BAD_INPUT, "never shown"},
		{"/proc/1", FAULT_BAD_INPUT, "never shown"},
		{"/dev", FAULT_BAD_INPUT, "never shown"},
	};
	for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
		const char *const paths[] = {cases[i / 2].path, NULL};
		struct sandbox_wish wish = wish_of(&place);
		*(i % 2 ? &wish.writable : &wish.readable) = paths;
		refused(&wish, cases[i / 2].code, cases[i / 2].words);
		refused(&wish, cases[i / 2].code, i % 2 ? "writable" : "readable");
	}
	place_remove(&place);
}

static void what_is_hidden_lies_over_everything(void **state) {
	(void)state;
	struct place place;
	place_make(&place);
	struct sandbox_wish wish = wish_of(&place);
	wish.directory = place.root;
	wish.readable = (const char *const[]){place.root, NULL};
	wish.writable = (const char *const[]){place.data, NULL};
	wish.hidden = (const char *const[]){place.data, place.inner, "/no/such/folder", NULL};
	AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
	assert_non_null(view);
	int hidden = found(view, "--tmpfs", place.data, NULL);
	assert_true(hidden > found(view, "--bind", place.data, place.data));
	assert_true(hidden > found(view, "--ro-bind", place.root, place.root));
	assert_true(found(view, "--remount-ro", place.data, NULL) > hidden);
	assert_false(is_mentioned(view, place.inner)); /* it could not be made any more */
	assert_true(found(view, "--tmpfs", place.keys, NULL) > 0);
	assert_false(is_mentioned(view, "/no/such/folder"));
	assert_string_equal(view->directory, place.root);
	if (access("/etc/shadow", F_OK) == 0)
		assert_true(found(view, "--ro-bind", "/dev/null", "/etc/shadow") > 0);

	/* A folder within what is hidden is hidden with it. */
	wish = wish_of(&place);
	wish.directory = place.inner;
	wish.hidden = (const char *const[]){place.data, NULL};
	AUTO(sandbox_view) other = sandbox_view_make(&wish, NULL);
	assert_non_null(other);
	assert_true(found(other, "--tmpfs", place.data, NULL) >
		found(other, "--ro-bind", place.inner, place.inner));
	place_remove(&place);
}

static void links_are_followed_before_anything_is_decided(void **state) {
	(void)state;
	struct place place;
	char link[100];
	place_make(&place);
	struct sandbox_wish wish = wish_of(&place);
	snprintf(link, sizeof link, "%s/link", place.project);
	assert_int_equal(symlink(place.home, link), 0);
	wish.directory = link;
	refused(&wish, FAULT_BAD_INPUT, "holds more");
	wish.directory = place.project;
	wish.writable = (const char *const[]){link, NULL};
	AUTO(sandbox_view) view = sandbox_view_make(&wish, NULL);
	assert_non_null(view);
	assert_true(found(view, "--bind", place.home, place.home) > 0);
	assert_false(is_mentioned(view, link));
	assert_true(found(view, "--tmpfs", place.keys, NULL) > 0);
	place_remove(&place);
}

static void too_much_and_too_little_memory_are_faults(void **state) {
	(void)state;
	static const char *many[MOST_SHOWN + 2];
	struct sandbox_wish wish = {.directory = "/usr", .readable = many};
	for (size_t i = 0; i <= MOST_SHOWN; i++) many[i] = "/usr/bin";
	refused(&wish, FAULT_TOO_LARGE, "256 paths");
	malloc_fails_at(1);
	wish.readable = NULL;
	refused(&wish, FAULT_NO_MEMORY, "no memory");
	malloc_fails_at(0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(little_is_shown_and_nothing_can_be_changed),
		cmocka_unit_test(what_is_named_in_the_home_of_root_is_shown),
		cmocka_unit_test(the_network_is_a_namespace_unless_it_is_granted),
		cmocka_unit_test(a_folder_that_holds_more_is_not_worked_in),
		cmocka_unit_test(what_is_named_must_be_there_and_be_harmless),
		cmocka_unit_test(what_is_hidden_lies_over_everything),
		cmocka_unit_test(links_are_followed_before_anything_is_decided),
		cmocka_unit_test(too_much_and_too_little_memory_are_faults),
	};
	return cmocka_run_group_tests_name("sandbox_view", tests, NULL, NULL);
}
