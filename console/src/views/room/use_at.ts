// SPDX-License-Identifier: Apache-2.0
/** The link of another view names an envelope: its item is shown, from further back if it has to be. */
import { useEffect } from 'preact/hooks';
import type { RoomStore } from '../../stores/room_store';

const PAGES_MOST = 20;

/** Settles when the room is connected, or will not be. */
function connected(store: RoomStore): Promise<void> {
	return new Promise((done) => {
		const end = store.link.subscribe((link) => {
			if (link.word === 'connecting') return;
			queueMicrotask(() => {
				end();
				done();
			});
		});
	});
}

export function useAt(store: RoomStore, at: string | null, show: (key: string) => boolean): void {
	useEffect(() => {
		if (at === null) return;
		let isOver = false;
		const find = async () => {
			await connected(store);
			for (let page = 0; page < PAGES_MOST && !isOver; page += 1) {
				const item = store.fold.home(at);
				/* Behind the frame in which the list has got it. */
				if (item) return void requestAnimationFrame(() => requestAnimationFrame(() => !isOver && show(item.key)));
				if ((await store.loadOlder()) === 0) return;
			}
		};
		void find();
		return () => {
			isOver = true;
		};
	}, [store, at]);
}
