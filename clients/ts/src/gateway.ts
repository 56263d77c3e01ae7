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

export class Gateway {
	readonly url: string;
	readonly #address: Address;

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

	session(): Promise<Session> {
		return this.request('GET', '/v0/session');
	}

	signIn(how: { token: string } | { ticket: string }): Promise<Session> {
		return this.request('POST', '/v0/session', how);
	}

	async signOut(): Promise<void> {
		await this.request('DELETE', '/v0/session');
	}

	// ---- Rooms ----

	async topics(): Promise<Topic[]> {
		return (await this.request('GET', '/v0/topics')).topics;
	}

	async participants(topic: string): Promise<Participant[]> {
		return (await this.request('GET', `/v0/topics/${part(topic)}/participants`)).participants;
	}

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

	withdrawProposal(topic: string, id: string, reason?: string): Promise<any> {
		return this.request(
			'POST',
			`/v0/topics/${part(topic)}/proposals/${part(id)}/withdraw`,
			reason === undefined ? undefined : { reason },
		);
	}

	rejectProposal(topic: string, id: string, reason?: string): Promise<any> {
		return this.request(
			'POST',
			`/v0/topics/${part(topic)}/proposals/${part(id)}/reject`,
			reason === undefined ? undefined : { reason },
		);
	}

	/** Joins: the room connects by itself, and again when its connection breaks, until it is closed. */
	join(topic: string, options: RoomOptions = {}): Room {
		return new Room(this.#address, this, topic, options);
	}

	/** A one-use ticket for a WebSocket of another program. */
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

	decision(id: string): Promise<Decision> {
		return this.#record('GET', `/admin/decisions/${part(id)}`);
	}

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

	/** What waits, then every change as it comes. */
	watchDecisions(on: DecisionListener, options: DecisionWatchOptions = {}): Watch {
		return watchDecisions(this.#address, this, on, options);
	}

	// ---- Servers ----

	async servers(): Promise<ServerRecord[]> {
		return (await this.request('GET', '/admin/servers')).servers;
	}

	server(id: string): Promise<ServerRecord> {
		return this.request('GET', `/admin/servers/${part(id)}`);
	}

	addServer(body: ServerWish): Promise<ServerRecord> {
		return this.request('POST', '/admin/servers', body);
	}

	async removeServer(id: string): Promise<void> {
		await this.request('DELETE', `/admin/servers/${part(id)}`);
	}

	restartServer(id: string): Promise<any> {
		return this.request('POST', `/admin/servers/${part(id)}/restart`);
	}

	/** The last lines that it wrote to stderr. */
	async serverLog(id: string): Promise<string> {
		return (await this.#address.ask('GET', `/admin/servers/${part(id)}/log`, undefined, { accept: '*/*' })).text;
	}

	revokePermission(server: string, permission: string): Promise<any> {
		return this.request('DELETE', `/admin/servers/${part(server)}/permissions/${part(permission)}`);
	}

	// ---- Tokens, grants, privileges ----

	async tokens(): Promise<TokenRecord[]> {
		return (await this.request('GET', '/admin/tokens')).tokens;
	}

	/** The token's text is shown this once. */
	createToken(wish: TokenWish): Promise<NewToken> {
		return this.request('POST', '/admin/tokens', wish);
	}

	revokeToken(tokenId: string): Promise<{ revoked: number }> {
		return this.request('DELETE', `/admin/tokens/${part(tokenId)}`);
	}

	/** All tokens of an identity. */
	revokeTokensOf(id: string): Promise<{ revoked: number }> {
		return this.request('DELETE', `/admin/tokens${query({ id })}`);
	}

	async grants(filter: { agent?: string; server?: string } = {}): Promise<Grant[]> {
		return (await this.request('GET', `/admin/grants${query(filter)}`)).grants;
	}

	addGrant(grant: Partial<Grant> & Pick<Grant, 'entry_type' | 'agent_id' | 'server_id'>): Promise<Grant> {
		return this.request('POST', '/admin/grants', grant);
	}

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

	promote(id: string, topic?: string): Promise<any> {
		return this.request('POST', `/admin/participants/${part(id)}/promote${query({ topic })}`);
	}

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

	/** Records as they come; with `since` those from then on first, with `limit` that many of the last. */
	followAudit(filter: AuditFilter & { limit?: number }, on: AuditListener): Watch {
		return followAudit(this.#address, filter, on);
	}

	auditStatistics(
		filter: AuditFilter & { by?: 'type' | 'actor' | 'server' | 'hour'; limit?: number } = {},
	): Promise<AuditStatistics> {
		return this.request('GET', `/admin/audit/statistics${query({ ...filter })}`);
	}

	async metrics(): Promise<Metrics> {
		return readMetrics((await this.#address.ask('GET', '/metrics', undefined, { accept: 'text/plain, */*' })).text);
	}

	// ---- MCP ----

	/** MCP over HTTP: '/mcp' (all hosted servers), '/mcp/servers/files', '/mcp/rooms/demo'. */
	mcp(face = '/mcp', options: FaceOptions = {}): Face {
		return new Face(this.#address, face, options);
	}
}
