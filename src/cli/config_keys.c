/* SPDX-License-Identifier: Apache-2.0 */
/* Config keys: the table, and looking things up in it. */
#include "cli/config_keys.h"

#include "cli/config_shape.h"
#include "cli/nearest.h"

#include <stdio.h>

#define IN(type, member) \
	.offset = offsetof(struct type, member), .size = sizeof(((struct type *)NULL)->member)
#define TO(member) IN(config, member)
#define LATER_LIST .flags = CONFIG_LATER, .size = 65 * sizeof(char *)
#define LATER(octets) .flags = CONFIG_LATER, .size = (octets)

#define MS(seconds) ((seconds)*1000LL)
#define DAY MS(86400)
#define KIB(count) ((count)*1024LL)
#define MIB(count) ((count)*1024LL * 1024)
#define GIB(count) ((count)*1024LL * 1024 * 1024)

static const struct config_key identity_keys[] = {
	{"id", CONFIG_PATTERN, IN(identity_rule, id),
		.help = "who: a name, or a beginning and *"},
	{"topic", CONFIG_PATTERN, IN(identity_rule, topic),
		.help = "where: a topic, or a beginning and *; left out: everywhere"},
	{"privilege", CONFIG_CHOICE, IN(identity_rule, privilege), .standard = "default",
		.words = "restricted|full|default", .help = "where neither promotion nor token says one"},
	{"kind", CONFIG_CHOICE, IN(identity_rule, kind), .standard = "unsaid",
		.words = "unsaid|human|agent|robot", .help = "what it is, where its token does not say"},
	{"admin", CONFIG_BOOL, IN(identity_rule, is_admin), .standard = "false",
		.help = "may administrate"},
	{0},
};
static const struct config_items identity_items = {identity_keys, sizeof(struct identity_rule)};

static const struct config_key topic_keys[] = {
	{"topic", CONFIG_PATTERN, IN(config_topic, topic), .help = "a topic, or a beginning and *"},
	{"retention.age", CONFIG_SPAN, CONFIG_MAY_BE_OFF, IN(config_topic, retention.age_ms),
		.standard = "off", .most = 36500 * DAY, .help = "how long its history is kept"},
	{"retention.count", CONFIG_COUNT, IN(config_topic, retention.count), .standard = "0",
		.most = 1000000000000, .help = "how many envelopes are kept; 0: no bound"},
	{"retention.bytes", CONFIG_SIZE, IN(config_topic, retention.bytes), .standard = "0",
		.most = GIB(1048576), .help = "how many octets are kept; 0: no bound"},
	{0},
};
static const struct config_items topic_items = {topic_keys, sizeof(struct config_topic)};

static const struct config_key rule_keys[] = {
	{"tool", CONFIG_TEXT, IN(authorization_rule, tool), .help = "a tool, or a beginning and *; left out: any"},
	{"caller", CONFIG_TEXT, IN(authorization_rule, caller), .help = "who calls, in the same way"},
	{"argument", CONFIG_TEXT, IN(authorization_rule, argument),
		.help = "a parameter of the call, dots for its depth; left out: whatever the arguments are"},
	{"value", CONFIG_TEXT, IN(authorization_rule, value),
		.help = "what that is: a text, or a beginning and *; left out: it is there at all"},
	{"action", CONFIG_CHOICE, IN(authorization_rule, action), .standard = "ask", .words = "allow|ask|deny",
		.help = "what becomes of the call"},
	{0},
};
static const struct config_items rule_items = {rule_keys, sizeof(struct authorization_rule)};

