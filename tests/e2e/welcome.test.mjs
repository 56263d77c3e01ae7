// SPDX-License-Identifier: Apache-2.0
// The first envelope on a connection (MCPx v0 5.2, 5.3; MCPx v0.1 4.4.1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs, joinOpen } from './lib/house.mjs';
import { beforeMarker, RoomClient, V0, V01 } from './lib/room_client.mjs';

const gateway = await house();
const open = await house({ open: true });

test('the first envelope is a welcome from the gateway', async () => {
	const { welcome } = await joinAs(gateway, freshTopic(), 'alice');
	assert.equal(welcome.kind, 'system');
	assert.equal(welcome.from, 'system:gateway');
	assert.equal(welcome.payload.event, 'welcome');
	assert.equal(typeof welcome.id, 'string');
	assert.notEqual(welcome.id, '');
});

test('a welcome carries an RFC 3339 time', async () => {
	const { welcome } = await joinAs(gateway, freshTopic(), 'alice');
	assert.match(welcome.ts, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
	assert.ok(Math.abs(Date.parse(welcome.ts) - Date.now()) < 3_600_000);
});

test('a welcome is addressed to the newcomer and names its id and privilege', async () => {
	const topic = freshTopic();
	const full = await joinAs(gateway, topic, 'alice');
	assert.deepEqual(full.welcome.to, ['alice']);
	assert.equal(full.welcome.payload.participant.id, 'alice');
	assert.equal(full.welcome.payload.participant.privilege, 'full');
	const restricted = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	assert.equal(restricted.welcome.payload.participant.privilege, 'restricted');
});

test('the welcome of an empty room lists nobody, the newcomer neither', async () => {
	const { welcome } = await joinAs(gateway, freshTopic(), 'alice');
	assert.deepEqual(welcome.payload.participants, []);
});

test('a welcome lists those who are there with name, kind and MCP version', async () => {
	const topic = freshTopic();
	await joinOpen(open, topic, 'robot-alpha', { query: { name: 'Robot Alpha', kind: 'robot', mcp: '2025-06-18' } });
	const { welcome } = await joinOpen(open, topic, 'coordinator');
	assert.equal(welcome.payload.participants.length, 1);
	const [robot] = welcome.payload.participants;
	assert.equal(robot.id, 'robot-alpha');
	assert.equal(robot.name, 'Robot Alpha');
	assert.equal(robot.kind, 'robot');
	assert.deepEqual(robot.mcp, { version: '2025-06-18' });
});

test('a token\'s own name and kind describe its participant', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'dora', { name: 'Dora D.', kind: 'human', query: { name: 'Somebody', kind: 'robot' } });
	const { welcome } = await joinAs(gateway, topic, 'alice');
	assert.equal(welcome.payload.participants[0].name, 'Dora D.');
	assert.equal(welcome.payload.participants[0].kind, 'human');
});

test('a welcome says whether history is kept and how much may be asked for, and holds none unasked', async () => {
	const { welcome } = await joinAs(gateway, freshTopic(), 'alice');
	assert.equal(welcome.payload.history.enabled, true);
	assert.ok(welcome.payload.history.limit > 0);
	assert.equal(welcome.payload.history.envelopes, undefined);
});

test('a welcome says when history is off', async () => {
	const quiet = await house({ open: true, args: ['--history', 'off'] });
	const { welcome } = await joinOpen(quiet, freshTopic(), 'alice');
	assert.equal(welcome.payload.history.enabled, false);
});

test('history=N puts the last N envelopes into the welcome, oldest first', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	for (let i = 0; i < 5; i += 1)
		await alice.say(`line ${i}`);
	const bob = await joinAs(gateway, topic, 'bob', { query: { history: 3 } });
	assert.deepEqual(bob.welcome.payload.history.envelopes.map((envelope) => envelope.payload.text),
		['line 2', 'line 3', 'line 4']);
});

test('a welcome speaks the dialect the client declared, in its head and in its payload', async () => {
	for (const protocol of [V0, V01]) {
		const { welcome } = await joinAs(gateway, freshTopic(), 'alice', { protocol });
		assert.equal(welcome.protocol, protocol);
		assert.equal(welcome.payload.protocol, protocol);
	}
});

test('the welcome of a client that declares nothing is v0.1', async () => {
	const { welcome } = await joinAs(gateway, freshTopic(), 'alice', { protocol: null });
	assert.equal(welcome.protocol, V01);
	assert.equal(welcome.payload.protocol, V01);
	assert.equal(welcome.payload.participant.privilege, 'full');
});

test('the first envelope of a client that declared nothing settles its dialect', async () => {
	const topic = freshTopic();
	const old = await joinAs(gateway, topic, 'old', { protocol: null });
	const alice = await joinAs(gateway, topic, 'alice');
	old.protocol = V0;
	await old.say('hello from v0');
	await alice.say('hello from v0.1');
	const heard = await old.next((envelope) => envelope.from === 'alice');
	assert.equal(heard.protocol, V0);
	assert.equal(heard.payload.method, 'notifications/chat/message');
});

test('rooms.dialect is what undeclared clients are taken for', async () => {
	const old = await house({ open: true, set: { 'rooms.dialect': V0 } });
	const { welcome } = await joinOpen(old, freshTopic(), 'alice', { protocol: null });
	assert.equal(welcome.protocol, V0);
});

test('a connection that declares a protocol the gateway does not speak is refused', async () => {
	const token = await gateway.token({ id: 'alice', privilege: 'full' });
	const { status } = await RoomClient.refused({ gateway, topic: freshTopic(), token, protocol: 'mcp-x/v9' });
	assert.ok(status >= 400 && status < 500, `${status}`);
});

test('a v0 welcome has every field of the text', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'alice');
	const { welcome } = await joinAs(gateway, topic, 'old', { protocol: V0 });
	assert.equal(welcome.payload.event, 'welcome');
	assert.equal(welcome.payload.participant.id, 'old');
	assert.equal(welcome.payload.participants[0].id, 'alice');
	assert.equal(typeof welcome.payload.history.limit, 'number');
	assert.equal(welcome.payload.protocol, V0);
});

test('what is said in one topic is not heard in another', async () => {
	const here = await joinAs(gateway, freshTopic(), 'alice');
	const elsewhere = await joinAs(gateway, freshTopic(), 'bob');
	await here.say('only here');
	assert.deepEqual(await beforeMarker(elsewhere, elsewhere), []);
});
