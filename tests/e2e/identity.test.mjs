// SPDX-License-Identifier: Apache-2.0
// `from` is the authenticated participant, whatever the message says (MCPx v0 9).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, joinAs } from './lib/house.mjs';
import { beforeMarker, RoomClient, V01 } from './lib/room_client.mjs';

const gateway = await house();

async function trio() {
	const topic = freshTopic();
	const mallory = await joinAs(gateway, topic, 'mallory');
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	await alice.next((envelope) => envelope.kind === 'presence');
	return { mallory, alice, bob };
}

test('a from that is the sender\'s own is accepted', async () => {
	const { mallory, bob } = await trio();
	const id = mallory.send({ from: 'mallory', kind: 'chat', payload: { text: 'it is me' } });
	assert.equal((await bob.next((envelope) => envelope.id === id)).from, 'mallory');
});

test('a from that names another participant is refused at the gate sender', async () => {
	const { mallory, alice, bob } = await trio();
	const refusal = await mallory.refusal({ from: 'alice', kind: 'chat', payload: { text: 'I am alice' } });
	assert.equal(refusal.payload.gate, 'sender');
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('a from that names nobody, the gateway, or differs in case or space is refused', async () => {
	const { mallory, alice, bob } = await trio();
	for (const from of ['nobody', 'system:gateway', 'Mallory', ' mallory', 'mallory ', 'mallory\u0000', 'm\u0430llory', '']) {
		const refusal = await mallory.refusal({ from, kind: 'chat', payload: { text: 'x' } });
		assert.match(refusal.payload.gate, /^(sender|shape)$/, JSON.stringify(from));
	}
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('a from that spells another name with escapes is refused', async () => {
	const { mallory, alice, bob } = await trio();
	const refusal = await mallory.refusal(`{"protocol":"${V01}","id":"${randomUUID()}","from":"\\u0061lice","kind":"chat","payload":{"text":"x"}}`);
	assert.equal(refusal.payload.gate, 'sender');
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('a from that spells the sender\'s own name with escapes is its own', async () => {
	const { mallory, bob } = await trio();
	mallory.send(`{"protocol":"${V01}","id":"own","from":"\\u006dallory","kind":"chat","payload":{"text":"x"}}`);
	assert.equal((await bob.next((envelope) => envelope.id === 'own')).from, 'mallory');
});

test('an id that begins with system: is refused', async () => {
	const { mallory, alice, bob } = await trio();
	for (const id of ['system:1', 'system:gateway'])
		assert.equal((await mallory.refusal({ id, kind: 'chat', payload: { text: 'x' } })).kind, 'system');
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('nobody can be given an identity that begins with system:', async () => {
	const made = await gateway.command(['token', 'create', '--id', 'system:gateway']);
	assert.notEqual(made.code, 0);
	assert.equal(made.stdout, '');
});

test('the identity comes from the token, not from the query', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const token = await gateway.token({ id: 'mallory', privilege: 'full' });
	let joined;
	try {
		joined = await RoomClient.connect({ gateway, topic, token, id: 'bob' });
	} catch {
		return;
	}
	assert.equal(joined.welcome.payload.participant.id, 'mallory');
	assert.equal((await alice.next((envelope) => envelope.kind === 'presence')).payload.participant.id, 'mallory');
});
