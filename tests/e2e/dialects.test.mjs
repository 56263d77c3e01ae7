// SPDX-License-Identifier: Apache-2.0
// Both dialects in one room: heads are translated, payloads never (MCPx v0.1 6.3).

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshTopic, history, house, joinAs, proposal } from './lib/house.mjs';
import { rawOf, V0, V01 } from './lib/room_client.mjs';

const gateway = await house();

async function mixed() {
	const topic = freshTopic();
	const old = await joinAs(gateway, topic, 'old', { protocol: V0 });
	const older = await joinAs(gateway, topic, 'older', { protocol: V0 });
	const fresh = await joinAs(gateway, topic, 'fresh', { protocol: V01 });
	return { topic, old, older, fresh };
}

function byId(id) {
	return (envelope) => envelope.id === id;
}

test('a reader of the sender\'s dialect gets the very octets, one of the other dialect a new head', async () => {
	const { old, older, fresh } = await mixed();
	const id = randomUUID();
	const payload = '{ "jsonrpc":"2.0", "method":"notifications/x" ,"params":{"n":1.0e2,"big":99999999999999999999,"s":"\\u00e9 \\/ \u00e9"} }';
	const text = `{"payload":${payload},"kind":"mcp", "id":"${id}","protocol":"${V0}","from":"old","ts":"2025-08-17T14:00:00Z","to":["fresh"]}`;
	old.send(text);
	assert.equal(rawOf(await older.next(byId(id))), text);
	const heard = await fresh.next(byId(id));
	assert.equal(heard.protocol, V01);
	assert.equal(heard.kind, 'mcp');
	assert.equal(heard.from, 'old');
	assert.deepEqual(heard.to, ['fresh']);
	assert.equal(heard.ts, '2025-08-17T14:00:00Z');
	assert.ok(rawOf(heard).includes(payload));
});

test('a v0.1 request reaches a v0 reader under the v0 head with its payload octet for octet', async () => {
	const { old, fresh } = await mixed();
	const id = randomUUID();
	const payload = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/call","params":{"name":"t","arguments":{"x":1e400,"y":-0.0}}}';
	fresh.send(`{"protocol":"${V01}","id":"${id}","kind":"mcp","to":["old"],"correlation_id":"c-1","payload":${payload}}`);
	const heard = await old.next(byId(id));
	assert.equal(heard.protocol, V0);
	assert.equal(heard.kind, 'mcp');
	assert.deepEqual(heard.to, ['old']);
	assert.equal(heard.correlation_id, 'c-1');
	assert.ok(rawOf(heard).includes(payload));
});

test('a v0.1 chat is a chat notification for v0 readers, whose params are the chat payload\'s octets', async () => {
	const { old, fresh } = await mixed();
	const id = randomUUID();
	const payload = '{ "format":"markdown", "text":"**hello** \\u00e9", "n": 1.10 }';
	fresh.send(`{"protocol":"${V01}","id":"${id}","kind":"chat","payload":${payload}}`);
	const heard = await old.next(byId(id));
	assert.equal(heard.protocol, V0);
	assert.equal(heard.kind, 'mcp');
	assert.equal(heard.from, 'fresh');
	assert.equal(heard.payload.jsonrpc, '2.0');
	assert.equal(heard.payload.method, 'notifications/chat/message');
	assert.equal('id' in heard.payload, false);
	assert.ok(rawOf(heard).includes(payload));
	assert.equal(heard.payload.params.text, '**hello** \u00e9');
});

test('a v0 chat notification stays what it is for everyone', async () => {
	const { old, older, fresh } = await mixed();
	const id = randomUUID();
	const payload = '{"jsonrpc":"2.0","method":"notifications/chat/message","params":{"text":"hello","format":"plain"}}';
	old.send(`{"protocol":"${V0}","id":"${id}","kind":"mcp","payload":${payload}}`);
	for (const reader of [older, fresh]) {
		const heard = await reader.next(byId(id));
		assert.equal(heard.kind, 'mcp');
		assert.ok(rawOf(heard).includes(payload));
	}
});

