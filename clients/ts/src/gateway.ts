// SPDX-License-Identifier: Apache-2.0
/**
 * Gateway: a gateway's public endpoints, one function each. It keeps an address and a token, and no connection but
 * those of rooms and watches, which their owners close.
 */

import { Address, type AskOptions, type GatewayOptions } from './address.js';
import { followAudit } from './audit_watch.js';
import { watchDecisions, type DecisionListener, type DecisionWatchOptions } from './decision_watch.js';
import { Face, type FaceOptions } from './face.js';
import { readMetrics, type Metrics } from './metrics.js';
import { keepRaw, keepRawOfEach } from './raw.js';
import type {
	Answer,
	AuditFilter,
	AuditListener,
	AuditRecord,
	AuditStatistics,
	CallOutcome,
	Decision,
	DecisionKind,
	DecisionState,
	Envelope,
	Grant,
	Message,
	NewToken,
	Participant,
	Proposal,
	ServerRecord,
	ServerWish,
	Session,
	TokenRecord,
	TokenWish,
	Topic,
} from './records.js';
import { Room } from './room.js';
import type { RoomOptions } from './room_options.js';
import type { Watch } from './watch.js';

/** A query of what is there: "?a=1&b=2", or nothing. */
export function query(words: { [name: string]: string | number | boolean | null | undefined }): string {
	const all = new URLSearchParams();
	for (const [name, value] of Object.entries(words))
		if (value !== undefined && value !== null) all.set(name, String(value));
	const text = all.toString();
	return text === '' ? '' : `?${text}`;
}

const part = encodeURIComponent;

/**
 * A gateway, as one of its users sees it. It holds no connection by itself, and needs no closing.
 *
 * A function rejects with a HustingsError: 401 where nobody is signed in, 403 where it is not ours to do, 404 where
 * there is nothing of that name, 429 with `retryAfterMs` where we were too fast, "unreachable" without an answer. It
 * waits for as long as `fetch` does. What it hands out is the caller's; times are RFC 3339, unless it says otherwise.
 */
export class Gateway {
	/** Without a slash at its end. */
	readonly url: string;
	readonly #address: Address;

	/** Asks nothing yet. A TypeError where no url is given and there is no page either. */
	constructor(options: GatewayOptions = {}) {
		this.#address = new Address(options);
		this.url = this.#address.url;
	}

	/**
	 * One request; hands out what its JSON says, a text as it is, undefined for an empty answer. A refusal is thrown.
	 */
	async request(method: string, path: string, body?: unknown, options?: AskOptions): Promise<any> {
		return (await this.#address.ask(method, path, body, options)).value;
	}

	// ---- Who we are ----

	/** Who we are at the gateway, and until when. Rejects with 401 where nobody is signed in. */
	session(): Promise<Session> {
		return this.request('GET', '/v0/session');
	}

	/**
	 * Signs in: the gateway sets a cookie that no script can read, which counts from then on where no token was given.
	 * A ticket is used once, within its seconds. Rejects with 401 where it is not good, 429 after too many of those.
	 */
	signIn(how: { token: string } | { ticket: string }): Promise<Session> {
		return this.request('POST', '/v0/session', how);
	}

	/** Ends the session of the cookie; rooms and watches of it end by themselves. */
	async signOut(): Promise<void> {
		await this.request('DELETE', '/v0/session');
	}

	// ---- Rooms ----

	/** Rooms that are there and that we may enter. */
	async topics(): Promise<Topic[]> {
		return (await this.request('GET', '/v0/topics')).topics;
	}

	/** Everybody in a room, ourselves too where we are there. */
	async participants(topic: string): Promise<Participant[]> {
		return (await this.request('GET', `/v0/topics/${part(topic)}/participants`)).participants;
	}

	/** Proposals of a room that are kept; with `status` those alone. */
	async proposals(topic: string, status?: Proposal['status']): Promise<Proposal[]> {
		return (await this.request('GET', `/v0/topics/${part(topic)}/proposals${query({ status })}`)).proposals;
	}

	/** A page of what was said, the newest first; `before` is an envelope's id or a time. */
	async history(
		topic: string,
		options: { limit?: number; before?: string; signal?: AbortSignal } = {},
	): Promise<{ envelopes: Envelope[]; nextBefore: string | null }> {
		const { signal, ...page } = options;
		const { value, text } = await this.#address.ask(
			'GET',
			`/v0/topics/${part(topic)}/history${query(page)}`,
			undefined,
			{ signal },
		);
		keepRawOfEach(value.envelopes, text, ['envelopes']);
		return { envelopes: value.envelopes, nextBefore: value.next_before };
	}

