// SPDX-License-Identifier: Apache-2.0
// Full and restricted (MCPx v0.1 3, 4.4.2, 5.1, 5.3, 6).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, houseFor, joinAs, joinOpen, proposal, request } from './lib/house.mjs';
import { beforeMarker, rawOf, settle, V0, V01 } from './lib/room_client.mjs';

const gateway = await house();

async function pair() {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const robin = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	await alice.next((envelope) => envelope.kind === 'presence');
	return { topic, alice, robin };
}

function assertViolation(violation, id) {
	assert.equal(violation.kind, 'mcp');
	assert.equal(violation.from, 'system:gateway');
	assert.deepEqual(violation.to, ['robin']);
	assert.equal(violation.correlation_id, id);
	assert.equal(violation.payload.jsonrpc, '2.0');
	assert.equal(violation.payload.error.code, -32001);
	assert.equal(violation.payload.error.data.type, 'privilege_violation');
	assert.equal(typeof violation.payload.error.message, 'string');
	assert.equal(typeof violation.payload.error.data.reason, 'string');
	assert.match(violation.payload.error.data.suggestion, /mcp\/proposal/);
}

test('a restricted participant\'s request is blocked with the error of the text', async () => {
	const { alice, robin } = await pair();
	const id = robin.send(request('alice', { payloadId: 45 }));
	const violation = await robin.next((envelope) => envelope.correlation_id === id);
	assertViolation(violation, id);
	assert.equal(violation.payload.id, 45);
	assert.deepEqual(await beforeMarker(alice, alice), []);
});

test('the error repeats the request\'s payload id with its type, also when it is a very large number', async () => {
	const { robin } = await pair();
	for (const [written, expected] of [['"s-1"', '"s-1"'], ['7', '7'], ['12345678901234567890123', '12345678901234567890123'], ['1.50', '1.50'], ['{"a":1}', 'null'], ['[1]', 'null'], ['true', 'null']]) {
		const id = randomUUID();
		robin.send(`{"protocol":"${V01}","id":"${id}","kind":"mcp","to":["alice"],"payload":{"jsonrpc":"2.0","id":${written},"method":"ping"}}`);
		const violation = await robin.next((envelope) => envelope.correlation_id === id);
		const payload = rawOf(violation).slice(rawOf(violation).indexOf('"payload"'));
		assert.match(payload.replace(/\s/g, ''), new RegExp(`"id":${expected.replace(/[.]/g, '\\.')}[,}]`), written);
	}
});

test('a restricted participant\'s notification is blocked, with a null payload id', async () => {
	const { alice, robin } = await pair();
	const id = robin.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/progress', params: {} } });
	const violation = await robin.next((envelope) => envelope.correlation_id === id);
	assertViolation(violation, id);
	assert.equal(violation.payload.id, null);
	assert.deepEqual(await beforeMarker(alice, alice), []);
});

test('a restricted participant\'s answer is blocked too', async () => {
	const { alice, robin } = await pair();
	const asked = alice.send(request('robin'));
	await robin.next((envelope) => envelope.id === asked);
	const id = robin.send({ kind: 'mcp', to: ['alice'], correlation_id: asked, payload: { jsonrpc: '2.0', id: 1, result: {} } });
	assertViolation(await robin.next((envelope) => envelope.correlation_id === id), id);
	const seen = await beforeMarker(alice, alice);
	assert.deepEqual(seen.filter((envelope) => envelope.from === 'robin'), []);
});

test('a restricted participant cannot hide mcp behind escapes', async () => {
	const { alice, robin } = await pair();
	for (const kind of ['\\u006dcp', 'm\\u0063p', '\\u006d\\u0063\\u0070']) {
		const id = randomUUID();
		robin.send(`{"protocol":"${V01}","id":"${id}","kind":"${kind}","to":["alice"],"payload":{"jsonrpc":"2.0","id":1,"method":"ping"}}`);
		assertViolation(await robin.next((envelope) => envelope.correlation_id === id), id);
	}
	assert.deepEqual(await beforeMarker(alice, alice), []);
});

test('a restricted participant may propose and chat', async () => {
	const { alice, robin } = await pair();
	const proposed = robin.send(proposal('alice', { reason: 'please' }));
	assert.equal((await alice.next((envelope) => envelope.id === proposed)).kind, 'mcp/proposal');
	const said = robin.chat('please look at it');
	await alice.next((envelope) => envelope.id === said);
});

test('a restricted v0 client\'s chat notification is refused with a hint to kind chat, which it may send', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', { protocol: V0 });
	const robin = await joinAs(gateway, topic, 'robin', { privilege: 'restricted', protocol: V0 });
	const id = robin.chat('hello?');
	const violation = await robin.next((envelope) => envelope.correlation_id === id);
	assert.equal(violation.payload.error.code, -32001);
	assert.match(violation.payload.error.data.suggestion, /chat/);
	const said = robin.send({ kind: 'chat', payload: { text: 'hello!' } });
	const heard = await alice.next((envelope) => envelope.from === 'robin');
	assert.equal(heard.id, said);
	assert.equal(heard.payload.method, 'notifications/chat/message');
});

