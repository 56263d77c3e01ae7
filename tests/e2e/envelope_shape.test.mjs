// SPDX-License-Identifier: Apache-2.0
// What an envelope has to look like (MCPx v0 4; MCPx v0.1 4).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, house, houseFor, joinAs, joinOpen, request } from './lib/house.mjs';
import { beforeMarker, rawOf, V0, V01 } from './lib/room_client.mjs';

const gateway = await house();

async function pair(options) {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice', options);
	const bob = await joinAs(gateway, topic, 'bob', options);
	await alice.next((envelope) => envelope.kind === 'presence');
	return { topic, alice, bob };
}

/** The text is refused at that gate, with the id where it could be read, and nobody else sees anything of it. */
async function refusedAt(gate, text, id) {
	const { alice, bob } = await pair();
	const refusal = await alice.refusal(text);
	assert.equal(refusal.kind, 'system');
	assert.equal(refusal.payload.event, 'error');
	assert.equal(refusal.payload.gate, gate, text);
	assert.equal(typeof refusal.payload.code, 'string');
	assert.equal(typeof refusal.payload.message, 'string');
	if (id !== undefined)
		assert.equal(refusal.correlation_id, id);
	assert.deepEqual(await beforeMarker(alice, bob), []);
}

const GOOD = { protocol: V01, id: 'x', kind: 'chat', payload: { text: 'hello' } };

function good(changes) {
	const id = randomUUID();
	return { id, text: JSON.stringify({ ...GOOD, id, ...changes }) };
}

for (const field of ['kind', 'payload']) {
	test(`an envelope without ${field} is refused, and the refusal names its id`, async () => {
		const { id, text } = good({ [field]: undefined });
		await refusedAt('shape', text, id);
	});
}

test('an envelope without protocol is refused', async () => {
	const { alice, bob } = await pair();
	const refusal = await alice.refusal(good({ protocol: undefined }).text);
	assert.match(refusal.payload.gate, /^(protocol|shape)$/);
	assert.deepEqual(await beforeMarker(alice, bob), []);
});

test('an envelope without id is refused', () => refusedAt('shape', JSON.stringify({ ...GOOD, id: undefined })));

test('an envelope of another protocol is refused', async () => {
	const { id, text } = good({ protocol: 'mcpx/v0.2' });
	await refusedAt('protocol', text, id);
});

test('both protocols are accepted', async () => {
	const { alice, bob } = await pair();
	for (const protocol of [V0, V01]) {
		const id = alice.send({ protocol, ...request('bob') });
		assert.equal((await bob.next((envelope) => envelope.kind === 'mcp')).id, id);
	}
});

test('a missing from and a missing ts are filled in', async () => {
	const { alice, bob } = await pair();
	const { id, text } = good({});
	alice.send(text);
	const heard = await bob.next((envelope) => envelope.id === id);
	assert.equal(heard.from, 'alice');
	assert.ok(!Number.isNaN(Date.parse(heard.ts)));
});

test('unknown further fields of an envelope pass through', async () => {
	const { alice, bob } = await pair();
	const { id, text } = good({ x_trace: { a: [1, null, 'z'] }, priority: 9 });
	alice.send(text);
	const heard = await bob.next((envelope) => envelope.id === id);
	assert.deepEqual(heard.x_trace, { a: [1, null, 'z'] });
	assert.equal(heard.priority, 9);
});

test('text that is not JSON is refused and the connection stays', async () => {
	const { alice } = await pair();
	for (const text of ['hello', '{', '{"a":1}}', '', '{"protocol":"mcpx/v0.1",}', "{'a':1}", 'nul', '\u0000'])
		assert.equal((await alice.refusal(text)).payload.gate, 'shape', text);
	await alice.say('still here');
});

test('JSON that is not an object is refused', async () => {
	const { alice } = await pair();
	for (const text of ['1', '"x"', 'null', 'true', '[]', JSON.stringify([GOOD])])
		assert.equal((await alice.refusal(text)).payload.gate, 'shape', text);
	await alice.say('still here');
});

test('text after the envelope is refused', () => refusedAt('shape', `${good({}).text} {}`));

for (const [what, changes] of [
	['an id that is a number', { id: 7 }],
	['an empty id', { id: '' }],
	['a kind that is a number', { kind: 4 }],
	['a payload that is text', { payload: 'text' }],
	['a payload that is an array', { payload: [1] }],
	['a payload that is null', { payload: null }],
	['a to that is text', { to: 'bob' }],
	['a to that holds a number', { to: ['bob', 7] }],
	['a correlation_id that is a number', { correlation_id: 7 }],
	['a from that is a number', { from: 7 }],
	['a ts that is no time', { ts: 'yesterday' }],
	['a ts without a zone', { ts: '2025-08-17T14:00:00' }],
	['a ts of the thirteenth month', { ts: '2025-13-17T14:00:00Z' }],
	['a ts that is a number', { ts: 1755439200 }],
]) {
	test(`${what} is refused`, async () => {
		const { alice, bob } = await pair();
		const refusal = await alice.refusal(good(changes).text);
		assert.match(refusal.payload.gate, /^(shape|kind|sender)$/);
		assert.deepEqual(await beforeMarker(alice, bob), []);
	});
}

