/* SPDX-License-Identifier: Apache-2.0 */
/* Sandbox view: from nothing to what is shown, and what is laid over it. */
#include "net/sandbox_view.h"
#include "net/launcher_order.h"
#include "base/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_ARGUMENTS 4096
#define MOST_SHOWN 256
#define OWN_FOLDER "/tmp"

/* The view, while it is made; words lie in the arena, or are constant. */
struct sandbox_view_made {
	struct sandbox_view view; /* first: it is what is handed out */
	struct arena arena;
	const struct sandbox_wish *wish;
	const char *words[MOST_ARGUMENTS];
	size_t count;
	const char *shown[MOST_SHOWN]; /* of the machine's, in the order they came */
	size_t shown_count;
	const char *hidden[MOST_SHOWN];
	size_t hidden_count;
	const char *home;    /* resolved; NULL: none that could be given */
	const char *scratch; /* its limit in digits */
	bool is_failed;      /* no memory or no room */
};

/* Where programs, their libraries and their settings are; whatever else lies in / is not there. */
static const char *const system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
	"/etc", "/opt", "/nix", "/gnu"};

/* Programs in the home folder that bring nothing of their owner's along. */
static const char *const home_tools[] = {".nvm", ".fnm", ".volta", ".asdf", ".pyenv", ".rbenv", ".sdkman",
	".bun/bin", ".deno/bin", ".cargo/bin", ".dotnet", "go/bin", ".npm-global", "miniconda3",
	"miniforge3", ".local/bin", ".local/lib", ".local/pipx", ".local/share/fnm", ".local/share/mise",
	".local/share/pipx", ".local/share/pnpm", ".local/share/uv"};

/* Never seen, even where a folder around them is shown by name. */
static const char *const system_secrets[] = {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-",
	"/etc/sudoers", "/etc/sudoers.d", "/etc/ssl/private", "/etc/krb5.keytab", "/etc/wireguard",
	"/etc/NetworkManager/system-connections"};
static const char *const home_secrets[] = {".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".netrc",
	".git-credentials", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".vault-token", ".password-store",
	".bash_history", ".zsh_history", ".mozilla", ".thunderbird", ".cargo/credentials.toml", ".config/gcloud",
	".config/gh", ".config/hub", ".config/git/credentials", ".config/google-chrome", ".config/chromium",
	".config/mgp", ".local/share/keyrings", ".local/share/hustings", ".terraform.d/credentials.tfrc.json"};

/* Of these no folder is shown because somebody stands in it, and none that holds the home folder. */
static const char *const crossroads[] = {"/", "/tmp", "/var", "/var/tmp", "/run", "/home", "/root", "/boot",
	"/mnt", "/media", "/srv"};
/* And these not even by name: they would undo the sandbox. */
static const char *const forbidden[] = {"/", "/tmp", "/run", "/root"};
static const char *const own_mounts[] = {"/dev", "/proc", "/sys"};

/* Words and paths */

static void put(struct sandbox_view_made *made, const char *word) {
	if (!word || made->count + 1 >= MOST_ARGUMENTS) made->is_failed = true;
	else made->words[made->count++] = word;
}

static void put_three(struct sandbox_view_made *made, const char *first, const char *second,
	const char *third) {
	put(made, first);
	put(made, second);
	if (third) put(made, third);
}

static const char *keep(struct sandbox_view_made *made, struct slice word) {
	struct slice copy;
	if (arena_copy(&made->arena, word, &copy)) return copy.bytes;
	made->is_failed = true;
	return NULL;
}

/* Resolved; NULL: there is no such thing, and errno says why. */
static const char *resolve(struct sandbox_view_made *made, const char *path) {
	char resolved[PATH_MAX];
	if (!realpath(path, resolved)) return NULL;
	errno = ENOMEM;
	return keep(made, slice_of(resolved));
}