test('full participants may send mcp and proposals', async () => {
	const { alice, robin } = await pair();
	for (const envelope of [request('robin'), proposal('robin')]) {
		const id = alice.send(envelope);
		await robin.next((heard) => heard.id === id);
	}
});

test('a token without a privilege is restricted by default', async () => {
	const client = await joinAs(gateway, freshTopic(), 'newcomer', { privilege: null });
	assert.equal(client.welcome.payload.participant.privilege, 'restricted');
});

test('auth.default_privilege is what tokens without a privilege get', async (t) => {
	const trusting = await houseFor(t, { set: { 'auth.default_privilege': 'full' } });
	const topic = freshTopic();
	const newcomer = await joinAs(trusting, topic, 'newcomer', { privilege: null });
	assert.equal(newcomer.welcome.payload.participant.privilege, 'full');
	const robin = await joinAs(trusting, topic, 'robin', { privilege: 'restricted' });
	assert.equal(robin.welcome.payload.participant.privilege, 'restricted');
});

test('in open mode everyone is full and needs no token', async (t) => {
	const open = await houseFor(t, { open: true });
	const client = await joinOpen(open, freshTopic(), 'anyone');
	assert.equal(client.welcome.payload.participant.id, 'anyone');
	assert.equal(client.welcome.payload.participant.privilege, 'full');
});

test('open mode without an id assigns a guest name', async (t) => {
	const open = await houseFor(t, { open: true });
	const topic = freshTopic();
	const one = await joinOpen(open, topic, undefined);
	const two = await joinOpen(open, topic, undefined);
	assert.match(one.id, /^guest-/);
	assert.match(two.id, /^guest-/);
	assert.notEqual(one.id, two.id);
});

test('rooms.restricted_may_answer lets answers through to open requests, and nothing else', async (t) => {
	const lenient = await houseFor(t, { set: { 'rooms.restricted_may_answer': 'true' } });
	const topic = freshTopic();
	const alice = await joinAs(lenient, topic, 'alice');
	const carol = await joinAs(lenient, topic, 'carol');
	const robin = await joinAs(lenient, topic, 'robin', { privilege: 'restricted' });
	const answer = (to) => ({ kind: 'mcp', to: ['alice'], correlation_id: to, payload: { jsonrpc: '2.0', id: 1, result: { by: 'robin' } } });
	const mine = alice.send(request('robin'));
	const hers = alice.send(request('carol'));
	await robin.next((envelope) => envelope.id === hers);

	const good = robin.send(answer(mine));
	await alice.next((envelope) => envelope.id === good);
	for (const envelope of [answer(mine), answer(hers), answer('no-such-request'), request('alice'),
		{ kind: 'mcp', correlation_id: mine, payload: { jsonrpc: '2.0', method: 'notifications/progress' } }]) {
		const refusal = await robin.refusal(envelope);
		assert.equal(refusal.payload.error.code, -32001, JSON.stringify(envelope));
	}
	const [seen] = await settle(carol, alice);
	assert.deepEqual(seen.filter((envelope) => envelope.from === 'robin'), []);
});

test('rooms.announce_violations tells the room, and the default does not', async (t) => {
	const loud = await houseFor(t, { set: { 'rooms.announce_violations': 'true' } });
	const topic = freshTopic();
	const alice = await joinAs(loud, topic, 'alice');
	const robin = await joinAs(loud, topic, 'robin', { privilege: 'restricted' });
	await robin.refusal(request('alice'));
	const notice = await alice.next((envelope) => envelope.kind === 'system');
	assert.equal(notice.from, 'system:gateway');
	assert.ok(rawOf(notice).includes('robin'));
});

test('privilege comes from the gateway\'s record, never from the message or the query', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'alice');
	const robin = await joinAs(gateway, topic, 'robin', { privilege: 'restricted', query: { privilege: 'full' } });
	assert.equal(robin.welcome.payload.participant.privilege, 'restricted');
	const refusal = await robin.refusal({ ...request('alice'), privilege: 'full', participant: { privilege: 'full' } });
	assert.equal(refusal.payload.error.code, -32001);
});

test('the privilege of one token says nothing about another id\'s', async () => {
	const topic = freshTopic();
	const strong = await joinAs(gateway, topic, 'carol', { privilege: 'full' });
	const weak = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	assert.equal(strong.welcome.payload.participant.privilege, 'full');
	assert.equal(weak.welcome.payload.participant.privilege, 'restricted');
});
