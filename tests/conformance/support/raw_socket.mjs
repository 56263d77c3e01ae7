/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RawSocket: a TCP connection that says exactly which octets leave together.
 *
 * Everything that arrives is kept in `received`. A wait is always for a condition, ends when the
 * connection ends, and gives up after WAIT_MS with what had arrived in its message.
 */
import net from 'node:net';

export const WAIT_MS = 40_000;

export class RawSocket {
	constructor(socket) {
		this.socket = socket;
		this.received = Buffer.alloc(0);
		this.ended = false;
		this.reset = false;
		this.parts = [];
		this.available = 0;
		this.watchers = new Set();
		socket.setNoDelay(true);
		socket.on('data', (part) => { this.parts.push(part); this.available += part.length; this.#changed(); });
		socket.on('end', () => { this.ended = true; this.#changed(); });
		socket.on('close', () => { this.ended = true; this.#changed(); });
		socket.on('error', () => { this.reset = true; this.ended = true; this.#changed(); });
	}

	static connect(port, host = '127.0.0.1') {
		return new Promise((resolve, reject) => {
			const socket = net.connect({ port, host, allowHalfOpen: true });
			const late = setTimeout(() => {
				socket.destroy();
				reject(new Error(`no connection to ${host}:${port} within ${WAIT_MS} ms`));
			}, WAIT_MS);
			socket.once('error', (error) => { clearTimeout(late); reject(error); });
			socket.once('connect', () => {
				clearTimeout(late);
				socket.removeAllListeners('error');
				resolve(new RawSocket(socket));
			});
		});
	}

	#changed() {
		for (const watcher of [...this.watchers]) watcher();
	}

	/* All octets that came so far; joined only when somebody looks. */
	bytes() {
		if (this.parts.length > 0) {
			this.received = Buffer.concat([this.received, ...this.parts]);
			this.parts = [];
		}
		return this.received;
	}

	/* Drops the first `count` octets: they have been understood. */
	consume(count) {
		this.received = this.bytes().subarray(count);
		this.available -= count;
	}

	/* One send. Resolves when the kernel has taken it, or the peer has gone. */
	write(bytes) {
		return new Promise((resolve) => {
			if (this.ended && this.reset || this.socket.destroyed) return resolve();
			this.socket.write(bytes, () => resolve());
		});
	}

	/* Sends of the given sizes in turn, the reader getting its chance between them. */
	async writeChopped(bytes, sizes) {
		for (let at = 0, turn = 0; at < bytes.length; turn++) {
			const size = sizes[turn % sizes.length];
			await this.write(bytes.subarray(at, at + size));
			await new Promise((resolve) => setImmediate(resolve));
			at += size;
		}
	}

	finish() {
		this.socket.end();
	}

	destroy() {
		this.socket.destroy();
	}

	/*
	 * Waits until check() holds: true. The connection ended first: false.
	 * Neither within the bound: an error that names what was awaited.
	 */
	until(check, what, bound = WAIT_MS) {
		return new Promise((resolve, reject) => {
			const look = () => {
				let holds = false;
				try { holds = check(); } catch (error) { return settle(() => reject(error)); }
				if (holds) settle(() => resolve(true));
				else if (this.ended) settle(() => resolve(false));
			};
			const settle = (then) => {
				clearTimeout(late);
				this.watchers.delete(look);
				then();
			};
			const late = setTimeout(() => settle(() => {
				const head = this.bytes().subarray(0, 200).toString('latin1');
				reject(new Error(`${what}: not within ${bound} ms; unread: ${JSON.stringify(head)}`));
			}), bound);
			this.watchers.add(look);
			look();
		});
	}

	async untilEnd(what, bound = WAIT_MS) {
		await this.until(() => this.ended, what, bound);
	}
}
