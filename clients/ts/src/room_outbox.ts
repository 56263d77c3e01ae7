// SPDX-License-Identifier: Apache-2.0
/**
 * Room outbox: what was said here and has not come back yet. It goes out again, octet for octet, after a break: the
 * gateway knows it by its id, so that it is stored once. Bounded in number and size.
 */

import { HustingsError, ownFault } from './fault.js';
import type { Envelope } from './records.js';

interface Item {
	text: string;
	wasSent: boolean;
	isRepeated: boolean; /* sent on more than one connection */
	sentAt: number;
	done(envelope: Envelope): void;
	failed(why: unknown): void;
}

const MOST = 1000;
const MOST_CHARACTERS = 16 * 1024 * 1024;

export class Outbox {
	readonly #items = new Map<string, Item>();
	#characters = 0;

	/** Keeps it; the promise settles with its echo or its refusal. */
	add(id: string, text: string, signal?: AbortSignal): Promise<Envelope> {
		if (signal?.aborted) return Promise.reject(signal.reason);
		if (this.#items.has(id))
			return Promise.reject(ownFault('duplicate_id', `an envelope ${id} is on its way already`));
		if (this.#items.size >= MOST || this.#characters + text.length > MOST_CHARACTERS)
			return Promise.reject(
				ownFault('full', `${this.#items.size} envelopes wait for their echo: wait for some of them first`),
			);
		return new Promise((done, failed) => {
			const abort = () => {
				if (!this.#items.get(id)?.wasSent) this.refuse(id, signal?.reason);
			};
			const settled =
				<One>(what: (value: One) => void) =>
				(value: One) => {
					signal?.removeEventListener('abort', abort);
					what(value);
				};
			this.#items.set(id, {
				text,
				wasSent: false,
				isRepeated: false,
				sentAt: 0,
				done: settled(done),
				failed: settled(failed),
			});
			this.#characters += text.length;
			signal?.addEventListener('abort', abort, { once: true });
		});
	}

	/**
	 * Hands each that is due to `send`: all of them after a break, else those that were not sent yet. Where it says
	 * false, no connection took it, and it stays due, as those behind it do.
	 */
	flush(again: boolean, send: (text: string) => boolean): void {
		for (const item of [...this.#items.values()]) {
			if (item.wasSent && !again) continue;
			if (!send(item.text)) return;
			item.isRepeated = item.wasSent;
			item.wasSent = true;
			item.sentAt = Date.now();
		}
	}

	/** When the oldest that was sent went out; undefined: nothing waits. */
	get oldest(): number | undefined {
		for (const item of this.#items.values()) if (item.wasSent) return item.sentAt;
		return undefined;
	}

	/** Whether it went out a second time, so that its echo may come before what was said ahead of it. */
	isRepeated(id: string): boolean {
		return this.#items.get(id)?.isRepeated ?? false;
	}

	#take(id: string): Item | undefined {
		const item = this.#items.get(id);
		if (!item) return undefined;
		this.#items.delete(id);
		this.#characters -= item.text.length;
		return item;
	}

	echoed(envelope: Envelope): boolean {
		const item = this.#take(envelope.id);
		item?.done(envelope);
		return item !== undefined;
	}

	refuse(id: string, why: unknown): boolean {
		const item = this.#take(id);
		item?.failed(why);
		return item !== undefined;
	}

	/** The connection died of something that was sent: it is not sent again. */
	failSent(why: HustingsError): void {
		for (const [id, item] of [...this.#items]) if (item.wasSent) this.refuse(id, why);
	}

	failAll(why: HustingsError): void {
		for (const id of [...this.#items.keys()]) this.refuse(id, why);
	}
}
