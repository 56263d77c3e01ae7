// SPDX-License-Identifier: Apache-2.0
// The REST helpers: topics, participants, messages by HTTP (MCPx v0 5.3).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, houseFor, joinAs, joinOpen, refusalOf, request } from './lib/house.mjs';
import { rawOf, RoomClient, settle, V01 } from './lib/room_client.mjs';

const gateway = await house();
const full = await gateway.token({ id: 'full', privilege: 'full' });
const weak = await gateway.token({ id: 'weak', privilege: 'restricted' });

function post(topic, token, body, headers) {
	return gateway.request('POST', `/v0/topics/${encodeURIComponent(topic)}/messages`, { token, body, headers });
}

test('topics lists the topics that were joined with the number of their participants', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'alice');
	await joinAs(gateway, topic, 'bob');
	const { topics } = await gateway.ask('GET', '/v0/topics', 200, { token: full });
	assert.deepEqual(topics.find((one) => one.topic === topic), { topic, participants: 2 });
});

test('topics lists only what the token is for', async () => {
	const mine = freshTopic();
	const other = freshTopic();
	await joinAs(gateway, mine, 'alice');
	await joinAs(gateway, other, 'alice');
	const token = await gateway.token({ id: 'scoped', topic: mine });
	const { topics } = await gateway.ask('GET', '/v0/topics', 200, { token });
	assert.deepEqual(topics.map((one) => one.topic), [mine]);
});

test('participants lists who is there, with the record of their presence', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', { kind: 'human', name: 'Alice' });
	const answer = await gateway.ask('GET', `/v0/topics/${topic}/participants`, 200, { token: full });
	assert.equal(answer.topic, topic);
	assert.equal(answer.participants.length, 1);
	const [record] = answer.participants;
	assert.equal(record.id, alice.id);
	assert.equal(record.name, 'Alice');
	assert.equal(record.kind, 'human');
	assert.ok(!Number.isNaN(Date.parse(record.connectedAt)));
});

test('a topic\'s name may hold slashes when they are percent-encoded', async () => {
	const topic = `team/${freshTopic()}`;
	const alice = await joinAs(gateway, topic, 'alice');
	await alice.say('hello');
	const answer = await gateway.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/history`, 200, { token: full });
	assert.equal(answer.topic, topic);
	assert.equal(answer.envelopes.length, 1);
});

test('an unknown topic is 404, a topic outside the token\'s scope is 403 first', async () => {
	const scoped = await gateway.token({ id: 'scoped', topic: 'room:mine' });
	for (const what of ['participants', 'history', 'proposals']) {
		assert.equal((await gateway.request('GET', `/v0/topics/no-such-topic/${what}`, { token: full })).status, 404, what);
		assert.equal((await gateway.request('GET', `/v0/topics/no-such-topic/${what}`, { token: scoped })).status, 403, what);
	}
});

test('without a token, or with a wrong one, every helper is 401', async () => {
	for (const path of ['/v0/topics', '/v0/topics/x/participants', '/v0/topics/x/history', '/v0/topics/x/proposals']) {
		assert.equal((await gateway.request('GET', path)).status, 401, path);
		assert.equal((await gateway.request('GET', path, { token: 'nonsense' })).status, 401, path);
	}
	assert.equal((await post('x', undefined, { kind: 'chat', payload: { text: 'x' } })).status, 401);
});

test('a 401 says which scheme is wanted', async () => {
	const answer = await gateway.request('GET', '/v0/topics');
	assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/i);
});

test('a message by HTTP reaches the room, in the order of the room', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const answer = await post(topic, full, { kind: 'chat', payload: { text: 'from a script' } });
	assert.equal(answer.status, 201, answer.text);
	const heard = await alice.next((envelope) => envelope.kind === 'chat');
	assert.equal(heard.id, answer.json.id);
	assert.equal(heard.ts, answer.json.ts);
	assert.equal(heard.from, 'full');
	assert.deepEqual(heard.payload, { text: 'from a script' });
});

test('a message by HTTP may be a whole envelope, whose payload stays octet for octet', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const id = randomUUID();
	const payload = '{ "text":"x","n":1.10,"big":12345678901234567890123 }';
	const answer = await post(topic, full, `{"protocol":"${V01}","id":"${id}","ts":"2025-08-17T14:00:00Z","from":"full","kind":"chat","payload":${payload}}`);
	assert.equal(answer.status, 201, answer.text);
	assert.equal(answer.json.id, id);
	assert.ok(rawOf(await alice.next((envelope) => envelope.id === id)).includes(payload));
});

test('a sender by HTTP does not become a participant', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	assert.equal((await post(topic, full, { kind: 'chat', payload: { text: 'x' } })).status, 201);
	const [seen] = await settle(alice, alice);
	assert.deepEqual(seen.filter((envelope) => envelope.kind === 'presence'), []);
	const { participants } = await gateway.ask('GET', `/v0/topics/${topic}/participants`, 200, { token: full });
	assert.deepEqual(participants.map((one) => one.id), ['alice']);
});

test('messages by HTTP pass the same gates', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const chat = { kind: 'chat', payload: { text: 'x' } };
	for (const [token, body, status, gate] of [
		[weak, request('alice'), 403, /privilege/],
		[full, { ...chat, protocol: V01, id: 'x1', from: 'alice' }, 403, /sender/],
		[full, { kind: 'system', payload: { event: 'x' } }, null, /kind/],
		[full, '{"kind":"chat"', 400, /shape/],
		[full, '{"kind":"chat","kind":"mcp","payload":{}}', 400, /shape/],
		[full, { kind: 'chat' }, 400, /shape/],
		[full, { kind: 'mcp', payload: { jsonrpc: '2.0', id: 1, method: 'ping' } }, null, /address/],
	]) {
		const answer = await post(topic, token, body);
		assert.ok(status === null ? [400, 403].includes(answer.status) : answer.status === status, `${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
		assert.match(JSON.stringify(answer.json), gate);
	}
	const [seen] = await settle(alice, alice);
	assert.deepEqual(seen, []);
});

