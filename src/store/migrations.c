/* SPDX-License-Identifier: Apache-2.0 */
/* Migrations: what each column holds is said where it is made. */
#include "store/migrations.h"

const struct migration state_migrations[STATE_VERSION] = {
	{"CREATE TABLE tokens ("
	 " token_id TEXT PRIMARY KEY,"
	 " hash BLOB NOT NULL UNIQUE," /* SHA-256 of the token's text */
	 " id TEXT NOT NULL,"
	 " name TEXT NOT NULL, kind TEXT NOT NULL, mcp_version TEXT NOT NULL, dialect TEXT NOT NULL,"
	 " privilege TEXT NOT NULL, topics TEXT NOT NULL,"
	 " is_admin INTEGER NOT NULL, is_local INTEGER NOT NULL,"
	 " created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER NOT NULL);"
	 "CREATE INDEX tokens_by_id ON tokens(id);"
	 "CREATE TABLE promotions ("
	 " id TEXT NOT NULL,"
	 " topic TEXT NOT NULL," /* empty: all */
	 " privilege TEXT NOT NULL, set_by TEXT NOT NULL, set_at INTEGER NOT NULL,"
	 " PRIMARY KEY (id, topic)) WITHOUT ROWID;"},
	{"CREATE TABLE servers (" /* hosted servers that were added while the gateway ran */
	 " id TEXT PRIMARY KEY,"
	 " definition TEXT NOT NULL," /* JSON object; its environment and headers hold secrets */
	 " created_by TEXT NOT NULL, created_at INTEGER NOT NULL) WITHOUT ROWID;"},
	{"CREATE TABLE decisions (" /* questions to people, open and settled */
	 " decision_id INTEGER PRIMARY KEY,"
	 " id TEXT NOT NULL UNIQUE,"
	 " is_open INTEGER NOT NULL, changed_at INTEGER NOT NULL,"
	 " version INTEGER NOT NULL," /* changes so far */
	 " told INTEGER NOT NULL,"    /* the version that the webhook has told of */
	 " record TEXT NOT NULL);"},
	{"CREATE TABLE grants (" /* who may use which server or tool (MGP 5) */
	 " grant_id INTEGER PRIMARY KEY,"
	 " agent TEXT NOT NULL, server TEXT NOT NULL,"
	 " tool TEXT NOT NULL," /* empty: the whole server */
	 " is_allowed INTEGER NOT NULL,"
	 " granted_by TEXT NOT NULL, justification TEXT NOT NULL,"
	 " granted_at INTEGER NOT NULL, expires_at INTEGER NOT NULL);"
	 "CREATE UNIQUE INDEX grants_by_key ON grants(agent, server, tool);"
	 "CREATE TABLE permissions (" /* what was decided of a server's permissions (MGP 3) */
	 " server TEXT NOT NULL, permission TEXT NOT NULL,"
	 " state TEXT NOT NULL," /* approved, denied, revoked */
	 " decided_by TEXT NOT NULL, decided_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,"
	 " PRIMARY KEY (server, permission)) WITHOUT ROWID;"
	 "CREATE TABLE pins (" /* the definition of a tool that was approved */
	 " server TEXT NOT NULL, era INTEGER NOT NULL, tool TEXT NOT NULL,"
	 " definition TEXT NOT NULL," /* for the difference that is shown */
	 " pinned_by TEXT NOT NULL, pinned_at INTEGER NOT NULL,"
	 " PRIMARY KEY (server, era, tool)) WITHOUT ROWID;"},
	{"CREATE TABLE flows (" /* guided sessions that are open */
	 " id TEXT PRIMARY KEY,"
	 " sealed BLOB NOT NULL);"    /* under a key that is not in this file */
	 "CREATE TABLE flow_tokens (" /* of stateless mode, used up */
	 " token BLOB PRIMARY KEY,"   /* its hash */
	 " expires_at INTEGER NOT NULL) WITHOUT ROWID;"},
	{"ALTER TABLE tokens ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0;" /* lives in a browser's cookie */
	 "ALTER TABLE tokens ADD COLUMN parent TEXT NOT NULL DEFAULT '';"       /* the token it was made with */
	 "CREATE INDEX tokens_by_parent ON tokens(parent, id) WHERE is_session;"},
};

