// SPDX-License-Identifier: Apache-2.0
/**
 * Servers: the hosted ones as a view shows them, asked again every second or so while it does. What a server went through since
 * (it stopped, it is back) is noticed here, so that a restart between two looks is seen as well; nothing is kept once the view is gone.
 */
import type { ServerRecord } from 'hustings-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { plain } from '../parts/plain';
import { usePoll } from './poll';
import { asking, gateway } from './session';

const EVERY_MS = 1000;
const RECORDS = 200;

/** Since when a server is what it is: server id to a time. */
export type Since = ReadonlyMap<string, string>;

function marksOf(server: ServerRecord): string {
	return `${server.state} ${server.restarts} ${server.pid ?? ''}`;
}

/** One sentence of what changed between two looks; undefined: nothing that a person would call a change. */
function changeWords(before: ServerRecord | undefined, now: ServerRecord): string | undefined {
	const name = plain(now.id);
	if (!before) return undefined;
	if (now.restarts > before.restarts) return `${name} was restarted and is ${now.state}.`;
	if (now.state !== before.state) return `${name} is ${now.state}.`;
	return undefined;
}

/** The newest connecting and losing of each server, by the audit trail. */
async function readSince(servers: readonly ServerRecord[]): Promise<Since> {
	const newest = async (event: string) => {
		const { records } = await asking(gateway.audit({ event, limit: RECORDS }));
		const times = new Map<string, string>();
		for (const record of records)
			if (record.server_id && !times.has(record.server_id)) times.set(record.server_id, record.ts);
		return times;
	};
	const [connected, lost] = await Promise.all([newest('SERVER_CONNECTED'), newest('SERVER_DISCONNECTED')]);
	const since = new Map<string, string>();
	for (const { id, state } of servers) {
		const time = state === 'connected' ? connected.get(id) : lost.get(id) ?? connected.get(id);
		if (time) since.set(id, time);
	}
	return since;
}

export interface Watched {
	servers: ServerRecord[] | undefined;
	since: Since;
	/** The last change in words, for readers of the screen. */
	news: string;
	error: Error | undefined;
	again: () => void;
}

export function useServers(only?: string): Watched {
	const { value, error, again } = usePoll(() => (only === undefined ? gateway.servers() : gateway.server(only).then((one) => [one])), EVERY_MS, [only]);
	const [since, setSince] = useState<Since>(new Map());
	const [news, setNews] = useState('');
	const before = useRef(new Map<string, ServerRecord>());
	const marks = value?.map((server) => `${server.id} ${marksOf(server)}`).join('\n');
	useEffect(() => {
		if (!value) return;
		const words = value.map((server) => changeWords(before.current.get(server.id), server)).filter((one) => one !== undefined);
		before.current = new Map(value.map((server) => [server.id, server]));
		if (words.length > 0) setNews(words.slice(0, 3).join(' '));
		let isOver = false;
		readSince(value).then((times) => { if (!isOver) setSince(times); }, () => {}); // the list says its own refusals
		return () => { isOver = true; };
	}, [marks]);
	return { servers: value, since, news, error, again };
}
