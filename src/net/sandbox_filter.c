/* SPDX-License-Identifier: Apache-2.0 */
/* Sandbox filter: rows of names, and what libseccomp makes of them. */
#include "net/sandbox_filter.h"

#include <errno.h>
#include <linux/netlink.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* The first call that is younger than this list, and one that no kernel has for long. */
#define YOUNGER_CALL 452
#define YOUNGEST_CALL 640

/* Names that this libseccomp or this processor does not know are passed over: what the library is
 * too old for is above YOUNGER_CALL, or stands there by its number. */
static const char *const refused[] = {
	/* other views of the file system, other namespaces */
	"mount",
	"umount2",
	"umount",
	"pivot_root",
	"chroot",
	"move_mount",
	"open_tree",
	"fsopen",
	"fsconfig",
	"fsmount",
	"fspick",
	"mount_setattr",
	"unshare",
	"setns",
	"open_by_handle_at",
	"name_to_handle_at",
	"quotactl",
	"quotactl_fd",
	"fanotify_init",
	/* other processes */
	"ptrace",
	"process_vm_readv",
	"process_vm_writev",
	"process_madvise",
	"process_mrelease",
	"pidfd_getfd",
	"kcmp",
	"move_pages",
	"migrate_pages",
	/* the kernel's corners */
	"bpf",
	"perf_event_open",
	"userfaultfd",
	"io_uring_setup",
	"io_uring_enter",
	"io_uring_register",
	"add_key",
	"request_key",
	"keyctl",
	"modify_ldt",
	"personality",
	"uselib",
	"lookup_dcookie",
	"nfsservctl",
	"_sysctl",
	"sysfs",
	"ustat",
	"vm86",
	"vm86old",
	"memfd_secret",
	/* the machine itself */
	"kexec_load",
	"kexec_file_load",
	"init_module",
	"finit_module",
	"delete_module",
	"create_module",
	"get_kernel_syms",
	"query_module",
	"reboot",
	"swapon",
	"swapoff",
	"acct",
	"syslog",
	"vhangup",
	"iopl",
	"ioperm",
	"settimeofday",
	"clock_settime",
	"stime",
	"sethostname",
	"setdomainname",
};

/* These are missing: the C library and others then do without. The flags of clone3 lie in memory,
 * where no filter can look; clone is asked instead. The others take memory that RLIMIT_DATA does not
 * count. */
static const char *const missing[] = {"clone3", "memfd_create", "shmget", "msgget", "semget"};

static const scmp_datum_t namespaces[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET,
	CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};

static int add_names(scmp_filter_ctx filter, const char *const *names, size_t count, int error) {
	int failed = 0;
	for (size_t i = 0; i < count && !failed; i++) {
		int number = seccomp_syscall_resolve_name(names[i]);
		/* Below zero: not of this processor. */
		if (number >= 0) failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)error), number, 0);
	}
	return failed;
}

static int add_younger(scmp_filter_ctx filter) {
	int failed = 0;
	for (int number = YOUNGER_CALL; number < YOUNGEST_CALL && !failed; number++)
		failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
	return failed;
}

static int add_where(scmp_filter_ctx filter, int error, int number, struct scmp_arg_cmp is) {
	return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((unsigned)error), number, 1, &is);
}

static struct scmp_arg_cmp argument_is(unsigned argument, enum scmp_compare how, scmp_datum_t value) {
	return (struct scmp_arg_cmp){.arg = argument, .op = how, .datum_a = value};
}

static struct scmp_arg_cmp argument_has(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
	return (struct scmp_arg_cmp){
		.arg = argument,
		.op = SCMP_CMP_MASKED_EQ,
		.datum_a = mask,
		.datum_b = value,
	};
}

/* Registers have 64 bits where the kernel looks at 32: whatever is above is no family. */
static int add_families(scmp_filter_ctx filter, bool has_network) {
	int call = SCMP_SYS(socket), error = EAFNOSUPPORT;
	int failed = add_where(filter, error, call, argument_is(0, SCMP_CMP_GT, AF_NETLINK));
	for (unsigned family = 0; family < AF_NETLINK && !failed; family++) {
		bool is_given = family == AF_INET || family == AF_INET6 ||
			(family == AF_UNIX && !has_network);
		if (!is_given)
			failed = add_where(filter, error, call, argument_is(0, SCMP_CMP_EQ, family));
	}
	if (failed) return failed;
	/* The names of interfaces, and nothing else of the kernel's. */
	const struct scmp_arg_cmp both[] = {
		argument_is(0, SCMP_CMP_EQ, AF_NETLINK),
		argument_is(2, SCMP_CMP_NE, NETLINK_ROUTE),
	};
	return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), call, COUNT_OF(both), both);
}

static int add_by_argument(scmp_filter_ctx filter) {
	/* Words put into a terminal's mouth. */
	static const scmp_datum_t requests[] = {TIOCSTI, TIOCLINUX};
	int failed = 0;
	for (size_t i = 0; i < COUNT_OF(namespaces) && !failed; i++)
		failed = add_where(filter, EPERM, SCMP_SYS(clone),
			argument_has(0, namespaces[i], namespaces[i]));
	for (size_t i = 0; i < COUNT_OF(requests) && !failed; i++)
		failed = add_where(filter, EPERM, SCMP_SYS(ioctl), argument_has(1, UINT32_MAX, requests[i]));
	if (failed) return failed;
	/* Shared memory without a file is not counted by RLIMIT_DATA. */
	return add_where(filter, ENOMEM, SCMP_SYS(mmap),
		argument_has(3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS));
}

static int add_all(scmp_filter_ctx filter, bool has_network) {
	/* Of another processor's calls none is known here. */
	int failed = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	if (!failed) failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree, no list */
	if (!failed) failed = add_names(filter, refused, COUNT_OF(refused), EPERM);
	if (!failed) failed = add_names(filter, missing, COUNT_OF(missing), ENOSYS);
	if (!failed) failed = add_younger(filter);
	if (!failed) failed = add_families(filter, has_network);
	if (!failed) failed = add_by_argument(filter);
	return failed;
}

static scmp_filter_ctx filter_make(bool has_network, struct fault *why) {
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	if (!filter) return fault_null(why, FAULT_NO_MEMORY, "no memory for a filter of system calls");
	int failed = add_all(filter, has_network);
	if (!failed) return filter;
	seccomp_release(filter);
	return fault_null(why, FAULT_UNSUPPORTED, "a filter of system calls cannot be made: %s",
		strerror(-failed));
}

bool sandbox_filter_load(bool has_network, struct fault *why) {
	scmp_filter_ctx filter = filter_make(has_network, why);
	if (!filter) return false;
	int failed = seccomp_load(filter);
	seccomp_release(filter);
	if (!failed) return true;
	return fault_set(why, FAULT_UNSUPPORTED, "this kernel takes no filter of system calls: %s",
		strerror(-failed));
}

int sandbox_filter_file(bool has_network, struct fault *why) {
	AUTO_CLOSE int file = memfd_create("hustings-filter", MFD_CLOEXEC);
	if (file < 0) {
		fault_errno(why, errno, "a file for a filter of system calls");
		return -1;
	}
	scmp_filter_ctx filter = filter_make(has_network, why);
	if (!filter) return -1;
	int failed = seccomp_export_bpf(filter, file);
	seccomp_release(filter);
	if (failed || lseek(file, 0, SEEK_SET) != 0) {
		fault_set(why, FAULT_IO, "a filter of system calls cannot be written");
		return -1;
	}
	int result = file;
	file = -1;
	return result;
}
