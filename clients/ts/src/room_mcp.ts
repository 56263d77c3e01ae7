// SPDX-License-Identifier: Apache-2.0
/**
 * Room MCP: what participants say to one another by MCP: our requests and their answers, what they ask us, whom we
 * know, and the tools of our own. Its room hands it every envelope of that kind, and sends what it says.
 */

import { asFault, type HustingsError } from './fault.js';
import { isFlowPush } from './flow.js';
import type { Envelope, EnvelopeWish, McpMessage } from './records.js';
import type { RoomOptions } from './room_options.js';
import { Peers } from './room_peers.js';
import { Questions, type RequestOptions } from './room_questions.js';
import { Service } from './room_service.js';

export interface McpMeans {
	options: RoomOptions;
	send(envelope: EnvelopeWish, options?: { signal?: AbortSignal }): Promise<Envelope>;
	/** Our id. */
	self(): string;
	/** Whether no other connection of our identity may have an answer to what is asked of it. */
	speaks(): boolean;
	/** A request for whoever listens for those. False: nobody does. */
	hand(envelope: Envelope): boolean;
}

const MOST_OWNERS = 1000;
const INPUTS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

export class RoomMcp {
	readonly questions: Questions;
	readonly peers: Peers;
	readonly service: Service;
	/** Somebody here leads guided sessions: what is pushed of them is acknowledged. */
	leadsFlows = false;
	/** Another connection of our identity has tools, and answers what is asked of it. */
	#isOther = false;
	readonly #means: McpMeans;
	readonly #owners = new Map<string, string>(); /* of open authorizations */

	constructor(means: McpMeans) {
		this.#means = means;
		this.questions = new Questions(means);
		const request = (to: string, method: string, params?: any, options?: RequestOptions) =>
			this.questions.ask(to, method, params, options);
		this.peers = new Peers({
			request,
			notify: (to, method, params) => this.notify([to], method, params),
			introduction: () => this.#introduction(),
		});
		this.service = new Service({
			say: (to, about, message) => this.#say(to, about, message),
			request,
			name: () => means.self(),
			announce: () => void this.notify(undefined, 'notifications/tools/list_changed').catch(() => {}),
		});
		if (means.options.tools) this.service.offer(means.options.tools, false);
	}

	#introduction(): { capabilities: any; clientInfo: any } {
		const { onInput, capabilities } = this.#means.options;
		const streaming = { mgp: { version: '0.2.0', extensions: ['streaming'] } };
		return {
			capabilities: { ...streaming, ...(onInput ? { elicitation: {} } : {}), ...capabilities },
			clientInfo: { name: this.#means.self(), version: '0' },
		};
	}

	// ---- Saying ----

	notify(to: string[] | undefined, method: string, params?: any, correlationId?: string): Promise<Envelope> {
		return this.#means.send({
			kind: 'mcp',
			...(to === undefined ? {} : { to }),
			...(correlationId === undefined ? {} : { correlation_id: correlationId }),
			payload: { jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) },
		});
	}

	answer(request: Envelope, answer: Pick<McpMessage, 'result' | 'error'>): Promise<Envelope> {
		return this.#means.send({
			kind: 'mcp',
			to: [request.from],
			correlation_id: request.id,
			payload: { jsonrpc: '2.0', id: (request.payload as McpMessage).id ?? null, ...answer },
		});
	}

	#say(to: string, about: string, message: Partial<McpMessage>): void {
		const payload = { jsonrpc: '2.0', ...message };
		this.#means.send({ kind: 'mcp', to: [to], correlation_id: about, payload }).catch(() => {});
	}

	// ---- Hearing ----

	/** Every envelope of kind mcp, ours and old ones too. */
	note({ from, payload }: Envelope): void {
		const isAsked = payload?.method === 'notifications/authorization/request';
		const id = isAsked ? payload.params?.id : undefined;
		if (typeof id !== 'string') return;
		if (this.#owners.size >= MOST_OWNERS) this.#owners.delete(this.#owners.keys().next().value as string);
		this.#owners.set(id, from);
	}

	/** Of our identity, and not by us: who has tools there speaks for it from now on. */
	noteOther({ payload }: Envelope): void {
		const { method, result } = (payload ?? {}) as McpMessage;
		const hasTools = result?.capabilities?.tools !== undefined || result?.tools?.length > 0;
		if (method === 'notifications/tools/list_changed' || hasTools) this.#isOther = true;
	}

	/** Whose tool an authorization is about. */
	ownerOf(authorizationId: string): string | undefined {
		return this.#owners.get(authorizationId);
	}

	/** Another participant's. `isPast`: so old that nobody waits for an answer to it. */
	take(envelope: Envelope, isPast: boolean): void {
		const message = envelope.payload as McpMessage;
		const isToUs = envelope.to?.includes(this.#means.self()) ?? false;
		const isToAll = (envelope.to?.length ?? 0) === 0;
		if (message?.method === 'notifications/tools/list_changed' && (isToUs || isToAll))
			this.peers.changed(envelope.from);
		if (!isToUs || this.questions.take(envelope) || isPast) return;
		if (message?.method === 'notifications/cancelled') this.service.cancelled(envelope.from, message.params);
		else if (message?.method !== undefined && message.id !== undefined) this.#asked(envelope, message.method);
	}

	#asked(envelope: Envelope, method: string): void {
		if (this.#means.options.onInput && INPUTS.includes(method)) void this.#input(envelope, method);
		else if (this.leadsFlows && isFlowPush(method))
			this.answer(envelope, { result: { acknowledged: true } }).catch(() => {});
		else if (this.service.knows(method) || !this.#means.hand(envelope)) {
			if (!this.service.take(envelope)) this.#refuse(envelope, method);
		}
	}

	/** Nobody here answers that; who asks need not wait to find out. Questions during a call are for who called. */
	#refuse(envelope: Envelope, method: string): void {
		if (this.#isOther || !this.#means.speaks() || INPUTS.includes(method) || isFlowPush(method)) return;
		const answer =
			method === 'ping'
				? { result: {} }
				: method === 'tools/list'
					? { result: { tools: [] } }
					: { error: { code: -32601, message: `there is no method ${method} here` } };
		this.answer(envelope, answer).catch(() => {});
	}

	async #input(envelope: Envelope, method: string): Promise<void> {
		const { from, payload } = envelope;
		let answer: Pick<McpMessage, 'result' | 'error'>;
		try {
			const result = await this.#means.options.onInput?.({ from, method, params: payload.params, envelope });
			answer = { result: result ?? { action: 'cancel' } };
		} catch (error) {
			answer = { error: { code: -32603, message: asFault(error).message } };
		}
		await this.answer(envelope, answer).catch(() => {});
	}

	/** A participant has gone. */
	left(id: string): void {
		this.peers.left(id);
		this.questions.left(id);
		this.service.left(id);
	}

	close(why: HustingsError): void {
		this.service.close();
		this.questions.failAll(why);
	}
}
