// SPDX-License-Identifier: Apache-2.0
/** Known: names that fields of access propose: whose tokens there are, which servers, which tools of one. */
import { useEffect, useState } from 'preact/hooks';
import { serverFace } from '../../stores/catalogue';
import { gateway } from '../../stores/session';

const MOST = 300;

export interface Known { ids: string[]; servers: string[] }

export function useKnown(): Known {
	const [known, setKnown] = useState<Known>({ ids: [], servers: [] });
	useEffect(() => {
		let isOver = false;
		Promise.all([gateway.tokens(), gateway.servers()]).then(([tokens, servers]) => {
			if (isOver) return;
			const ids = new Set(tokens.filter((token) => token.status === 'active').map((token) => token.id));
			setKnown({ ids: [...ids].sort().slice(0, MOST), servers: servers.map((server) => server.id).sort() });
		}, () => {}); // what cannot be proposed can be typed
		return () => { isOver = true; };
	}, []);
	return known;
}

export function useToolNames(server: string, servers: readonly string[]): string[] {
	const [names, setNames] = useState<string[]>([]);
	const isThere = servers.includes(server);
	useEffect(() => {
		setNames([]);
		if (!isThere) return;
		const stop = new AbortController();
		serverFace(server).listTools({ signal: stop.signal }).then((tools) => setNames(tools.map((tool) => tool.name).slice(0, MOST)), () => {});
		return () => stop.abort();
	}, [server, isThere]);
	return names;
}
