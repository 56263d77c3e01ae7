// SPDX-License-Identifier: Apache-2.0
// Proposals and the gateway's book of them (MCPx v0.1 4.2, 7.3, 10.2).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, history, house, houseFor, isEvent, joinAs, proposal, request } from './lib/house.mjs';
import { settle, V01 } from './lib/room_client.mjs';
import { past, until } from './lib/wait.mjs';

const gateway = await house();

async function trio(where = gateway) {
	const topic = freshTopic();
	const alice = await joinAs(where, topic, 'alice');
	const robot = await joinAs(where, topic, 'robot');
	const robin = await joinAs(where, topic, 'robin', { privilege: 'restricted' });
	return { topic, alice, robot, robin };
}

async function propose(robin, ...watchers) {
	const id = robin.send(proposal('robot', { reason: 'maintenance' }));
	for (const watcher of [robin, ...watchers])
		await watcher.next((envelope) => envelope.id === id);
	return id;
}

async function entry(topic, id, token, where = gateway) {
	const book = await where.ask('GET', `/v0/topics/${topic}/proposals`, 200, { token });
	return book.proposals.find((one) => one.proposalId === id);
}

function settleUrl(topic, id, verb) {
	return `/v0/topics/${topic}/proposals/${id}/${verb}`;
}

test('a proposal stands in the book as pending, with proposer, target, method, params and deadline', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin);
	const found = await entry(topic, id, alice.token);
	assert.equal(found.proposer, 'robin');
	assert.deepEqual([found.target].flat(), ['robot']);
	assert.equal(found.method ?? found.payload.method, 'tools/call');
	assert.deepEqual(found.params ?? found.payload.params, { name: 't', arguments: {} });
	assert.equal(found.status, 'pending');
	const life = Date.parse(found.expiresAt) - Date.parse(found.createdAt);
	assert.ok(life > 290_000 && life < 310_000, `the default life is five minutes, not ${life} ms`);
});

test('the book says which topic it is', async () => {
	const { topic, alice } = await trio();
	const book = await gateway.ask('GET', `/v0/topics/${topic}/proposals`, 200, { token: alice.token });
	assert.equal(book.topic, topic);
	assert.deepEqual(book.proposals, []);
});

test('a request that names the proposal as its correlation fulfils it', async () => {
	const { topic, alice, robot, robin } = await trio();
	const id = await propose(robin, alice, robot);
	const call = alice.send({ ...request('robot', { payloadId: 44 }), correlation_id: id });
	await robot.next((envelope) => envelope.id === call);
	const told = await robin.next(isEvent('proposal', id));
	assert.equal(told.from, 'system:gateway');
	assert.equal(told.payload.status, 'fulfilled');
	assert.equal(told.payload.by, 'alice');
	assert.equal(told.correlation_id, id);
	const found = await entry(topic, id, alice.token);
	assert.equal(found.status, 'fulfilled');
	assert.equal(found.settledBy, 'alice');
});

test('a full participant\'s request of the same octets to the same target fulfils it without correlation', async () => {
	const { topic, alice, robot, robin } = await trio();
	const params = '{ "name":"dangerous", "arguments":{"target": "production","n":1.0} }';
	const id = randomUUID();
	robin.send(`{"protocol":"${V01}","id":"${id}","kind":"mcp/proposal","to":["robot"],"payload":{"method":"tools/call","params":${params},"reason":"x"}}`);
	await alice.next((envelope) => envelope.id === id);
	alice.send(`{"protocol":"${V01}","id":"${randomUUID()}","kind":"mcp","to":["robot"],"payload":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}}`);
	const told = await robot.next(isEvent('proposal', id));
	assert.equal(told.payload.status, 'fulfilled');
	assert.equal((await entry(topic, id, alice.token)).settledBy, 'alice');
});

