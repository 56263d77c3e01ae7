// SPDX-License-Identifier: Apache-2.0
/** Filter: which records are shown, as the address says it, so that a view can be linked and reloaded. `text` is ours: it is looked for in what was loaded. */
import type { AuditFilter } from 'hustings-client';
import { to } from '../../stores/route';

export const NAMES = ['since', 'actor', 'event', 'server', 'tool', 'topic', 'result', 'gate', 'trace', 'source', 'text'] as const;

export type FilterName = (typeof NAMES)[number];
export type Filter = Partial<Record<FilterName, string>>;
export type Part = 'records' | 'statistics';

const VALUE_MOST = 256;

export function readFilter(query: URLSearchParams): Filter {
	const filter: Filter = {};
	for (const name of NAMES) {
		const value = query.get(name)?.trim().slice(0, VALUE_MOST);
		if (value) filter[name] = value;
	}
	return filter;
}

function words(filter: Filter, isOurs: boolean): string {
	const all = new URLSearchParams();
	for (const name of NAMES) {
		const value = filter[name];
		if (value && (isOurs || name !== 'text')) all.set(name, value);
	}
	return all.toString();
}

export function addressOf(filter: Filter, part: Part = 'records'): string {
	const query = words(filter, true);
	const place = part === 'records' ? to('audit') : to('audit', part);
	return query === '' ? place : `${place}?${query}`;
}

/** The same filter with this in it; another value of the same name gives way. */
export function withOne(filter: Filter, name: FilterName, value: string): Filter {
	return { ...filter, [name]: value };
}

export function without(filter: Filter, name: FilterName): Filter {
	const { [name]: _, ...rest } = filter;
	return rest;
}

/** What the gateway filters by. */
export function asked(filter: Filter): AuditFilter {
	return without(filter, 'text') as AuditFilter;
}

export function exportAddress(filter: Filter, format: 'jsonl' | 'csv'): string {
	const query = words(filter, false);
	return `/admin/audit/export?format=${format}${query === '' ? '' : `&${query}`}`;
}

/** The same filters as options of the command, for a terminal. */
export function commandOf(filter: Filter): string {
	const options = NAMES.filter((name) => name !== 'text' && filter[name]).map((name) => ` --${name} ${quoted(filter[name]!)}`);
	return `hustings audit${options.join('')}`;
}

function quoted(value: string): string {
	return /^[\w.:/@-]+$/.test(value) ? value : `'${value.replace(/'/g, "'\\''")}'`;
}
