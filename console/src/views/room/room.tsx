// SPDX-License-Identifier: Apache-2.0
/** Room: what is said in it, who is there, and the place to say something; without a name, the rooms to choose from. */
import './room.css';
import type { ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog';
import { Icon } from '../../parts/icon';
import { plainLine } from '../../parts/plain';
import { tellError } from '../../stores/notices';
import { leaveRoom, roomStore } from '../../stores/rooms';
import { go, to } from '../../stores/route';
import type { CallItem } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { cancelCall } from './acts';
import { Composer } from './composer';
import { Closed, LinkState, OlderState } from './connection';
import { filterOf, isFiltering, matcher, type Filter } from './filter';
import { List, type ListHandle } from './list';
import { People } from './people';
import { Picker } from './picker';
import type { RowMeans } from './row';
import { SearchBar, SearchState } from './search';
import { useAt } from './use_at';

type CallWish = { to: string; tool?: string | undefined };

/** A dialog with its forms comes when it is needed. */
function Later({ load, onClose, ...props }: { load: () => Promise<ComponentType<any>>; onClose: () => void; [more: string]: unknown }) {
	const [Loaded, setLoaded] = useState<{ view: ComponentType<any> }>();
	useEffect(() => {
		load().then(
			(view) => setLoaded({ view }),
			(error) => {
				tellError('The form did not load', error);
				onClose();
			},
		);
	}, []);
	return Loaded ? <Loaded.view {...props} onClose={onClose} /> : null;
}

const callTool = () => import('./call_tool').then(({ CallTool }) => CallTool);
const inputDialog = () => import('./input_dialog').then(({ InputDialog }) => InputDialog);

function LiveWords({ store }: { store: RoomStore }) {
	return (
		<p class="only-read" role="status" aria-live="polite">
			{plainLine(store.latest.value)}
		</p>
	);
}

/** What changes with every envelope, apart from the rest. */
function Items({
	store,
	filter,
	active,
	setActive,
	open,
	means,
	list,
	onLeave,
}: {
	store: RoomStore;
	filter: Filter;
	active: string | undefined;
	setActive: (key: string | undefined) => void;
	open: ReadonlySet<string>;
	means: RowMeans;
	list: { current: ListHandle | null };
	onLeave: () => void;
}) {
	const fits = useMemo(() => matcher(filter), [filter]);
	const isFiltered = isFiltering(filter);
	const version = store.version.value;
	const items = useMemo(() => (isFiltered ? store.items.filter(fits) : store.items.slice()), [version, fits, store]);
	return (
		<>
			{isFiltered ? <SearchState store={store} filter={filter} found={items.length} /> : <OlderState store={store} />}
			{items.length === 0 && store.link.value.word === 'open' && !isFiltered && (
				<p class="room-empty">Nothing was said here yet. Be the first: everybody who comes later reads it.</p>
			)}
			<List
				store={store}
				items={items}
				isFiltered={isFiltered}
				active={active}
				setActive={setActive}
				open={open}
				means={means}
				handle={list}
				onLeave={onLeave}
			/>
		</>
	);
}

function RoomOf({ topic, query }: { topic: string; query: URLSearchParams }) {
	const store = useMemo(() => roomStore(topic), [topic]);
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const [active, setActive] = useState<string>();
	const [hasPeople, setPeople] = useState(false);
	const [wish, setWish] = useState<CallWish>();
	const [asked, setAsked] = useState<CallItem>();
	const [isLeaving, setLeaving] = useState(false);
	const list = useRef<ListHandle>(null);
	const search = useRef<HTMLInputElement>(null);
	const field = useRef<HTMLTextAreaElement>(null);
	const text = query.toString();
	const filter = useMemo(() => filterOf(query), [text]);
	const means = useMemo<RowMeans>(
		() => ({
			store,
			toggle: (key) =>
				setOpen((before) => {
					const after = new Set(before);
					if (!after.delete(key)) after.add(key);
					return after;
				}),
			answer: setAsked,
			cancel: (item) => void cancelCall(store, item.call).catch((error) => tellError('Not cancelled', error)),
		}),
		[store],
	);
	useAt(store, query.get('at'), (key) => list.current?.show(key) ?? false);
	useEffect(() => {
		document.title = `${topic} · Hustings`;
	}, [topic]);
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement;
			if (
				event.ctrlKey ||
				event.metaKey ||
				event.altKey ||
				event.defaultPrevented ||
				/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
				target.closest('dialog')
			)
				return;
			if (event.key === '/') {
				event.preventDefault();
				search.current?.focus();
			} else if ((event.key === 'j' || event.key === 'k') && !target.closest('.room-list')) {
				event.preventDefault();
				list.current?.focus();
			}
		};
		addEventListener('keydown', onKey);
		return () => removeEventListener('keydown', onKey);
	}, []);
	const toEnd = () => list.current?.toEnd();
	return (
		<div class="room">
			<header class="room-head">
				<h1 class="cut" title={topic}>
					{plainLine(topic)}
				</h1>
				<LinkState store={store} />
				<SearchBar store={store} filter={filter} field={search} onEscape={() => list.current?.focus()} />
				<button
					type="button"
					class="button is-small room-people-open"
					aria-expanded={hasPeople}
					aria-controls="room-people"
					onClick={() => setPeople(!hasPeople)}
				>
					<Icon name="people" size={16} />
					{store.people.value.length}
					<span class="only-read"> here: who</span>
				</button>
				<button type="button" class="button is-quiet is-small" onClick={() => setLeaving(true)}>
					<Icon name="out" size={15} />
					Leave
				</button>
			</header>
			<div class="room-main">
				<Closed store={store} />
				<Items
					store={store}
					filter={filter}
					active={active}
					setActive={setActive}
					open={open}
					means={means}
					list={list}
					onLeave={() => field.current?.focus()}
				/>
				<LiveWords store={store} />
				<Composer
					key={`say ${topic}`}
					store={store}
					field={field}
					onCall={() => setWish({ to: '' })}
					onSent={toEnd}
					onEscape={() => list.current?.focus()}
				/>
			</div>
			<People
				store={store}
				isOpen={hasPeople}
				onClose={() => setPeople(false)}
				onCall={(whom, tool) => {
					setPeople(false);
					setWish({ to: whom, tool });
				}}
			/>
			{wish && <Later load={callTool} store={store} wish={wish} onClose={() => setWish(undefined)} onSent={toEnd} />}
			{asked && <Later key={asked.key} load={inputDialog} store={store} item={asked} onClose={() => setAsked(undefined)} />}
			{isLeaving && (
				<Dialog title={`Leave ${topic}?`} onClose={() => setLeaving(false)}>
					<p>You will not hear what is said there until you come back. What was said stays in its history.</p>
					<div class="dialog-foot">
						<button type="button" class="button" onClick={() => setLeaving(false)}>
							Stay
						</button>
						<button
							type="button"
							class="button is-main"
							onClick={() => {
								go(to('room'));
								leaveRoom(topic);
							}}
						>
							Leave
						</button>
					</div>
				</Dialog>
			)}
		</div>
	);
}

export function RoomView({ path, query }: { path: string[]; query: URLSearchParams }) {
	const topic = path.join('/');
	return topic === '' ? <Picker /> : <RoomOf key={topic} topic={topic} query={query} />;
}
