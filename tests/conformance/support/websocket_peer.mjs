/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WebsocketPeer: the client half of RFC 6455, written from the text, able to break every rule of it.
 *
 * What the server sends is held to the rules as it is read: `violations` must stay empty. Events are
 * kept in the order of their last frame: text, binary, pong, ping; the close frame apart.
 */
import { createHash, randomBytes } from 'node:crypto';
import { RawSocket } from './raw_socket.mjs';

export const CONTINUATION = 0, TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;
const NAMES = { [TEXT]: 'text', [BINARY]: 'binary', [PING]: 'ping', [PONG]: 'pong' };
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

function lengthOctets(length, form, maskBit) {
	const shortest = length < 126 ? 7 : length < 65536 ? 16 : 64;
	const bits = form ?? shortest;
	if (bits === 7) return Buffer.from([maskBit | length]);
	if (bits === 16) {
		const octets = Buffer.from([maskBit | 126, 0, 0]);
		octets.writeUInt16BE(length, 1);
		return octets;
	}
	const octets = Buffer.alloc(9);
	octets[0] = maskBit | 127;
	octets.writeBigUInt64BE(BigInt(length), 1);
	return octets;
}

function masked(payload, key) {
	const out = Buffer.allocUnsafe(payload.length);
	for (let at = 0; at < payload.length; at++) out[at] = payload[at] ^ key[at & 3];
	return out;
}

/*
 * One frame. `declared` lies about the length, `form` (7, 16, 64) picks the length's encoding,
 * `mask: false` leaves the mask out.
 */
export function frame(opcode, payload = '', options = {}) {
	const { fin = true, rsv = 0, mask = true, key = randomBytes(4), form, declared } = options;
	const body = Buffer.from(payload);
	const first = Buffer.from([(fin ? 0x80 : 0) | (rsv << 4) | opcode]);
	const length = lengthOctets(declared ?? body.length, form, mask ? 0x80 : 0);
	return Buffer.concat(mask ? [first, length, key, masked(body, key)] : [first, length, body]);
}

/* A message in frames of the given payload pieces. */
export function fragments(opcode, pieces) {
	return pieces.map((piece, at) =>
		frame(at === 0 ? opcode : CONTINUATION, piece, { fin: at === pieces.length - 1 }));
}

export function closeFrame(code, reason = '') {
	if (code === undefined) return frame(CLOSE);
	const payload = Buffer.concat([Buffer.alloc(2), Buffer.from(reason)]);
	payload.writeUInt16BE(code, 0);
	return frame(CLOSE, payload);
}