test('the forms of RFC 3339 times are accepted', async () => {
	const { alice, bob } = await pair();
	for (const ts of ['2025-08-17T14:00:00Z', '2025-08-17T14:00:00.123456Z', '2025-08-17T16:00:00+02:00', '2024-02-29T23:59:59-11:30']) {
		const { id, text } = good({ ts });
		alice.send(text);
		assert.equal((await bob.next((envelope) => envelope.id === id)).ts, ts);
	}
});

test('a duplicate envelope key is refused, also when it is written with escapes', async () => {
	await refusedAt('shape', `{"protocol":"${V01}","id":"d1","kind":"chat","kind":"mcp","payload":{"text":"x"}}`);
	await refusedAt('shape', `{"protocol":"${V01}","id":"d2","kind":"chat","k\\u0069nd":"mcp","payload":{"text":"x"}}`);
});

test('an envelope key that differs from a known one only in case is refused', async () => {
	for (const key of ['Kind', 'FROM', 'Payload', 'iD', 'Correlation_ID', 'TO'])
		await refusedAt('shape', `{"protocol":"${V01}","id":"${randomUUID()}","kind":"chat","payload":{"text":"x"},"${key}":"x"}`);
});

test('a payload may repeat keys and use any case: it is not the gateway\'s to read', async () => {
	const { alice, bob } = await pair();
	const payload = '{"text":"x","Text":"y","from":"bob","FROM":"z","a":1,"a":2}';
	alice.send(`{"protocol":"${V01}","id":"pk","kind":"chat","payload":${payload}}`);
	assert.ok(rawOf(await bob.next((envelope) => envelope.id === 'pk')).includes(payload));
});

test('a payload leaves octet for octet: numbers, escapes and white space', async () => {
	const { alice, bob } = await pair();
	const payload = '{ "text":"x", "big":123456789012345678901234567890, "huge":1e400, "minus":-0, "half":0.10 ,\n"esc":"\\u0041\\/\\t\\u0000", "utf":"\u{1F600}" }';
	alice.send(`{"protocol":"${V01}","id":"oct","kind":"chat","payload":${payload}}`);
	for (const client of [alice, bob])
		assert.ok(rawOf(await client.next((envelope) => envelope.id === 'oct')).includes(payload));
});

test('nesting is bounded: sixty levels pass, eighty do not', async () => {
	const { alice, bob } = await pair();
	const nested = (levels) => `{"protocol":"${V01}","id":"n${levels}","kind":"chat","payload":{"text":"x","a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
	alice.send(nested(60));
	await bob.next((envelope) => envelope.id === 'n60');
	assert.equal((await alice.refusal(nested(80))).payload.gate, 'shape');
	assert.equal((await alice.refusal(nested(200_000))).payload.gate, 'shape');
	await alice.say('still here');
});

test('a lone surrogate is refused', () => refusedAt('shape', `{"protocol":"${V01}","id":"ls","kind":"chat","payload":{"text":"\\ud800"}}`));

test('a surrogate pair is accepted', async () => {
	const { alice, bob } = await pair();
	alice.send(`{"protocol":"${V01}","id":"sp","kind":"chat","payload":{"text":"\\ud83d\\ude00"}}`);
	assert.equal((await bob.next((envelope) => envelope.id === 'sp')).payload.text, '\u{1F600}');
});

test('a result or an error without correlation_id is refused', async () => {
	for (const outcome of [{ result: {} }, { error: { code: 1, message: 'x' } }]) {
		const id = randomUUID();
		const { alice, bob } = await pair();
		const refusal = await alice.refusal({ id, kind: 'mcp', to: ['bob'], payload: { jsonrpc: '2.0', id: 1, ...outcome } });
		assert.equal(refusal.correlation_id, id);
		assert.deepEqual(await beforeMarker(alice, bob), []);
	}
});

test('rooms.strict_replies = false lets an answer without correlation_id through', async (t) => {
	const lenient = await houseFor(t, { open: true, set: { 'rooms.strict_replies': 'false' } });
	const alice = await joinOpen(lenient, freshTopic(), 'alice');
	const id = alice.send({ kind: 'mcp', to: ['alice'], payload: { jsonrpc: '2.0', id: 1, result: {} } });
	await alice.next((envelope) => envelope.id === id);
});

test('escaped field names and values mean what they spell', async () => {
	const { alice, bob } = await pair();
	alice.send(`{"protoc\\u006fl":"mcpx\\/v0.1","id":"es\\u0063","kind":"\\u0063hat","payload":{"text":"x"}}`);
	const heard = await bob.next((envelope) => envelope.kind === 'chat');
	assert.equal(heard.id, 'esc');
	assert.equal(heard.protocol, V01);
});