test('a request of other octets, or to another target, fulfils nothing', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	const calls = [
		request('robot', { params: { name: 't', arguments: { x: 1 } } }),
		request('robot', { method: 'tools/list' }),
		request('robin'),
	];
	for (const call of calls) {
		const sent = alice.send(call);
		await alice.next((envelope) => envelope.id === sent);
	}
	assert.equal((await entry(topic, id, alice.token)).status, 'pending');
});

test('a proposer withdraws its own proposal, with a reason that all are told', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	const answer = await gateway.request('POST', settleUrl(topic, id, 'withdraw'), { token: robin.token, body: { reason: 'not needed' } });
	assert.equal(answer.status, 200, answer.text);
	for (const client of [alice, robin]) {
		const told = await client.next(isEvent('proposal', id));
		assert.equal(told.payload.status, 'withdrawn');
		assert.equal(told.payload.reason, 'not needed');
		assert.equal(told.correlation_id, id);
	}
	const found = await entry(topic, id, alice.token);
	assert.equal(found.status, 'withdrawn');
	assert.equal(found.reason, 'not needed');
});

test('a full participant rejects a proposal', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	const answer = await gateway.request('POST', settleUrl(topic, id, 'reject'), { token: alice.token, body: { reason: 'too risky' } });
	assert.equal(answer.status, 200, answer.text);
	const told = await robin.next(isEvent('proposal', id));
	assert.equal(told.payload.status, 'rejected');
	assert.equal(told.payload.by, 'alice');
	assert.equal(told.payload.reason, 'too risky');
	assert.equal((await entry(topic, id, alice.token)).settledBy, 'alice');
});

test('nobody but the proposer withdraws, and the restricted do not reject', async () => {
	const { topic, alice, robin } = await trio();
	const rob = await joinAs(gateway, topic, 'rob', { privilege: 'restricted' });
	const id = await propose(robin, alice);
	for (const [token, verb] of [[alice.token, 'withdraw'], [rob.token, 'withdraw'], [rob.token, 'reject'], [robin.token, 'reject']]) {
		const answer = await gateway.request('POST', settleUrl(topic, id, verb), { token, body: { reason: 'x' } });
		assert.equal(answer.status, 403, `${verb}: ${answer.text}`);
	}
	assert.equal((await entry(topic, id, alice.token)).status, 'pending');
});

test('a settled proposal stays as it was settled', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	assert.equal((await gateway.request('POST', settleUrl(topic, id, 'reject'), { token: alice.token, body: {} })).status, 200);
	const again = await gateway.request('POST', settleUrl(topic, id, 'withdraw'), { token: robin.token, body: {} });
	assert.ok(again.status >= 400 && again.status < 500, `${again.status}`);
	const call = alice.send({ ...request('robot'), correlation_id: id });
	await alice.next((envelope) => envelope.id === call);
	assert.equal((await entry(topic, id, alice.token)).status, 'rejected');
});

test('an unknown proposal is 404', async () => {
	const { topic, alice } = await trio();
	assert.equal((await gateway.request('POST', settleUrl(topic, 'nothing', 'reject'), { token: alice.token, body: {} })).status, 404);
});

test('a proposal expires after rooms.proposal_ttl, and all are told', async (t) => {
	const brief = await houseFor(t, { set: { 'rooms.proposal_ttl': '2s' } });
	const { topic, alice, robin } = await trio(brief);
	const id = await propose(robin, alice);
	for (const client of [alice, robin]) {
		const told = await client.next(isEvent('proposal', id));
		assert.equal(told.payload.status, 'expired');
		assert.equal(told.correlation_id, id);
	}
	assert.equal((await entry(topic, id, alice.token, brief)).status, 'expired');
	const late = await brief.request('POST', settleUrl(topic, id, 'reject'), { token: alice.token, body: {} });
	assert.ok(late.status >= 400 && late.status < 500);
});

