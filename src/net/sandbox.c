/* SPDX-License-Identifier: Apache-2.0 */
/* Sandbox: settings become an order, and whether such an order can be carried out. */
#include "net/sandbox.h"
#include "net/bubblewrap.h"
#include "net/launcher.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define USUAL_MEMORY (UINT64_C(1) << 30)
#define USUAL_SCRATCH (UINT64_C(256) << 20)
#define USUAL_PROCESSES 128
#define USUAL_DESCRIPTORS 1024
#define NOBODY 65534

static bool begins_with(const char *entry, const char *name) {
	return strncmp(entry, name, strlen(name)) == 0;
}

static const char *home_of(const char *const *environment) {
	const char *home = NULL;
	for (; environment && *environment; environment++)
		if (begins_with(*environment, "HOME=")) home = *environment + strlen("HOME=");
	return home;
}

void sandbox_environment(const char **environment, const char *const *additions) {
	for (; additions && *additions; additions++)
		if (begins_with(*additions, "TMPDIR=")) return;
	for (; *environment; environment++)
		if (begins_with(*environment, "TMPDIR=")) *environment = "TMPDIR=/tmp";
}

/* All but bubblewrap's path. */
static bool order_complete(struct launcher_order *order, const struct sandbox_settings *settings,
	unsigned user, struct sandbox_view **view, struct fault *why) {
	bool is_root = geteuid() == 0;
	const struct sandbox_wish wish = {
		.readable = settings->readable,
		.writable = settings->writable,
		.hidden = order->hidden,
		.directory = order->directory,
		.home = home_of(order->environment),
		.scratch_limit = settings->scratch_limit ? settings->scratch_limit : USUAL_SCRATCH,
		.network = settings->network,
		.has_user = is_root,
	};
	struct sandbox_view *made = sandbox_view_make(&wish, why);
	if (!made) return false;
	*view = made;
	order->view = made->arguments;
	order->directory = made->directory;
	order->hidden = order->writable = NULL;
	order->memory_limit = settings->memory_limit ? settings->memory_limit : USUAL_MEMORY;
	order->descriptor_limit =
		settings->descriptor_limit ? settings->descriptor_limit : USUAL_DESCRIPTORS;
	order->process_limit = settings->process_limit ? settings->process_limit : USUAL_PROCESSES;
	order->cpu_seconds = settings->cpu_seconds;
	order->has_network = settings->network;
	order->user = !is_root ? 0 : user ? user
					  : NOBODY;
	return true;
}

static bool try_out(struct fault *why) {
	static const struct sandbox_settings strictest = {0};
	struct launcher_order order = {
		.arguments = (const char *const[]){"probe", NULL},
		.environment = (const char *const[]){NULL},
		.directory = "/tmp",
		.bubblewrap = bubblewrap_find(launcher_program(), why),
	};
	AUTO(sandbox_view) view = NULL;
	return order.bubblewrap && order_complete(&order, &strictest, 0, &view, why) &&
		bubblewrap_try(&order, "probe-sandbox", launcher_program(), why);
}

/* What was found out in this process; that there was no memory to find it out with is not kept. */
static struct {
	pthread_mutex_t lock;
	bool is_known, works;
	struct fault why;
} tried = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool sandbox_is_possible(struct fault *why) {
	pthread_mutex_lock(&tried.lock);
	if (!tried.is_known) tried.works = try_out(&tried.why);
	tried.is_known = tried.works || tried.why.code == FAULT_UNSUPPORTED;
	bool works = tried.works;
	struct fault said = tried.why;
	pthread_mutex_unlock(&tried.lock);

	return works || fault_set(why, FAULT_UNSUPPORTED, "no sandbox can be made here: %s", said.text);
}

bool sandbox_order(struct launcher_order *order, const struct sandbox_settings *settings,
	unsigned user, struct sandbox_view **view, struct fault *why) {
	if (!sandbox_is_possible(why)) return false;
	const char *bubblewrap = bubblewrap_find(launcher_program(), why);
	if (!bubblewrap || !order_complete(order, settings, user, view, why)) return false;
	order->bubblewrap = bubblewrap;
	return true;
}
