// SPDX-License-Identifier: Apache-2.0
// Signing in as a browser does: a cookie of the gateway's, sent from its own page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, faultOf, joined, WebSocket } from './lib/client.mjs';

const gateway = await house();

/** What a browser adds for a page of the gateway: its cookies, and where the page comes from. */
function browser(at = gateway) {
	const jar = new Map();
	const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
	const keep = (line) => {
		const [pair, ...rest] = line.split(';').map((one) => one.trim());
		const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
		if (rest.some((one) => /^max-age=0$/i.test(one)) || value === '')
			jar.delete(name);
		else
			jar.set(name, value);
	};
	const does = async (url, options) => {
		const answer = await fetch(url, { ...options, headers: { ...options.headers, origin: at.url, cookie: cookies() } });
		answer.headers.getSetCookie().forEach(keep);
		return answer;
	};
	class Socket extends WebSocket {
		constructor(url) {
			super(url, [], { origin: at.url, headers: { cookie: cookies() } });
		}
	}
	Object.defineProperties(Socket, { createWebSocketStream: { value: undefined }, WebSocketServer: { value: undefined } });
	return clientOf(at, { fetch: does, WebSocket: Socket });
}

test('a token is changed into a session, with which everything works', async (t) => {
	const token = await gateway.token({ id: 'ann', privilege: 'full', kind: 'human', name: 'Ann' });
	const client = browser();
	assert.equal((await faultOf(client.session())).status, 401);
	const signed = await client.signIn({ token });
	assert.deepEqual([signed.id, signed.name, signed.kind, signed.admin, signed.open], ['ann', 'Ann', 'human', false, false]);
	assert.deepEqual((await client.session()).id, 'ann');
	const room = await joined(t, client, freshTopic());
	assert.equal((await room.chat('from a page')).from, 'ann');
	await client.signOut();
	await until(() => room.state === 'closed', 'its rooms are closed');
	assert.equal(room.states.at(-1).why.code, 4003);
	assert.equal((await faultOf(client.session())).status, 401);
});

test('a wrong token is refused in words', async () => {
	const fault = await faultOf(browser().signIn({ token: 'wrong' }));
	assert.equal(fault.status, 401);
	assert.ok(fault.message.length > 0);
	assert.equal((await faultOf(browser().signIn({ ticket: 'wrong' }))).status, 401);
});

test('a ticket signs in once', async () => {
	const { ticket } = await adminOf(gateway).request('POST', '/v0/tickets', { console: true });
	const client = browser();
	assert.equal((await client.signIn({ ticket })).admin, true);
	assert.ok((await client.tokens()).some(({ session, parent }) => session === true && parent !== undefined));
	assert.equal((await faultOf(browser().signIn({ ticket }))).status, 401);
});

test('a revoked parent throws the page out', async (t) => {
	const admin = adminOf(gateway);
	const { token, tokenId } = await admin.createToken({ id: 'eve', privilege: 'full', kind: 'human' });
	const client = browser();
	await client.signIn({ token });
	const room = await joined(t, client, freshTopic());
	await admin.revokeToken(tokenId);
	await until(() => room.state === 'closed', 'it is thrown out');
	assert.equal((await faultOf(client.session())).status, 401);
});

test('in open mode nobody has to sign in', async (t) => {
	const open = await houseFor(t, { open: true });
	const session = await clientOf(open, { id: 'zoe' }).session();
	assert.deepEqual([session.open, session.id], [true, 'zoe']);
});