/* MGP 15.2. */
static const struct config_key server_keys[] = {
	{"id", CONFIG_TEXT, IN(config_server, id), .help = "the server's name"},
	{"command", CONFIG_TEXT, IN(config_server, command), .help = "the program that is started"},
	{"args", CONFIG_LIST, IN(config_server, args), .help = "its arguments"},
	{"url", CONFIG_TEXT, IN(config_server, url), .help = "where a remote server answers"},
	{"ca", CONFIG_TEXT, IN(config_server, ca), .help = "who signs its certificate (PEM file); left out: the system's"},
	{"headers", CONFIG_STRINGS, CONFIG_IS_SECRET, IN(config_server, headers), .words = ": ",
		.help = "HTTP headers for a remote server"},
	{"env", CONFIG_STRINGS, CONFIG_IS_SECRET, IN(config_server, env), .words = "=",
		.help = "variables that the program gets"},
	{"cwd", CONFIG_TEXT, IN(config_server, cwd), .help = "the program's working folder"},
	{"transport", CONFIG_CHOICE, IN(config_server, transport), .words = "stdio|http|sse",
		.help = "how it speaks; left out: by command or url"},
	{"share", CONFIG_CHOICE, IN(config_server, share), .standard = "principal",
		.words = "principal|call|all", .help = "who shares one process"},
	{"rooms", CONFIG_LIST, IN(config_server, rooms), .help = "topics in which it sits"},
	{"expose", CONFIG_LIST, IN(config_server, expose), .help = "what besides tools it shows there"},
	{"flow.enabled", CONFIG_BOOL, IN(config_server, has_flow), .standard = "true",
		.help = "whether its tools ask for what they need: guided sessions, forms"},
	{"authorization.mode", CONFIG_CHOICE, IN(config_server, policy.authorization.mode), .standard = "default",
		.words = "default|always_allow|always_prompt|selective|delegated",
		.help = "which calls are decided upon (ADR-001); left out: as each tool says"},
	{"authorization.rules", CONFIG_ITEMS, IN(config_server, authorization_rules), .items = &rule_items,
		.help = "of selective: the first that fits a call counts"},
	{"authorization.delegate", CONFIG_TEXT, IN(config_server, policy.authorization.delegate),
		.help = "the participant that decides, instead of the room"},
	{"authorization.deciders", CONFIG_LIST, IN(config_server, authorization_deciders),
		.help = "who decides; left out: administrators, and who has full privilege in the room"},
	{"authorization.timeout", CONFIG_SPAN, IN(config_server, policy.authorization.timeout_ms), .most = DAY,
		.help = "how long is asked; left out: as the tool says, else 5m"},
	{"mgp.extensions", CONFIG_CHOICES, IN(config_server, policy.extensions),
		.words = "security|access_control|audit|code_safety|lifecycle|streaming|bidirectional|discovery|tool_discovery",
		.help = "extensions of MGP that may be negotiated; left out: all"},
	{"mgp.permissions_required", CONFIG_LIST, IN(config_server, permissions_required),
		.help = "what it needs, besides what it says itself (MGP 3.2)"},
	{"mgp.permissions_granted", CONFIG_LIST, IN(config_server, permissions_granted),
		.help = "what it gets without a question"},
	{"mgp.trust_level", CONFIG_CHOICE, IN(config_server, trust), .standard = "default",
		.words = "default|trusted|standard|sandboxed", .help = "how far it is trusted; left out: standard"},
	{"mgp.restart_policy", CONFIG_CHOICE, IN(config_server, restart), .standard = "on_failure",
		.words = "on_failure|never|always", .help = "when it is started again (MGP 11.5)"},
	{"mgp.max_restarts", CONFIG_COUNT, IN(config_server, max_restarts), .standard = "5", .most = 1000,
		.help = "how often within restart_window_secs; 0: never"},
	{"mgp.restart_window_secs", CONFIG_COUNT, IN(config_server, restart_window_secs), .standard = "300",
		.least = 1, .most = 86400, .help = "seconds"},
	{"mgp.backoff_base_ms", CONFIG_COUNT, IN(config_server, backoff_base_ms), .standard = "1000", .least = 1,
		.most = 3600000, .help = "the first pause before a restart, doubled each time"},
	{"mgp.backoff_max_ms", CONFIG_COUNT, IN(config_server, backoff_max_ms), .standard = "30000", .least = 1,
		.most = 3600000, .help = "the longest one"},
	{"mgp.share", CONFIG_CHOICE, IN(config_server, mgp_share), .standard = "default",
		.words = "default|principal|call|all", .help = "who shares one process; as share"},
	{"mgp.validators", CONFIG_STRINGS, IN(config_server, validators), .words = "=",
		.help = "by tool, or beginning and *: sandbox, readonly, network_restricted, code_safety, none (MGP 4.5)"},
	{"mgp.policy", CONFIG_CHOICE, IN(config_server, policy.permissions), .standard = "default",
		.words = "default|interactive|auto_approve|deny_all|config_only",
		.help = "how its permissions are decided; left out: kernel.policy, and so are the next"},
	{"mgp.approval", CONFIG_CHOICE, IN(config_server, policy.approval), .standard = "default",
		.words = "default|interactive|auto_approve", .help = "how dangerous calls are decided"},
	{"mgp.default_policy", CONFIG_CHOICE, IN(config_server, policy.access), .standard = "default",
		.words = "default|opt-in|opt-out", .help = "who may use it without a grant"},
	{"mgp.call_timeout", CONFIG_SPAN, IN(config_server, policy.call_timeout_ms), .most = DAY, .help = "of one call"},
	{"mgp.call_rate", CONFIG_TEXT, IN(config_server, call_rate), .help = "calls of one principal: \"10/s\", \"off\""},
	{"mgp.quota", CONFIG_TEXT, IN(config_server, quota), .help = "calls of one principal in the long run: \"1000/day\""},
	{"mgp.max_in_flight", CONFIG_COUNT, IN(config_server, policy.max_in_flight), .most = 100000,
		.help = "calls of one principal at a time"},
	{"mgp.decision_ttl", CONFIG_SPAN, IN(config_server, policy.decision_ttl_ms), .most = 365 * DAY,
		.help = "how long people are asked"},
	{"mgp.health_interval", CONFIG_SPAN, IN(config_server, policy.health_interval_ms), .most = DAY,
		.help = "between two looks at its health (MGP 11.3)"},
	{"mgp.code_safety", CONFIG_ANY, LATER(0), .help = "its code safety validator (MGP 7)"},
	{0},
};
static const struct config_items server_items = {server_keys, sizeof(struct config_server)};

