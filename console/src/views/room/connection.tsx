// SPDX-License-Identifier: Apache-2.0
/** Connection: how the room is connected, in calm words; why it is not, and the way back; and what of the older ones could not be had. */
import { Icon } from '../../parts/icon';
import { plain } from '../../parts/plain';
import { now } from '../../stores/clock';
import type { RoomStore } from '../../stores/room_store';

export function LinkState({ store }: { store: RoomStore }) {
	const link = store.link.value;
	if (link.word === 'open') return null;
	if (link.word === 'connecting')
		return (
			<span class="badge" role="status">
				connecting …
			</span>
		);
	if (link.word === 'waiting')
		return (
			<span class="badge is-warn" role="status" title={plain(link.why)}>
				reconnecting, {Math.max(0, Math.floor((now.value - link.since) / 1000))} s
			</span>
		);
	return <span class="badge is-danger">not connected</span>;
}

export function Closed({ store }: { store: RoomStore }) {
	const link = store.link.value;
	if (link.word !== 'closed') return null;
	return (
		<div class="room-closed" role="alert">
			<Icon name="warning" size={16} />
			<span class="grows breaks">
				{plain(link.why)}
				{link.code === 403 && ' Your token does not hold for this room.'}
			</span>
			{link.code !== 403 && (
				<button type="button" class="button is-small" onClick={() => store.join()}>
					Come in again
				</button>
			)}
		</div>
	);
}

export function OlderState({ store }: { store: RoomStore }) {
	const older = store.older.value;
	if (older.word === 'failed')
		return (
			<p class="room-older" role="alert">
				Older ones could not be read: {plain(older.error.message)}{' '}
				<button type="button" class="button is-small" onClick={() => store.again()}>
					Try again
				</button>
			</p>
		);
	if (older.word === 'full') return <p class="room-older">This page holds no more: search finds what is older.</p>;
	return null;
}
