// SPDX-License-Identifier: Apache-2.0
// MGP 12 and 13 between participants of a room: it is negotiated with each of them by initialize, and what is streamed, reported
// or asked is addressed to one and seen by all.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answerOf, ask, isAnswer } from './lib/attached.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { ALL } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { beforeMarker } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const CHUNK = 'notifications/mgp.stream.chunk';
const PROGRESS = 'notifications/mgp.stream.progress';
const CALLBACK = 'notifications/mgp.callback.request';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'streaming', 'bidirectional'];
const FINAL = { content: [{ type: 'text', text: 'Quantum computing is a paradigm that uses...' }], _mgp: { streamed: true, chunks_sent: 15, duration_ms: 3200 } };
const THINK = { name: 'think', arguments: { agent_id: 'agent.cloto_default', message: 'Explain quantum computing' }, _mgp: { stream: true } };
const BATCH = { progress: 0.65, message: 'Processing batch 13/20', estimated_remaining_ms: 4500 };
const CONFIRM = { type: 'confirmation', message: 'This operation will delete 15 files. Continue?', options: ['confirm', 'cancel'], timeout_ms: 60_000 };
const tools = [
	{ name: 'think', annotations: readOnly, does: [{ script: [{ chunk: 'Quantum computing is' }, { chunk: ' a paradigm that uses' }, { answer: FINAL }] }] },
	{ name: 'batch', annotations: readOnly, does: [{ script: [{ progress: BATCH }, { answer: { content: [] } }] }] },
	{ name: 'delete', annotations: readOnly, does: [{ script: [{ callback: CONFIRM }] }] },
	{ name: 'lasts', annotations: readOnly, does: [{ script: [{ chunk: 'half of it' }, { hold: 'lasts' }] }] },
	{ name: 'told', annotations: readOnly, does: 'told' },
];
const topic = freshTopic();
const mind = new Outsider('mind', { extensions, tools }, {}, { share: 'principal', rooms: [topic] });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [mind] });
await house.allConnected();

