// SPDX-License-Identifier: Apache-2.0
/** Rooms: which there are, and those that this person is in: they stay open until they are left, or the session ends. */
import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import type { Topic } from 'hustings-client';
import { remember, remembered } from './room_memory';
import { RoomStore } from './room_store';
import { asking, gateway, session, whenOut } from './session';

export { RoomStore } from './room_store';

export interface RoomLine {
	topic: string;
	participants: number;
	unread: number;
	isJoined: boolean;
}

const EVERY_MS = 5000;
const JOINED_MOST = 16;
const LISTED_MOST = 500;

const topics = signal<Topic[]>([]);
/** In the order in which they were looked at last, the newest at the end. */
const joined = signal<RoomStore[]>([]);
/** Why the list could not be read. */
export const roomsError = signal<Error | undefined>(undefined);
export const isListed = signal(false);

export const rooms: ReadonlySignal<RoomLine[]> = computed(() => {
	const lines = new Map<string, RoomLine>();
	for (const store of joined.value)
		lines.set(store.topic, { topic: store.topic, participants: store.people.value.length, unread: store.unread.value, isJoined: true });
	for (const { topic, participants } of topics.value) {
		const line = lines.get(topic);
		if (!line) lines.set(topic, { topic, participants, unread: 0, isJoined: false });
		else if (line.participants === 0) line.participants = participants;
	}
	return [...lines.values()]
		.sort((one, other) => Number(other.isJoined) - Number(one.isJoined) || one.topic.localeCompare(other.topic))
		.slice(0, LISTED_MOST);
});

let who: string | undefined;

function keep(): void {
	if (who !== undefined)
		remember(
			who,
			joined
				.peek()
				.map(({ topic, read }) => ({ topic, read }))
				.reverse(),
		);
}

let keeping: ReturnType<typeof setTimeout> | undefined;

function keepSoon(): void {
	keeping ??= setTimeout(() => {
		keeping = undefined;
		keep();
	}, 500);
}

/* A page that is closed or read anew remembers what was read up to then. */
addEventListener('pagehide', keep);

function open(topic: string, read: string | undefined): RoomStore {
	const store = new RoomStore(topic, read, keepSoon);
	let all = [...joined.value, store];
	if (all.length > JOINED_MOST) {
		all[0]!.close();
		all = all.slice(1);
	}
	joined.value = all;
	return store;
}

/** The room of that name; joins where this person is not in it. */
export function roomStore(topic: string): RoomStore {
	const known = joined.peek().find((one) => one.topic === topic);
	if (!known) {
		const store = open(topic, undefined);
		keepSoon();
		return store;
	}
	if (joined.peek().at(-1) !== known) joined.value = [...joined.peek().filter((one) => one !== known), known];
	return known;
}

/** The room of that name, where this person is in it. */
export function joinedRoom(topic: string): RoomStore | undefined {
	return joined.peek().find((one) => one.topic === topic);
}

export function leaveRoom(topic: string): void {
	joined
		.peek()
		.find((one) => one.topic === topic)
		?.close();
	joined.value = joined.peek().filter((one) => one.topic !== topic);
	keep();
}

let timer: ReturnType<typeof setTimeout> | undefined;
let round = 0;

async function look(mine: number): Promise<void> {
	if (!document.hidden) {
		try {
			const all = await asking(gateway.topics());
			if (mine !== round) return;
			topics.value = all;
			roomsError.value = undefined;
			isListed.value = true;
		} catch (error) {
			if (mine !== round) return;
			roomsError.value = error as Error;
		}
	}
	if (mine === round) timer = setTimeout(() => void look(mine), EVERY_MS);
}

/** Somebody has signed in: back into the rooms of last time. */
effect(() => {
	const id = session.value?.id;
	if (id === undefined) return;
	untracked(() => {
		who = id;
		round += 1;
		void look(round);
		for (const { topic, read } of remembered(id).slice(0, JOINED_MOST).reverse()) if (!joined.value.some((one) => one.topic === topic)) open(topic, read);
	});
});

whenOut(() => {
	keep();
	who = undefined;
	round += 1;
	clearTimeout(timer);
	clearTimeout(keeping);
	keeping = undefined;
	for (const store of joined.peek()) store.close();
	joined.value = [];
	topics.value = [];
	isListed.value = false;
});
