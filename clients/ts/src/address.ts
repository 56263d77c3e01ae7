// SPDX-License-Identifier: Apache-2.0
/**
 * Address: where a gateway is, and as whom we come: with a token, by the browser's session cookie, or under a name in
 * open mode. Owned by the Gateway; everything that speaks to it asks here.
 */

import { asFault, faultOfAnswer, ownFault } from './fault.js';

/** Where a gateway is, and as whom we come. */
export interface GatewayOptions {
	/** Of the gateway; left out, the page's own origin. */
	url?: string;
	/** Else the browser's session cookie counts. */
	token?: string;
	fetch?: typeof fetch;
	/** For rooms, where the runtime has no global one (Node 20): the class of the package `ws`, for one. */
	WebSocket?: any;
	/** Who we are in open mode. */
	id?: string;
}

/** Of one request. */
export interface AskOptions {
	/** Ends it; it rejects with the signal's reason. */
	signal?: AbortSignal;
	headers?: Record<string, string>;
	/** What is accepted; left out: JSON. */
	accept?: string;
}

/** Octets of an answer that is read as a whole. */
const ANSWER_MOST = 64 * 1024 * 1024;
/** Octets that wait in a socket for a slow reader. */
export const FRAME_MOST = 64 * 1024 * 1024;

export class Address {
	readonly url: string;
	readonly #options: GatewayOptions;

	constructor(options: GatewayOptions) {
		const url = options.url ?? (globalThis as any).location?.origin;
		if (typeof url !== 'string')
			throw new TypeError('url: where the gateway is has to be said here, like http://127.0.0.1:7410');
		this.url = url.replace(/\/+$/, '');
		this.#options = options;
	}

	/** The whole URL of a path, with our name in open mode. */
	to(path: string, base = this.url): string {
		const id = this.#options.id;
		if (id === undefined || this.#options.token !== undefined) return base + path;
		return `${base}${path}${path.includes('?') ? '&' : '?'}id=${encodeURIComponent(id)}`;
	}

	/** One request, whatever its status; no answer at all is a fault. */
	async send(method: string, path: string, body?: unknown, options: AskOptions = {}): Promise<Response> {
		const headers: Record<string, string> = { accept: options.accept ?? 'application/json', ...options.headers };
		const token = this.#options.token;
		if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
		if (body !== undefined) headers['content-type'] ??= 'application/json';
		const does = this.#options.fetch ?? globalThis.fetch;
		try {
			return await does(this.to(path), {
				method,
				headers,
				signal: options.signal,
				cache: 'no-store',
				redirect: 'error',
				credentials: token === undefined ? 'same-origin' : 'omit',
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
			});
		} catch (error) {
			if (options.signal?.aborted) throw options.signal.reason;
			throw asFault(error);
		}
	}

	/** The same, which has to succeed: a refusal is thrown. */
	async open(method: string, path: string, body?: unknown, options: AskOptions = {}): Promise<Response> {
		const response = await this.send(method, path, body, options);
		if (response.ok) return response;
		const text = await readText(response, options.signal).catch(() => '');
		throw faultOfAnswer(response.status, readJson(text), response.headers.get('retry-after'));
	}

	/**
	 * The same to its end: {value, text}; value is what its JSON says, or the text of anything else, or undefined for
	 * nothing.
	 */
	async ask(
		method: string,
		path: string,
		body?: unknown,
		options: AskOptions = {},
	): Promise<{ value: any; text: string }> {
		const response = await this.open(method, path, body, options);
		const text = await readText(response, options.signal);
		if (text === '') return { value: undefined, text };
		const isJson = (response.headers.get('content-type') ?? '').includes('json');
		if (!isJson) return { value: text, text };
		const value = readJson(text);
		if (value === undefined) throw ownFault('broken_off', 'the answer is no JSON');
		return { value, text };
	}

	/** A WebSocket to a path; its class decides how the token travels. */
	socket(path: string): WebSocket {
		const Maker = this.#options.WebSocket ?? (globalThis as any).WebSocket;
		if (typeof Maker !== 'function')
			throw new TypeError(
				'WebSocket: this runtime has none; hand one in: new Gateway({WebSocket}), for one from the package ws',
			);
		const url = this.to(path, this.url.replace(/^http/, 'ws'));
		const token = this.#options.token;
		if (takesHeaders(Maker))
			return new Maker(url, [], {
				perMessageDeflate: false,
				maxPayload: FRAME_MOST,
				headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
			});
		return token === undefined ? new Maker(url) : new Maker(url, ['mcpx', `bearer.${base64url(token)}`]);
	}
}

/** The class of the package `ws`, and nothing else that we know of, takes headers in its third argument. */
function takesHeaders(Maker: any): boolean {
	return typeof Maker.WebSocketServer === 'function' || typeof Maker.createWebSocketStream === 'function';
}

function base64url(text: string): string {
	const octets = new TextEncoder().encode(text);
	let binary = '';
	for (const octet of octets) binary += String.fromCharCode(octet);
	return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

export function readJson(text: string): any {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The whole body, up to a bound. */
export async function readText(response: Response, signal?: AbortSignal): Promise<string> {
	if (!response.body) return '';
	const reader = response.body.getReader();
	const decoder = new TextDecoder();
	let text = '';
	let octets = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return text + decoder.decode();
			octets += value.length;
			if (octets > ANSWER_MOST) throw ownFault('too_large', `the answer has more than ${ANSWER_MOST} octets`);
			text += decoder.decode(value, { stream: true });
		}
	} catch (error) {
		void reader.cancel().catch(() => {});
		if (signal?.aborted) throw signal.reason;
		throw asFault(error);
	}
}