const struct migration history_migrations[HISTORY_VERSION] = {
	{"CREATE TABLE topics ("
	 " topic_id INTEGER PRIMARY KEY,"
	 " name TEXT NOT NULL UNIQUE,"
	 " last_sequence INTEGER NOT NULL,"
	 " kept INTEGER NOT NULL,"    /* envelopes whose text is still there */
	 " octets INTEGER NOT NULL);" /* of these texts */
	 /* A batch of a topic's envelopes. `hashes` has 16 octets for each that was seen (id, text),
	   * `spans` 20 for each that is kept (sequence, moment, length), `texts` their texts: the kept
	   * ones are the last of the seen ones. */
	 "CREATE TABLE batches ("
	 " batch_id INTEGER PRIMARY KEY,"
	 " topic_id INTEGER NOT NULL,"
	 " first_sequence INTEGER NOT NULL, last_sequence INTEGER NOT NULL,"
	 " first_moment INTEGER NOT NULL, last_moment INTEGER NOT NULL," /* smallest, largest */
	 " opened_at INTEGER NOT NULL, stored_at INTEGER NOT NULL,"      /* its first, its last envelope */
	 " seen INTEGER NOT NULL, kept INTEGER NOT NULL, octets INTEGER NOT NULL,"
	 " hashes BLOB NOT NULL, spans BLOB NOT NULL, texts BLOB NOT NULL);"
	 "CREATE UNIQUE INDEX batches_by_topic ON batches(topic_id, first_sequence);"
	 "CREATE INDEX batches_kept ON batches(topic_id, first_sequence) WHERE kept > 0;"
	 "CREATE TABLE proposals ("
	 " proposal_id INTEGER PRIMARY KEY,"
	 " topic TEXT NOT NULL, id_hash INTEGER NOT NULL,"
	 " is_open INTEGER NOT NULL, moment INTEGER NOT NULL, record TEXT NOT NULL);"
	 "CREATE UNIQUE INDEX proposals_by_topic ON proposals(topic, id_hash);"
	 "CREATE INDEX proposals_open ON proposals(topic, proposal_id) WHERE is_open;"
	 "CREATE TABLE audit ("
	 " row INTEGER PRIMARY KEY,"
	 " moment INTEGER NOT NULL,"
	 " event TEXT NOT NULL, actor TEXT NOT NULL, topic TEXT NOT NULL, target TEXT NOT NULL,"
	 " gate TEXT NOT NULL, result TEXT NOT NULL, detail TEXT NOT NULL, count INTEGER NOT NULL,"
	 " total INTEGER NOT NULL," /* octets of all rows so far, this one included */
	 " mac BLOB NOT NULL);"
	 /* The last row that retention took away. */
	 "CREATE TABLE audit_anchor (one INTEGER PRIMARY KEY CHECK (one = 1),"
	 " row INTEGER NOT NULL, total INTEGER NOT NULL, mac BLOB NOT NULL);"
	 /* How far each spool segment is in here, in octets. */
	 "CREATE TABLE moved (segment TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;"},
	{"ALTER TABLE audit ADD COLUMN actor_type TEXT NOT NULL DEFAULT '';"
	 "ALTER TABLE audit ADD COLUMN trace_id TEXT NOT NULL DEFAULT '';"
	 "ALTER TABLE audit ADD COLUMN server_id TEXT NOT NULL DEFAULT '';"
	 "ALTER TABLE audit ADD COLUMN tool_name TEXT NOT NULL DEFAULT '';"
	 "ALTER TABLE audit ADD COLUMN details TEXT NOT NULL DEFAULT '';" /* JSON object or empty */
	 /* What hosted servers claim: outside the chain. */
	 "CREATE TABLE audit_claims ("
	 " row INTEGER PRIMARY KEY,"
	 " moment INTEGER NOT NULL,"
	 " event TEXT NOT NULL, actor TEXT NOT NULL, topic TEXT NOT NULL, target TEXT NOT NULL,"
	 " gate TEXT NOT NULL, result TEXT NOT NULL, detail TEXT NOT NULL, actor_type TEXT NOT NULL,"
	 " trace_id TEXT NOT NULL, server_id TEXT NOT NULL, tool_name TEXT NOT NULL, details TEXT NOT NULL,"
	 " count INTEGER NOT NULL,"
	 " source TEXT NOT NULL,"      /* "server:ID" */
	 " total INTEGER NOT NULL);"}, /* octets of all rows so far, this one included */
	/* Up to where all but the envelopes is in here, also behind the position. */
	{"ALTER TABLE moved ADD COLUMN scanned INTEGER NOT NULL DEFAULT 0;"},
};
