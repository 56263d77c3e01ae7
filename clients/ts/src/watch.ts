// SPDX-License-Identifier: Apache-2.0
/**
 * Watch: a stream of events that is opened again by itself when it breaks off, until it is closed or the gateway says
 * that we may not (401, 403), or that there is nothing of that kind (400, 404).
 */

import { report } from './emitter.js';
import { readEvents, type ServerEvent } from './events.js';
import { asFault, HustingsError, ownFault } from './fault.js';
import { Backoff, pause, untilAborted } from './patience.js';

/** "waiting": until the next try. "ended": for good. */
export type WatchState = 'live' | 'waiting' | 'ended';

/** Something that is told of until it is closed. */
export interface Watch {
	/** Ends it; nothing is told any more but its state. */
	close(): void;
	/** Settles when it has ended, however that came; never rejects. */
	readonly closed: Promise<void>;
}

export interface Following {
	/** Opens the stream. */
	open(signal: AbortSignal): Promise<Response>;
	take(event: ServerEvent): void | Promise<void>;
	/** The stream is open; what was missed meanwhile is to be asked for here. */
	live?(again: boolean, signal: AbortSignal): void | Promise<void>;
	state?(state: WatchState, why?: HustingsError): void;
	/** Silence after which the connection counts as dead; left out: it may be silent for ever. */
	idleMs?: number;
	signal?: AbortSignal;
}

const STEADY_MS = 30_000;
const FINAL = [400, 401, 403, 404, 405];

export function follow(following: Following): Watch {
	const control = new AbortController();
	const stop = () => control.abort();
	following.signal?.addEventListener('abort', stop, { once: true });
	if (following.signal?.aborted) stop();
	const closed = run(following, control.signal)
		.catch(report)
		.finally(() => following.signal?.removeEventListener('abort', stop));
	return { close: stop, closed };
}

async function run(following: Following, signal: AbortSignal): Promise<void> {
	const backoff = new Backoff();
	const say = (state: WatchState, why?: HustingsError) => {
		try {
			following.state?.(state, why);
		} catch (error) {
			report(error);
		}
	};
	for (let again = false; !signal.aborted; again = true) {
		const begun = Date.now();
		const why = await once(following, signal, again, say);
		if (signal.aborted) break;
		if (FINAL.includes(why.status)) return say('ended', why);
		if (Date.now() - begun > STEADY_MS) backoff.reset();
		say('waiting', why);
		await pause(backoff.next(), signal);
	}
	say('ended');
}

/** One connection to its end: why it ended. */
async function once(
	following: Following,
	outer: AbortSignal,
	again: boolean,
	say: (state: WatchState) => void,
): Promise<HustingsError> {
	const control = new AbortController();
	const stop = () => control.abort();
	let idle: ReturnType<typeof setTimeout> | undefined;
	const heard = () => {
		clearTimeout(idle);
		if (following.idleMs) idle = setTimeout(stop, following.idleMs);
	};
	outer.addEventListener('abort', stop, { once: true });
	try {
		heard();
		const response = await following.open(control.signal);
		heard();
		say('live');
		/* A look that hangs must not hold the stream up: silence ends both. */
		await untilAborted(Promise.resolve(following.live?.(again, control.signal)), control.signal);
		for await (const event of readEvents(response, heard)) await following.take(event);
		return ownFault('broken_off', 'the stream has ended');
	} catch (error) {
		return control.signal.aborted && !outer.aborted
			? ownFault('timeout', 'nothing came for too long')
			: asFault(error);
	} finally {
		clearTimeout(idle);
		outer.removeEventListener('abort', stop);
		control.abort();
	}
}