const struct config_key config_keys[] = {
	{"gateway.listen", CONFIG_LISTEN, CONFIG_FIXED, TO(gateway), .standard = "127.0.0.1:7410",
		.help = "where connections are accepted; port 0 takes a free one"},
	{"gateway.data", CONFIG_TEXT, CONFIG_FIXED, TO(data),
		.help = "the data folder; else $HUSTINGS_DATA, else ~/.local/share/hustings"},
	{"gateway.threads", CONFIG_COUNT, CONFIG_FIXED, TO(threads), .standard = "1", .least = 1,
		.most = GATEWAY_LOOPS, .help = "loops over which rooms are spread"},
	{"gateway.tls_cert", CONFIG_TEXT, TO(tls_cert),
		.help = "PEM file of the certificate and its chain; with it the gateway speaks https"},
	{"gateway.tls_key", CONFIG_TEXT, TO(tls_key), .help = "PEM file of its key"},
	{"gateway.allowed_hosts", CONFIG_LIST, TO(gateway.allowed_hosts),
		.help = "further names of this gateway: \"rooms.example\", \"rooms.example:8443\""},
	{"gateway.public_origin", CONFIG_TEXT, TO(gateway.public_origin),
		.help = "what clients call it, where a proxy stands before it: \"https://rooms.example\""},
	{"gateway.allowed_origins", CONFIG_LIST, TO(gateway.allowed_origins),
		.help = "web pages that may talk to it: \"https://console.example\""},
	{"gateway.max_message", CONFIG_SIZE, TO(gateway.max_message), .standard = "1MiB",
		.least = KIB(1), .most = MIB(64), .help = "the largest envelope"},
	{"gateway.max_behind", CONFIG_SIZE, TO(rooms.max_behind), .standard = "8MiB",
		.least = KIB(1), .most = GIB(1), .help = "how far a reader may lag before it is closed"},
	{"gateway.max_connections", CONFIG_COUNT, TO(gateway.max_connections), .standard = "16384",
		.least = 1, .most = 1000000, .help = "sockets at a time; the next wait"},
	{"gateway.max_handshakes", CONFIG_COUNT, TO(gateway.max_handshakes), .standard = "4096",
		.least = 1, .most = 1000000, .help = "HTTP connections at a time; the next wait"},
	{"gateway.max_backlog", CONFIG_SIZE, CONFIG_FIXED, TO(max_backlog), .standard = "1GiB",
		.least = MIB(16), .most = GIB(1024), .help = "octets in spools; beyond, envelopes are refused"},
	{"gateway.head_deadline", CONFIG_SPAN, TO(gateway.head_deadline_ms), .standard = "10s",
		.least = 100, .most = MS(3600), .help = "for a whole HTTP head"},
	{"gateway.body_deadline", CONFIG_SPAN, TO(gateway.body_deadline_ms), .standard = "30s",
		.least = 100, .most = MS(3600), .help = "for a whole HTTP body"},
	{"gateway.idle_deadline", CONFIG_SPAN, TO(gateway.idle_deadline_ms), .standard = "60s",
		.least = 100, .most = DAY, .help = "of an HTTP connection between two requests"},
	{"gateway.ping", CONFIG_SPAN, TO(rooms.ping_ms), .standard = "30s", .least = 1000,
		.most = DAY, .help = "a silent WebSocket is pinged then, and closed after as long again"},
	{"gateway.log_level", CONFIG_CHOICE, TO(log_level), .standard = "info",
		.words = "error|warning|info|debug", .help = "what the log tells"},
	{"gateway.audit_retention.age", CONFIG_SPAN, CONFIG_MAY_BE_OFF, TO(audit.age_ms),
		.standard = "365d", .most = 36500 * DAY, .help = "how long the audit trail is kept"},
	{"gateway.audit_retention.count", CONFIG_COUNT, TO(audit.count), .standard = "0",
		.most = 1000000000000, .help = "how many audit records are kept; 0: no bound"},
	{"gateway.audit_retention.bytes", CONFIG_SIZE, TO(audit.bytes), .standard = "1GiB",
		.most = GIB(1048576), .help = "how many octets of them are kept; 0: no bound"},
	{"gateway.audit_file", CONFIG_TEXT, TO(audit_file),
		.help = "a file that gets every audit record as a line of JSON (MGP 6.3)"},
	{"gateway.audit_file_size", CONFIG_SIZE, TO(audit_file_size), .standard = "64MiB",
		.most = GIB(1024), .help = "beyond, it is renamed to FILE.1 and begun anew; 0: never"},
	{"gateway.audit_file_count", CONFIG_COUNT, TO(audit_file_count), .standard = "8", .most = 1000,
		.help = "how many older ones are kept"},

	{"auth.default_privilege", CONFIG_CHOICE, TO(default_privilege), .standard = "restricted",
		.words = "restricted|full", .help = "where neither promotion, token nor rule says one"},
	{"auth.identities", CONFIG_ITEMS, TO(identities), .items = &identity_items,
		.help = "[[auth.identities]]: rules by identity; the first that fits counts"},
	{"auth.jwt.jwks", CONFIG_TEXT, TO(jwks), .help = "keys: a JWKS file or an https URL"},
	{"auth.jwt.secret", CONFIG_TEXT, CONFIG_IS_SECRET, TO(jwt.secret),
		.help = "the key of HS256, 32 octets or more"},
	{"auth.jwt.algorithms", CONFIG_CHOICES, TO(jwt.algorithms),
		.words = "HS256|RS256|PS256|ES256|EdDSA",
		.help = "the only ones accepted; default: the four others with jwks, HS256 with secret"},
	{"auth.jwt.issuer", CONFIG_TEXT, TO(jwt.issuer), .help = "what iss has to be"},
	{"auth.jwt.authorization_servers", CONFIG_LIST, TO(gateway.authorization_servers),
		.help = "who gives out tokens, for MCP clients to find; default: the issuer, if it is a URL"},
	{"auth.jwt.audience", CONFIG_TEXT, TO(jwt.audience), .help = "what aud has to hold"},
	{"auth.jwt.claim_id", CONFIG_TEXT, TO(jwt.claim_id), .standard = "sub",
		.help = "the claim that names the identity"},
	{"auth.jwt.claim_topics", CONFIG_TEXT, TO(jwt.claim_topics), .standard = "topics",
		.help = "the claim that lists topics"},
	{"auth.jwt.claim_privilege", CONFIG_TEXT, TO(jwt.claim_privilege), .standard = "privilege",
		.help = "the claim with full or restricted"},
	{"auth.jwt.claim_kind", CONFIG_TEXT, TO(jwt.claim_kind), .standard = "kind",
		.help = "the claim with human, agent or robot"},
	{"auth.jwt.claim_name", CONFIG_TEXT, TO(jwt.claim_name), .standard = "name",
		.help = "the claim with a name for people"},
	{"auth.jwt.claim_admin", CONFIG_TEXT, TO(jwt.claim_admin),
		.help = "the claim that, being true, makes an administrator; left out: none does"},
	{"auth.jwt.leeway", CONFIG_SPAN, TO(jwt.leeway_ms), .standard = "30s", .most = MS(300),
		.help = "for clocks that differ"},
	{"auth.jwt.require_topics", CONFIG_BOOL, TO(jwt.require_topics), .standard = "false",
		.help = "a token without topics enters nowhere"},

	{"rooms.create", CONFIG_CHOICE, TO(rooms.anyone_creates), .standard = "anyone",
		.words = "admin|anyone", .help = "who may join a topic that is new"},
	{"rooms.dialect", CONFIG_CHOICE, TO(rooms.dialect), .standard = "mcpx/v0.1",
		.words = "mcp-x/v0|mcpx/v0.1", .help = "of participants that do not say theirs"},
	{"rooms.pace", CONFIG_PACE, TO(rooms.pace), .standard = "200/s",
		.help = "envelopes of one participant"},
	{"rooms.proposal_pace", CONFIG_PACE, TO(rooms.proposal_pace), .standard = "10/min",
		.help = "proposals of one participant"},
	{"rooms.proposal_ttl", CONFIG_SPAN, TO(rooms.proposal_ttl_ms), .standard = "5m",
		.least = 1000, .most = 365 * DAY, .help = "how long a proposal stays open"},
	{"rooms.restricted_may_answer", CONFIG_BOOL, TO(rooms.restricted_may_answer),
		.standard = "false", .help = "restricted ones may answer requests addressed to them"},
	{"rooms.one_recipient", CONFIG_BOOL, TO(rooms.one_recipient), .standard = "true",
		.help = "a request has exactly one recipient"},
	{"rooms.strict_replies", CONFIG_BOOL, TO(rooms.strict_replies), .standard = "true",
		.help = "a result or error needs a correlation_id"},
	{"rooms.announce_violations", CONFIG_BOOL, TO(rooms.announce_violations),
		.standard = "false", .help = "the room hears of refused privileges"},
	{"rooms.history", CONFIG_BOOL, TO(rooms.history), .standard = "true",
		.help = "envelopes are kept"},
	{"rooms.durability", CONFIG_CHOICE, TO(rooms.power_safe), .standard = "process",
		.words = "process|power", .help = "what delivered envelopes survive: a kill, or a power cut"},
	{"rooms.heartbeat", CONFIG_SPAN, CONFIG_MAY_BE_OFF, TO(rooms.heartbeat_ms), .standard = "off",
		.least = 1000, .most = DAY, .help = "between two presence heartbeats"},
	{"rooms.max_rooms", CONFIG_COUNT, TO(rooms.max_rooms), .standard = "100000", .least = 1,
		.most = 10000000, .help = "open topics"},
	{"rooms.max_participants", CONFIG_COUNT, TO(rooms.max_participants), .standard = "100000",
		.least = 1, .most = 1000000, .help = "in one room"},
	{"rooms.max_connections", CONFIG_COUNT, TO(rooms.max_connections), .standard = "64",
		.least = 1, .most = 65535, .help = "of one participant in one room"},
	{"rooms.max_proposals", CONFIG_COUNT, TO(rooms.max_proposals), .standard = "1000",
		.least = 1, .most = 1000000, .help = "open ones in one room"},
	{"rooms.retention.age", CONFIG_SPAN, CONFIG_MAY_BE_OFF, TO(retention.age_ms),
		.standard = "30d", .most = 36500 * DAY, .help = "how long history is kept"},
	{"rooms.retention.count", CONFIG_COUNT, TO(retention.count), .standard = "0",
		.most = 1000000000000, .help = "how many envelopes of a topic are kept; 0: no bound"},
	{"rooms.retention.bytes", CONFIG_SIZE, TO(retention.bytes), .standard = "1GiB",
		.most = GIB(1048576), .help = "how many octets of a topic are kept; 0: no bound"},
	{"rooms.topics", CONFIG_ITEMS, TO(topics), .items = &topic_items,
		.help = "[[rooms.topics]]: another retention by topic; the first that fits counts"},

	{"kernel.tools", CONFIG_CHOICE, TO(gateway.tools), .standard = "all", .words = "all|search",
		.help = "what /mcp lists: every tool, or two that find the others (?tools= says otherwise)"},
	{"kernel.policy", CONFIG_CHOICE, TO(kernel.permissions), .standard = "default",
		.words = "default|interactive|auto_approve|deny_all|config_only",
		.help = "how permissions of servers are decided (MGP 3.3); left out: interactive, auto_approve with --open"},
	{"kernel.approval", CONFIG_CHOICE, TO(kernel.approval), .standard = "default",
		.words = "default|interactive|auto_approve",
		.help = "how dangerous calls are decided (MGP 4.4); left out: interactive, auto_approve with --open"},
	{"kernel.default_policy", CONFIG_CHOICE, TO(kernel.access), .standard = "default",
		.words = "default|opt-in|opt-out",
		.help = "who may use servers without a grant (MGP 5.5); left out: opt-in, opt-out with --open"},
	{"kernel.gates", CONFIG_BOOL, CONFIG_FIXED, TO(has_gates), .standard = "true",
		.help = "false: calls pass no gates and leave no records. For measuring, with --open on loopback alone"},
	{"kernel.audit_server", CONFIG_TEXT, TO(audit_server), .help = "the hosted server that audit events are forwarded to (MGP 6.3)"},
	{"kernel.register_allow", CONFIG_LIST, CONFIG_OF_WORDS, TO(register_allow),
		.help = "commands that may be registered without a question (MGP 15.4): [[\"python3\", \"server.py\"]]"},
	{"kernel.call_timeout", CONFIG_SPAN, TO(kernel.call_timeout_ms), .standard = "60s", .most = DAY,
		.help = "of one call"},
	{"kernel.call_rate", CONFIG_TEXT, TO(call_rate), .standard = "off",
		.help = "calls of one principal at one server: \"10/s\", \"off\""},
	{"kernel.quota", CONFIG_TEXT, TO(quota), .standard = "off",
		.help = "the same in the long run: \"1000/day\""},
	{"kernel.max_in_flight", CONFIG_COUNT, TO(kernel.max_in_flight), .standard = "1024", .least = 1, .most = 100000,
		.help = "calls of one principal at one server at a time"},
	{"kernel.decision_ttl", CONFIG_SPAN, TO(kernel.decision_ttl_ms), .standard = "5m", .least = 1000,
		.most = 365 * DAY, .help = "how long people are asked about permissions and calls; no answer is a no"},
	{"kernel.health_interval", CONFIG_SPAN, TO(kernel.health_interval_ms), .standard = "15s", .least = 100,
		.most = DAY, .help = "between two looks at a server's health (MGP 11.3)"},
	{"kernel.pinned", CONFIG_LIST, TO(pinned),
		.help = "tools that always stand in a client's context (MGP 16.7): \"server.tool\""},
	{"kernel.tool_context_budget.max_tokens", CONFIG_COUNT, TO(tool_budget.max_tokens), .standard = "8000",
		.most = 10000000, .help = "of all definitions in one client's context (MGP 16.8); a token is four characters"},
	{"kernel.tool_context_budget.pinned_reserve", CONFIG_COUNT, TO(tool_budget.pinned_reserve), .standard = "2000",
		.most = 10000000, .help = "what the pinned ones should cost at most; more is warned about"},
	{"kernel.tool_context_budget.discovery_reserve", CONFIG_COUNT, TO(tool_budget.discovery_reserve),
		.standard = "3000", .most = 10000000, .help = "of one answer of mgp/tools/discover"},
	{"kernel.tool_context_budget.cache_limit", CONFIG_COUNT, TO(tool_budget.cache_limit), .standard = "3000",
		.most = 10000000, .help = "of those that were used or loaded; then the least recently used one leaves"},
	{"kernel.creating", CONFIG_BOOL, TO(creating), .standard = "false",
		.help = "agents that run code may make a tool that is missing (MGP 16.6), under policy auto_approve"},
	{"kernel.embeddings.url", CONFIG_TEXT, TO(embeddings.url),
		.help = "a provider of embeddings that helps to find tools, like https://HOST/v1/embeddings; texts of tools and what is searched for go there"},
	{"kernel.embeddings.model", CONFIG_TEXT, TO(embeddings.model), .help = "the model that is asked for"},
	{"kernel.embeddings.key", CONFIG_TEXT, CONFIG_IS_SECRET, TO(embeddings.key),
		.help = "sent to it as a bearer token; better from a variable or a file: \"${file:/etc/hustings/key}\""},
	{"kernel.embeddings.timeout", CONFIG_SPAN, TO(embeddings.timeout_ms), .standard = "300ms", .least = 10,
		.most = MS(60), .help = "how long a search waits for it; then words alone answer"},
	{"kernel.embeddings.batch", CONFIG_COUNT, TO(embeddings.batch), .standard = "64", .least = 1,
		.most = EMBEDDING_BATCH, .help = "tools in one request"},
	{"kernel.embeddings.dimensions", CONFIG_COUNT, TO(embeddings.dimensions), .standard = "0",
		.most = SEARCH_DIMENSIONS, .help = "numbers of a vector, for models that can be asked for fewer; 0: as many as it has"},
	{"decide.ttl", CONFIG_SPAN, TO(decide.ttl_ms), .standard = "5m", .least = 1000,
		.most = 365 * DAY, .help = "how long a question to people is open; no answer is a no"},
	{"decide.max_open", CONFIG_COUNT, TO(decide.max_open), .standard = "1000", .least = 1,
		.most = 100000, .help = "questions that are open, and approvals that still hold, at a time"},
	{"decide.max_open_per_requester", CONFIG_COUNT, TO(decide.max_open_per_requester),
		.standard = "32", .least = 1, .most = 100000, .help = "open questions of one requester"},
	{"decide.early_error", CONFIG_CHOICE, TO(decide.early), .standard = "declared", .words = "declared|always|never",
		.help = "who hears at once that a call waits for its authorization"},
	{"decide.webhook_url", CONFIG_TEXT, TO(decide.webhook_url),
		.help = "a place that is told of every decision by a signed POST"},
	{"decide.webhook_secret", CONFIG_TEXT, CONFIG_IS_SECRET, TO(decide.webhook_secret),
		.help = "signs what it is told: whsec_ and Base64, or 16 octets and more"},
	{"decide.policy_hook", CONFIG_TEXT, TO(policy_hook),
		.help = "asked before people are: a URL, or a command and its arguments with blanks between"},
	{"flow.enabled", CONFIG_BOOL, TO(has_flow), .standard = "true", .help = "guided sessions, and forms for what a call lacks"},
	{"flow.stateless", CONFIG_BOOL, TO(flow.is_stateless), .standard = "false",
		.help = "sessions live in tokens that their clients carry"},
	{"flow.timeout", CONFIG_SPAN, TO(flow.timeout_ms), .standard = "5m", .least = 1000, .most = DAY,
		.help = "how long a session waits for an answer, or for its tool"},
	{"flow.max_sessions_per_principal", CONFIG_COUNT, TO(flow.most_of_one), .standard = "100", .least = 1,
		.most = 100000, .help = "open sessions of one principal"},
	{"flow.max_prompts_per_session", CONFIG_COUNT, TO(flow.prompts), .standard = "100", .least = 1, .most = 1000000,
		.help = "questions of one session, refused answers included"},
	{"flow.max_session_duration", CONFIG_SPAN, TO(flow.duration_ms), .standard = "1h", .least = 1000,
		.most = 365 * DAY, .help = "how long a session lives in all"},
	{"flow.pace", CONFIG_PACE, TO(flow.pace), .standard = "200/s", .help = "what is asked of one session"},
	{"cluster", CONFIG_NOTHING, LATER(0), .help = "many machines: no keys yet"},
	{"servers", CONFIG_ITEMS, TO(servers), .items = &server_items,
		.help = "[[servers]]: hosted MCP servers (MGP 15.2)"},
	{0},
};