/** Somebody in the room; mgp: what it says to the server when it introduces itself, null for a plain participant. */
async function member(t, name, mgp = { version: '0.2.0', extensions: ALL }, capabilities = {}) {
	const one = await joinAs(house.gateway, topic, `${name}-${randomUUID().slice(0, 6)}`);
	t.after(() => one.close());
	if (!one.welcome.payload.participants.some(({ id }) => id === 'mind'))
		await one.next(isPresence('join', 'mind'));
	const { payload } = await answerOf(one, 'mind', 'initialize', { protocolVersion: '2025-06-18',
		capabilities: { ...capabilities, ...(mgp === null ? {} : { mgp }) }, clientInfo: { name: 'outside', version: '1' } }, 0);
	one.hello = payload.result;
	one.send({ kind: 'mcp', to: ['mind'], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	return one;
}
/** Calls a tool; hands out every envelope of the server's up to and with the answer. */
async function call(one, params, payloadId) {
	const id = ask(one, 'mind', 'tools/call', params, payloadId);
	const all = await one.collect(isAnswer(id));
	return { id, all: all.filter(({ from, correlation_id }) => from === 'mind' && correlation_id === id) };
}
const said = (envelopes) => envelopes.map(({ to, correlation_id, payload: { _meta, ...payload } }) => ({ to, correlation_id, payload }));

test('12.2 in a room MGP is negotiated by initialize with the participant, for who asks and nobody else', async (t) => {
	const [ann, few, bob] = [await member(t, 'ann'), await member(t, 'few', { version: '0.2.0', extensions: ['streaming', 'telepathy'] }), await member(t, 'bob', null)];
	for (const extension of extensions)
		assert.ok(ann.hello.capabilities.mgp.extensions.includes(extension), extension);
	assert.deepEqual(few.hello.capabilities.mgp.extensions, ['streaming']);
	isPlain(bob.hello);
	const { payload } = await answerOf(bob, 'mind', 'mgp/stream/cancel', { request_id: 1 });
	assert.equal(payload.error.code, -32601);
});

test('12.4 a stream through a room is addressed to who asked, and seen by all', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob', null)];
	const { id, all } = await call(ann, THINK, 20);
	const chunk = (index, text) => ({ jsonrpc: '2.0', method: CHUNK, params: { request_id: 20, index, content: { type: 'text', text }, done: false } });
	const expected = [chunk(0, 'Quantum computing is'), chunk(1, ' a paradigm that uses')].map((payload) => ({ to: [ann.id], correlation_id: id, payload }));
	assert.deepEqual(said(all).slice(0, 2), expected);
	const { result, id: payloadId } = all.at(-1).payload;
	assert.deepEqual([payloadId, result.content, result._mgp], [20, FINAL.content, FINAL._mgp]);
	const seen = (await beforeMarker(ann, bob)).filter((one) => one.from === 'mind' && one.correlation_id === id);
	assert.deepEqual(said(seen), said(all));
	assert.ok(all.every((one) => one.kind === 'mcp'));
});

test('12.4 a participant without MGP gets its answer alone, whatever it asks for', async (t) => {
	const bob = await member(t, 'bob', null);
	for (const params of [THINK, { ...THINK, _mgp: undefined }, { name: 'batch', arguments: {} }]) {
		const { all } = await call(bob, params, 7);
		assert.equal(all.length, 1);
		isPlain(all[0].payload);
	}
});

test('12.6 progress of MGP comes to who has agreed on streaming', async (t) => {
	const ann = await member(t, 'ann');
	const { id, all } = await call(ann, { name: 'batch', arguments: {} }, 21);
	assert.deepEqual(said(all)[0], { to: [ann.id], correlation_id: id, payload: { jsonrpc: '2.0', method: PROGRESS, params: { request_id: 21, ...BATCH } } });
	const bob = await member(t, 'bob', null);
	const plain = await call(bob, { name: 'batch', arguments: {}, _meta: { progressToken: 'p' } }, 22);
	const { progressToken, progress, total, message } = plain.all[0].payload.params;
	assert.deepEqual({ progressToken, progress, total, message }, { progressToken: 'p', progress: 0.65, total: 1, message: BATCH.message });
});

test('12.7 a stream in a room is cancelled by who began it, and by nobody else', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const id = ask(ann, 'mind', 'tools/call', { name: 'lasts', arguments: {}, _mgp: { stream: true } }, 20);
	await ann.next(({ payload }) => payload.method === CHUNK);
	assert.equal((await answerOf(bob, 'mind', 'mgp/stream/cancel', { request_id: 20 }, 22)).payload.result.cancelled, false);
	const cancel = ask(ann, 'mind', 'mgp/stream/cancel', { request_id: 20, reason: 'user_cancelled' }, 22);
	const answers = [];
	while (answers.length < 2)
		answers.push(await ann.next((one) => isAnswer(id)(one) || isAnswer(cancel)(one)));
	const { payload: { result } } = answers.find(isAnswer(cancel));
	assert.deepEqual([result.cancelled, result.partial_result], [true, { content: [{ type: 'text', text: 'half of it' }] }]);
	assert.equal(answers.find(isAnswer(id)).payload.result._mgp.cancelled, true);
	assert.equal((await beforeMarker(ann, ann)).filter(isAnswer(id)).length, 0, 'it is answered once');
	await until(() => mind.of('mgp/stream/cancel').length > 0, 'the server is told');
});

test('13.4 a callback in a room goes to who called, and its answer alone counts', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const id = ask(ann, 'mind', 'tools/call', { name: 'delete', arguments: {} }, 20);
	const asked = await ann.next(({ payload }) => payload.method === CALLBACK);
	assert.deepEqual([asked.to, asked.from], [[ann.id], 'mind']);
	const { callback_id, request_id, type, message, options } = asked.payload.params;
	assert.deepEqual({ request_id, type, message, options }, { request_id: 20, type: CONFIRM.type, message: CONFIRM.message, options: CONFIRM.options });
	const foreign = await answerOf(bob, 'mind', 'mgp/callback/respond', { callback_id, response: 'confirm' }, 32);
	assert.equal(foreign.payload.error.code, 4000);
	const answer = ask(ann, 'mind', 'mgp/callback/respond', { callback_id, response: 'cancel' }, 32);
	const answers = [];
	while (answers.length < 2)
		answers.push(await ann.next((one) => isAnswer(id)(one) || isAnswer(answer)(one)));
	assert.equal(answers.find(isAnswer(answer)).payload.result.accepted, true);
	const [{ response }] = JSON.parse(answers.find(isAnswer(id)).payload.result.content[0].text);
	assert.equal(response, 'cancel');
});

