/* SPDX-License-Identifier: Apache-2.0 */
/* Landlock: by its system calls, which the C library does not wrap. */
#include "net/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Later than the first version of the interface, and so missing in some headers. */
#define RIGHT_REFER (UINT64_C(1) << 13)    /* version 2 */
#define RIGHT_TRUNCATE (UINT64_C(1) << 14) /* version 3 */

#define RIGHTS_OF_FILES (LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE)
#define RIGHTS_TO_CHANGE \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
		LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
		LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | \
		LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | \
		LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static long interface_version(void) {
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool landlock_is_there(void) {
	return interface_version() >= 1;
}

static uint64_t rights_of(long version) {
	uint64_t rights = RIGHTS_TO_CHANGE;
	if (version >= 2) rights |= RIGHT_REFER;
	if (version >= 3) rights |= RIGHT_TRUNCATE;
	return rights;
}

static bool allow(int rules, const char *path, uint64_t rights, struct fault *why) {
	AUTO_CLOSE int place = open(path, O_PATH | O_CLOEXEC);
	struct stat about;
	if (place < 0 || fstat(place, &about) != 0) return fault_errno(why, errno,
		"writable %s", path);
	if (!S_ISDIR(about.st_mode)) rights &= RIGHTS_OF_FILES;

	struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
	long failed = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	return !failed || fault_errno(why, errno, "writable %s", path);
}

bool landlock_restrict(const char *const *writable, struct fault *why) {
	long version = interface_version();
	if (version < 1)
		return fault_set(why, FAULT_UNSUPPORTED,
			"this kernel has no Landlock, which is needed to restrict where it may write");

	struct landlock_ruleset_attr handled = {.handled_access_fs = rights_of(version)};
	AUTO_CLOSE int rules =
		(int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
	if (rules < 0) return fault_errno(why, errno, "Landlock rules");
	if (!allow(rules, "/dev", LANDLOCK_ACCESS_FS_WRITE_FILE, why)) return false;
	for (; *writable; writable++)
		if (!allow(rules, *writable, handled.handled_access_fs, why)) return false;
	if (syscall(SYS_landlock_restrict_self, rules, 0) == 0) return true;
	return fault_errno(why, errno, "Landlock");
}
