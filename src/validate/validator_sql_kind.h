/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator SQL kind: what a statement of a query language does.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_SQL_KIND_H
#define HUSTINGS_VALIDATE_VALIDATOR_SQL_KIND_H

#include "base/dialect.h"
#include "base/slice.h"

enum sql_kind {
	SQL_NONE, /* no statement, as far as can be told */
	SQL_READS,
	SQL_WRITES,
};

#endif
