// SPDX-License-Identifier: Apache-2.0
// Tokens that are wrong, at every way in: refused, audited once, paced by address; right ones pass all the same.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { BrowserLike } from './lib/browser_like.mjs';
import { freshTopic, house, houseFor } from './lib/house.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();
const admin = gateway.adminToken();
const alice = await gateway.token({ id: 'alice', privilege: 'full' });

const invented = () => `hus_${randomBytes(32).toString('base64url')}`;
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') };
const hello = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** The ways in: how a token is brought there, and what a right one is answered with. */
const DOORS = [
	['/v0', (from, token) => from.request('GET', '/v0/topics', { headers: bearer(token) })],
	['/mcp', (from, token) => from.request('POST', '/mcp', { body: hello, headers: bearer(token) })],
	['/admin', (from, token) => from.request('GET', '/admin/tokens', { headers: bearer(token) })],
	['/metrics behind a proxy', (from, token) => from.request('GET', '/metrics', { headers: { ...bearer(token), 'x-forwarded-for': '192.0.2.1' } })],
	['WebSocket', (from, token) => from.request('GET', `/v0/ws?topic=${freshTopic()}`, { headers: { ...UPGRADE, ...bearer(token) } })],
	['WebSocket by subprotocol', (from, token) => from.request('GET', `/v0/ws?topic=${freshTopic()}`, { headers: { ...UPGRADE, 'sec-websocket-protocol': `mcpx, bearer.${Buffer.from(token).toString('base64url')}` } })],
	['WebSocket by ticket', (from, token) => from.request('GET', `/v0/ws?topic=${freshTopic()}&ticket=${token}`, { headers: UPGRADE })],
	['who am I, by cookie', (from, token) => from.request('GET', '/v0/session', { headers: { cookie: `hustings_${gateway.port}=${token}` } })],
];

function bearer(token) {
	return { authorization: `Bearer ${token}` };
}

/** What the trail has of an address. */
async function told(address, own = gateway) {
	const { records } = await own.ask('GET', '/admin/audit?event=refused&limit=1000', 200, { token: own.adminToken() });
	return records.filter((one) => one.detail === address);
}

/** Guesses until it is told to wait. */
async function guessUntilPaced(from, ask) {
	for (let tries = 0; tries < 5000; tries += 1) {
		const answer = await ask(from, invented());
		if (answer.status !== 401)
			return { answer, tries };
	}
	throw new Error('it could guess 5,000 times');
}

for (const [door, ask] of DOORS)
	test(`${door}: guesses are refused, then paced, and audited once without what was guessed`, async () => {
		const from = new BrowserLike(gateway);
		const first = invented();
		assert.equal((await ask(from, first)).status, 401);
		const { answer, tries } = await guessUntilPaced(from, ask);
		assert.ok(tries >= 50, `${tries}`);
		assert.equal(answer.status, 429, answer.text);
		assert.equal(answer.json.code, 'rate_limited');
		assert.ok(answer.json.retry_after_ms > 0 && answer.json.retry_after_ms <= 1000, answer.text);
		assert.equal(answer.headers['retry-after'], '1');
		const records = await told(from.address);
		assert.equal(records.length, 1, JSON.stringify(records));
		assert.deepEqual([records[0].gate, records[0].result], ['token', 'refused']);
		const trail = (await gateway.request('GET', '/admin/audit?limit=1000', { token: admin })).text;
		assert.ok(!trail.includes(first) && !gateway.stderr.includes(first));
	});

test('a right token passes at once where others guess too often, and may sign in there', async () => {
	const from = new BrowserLike(gateway);
	await guessUntilPaced(from, DOORS[0][1]);
	for (let times = 0; times < 100; times += 1)
		assert.equal((await from.request('GET', '/v0/topics', { headers: bearer(alice) })).status, 200);
	assert.equal((await from.signIn({ token: alice })).id, 'alice');
	assert.equal((await from.request('GET', '/v0/topics')).status, 200);
	assert.equal((await from.request('GET', '/admin/tokens', { headers: bearer(admin) })).status, 200);
	assert.equal((await new BrowserLike(gateway).request('GET', '/v0/topics', { headers: bearer(invented()) })).status, 401);
});

test('a token that was revoked is always told so: who holds it has guessed nothing', async () => {
	const token = await gateway.token({ id: 'brief', privilege: 'full' });
	assert.equal((await gateway.command(['token', 'revoke', token])).code, 0);
	const from = new BrowserLike(gateway);
	await until(async () => (await from.request('GET', '/v0/topics', { headers: bearer(token) })).status === 401, 'it is revoked');
	for (let times = 0; times < 1000; times += 1) {
		const answer = await from.request('GET', '/v0/topics', { headers: bearer(token) });
		assert.equal(answer.status, 401, answer.text);
		assert.equal(answer.json.code, 'revoked_token');
	}
	assert.equal((await told(from.address)).length, 1);
});

test('what came after the first is in the trail with its count when the gateway ends', async (t) => {
	const own = await houseFor(t);
	const from = new BrowserLike(own);
	for (let times = 0; times < 5; times += 1)
		assert.equal((await from.request('GET', '/v0/topics', { headers: bearer(invented()) })).status, 401);
	await own.restart();
	const counts = (await told(from.address, own)).map((one) => one.count ?? 1).sort();
	assert.deepEqual(counts, [1, 4]);
});