test('a proposal reaches v0 readers as it is, under the v0 head', async () => {
	const { old, fresh } = await mixed();
	const id = fresh.send(proposal('old', { reason: 'because' }));
	const heard = await old.next(byId(id));
	assert.equal(heard.protocol, V0);
	assert.equal(heard.kind, 'mcp/proposal');
	assert.deepEqual(heard.payload, { method: 'tools/call', params: { name: 't', arguments: {} }, reason: 'because' });
});

test('further fields of the head survive the change of dialect', async () => {
	const { old, fresh } = await mixed();
	const id = fresh.send({ kind: 'mcp', x_trace: { a: [1, 'z'] }, payload: { jsonrpc: '2.0', method: 'notifications/x' } });
	assert.deepEqual((await old.next(byId(id))).x_trace, { a: [1, 'z'] });
});

test('a sender\'s echo is in the sender\'s own dialect', async () => {
	const { old } = await mixed();
	const echo = await old.say('hello');
	assert.equal(echo.protocol, V0);
});

test('a chat under the v0 head reaches v0 readers as the notification', async () => {
	const { old, older } = await mixed();
	const id = old.send({ protocol: V0, kind: 'chat', payload: { text: 'hi' } });
	const heard = await older.next(byId(id));
	assert.equal(heard.kind, 'mcp');
	assert.equal(heard.payload.method, 'notifications/chat/message');
	assert.deepEqual(heard.payload.params, { text: 'hi' });
});

test('history is read in v0.1, or in the dialect that is asked for', async () => {
	const { topic, old, fresh } = await mixed();
	await old.say('from old');
	await fresh.say('from fresh');
	const modern = await history(gateway, topic, { token: old.token });
	assert.deepEqual(modern.map((envelope) => [envelope.protocol, envelope.kind]), [[V01, 'chat'], [V01, 'mcp']]);
	const v0 = await history(gateway, topic, { token: old.token, query: `?protocol=${encodeURIComponent(V0)}` });
	assert.deepEqual(v0.map((envelope) => [envelope.protocol, envelope.kind]), [[V0, 'mcp'], [V0, 'mcp']]);
	assert.equal(v0[0].payload.params.text, 'from fresh');
});

test('history in the welcome and after since speaks the reader\'s dialect', async () => {
	const { topic, fresh } = await mixed();
	const first = await fresh.say('one');
	const second = await fresh.say('two');
	const reader = await joinAs(gateway, topic, 'late', { protocol: V0, query: { history: 10 } });
	assert.deepEqual(reader.welcome.payload.history.envelopes.map((envelope) => [envelope.protocol, envelope.payload.params.text]),
		[[V0, 'one'], [V0, 'two']]);
	const after = await joinAs(gateway, topic, 'later', { protocol: V0, query: { since: first.id } });
	const heard = await after.next(byId(second.id));
	assert.equal(heard.protocol, V0);
	assert.equal(heard.payload.method, 'notifications/chat/message');
});

test('refusals speak the sender\'s dialect', async () => {
	const { old } = await mixed();
	assert.equal((await old.refusal({ kind: 'system', payload: { event: 'x' } })).protocol, V0);
});

test('a v0 client and a v0.1 client call each other\'s tools', async () => {
	const { old, fresh } = await mixed();
	for (const [caller, callee] of [[old, fresh], [fresh, old]]) {
		const id = caller.send({ kind: 'mcp', to: [callee.id], payload: { jsonrpc: '2.0', id: 'q', method: 'tools/list' } });
		await callee.next(byId(id));
		callee.send({ kind: 'mcp', to: [caller.id], correlation_id: id, payload: { jsonrpc: '2.0', id: 'q', result: { tools: [] } } });
		const answer = await caller.next((envelope) => envelope.correlation_id === id);
		assert.deepEqual(answer.payload.result, { tools: [] });
	}
});
