// SPDX-License-Identifier: Apache-2.0
// The package as its users have it: compiled when a source is newer than what was compiled, and joined to gateways under test.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { until, within } from '../../../../tests/e2e/lib/wait.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const PACKAGE = at('../..');
const ENTRY = at('../../dist/index.js');
const COMPILERS = [at('../../node_modules/typescript/bin/tsc'), at('../../../../console/node_modules/typescript/bin/tsc')];
const TESTS = createRequire(at('../../../../tests/package.json'));

/** The class of the package ws: Node 20 has no WebSocket of its own. */
export const { WebSocket } = TESTS('ws');

function isBuilt() {
	if (!existsSync(ENTRY))
		return false;
	const built = statSync(ENTRY).mtimeMs;
	return readdirSync(at('../../src')).every((name) => statSync(at(`../../src/${name}`)).mtimeMs <= built);
}

if (!isBuilt()) {
	if (!COMPILERS.some(existsSync))
		execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: PACKAGE, stdio: ['ignore', 'ignore', 'inherit'] });
	execFileSync(process.execPath, [COMPILERS.find(existsSync), '-p', 'tsconfig.json'], { cwd: PACKAGE, stdio: ['ignore', 'inherit', 'inherit'] });
}

export const { Gateway, HustingsError, rawOf } = await import(ENTRY);

/** Something of the inside, for what cannot be reached from outside. */
export const inside = (file) => import(at(`../../dist/${file}.js`));

/** A client of a gateway under test. */
export function clientOf(gateway, options = {}) {
	return new Gateway({ url: gateway.url, WebSocket, ...options });
}

export function adminOf(gateway) {
	return clientOf(gateway, { token: gateway.adminToken() });
}

/** Somebody with a token of that id. */
export async function somebody(gateway, id, options = {}) {
	return clientOf(gateway, { token: await gateway.token({ id, privilege: 'full', ...options }) });
}

/** A room that remembers what it was told, in which somebody sits; closed with the test. */
export async function joined(t, client, topic, options) {
	const room = heard(client.join(topic, options));
	t.after(() => room.close());
	return within(room.opened(), `${topic} is joined`);
}

/** The same for a room of which nobody knows whether it opens. */
export function heard(room) {
	Object.assign(room, { seen: [], states: [], events: [], moves: [], gaps: [], refusals: [] });
	room.on('envelope', (envelope) => room.seen.push(envelope));
	room.on('state', (state, why) => room.states.push({ state, why }));
	room.on('presence', (presence) => room.moves.push(presence));
	room.on('gap', (event) => room.gaps.push(event));
	room.on('error', (event) => room.refusals.push(event));
	room.sees = (fits, what = String(fits)) => until(() => room.seen.find(fits), `an envelope with ${what}`);
	room.is = (state) => until(() => room.state === state, `the room is ${state}`);
	return room;
}

/** What was said, in the order of arrival. */
export const said = (room) => room.seen.filter(({ kind }) => kind === 'chat').map(({ payload }) => payload.text);

/** The fault of what has to fail. */
export async function faultOf(promise) {
	try {
		const value = await within(promise, 'what has to fail');
		throw new Error(`it did not fail: ${JSON.stringify(value)}`);
	} catch (error) {
		if (!(error instanceof HustingsError))
			throw error;
		return error;
	}
}
