// SPDX-License-Identifier: Apache-2.0
/** State of a server: a dot and a word, and what each word means; its health where that says more. */
import type { ServerRecord } from 'hustings-client';

const TONES: Record<string, string> = {
	connected: 'good', error: 'danger', disconnected: 'danger', connecting: 'warn', restarting: 'warn', draining: 'warn', registered: 'warn',
};

const MEANINGS: Record<string, string> = {
	registered: 'known, and not started yet',
	connecting: 'being started, or waiting for its permissions',
	connected: 'running',
	draining: 'finishing its last calls before it ends',
	disconnected: 'stopped',
	error: 'given up: it is not started again by itself',
	restarting: 'it ended, and is started again after a pause',
};

const HEALTH_TONES: Record<string, string> = { healthy: 'is-good', degraded: 'is-warn', unhealthy: 'is-danger' };

export function ServerState({ server }: { server: ServerRecord }) {
	return (
		<span class={`servers-state is-${TONES[server.state] ?? 'plain'}`} title={MEANINGS[server.state]}>
			<span class="servers-dot" aria-hidden="true" />{server.state}
		</span>
	);
}

export function ServerHealth({ server }: { server: ServerRecord }) {
	if (!server.health) return <span class="soft">not known</span>;
	return <span class={`badge ${HEALTH_TONES[server.health] ?? ''}`}>{server.health}</span>;
}

export function meaningOf(state: string): string {
	return MEANINGS[state] ?? state;
}
