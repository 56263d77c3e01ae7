// SPDX-License-Identifier: Apache-2.0
/**
 * Face: MCP over HTTP at one of a gateway's paths, 2026-07-28 first, 2025-11-25 where the other side speaks nothing
 * newer. It keeps what it knows of tools, and in the legacy era its sessions, which close() ends.
 */

import type { Address } from './address.js';
import { asFault, HustingsError, ownFault } from './fault.js';
import { FLOW, type CallOptions, type Era, type EraMeans, type Listening } from './face_era.js';
import { LegacyEra } from './face_legacy.js';
import { ModernEra } from './face_modern.js';
import { Flow } from './flow.js';
import type { FoundTools, Tool } from './records.js';
import type { Watch } from './watch.js';

/** How a face is spoken to. */
export interface FaceOptions {
	/** Left out: modern, and legacy where that is not spoken. */
	era?: 'modern' | 'legacy';
	/** Who we say that we are. */
	client?: { name: string; version: string; title?: string };
	/**
	 * Extensions of MGP that are agreed on: then tools/list has `security`, and `mgp/...` methods are answered. Errors
	 * are MGP's then.
	 */
	extensions?: string[];
	/** Further capabilities of ours, as MCP has them. */
	capabilities?: { [name: string]: any };
}

/** What a search is bounded by. */
export interface FindOptions {
	/** At most so many tools; left out: the gateway's own bound. */
	maxResults?: number;
	categories?: string[];
	riskLevelMax?: 'safe' | 'moderate' | 'dangerous';
	/** Of that server alone. */
	server?: string;
	/** "keyword", "semantic" or "category"; left out: the gateway's best. */
	strategy?: string;
	signal?: AbortSignal;
}

const MOST_PAGES = 1000;
const MOST_TOOLS = 100_000;
const UNKNOWN_VERSION = -32022;

/**
 * MCP over HTTP, made by Gateway.mcp(). Nothing of it is sent before the first request. Functions reject with a
 * HustingsError, whose `code` is that of JSON-RPC as text ("-32602"), or a word; with "timeout" after `timeoutMs`
 * without a word of the other side (none: they wait); and with the signal's reason.
 */
export class Face {
	/** Guided sessions of the tools here. */
	readonly flow: Flow;
	/** Of the face, such as /mcp. */
	readonly path: string;
	readonly #address: Address;
	readonly #options: FaceOptions;
	readonly #means: EraMeans;
	readonly #tools = new Map<string, Tool>();
	#era: Era;
	#isSettled: boolean;

	constructor(address: Address, path: string, options: FaceOptions) {
		this.path = path;
		this.#address = address;
		this.#options = options;
		this.#means = {
			address,
			path,
			client: options.client ?? { name: 'hustings-client', version: '0' },
			capabilities: options.capabilities ?? {},
			extensions: options.extensions ?? [],
			toolOf: (name) => this.#tools.get(name),
			relist: () => this.listTools(),
		};
		this.#era = options.era === 'legacy' ? new LegacyEra(this.#means) : new ModernEra(this.#means);
		this.#isSettled = options.era !== undefined;
		this.flow = new Flow({
			ask: (method, params, more) => this.request(method, params, more),
			hear: (heard) => this.listen({ heard, filter: { [FLOW]: true } }).close,
		});
	}

	/** One request: its result. Its error, or a refusal of the gateway, rejects. */
	request(method: string, params: any = {}, options: CallOptions = {}): Promise<any> {
		return this.#request(method, params, options);
	}

	async #request(method: string, params: any, options: CallOptions, extensions: string[] = []): Promise<any> {
		const era = this.#era;
		try {
			const result = await era.request(method, params, options, extensions);
			this.#isSettled = true;
			return result;
		} catch (error) {
			if (this.#isSettled || !isTooModern(error)) throw error;
			if (era === this.#era) this.#era = new LegacyEra(this.#means);
			return this.#era.request(method, params, options, extensions);
		}
	}

	/** All of them, page by page; "too_large" behind 1,000 pages. */
	async listTools(options: { signal?: AbortSignal } = {}): Promise<Tool[]> {
		const found: Tool[] = [];
		let cursor: string | undefined;
		for (let page = 0; page < MOST_PAGES; page++) {
			const answer = await this.request('tools/list', cursor === undefined ? {} : { cursor }, options);
			found.push(...(Array.isArray(answer?.tools) ? answer.tools : []));
			cursor = answer?.nextCursor;
			if (typeof cursor === 'string' && found.length <= MOST_TOOLS) continue;
			this.#tools.clear();
			for (const tool of found) this.#tools.set(tool.name, tool);
			return found;
		}
		throw ownFault('too_large', `the tools stand on more than ${MOST_PAGES} pages`);
	}

	/** A result with isError is a result. */
	callTool(name: string, args: { [name: string]: any } = {}, options: CallOptions = {}): Promise<any> {
		return this.request('tools/call', { name, arguments: args }, options);
	}

	/** The tools that fit best, as the kernel finds them (MGP 16). */
	find(query: string, options: FindOptions = {}): Promise<FoundTools> {
		const { maxResults, categories, riskLevelMax, server, strategy, signal } = options;
		const filter = { ...(categories && { categories }), ...(riskLevelMax && { risk_level_max: riskLevelMax }) };
		const params = {
			query,
			...(strategy && { strategy }),
			...(maxResults === undefined ? {} : { max_results: maxResults }),
			...(Object.keys(filter).length > 0 ? { filter } : {}),
		};
		if (server !== undefined && this.path !== faceOf(server))
			return new Face(this.#address, faceOf(server), this.#options).find(query, {
				...options,
				server: undefined,
			});
		return this.#request('mgp/tools/discover', params, { signal }, ['security', 'tool_discovery']);
	}

	/**
	 * What the other side tells by itself, until it is closed: {toolsListChanged: true, ...} says of what. It comes back
	 * by itself after a break; what was told meanwhile is not told again.
	 */
	listen({ filter = { toolsListChanged: true }, ...more }: Partial<Listening> & Pick<Listening, 'heard'>): Watch {
		return this.#era.listen({ filter, ...more });
	}

	/** Ends the sessions of the legacy era; a later request begins another one. Never rejects. */
	close(): Promise<void> {
		return this.#era.close();
	}
}

const faceOf = (server: string) => `/mcp/servers/${encodeURIComponent(server)}`;

function isTooModern(error: unknown): boolean {
	const fault = asFault(error);
	if (!(error instanceof HustingsError) || fault.code !== String(UNKNOWN_VERSION)) return false;
	const supported = fault.data?.supported;
	return Array.isArray(supported) && supported.some((version) => typeof version === 'string' && version < '2026');
}
