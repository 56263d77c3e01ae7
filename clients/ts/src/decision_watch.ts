// SPDX-License-Identifier: Apache-2.0
/**
 * Decision watch: every question to people that we may see, as it is asked and as it changes. After a break all those
 * that were open are looked at again, so that none stays open here that was answered meanwhile.
 */

import type { Address } from './address.js';
import { readJson } from './address.js';
import { safely } from './emitter.js';
import { HustingsError } from './fault.js';
import { keepRaw } from './raw.js';
import type { Decision, DecisionKind, DecisionState } from './records.js';
import { follow, type Watch, type WatchState } from './watch.js';

/** What a watch of decisions tells. What a listener throws is reported, and goes no further. */
export interface DecisionListener {
	/** One that is open, or that has changed. */
	decision(decision: Decision): void;
	state?(state: WatchState, why?: HustingsError): void;
}

/** Which decisions are watched, and until when. */
export interface DecisionWatchOptions {
	kind?: DecisionKind;
	signal?: AbortSignal;
}

interface Asks {
	decisions(filter: { kind?: DecisionKind }): Promise<{ decisions: Decision[] }>;
	decision(id: string): Promise<Decision>;
}

const IDLE_MS = 45_000; /* the gateway beats every five seconds */

export function watchDecisions(
	address: Address,
	gateway: Asks,
	on: DecisionListener,
	options: DecisionWatchOptions,
): Watch {
	const open = new Map<string, Decision>();
	const tell = (decision: Decision) => {
		if (decision.state === 'pending') open.set(decision.id, decision);
		else open.delete(decision.id);
		safely(() => on.decision(decision));
	};
	/* What was open, and is not among what the gateway has now, was answered, or is not kept any more. */
	const lookAgain = async (signal: AbortSignal) => {
		const before = [...open.values()];
		if (before.length === 0) return;
		const { decisions } = await gateway.decisions({ kind: options.kind });
		const now = new Map<string, Decision>(decisions.map((decision) => [decision.id, decision]));
		for (const old of before) {
			const current =
				now.get(old.id) ?? (await gateway.decision(old.id).catch((error: unknown) => gone(old, error)));
			if (signal.aborted) return;
			if (current && open.has(old.id) && current.state !== 'pending') tell(current);
		}
	};
	const path = `/admin/decisions${options.kind === undefined ? '' : `?kind=${encodeURIComponent(options.kind)}`}`;
	return follow({
		open: (signal) => address.open('GET', path, undefined, { accept: 'text/event-stream', signal }),
		take: ({ event, data }) => {
			const decision = event === 'decision' ? readJson(data) : undefined;
			if (typeof decision?.id === 'string') tell(keepRaw(decision, data));
		},
		live: (again, signal) => (again ? lookAgain(signal) : undefined),
		state: on.state && ((state, why) => on.state?.(state, why)),
		idleMs: IDLE_MS,
		signal: options.signal,
	});
}

function gone(old: Decision, error: unknown): Decision | undefined {
	if (!(error instanceof HustingsError) || (error.status !== 404 && error.status !== 403)) return undefined;
	return { ...old, state: 'expired' satisfies DecisionState };
}
