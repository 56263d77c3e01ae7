/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel means: what they are good for together. */
#include "kernel/kernel_means.h"

void kernel_audit(const struct kernel_means *means, const struct audit_record *record) {
	struct fault why;
	if (!audit_add(means->spool, record, &why))
		log_write(means->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}
