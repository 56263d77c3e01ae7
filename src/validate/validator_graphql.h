/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator GraphQL: whether a document only queries. Linear; pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_GRAPHQL_H
#define HUSTINGS_VALIDATE_VALIDATOR_GRAPHQL_H

#include "validate/validator_sql_kind.h"

/* "{ users { id } }", "query Q { ... }"; one that has a mutation at its outside writes; SQL_NONE: no document. */
enum sql_kind validator_graphql_judge(struct slice text) MUST_USE;

#endif
