// SPDX-License-Identifier: Apache-2.0
// Opaque tokens: made, listed, revoked, expired; by command and by REST; on live connections.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, freshFolder } from './lib/gateway.mjs';
import { freshTopic, house, houseFor, joinAs } from './lib/house.mjs';
import { beforeMarker, RoomClient } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();

async function tokenList(where = gateway) {
	const answer = await where.ask('GET', '/admin/tokens', 200, { token: where.adminToken() });
	return answer.tokens ?? answer;
}

function isDead(token, where = gateway) {
	return until(async () => (await where.request('GET', '/v0/topics', { token })).status === 401, 'the token is refused');
}

test('token create prints the token and nothing else', async () => {
	const made = await gateway.command(['token', 'create', '--id', 'alice']);
	assert.equal(made.code, 0, made.stderr);
	assert.match(made.stdout, /^\S{20,}\n$/);
});

test('token create works before the gateway has ever run', async () => {
	const data = join(freshFolder(), 'data');
	const made = await command(['token', 'create', '--id', 'early', '--privilege', 'full', '--data', data]);
	assert.equal(made.code, 0, made.stderr);
	const own = await house({ data });
	const early = await RoomClient.connect({ gateway: own, topic: freshTopic(), token: made.stdout.trim() });
	assert.equal(early.id, 'early');
	assert.equal(early.welcome.payload.participant.privilege, 'full');
});

test('a running gateway sees a token that was made on its files', async () => {
	const token = await gateway.token({ id: 'seen', wait: false });
	await until(async () => (await gateway.request('GET', '/v0/topics', { token })).status === 200, 'the token is known');
});

test('two tokens are never the same, also for the same id', async () => {
	const tokens = new Set();
	for (let i = 0; i < 10; i += 1)
		tokens.add(await gateway.token({ id: 'twin', wait: false }));
	assert.equal(tokens.size, 10);
});

test('several tokens of one id with different privileges are valid side by side', async () => {
	const strong = await gateway.token({ id: 'both', privilege: 'full' });
	const weak = await gateway.token({ id: 'both', privilege: 'restricted' });
	for (const [token, privilege] of [[strong, 'full'], [weak, 'restricted']]) {
		const client = await RoomClient.connect({ gateway, topic: freshTopic(), token });
		assert.equal(client.welcome.payload.participant.privilege, privilege);
	}
});

test('a token may be for several topics', async () => {
	const [one, two] = [freshTopic(), freshTopic()];
	const token = await gateway.token({ id: 'traveller', topic: [one, two] });
	await RoomClient.connect({ gateway, topic: one, token });
	await RoomClient.connect({ gateway, topic: two, token });
	assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), token })).status, 403);
});

test('revoking a token closes its live connections with 4003', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const token = await gateway.token({ id: 'victim', privilege: 'full' });
	const victim = await RoomClient.connect({ gateway, topic, token });
	assert.equal((await gateway.command(['token', 'revoke', token])).code, 0);
	assert.equal((await victim.expectClose()).code, 4003);
	await isDead(token);
	assert.equal((await RoomClient.refused({ gateway, topic, token })).status, 401);
	await alice.next((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'leave');
	await alice.say('still here');
});

test('revoking one token of an id leaves the other', async () => {
	const topic = freshTopic();
	const first = await gateway.token({ id: 'pair', privilege: 'full' });
	const second = await gateway.token({ id: 'pair', privilege: 'full' });
	const client = await RoomClient.connect({ gateway, topic, token: second });
	assert.equal((await gateway.command(['token', 'revoke', first])).code, 0);
	await isDead(first);
	await client.say('still here');
});

test('all tokens of an id may be revoked at once', async () => {
	const tokens = [await gateway.token({ id: 'gone' }), await gateway.token({ id: 'gone' })];
	const revoked = await gateway.command(['token', 'revoke', '--id', 'gone']);
	assert.equal(revoked.code, 0, revoked.stderr);
	for (const token of tokens)
		await isDead(token);
});

test('revoking what does not exist fails', async () => {
	assert.notEqual((await gateway.command(['token', 'revoke', 'no-such-token'])).code, 0);
});

test('a token expires, and its live connection is closed with 4003', async () => {
	const topic = freshTopic();
	const token = await gateway.token({ id: 'mayfly', privilege: 'full', ttl: '10s' });
	const mayfly = await RoomClient.connect({ gateway, topic, token });
	assert.equal((await mayfly.expectClose()).code, 4003);
	assert.equal((await RoomClient.refused({ gateway, topic, token })).status, 401);
});

test('token list shows ids and never the tokens', async () => {
	const token = await gateway.token({ id: 'listed', privilege: 'full' });
	const listed = await gateway.command(['token', 'list']);
	assert.equal(listed.code, 0, listed.stderr);
	assert.match(listed.stdout, /listed/);
	assert.ok(!listed.stdout.includes(token));
	const asJson = await gateway.command(['token', 'list', '--json']);
	assert.ok(!asJson.stdout.includes(token));
	assert.match(JSON.stringify(JSON.parse(asJson.stdout)), /"listed"/);
});

