// SPDX-License-Identifier: Apache-2.0
/**
 * Servers: the hosted ones as a view shows them, asked again every second or so while it does. What a server went through since
 * (it stopped, it is back) is noticed here, so that a restart between two looks is seen as well; nothing is kept once the view is gone.
 */
import type { ServerRecord } from 'hustings-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { plain } from '../parts/plain';
import { usePoll } from './poll';
import { gateway } from './session';

const EVERY_MS = 1000;

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

export interface Watched {
	servers: ServerRecord[] | undefined;
	/** The last change in words, for readers of the screen. */
	news: string;
	error: Error | undefined;
	again: () => void;
}

export function useServers(only?: string): Watched {
	const { value, error, again } = usePoll(() => (only === undefined ? gateway.servers() : gateway.server(only).then((one) => [one])), EVERY_MS, [only]);
	const [news, setNews] = useState('');
	const before = useRef(new Map<string, ServerRecord>());
	const marks = value?.map((server) => `${server.id} ${marksOf(server)}`).join('\n');
	useEffect(() => {
		if (!value) return;
		const words = value.map((server) => changeWords(before.current.get(server.id), server)).filter((one) => one !== undefined);
		before.current = new Map(value.map((server) => [server.id, server]));
		if (words.length > 0) setNews(words.slice(0, 3).join(' '));
	}, [marks]);
	return { servers: value, news, error, again };
}
