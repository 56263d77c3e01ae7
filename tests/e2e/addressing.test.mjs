// SPDX-License-Identifier: Apache-2.0
// `to` is advice, and a request has exactly one recipient (MCPx v0 3, 4.1).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor, joinAs, joinOpen, request } from './lib/house.mjs';
import { beforeMarker } from './lib/room_client.mjs';

const gateway = await house();

async function trio() {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const carol = await joinAs(gateway, topic, 'carol');
	return { topic, alice, bob, carol };
}

test('an envelope addressed to one participant is visible to all', async () => {
	const { alice, bob, carol } = await trio();
	const id = alice.send(request('bob'));
	for (const client of [alice, bob, carol])
		assert.deepEqual((await client.next((envelope) => envelope.id === id)).to, ['bob']);
});

test('a request and its answer pass between two participants', async () => {
	const { alice, bob } = await trio();
	const id = alice.send(request('bob', { payloadId: 42 }));
	await bob.next((envelope) => envelope.id === id);
	bob.send({ kind: 'mcp', to: ['alice'], correlation_id: id, payload: { jsonrpc: '2.0', id: 42, result: { status: 'ok' } } });
	const answer = await alice.next((envelope) => envelope.correlation_id === id);
	assert.equal(answer.from, 'bob');
	assert.deepEqual(answer.payload, { jsonrpc: '2.0', id: 42, result: { status: 'ok' } });
});

for (const [what, to] of [['without to', undefined], ['with an empty to', []], ['with two recipients', ['bob', 'carol']]]) {
	test(`a request ${what} is refused at the gate address`, async () => {
		const { alice, bob, carol } = await trio();
		const refusal = await alice.refusal({ kind: 'mcp', to, payload: { jsonrpc: '2.0', id: 1, method: 'ping' } });
		assert.equal(refusal.payload.gate, 'address');
		assert.deepEqual((await beforeMarker(alice, bob)).filter((envelope) => envelope.kind === 'mcp'), []);
		assert.deepEqual((await beforeMarker(alice, carol)).filter((envelope) => envelope.kind === 'mcp'), []);
	});
}

test('a notification may have no, one or many recipients', async () => {
	const { alice, bob } = await trio();
	for (const to of [undefined, [], ['bob'], ['bob', 'carol']]) {
		const id = alice.send({ kind: 'mcp', to, payload: { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } } });
		assert.deepEqual((await bob.next((envelope) => envelope.id === id)).to, to);
	}
});

test('an answer may be addressed to several', async () => {
	const { alice, bob } = await trio();
	const id = alice.send(request('bob'));
	await bob.next((envelope) => envelope.id === id);
	const answer = bob.send({ kind: 'mcp', to: ['alice', 'carol'], correlation_id: id, payload: { jsonrpc: '2.0', id: 1, result: {} } });
	await alice.next((envelope) => envelope.id === answer);
});

test('a request to somebody who is not there is relayed all the same', async () => {
	const { alice, bob } = await trio();
	const id = alice.send(request('nobody-here'));
	await bob.next((envelope) => envelope.id === id);
});

test('rooms.one_recipient = false lets a request be broadcast', async (t) => {
	const lenient = await houseFor(t, { open: true, set: { 'rooms.one_recipient': 'false' } });
	const topic = freshTopic();
	const alice = await joinOpen(lenient, topic, 'alice');
	const id = alice.send({ kind: 'mcp', payload: { jsonrpc: '2.0', id: 1, method: 'ping' } });
	await alice.next((envelope) => envelope.id === id);
});

test('only the top level of a payload says whether it is a request', async () => {
	const { alice, bob } = await trio();
	const id = alice.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/message', params: { id: 1, method: 'ping', result: {} } } });
	await bob.next((envelope) => envelope.id === id);
});

test('chat may be addressed, and reaches all', async () => {
	const { alice, carol } = await trio();
	const id = alice.send({ kind: 'chat', to: ['bob'], payload: { text: 'psst' } });
	assert.deepEqual((await carol.next((envelope) => envelope.id === id)).to, ['bob']);
});
