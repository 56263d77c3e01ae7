// SPDX-License-Identifier: Apache-2.0
/**
 * Decisions: every question to people that this person may see, live. What was answered elsewhere leaves at once and is told in a line;
 * after a break the whole list is asked for anew. Held while somebody is signed in, at most 500, the open ones before the closed.
 */
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { HustingsError, type Answer, type Decision, type Watch } from 'hustings-client';
import { asking, gateway, lost, session, whenOut } from './session';

export interface DecisionsState {
	/** "off": nobody is signed in; "waiting": the connection is being made again; "ended": the gateway will tell nothing, `why` says so. */
	state: 'off' | 'live' | 'waiting' | 'ended';
	/** The first list is here. */
	isRead: boolean;
	why?: HustingsError | undefined;
}

/** A line for who looks on: a question that was settled, and not here. */
export interface Elsewhere {
	number: number;
	id: string;
	decision: Decision;
}

export type Standing = 'yes' | 'own' | 'deny' | 'no';

const AT_MOST = 500;
const LINES = 3;
const LINE_MS = 12_000;
const RANKS: Record<string, number> = { pending: 0, approved: 1 };

const known = signal<ReadonlyMap<string, Decision>>(new Map());
const state = signal<DecisionsState>({ state: 'off', isRead: false });
const lines = signal<Elsewhere[]>([]);
const ours = new Set<string>();
const openedListeners = new Set<(decision: Decision) => void>();
let numbers = 0;
let round = 0;
let watch: Watch | undefined;

export const decisionsState: ReadonlySignal<DecisionsState> = state;
export const settledElsewhere: ReadonlySignal<Elsewhere[]> = lines;
export const decisions: ReadonlySignal<Decision[]> = computed(() =>
	[...known.value.values()].sort((one, other) => other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id)),
);
/** Those that wait for this person: open, and not its own. */
export const openDecisions: ReadonlySignal<Decision[]> = computed(() =>
	decisions.value.filter((one) => one.state === 'pending' && one.requester !== session.value?.id),
);

/** What this person may say to it; the gateway has the last word. */
export function standingOf(decision: Decision): Standing {
	const me = session.value;
	if (!me) return 'no';
	if (decision.requester === me.id) return 'own';
	if (decision.deciders.includes(me.id)) return 'yes';
	if (decision.deciders.length === 0) return 'yes';
	return me.admin ? 'deny' : 'no';
}

/** Hears of each question that is asked from now on. */
export function whenAsked(listener: (decision: Decision) => void): void {
	openedListeners.add(listener);
}

function rank(decision: Decision): number {
	return RANKS[decision.state] ?? 2;
}

/** A list that was on its way never takes back what the stream has told since. */
function newer(one: Decision | undefined, other: Decision): Decision {
	return one && rank(one) > rank(other) ? one : other;
}

function bounded(all: Map<string, Decision>): Map<string, Decision> {
	if (all.size <= AT_MOST) return all;
	const order = [...all.values()].sort(
		(one, other) => Number(other.state === 'pending') - Number(one.state === 'pending') || other.createdAt.localeCompare(one.createdAt),
	);
	return new Map(order.slice(0, AT_MOST).map((one) => [one.id, one]));
}

function sayElsewhere(decision: Decision): void {
	const line = { number: (numbers += 1), id: decision.id, decision };
	lines.value = [...lines.value, line].slice(-LINES);
	setTimeout(() => {
		lines.value = lines.value.filter((one) => one.number !== line.number);
	}, LINE_MS);
}

function take(decision: Decision, isNews: boolean): void {
	const before = known.value.get(decision.id);
	const now = newer(before, decision);
	const all = new Map(known.value);
	all.set(now.id, now);
	known.value = bounded(all);
	if (before?.state === 'pending' && now.state !== 'pending' && !ours.has(now.id)) sayElsewhere(now);
	if (isNews && !before && now.state === 'pending') for (const listener of openedListeners) listener(now);
}

async function readAll(mine: number, isFirst: boolean): Promise<void> {
	try {
		const answer = await asking(gateway.decisions());
		if (mine !== round) return;
		for (const decision of answer.decisions) take(decision, !isFirst);
		state.value = { ...state.value, isRead: true };
	} catch (error) {
		if (mine === round) state.value = { ...state.value, isRead: true, why: error as HustingsError };
	}
}

function begin(): void {
	const mine = (round += 1);
	let isFirst = true;
	/* What waits already is no news: the stream begins with it, so it is told from the list's end on. */
	let isTold = false;
	watch = gateway.watchDecisions({
		decision: (decision) => {
			if (mine === round) take(decision, isTold);
		},
		state: (now, why) => {
			if (mine !== round) return;
			if (now === 'ended' && why?.status === 401 && session.value?.open !== true) return lost();
			state.value = { ...state.value, state: now, why: now === 'live' ? undefined : why };
			if (now === 'ended') state.value = { ...state.value, isRead: true };
			if (now !== 'live') return;
			const wasFirst = isFirst;
			isFirst = false;
			void readAll(mine, wasFirst).then(() => {
				isTold = true;
			});
		},
	});
}

function end(): void {
	round += 1;
	watch?.close();
	watch = undefined;
	known.value = new Map();
	lines.value = [];
	ours.clear();
	state.value = { state: 'off', isRead: false };
}

whenOut(end);
effect(() => {
	if (session.value && !watch) begin();
});

/** Answers it; rejects with the gateway's words. Who was faster is looked up, so that the list is right. */
export async function answerDecision(decision: Decision, answer: Answer): Promise<Decision> {
	const mine = round;
	ours.add(decision.id);
	try {
		const settled = await asking(gateway.answer(decision.id, answer));
		if (mine === round) take(settled, false);
		return settled;
	} catch (error) {
		ours.delete(decision.id);
		if (error instanceof HustingsError && (error.status === 409 || error.status === 404) && mine === round)
			await gateway.decision(decision.id).then(
				(now) => take(now, false),
				() => {},
			);
		throw error;
	}
}

/** Takes an approval back that still holds. */
export async function revokeDecision(decision: Decision): Promise<Decision> {
	const mine = round;
	const revoked = await asking(gateway.revoke(decision.id));
	if (mine === round) take(revoked, false);
	return revoked;
}
