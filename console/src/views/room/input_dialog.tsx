// SPDX-License-Identifier: Apache-2.0
/** Input dialog: the form of what a tool asks during a call. It goes when the question was answered elsewhere, or is withdrawn. */
import { useEffect, useState } from 'preact/hooks';
import type { CallItem } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { INPUT, isAsked, refusalWords } from '../../stores/room_words';
import { AskedInput } from '../tools/asked_input';

export function InputDialog({ item, store, onClose }: { item: CallItem; store: RoomStore; onClose: () => void }) {
	const [wrong, setWrong] = useState('');
	const version = store.version.value;
	useEffect(() => {
		if (!isAsked(item.call, store.me.value?.id)) onClose();
	}, [version]);
	const answer = (reply: object) =>
		void store.answerInput(item.call, reply).then(onClose, (error) => setWrong(refusalWords(error)));
	return <AskedInput asked={{ question: { method: INPUT, params: item.call.args as any }, answer }} by={item.call.from} wrong={wrong} onClose={onClose} />;
}
