// SPDX-License-Identifier: Apache-2.0
/**
 * Room service: tools of our own, for the other participants. Each call can be cancelled, tells its progress, and is
 * answered once.
 */

import { HustingsError } from './fault.js';
import type { Envelope, McpMessage, Tool } from './records.js';
import type { RequestOptions } from './room_questions.js';

/** What a tool of ours is called with, beside its arguments. */
export interface CallContext {
	/** Who calls, as the gateway says. */
	from: string;
	envelope: Envelope;
	params: any;
	/** Aborted when the caller has given up, left, or the room is closed. */
	signal: AbortSignal;
	progress(progress: number, total?: number, message?: string): void;
	/** Asks the caller something while its call is open, such as elicitation/create. */
	ask(method: string, params: any, options?: RequestOptions): Promise<any>;
}

/**
 * A tool: its definition, and what it does. A string that it answers becomes a text; what it throws, a result with
 * isError.
 */
export interface OwnTool extends Partial<Tool> {
	name: string;
	call(args: any, context: CallContext): any;
}

export interface ServiceMeans {
	say(to: string, about: string, message: Partial<McpMessage>): void;
	request(to: string, method: string, params: any, options: RequestOptions): Promise<any>;
	name(): string;
	/** Everybody hears that the tools are others now. */
	announce(): void;
}

const VERSION = '2025-06-18';
const MOST_CALLS = 1000;
const METHODS = ['initialize', 'ping', 'tools/list', 'tools/call'];

const textOf = (text: string, more = {}) => ({ content: [{ type: 'text', text }], ...more });

export class Service {
	readonly #means: ServiceMeans;
	readonly #calls = new Map<string, AbortController>();
	#tools: Map<string, OwnTool> | undefined;

	constructor(means: ServiceMeans) {
		this.#means = means;
	}

	get isOn(): boolean {
		return this.#tools !== undefined;
	}

	get hasTools(): boolean {
		return this.#tools !== undefined && this.#tools.size > 0;
	}

	/** Whether it has an answer to that. */
	knows(method: string): boolean {
		return this.isOn && METHODS.includes(method);
	}

	offer(tools: OwnTool[], isLive: boolean): void {
		this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
		if (isLive) this.announce();
	}

	/** Everybody hears that there are tools here, if there are. */
	announce(): void {
		if (this.isOn) this.#means.announce();
	}

	/** A request that is addressed to us. False: it is not one for us to answer. */
	take(envelope: Envelope): boolean {
		const { id, method, params } = envelope.payload as McpMessage;
		if (!this.#tools || id === undefined || id === null || method === undefined) return false;
		this.#answer(envelope, method, params).then(
			(result) => result !== undefined && this.#means.say(envelope.from, envelope.id, { id, result }),
			(error: unknown) => this.#means.say(envelope.from, envelope.id, { id, error: errorOf(error) }),
		);
		return true;
	}

	/** notifications/cancelled from a caller. */
	cancelled(from: string, params: any): void {
		this.#calls.get(keyOf(from, params?.requestId))?.abort();
	}

	left(from: string): void {
		for (const [key, control] of [...this.#calls]) if (key.startsWith(`${JSON.stringify(from)} `)) control.abort();
	}

	close(): void {
		for (const control of [...this.#calls.values()]) control.abort();
	}

	async #answer(envelope: Envelope, method: string, params: any): Promise<any> {
		if (method === 'initialize')
			return {
				protocolVersion: VERSION,
				capabilities: { tools: { listChanged: true } },
				serverInfo: { name: this.#means.name(), version: '0' },
			};
		if (method === 'ping') return {};
		if (method === 'tools/list') return { tools: [...(this.#tools?.values() ?? [])].map(definitionOf) };
		if (method === 'tools/call') return this.#call(envelope, params);
		throw new HustingsError({ message: `there is no method ${method} here`, status: 0, code: '-32601' });
	}

	/** Undefined: it was cancelled, and nobody waits for its answer. */
	async #call(envelope: Envelope, params: any): Promise<any> {
		const { from } = envelope;
		const { id } = envelope.payload as McpMessage;
		const tool = this.#tools?.get(params?.name);
		if (!tool)
			throw new HustingsError({ message: `there is no tool ${params?.name} here`, status: 0, code: '-32602' });
		const key = keyOf(from, id);
		if (this.#calls.size >= MOST_CALLS || this.#calls.has(key))
			throw new HustingsError({
				message: 'too many calls are open here, or one of that id',
				status: 0,
				code: '-32000',
			});
		const control = new AbortController();
		this.#calls.set(key, control);
		try {
			const result = await tool.call(params.arguments ?? {}, this.#contextOf(envelope, params, control.signal));
			if (control.signal.aborted) return undefined;
			return typeof result === 'string' ? textOf(result) : (result ?? { content: [] });
		} catch (error) {
			if (control.signal.aborted) return undefined;
			if (error instanceof HustingsError) throw error;
			return textOf(error instanceof Error ? error.message : String(error), { isError: true });
		} finally {
			this.#calls.delete(key);
		}
	}

	#contextOf(envelope: Envelope, params: any, signal: AbortSignal): CallContext {
		const progressToken = params?._meta?.progressToken;
		return {
			from: envelope.from,
			envelope,
			params,
			signal,
			progress: (progress, total, message) => {
				if (progressToken === undefined || signal.aborted) return;
				this.#means.say(envelope.from, envelope.id, {
					method: 'notifications/progress',
					params: { progressToken, progress, total, message },
				});
			},
			ask: (method, asked, options = {}) =>
				this.#means.request(envelope.from, method, asked, { correlationId: envelope.id, signal, ...options }),
		};
	}
}

const keyOf = (from: string, id: unknown) => `${JSON.stringify(from)} ${JSON.stringify(id)}`;

function definitionOf({ call, ...definition }: OwnTool): Tool {
	return { inputSchema: { type: 'object' }, ...definition };
}

function errorOf(error: unknown): { code: number; message: string; data?: any } {
	const code = error instanceof HustingsError ? Number(error.code) : NaN;
	return {
		code: Number.isInteger(code) ? code : -32603,
		message: error instanceof Error ? error.message : String(error),
		...(error instanceof HustingsError && error.data !== undefined ? { data: error.data } : {}),
	};
}
