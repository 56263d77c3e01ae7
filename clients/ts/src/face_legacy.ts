// SPDX-License-Identifier: Apache-2.0
/**
 * Face legacy: MCP to 2025-11-25. A session begins with `initialize`, one for each set of capabilities, since what the
 * other side may ask is said there once. Its questions come as requests on the stream of a call, and are answered by a
 * POST.
 */

import { freshId } from './patience.js';
import { exchange, post } from './face_exchange.js';
import {
	capabilitiesOf,
	hear,
	patient,
	wishing,
	type CallOptions,
	type Era,
	type EraMeans,
	type Listening,
} from './face_era.js';
import { asFault, faultOfRpc, HustingsError } from './fault.js';
import { readJson } from './address.js';
import type { McpMessage } from './records.js';
import { follow, type Watch } from './watch.js';

export const LEGACY = '2025-11-25';

interface Session {
	headers: Record<string, string>;
}

export class LegacyEra implements Era {
	readonly #means: EraMeans;
	readonly #sessions = new Map<string, Promise<Session>>();

	constructor(means: EraMeans) {
		this.#means = means;
	}

	#session(capabilities: any): Promise<Session> {
		const key = JSON.stringify(capabilities);
		const known = this.#sessions.get(key);
		if (known) return known;
		const begun = this.#begin(capabilities);
		this.#sessions.set(key, begun);
		begun.catch(() => this.#sessions.delete(key));
		return begun;
	}

	async #begin(capabilities: any): Promise<Session> {
		const { address, path, client } = this.#means;
		const { message, response } = await exchange({
			address,
			path,
			headers: {},
			message: {
				jsonrpc: '2.0',
				id: freshId(),
				method: 'initialize',
				params: { protocolVersion: LEGACY, capabilities, clientInfo: client },
			},
		});
		if (message.error) throw faultOfRpc(message.error, response.status);
		const id = response.headers.get('mcp-session-id');
		const headers: Record<string, string> = {
			'mcp-protocol-version': message.result?.protocolVersion ?? LEGACY,
			...(id === null ? {} : { 'mcp-session-id': id }),
		};
		await post({ address, path, headers, message: { jsonrpc: '2.0', method: 'notifications/initialized' } });
		return { headers };
	}

	async request(method: string, params: any, options: CallOptions, extensions: string[] = []): Promise<any> {
		const capabilities = capabilitiesOf(this.#means, options, extensions, false);
		return this.#known(capabilities, (session) => this.#once(session, method, params, options));
	}

	/**
	 * Does it in a session, and once more in a new one when the gateway has forgotten that, and has looked at nothing.
	 */
	async #known<One>(capabilities: any, does: (session: Session) => Promise<One>): Promise<One> {
		const key = JSON.stringify(capabilities);
		const begun = this.#session(capabilities);
		const session = await begun;
		try {
			return await does(session);
		} catch (error) {
			const isForgotten =
				error instanceof HustingsError &&
				error.status === 404 &&
				session.headers['mcp-session-id'] !== undefined;
			if (!isForgotten) throw error;
			if (this.#sessions.get(key) === begun) this.#sessions.delete(key);
			return does(await this.#session(capabilities));
		}
	}

	async #once({ headers }: Session, method: string, params: any, options: CallOptions): Promise<any> {
		const { address, path } = this.#means;
		const patience = patient(options);
		const id = freshId();
		const say = (message: McpMessage) => post({ address, path, headers, message });
		try {
			const { message, response } = await exchange({
				address,
				path,
				headers,
				signal: patience.signal,
				message: { jsonrpc: '2.0', id, method, params: wishing(params, options, id) },
				heard: (one) => {
					patience.touch();
					if (one.method !== undefined && one.id !== undefined)
						void reply(one, options, say).finally(patience.touch);
					else hear(one, options);
				},
			});
			if (message.error) throw faultOfRpc(message.error, response.status);
			return message.result;
		} catch (error) {
			if (patience.signal.aborted)
				say({
					jsonrpc: '2.0',
					method: 'notifications/cancelled',
					params: { requestId: id, reason: 'the caller has given up' },
				}).catch(() => {});
			throw error;
		} finally {
			patience.done();
		}
	}

	/** The stream of a session, on which the gateway tells of itself. */
	listen({ heard, state, signal }: Listening): Watch {
		const { address, path } = this.#means;
		const capabilities = capabilitiesOf(this.#means, {}, [], false);
		return follow({
			open: (inner) =>
				this.#known(capabilities, ({ headers }) =>
					address.open('GET', path, undefined, { accept: 'text/event-stream', headers, signal: inner }),
				),
			take: ({ data }) => {
				const message = readJson(data);
				if (typeof message?.method !== 'string') return;
				if (message.id !== undefined) void this.#acknowledge(capabilities, message);
				heard(message);
			},
			state: (now) => state?.(now),
			signal,
		});
	}

	/** What is asked outside of a call needs an answer, and no more. */
	async #acknowledge(capabilities: any, { id, method }: McpMessage): Promise<void> {
		const { address, path } = this.#means;
		const isKnown = method === 'ping' || method?.startsWith('interaction.');
		const answer = isKnown
			? { result: method === 'ping' ? {} : { acknowledged: true } }
			: { error: { code: -32601, message: `no method ${method}` } };
		await this.#session(capabilities)
			.then(({ headers }) => post({ address, path, headers, message: { jsonrpc: '2.0', id, ...answer } }))
			.catch(() => {});
	}

	async close(): Promise<void> {
		const { address, path } = this.#means;
		const all = [...this.#sessions.values()];
		this.#sessions.clear();
		for (const one of all) {
			const headers = await one.then(
				(session) => session.headers,
				() => undefined,
			);
			if (headers?.['mcp-session-id'] !== undefined)
				await address.ask('DELETE', path, undefined, { headers }).catch(() => {});
		}
	}
}

/** Answers what the other side asks during a call. */
async function reply(
	{ id, method, params }: McpMessage,
	{ onInput }: CallOptions,
	say: (message: McpMessage) => Promise<void>,
): Promise<void> {
	let answer: Pick<McpMessage, 'result' | 'error'>;
	try {
		if (method === 'ping') answer = { result: {} };
		else if (onInput) answer = { result: await onInput({ method: method as string, params }) };
		else answer = { error: { code: -32601, message: `no method ${method}` } };
	} catch (error) {
		answer = { error: { code: -32603, message: asFault(error).message } };
	}
	await say({ jsonrpc: '2.0', id, ...answer }).catch(() => {});
}
