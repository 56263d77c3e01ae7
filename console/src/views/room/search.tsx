// SPDX-License-Identifier: Apache-2.0
/** Search: words, sender and kind over what is here, and further back page by page, until something is found or it is stopped. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { plain, plainLine } from '../../parts/plain';
import { go, to } from '../../stores/route';
import { ITEMS_MOST, type RoomStore } from '../../stores/room_store';
import { filterQuery, isFiltering, KINDS, matcher, type Filter, type KindFilter } from './filter';

const SENDERS = 200;
const TYPING_MS = 200;
const PAGE = 500;
const ENOUGH = 20;

export function SearchBar({
	store,
	filter,
	field,
	onEscape,
}: {
	store: RoomStore;
	filter: Filter;
	field: { current: HTMLInputElement | null };
	onEscape: () => void;
}) {
	const [words, setWords] = useState(filter.words);
	const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
	useEffect(() => setWords(filter.words), [filter.words]);
	useEffect(() => () => clearTimeout(timer.current), []);
	const set = (part: Partial<Filter>) => go(`${to('room', store.topic)}${filterQuery({ ...filter, words, ...part })}`, true);
	const type = (typed: string) => {
		setWords(typed);
		clearTimeout(timer.current);
		timer.current = setTimeout(() => set({ words: typed }), TYPING_MS);
	};
	const senders = new Set([...store.people.value.map(({ id }) => id), ...store.items.slice(-2000).map(({ from }) => from)]);
	if (filter.from !== '') senders.add(filter.from);
	return (
		<div class="room-search" role="search">
			<label class="room-search-words">
				<span class="only-read">Search in {store.topic}</span>
				<Icon name="search" size={16} />
				<input
					ref={field}
					type="search"
					placeholder="Search"
					value={words}
					onInput={(event) => type(event.currentTarget.value)}
					onKeyDown={(event) => {
						if (event.key !== 'Escape') return;
						event.preventDefault();
						clearTimeout(timer.current);
						setWords('');
						if (isFiltering(filter)) set({ words: '', from: '', kind: 'all' });
						onEscape();
					}}
				/>
			</label>
			<select aria-label="Kind" value={filter.kind} onChange={(event) => set({ kind: event.currentTarget.value as KindFilter })}>
				{Object.entries(KINDS).map(([kind, label]) => (
					<option key={kind} value={kind}>
						{label}
					</option>
				))}
			</select>
			<select aria-label="Sender" value={filter.from} onChange={(event) => set({ from: event.currentTarget.value })}>
				<option value="">Anybody</option>
				{[...senders]
					.filter((id) => !id.startsWith('system:'))
					.sort()
					.slice(0, SENDERS)
					.map((id) => (
						<option key={id} value={id}>
							{plainLine(id, 60)}
						</option>
					))}
			</select>
		</div>
	);
}

/** What was found, and the way further back. */
export function SearchState({ store, filter, found }: { store: RoomStore; filter: Filter; found: number }) {
	const [looked, setLooked] = useState(0);
	const [isGoing, setGoing] = useState(false);
	const stop = useRef(false);
	useEffect(
		() => () => {
			stop.current = true;
		},
		[filter],
	);
	const older = store.older.value;
	const goBack = async () => {
		stop.current = false;
		setGoing(true);
		const fits = matcher(filter);
		const before = store.items.filter(fits).length;
		let count = 0;
		while (!stop.current && store.items.filter(fits).length < before + ENOUGH) {
			const came = await store.loadOlder(PAGE);
			count += came;
			setLooked(count);
			if (came === 0 || store.older.value.word !== 'more') break;
		}
		setGoing(false);
	};
	const oldest = store.items[0]?.at;
	return (
		<div class="room-found" role="status">
			<span class="grows">
				{found} found in the {store.items.length.toLocaleString()} items here
				{oldest !== undefined && (
					<span class="soft">
						, back to {new Date(oldest).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}
					</span>
				)}
				{looked > 0 && <span class="soft">; looked through {looked.toLocaleString()} more</span>}
				{older.word === 'none' && <span class="soft">: that is all there is</span>}
				{older.word === 'full' && <span class="soft">: {ITEMS_MOST.toLocaleString()} are the most that this page holds</span>}
				{older.word === 'failed' && <span class="room-wrong">: {plain(older.error.message)}</span>}
			</span>
			{isGoing ? (
				<button
					type="button"
					class="button is-small"
					onClick={() => {
						stop.current = true;
					}}
				>
					Stop
				</button>
			) : (
				(older.word === 'more' || older.word === 'failed') && (
					<button type="button" class="button is-small" onClick={() => void goBack()}>
						Search further back
					</button>
				)
			)}
			<button type="button" class="button is-quiet is-small" onClick={() => go(to('room', store.topic), true)}>
				Show everything
			</button>
		</div>
	);
}