	/** Says something without joining. */
	post(topic: string, message: Message): Promise<{ id: string; ts: string }> {
		return this.request('POST', `/v0/topics/${part(topic)}/messages`, message);
	}

	/** Takes a proposal of our own back. 409 where it is settled already. */
	withdrawProposal(topic: string, id: string, reason?: string): Promise<any> {
		return this.request(
			'POST',
			`/v0/topics/${part(topic)}/proposals/${part(id)}/withdraw`,
			reason === undefined ? undefined : { reason },
		);
	}

	/** Says no to a proposal; for who has full privilege there. 409 where it is settled already. */
	rejectProposal(topic: string, id: string, reason?: string): Promise<any> {
		return this.request(
			'POST',
			`/v0/topics/${part(topic)}/proposals/${part(id)}/reject`,
			reason === undefined ? undefined : { reason },
		);
	}

	/**
	 * Joins: the room connects by itself, and again when its connection breaks, until it is closed. It is handed out at
	 * once; its opened() says when we are in. Close it, or it stays for as long as the program.
	 */
	join(topic: string, options: RoomOptions = {}): Room {
		return new Room(this.#address, this, topic, options);
	}

	/** A one-use ticket for a WebSocket of another program; `expires_in` is in seconds. */
	ticket(topic: string): Promise<{ ticket: string; expires_in: number }> {
		return this.request('POST', '/v0/tickets', { topic });
	}

	// ---- Questions to people ----

	/** Those that we may see. `cut`: there are more than an answer holds. */
	async decisions(
		filter: { state?: DecisionState; kind?: DecisionKind } = {},
	): Promise<{ decisions: Decision[]; version: number; cut?: boolean }> {
		const { value, text } = await this.#address.ask('GET', `/admin/decisions${query(filter)}`);
		keepRawOfEach(value.decisions, text, ['decisions']);
		return value;
	}

	/** One of them, open or not. 404 where it is not kept any more, or not ours to see. */
	decision(id: string): Promise<Decision> {
		return this.#record('GET', `/admin/decisions/${part(id)}`);
	}

	/** Answers one. 409 where somebody else was first: its state tells of that. */
	answer(id: string, answer: Answer): Promise<Decision> {
		return this.#record('POST', `/admin/decisions/${part(id)}`, answer);
	}

	/** What became of a call that was approved; for who asked, who decides, and administrators. */
	outcome(id: string): Promise<CallOutcome> {
		return this.request('GET', `/admin/decisions/${part(id)}/outcome`);
	}

	/** Takes an approval back that still holds. */
	revoke(id: string): Promise<Decision> {
		return this.#record('DELETE', `/admin/decisions/${part(id)}`);
	}

	/** One record, whose octets are kept for rawOf(). */
	async #record(method: string, path: string, body?: unknown): Promise<any> {
		const { value, text } = await this.#address.ask(method, path, body);
		return keepRaw(value, text);
	}