const struct config_key *config_key_find(const struct config_key *keys, struct slice name) {
	for (; keys->name; keys++)
		if (slice_is(name, keys->name)) return keys;
	return NULL;
}

bool config_key_is_section(const struct config_key *keys, struct slice name) {
	for (; keys->name; keys++) {
		if (strlen(keys->name) > name.length && keys->name[name.length] == '.' &&
			memcmp(keys->name, name.bytes, name.length) == 0)
			return true;
	}
	return false;
}

const char *config_key_nearest(const struct config_key *keys, struct slice name) {
	struct nearest nearest;
	nearest_init(&nearest, name);
	for (; keys->name; keys++) nearest_try(&nearest, keys->name);
	return nearest.best;
}

const char *config_kind_text(enum config_kind kind) {
	static const char *const texts[CONFIG_KINDS] = {
		[CONFIG_TEXT] = "a string",
		[CONFIG_PATTERN] = "a string",
		[CONFIG_BOOL] = "true or false",
		[CONFIG_COUNT] = "an integer",
		[CONFIG_SIZE] = "a size like \"64KiB\", or octets",
		[CONFIG_SPAN] = "a span of time like \"5m\", or seconds",
		[CONFIG_PACE] = "a pace like \"200/s\", or \"off\"",
		[CONFIG_CHOICE] = "a word",
		[CONFIG_CHOICES] = "a list of words",
		[CONFIG_LIST] = "a list of strings",
		[CONFIG_LISTEN] = "a HOST:PORT",
		[CONFIG_ITEMS] = "an array of tables",
		[CONFIG_STRINGS] = "a table of strings",
		[CONFIG_ANY] = "any value",
		[CONFIG_NOTHING] = "an empty table",
	};
	return texts[kind];
}

void config_key_variable(const struct config_key *key, char variable[96]) {
	size_t length = (size_t)snprintf(variable, 96, "HUSTINGS_%s", key->name);
	for (size_t i = 0; i < length && i < 95; i++) {
		if (variable[i] == '.') variable[i] = '_';
		if (variable[i] >= 'a' && variable[i] <= 'z') variable[i] = (char)(variable[i] - 'a' + 'A');
	}
}
