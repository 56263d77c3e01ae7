/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escapes: tries the ways out of a sandbox that only system calls know, and prints a line for each:
 * its name and "worked", or the error's name. Arguments are such that nothing comes of one that works;
 * and where new privileges were not given up, which is to say outside of a sandbox, it tries nothing.
 *
 * escapes calls            system calls that are refused, and some that must work
 * escapes connect NAME     to the abstract socket NAME
 * escapes listen NAME      at the abstract socket NAME, until stdin ends; prints "ready"
 * escapes fork N           starts up to N processes at once and prints how many there were
 * escapes memory MIB       takes up to MIB and prints how many there were
 * escapes fill FILE MIB    the same in a file
 */
#include "base/dialect.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define NO_SUCH_CALL 600
#define NOWHERE "/no/such/folder"

static void tell(const char *name, long result) {
	const char *error = result < 0 ? strerrorname_np(errno) : "worked";
	printf("%s %s\n", name, error ? error : "?");
}

/* A child that came to be ends; the parent says so. */
static long ended(long process) {
	if (process == 0) _exit(0);
	if (process > 0) waitpid((pid_t)process, NULL, 0);
	return process;
}

static long read_first(void) {
	char octet;
	struct iovec here = {&octet, 1}, there = {(void *)ended, 1};
	return process_vm_readv(1, &here, 1, &there, 1, 0);
}

static void try_namespaces(void) {
	struct clone3 {
		uint64_t members[11];
	} wanted = {{0}};
	wanted.members[4] = SIGCHLD;
	tell("mount", mount("none", NOWHERE, "tmpfs", 0, NULL));
	tell("umount2", umount2(NOWHERE, MNT_DETACH));
	tell("pivot_root", syscall(SYS_pivot_root, NOWHERE, NOWHERE));
	tell("chroot", chroot(NOWHERE));
	tell("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
	tell("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/tmp", 0));
	tell("clone_user", ended(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL)));
	tell("clone_net", ended(syscall(SYS_clone, CLONE_NEWNET | SIGCHLD, NULL, NULL, NULL, NULL)));
	tell("clone3", ended(syscall(SYS_clone3, &wanted, sizeof wanted)));
	tell("unshare_user", unshare(CLONE_NEWUSER));
	tell("unshare_mount", unshare(CLONE_NEWNS));
	tell("setns", setns(0, 0));
	tell("open_by_handle_at", syscall(SYS_open_by_handle_at, 0, NULL, 0));
}