static bool is_within(const char *path, const char *folder) {
	size_t length = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
	return strncmp(path, folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static bool is_one_of(const char *path, const char *const *list, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (strcmp(path, list[i]) == 0) return true;
	return false;
}

static bool is_within_any(const char *path, const char *const *folders, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (is_within(path, folders[i])) return true;
	return false;
}

static bool is_shown(const struct sandbox_view_made *made, const char *path) {
	return is_within_any(path, made->shown, made->shown_count);
}

static bool is_own_mount(const char *path) {
	return is_within_any(path, own_mounts, COUNT_OF(own_mounts));
}

static bool holds_shown(const struct sandbox_view_made *made, const char *path) {
	for (size_t i = 0; i < made->shown_count; i++)
		if (is_within(made->shown[i], path)) return true;
	return false;
}

/* bubblewrap makes them closed to all but their owner. */
static void put_parents(struct sandbox_view_made *made, const char *path) {
	for (const char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		const char *parent = keep(made, slice_make(path, (size_t)(at - path)));
		if (!parent || is_shown(made, parent)) continue;
		put_three(made, "--perms", "0755", "--dir");
		put(made, parent);
	}
}

static void show(struct sandbox_view_made *made, const char *how, const char *path) {
	put_parents(made, path);
	put_three(made, how, path, path);
	if (made->shown_count < MOST_SHOWN) made->shown[made->shown_count++] = path;
	else made->is_failed = true;
}

/* A folder of its own: empty, bounded, gone with it. Where we are root its user comes later. */
static void give(struct sandbox_view_made *made, const char *path) {
	put_parents(made, path);
	put_three(made, "--perms", made->wish->has_user ? "1777" : "0700", "--size");
	put_three(made, made->scratch, "--tmpfs", path);
}

/* What it is made of */

static void add_namespaces(struct sandbox_view_made *made) {
	static const char *const always[] = {"--unshare-pid", "--unshare-ipc", "--unshare-uts",
		"--unshare-cgroup-try", "--hostname", "sandbox", "--die-with-parent"};
	for (size_t i = 0; i < COUNT_OF(always); i++) put(made, always[i]);
	if (!made->wish->network) put(made, "--unshare-net");
	if (made->wish->has_user) return;
	char number[16];
	snprintf(number, sizeof number, "%d", LAUNCHER_FILTER);
	put(made, "--unshare-user");
	put_three(made, "--seccomp", keep(made, slice_of(number)), NULL);
}

static void add_system(struct sandbox_view_made *made) {
	for (size_t i = 0; i < COUNT_OF(system_folders); i++) {
		const char *folder = system_folders[i];
		char target[PATH_MAX];
		struct stat about;
		if (lstat(folder, &about) != 0) continue;
		ssize_t length = S_ISLNK(about.st_mode) ? readlink(folder, target, sizeof target) : 0;
		if (S_ISDIR(about.st_mode)) show(made, "--ro-bind", folder);
		else if (length > 0) put_three(made, "--symlink", keep(made, slice_make(target, (size_t)length)), folder);
	}
}

/* /dev/zero shared is memory that no limit counts. */
static void add_own(struct sandbox_view_made *made) {
	put_three(made, "--proc", "/proc", NULL);
	put_three(made, "--dev", "/dev", NULL);
	put_three(made, "--ro-bind", "/dev/null", "/dev/zero");
	give(made, "/dev/shm");
	put_three(made, "--remount-ro", "/dev", NULL);
	give(made, OWN_FOLDER);
	give(made, "/var/tmp");
}

static bool may_be_home(const char *path) {
	return !is_own_mount(path) && strcmp(path, "/") != 0 && strcmp(path, OWN_FOLDER) != 0;
}

/* Both as its variable says and as it resolves. */
static void add_home(struct sandbox_view_made *made) {
	const char *named = made->wish->home, *real = named && *named == '/' ? resolve(made, named) : NULL;
	if (!named || *named != '/') return;
	const char *places[] = {real, named};
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		const char *place = places[i];
		struct stat about;
		bool is_same = i > 0 && real && strcmp(real, named) == 0;
		if (!place || is_same || !may_be_home(place)) continue;
		if (is_shown(made, place) && (stat(place, &about) != 0 || !S_ISDIR(about.st_mode))) continue;
		give(made, keep(made, slice_of(place)));
	}
	made->home = real;
	for (size_t i = 0; real && i < COUNT_OF(home_tools); i++) {
		char path[PATH_MAX];
		int length = snprintf(path, sizeof path, "%s/%s", real, home_tools[i]);
		if (length >= (int)sizeof path || access(path, F_OK) != 0) continue;
		const char *tools = resolve(made, path);
		/* One that leads elsewhere leads to what was not meant. */
		if (tools && strcmp(tools, path) == 0) show(made, "--ro-bind", tools);
	}
}

/* Often a link into /run. */
static void add_resolver(struct sandbox_view_made *made) {
	const char *path = resolve(made, "/etc/resolv.conf");
	if (path && !is_shown(made, path)) show(made, "--ro-bind", path);
}

static bool add_named(struct sandbox_view_made *made, const char *how, const char *what,
	const char *const *paths, struct fault *why) {
	for (; paths && *paths; paths++) {
		const char *path = resolve(made, *paths);
		if (!path) return fault_errno(why, errno, "%s %s", what, *paths);
		if (is_own_mount(path) || is_one_of(path, forbidden, COUNT_OF(forbidden)))
			return fault_set(why, FAULT_BAD_INPUT,
				"%s %s: a sandbox is never shown this; name what lies in it", what, *paths);
		show(made, how, path);
	}
	return true;
}

static bool is_crossroads(const struct sandbox_view_made *made, const char *path) {
	return is_own_mount(path) || is_one_of(path, crossroads, COUNT_OF(crossroads)) ||
		(made->home && is_within(made->home, path));
}

/* Named readable or writable it is seen by that. */
static bool is_named(struct sandbox_view_made *made, const char *path, const char *const *paths) {
	for (; paths && *paths; paths++) {
		const char *named = resolve(made, *paths);
		if (named && is_within(path, named)) return true;
	}
	return false;
}

static bool add_directory(struct sandbox_view_made *made, struct fault *why) {
	const char *named = made->wish->directory;
	const char *path = resolve(made, named ? named : ".");
	if (!path && named) return fault_errno(why, errno, "folder %s", named);
	if (!path) path = "/";

	made->view.directory = path;
	if (is_named(made, path, made->wish->readable) || is_named(made, path, made->wish->writable)) return true;
	if (!is_crossroads(made, path)) {
		show(made, "--ro-bind", path);
		return true;
	}
	made->view.directory = OWN_FOLDER;
	if (!named || strcmp(path, OWN_FOLDER) == 0) return true;
	return fault_set(why, FAULT_BAD_INPUT,
		"folder %s holds more than a sandbox is shown: name one within it, or name it readable", named);
}

/* What is laid over */

/* A file cannot be opened, a folder is empty. Within what is hidden already there is nothing left. */
static void hide(struct sandbox_view_made *made, const char *path) {
	struct stat about;
	bool is_seen = is_shown(made, path) || holds_shown(made, path);
	if (!is_seen || is_within_any(path, made->hidden, made->hidden_count)) return;
	if (stat(path, &about) != 0) return;
	if (made->hidden_count == MOST_SHOWN) made->is_failed = true;
	else made->hidden[made->hidden_count++] = path;
	if (!S_ISDIR(about.st_mode)) {
		put_three(made, "--ro-bind", "/dev/null", path);
		return;
	}
	put_three(made, "--perms", "0555", "--tmpfs");
	put(made, path);
	put_three(made, "--remount-ro", path, NULL);
}

/* A home folder itself is never shown, and what was shown of it by name is meant, but for these. */
static void hide_secrets_of(struct sandbox_view_made *made, const char *home) {
	for (size_t i = 0; i < COUNT_OF(home_secrets); i++) {
		char path[PATH_MAX];
		int length = snprintf(path, sizeof path, "%s/%s", home, home_secrets[i]);
		const char *real = length < (int)sizeof path ? resolve(made, path) : NULL;
		if (real) hide(made, real);
	}
}

static void hide_all(struct sandbox_view_made *made) {
	for (size_t i = 0; i < COUNT_OF(system_secrets); i++) hide(made, system_secrets[i]);
	if (made->home) hide_secrets_of(made, made->home);
	hide_secrets_of(made, "/root");
	for (const char *const *path = made->wish->hidden; path && *path; path++) {
		const char *real = resolve(made, *path);
		if (real) hide(made, real);
	}
}

static bool add_all(struct sandbox_view_made *made, struct fault *why) {
	char number[32];
	snprintf(number, sizeof number, "%" PRIu64, made->wish->scratch_limit);
	made->scratch = keep(made, slice_of(number));
	add_namespaces(made);
	add_system(made);
	add_own(made);
	add_home(made);
	if (made->wish->network) add_resolver(made);
	if (!add_directory(made, why)) return false;
	if (!add_named(made, "--ro-bind", "readable", made->wish->readable, why)) return false;
	if (!add_named(made, "--bind", "writable", made->wish->writable, why)) return false;
	hide_all(made);
	put_three(made, "--remount-ro", "/", NULL);
	return true;
}

struct sandbox_view *sandbox_view_make(const struct sandbox_wish *wish, struct fault *why) {
	struct sandbox_view_made *made = calloc(1, sizeof *made);
	if (!made) return fault_null(why, FAULT_NO_MEMORY, "no memory for a sandbox");
	arena_init(&made->arena, NULL, 0, 0);
	made->wish = wish;
	AUTO(sandbox_view) view = &made->view;
	if (!add_all(made, why)) return NULL;
	if (made->is_failed)
		return fault_null(why, FAULT_TOO_LARGE,
			"a sandbox: no memory, or more than %d paths are shown or hidden", MOST_SHOWN);
	made->wish = NULL;
	view->arguments = made->words;
	return TAKE(view);
}

void sandbox_view_free(struct sandbox_view *view) {
	if (!view) return;
	struct sandbox_view_made *made = CONTAINER_OF(view, struct sandbox_view_made, view);
	arena_finish(&made->arena);
	free(made);
}
