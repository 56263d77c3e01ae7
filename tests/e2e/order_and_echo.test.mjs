// SPDX-License-Identifier: Apache-2.0
// One order per topic, the same for all, and the sender's echo as the acknowledgement (MCPx v0 3).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, history, house, joinAs, joinOpen, wholeHistory } from './lib/house.mjs';
import { beforeMarker, rawOf, settle, V01 } from './lib/room_client.mjs';

const gateway = await house();
const open = await house({ open: true, set: { 'rooms.pace': 'off' } });

test('the sender receives its own envelope', async () => {
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	const echo = await alice.say('is anybody there?');
	assert.equal(echo.from, 'alice');
	assert.deepEqual(echo.payload, { text: 'is anybody there?' });
});

test('a complete envelope reaches sender and readers as the very octets that were sent', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const id = randomUUID();
	const text = `{ "kind":"chat",\t"payload" : {"text":"caf\\u00e9 \u00e9","n":1.50} , "protocol":"${V01}",`
		+ `"id":"${id}","ts":"2025-08-17T14:00:00Z","from":"alice","to":[ ] }`;
	alice.send(text);
	for (const client of [alice, bob])
		assert.equal(rawOf(await client.next((envelope) => envelope.id === id)), text);
});

test('echo=0 keeps the sender\'s own envelopes from it, and nobody else\'s', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', { query: { echo: 0 } });
	const bob = await joinAs(gateway, topic, 'bob');
	const id = alice.chat('no echo, please');
	await bob.next((envelope) => envelope.id === id);
	const seen = await beforeMarker(bob, alice);
	assert.deepEqual(seen.filter((envelope) => envelope.from === 'alice'), []);
});

test('what is seen echoed is in the history', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	for (let i = 0; i < 10; i += 1) {
		const echo = await alice.say(`line ${i}`);
		const [last] = await history(gateway, topic, { token: alice.token, query: '?limit=1' });
		assert.equal(last.id, echo.id);
	}
});

test('four senders at once: every member sees the same order, and so does the history', async () => {
	const topic = freshTopic();
	const members = await Promise.all(['a', 'b', 'c', 'd'].map((id) => joinOpen(open, topic, id)));
	for (let i = 0; i < 100; i += 1) {
		for (const member of members)
			member.chat(`${member.id} ${i}`);
	}
	const orders = await Promise.all(members.map(async (member) => {
		const order = [];
		while (order.length < 400) {
			const envelope = await member.next((one) => one.kind === 'chat');
			order.push(envelope.id);
		}
		return order;
	}));
	for (const order of orders)
		assert.deepEqual(order, orders[0]);
	const kept = await wholeHistory(open, topic);
	assert.deepEqual(kept.map((envelope) => envelope.id), orders[0]);
});

test('one sender\'s envelopes keep the order in which they were sent', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const bob = await joinOpen(open, topic, 'bob');
	const sent = [];
	for (let i = 0; i < 500; i += 1)
		sent.push(alice.chat(`line ${i}`));
	const [seen] = await settle(alice, bob);
	assert.deepEqual(seen.filter((envelope) => envelope.from === 'alice').map((envelope) => envelope.id), sent);
});

test('the same sender repeating the same octets gets an echo alone', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const text = JSON.stringify({ protocol: V01, id: randomUUID(), from: 'alice', ts: '2025-08-17T14:00:00Z', kind: 'chat', payload: { text: 'once' } });
	alice.send(text);
	await alice.next((envelope) => rawOf(envelope) === text);
	alice.send(text);
	await alice.next((envelope) => rawOf(envelope) === text);
	const seen = await beforeMarker(alice, bob);
	assert.equal(seen.filter((envelope) => rawOf(envelope) === text).length, 1);
	const kept = await history(gateway, topic, { token: alice.token });
	assert.equal(kept.filter((envelope) => envelope.payload.text === 'once').length, 1);
});

test('an id that was seen with other octets is refused as a duplicate', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const id = alice.chat('first');
	await alice.next((envelope) => envelope.id === id);
	const own = await alice.refusal({ id, kind: 'chat', payload: { text: 'second' } });
	assert.equal(own.payload.gate, 'unique');
	assert.equal(own.payload.code, 'duplicate_id');
	const foreign = await bob.refusal({ id, kind: 'chat', payload: { text: 'third' } });
	assert.equal(foreign.payload.code, 'duplicate_id');
	assert.deepEqual((await beforeMarker(alice, bob)).filter((envelope) => envelope.id === id && envelope.payload.text !== 'first'), []);
});

test('the same id may be used in two topics', async () => {
	const [here, there] = await Promise.all([joinAs(gateway, freshTopic(), 'alice'), joinAs(gateway, freshTopic(), 'bob')]);
	const id = randomUUID();
	for (const client of [here, there]) {
		client.send({ id, kind: 'chat', payload: { text: 'hello' } });
		assert.equal((await client.next()).id, id);
	}
});

test('the order survives a restart', async () => {
	const own = await house({ open: true, set: { 'rooms.pace': 'off' } });
	const topic = freshTopic();
	const alice = await joinOpen(own, topic, 'alice');
	const sent = [];
	for (let i = 0; i < 100; i += 1)
		sent.push(alice.chat(`line ${i}`));
	await alice.next((envelope) => envelope.id === sent[99]);
	await own.restart();
	assert.deepEqual((await wholeHistory(own, topic)).map((envelope) => envelope.id), sent);
});