	/**
	 * What waits, then every change as it comes, until it is closed. It comes back by itself after a break, and ends
	 * with a state "ended" and its fault where we may not see any (401, 403).
	 */
	watchDecisions(on: DecisionListener, options: DecisionWatchOptions = {}): Watch {
		return watchDecisions(this.#address, this, on, options);
	}

	// ---- Servers ----

	/** Hosted servers, each with its state; for administrators, as all that follows. */
	async servers(): Promise<ServerRecord[]> {
		return (await this.request('GET', '/admin/servers')).servers;
	}

	/** One of them. */
	server(id: string): Promise<ServerRecord> {
		return this.request('GET', `/admin/servers/${part(id)}`);
	}

	/** Adds one, which is kept over restarts; it may have to be approved before it begins. */
	addServer(body: ServerWish): Promise<ServerRecord> {
		return this.request('POST', '/admin/servers', body);
	}

	/** Removes one that was added; its calls end with errors. Those of the configuration stay. */
	async removeServer(id: string): Promise<void> {
		await this.request('DELETE', `/admin/servers/${part(id)}`);
	}

	/** Ends its processes and begins anew. */
	restartServer(id: string): Promise<any> {
		return this.request('POST', `/admin/servers/${part(id)}/restart`);
	}

	/** The last lines that it wrote to stderr. */
	async serverLog(id: string): Promise<string> {
		return (await this.#address.ask('GET', `/admin/servers/${part(id)}/log`, undefined, { accept: '*/*' })).text;
	}

	/** Takes a permission of a server back; tools that need it are disabled from then on. */
	revokePermission(server: string, permission: string): Promise<any> {
		return this.request('DELETE', `/admin/servers/${part(server)}/permissions/${part(permission)}`);
	}

	// ---- Tokens, grants, privileges ----

	/** All tokens, without their texts. */
	async tokens(): Promise<TokenRecord[]> {
		return (await this.request('GET', '/admin/tokens')).tokens;
	}

	/** The token's text is shown this once. */
	createToken(wish: TokenWish): Promise<NewToken> {
		return this.request('POST', '/admin/tokens', wish);
	}

	/** Revokes one: its connections are closed with 4003. */
	revokeToken(tokenId: string): Promise<{ revoked: number }> {
		return this.request('DELETE', `/admin/tokens/${part(tokenId)}`);
	}

	/** All tokens of an identity. */
	revokeTokensOf(id: string): Promise<{ revoked: number }> {
		return this.request('DELETE', `/admin/tokens${query({ id })}`);
	}

	/** Who may use which servers and tools, as far as it was said by grants. */
	async grants(filter: { agent?: string; server?: string } = {}): Promise<Grant[]> {
		return (await this.request('GET', `/admin/grants${query(filter)}`)).grants;
	}

	/** Adds or replaces a grant; `expires_at` is RFC 3339, null: for ever. */
	addGrant(grant: Partial<Grant> & Pick<Grant, 'entry_type' | 'agent_id' | 'server_id'>): Promise<Grant> {
		return this.request('POST', '/admin/grants', grant);
	}

	/** Removes the grant that has these members. */
	removeGrant(
		grant: Pick<Grant, 'entry_type' | 'agent_id' | 'server_id'> & { tool_name?: string | null },
	): Promise<any> {
		const { entry_type, agent_id, server_id, tool_name } = grant;
		return this.request('DELETE', `/admin/grants${query({ entry_type, agent_id, server_id, tool_name })}`);
	}

	/** Whether somebody may use a server or a tool, and why. */
	queryAccess(agent: string, server: string, tool?: string): Promise<any> {
		return this.request(
			'GET',
			`/admin/grants/query${query({ agent_id: agent, server_id: server, tool_name: tool })}`,
		);
	}

	/** Full privilege for somebody, in one room or in all that they may enter, at once and over restarts. */
	promote(id: string, topic?: string): Promise<any> {
		return this.request('POST', `/admin/participants/${part(id)}/promote${query({ topic })}`);
	}

	/** Restricted privilege, likewise. */
	demote(id: string, topic?: string): Promise<any> {
		return this.request('POST', `/admin/participants/${part(id)}/demote${query({ topic })}`);
	}

	// ---- The trail, and figures ----

	/** A page of the audit trail, the newest first; `before` is the nextBefore of the page before it. */
	async audit(
		filter: AuditFilter & { limit?: number; before?: number } = {},
	): Promise<{ records: AuditRecord[]; nextBefore: number | null }> {
		const page = await this.request('GET', `/admin/audit${query({ ...filter })}`);
		return { records: page.records, nextBefore: page.next_before };
	}

	/**
	 * Records as they come, until it is closed; with `since` those from then on first, with `limit` that many of the
	 * last.
	 */
	followAudit(filter: AuditFilter & { limit?: number }, on: AuditListener): Watch {
		return followAudit(this.#address, filter, on);
	}

	/** Counts of the records that fit; `limit` is how many of each list. */
	auditStatistics(
		filter: AuditFilter & { by?: 'type' | 'actor' | 'server' | 'hour'; limit?: number } = {},
	): Promise<AuditStatistics> {
		return this.request('GET', `/admin/audit/statistics${query({ ...filter })}`);
	}

	/** The figures of /metrics, by name. */
	async metrics(): Promise<Metrics> {
		return readMetrics((await this.#address.ask('GET', '/metrics', undefined, { accept: 'text/plain, */*' })).text);
	}

	// ---- MCP ----

	/**
	 * MCP over HTTP: '/mcp' (all hosted servers), '/mcp/servers/files', '/mcp/rooms/demo'. Nothing is sent before its
	 * first request; close() ends what the legacy era keeps.
	 */
	mcp(face = '/mcp', options: FaceOptions = {}): Face {
		return new Face(this.#address, face, options);
	}
}
