// SPDX-License-Identifier: Apache-2.0
/** Filter: which items are shown: words, a sender, a kind. It stands in the address, so that a link shows the same. */
import type { Item } from '../../stores/room_items';

export const KINDS = { all: 'Everything', chat: 'Chat', calls: 'Calls', proposals: 'Proposals', refusals: 'Refusals' } as const;
export type KindFilter = keyof typeof KINDS;

export interface Filter {
	words: string;
	from: string;
	kind: KindFilter;
}

const SEARCHED = 20_000;

export function filterOf(query: URLSearchParams): Filter {
	const kind = query.get('kind') ?? 'all';
	return { words: query.get('find') ?? '', from: query.get('from') ?? '', kind: kind in KINDS ? (kind as KindFilter) : 'all' };
}

export function filterQuery({ words, from, kind }: Filter): string {
	const query = new URLSearchParams();
	if (words !== '') query.set('find', words);
	if (from !== '') query.set('from', from);
	if (kind !== 'all') query.set('kind', kind);
	const text = query.toString();
	return text === '' ? '' : `?${text}`;
}

export function isFiltering({ words, from, kind }: Filter): boolean {
	return words.trim() !== '' || from !== '' || kind !== 'all';
}

function isOfKind(item: Item, kind: KindFilter): boolean {
	switch (kind) {
		case 'all':
			return true;
		case 'chat':
			return item.sort === 'chat';
		case 'calls':
			return item.sort === 'call' || item.sort === 'ask';
		case 'proposals':
			return item.sort === 'proposal';
		case 'refusals':
			return (
				item.sort === 'refusal' ||
				(item.sort === 'call' && item.call.state === 'refused') ||
				(item.sort === 'proposal' && item.proposal.state === 'rejected') ||
				(item.sort === 'ask' && item.ask.state === 'denied')
			);
	}
}

const json = (value: unknown): string => (value === undefined ? '' : (JSON.stringify(value) ?? '').slice(0, SEARCHED));

function wordsOf(item: Item): string {
	switch (item.sort) {
		case 'chat':
			return `${item.from} ${item.text.slice(0, SEARCHED)}`;
		case 'call':
			return [
				item.from,
				item.call.to,
				item.call.method,
				item.call.tool,
				json(item.call.args),
				json(item.call.result),
				item.call.error?.message,
				item.call.streamed.slice(0, SEARCHED),
			].join(' ');
		case 'proposal':
			return [
				item.from,
				item.proposal.to,
				item.proposal.method,
				item.proposal.tool,
				item.proposal.reason,
				item.proposal.why,
				item.proposal.by,
				json(item.proposal.args),
				json(item.proposal.call?.result),
			].join(' ');
		case 'ask':
			return [item.from, item.ask.requester, item.ask.tool, item.ask.message, json(item.ask.args)].join(' ');
		case 'refusal':
			return `${item.message} ${item.code} ${item.gate ?? ''}`;
		case 'presence':
			return item.moves.map(({ who }) => `${who.id} ${who.name ?? ''}`).join(' ');
		case 'note':
			return `${item.from} ${item.words}`;
	}
}

/** A test that remembers what it found out about each item as it stands. */
export function matcher(filter: Filter): (item: Item) => boolean {
	/* All of the words, in any order; those in quotes as they stand. */
	const words = [...filter.words.toLowerCase().matchAll(/"([^"]+)"|[^\s"]+/g)].map((found) => found[1] ?? found[0]);
	const known = new WeakMap<Item, { rev: number; isHit: boolean }>();
	return (item) => {
		const before = known.get(item);
		if (before?.rev === item.rev) return before.isHit;
		const isHit =
			isOfKind(item, filter.kind) &&
			(filter.from === '' || item.from === filter.from) &&
			(words.length === 0 || hasAll(wordsOf(item).toLowerCase(), words));
		known.set(item, { rev: item.rev, isHit });
		return isHit;
	};
}

function hasAll(text: string, words: string[]): boolean {
	return words.every((word) => text.includes(word));
}
