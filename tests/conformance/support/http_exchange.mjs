/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http exchange: octets out, whole responses in, over one raw connection. Nothing is repaired: a
 * response that cannot be told from its neighbours is an error.
 */
import { RawSocket } from './raw_socket.mjs';
import { readHead } from './websocket_peer.mjs';

/* The chunked body at the front of `bytes`, or null while it is not whole. */
function chunkedLength(bytes) {
	for (let at = 0; ;) {
		const line = bytes.indexOf('\r\n', at);
		if (line < 0) return null;
		const size = parseInt(bytes.subarray(at, line).toString('latin1'), 16);
		if (Number.isNaN(size)) throw new Error('a response with a malformed chunk');
		at = line + 2 + size + 2;
		if (at > bytes.length) return null;
		if (size === 0) return at;
	}
}

export class HttpExchange {
	/* `methods`: of the requests in turn, since an answer to HEAD has no body. */
	static async open(port, methods = []) {
		const exchange = new HttpExchange();
		exchange.raw = await RawSocket.connect(port);
		exchange.methods = [...methods];
		exchange.answers = [];
		exchange.interim = [];
		return exchange;
	}

	write(bytes) {
		return this.raw.write(Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1'));
	}

	read() {
		while (this.#one());
	}

	#one() {
		const bytes = this.raw.bytes();
		const head = readHead(bytes);
		if (!head) return false;
		if (!/^HTTP\/1\.[01] \d{3}( |$)/.test(head.line)) throw new Error(`not a status line: ${head.line}`);
		if (head.status < 200 && head.status !== 101) {
			this.interim.push(head.status);
			this.raw.consume(head.length);
			return true;
		}
		const length = this.#bodyLength(head, bytes.subarray(head.length));
		if (length === null || bytes.length < head.length + length) return false;
		head.body = Buffer.from(bytes.subarray(head.length, head.length + length));
		this.answers.push(head);
		this.methods.shift();
		this.raw.consume(head.length + length);
		return true;
	}

	#bodyLength(head, rest) {
		if (this.methods[0] === 'HEAD' || head.status === 204 || head.status === 304 || head.status === 101) return 0;
		if (head.headers.get('transfer-encoding') === 'chunked') return chunkedLength(rest);
		if (head.headers.has('content-length')) return Number(head.headers.get('content-length'));
		return this.raw.ended ? rest.length : null;
	}

	/* False: the connection ended before that many answers had come. */
	async untilAnswers(count) {
		await this.raw.until(() => { this.read(); return this.answers.length >= count; }, `${count} answers (${this.answers.length} came)`);
		this.read();
		return this.answers.length >= count;
	}

	async untilInterim(count) {
		await this.raw.until(() => { this.read(); return this.interim.length >= count; }, `${count} interim answers`);
		return this.interim.length >= count;
	}

	async untilEnd() {
		await this.raw.untilEnd('the end of the connection');
		this.read();
		if (this.raw.bytes().length > 0) throw new Error(`octets behind the last answer: ${JSON.stringify(this.raw.bytes().subarray(0, 80).toString("latin1"))}`);
	}

	statuses() {
		return this.answers.map((one) => one.status);
	}

	destroy() {
		this.raw.destroy();
	}
}