export function upgradeHead(options = {}) {
	const { method = 'GET', path = '/', version = 'HTTP/1.1', host = '127.0.0.1', key, extra = [], drop = [] } = options;
	const fields = [
		['Host', host],
		['Upgrade', 'websocket'],
		['Connection', 'Upgrade'],
		['Sec-WebSocket-Key', key ?? randomBytes(16).toString('base64')],
		['Sec-WebSocket-Version', '13'],
	].filter(([name]) => !drop.includes(name));
	const lines = [...fields, ...extra].map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${path} ${version}\r\n${lines.join("")}\r\n`;
}

export function readHead(bytes) {
	const end = bytes.indexOf('\r\n\r\n');
	if (end < 0) return null;
	const [status, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
	const headers = new Map();
	for (const line of lines) {
		const colon = line.indexOf(':');
		headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
	}
	return { line: status, status: Number(status.split(' ')[1]), headers, length: end + 4 };
}

export class WebsocketPeer {
	constructor(raw) {
		this.raw = raw;
		this.events = [];
		this.violations = [];
		this.close = null;
		this.opened = null;
		this.wanted = 2;
	}

	/* `behind`: octets sent in the same write as the request. */
	static async open(port, { path = '/', extra = [], behind = Buffer.alloc(0) } = {}) {
		const raw = await RawSocket.connect(port);
		const key = randomBytes(16).toString('base64');
		const request = upgradeHead({ path, key, host: `127.0.0.1:${port}`, extra });
		await raw.write(Buffer.concat([Buffer.from(request), behind]));
		await raw.until(() => readHead(raw.bytes()), `the answer to the upgrade of ${path}`);
		const head = readHead(raw.bytes());
		if (!head || head.status !== 101) {
			raw.destroy();
			throw new Error(`the upgrade of ${path} was answered: ${head ? head.line : "nothing"}`);
		}
		const peer = new WebsocketPeer(raw);
		const accept = createHash('sha1').update(key + GUID).digest('base64');
		if (head.headers.get('sec-websocket-accept') !== accept) peer.violations.push('wrong Sec-WebSocket-Accept');
		if (head.headers.get('upgrade')?.toLowerCase() !== 'websocket') peer.violations.push('wrong Upgrade');
		if (head.headers.get('connection')?.toLowerCase() !== 'upgrade') peer.violations.push('wrong Connection');
		if (head.headers.has('sec-websocket-extensions')) peer.violations.push('an extension nobody asked for');
		raw.consume(head.length);
		return peer;
	}

	send(...frames) {
		return this.raw.write(Buffer.concat(frames));
	}

	/* Takes what has come apart into events; called before each look. */
	read() {
		for (let one = this.#next(); one; one = this.#next()) this.#take(one);
	}

	#next() {
		if (this.raw.available < this.wanted) return null;
		const bytes = this.raw.bytes();
		const small = bytes[1] & 0x7f;
		const extra = small === 126 ? 2 : small === 127 ? 8 : 0;
		this.wanted = 2 + extra;
		if (bytes.length < this.wanted) return null;
		const length = extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : small;
		this.wanted = 2 + extra + length;
		if (bytes.length < this.wanted) return null;
		this.wanted = 2;
		if (extra === 2 && length < 126 || extra === 8 && length < 65536) this.violations.push('a length longer than needed');
		const one = {
			fin: (bytes[0] & 0x80) !== 0, rsv: (bytes[0] >> 4) & 7, opcode: bytes[0] & 15,
			masked: (bytes[1] & 0x80) !== 0, payload: Buffer.from(bytes.subarray(2 + extra, 2 + extra + length)),
		};
		this.raw.consume(2 + extra + length);
		return one;
	}

	#take(one) {
		if (one.masked) this.violations.push('a masked frame from the server');
		if (one.rsv !== 0) this.violations.push(`reserved bits ${one.rsv} from the server`);
		if (this.close) this.violations.push("a frame after the server's close");
		if (one.opcode >= CLOSE) return this.#takeControl(one);
		if (one.opcode > BINARY) return this.violations.push(`opcode ${one.opcode} from the server`);
		if ((one.opcode === CONTINUATION) !== (this.opened !== null)) this.violations.push('fragments out of order');
		this.opened ??= { opcode: one.opcode, pieces: [] };
		this.opened.pieces.push(one.payload);
		if (!one.fin) return undefined;
		this.events.push({ type: NAMES[this.opened.opcode], payload: Buffer.concat(this.opened.pieces) });
		this.opened = null;
		return undefined;
	}

	#takeControl(one) {
		if (!one.fin || one.payload.length > 125) this.violations.push('a control frame that is too long or in pieces');
		if (one.opcode === CLOSE) {
			const code = one.payload.length >= 2 ? one.payload.readUInt16BE(0) : null;
			if (one.payload.length === 1) this.violations.push('a close of one octet');
			this.close = { code, reason: one.payload.subarray(2).toString() };
		} else if (NAMES[one.opcode]) {
			this.events.push({ type: NAMES[one.opcode], payload: one.payload });
		} else {
			this.violations.push(`opcode ${one.opcode} from the server`);
		}
	}

	/* Waits for a condition on the events; false when the connection ended or closed before it held. */
	async until(check, what) {
		let held = false;
		await this.raw.until(() => { this.read(); return (held = check()) || this.close !== null; }, what);
		this.read();
		return held || check();
	}

	untilEvents(count) {
		return this.until(() => this.events.length >= count, `${count} events (${this.events.length} came)`);
	}

	/* Waits for the server's close frame, answers it unless ours has gone out, and waits for the end of TCP. */
	async untilClosed({ answered = false } = {}) {
		await this.raw.until(() => { this.read(); return this.close !== null; }, "the server's close frame");
		this.read();
		if (!answered && !this.raw.ended) await this.raw.write(closeFrame(this.close?.code ?? undefined));
		await this.raw.untilEnd('the end of the connection after the close frames');
		this.read();
		this.raw.destroy();
		return this.close;
	}

	destroy() {
		this.raw.destroy();
	}
}
