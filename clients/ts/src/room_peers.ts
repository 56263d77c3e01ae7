// SPDX-License-Identifier: Apache-2.0
/**
 * Room peers: to whom we have introduced ourselves (MCPx v0 6.1), and which tools they offer. What was learnt is
 * forgotten when a peer leaves, when its list changes, and when we were away.
 */

import { ownFault } from './fault.js';
import type { Tool } from './records.js';
import type { RequestOptions } from './room_questions.js';

export interface PeerMeans {
	request(to: string, method: string, params?: any, options?: RequestOptions): Promise<any>;
	notify(to: string, method: string, params?: any): Promise<unknown>;
	/** As whom: the members of `initialize`. */
	introduction(): { capabilities: any; clientInfo: any };
}

const VERSION = '2025-06-18'; /* what participants of a room offer one another (MCPx v0 4.1) */
const PATIENCE_MS = 60_000;
const MOST_PEERS = 2000;
const MOST_PAGES = 1000;
const MOST_TOOLS = 10_000;

/** Keeps what a promise brings under a name; what failed is not kept. */
class Learnt<One> {
	readonly #known = new Map<string, Promise<One>>();

	once(name: string, learn: () => Promise<One>): Promise<One> {
		const known = this.#known.get(name);
		if (known) return known;
		if (this.#known.size >= MOST_PEERS) this.#known.delete(this.#known.keys().next().value as string);
		const promise = learn();
		this.#known.set(name, promise);
		promise.catch(() => {
			if (this.#known.get(name) === promise) this.#known.delete(name);
		});
		return promise;
	}

	forget(name: string): void {
		this.#known.delete(name);
	}

	clear(): void {
		this.#known.clear();
	}
}

export class Peers {
	readonly #means: PeerMeans;
	readonly #met = new Learnt<any>();
	readonly #tools = new Learnt<Tool[]>();

	constructor(means: PeerMeans) {
		this.#means = means;
	}

	/** The handshake of MCP, once a peer: its answer to initialize. */
	introduce(to: string): Promise<any> {
		return this.#met.once(to, async () => {
			const hello = await this.#means.request(
				to,
				'initialize',
				{ protocolVersion: VERSION, ...this.#means.introduction() },
				{ timeoutMs: PATIENCE_MS },
			);
			await this.#means.notify(to, 'notifications/initialized');
			return hello;
		});
	}

	/** All of its tools, in its order. */
	tools(to: string): Promise<Tool[]> {
		return this.#tools.once(to, async () => {
			await this.introduce(to);
			const found: Tool[] = [];
			let cursor: string | undefined;
			for (let page = 0; page < MOST_PAGES; page++) {
				const answer = await this.#means.request(to, 'tools/list', cursor === undefined ? {} : { cursor }, {
					timeoutMs: PATIENCE_MS,
				});
				found.push(...(Array.isArray(answer?.tools) ? answer.tools : []));
				if (found.length > MOST_TOOLS)
					throw ownFault('too_large', `${to} offers more than ${MOST_TOOLS} tools`);
				cursor = answer?.nextCursor;
				if (typeof cursor !== 'string') return found;
			}
			throw ownFault('too_large', `${to} lists its tools on more than ${MOST_PAGES} pages`);
		});
	}

	changed(id: string): void {
		this.#tools.forget(id);
	}

	left(id: string): void {
		this.#met.forget(id);
		this.#tools.forget(id);
	}

	forgetAll(): void {
		this.#met.clear();
		this.#tools.clear();
	}
}
