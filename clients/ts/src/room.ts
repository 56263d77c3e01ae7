// SPDX-License-Identifier: Apache-2.0
/**
 * Room: a place in a room. It connects by itself and again after a break, goes on behind the last envelope without gap
 * or repeat, and sends again what had no echo. Its owner closes it; the gateway ends it when the place is another's
 * (4001), the token is no longer good (4003), or too much was said for too long (1008).
 */

import type { Address } from './address.js';
import { respond, type AuthorizationAnswer } from './authorization.js';
import { Emitter } from './emitter.js';
import { faultOfRefusal, faultOfRpc, HustingsError, ownFault } from './fault.js';
import { Flow } from './flow.js';
import { freshId, untilAborted } from './patience.js';
import { keepRaw, keepRawOfEach } from './raw.js';
import type {
	Envelope,
	EnvelopeWish,
	McpMessage,
	Participant,
	Presence,
	SystemEvent,
	Tool,
	Welcome,
} from './records.js';
import { Intake } from './room_intake.js';
import { RoomLink, type Closing } from './room_link.js';
import { RoomMcp } from './room_mcp.js';
import type { RoomEvents, RoomOptions, RoomState } from './room_options.js';
import { Outbox } from './room_outbox.js';
import type { RequestOptions } from './room_questions.js';
import { Roster } from './room_roster.js';
import type { OwnTool } from './room_service.js';

interface Histories {
	history(
		topic: string,
		options?: { limit?: number; before?: string; signal?: AbortSignal },
	): Promise<{ envelopes: Envelope[]; nextBefore: string | null }>;
	participants(topic: string): Promise<Participant[]>;
}

const ECHO_MS = 30_000; /* without an echo, and without any other word: the connection is dead */

/**
 * A place in a room, made by Gateway.join(). It lives until close(), its signal, or the gateway ends it; then its state
 * is "closed", and whatever waits is rejected with the fault why. Its functions reject with a HustingsError; times that
 * one gives are milliseconds, those of envelopes RFC 3339.
 */
export class Room extends Emitter<RoomEvents> {
	/** Of the room, as it was joined. */
	readonly topic: string;
	readonly #gateway: Histories;
	readonly #options: RoomOptions;
	readonly #link: RoomLink;
	readonly #intake: Intake;
	readonly #outbox = new Outbox();
	readonly #roster = new Roster((presence) => this.#moved(presence));
	readonly #mcp: RoomMcp;
	#state: RoomState = 'connecting';
	#me: Participant | undefined;
	#fault: HustingsError | undefined;
	#echoDue: ReturnType<typeof setTimeout> | undefined;
	#heardAt = 0;
	#inSince = 0; /* by the gateway's clock */

