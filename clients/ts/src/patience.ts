// SPDX-License-Identifier: Apache-2.0
/**
 * Patience: how long to wait before the next try, doubled each time, and drawn so that many clients do not come at
 * once.
 */

const FIRST = 500;
const MOST = 30_000;

export class Backoff {
	#tries = 0;

	next(): number {
		const most = Math.min(FIRST * 2 ** Math.min(this.#tries++, 16), MOST);
		return most / 2 + Math.random() * (most / 2);
	}

	reset(): void {
		this.#tries = 0;
	}
}

/** Waits; an abort ends it early, without an error. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	return new Promise((done) => {
		if (signal?.aborted) return done();
		const end = () => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', end);
			done();
		};
		const timer = setTimeout(end, milliseconds);
		signal?.addEventListener('abort', end, { once: true });
	});
}

/** What a promise brings; an abort rejects at once, and leaves the promise to itself. */
export function untilAborted<One>(promise: Promise<One>, signal?: AbortSignal): Promise<One> {
	if (!signal) return promise;
	return new Promise((done, failed) => {
		const abort = () => failed(signal.reason);
		const over = () => signal.removeEventListener('abort', abort);
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort, { once: true });
		promise.then(done, failed).finally(over);
	});
}

/** A fresh UUID, on plain http too, where browsers have no crypto.randomUUID(). */
export function freshId(): string {
	if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
	const octets = crypto.getRandomValues(new Uint8Array(16));
	octets[6] = ((octets[6] as number) & 0x0f) | 0x40;
	octets[8] = ((octets[8] as number) & 0x3f) | 0x80;
	const text = [...octets].map((octet) => octet.toString(16).padStart(2, '0')).join('');
	return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