test('13.4 a plain participant that fills in forms gets the callback as one', async (t) => {
	const bob = await member(t, 'bob', null, { elicitation: {} });
	const id = ask(bob, 'mind', 'tools/call', { name: 'delete', arguments: {} }, 20);
	const form = await bob.next(({ payload }) => payload.method === 'elicitation/create');
	assert.deepEqual(form.payload.params.requestedSchema.properties.response.enum, CONFIRM.options);
	isPlain(form.payload);
	bob.send({ kind: 'mcp', to: ['mind'], correlation_id: form.id, payload: { jsonrpc: '2.0', id: form.payload.id,
		result: { action: 'accept', content: { response: 'confirm' } } } });
	const [{ response }] = JSON.parse((await bob.next(isAnswer(id))).payload.result.content[0].text);
	assert.equal(response, 'confirm');
});

test('13.4 a participant that can neither leaves it to the inbox', async (t) => {
	const bob = await member(t, 'bob', null);
	const id = ask(bob, 'mind', 'tools/call', { name: 'delete', arguments: {} }, 20);
	const { id: decision } = await house.pending(({ kind }) => kind === 'callback');
	await house.run('deny', decision);
	const [{ response }] = JSON.parse((await bob.next(isAnswer(id))).payload.result.content[0].text);
	assert.equal(response, 'cancel');
});

for (const era of ['legacy', 'modern']) {
	test(`12.4 a stream through the face of a room reaches who asked there, and the room sees it (${era})`, async (t) => {
		const bob = await member(t, 'bob', null);
		const client = await house.client('cleo', `/mcp/rooms/${encodeURIComponent(topic)}`, { era });
		const begun = client.begin('tools/call', { ...THINK, name: 'mind__think' }, { id: 20 });
		const { result } = await begun.answer;
		assert.deepEqual(result.content, FINAL.content);
		const chunks = begun.messages.filter(({ method }) => method === CHUNK).map(({ params }) => [params.request_id, params.index, params.content.text]);
		assert.deepEqual(chunks, [[20, 0, 'Quantum computing is'], [20, 1, ' a paradigm that uses']]);
		const seen = (await beforeMarker(bob, bob)).filter(({ from, payload }) => from === 'mind' && payload.method === CHUNK);
		assert.deepEqual(seen.map(({ to, payload }) => [to, payload.params.index]), [[['cleo'], 0], [['cleo'], 1]]);
	});

	test(`12.5 a plain client at the face of a room gets its answer, and nothing of MGP (${era})`, async () => {
		const client = await house.plain('dan', `/mcp/rooms/${encodeURIComponent(topic)}`, { era });
		const begun = client.begin('tools/call', { ...THINK, name: 'mind__think' });
		assert.deepEqual((await begun.answer).result.content, FINAL.content);
		isPlain(begun.messages);
	});
}

test('12.4 streams side by side in a room: every participant has its own, complete and in order', async (t) => {
	const people = await Promise.all(['ann', 'bob', 'eve'].map((name) => member(t, name)));
	const streams = people.map((one, number) => [one, number, ask(one, 'mind', 'tools/call', { name: 'told', _mgp: { stream: true },
		arguments: { script: [...Array(20).keys()].map((index) => ({ chunk: `${number}:${index} ` })) } }, 20)]);
	for (const [one, number, id] of streams) {
		const all = (await one.collect(isAnswer(id))).filter(({ correlation_id }) => correlation_id === id);
		const chunks = all.slice(0, -1).map(({ payload: { params } }) => params);
		assert.deepEqual(chunks.map(({ index }) => index), [...Array(20).keys()]);
		assert.equal(chunks.map(({ content }) => content.text).join(''), all.at(-1).payload.result.content[0].text);
		assert.ok(chunks[0].content.text.startsWith(`${number}:`));
	}
});

test('12.4 a restricted participant streams nothing, since it may ask for nothing', async (t) => {
	const one = await joinAs(house.gateway, topic, `low-${randomUUID().slice(0, 6)}`, { privilege: 'restricted' });
	t.after(() => one.close());
	const before = mind.calls('think').length;
	const id = one.send({ kind: 'mcp', to: ['mind'], payload: { jsonrpc: '2.0', id: 20, method: 'tools/call', params: THINK } });
	const refused = await one.next(({ from, correlation_id }) => from === 'system:gateway' && correlation_id === id);
	assert.equal(refused.payload.error.code, -32001);
	assert.equal(mind.calls('think').length, before);
});
