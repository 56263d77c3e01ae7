// SPDX-License-Identifier: Apache-2.0
/** Composer: saying something, to all or to one; and the way to calling a tool. What was refused stays in the field, with the reason. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { plain, plainLine } from '../../parts/plain';
import { draftOf, keepDraft } from '../../stores/drafts';
import type { RoomStore } from '../../stores/room_store';
import { refusalWords } from '../../stores/room_words';

const TALLEST = 200;
const LONGEST = 500_000;

export function Composer({
	store,
	field,
	onCall,
	onSent,
	onEscape,
}: {
	store: RoomStore;
	field: { current: HTMLTextAreaElement | null };
	onCall: () => void;
	onSent: () => void;
	onEscape: () => void;
}) {
	const [text, setText] = useState(draftOf(store.topic));
	const [to, setTo] = useState('');
	const [wrong, setWrong] = useState('');
	const sent = useRef(0);
	const people = store.people.value.filter(({ id }) => id !== store.me.value?.id);
	useEffect(() => {
		if (to !== '' && !people.some(({ id }) => id === to)) setTo('');
	}, [people, to]);
	useLayoutEffect(() => {
		const place = field.current!;
		place.style.height = 'auto';
		place.style.height = `${Math.min(TALLEST, place.scrollHeight + 2)}px`;
	}, [text]);
	const write = (words: string) => {
		setText(words);
		keepDraft(store.topic, words);
	};
	const send = async () => {
		const words = text;
		if (words.trim() === '') return;
		const mine = (sent.current += 1);
		setWrong('');
		write('');
		onSent();
		try {
			await store.room.chat(words, to === '' ? undefined : to, { format: 'markdown' });
		} catch (error) {
			setWrong(refusalWords(error));
			if (mine === sent.current && field.current?.value === '') write(words);
		}
	};
	const isClosed = store.link.value.word === 'closed';
	const isRestricted = store.me.value?.privilege === 'restricted';
	return (
		<form
			class="room-composer"
			onSubmit={(event) => {
				event.preventDefault();
				void send();
			}}
		>
			{wrong !== '' && (
				<p class="small room-wrong" role="alert">
					Not sent: {plain(wrong)}
				</p>
			)}
			<textarea
				ref={field}
				rows={1}
				value={text}
				maxLength={LONGEST}
				disabled={isClosed}
				aria-label={to === '' ? `Say something in ${store.topic}` : `Say something to ${plainLine(to)}`}
				placeholder={`Say something in ${store.topic}`}
				onInput={(event) => write(event.currentTarget.value)}
				onKeyDown={(event) => {
					if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
						event.preventDefault();
						void send();
					} else if (event.key === 'Escape') onEscape();
				}}
			/>
			<div class="room-composer-foot">
				<label class="row small soft">
					To
					<select value={to} onChange={(event) => setTo(event.currentTarget.value)} disabled={isClosed}>
						<option value="">everybody</option>
						{people.map(({ id }) => (
							<option key={id} value={id}>
								{plainLine(id, 60)}
							</option>
						))}
					</select>
				</label>
				<button type="button" class="button is-small" onClick={onCall} disabled={isClosed || people.length === 0}>
					<Icon name="call" size={15} />
					{isRestricted ? 'Propose a call' : 'Call a tool'}
				</button>
				<span class="tiny soft grows room-composer-hint">
					<kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> breaks the line
				</span>
				<button type="submit" class="button is-main is-small" disabled={isClosed || text.trim() === ''}>
					<Icon name="send" size={15} />
					Send
				</button>
			</div>
		</form>
	);
}
