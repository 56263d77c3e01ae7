// SPDX-License-Identifier: Apache-2.0
/**
 * Room intake: which envelopes were seen already, and behind which one to go on after a break (MCPx v0.1 5). A room
 * that was joined without history remembers its last envelope all the same; one that had none is asked for everything
 * since.
 */

import type { Envelope } from './records.js';

const SEEN_MOST = 8192;
const REPLAY_MS = 10_000; /* after a welcome, in which what was missed arrives */
const STALE_MS = 30_000; /* before the welcome: whoever asked has given up */
export const HISTORY_MOST = 1000;

export class Intake {
	readonly #seen = new Set<string>();
	readonly #history: number;
	#last: string | undefined;
	#isJoined = false;
	#isResuming = false;
	#welcomeAt = 0;
	#joinedAt = 0;

	constructor(history: number, since: string | undefined) {
		this.#history = Math.min(Math.max(history, 0), HISTORY_MOST);
		this.#last = since;
	}

	get last(): string | undefined {
		return this.#last;
	}

	/** What the next connection asks for: from where on. */
	query(): Record<string, string> {
		if (this.#last !== undefined) return { since: this.#last };
		return { history: String(this.#isJoined ? HISTORY_MOST : Math.max(this.#history, 1)) };
	}

	/** A welcome: which of its envelopes are to be shown, oldest first, and whether some may be missing before them. */
	welcome(envelopes: Envelope[], ts: string): { shown: Envelope[]; mayLack: boolean } {
		const isFirst = !this.#isJoined;
		const mayLack = !isFirst && this.#last === undefined;
		this.#isResuming = this.#last !== undefined;
		this.#isJoined = true;
		this.#joinedAt = Date.now();
		this.#welcomeAt = Date.parse(ts) || this.#joinedAt;
		const fresh = envelopes.filter((envelope) => this.take(envelope));
		return { shown: isFirst && this.#history === 0 ? [] : fresh, mayLack };
	}

	/**
	 * False: it was here before. `isRepeated`: the echo of what was said once more, which may come before what is
	 * older: going on behind it would leave that out.
	 */
	take(envelope: Envelope, isRepeated = false): boolean {
		if (this.#seen.has(envelope.id)) return false;
		if (this.#seen.size >= SEEN_MOST) this.#seen.delete(this.#seen.values().next().value as string);
		this.#seen.add(envelope.id);
		/* Only what history holds can be resumed from. */
		const isKept = envelope.kind === 'chat' || envelope.kind === 'mcp' || envelope.kind === 'mcp/proposal';
		if (isKept && !isRepeated && !envelope.from.startsWith('system:')) this.#last = envelope.id;
		return true;
	}

	/** Said while we were away, so long ago that nobody waits for an answer. */
	isPast(envelope: Envelope): boolean {
		return (
			this.#isResuming &&
			Date.now() - this.#joinedAt < REPLAY_MS &&
			Date.parse(envelope.ts) < this.#welcomeAt - STALE_MS
		);
	}
}
