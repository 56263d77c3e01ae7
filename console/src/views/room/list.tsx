// SPDX-License-Identifier: Apache-2.0
/**
 * List: the items of a room, only those in sight on the page. It stays at the end while the end is in sight, keeps the place
 * when older ones come in front, and is walked through with j, k and the arrows.
 */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import type { Item } from '../../stores/room_items';
import type { RoomStore } from '../../stores/room_store';
import { Row, type RowMeans } from './row';
import { useVirtual } from './use_virtual';

const AHEAD = 12;
const GROUP_MS = 5 * 60_000;
const CACHED_MOST = 40_000;

function estimate(item: Item | undefined): number {
	if (!item) return 40;
	if (item.sort === 'chat') return 34 + 22 * Math.min(30, Math.ceil(item.text.length / 90));
	return item.sort === 'call' ? 68 : item.sort === 'proposal' || item.sort === 'ask' ? 170 : 34;
}

export const isOtherDay = (one: number, other: number): boolean => new Date(one).toDateString() !== new Date(other).toDateString();

function isGrouped(item: Item, before: Item | undefined): boolean {
	return (
		item.sort === 'chat' &&
		before?.sort === 'chat' &&
		before.from === item.from &&
		item.at - before.at < GROUP_MS &&
		!isOtherDay(item.at, before.at) &&
		(item.to ?? []).join() === (before.to ?? []).join()
	);
}

export interface ListHandle {
	toEnd(): void;
	show(key: string): boolean;
	focus(): void;
}

export function List({
	store,
	items,
	isFiltered,
	active,
	setActive,
	open,
	means,
	handle,
	onLeave,
}: {
	store: RoomStore;
	items: Item[];
	isFiltered: boolean;
	active: string | undefined;
	setActive: (key: string | undefined) => void;
	open: ReadonlySet<string>;
	means: RowMeans;
	handle: { current: ListHandle | null };
	onLeave: () => void;
}) {
	const place = useRef<HTMLDivElement>(null);
	const wasAtEnd = useRef(true);
	const virtual = useVirtual({
		count: items.length,
		getScrollElement: () => place.current,
		estimateSize: (at) => estimate(items[at]),
		getItemKey: (at) => items[at]?.key ?? at,
	});
	const rows = virtual.getVirtualItems();
	const isAtEnd = items.length === 0 || virtual.isAtEnd(60);
	const first = rows[0]?.index ?? 0;

	useLayoutEffect(() => {
		virtual.scrollToEnd();
	}, []);
	useLayoutEffect(() => {
		/* The list becomes lower when the composer grows: the end stays in sight. */
		const watch = new ResizeObserver(() => {
			if (wasAtEnd.current) virtual.scrollToEnd();
		});
		watch.observe(place.current!);
		return () => watch.disconnect();
	}, []);
	useEffect(() => {
		wasAtEnd.current = isAtEnd;
	});
	useEffect(() => {
		const look = () => store.look(wasAtEnd.current && !document.hidden && !isFiltered);
		look();
		document.addEventListener('visibilitychange', look);
		return () => document.removeEventListener('visibilitychange', look);
	}, [isAtEnd, isFiltered, store]);
	useEffect(() => () => store.look(false), [store]);
	const older = store.older.value;
	useEffect(() => {
		if (!isFiltered && first < AHEAD && older.word === 'more' && store.link.value.word === 'open') void store.loadOlder();
	}, [first, older, isFiltered, items.length, store.link.value.word]);
	useEffect(() => {
		if (virtual.itemSizeCache.size <= CACHED_MOST) return;
		const kept = new Set(items.map(({ key }) => key));
		for (const key of virtual.itemSizeCache.keys()) if (!kept.has(key as string)) virtual.itemSizeCache.delete(key);
	}, [items.length]);

	const focusRow = (at: number) => {
		const item = items[at];
		if (!item) return;
		setActive(item.key);
		virtual.scrollToIndex(at, { align: 'auto' });
		const find = () => place.current?.querySelector<HTMLElement>(`[data-index="${at}"]`);
		if (find()) find()!.focus({ preventScroll: true });
		else requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
	};
	handle.current = {
		toEnd: () => virtual.scrollToEnd(),
		show: (key) => {
			const at = items.findIndex((item) => item.key === key);
			if (at >= 0) {
				setActive(key);
				virtual.scrollToIndex(at, { align: 'center' });
			}
			return at >= 0;
		},
		focus: () => {
			const at = items.findIndex((item) => item.key === active);
			focusRow(at >= 0 ? at : items.length - 1);
		},
	};

	const onKey = (event: KeyboardEvent) => {
		const target = event.target as HTMLElement;
		if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
		const isRow = target.dataset.index !== undefined || target === place.current;
		const at = items.findIndex((item) => item.key === active);
		const moves: Record<string, number> = { j: at + 1, ArrowDown: at + 1, k: at - 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
		const isLetter = event.key === 'j' || event.key === 'k';
		if (event.key in moves && (isRow || isLetter)) {
			event.preventDefault();
			focusRow(at < 0 && event.key !== 'Home' ? items.length - 1 : Math.max(0, Math.min(items.length - 1, moves[event.key]!)));
		} else if (event.key === 'Enter' && isRow && at >= 0) {
			event.preventDefault();
			means.toggle(items[at]!.key);
		} else if (event.key === 'Escape') {
			event.preventDefault();
			if (isRow) onLeave();
			else focusRow(at >= 0 ? at : items.length - 1);
		}
	};

	const unread = store.unread.value;
	return (
		<div class="room-list-frame">
			<div class="room-list" ref={place} role="log" aria-live="off" aria-label={`What was said in ${store.topic}`} tabIndex={0} onKeyDown={onKey}>
				<div class="room-list-all" style={{ height: `${virtual.getTotalSize()}px` }}>
					<div class="room-list-shown" role="list" style={{ transform: `translateY(${rows[0]?.start ?? 0}px)` }}>
						{rows.map((row) => {
							const item = items[row.index];
							if (!item) return null;
							const before = items[row.index - 1];
							return (
								<Row
									key={item.key}
									item={item}
									rev={item.rev}
									index={row.index}
									count={items.length}
									isGrouped={isGrouped(item, before)}
									hasDay={!before || isOtherDay(item.at, before.at)}
									hasMark={!isFiltered && item.key === store.mark.value}
									isOpen={open.has(item.key)}
									isActive={item.key === active}
									means={means}
									measure={virtual.measureElement}
								/>
							);
						})}
					</div>
				</div>
			</div>
			{!isAtEnd && (
				<button type="button" class="button room-to-end" onClick={() => virtual.scrollToEnd()}>
					<Icon name="down" size={16} />
					{unread > 0 && !isFiltered ? `${unread} new below` : 'To the newest'}
				</button>
			)}
		</div>
	);
}
