// SPDX-License-Identifier: Apache-2.0
// One participant on a WebSocket. Messages are consumed in the order of arrival; nothing sleeps.

import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { BOUND, within } from './wait.mjs';

export const V0 = 'mcp-x/v0';
export const V01 = 'mcpx/v0.1';

const octets = new WeakMap();

/** The text frame from which an envelope was read. */
export function rawOf(envelope) {
	return octets.get(envelope);
}

export class RoomClient {
	/**
	 * Joins and waits for the welcome.
	 * token: bearer in the head; id: the name in open mode; query: further parameters;
	 * protocol: what the client declares (null declares nothing); headers, subprotocols, origin: for the upgrade.
	 */
	static async connect(options) {
		const client = new RoomClient(options);
		await within(client.opened, `joining ${options.topic}`);
		client.welcome = await client.next();
		return client;
	}

	/** Tries to join, has to be refused before the upgrade; hands out {status, text}. */
	static async refused(options) {
		const client = new RoomClient(options);
		try {
			await within(client.opened, `the refusal of ${options.topic}`);
		} catch (error) {
			if (error.status === undefined)
				throw error;
			return { status: error.status, text: error.text, headers: error.headers };
		}
		client.terminate();
		throw new Error('the upgrade was accepted');
	}

	constructor({ gateway, topic, token, id, query = {}, protocol = V01, headers = {}, subprotocols = [], origin, path }) {
		this.gateway = gateway;
		gateway.clients.add(this);
		this.topic = topic;
		this.protocol = protocol ?? V01;
		const parameters = new URLSearchParams();
		if (topic !== undefined)
			parameters.set('topic', topic);
		if (id !== undefined)
			parameters.set('id', id);
		if (protocol !== null)
			parameters.set('protocol', protocol);
		for (const [key, value] of Object.entries(query))
			parameters.set(key, String(value));
		const head = { ...headers };
		if (token !== undefined)
			head.authorization = `Bearer ${token}`;
		this.queue = [];
		this.seen = [];
		this.waiter = null;
		this.end = null;
		const url = path === undefined ? `${gateway.wsUrl}/v0/ws?${parameters}` : `${gateway.wsUrl}${path}`;
		this.socket = new WebSocket(url, subprotocols, {
			headers: head, origin, perMessageDeflate: false, rejectUnauthorized: false,
			handshakeTimeout: BOUND, maxPayload: 64 << 20,
		});
		this.opened = new Promise((done, failed) => {
			this.socket.on('open', done);
			this.socket.on('error', failed);
			this.socket.on('unexpected-response', (request, response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (part) => { text += part; });
				response.on('end', () => failed(Object.assign(
					new Error(`the upgrade was answered with ${response.statusCode}: ${text}`),
					{ status: response.statusCode, text, headers: response.headers })));
				response.on('error', failed);
			});
		});
		this.opened.catch(() => {});
		this.closed = new Promise((done) => {
			this.socket.on('close', (code, reason) => {
				this.end = { code, reason: reason.toString() };
				done(this.end);
				this.waiter?.();
			});
		});
		this.socket.on('message', (data, isBinary) => this.#arrived(data.toString(), isBinary));
	}

	#arrived(text, isBinary) {
		const envelope = isBinary ? { binary: true } : JSON.parse(text);
		octets.set(envelope, text);
		this.queue.push(envelope);
		this.waiter?.();
	}

	get id() {
		return this.welcome.payload.participant.id;
	}

	/** Sends an object (id, protocol filled in where absent) or text as it is; hands out the id. */
	send(envelope) {
		if (typeof envelope === 'string' || Buffer.isBuffer(envelope)) {
			this.socket.send(envelope);
			return undefined;
		}
		const whole = { protocol: this.protocol, id: randomUUID(), ...envelope };
		this.socket.send(JSON.stringify(whole));
		return whole.id;
	}

	/** Says something in the sender's own dialect; hands out the envelope's id. */
	chat(text) {
		if (this.protocol === V0)
			return this.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/chat/message', params: { text } } });
		return this.send({ kind: 'chat', payload: { text } });
	}

	/** Says something and waits for the echo, which means that it is stored. */
	async say(text) {
		const id = this.chat(text);
		return this.next((envelope) => envelope.id === id);
	}

	/** Consumes envelopes in order up to the first that fits; hands out that one. */
	async next(fits = () => true, { timeout = BOUND } = {}) {
		const taken = await this.collect(fits, { timeout });
		return taken[taken.length - 1];
	}

	/** Consumes envelopes in order up to and with the first that fits; hands out all of them. */
	async collect(fits, { timeout = BOUND } = {}) {
		const taken = [];
		const deadline = Date.now() + timeout;
		for (;;) {
			while (this.queue.length > 0) {
				const envelope = this.queue.shift();
				taken.push(envelope);
				this.seen.push(rawOf(envelope));
				if (this.seen.length > 8)
					this.seen.shift();
				if (fits(envelope))
					return taken;
			}
			if (this.end !== null)
				throw new Error(`closed with ${this.end.code} "${this.end.reason}" while waiting; last seen: ${this.#last()}`);
			await this.#more(deadline);
		}
	}

	async #more(deadline) {
		const left = deadline - Date.now();
		const arrival = new Promise((done) => { this.waiter = done; });
		try {
			await within(arrival, 'the awaited envelope', Math.max(left, 1));
		} catch (error) {
			throw new Error(`${error.message}; last seen: ${this.#last()}`);
		} finally {
			this.waiter = null;
		}
	}

	#last() {
		return this.seen.map((text) => `\n  ${text.slice(0, 400)}`).join('') || 'nothing';
	}

	/** Sends what has to be refused and hands out the gateway's refusal of it. */
	async refusal(envelope) {
		const id = this.send(envelope);
		return this.next((answer) => answer.from === 'system:gateway' && isRefusal(answer)
			&& (id === undefined || answer.correlation_id === id));
	}

	/** Waits until the gateway has closed this connection: {code, reason}. */
	expectClose() {
		return within(this.closed, 'the gateway closes the connection');
	}

	async close() {
		if (this.end !== null)
			return;
		this.socket.close(1000);
		await within(this.closed, 'the connection is closed');
	}

	/** Drops the TCP connection without a closing handshake. */
	terminate() {
		this.socket.terminate();
	}
}

/** True for the gateway's two forms of a refusal. */
export function isRefusal(envelope) {
	return (envelope.kind === 'system' && envelope.payload.event === 'error')
		|| (envelope.kind === 'mcp' && envelope.from === 'system:gateway' && envelope.payload.error !== undefined);
}

/** The text of a chat in either form, or undefined. */
export function chatText(envelope) {
	if (envelope.kind === 'chat')
		return envelope.payload.text;
	if (envelope.kind === 'mcp' && envelope.payload.method === 'notifications/chat/message')
		return envelope.payload.params.text;
	return undefined;
}

/**
 * Sends a marker through the room and hands out, per reader, all that came before it.
 * What is not in there has not been delivered and, since a room has one order, never will be.
 */
export async function settle(sender, ...readers) {
	const marker = `marker ${randomUUID()}`;
	sender.chat(marker);
	const all = [];
	for (const reader of readers)
		all.push((await reader.collect((envelope) => chatText(envelope) === marker)).slice(0, -1));
	return all;
}

/** What has come to one reader before a marker of the sender's. */
export async function beforeMarker(sender, reader) {
	return (await settle(sender, reader))[0];
}