test('a refusal by HTTP has the error body with code and gate', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'alice');
	const answer = await post(topic, full, { kind: 'nonsense', payload: {} });
	const refusal = refusalOf(answer);
	assert.equal(typeof refusal.code, 'string', answer.text);
	assert.equal(typeof refusal.message, 'string');
	assert.equal(refusal.gate, 'kind');
});

test('a message that is too large is 413', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'alice');
	assert.equal((await post(topic, full, { kind: 'chat', payload: { text: 'x'.repeat(2 << 20) } })).status, 413);
});

test('messages by HTTP have the sender\'s pace: 429', async (t) => {
	const slow = await houseFor(t, { set: { 'rooms.pace': '3/min' } });
	const topic = freshTopic();
	const token = await slow.token({ id: 'script', privilege: 'full' });
	await RoomClient.connect({ gateway: slow, topic, token: await slow.token({ id: 'alice', privilege: 'full' }) });
	const statuses = [];
	for (let i = 0; i < 30 && !statuses.includes(429); i += 1)
		statuses.push((await slow.request('POST', `/v0/topics/${topic}/messages`, { token, body: { kind: 'chat', payload: { text: 'x' } } })).status);
	assert.deepEqual(statuses.slice(0, 3), [201, 201, 201]);
	assert.ok(statuses.includes(429));
});

test('an unknown path is 404 and a wrong method 405', async () => {
	assert.equal((await gateway.request('GET', '/v0/nothing', { token: full })).status, 404);
	assert.equal((await gateway.request('DELETE', '/v0/topics', { token: full })).status, 405);
});

test('names of topics are checked', async () => {
	const token = full;
	for (const topic of ['', 'a..b', '../etc', 'a b', 'caf\u00e9', 'a\u0000b', 'x'.repeat(129), 'a?b', 'a%2'])
		assert.equal((await RoomClient.refused({ gateway, topic, token })).status, 400, JSON.stringify(topic));
	for (const topic of ['a', 'A.b_c:d@e-f/g', 'x'.repeat(128)])
		await (await RoomClient.connect({ gateway, topic, token })).close();
});

test('rooms.create = "admin" keeps others from opening new topics', async (t) => {
	const closed = await houseFor(t, { set: { 'rooms.create': 'admin' } });
	const token = await closed.token({ id: 'alice', privilege: 'full' });
	const topic = freshTopic();
	const refused = await RoomClient.refused({ gateway: closed, topic, token });
	assert.ok([403, 404].includes(refused.status), `${refused.status}`);
	const admin = await RoomClient.connect({ gateway: closed, topic, token: closed.adminToken() });
	assert.equal(admin.welcome.payload.event, 'welcome');
	await RoomClient.connect({ gateway: closed, topic, token });
});

test('a token for one topic enters that topic alone', async () => {
	const topic = freshTopic();
	const token = await gateway.token({ id: 'scoped', topic, privilege: 'full' });
	await RoomClient.connect({ gateway, topic, token });
	assert.equal((await RoomClient.refused({ gateway, topic: freshTopic(), token })).status, 403);
});

test('a connection without a token, or with a wrong one, is 401', async () => {
	const topic = freshTopic();
	assert.equal((await RoomClient.refused({ gateway, topic })).status, 401);
	assert.equal((await RoomClient.refused({ gateway, topic, token: 'nonsense' })).status, 401);
	assert.equal((await RoomClient.refused({ gateway, topic, headers: { authorization: `Basic ${full}` } })).status, 401);
	assert.equal((await RoomClient.refused({ gateway, topic, query: { token: full } })).status, 401);
	assert.equal((await RoomClient.refused({ gateway, topic, query: { access_token: full } })).status, 401);
});

test('a connection without a topic is 400', async () => {
	assert.equal((await RoomClient.refused({ gateway, token: full })).status, 400);
});

test('open mode takes messages by HTTP too', async (t) => {
	const open = await houseFor(t, { open: true });
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const answer = await open.request('POST', `/v0/topics/${topic}/messages?id=script`, { body: { kind: 'chat', payload: { text: 'x' } } });
	assert.equal(answer.status, 201, answer.text);
	assert.equal((await alice.next((envelope) => envelope.kind === 'chat')).id, answer.json.id);
});