	constructor(address: Address, gateway: Histories, topic: string, options: RoomOptions) {
		super();
		this.topic = topic;
		this.#gateway = gateway;
		this.#options = options;
		this.#intake = new Intake(options.history ?? 0, options.since);
		this.#mcp = new RoomMcp({
			options,
			send: (envelope, more) => this.send(envelope, more),
			self: () => this.#me?.id ?? '',
			/*
			 * People have several connections; who sits beside leaves it to who does not; what a restricted one
			 * answers is refused.
			 */
			speaks: () =>
				!options.beside &&
				!!this.#me &&
				this.#me.kind !== 'human' &&
				!this.#me.mcp &&
				this.#me.privilege !== 'restricted',
			hand: (envelope) => this.hasListener('request') && (this.emit('request', envelope), true),
		});
		this.#link = new RoomLink(address, {
			path: () => this.#path(),
			probe: () => gateway.participants(topic),
			dialling: () => this.#enter('connecting'),
			frame: (text) => this.#frame(text),
			broken: (why) => this.#broken(why),
			ended: (why, fault) => this.#ended(why, fault),
		});
		options.signal?.addEventListener('abort', this.#close, { once: true });
		/* Listeners and tools that are given right behind join() are there before anything happens. */
		queueMicrotask(() => (options.signal?.aborted ? this.close() : this.#link.dial()));
	}

	/** "connecting", "open", "waiting" (for the next try) or "closed" (for good). */
	get state(): RoomState {
		return this.#state;
	}

	/** Who we are here, once we were let in. */
	get me(): Participant | undefined {
		return this.#me;
	}

	/** Everybody else, by id. */
	get participants(): Map<string, Participant> {
		return this.#roster.all;
	}

	/** The last envelope that history keeps: `since` of a later join. */
	get lastId(): string | undefined {
		return this.#intake.last;
	}

	/** Settles when we are in; rejects when the room is closed. */
	opened(): Promise<this> {
		if (this.#state === 'open') return Promise.resolve(this);
		return new Promise((done, failed) => {
			if (this.#state === 'closed') return failed(this.#fault);
			const end = this.on('state', (state) => {
				if (state !== 'open' && state !== 'closed') return;
				end();
				if (state === 'open') done(this);
				else failed(this.#fault);
			});
		});
	}

	/** Leaves for good; what waits for an answer is rejected. */
	close(): void {
		this.#link.close();
	}

	#close = () => this.close();

	// ---- Saying ----

	/**
	 * Settles with the echo, which means that it is stored; rejects when it is refused. While there is no connection
	 * it waits. In a room without echoes it settles when a connection has taken it, which says no more than that. A
	 * signal takes back what was not sent yet.
	 */
	send(wish: EnvelopeWish, options: { signal?: AbortSignal } = {}): Promise<Envelope> {
		if (this.#state === 'closed') return Promise.reject(this.#fault ?? ownFault('closed', 'the room is closed'));
		const envelope = { protocol: 'mcpx/v0.1', ...wish, id: wish.id ?? freshId() } as Envelope;
		const text = JSON.stringify(envelope);
		const echo = this.#outbox.add(envelope.id, text, options.signal);
		if (this.#link.isIn) this.#flush(false);
		return echo;
	}

	/** Says something, to all or to some; everybody in the room sees it all the same. Settles as send() does. */
	chat(
		text: string,
		to?: string | string[],
		options: { format?: 'plain' | 'markdown'; correlationId?: string; signal?: AbortSignal } = {},
	): Promise<Envelope> {
		const { format, correlationId, signal } = options;
		return this.send(
			{ kind: 'chat', ...addressed(to), ...about(correlationId), payload: { text, ...(format && { format }) } },
			{ signal },
		);
	}

	/** Proposes an MCP request that a participant with full privilege may fulfil. Settles as send() does. */
	propose(
		to: string,
		method: string,
		params?: any,
		options: { reason?: string; signal?: AbortSignal } = {},
	): Promise<Envelope> {
		const { reason, signal } = options;
		const payload = {
			method,
			...(params === undefined ? {} : { params }),
			...(reason === undefined ? {} : { reason }),
		};
		return this.send({ kind: 'mcp/proposal', to: [to], payload }, { signal });
	}

	/** An MCP request to a participant: its result; its error rejects, as do "left", "timeout" and a signal's reason. */
	request(to: string, method: string, params?: any, options: RequestOptions = {}): Promise<any> {
		return this.#mcp.questions.ask(to, method, params, options);
	}

	/** An MCP notification, to one, several or all. */
	notify(to: string | string[] | undefined, method: string, params?: any, correlationId?: string): Promise<Envelope> {
		return this.#mcp.notify(typeof to === 'string' ? [to] : to, method, params, correlationId);
	}

	/** Answers an MCP request to us that a listener of `request` got. Settles as send() does. */
	answer(request: Envelope, answer: Pick<McpMessage, 'result' | 'error'>): Promise<Envelope> {
		return this.#mcp.answer(request, answer);
	}

	// ---- Other participants ----

	/** Introduces us to a participant, once until it leaves: what it says of itself. It has a minute to answer. */
	introduce(to: string): Promise<any> {
		return this.#mcp.peers.introduce(to);
	}

	/** All tools of a participant; remembered until it says that they have changed, or leaves. */
	tools(to: string): Promise<Tool[]> {
		return this.#mcp.peers.tools(to);
	}

	/**
	 * Calls a tool of a participant: its result, also one with `isError`. Rejects with its error, with "left" when it
	 * goes, with "timeout" after `timeoutMs` without a word of it (ten minutes), and with the signal's reason.
	 */
	async callTool(
		to: string,
		name: string,
		args: { [name: string]: any } = {},
		options: RequestOptions = {},
	): Promise<any> {
		await untilAborted(this.introduce(to), options.signal);
		return this.request(to, 'tools/call', { name, arguments: args }, options);
	}

	/** Guided sessions of a participant's tools (MCP Flow). What it holds lasts as long as the room. */
	flow(to: string): Flow {
		this.#mcp.leadsFlows = true;
		return new Flow({
			ask: async (method, params, options) => {
				await untilAborted(this.introduce(to), options?.signal);
				return this.request(to, method, params, options);
			},
			hear: (heard) =>
				this.on('envelope', ({ from, kind, payload }) => {
					if (from === to && kind === 'mcp' && typeof payload?.method === 'string') heard(payload);
				}),
		});
	}

	/** Tools of our own from now on, in place of those before. */
	serve(tools: OwnTool[]): void {
		this.#mcp.service.offer(tools, this.#link.isIn);
	}

	/** Decides about a call that somebody's tool asks about (MCPx ADR-001). */
	respond(authorizationId: string, granted: boolean, reason?: string, validUntil?: string): Promise<any> {
		return this.authorize({ authorizationId, granted, reason, validUntil });
	}

	/** The same; `owner`: whose tool it is, where its question did not come through this room. */
	authorize(answer: AuthorizationAnswer & { owner?: string }): Promise<any> {
		const owner = answer.owner ?? this.#mcp.ownerOf(answer.authorizationId);
		if (owner === undefined)
			return Promise.reject(
				ownFault('unknown_authorization', 'nobody here has asked that: say whose tool it is (owner)'),
			);
		return respond(this, owner, answer);
	}

	/** A page of what was said, the newest first, at most 1000; `before` is an envelope's id or a time. */
	history(options?: {
		limit?: number;
		before?: string;
		signal?: AbortSignal;
	}): Promise<{ envelopes: Envelope[]; nextBefore: string | null }> {
		return this.#gateway.history(this.topic, options);
	}

	// ---- The connection ----

	#path(): string {
		const { echo, name, kind, beside } = this.#options;
		const words = new URLSearchParams({ topic: this.topic, protocol: 'mcpx/v0.1', ...this.#intake.query() });
		if (echo === false) words.set('echo', '0');
		if (beside) words.set('beside', '1');
		if (name !== undefined) words.set('name', name);
		if (kind !== undefined) words.set('kind', kind);
		if (this.#mcp.service.isOn) words.set('mcp', '2025-06-18');
		return `/v0/ws?${words}`;
	}

	#enter(state: RoomState, why?: Closing): void {
		if (this.#state === 'closed') return;
		this.#state = state;
		this.emit('state', state, why);
	}

	#broken(why: Closing): void {
		if ([1002, 1003, 1007, 1009].includes(why.code))
			this.#outbox.failSent(
				ownFault('too_large', why.reason || `the gateway closed the connection over it (${why.code})`),
			);
		clearTimeout(this.#echoDue);
		this.#enter('waiting', why);
	}

	#ended(why: Closing, fault: HustingsError): void {
		this.#fault = fault;
		this.#options.signal?.removeEventListener('abort', this.#close);
		clearTimeout(this.#echoDue);
		this.#enter('closed', why);
		this.#outbox.failAll(fault);
		this.#mcp.close(fault);
	}

	#flush(again: boolean): void {
		const mute = this.#options.echo === false;
		this.#outbox.flush(again, (text) => {
			const isTaken = this.#link.send(text);
			if (isTaken && mute) this.#outbox.echoed(JSON.parse(text));
			return isTaken;
		});
		this.#awaitEcho();
	}

	/** A connection can be dead without a word: then neither echo nor anything else comes. */
	#awaitEcho(): void {
		clearTimeout(this.#echoDue);
		if (this.#outbox.oldest === undefined) return;
		this.#echoDue = setTimeout(() => {
			const oldest = this.#outbox.oldest;
			if (oldest === undefined || !this.#link.isIn) return;
			if (Date.now() - Math.max(oldest, this.#heardAt) >= ECHO_MS) this.#link.drop('nothing comes back');
			else this.#awaitEcho();
		}, ECHO_MS);
	}

	// ---- What arrives ----

	#frame(text: string): void {
		let envelope: Envelope;
		try {
			envelope = JSON.parse(text);
		} catch {
			return; /* what is none is for the gateway to refuse */
		}
		if (
			envelope === null ||
			typeof envelope !== 'object' ||
			typeof envelope.id !== 'string' ||
			typeof envelope.from !== 'string'
		)
			return;
		keepRaw(envelope, text);
		this.#heardAt = Date.now();
		if (this.#link.isIn) this.#take(envelope);
		else if (envelope.kind === 'system' && envelope.payload?.event === 'welcome') this.#welcome(envelope, text);
	}

	#welcome(envelope: Envelope, text: string): void {
		const welcome = envelope.payload as Welcome;
		const again = this.#me !== undefined;
		keepRawOfEach(welcome.history?.envelopes, text, ['payload', 'history', 'envelopes']);
		const { shown, mayLack } = this.#intake.welcome(welcome.history?.envelopes ?? [], envelope.ts);
		this.#me = welcome.participant;
		this.#link.entered();
		if (again) this.#mcp.peers.forgetAll();
		else this.#inSince = Date.parse(envelope.ts) || Date.now();
		this.#roster.welcome(welcome, again);
		if (welcome.participants_total !== undefined) void this.#completeRoster();
		this.emit('welcome', welcome, again);
		this.#enter('open');
		for (const one of shown) this.#show(one, true);
		if (mayLack) void this.#findGap(welcome, shown[0]);
		this.#flush(true);
		/* Our other connections do not see us come: they hear it by this, and leave requests to us. */
		if (this.#options.beside && this.#me.privilege !== 'restricted' && this.#mcp.service.hasTools) this.#mcp.service.announce();
	}

	/** More are here than a welcome lists. */
	async #completeRoster(): Promise<void> {
		const all = await this.#gateway.participants(this.topic).catch(() => []);
		this.#roster.complete(all.filter(({ id }) => id !== this.#me?.id));
	}

	/** After a break in a room that had been silent: whether the welcome held all that was said since. */
	async #findGap(welcome: Welcome, first: Envelope | undefined): Promise<void> {
		const gap = { event: 'gap', message: 'some of what was said meanwhile is not shown here: read the history' };
		if (welcome.history?.enabled === false) return void this.emit('gap', gap);
		if (!first) return;
		const before = await this.history({ limit: 1, before: first.id }).catch(() => undefined);
		if (before && before.envelopes.length > 0 && this.#state !== 'closed') this.emit('gap', gap);
	}

	#take(envelope: Envelope): void {
		if (!this.#intake.take(envelope, this.#outbox.isRepeated(envelope.id))) {
			this.#outbox.echoed(envelope); /* a repeated one is an echo all the same */
			return;
		}
		this.#show(envelope, this.#intake.isPast(envelope));
	}

	#show(envelope: Envelope, isPast: boolean): void {
		const isOurs = envelope.from === this.#me?.id;
		const isEcho = isOurs && this.#outbox.echoed(envelope);
		if (envelope.kind === 'presence') this.#roster.take(envelope.payload as Presence, this.#me?.id);
		if (envelope.kind === 'mcp') this.#mcp.note(envelope);
		this.emit('envelope', envelope);
		if (isEcho) this.#awaitEcho();
		if (envelope.from.startsWith('system:')) this.#heardGateway(envelope);
		else if (envelope.kind === 'mcp' && !isOurs) this.#mcp.take(envelope, isPast);
		else if (envelope.kind === 'mcp' && !isEcho && Date.parse(envelope.ts) > this.#inSince)
			this.#mcp.noteOther(envelope);
	}

	#heardGateway(envelope: Envelope): void {
		const { kind, payload, correlation_id: about } = envelope;
		/* A privilege violation: the gateway answers in the target's place (MCPx v0.1 4.4.2). */
		if (kind === 'mcp' && payload?.error !== undefined && about !== undefined) {
			const { code, message, data } = faultOfRpc(payload.error);
			this.#outbox.refuse(
				about,
				new HustingsError({ status: 403, code: data?.type ?? code, message, gate: 'privilege', data }),
			);
		}
		if (kind !== 'system') return;
		const event = payload as SystemEvent;
		if (event.event === 'error') {
			if (about !== undefined) this.#outbox.refuse(about, faultOfRefusal(event));
			this.emit('error', event);
		} else if (event.event === 'gap') this.emit('gap', event);
		else if (event.event === 'proposal') this.emit('proposal', event);
		else if (event.event === 'privilege') this.#changePrivilege(event);
	}

	#changePrivilege({ participant }: SystemEvent): void {
		if (typeof participant?.id !== 'string') return;
		if (participant.id === this.#me?.id)
			this.#me = { ...this.#me, privilege: participant.privilege } as Participant;
		this.emit('privilege', participant);
	}

	#moved(presence: Presence): void {
		if (presence.event === 'leave') this.#mcp.left(presence.participant.id);
		this.emit('presence', presence);
	}
}

const addressed = (to: string | string[] | undefined) =>
	to === undefined ? {} : { to: typeof to === 'string' ? [to] : to };
const about = (correlationId: string | undefined) =>
	correlationId === undefined ? {} : { correlation_id: correlationId };
