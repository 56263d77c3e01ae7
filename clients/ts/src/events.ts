// SPDX-License-Identifier: Apache-2.0
/** Events: a stream of server-sent events, read as it comes. No line and no event grows beyond a bound. */

import { asFault, ownFault } from './fault.js';

export interface ServerEvent {
	event: string;
	id?: string;
	data: string;
}

/** Characters of one line, and of one event's data. */
const MOST = 8 * 1024 * 1024;

/** Takes pieces of a text, hands out its lines. */
class Lines {
	#rest = '';
	#looked = 0;

	add(piece: string): string[] {
		const lines: string[] = [];
		this.#rest += piece;
		for (;;) {
			const end = this.#end();
			if (end < 0) break;
			const isPair = this.#rest[end] === '\r' && this.#rest[end + 1] === '\n';
			lines.push(this.#rest.slice(0, end));
			this.#rest = this.#rest.slice(end + (isPair ? 2 : 1));
			this.#looked = 0;
		}
		this.#looked = Math.max(this.#rest.length - 1, 0);
		if (this.#rest.length > MOST) throw tooLarge();
		return lines;
	}

	/** Where the first line ends; a CR that is the last character may be half of a pair. */
	#end(): number {
		for (let at = this.#looked; at < this.#rest.length; at++) {
			const sign = this.#rest.charCodeAt(at);
			if (sign === 10) return at;
			if (sign === 13) return at + 1 < this.#rest.length ? at : -1;
		}
		return -1;
	}
}

const tooLarge = () => ownFault('too_large', `an event has more than ${MOST} characters`);

/** Gathers lines into events. */
class Gathering {
	#event = '';
	#data: string[] = [];
	#size = 0;
	#id?: string;

	/** An event that this line ends, if it does. */
	add(line: string): ServerEvent | undefined {
		if (line === '') return this.#take();
		if (line.startsWith(':')) return undefined;
		const colon = line.indexOf(':');
		const name = colon < 0 ? line : line.slice(0, colon);
		const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
		if (name === 'event') this.#event = value;
		if (name === 'id') this.#id = value;
		if (name !== 'data') return undefined;
		this.#data.push(value);
		this.#size += value.length + 1;
		if (this.#size > MOST) throw tooLarge();
		return undefined;
	}

	#take(): ServerEvent | undefined {
		const event = this.#event || 'message';
		const data = this.#data;
		this.#event = '';
		this.#data = [];
		this.#size = 0;
		return data.length === 0 ? undefined : { event, id: this.#id, data: data.join('\n') };
	}
}

/** The events of an answer, until it ends or is aborted; `heard` is called for every piece that comes. */
export async function* readEvents(response: Response, heard?: () => void): AsyncGenerator<ServerEvent> {
	if (!response.body) return;
	const reader = response.body.getReader();
	const decoder = new TextDecoder();
	const lines = new Lines();
	const gathering = new Gathering();
	try {
		for (;;) {
			const { done, value } = await reader.read().catch((error: unknown) => {
				throw asFault(error);
			});
			if (done) return;
			heard?.();
			for (const line of lines.add(decoder.decode(value, { stream: true }))) {
				const event = gathering.add(line);
				if (event) yield event;
			}
		}
	} finally {
		void reader.cancel().catch(() => {});
	}
}
