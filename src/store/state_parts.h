/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State parts: the statements of DATA/state.db, as the files *_rows.c share them.
 */
#ifndef HUSTINGS_STORE_STATE_PARTS_H
#define HUSTINGS_STORE_STATE_PARTS_H

#include "store/database.h"

enum state_statement {
	TOKEN_ADD,
	TOKEN_ADD_SESSION,
	TOKEN_CROWD_OUT,
	TOKEN_BY_HASH,
	TOKEN_BY_ID,
	TOKEN_EACH,
	TOKEN_REVOKE_ONE,
	TOKEN_REVOKE_ALL,
	TOKEN_SWEEP,
	PROMOTION_SET,
	PROMOTION_CLEAR,
	PROMOTION_FIND,
	SERVER_ADD,
	SERVER_REMOVE,
	SERVER_EACH,
	DECISION_PUT,
	DECISION_TOLD,
	DECISION_REMOVE,
	DECISION_EACH,
	GRANT_PUT,
	GRANT_REMOVE,
	GRANT_EACH,
	PERMISSION_PUT,
	PERMISSION_REMOVE,
	PERMISSION_EACH,
	PIN_PUT,
	PIN_REMOVE,
	PIN_EACH,
	FLOW_PUT,
	FLOW_REMOVE,
	FLOW_FIND,
	FLOW_EACH,
	FLOW_SPEND,
	FLOW_SWEEP,
	STATE_CHANGES,
	STATE_STATEMENTS
};

struct state {
	sqlite3 *database;
	char *log_path; /* of the write-ahead log */
	struct statements statements;
};

#endif
