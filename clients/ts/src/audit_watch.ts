// SPDX-License-Identifier: Apache-2.0
/**
 * Audit watch: records as they come. After a break it goes on behind the last one; what was not kept is counted as
 * missed.
 */

import type { Address } from './address.js';
import { readJson } from './address.js';
import { safely } from './emitter.js';
import type { AuditFilter, AuditListener, AuditRecord } from './records.js';
import { follow, type Watch } from './watch.js';

const IDLE_MS = 60_000; /* the gateway beats every fifteen seconds */
const SAME_MOST = 4096; /* records of one moment that are remembered */

export function followAudit(address: Address, filter: AuditFilter & { limit?: number }, on: AuditListener): Watch {
	let last: string | undefined;
	let same = new Set<string>(); /* those of that very moment: they come again behind a break */
	const take = (record: AuditRecord) => {
		const text = identityOf(record);
		if (record.ts === last && same.has(text)) return;
		if (record.ts !== last) same = new Set();
		last = record.ts;
		if (same.size < SAME_MOST) same.add(text);
		safely(() => on.record(record));
	};
	return follow({
		open: (signal) => address.open('GET', pathOf(filter, last), undefined, { accept: 'text/event-stream', signal }),
		take: ({ event, data }) => {
			const value = readJson(data);
			if (event === 'record' && typeof value?.ts === 'string') take(value);
			if (event === 'missed' && typeof value?.missed === 'number') safely(() => on.missed?.(value.missed));
		},
		state: on.state && ((state, why) => on.state?.(state, why)),
		idleMs: IDLE_MS,
		signal: on.signal,
	});
}

function pathOf(filter: AuditFilter & { limit?: number }, last: string | undefined): string {
	const words = new URLSearchParams({ follow: '1' });
	for (const [name, value] of Object.entries(filter)) if (value !== undefined) words.set(name, String(value));
	if (last !== undefined) {
		words.set('since', last);
		words.delete('limit');
	}
	return `/admin/audit?${words}`;
}

/** What was stored has a number that what is told live has not yet. */
function identityOf(record: AuditRecord): string {
	const { row, ...rest } = record;
	return JSON.stringify(Object.entries(rest).sort(([one], [other]) => (one < other ? -1 : 1)));
}
