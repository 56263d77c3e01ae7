// SPDX-License-Identifier: Apache-2.0
// Joins, leaves and heartbeats (MCPx v0 4.2, 6).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, history, house, houseFor, isPresence, joinAs, joinOpen } from './lib/house.mjs';
import { beforeMarker, settle } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();
const open = await house({ open: true });

test('a join is told to those who are there, as the gateway\'s presence envelope', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	await joinAs(gateway, topic, 'bob');
	const join = await alice.next((envelope) => envelope.kind === 'presence');
	assert.equal(join.from, 'system:gateway');
	assert.equal(join.payload.event, 'join');
	assert.equal(join.payload.participant.id, 'bob');
	assert.equal(typeof join.id, 'string');
	assert.ok(!Number.isNaN(Date.parse(join.ts)));
});

test('a join carries name, kind and MCP version of the newcomer', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	await joinOpen(open, topic, 'bob', { query: { name: 'Bob the Robot', kind: 'robot', mcp: '2025-06-18' } });
	const { payload } = await alice.next(isPresence('join', 'bob'));
	assert.equal(payload.participant.name, 'Bob the Robot');
	assert.equal(payload.participant.kind, 'robot');
	assert.deepEqual(payload.participant.mcp, { version: '2025-06-18' });
});

test('a newcomer does not see its own join', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const seen = await beforeMarker(alice, bob);
	assert.deepEqual(seen.filter((envelope) => envelope.kind === 'presence'), []);
});

test('a leave is told when a client closes', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	await bob.close();
	const leave = await alice.next(isPresence('leave', 'bob'));
	assert.equal(leave.from, 'system:gateway');
});

test('a leave is told when a connection breaks without a closing handshake', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	bob.terminate();
	await alice.next(isPresence('leave', 'bob'));
});

test('who leaves and comes back is told as leave and join, in that order', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	await alice.next(isPresence('join', 'bob'));
	await bob.close();
	await alice.next(isPresence('leave', 'bob'));
	await joinAs(gateway, topic, 'bob');
	await alice.next(isPresence('join', 'bob'));
});

test('presence speaks each reader\'s dialect', async () => {
	const topic = freshTopic();
	const old = await joinAs(gateway, topic, 'old', { protocol: 'mcp-x/v0' });
	const alice = await joinAs(gateway, topic, 'alice');
	await joinAs(gateway, topic, 'bob');
	assert.equal((await old.next(isPresence('join', 'bob'))).protocol, 'mcp-x/v0');
	assert.equal((await alice.next(isPresence('join', 'bob'))).protocol, 'mcpx/v0.1');
});

test('presence is not part of the history', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	await bob.close();
	await alice.next(isPresence('leave', 'bob'));
	await alice.say('still here');
	const kept = await history(gateway, topic, { token: alice.token });
	assert.deepEqual(kept.map((envelope) => envelope.kind), ['chat']);
});

test('the list of participants follows joins and leaves', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const list = async () => (await gateway.ask('GET', `/v0/topics/${topic}/participants`, 200, { token: alice.token }))
		.participants.map((participant) => participant.id).sort();
	assert.deepEqual(await list(), ['alice', 'bob']);
	await bob.close();
	await until(async () => (await list()).join() === 'alice', 'bob is gone from the list');
});

test('a room of sixty tells each member once of each newcomer', async () => {
	const topic = freshTopic();
	const first = await joinOpen(open, topic, 'first');
	const others = [];
	for (let i = 0; i < 59; i += 1)
		others.push(await joinOpen(open, topic, `member-${i}`));
	const [seen] = await settle(first, first, ...others);
	const joins = seen.filter((envelope) => envelope.kind === 'presence').map((envelope) => envelope.payload.participant.id);
	assert.deepEqual(joins, others.map((other) => other.id));
	assert.equal(others[58].welcome.payload.participants.length, 59);
});

test('heartbeats come when they are configured', async (t) => {
	const beating = await houseFor(t, { open: true, set: { 'rooms.heartbeat': '1s' } });
	const alice = await joinOpen(beating, freshTopic(), 'alice');
	const heartbeat = await alice.next((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'heartbeat');
	assert.equal(heartbeat.from, 'system:gateway');
	assert.equal(typeof heartbeat.payload.participant.id, 'string');
});

test('two participants see each other\'s joins whichever comes first', async () => {
	const topic = freshTopic();
	const [left, right] = await Promise.all([joinOpen(open, topic, 'left'), joinOpen(open, topic, 'right')]);
	const knowsFromWelcome = (client, other) => client.welcome.payload.participants.some((one) => one.id === other);
	const seenLeft = await beforeMarker(left, left);
	const seenRight = await beforeMarker(right, right);
	const knows = (client, seen, other) => Number(knowsFromWelcome(client, other))
		+ seen.filter(isPresence('join', other)).length;
	assert.equal(knows(left, seenLeft, 'right'), 1);
	assert.equal(knows(right, seenRight, 'left'), 1);
});