static void try_others(void) {
	tell("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
	tell("process_vm_readv", read_first());
	tell("pidfd_getfd", syscall(SYS_pidfd_getfd, 0, 0, 0));
	tell("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
}

static void try_kernel(void) {
	tell("bpf", syscall(SYS_bpf, 0, NULL, 0));
	tell("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
	tell("userfaultfd", syscall(SYS_userfaultfd, 1));
	tell("io_uring_setup", syscall(SYS_io_uring_setup, 1, NULL));
	tell("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
	tell("add_key", syscall(SYS_add_key, "user", "hustings", "x", 1, KEY_SPEC_PROCESS_KEYRING));
	tell("personality", personality(0xffffffff));
	tell("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0));
	tell("init_module", syscall(SYS_init_module, NULL, 0, NULL));
	tell("sethostname", syscall(SYS_sethostname, NULL, 1));
	tell("syslog", syscall(SYS_syslog, 10, NULL, 0));
	tell("younger", syscall(NO_SUCH_CALL, 0));
}

static void try_memory(void) {
	void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	tell("mmap_shared", shared == MAP_FAILED ? -1 : 0);
	tell("memfd_create", memfd_create("hustings", 0));
	tell("shmget", syscall(SYS_shmget, 0, 4096, 0600));
	tell("dev_zero", open("/dev/zero", O_RDWR));
	void *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	tell("mmap_private", own == MAP_FAILED ? -1 : 0);
}

static void try_sockets(void) {
	int pair[2];
	tell("socket_unix", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("socket_unix_high", syscall(SYS_socket, (1ul << 32) | AF_UNIX, SOCK_STREAM, 0));
	tell("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	tell("socket_inet", socket(AF_INET, SOCK_STREAM, 0));
	tell("socket_inet6", socket(AF_INET6, SOCK_STREAM, 0));
	tell("socket_raw", socket(AF_INET, SOCK_RAW, 1));
	tell("socket_packet", socket(AF_PACKET, SOCK_RAW, 0));
	tell("socket_vsock", socket(AF_VSOCK, SOCK_STREAM, 0));
	tell("socket_alg", socket(AF_ALG, SOCK_SEQPACKET, 0));
	tell("netlink_route", socket(AF_NETLINK, SOCK_RAW, 0));
	tell("netlink_audit", socket(AF_NETLINK, SOCK_RAW, 9));
}

static void try_files(void) {
	int terminal = posix_openpt(O_RDWR | O_NOCTTY);
	tell("terminal", terminal);
	tell("tiocsti", ioctl(terminal, TIOCSTI, "x"));
	tell("hostname", open("/proc/sys/kernel/hostname", O_WRONLY));
	tell("core_pattern", open("/proc/sys/kernel/core_pattern", O_WRONLY));
	tell("sysrq", open("/proc/sysrq-trigger", O_WRONLY));
	tell("kcore", open("/proc/kcore", O_RDONLY));
	tell("dev_mem", open("/dev/mem", O_RDONLY));
	tell("setuid", setuid(0));
	tell("new_process", ended(fork()));
}

/* A system call of another processor's, in a process of its own: "ended" when that cost its life. */
static void try_other_processor(void) {
#ifdef __x86_64__
	int status = 0;
	fflush(stdout);
	pid_t process = fork();
	if (process == 0) {
		int number = 20; /* getpid of i386 */
		__asm__ volatile("int $0x80"
				 : "+a"(number)
				 :
				 : "memory");
		_exit(0);
	}
	waitpid(process, &status, 0);
	printf("other_processor %s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS ? "ended" : "worked");
#else
	puts("other_processor ended");
#endif
}

static socklen_t abstract(const char *name, struct sockaddr_un *address) {
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	size_t length = strlen(name);
	if (length > sizeof address->sun_path - 1) length = sizeof address->sun_path - 1;
	memcpy(address->sun_path + 1, name, length);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int try_connect(const char *name) {
	struct sockaddr_un address;
	socklen_t length = abstract(name, &address);
	int opened = socket(AF_UNIX, SOCK_STREAM, 0);
	tell("connect", opened < 0 ? -1 : connect(opened, (struct sockaddr *)&address, length));
	return 0;
}

static int listen_at(const char *name) {
	struct sockaddr_un address;
	socklen_t length = abstract(name, &address);
	int opened = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(opened, (struct sockaddr *)&address, length) != 0 || listen(opened, 8) != 0) return 1;
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF) {}
	return 0;
}

/* All wait for one pipe to end, which it does with us. */
static int fork_many(unsigned most) {
	int ends[2];
	unsigned count = 0;
	if (pipe(ends) != 0) return 1;
	for (; count < most; count++) {
		pid_t process = fork();
		if (process < 0) break;
		if (process > 0) continue;
		close(ends[1]);
		char octet;
		while (read(ends[0], &octet, 1) < 0 && errno == EINTR) {}
		_exit(0);
	}
	printf("%u\n", count);
	return 0;
}

static int take_memory(size_t most) {
	size_t count = 0;
	for (; count < most; count++) {
		void *piece = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece == MAP_FAILED) break;
		memset(piece, 1, MIB);
	}
	printf("%zu\n", count);
	return 0;
}

static int fill_file(const char *path, size_t most) {
	static char piece[MIB];
	size_t count = 0;
	int file = open(path, O_WRONLY | O_CREAT, 0600);
	while (file >= 0 && count < most && write(file, piece, MIB) == (ssize_t)MIB) count++;
	printf("%zu\n", count);
	return 0;
}

int main(int argc, char **argv) {
	const char *what = argc > 1 ? argv[1] : "";
	if (strcmp(what, "calls") == 0) {
		if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
			fprintf(stderr, "escapes calls: outside of a sandbox nothing is tried\n");
			return 2;
		}
		try_files();
		try_memory();
		try_sockets();
		try_kernel();
		try_others();
		try_namespaces();
		try_other_processor();
		return 0;
	}
	if (argc == 3 && strcmp(what, "connect") == 0) return try_connect(argv[2]);
	if (argc == 3 && strcmp(what, "listen") == 0) return listen_at(argv[2]);
	if (argc == 3 && strcmp(what, "fork") == 0) return fork_many((unsigned)atoi(argv[2]));
	if (argc == 3 && strcmp(what, "memory") == 0) return take_memory((size_t)atoi(argv[2]));
	if (argc == 4 && strcmp(what, "fill") == 0) return fill_file(argv[2], (size_t)atoi(argv[3]));
	fprintf(stderr, "usage: escapes calls|connect NAME|listen NAME|fork N|memory MIB|fill FILE MIB\n");
	return 2;
}
