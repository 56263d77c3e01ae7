// SPDX-License-Identifier: Apache-2.0
/** Room memory: which rooms this person was in, and how far each was read. Kept in this browser, by name; nothing of what was said. */

export interface Remembered {
	topic: string;
	read?: string | undefined;
}

const KEY = 'hustings.rooms';
const MOST = 32;

export function remembered(who: string): Remembered[] {
	try {
		const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null');
		if (kept?.who !== who || !Array.isArray(kept.rooms)) return [];
		return kept.rooms.filter((one: any) => typeof one?.topic === 'string').slice(0, MOST);
	} catch {
		return [];
	}
}

export function remember(who: string, rooms: Remembered[]): void {
	try {
		localStorage.setItem(KEY, JSON.stringify({ who, rooms: rooms.slice(0, MOST) }));
	} catch {
		/* a full or closed storage forgets, and nothing more */
	}
}
