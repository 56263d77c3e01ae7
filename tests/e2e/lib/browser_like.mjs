// SPDX-License-Identifier: Apache-2.0
// What a browser sends: its cookies, where the page is that asks, and from which address.

import http from 'node:http';
import https from 'node:https';
import { RoomClient } from './room_client.mjs';
import { within } from './wait.mjs';

let addresses = 1;

/** Loopback has many addresses: whoever fails on purpose has one of its own, and keeps nobody else from trying. */
export function freshAddress() {
	addresses += 1;
	return `127.${process.pid % 200}.${Math.floor(addresses / 250)}.${(addresses % 250) + 2}`;
}

export class BrowserLike {
	/** cookies: a map of names and values; address: where it connects from. */
	constructor(gateway, { address = freshAddress() } = {}) {
		this.gateway = gateway;
		this.address = address;
		this.cookies = new Map();
	}

	/** The cookie header, or undefined. */
	get cookie() {
		return this.cookies.size === 0 ? undefined : [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	}

	/** The headers of a request that the gateway's own page makes; undefined ones are left out. */
	headers(method, changes = {}) {
		const head = {
			cookie: this.cookie, 'sec-fetch-site': 'same-origin',
			origin: method === 'GET' || method === 'HEAD' ? undefined : this.gateway.url, ...changes,
		};
		return Object.fromEntries(Object.entries(head).filter(([, value]) => value !== undefined));
	}

	/** One request: {status, headers, text, json}; cookies that are set are kept. */
	async request(method, path, { body, headers } = {}) {
		const { gateway } = this;
		const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
		const head = { connection: 'close', ...this.headers(method, headers) };
		if (text !== undefined)
			Object.assign(head, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
		const secure = gateway.url.startsWith('https:');
		const answer = await within(new Promise((done, failed) => {
			const asked = (secure ? https : http).request({
				host: gateway.host, port: gateway.port, localAddress: this.address, method, path, headers: head, agent: false,
				...(secure ? { rejectUnauthorized: false } : {}),
			}, (response) => {
				let answered = '';
				response.setEncoding('utf8').on('data', (part) => { answered += part; });
				response.on('error', failed);
				response.on('end', () => done({ status: response.statusCode, headers: response.headers, text: answered }));
			});
			asked.on('error', failed);
			asked.end(text);
		}), `${method} ${path}`);
		this.#keep(answer.headers['set-cookie'] ?? []);
		try {
			answer.json = JSON.parse(answer.text);
		} catch {
			answer.json = undefined;
		}
		return answer;
	}

	#keep(lines) {
		for (const line of lines) {
			const [pair, ...attributes] = line.split(/;\s*/);
			const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
			if (attributes.some((one) => /^max-age=0$/i.test(one)))
				this.cookies.delete(name);
			else
				this.cookies.set(name, value);
		}
	}

	/** Signs in with {token} or {ticket}; hands out who it is. */
	async signIn(how) {
		const answer = await this.request('POST', '/v0/session', { body: how });
		if (answer.status !== 201)
			throw new Error(`signing in: ${answer.status}: ${answer.text}`);
		return answer.json;
	}

	/** A room, as the page joins it: with the cookie alone. */
	join(topic, changes = {}) {
		return RoomClient.connect(this.#joining(topic, changes));
	}

	/** The same, which has to be refused: {status, text}. */
	refused(topic, changes = {}) {
		return RoomClient.refused(this.#joining(topic, changes));
	}

	#joining(topic, { headers = {}, ...rest }) {
		const { origin, ...head } = this.headers('GET', { origin: this.gateway.url, ...headers });
		return { gateway: this.gateway, topic, origin, headers: head, ...rest };
	}
}
