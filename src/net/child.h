/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Child: a process that speaks lines on stdin and stdout, as MCP stdio servers do.
 *
 * Started through the launcher (net/launcher.h): session of its own, clean environment, resource
 * limits, no inherited descriptors, its own PID namespace that dies with us where bubblewrap works,
 * else under a keeper that ends every descendant. Lines of stdout are bounded; stderr comes line by
 * line too, at a bounded rate. All callbacks on the loop's thread, none before child_open()
 * returns, none after child_close().
 */
#ifndef HUSTINGS_NET_CHILD_H
#define HUSTINGS_NET_CHILD_H

#include "net/loop.h"
#include "net/sandbox.h"

struct child;

enum child_sandbox {
	CHILD_PLAIN,     /* the keeper alone, where bubblewrap cannot run */
	CHILD_CONTAINED, /* PID namespace by bubblewrap; falls back to the keeper and says so (child_is_contained) */
};

struct child_options {
	const char *const *arguments;   /* NULL ended; [0] is looked up in PATH */
	const char *const *environment; /* "NAME=value", NULL ended; added to the clean one (PATH HOME LANG LC_ALL TZ TMPDIR USER LOGNAME SHELL TERM are passed on) */
	const char *directory;          /* NULL: ours */
	enum child_sandbox sandbox;
	/* NULL: not. Else it runs in a sandbox as these settings say, which stand in for memory_limit,
	 * descriptor_limit and writable; where none can be made child_open() fails (FAULT_UNSUPPORTED). */
	const struct sandbox_settings *sandboxed;
	size_t line_limit;           /* octets of one line; 0: 16 MiB. Longer: the child is ended */
	size_t behind_limit;         /* octets waiting for its stdin; 0: 16 MiB */
	uint64_t memory_limit;       /* RLIMIT_DATA octets; 0: none */
	unsigned descriptor_limit;   /* RLIMIT_NOFILE; 0: 1024 */
	unsigned user;               /* where we are root: the uid and gid it gets; 0: ours */
	const char *const *hidden;   /* NULL ended paths it finds empty; needs containment. May be NULL */
	const char *const *writable; /* NULL ended paths (and /dev) where alone it may write; needs containment or Landlock. NULL: not restricted */
	struct log *log;             /* may be NULL */
};

struct child_events {
	void (*line)(void *context, struct slice line);       /* of stdout, without the LF; valid during the call */
	void (*error_line)(void *context, struct slice line); /* of stderr, cut at 8 KiB, 100 a second in the long run; may be NULL */
	void (*drained)(void *context);                       /* stdin took all; may be NULL */
	/* Once, after its last line, when nothing of it is left. status: exit code, or -signal; why tells it in words ("exited with 3",
	 * "was ended by signal 9", "could not be started: no such file"). */
	void (*ended)(void *context, int status, const struct fault *why);
};

struct child *child_open(struct loop *loop, const struct child_options *options,
	const struct child_events *events, void *context, struct fault *why) MUST_USE;
/* A line and its LF, copied if it must wait. False: over behind_limit, no memory, or it has ended. */
bool child_write(struct child *child, struct slice line, struct fault *why) MUST_USE;
size_t child_behind(const struct child *child);
/* Stops reading its stdout; lines that were read already still come, and all of them at its end. */
void child_pause(struct child *child);
void child_resume(struct child *child);
/* Closes its stdin (when it took what waits), after `patience_ms` SIGTERM to all of it, after as long again SIGKILL. */
void child_stop(struct child *child, uint64_t patience_ms);
/* Ends it at once (SIGKILL to all of it) if it runs, and lets go of it. No callback after this.
 * NULL is fine. */
void child_close(struct child *child);
bool child_is_contained(const struct child *child);
int child_process(const struct child *child); /* its process id as we see it; 0: not started yet, or ended */
/* Whether CHILD_CONTAINED is more than a wish here. The first call in a process tries it out, some
 * 20 ms long (at most 10 s): best made before the loop runs. */
bool child_can_contain(struct fault *why);

#endif