test('a late fulfilment of an expired proposal leaves it expired', async (t) => {
	const brief = await houseFor(t, { set: { 'rooms.proposal_ttl': '1s' } });
	const { topic, alice, robin } = await trio(brief);
	const id = await propose(robin, alice);
	await alice.next(isEvent('proposal', id));
	const call = alice.send({ ...request('robot'), correlation_id: id });
	await alice.next((envelope) => envelope.id === call);
	assert.equal((await entry(topic, id, alice.token, brief)).status, 'expired');
});

test('open proposals survive a restart with their deadline', async (t) => {
	const own = await houseFor(t);
	const { topic, alice, robin } = await trio(own);
	const id = await propose(robin, alice);
	const earlier = await entry(topic, id, alice.token, own);
	await own.restart();
	const later = await entry(topic, id, alice.token, own);
	assert.equal(later.status, 'pending');
	assert.equal(later.expiresAt, earlier.expiresAt);
	const again = await joinAs(own, topic, 'alice');
	const call = again.send({ ...request('robot'), correlation_id: id });
	await again.next((envelope) => envelope.id === call);
	assert.equal((await entry(topic, id, alice.token, own)).status, 'fulfilled');
});

test('a proposal whose deadline passes while the gateway is down is expired afterwards', async (t) => {
	const own = await houseFor(t, { set: { 'rooms.proposal_ttl': '1s' } });
	const { topic, alice, robin } = await trio(own);
	const id = await propose(robin, alice);
	const { expiresAt } = await entry(topic, id, alice.token, own);
	await own.stop();
	await past(Date.parse(expiresAt));
	await own.launch();
	await until(async () => (await entry(topic, id, alice.token, own)).status === 'expired', 'the proposal is expired');
});

test('changes of a proposal are part of the history', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	await gateway.request('POST', settleUrl(topic, id, 'reject'), { token: alice.token, body: { reason: 'no' } });
	await alice.next(isEvent('proposal', id));
	const kept = await history(gateway, topic, { token: alice.token });
	assert.ok(kept.some(isEvent('proposal', id)));
});

test('proposals have a pace of their own', async (t) => {
	const slow = await houseFor(t, { set: { 'rooms.proposal_pace': '2/min' } });
	const { alice, robin } = await trio(slow);
	const refusals = [];
	for (let i = 0; i < 30; i += 1)
		robin.send(proposal('robot', { params: { name: 't', arguments: { i } } }));
	const [seen] = await settle(robin, robin);
	for (const envelope of seen) {
		if (envelope.kind === 'system' && envelope.payload.event === 'error')
			refusals.push(envelope);
	}
	assert.ok(refusals.length >= 20, `${refusals.length} of 30 were refused`);
	assert.ok(refusals.every((refusal) => refusal.payload.gate === 'pace' && refusal.payload.retry_after_ms > 0));
	const relayed = seen.filter((envelope) => envelope.kind === 'mcp/proposal');
	assert.equal(relayed.length + refusals.length, 30);
	assert.ok(relayed.length >= 2);
	const said = robin.chat('chat is not held back');
	await alice.next((envelope) => envelope.id === said);
});

test('a restricted participant cannot fulfil a proposal', async () => {
	const { topic, alice, robin } = await trio();
	const id = await propose(robin, alice);
	const refusal = await robin.refusal({ ...request('robot'), correlation_id: id });
	assert.equal(refusal.payload.error.code, -32001);
	assert.equal((await entry(topic, id, alice.token)).status, 'pending');
});

test('the book is read only with the right to the topic', async () => {
	const { topic, robin, alice } = await trio();
	const id = await propose(robin, alice);
	const token = await gateway.token({ id: 'stranger', topic: 'somewhere-else', privilege: 'full' });
	assert.equal((await gateway.request('GET', `/v0/topics/${topic}/proposals`, { token })).status, 403);
	assert.equal((await gateway.request('GET', `/v0/topics/${topic}/proposals`)).status, 401);
	assert.equal((await gateway.request('POST', settleUrl(topic, id, 'reject'), { token, body: {} })).status, 403);
});
