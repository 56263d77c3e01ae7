// SPDX-License-Identifier: Apache-2.0
/** Room roster: who else is here. After a break it is told who has come and gone meanwhile, as if we had been there. */

import type { Participant, Presence, Welcome } from './records.js';

export class Roster {
	/** By id; the same map for as long as the room lives. */
	readonly all = new Map<string, Participant>();
	readonly #moved: (presence: Presence) => void;
	#gone = new Set<string>(); /* since the last welcome */

	constructor(moved: (presence: Presence) => void) {
		this.#moved = moved;
	}

	welcome({ participants, participants_total: total }: Welcome, again: boolean): void {
		const now = new Map(participants.map((one) => [one.id, one]));
		const before = [...this.all.values()];
		const isWhole = total === undefined;
		this.#gone.clear();
		for (const participant of before) if (isWhole && !now.has(participant.id)) this.#left(participant);
		for (const participant of now.values()) {
			const isNew = !this.all.has(participant.id);
			this.all.set(participant.id, participant);
			if (isNew && again) this.#moved({ event: 'join', participant });
		}
	}

	/** Those whom the welcome left out. */
	complete(participants: Participant[]): void {
		for (const participant of participants) {
			if (this.all.has(participant.id) || this.#gone.has(participant.id)) continue;
			this.all.set(participant.id, participant);
			this.#moved({ event: 'join', participant });
		}
	}

	take(presence: Presence, self: string | undefined): void {
		const participant = presence?.participant;
		if (typeof participant?.id !== 'string') return;
		if (participant.id === self) return;
		if (presence.event === 'leave') {
			this.#gone.add(participant.id);
			this.#left(participant);
			return;
		}
		this.#gone.delete(participant.id);
		this.all.set(participant.id, { ...this.all.get(participant.id), ...participant });
		this.#moved(presence);
	}

	#left(participant: Participant): void {
		this.all.delete(participant.id);
		this.#moved({ event: 'leave', participant });
	}
}
