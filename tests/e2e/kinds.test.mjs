// SPDX-License-Identifier: Apache-2.0
// What participants may send, and what only the gateway may (MCPx v0 4, MCPx v0.1 4).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, joinAs, proposal, request } from './lib/house.mjs';
import { beforeMarker, V0, V01 } from './lib/room_client.mjs';

const gateway = await house();

async function pair() {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	return { alice, bob };
}

test('mcp, mcp/proposal and chat are relayed', async () => {
	const { alice, bob } = await pair();
	for (const envelope of [request('bob'), proposal('bob'), { kind: 'chat', payload: { text: 'x' } }]) {
		const id = alice.send(envelope);
		assert.equal((await bob.next((heard) => heard.id === id)).kind, envelope.kind);
	}
});

for (const kind of ['presence', 'system']) {
	test(`${kind} from a participant is refused at the gate kind`, async () => {
		const { alice, bob } = await pair();
		const refusal = await alice.refusal({ kind, payload: { event: 'leave', participant: { id: 'bob' } } });
		assert.equal(refusal.payload.gate, 'kind');
		assert.deepEqual(await beforeMarker(alice, bob), []);
	});
}

test('an unknown kind is refused: there is no trimming and no case folding', async () => {
	const { alice, bob } = await pair();
	for (const kind of ['', 'MCP', 'Chat', ' mcp', 'mcp ', 'mcp\n', 'mcp/', 'mcp/Proposal', 'mcp/proposals', 'note', 'mcp\u0000', 'system ', 'presence\t', '\uFEFFmcp']) {
		const refusal = await alice.refusal({ kind, to: ['bob'], payload: { jsonrpc: '2.0', id: 1, method: 'ping' } });
		assert.match(refusal.payload.gate, /^(kind|shape)$/, JSON.stringify(kind));
	}
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('a kind is compared after unescaping', async () => {
	const { alice, bob } = await pair();
	const id = randomUUID();
	alice.send(`{"protocol":"${V01}","id":"${id}","kind":"\\u006d\\u0063p","to":["bob"],"payload":{"jsonrpc":"2.0","id":1,"method":"ping"}}`);
	assert.equal((await bob.next((heard) => heard.id === id)).kind, 'mcp');
	const refusal = await alice.refusal(`{"protocol":"${V01}","id":"${randomUUID()}","kind":"s\\u0079stem","payload":{"event":"x"}}`);
	assert.equal(refusal.payload.gate, 'kind');
});

test('chat may be sent under the v0 head too', async () => {
	const { alice, bob } = await pair();
	const id = alice.send({ protocol: V0, kind: 'chat', payload: { text: 'from an old client' } });
	const heard = await bob.next((envelope) => envelope.id === id);
	assert.equal(heard.kind, 'chat');
	assert.deepEqual(heard.payload, { text: 'from an old client' });
});

test('a chat without a text that is a string is refused, under either head', async () => {
	const topic = freshTopic();
	const [alice, bob] = [await joinAs(gateway, topic, 'alice'), await joinAs(gateway, topic, 'bob')];
	for (const protocol of [V0, V01])
		for (const payload of [{}, { text: 7 }, { text: null }, { text: ['x'] }, { format: 'plain' }]) {
			const id = alice.send({ protocol, kind: 'chat', payload });
			const { code, message } = (await alice.next((envelope) => envelope.kind === 'system' && envelope.correlation_id === id)).payload;
			assert.equal(code, 'bad_payload', JSON.stringify(payload));
			assert.match(message, /text/);
		}
	const last = alice.send({ kind: 'chat', payload: { text: '' } });
	const heard = await bob.next((envelope) => envelope.kind === 'chat');
	assert.equal(heard.id, last, 'nothing of what was refused came before it');
});

test('the format of a chat, and its absence, reach readers of both heads as they were said', async () => {
	const topic = freshTopic();
	const [fresh, old] = [await joinAs(gateway, topic, 'fresh', { protocol: V01 }), await joinAs(gateway, topic, 'old', { protocol: V0 })];
	const alice = await joinAs(gateway, topic, 'alice');
	for (const payload of [{ text: 'x' }, { text: 'x', format: 'plain' }, { text: '**x**', format: 'markdown' }]) {
		const id = alice.send({ kind: 'chat', payload });
		assert.deepEqual((await fresh.next((envelope) => envelope.id === id)).payload, payload);
		assert.deepEqual((await old.next((envelope) => envelope.id === id)).payload.params, payload);
	}
});
