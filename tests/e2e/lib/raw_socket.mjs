// SPDX-License-Identifier: Apache-2.0
// Octets on a socket, for what a well-behaved library cannot send.

import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { within } from './wait.mjs';

export class RawSocket {
	static async open(gateway) {
		const raw = new RawSocket();
		raw.socket = net.connect({ host: gateway.host, port: gateway.port, allowHalfOpen: true });
		raw.received = Buffer.alloc(0);
		raw.arrival = () => {};
		raw.ended = false;
		raw.closed = new Promise((done) => {
			const end = () => { raw.ended = true; raw.arrival(); done(); };
			raw.socket.on('end', end);
			raw.socket.on('close', end);
		});
		raw.socket.on('error', () => {});
		raw.socket.on('data', (part) => {
			raw.received = Buffer.concat([raw.received, part]);
			raw.arrival();
		});
		await within(new Promise((done, failed) => {
			raw.socket.once('connect', done);
			raw.socket.once('error', failed);
		}), 'the connection');
		return raw;
	}

	write(octets) {
		this.socket.write(octets);
	}

	/** Waits until `read(received)` gives something, or the other side ends. */
	async until(read, what) {
		const look = async () => {
			for (;;) {
				const found = read(this.received);
				if (found !== undefined)
					return found;
				if (this.ended)
					throw new Error(`the connection ended before ${what}; received: ${this.received.toString('latin1').slice(0, 300)}`);
				await new Promise((done) => { this.arrival = done; });
			}
		};
		return within(look(), what);
	}

	/** The status of the first HTTP answer. */
	status() {
		return this.until((received) => {
			const match = /^HTTP\/1\.[01] (\d{3})/.exec(received.toString('latin1'));
			return match && received.includes('\r\n\r\n') ? Number(match[1]) : undefined;
		}, 'an HTTP answer');
	}

	/** The status of the first HTTP answer, or 0 when the connection just ends: both are a refusal. */
	async statusOrEnd() {
		try {
			return await this.status();
		} catch (error) {
			if (this.ended)
				return 0;
			throw error;
		}
	}

	gone() {
		return within(this.closed, 'the gateway ends the connection');
	}

	destroy() {
		this.socket.destroy();
	}
}

/** Sends the octets on a new connection: the status of the answer, or 0 for a connection ended without one. */
export async function statusOf(gateway, octets) {
	const raw = await RawSocket.open(gateway);
	try {
		raw.write(octets);
		return await raw.statusOrEnd();
	} finally {
		raw.destroy();
	}
}

/** A WebSocket frame from its parts; `mask: false` leaves it unmasked, `length` lies about the size. */
export function frame({ fin = true, rsv = 0, opcode = 1, mask = true, body = '', length, wide = false }) {
	const data = Buffer.from(body);
	const size = length ?? data.length;
	const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
	const bit = mask ? 0x80 : 0;
	let head;
	if (size > 65535 || wide) {
		head = Buffer.alloc(10);
		head.writeBigUInt64BE(BigInt(size), 2);
		head[1] = bit | 127;
	} else if (size > 125) {
		head = Buffer.alloc(4);
		head.writeUInt16BE(size, 2);
		head[1] = bit | 126;
	} else {
		head = Buffer.from([0, bit | size]);
	}
	head[0] = first;
	if (!mask)
		return Buffer.concat([head, data]);
	const key = randomBytes(4);
	return Buffer.concat([head, key, Buffer.from(data.map((octet, i) => octet ^ key[i % 4]))]);
}

/** A WebSocket connection on which any octets may be sent. */
export class RawWebSocket {
	static async open(gateway, { token, topic, id }) {
		const query = new URLSearchParams({ topic, protocol: 'mcpx/v0.1', ...(id === undefined ? {} : { id }) });
		const raw = await RawSocket.open(gateway);
		raw.write(upgradeHead(gateway, `/v0/ws?${query}`, token === undefined ? [] : [`Authorization: Bearer ${token}`]));
		const status = await raw.status();
		if (status !== 101)
			throw new Error(`the upgrade was answered with ${status}`);
		const connection = new RawWebSocket();
		connection.raw = raw;
		connection.offset = raw.received.indexOf('\r\n\r\n') + 4;
		await connection.text();
		return connection;
	}

	write(octets) {
		this.raw.write(octets);
	}

	/** The next whole frame the gateway sent: {fin, opcode, masked, body}. */
	frame() {
		return this.raw.until((received) => {
			const found = readFrame(received.subarray(this.offset));
			if (found === undefined)
				return undefined;
			this.offset += found.size;
			return found;
		}, 'a frame');
	}

	/** The next text message. */
	async text() {
		for (;;) {
			const found = await this.frame();
			if (found.opcode === 1)
				return found.body.toString('utf8');
			if (found.opcode === 8)
				throw new Error(`closed with ${found.body.length >= 2 ? found.body.readUInt16BE(0) : 'no code'}`);
		}
	}

	/** Reads on to the close frame: its code, or 0 when the connection ends without one. */
	async closeCode() {
		for (;;) {
			let found;
			try {
				found = await this.frame();
			} catch (error) {
				if (this.raw.ended)
					return 0;
				throw error;
			}
			if (found.opcode === 8)
				return found.body.length >= 2 ? found.body.readUInt16BE(0) : 1005;
		}
	}

	destroy() {
		this.raw.destroy();
	}
}

function readFrame(octets) {
	if (octets.length < 2)
		return undefined;
	const masked = (octets[1] & 0x80) !== 0;
	let length = octets[1] & 0x7f;
	let start = 2;
	if (length === 126) {
		if (octets.length < 4)
			return undefined;
		length = octets.readUInt16BE(2);
		start = 4;
	} else if (length === 127) {
		if (octets.length < 10)
			return undefined;
		length = Number(octets.readBigUInt64BE(2));
		start = 10;
	}
	if (octets.length < start + length)
		return undefined;
	return {
		fin: (octets[0] & 0x80) !== 0, opcode: octets[0] & 0x0f, masked,
		body: octets.subarray(start, start + length), size: start + length,
	};
}

/** The head of a correct upgrade request, with further lines and replacements. */
export function upgradeHead(gateway, path, lines = [], replaced = {}) {
	const head = {
		Host: `${gateway.host}:${gateway.port}`, Upgrade: 'websocket', Connection: 'Upgrade',
		'Sec-WebSocket-Key': randomBytes(16).toString('base64'), 'Sec-WebSocket-Version': '13', ...replaced,
	};
	const own = Object.entries(head).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`);
	return [`GET ${path} HTTP/1.1`, ...own, ...lines, '', ''].join('\r\n');
}