test('token list leaves out what local commands make for themselves, unless --all', async () => {
	const rows = async (...more) =>
		JSON.parse((await gateway.command(['token', 'list', '--json', ...more])).stdout).tokens.length;
	const before = await rows();
	const allBefore = await rows('--all');
	const said = await gateway.command(['say', freshTopic(), 'hello']);
	assert.equal(said.code, 0, said.stderr);
	assert.equal(await rows(), before);
	assert.equal(await rows('--all'), allBefore + 1);
});

test('nouns may be plural', async () => {
	assert.equal((await gateway.command(['tokens', 'list'])).code, 0);
});

test('tokens are not kept in the clear', async () => {
	const token = await gateway.token({ id: 'secret', privilege: 'full' });
	const files = readdirSync(gateway.data, { recursive: true }).map((name) => join(gateway.data, name)).filter((name) => statSync(name).isFile());
	assert.ok(files.length > 0);
	for (const file of files.filter((name) => !name.endsWith('.sock')))
		assert.ok(!readFileSync(file).includes(token), file);
	assert.ok(!gateway.stderr.includes(token));
	assert.ok(!gateway.stdout.includes(token));
});

test('the admin token lies in a file only its owner can read, and is not printed', async () => {
	const file = join(gateway.data, 'admin.token');
	assert.equal(statSync(file).mode & 0o777, 0o600);
	const token = gateway.adminToken();
	assert.match(token, /^\S{20,}$/);
	assert.ok(!gateway.stdout.includes(token));
	assert.ok(!gateway.stderr.includes(token));
});

test('tokens are made, listed and revoked by REST', async () => {
	const token = gateway.adminToken();
	const made = await gateway.request('POST', '/admin/tokens', { token, body: { id: 'by-rest', privilege: 'full' } });
	assert.equal(made.status, 201, made.text);
	const bearer = made.json.token;
	const client = await RoomClient.connect({ gateway, topic: freshTopic(), token: bearer });
	assert.equal(client.id, 'by-rest');
	const row = (await tokenList()).find((one) => (one.id ?? one.identity) === 'by-rest');
	assert.ok(row, 'the token is listed');
	assert.ok(!JSON.stringify(await tokenList()).includes(bearer));
	const tokenId = row.token_id ?? row.tokenId;
	const revoked = await gateway.request('DELETE', `/admin/tokens/${encodeURIComponent(tokenId)}`, { token });
	assert.ok([200, 204].includes(revoked.status), revoked.text);
	assert.equal((await client.expectClose()).code, 4003);
});

test('the administration of tokens is for administrators', async () => {
	const token = await gateway.token({ id: 'plain', privilege: 'full' });
	assert.equal((await gateway.request('GET', '/admin/tokens', { token })).status, 403);
	assert.equal((await gateway.request('POST', '/admin/tokens', { token, body: { id: 'x', admin: true } })).status, 403);
	assert.equal((await gateway.request('GET', '/admin/tokens')).status, 401);
});

test('token commands work on a running gateway by --url', async () => {
	const env = { HUSTINGS_TOKEN: gateway.adminToken() };
	const made = await command(['token', 'create', '--id', 'remote', '--privilege', 'full', '--url', gateway.url], { env });
	assert.equal(made.code, 0, made.stderr);
	const client = await RoomClient.connect({ gateway, topic: freshTopic(), token: made.stdout.trim() });
	assert.equal(client.id, 'remote');
	const revoked = await command(['token', 'revoke', made.stdout.trim(), '--url', gateway.url], { env });
	assert.equal(revoked.code, 0, revoked.stderr);
	assert.equal((await client.expectClose()).code, 4003);
});

test('tokens survive a restart, and so does their revocation', async (t) => {
	const own = await houseFor(t);
	const keeps = await own.token({ id: 'keeps', privilege: 'full' });
	const goes = await own.token({ id: 'goes', privilege: 'full' });
	await own.command(['token', 'revoke', goes]);
	await isDead(goes, own);
	const admin = own.adminToken();
	await own.restart();
	assert.equal((await own.request('GET', '/v0/topics', { token: keeps })).status, 200);
	assert.equal((await own.request('GET', '/v0/topics', { token: goes })).status, 401);
	assert.equal(own.adminToken(), admin);
	assert.equal((await own.request('GET', '/admin/tokens', { token: admin })).status, 200);
});

test('bad parameters of token create are refused', async () => {
	for (const args of [[], ['--id', ''], ['--id', 'x', '--privilege', 'god'], ['--id', 'x', '--ttl', 'soon'], ['--id', 'x', '--kind', 'alien'], ['--id', 'x', '--nonsense'], ['--id', 'x', '--topic', 'a..b']]) {
		const made = await gateway.command(['token', 'create', ...args]);
		assert.notEqual(made.code, 0, args.join(' '));
		assert.equal(made.stdout, '', args.join(' '));
		assert.notEqual(made.stderr, '', args.join(' '));
	}
});

test('a revoked participant hears nothing of what is said afterwards', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const token = await gateway.token({ id: 'eaves', privilege: 'full' });
	const eaves = await RoomClient.connect({ gateway, topic, token });
	await gateway.command(['token', 'revoke', token]);
	await eaves.expectClose();
	await alice.say('now we are alone');
	await beforeMarker(alice, alice);
	assert.ok(!eaves.queue.some((envelope) => envelope.payload?.text === 'now we are alone'));
});
