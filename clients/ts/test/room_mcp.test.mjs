// SPDX-License-Identifier: Apache-2.0
// MCP between participants: introductions, tools, requests with progress, cancels, questions back, hosted servers, streams.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SDK_SERVER, entry } from '../../../tests/e2e/lib/hosted.mjs';
import { freshTopic, house } from '../../../tests/e2e/lib/house.mjs';
import { ALL } from '../../../tests/e2e/lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider } from '../../../tests/e2e/lib/mgp_house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { faultOf, joined, somebody } from './lib/client.mjs';

const gateway = await house({ config: `[kernel]\npolicy = "auto_approve"\napproval = "auto_approve"\ndefault_policy = "opt-out"\n${
	entry('sdk', SDK_SERVER, ['client-test'], 'rooms = ["hosted"]')}` });
const ann = await somebody(gateway, 'ann', { kind: 'human' });
const bob = await somebody(gateway, 'bob', { kind: 'robot' });

const textOf = (result) => result.content[0].text;

/** bob's room with tools, and ann's. */
async function pair(t, tools, options) {
	const topic = freshTopic();
	const server = await joined(t, bob, topic, { tools });
	const client = await joined(t, ann, topic, options);
	return { server, client };
}

test('a participant written in TypeScript has tools, and others call them', async (t) => {
	const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
	const { client, server } = await pair(t, [
		{ name: 'add', description: 'Adds two numbers', inputSchema, call: ({ a, b }) => String(a + b) },
		{ name: 'whole', call: () => ({ content: [], structuredContent: { n: 1 } }) },
		{ name: 'nothing', call: () => undefined },
		{ name: 'fails', call: () => { throw new Error('it broke'); } },
	]);
	assert.equal(client.participants.get('bob').mcp.version, '2025-06-18');
	const hello = await client.introduce('bob');
	assert.deepEqual([hello.protocolVersion, hello.serverInfo.name], ['2025-06-18', 'bob']);
	const tools = await client.tools('bob');
	assert.deepEqual(tools.map(({ name }) => name), ['add', 'whole', 'nothing', 'fails']);
	assert.deepEqual([tools[0].description, tools[0].inputSchema], ['Adds two numbers', inputSchema]);
	assert.equal(textOf(await client.callTool('bob', 'add', { a: 2, b: 40 })), '42');
	assert.deepEqual((await client.callTool('bob', 'whole')).structuredContent, { n: 1 });
	assert.deepEqual(await client.callTool('bob', 'nothing'), { content: [] });
	const failed = await client.callTool('bob', 'fails');
	assert.deepEqual([failed.isError, textOf(failed)], [true, 'it broke']);
	assert.equal((await faultOf(client.callTool('bob', 'none'))).code, '-32602');
	assert.equal((await faultOf(client.request('bob', 'resources/list'))).code, '-32601');
	assert.equal(server.seen.filter(({ payload }) => payload?.method === 'initialize').length, 1, 'one introduction is enough');
});

test('a list is asked for once, until it changes', async (t) => {
	const { client, server } = await pair(t, [{ name: 'one', call: () => 'x' }]);
	assert.deepEqual((await client.tools('bob')).map(({ name }) => name), ['one']);
	await client.tools('bob');
	server.serve([{ name: 'one', call: () => 'x' }, { name: 'two', call: () => 'y' }]);
	await client.sees(({ payload }) => payload?.method === 'notifications/tools/list_changed');
	assert.deepEqual((await client.tools('bob')).map(({ name }) => name), ['one', 'two']);
	assert.equal(client.seen.filter(({ payload }) => payload?.method === 'tools/list').length, 2);
});

test('progress comes before the result, and patience begins anew with it', async (t) => {
	const { client } = await pair(t, [{ name: 'steps', call: (_, { progress }) => {
		for (let at = 1; at <= 3; at += 1)
			progress(at, 3, `step ${at}`);
		return 'done';
	} }]);
	const heard = [];
	assert.equal(textOf(await client.callTool('bob', 'steps', {}, { onProgress: (one) => heard.push([one.progress, one.total, one.message]) })), 'done');
	assert.deepEqual(heard, [[1, 3, 'step 1'], [2, 3, 'step 2'], [3, 3, 'step 3']]);
});

test('a call that is aborted is cancelled at who was asked, and so is one that takes too long', async (t) => {
	const aborted = [];
	const { client } = await pair(t, [{ name: 'wait', call: ({ name }, { signal }) => new Promise((done) => {
		signal.addEventListener('abort', () => { aborted.push(name); done('too late'); });
	}) }]);
	const control = new AbortController();
	const call = client.callTool('bob', 'wait', { name: 'aborted' }, { signal: control.signal });
	await client.sees(({ payload }) => payload?.params?.arguments?.name === 'aborted');
	control.abort(new Error('enough'));
	await assert.rejects(call, /enough/);
	await until(() => aborted.includes('aborted'), 'the tool hears of it');
	const late = await faultOf(client.callTool('bob', 'wait', { name: 'late' }, { timeoutMs: 300 }));
	assert.deepEqual([late.code, late.status], ['timeout', 0]);
	await until(() => aborted.includes('late'), 'the tool hears of that too');
	assert.equal(client.seen.some(({ payload }) => payload?.result?.content?.[0]?.text === 'too late'), false);
	const gone = new AbortController();
	gone.abort(new Error('before it began'));
	await assert.rejects(client.request('bob', 'tools/list', {}, { signal: gone.signal }), /before it began/);
});

test('a tool asks its caller back', async (t) => {
	const { client } = await pair(t, [{ name: 'ask', call: async (_, { ask }) => JSON.stringify(
		await ask('elicitation/create', { message: 'Which?', requestedSchema: { type: 'object', properties: { said: { type: 'string' } } } })) }],
	{ onInput: ({ from, method, params }) => ({ action: 'accept', content: { said: `${from} ${method} ${params.message}` } }) });
	assert.deepEqual(JSON.parse(textOf(await client.callTool('bob', 'ask'))),
		{ action: 'accept', content: { said: 'bob elicitation/create Which?' } });
});

test('a request that nothing here answers is handed out, and answered by hand', async (t) => {
	const { client, server } = await pair(t, [{ name: 'one', call: () => 'x' }]);
	const asked = [];
	client.on('request', (envelope) => {
		asked.push(envelope.payload.method);
		client.answer(envelope, envelope.payload.method === 'x/fine' ? { result: { ok: true } } : { error: { code: -32000, message: 'no', data: { type: 'mine' } } });
	});
	assert.deepEqual(await server.request('ann', 'x/fine', { a: 1 }), { ok: true });
	const fault = await faultOf(server.request('ann', 'x/other'));
	assert.deepEqual([fault.code, fault.message, fault.data], ['-32000', 'no', { type: 'mine' }]);
	assert.deepEqual(asked, ['x/fine', 'x/other']);
	client.on('request', () => assert.fail('tools of our own are asked for first'));
	assert.equal((await faultOf(client.request('bob', 'x/unknown'))).code, '-32601');
});

test('a robot without tools answers at once; a person, and who sits beside, leave it to others', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const robot = await joined(t, bob, topic);
	await client.request('bob', 'ping', {}, { timeoutMs: 30_000 });
	assert.deepEqual(await client.request('bob', 'tools/list', {}, { timeoutMs: 30_000 }), { tools: [] });
	assert.equal((await faultOf(client.request('bob', 'x/unknown', {}, { timeoutMs: 30_000 }))).code, '-32601');
	const beside = await joined(t, bob, topic, { beside: true });
	const again = await faultOf(client.request('bob', 'x/once', {}, { timeoutMs: 30_000 }));
	assert.equal(again.code, '-32601');
	await client.chat('after');
	await beside.sees(({ payload }) => payload?.text === 'after');
	const left = robot.request('ann', 'x/left');
	left.catch(() => {});
	const asked = await client.sees(({ payload }) => payload?.method === 'x/left');
	await client.chat('what ann says comes behind an answer');
	await client.answer(asked, { result: 'by hand' });
	assert.equal(await left, 'by hand');
	const answers = beside.seen.filter(({ from, payload }) => from === 'bob' && payload?.error?.code === -32601);
	assert.equal(answers.length, 1, 'what was asked while both were there is refused once');
});

test('where another connection of the same identity has tools, one without them leaves requests to it', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const main = await joined(t, bob, topic);
	const listed = (room) => room.seen.filter(({ from, payload }) => from === 'bob' && payload?.method === 'notifications/tools/list_changed');
	assert.deepEqual([(await client.request('bob', 'tools/list', {}, { timeoutMs: 30_000 })).tools, listed(client)], [[], []]);
	const beside = await joined(t, bob, topic, { beside: true, tools: [{ name: 'one', call: () => 'from beside' }] });
	await until(() => listed(client).length === 1, 'it is told that there are tools');
	const found = await client.tools('bob');
	assert.deepEqual(found.map(({ name }) => name), ['one']);
	assert.equal(textOf(await client.callTool('bob', 'one')), 'from beside');
	assert.equal((await faultOf(client.request('bob', 'x/unknown'))).code, '-32601');
	await main.chat('behind every answer of mine');
	await client.sees(({ payload }) => payload?.text === 'behind every answer of mine');
	const answers = client.seen.filter(({ from, correlation_id: about }) => from === 'bob' && about !== undefined);
	const asked = client.seen.filter(({ from, payload }) => from === 'ann' && payload?.id !== undefined);
	assert.equal(answers.length, asked.length, 'each request has one answer');
	beside.close();
});

test('one that comes without tools beside another that has them may answer one request, and no more', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	await joined(t, bob, topic, { beside: true, tools: [{ name: 'one', call: () => 'from beside' }] });
	const main = await joined(t, bob, topic, { history: 50 });
	await client.introduce('bob').catch(() => {}); // the first answer counts, whosever it is
	await main.sees(({ from, payload }) => from === 'bob' && payload?.result?.capabilities?.tools !== undefined);
	assert.deepEqual((await client.tools('bob')).map(({ name }) => name), ['one']);
	assert.equal(textOf(await client.callTool('bob', 'one')), 'from beside');
	await main.chat('behind every answer of mine');
	await client.sees(({ payload }) => payload?.text === 'behind every answer of mine');
	const ofTools = client.seen.filter(({ from, payload }) => from === 'bob' && Array.isArray(payload?.result?.tools));
	assert.deepEqual(ofTools.map(({ payload }) => payload.result.tools.length), [1]);
});

test('one that begins anew does not take what it said itself before for another connection', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const before = await joined(t, bob, topic, { tools: [{ name: 'one', call: () => 'x' }] });
	await client.tools('bob');
	before.serve([{ name: 'two', call: () => 'y' }]);
	await client.sees(({ payload }) => payload?.method === 'notifications/tools/list_changed');
	before.close();
	await until(() => !client.participants.has('bob'), 'it has gone');
	await joined(t, bob, topic, { history: 50 });
	assert.deepEqual(await client.request('bob', 'tools/list', {}, { timeoutMs: 30_000 }), { tools: [] });
});

test('a restricted one without tools answers nothing, since every answer would be a violation', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const low = await joined(t, await somebody(gateway, 'low', { kind: 'robot', privilege: 'restricted' }), topic);
	const asked = client.request('low', 'tools/list', {}, { timeoutMs: 30_000 });
	asked.catch(() => {});
	await low.sees(({ payload }) => payload?.method === 'tools/list');
	await low.chat('behind every answer of mine');
	assert.equal(low.seen.some(({ from, payload }) => from.startsWith('system:') && payload?.error !== undefined), false);
	low.close();
	assert.equal((await faultOf(asked)).code, 'left');
});

test('an error says why, where its data does', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const server = await joined(t, bob, topic);
	const errors = {
		'x/denied': { code: -32002, message: 'Authorization denied', data: { reason: 'not today', type: 'authorization_denied' } },
		'x/said': { code: -32000, message: 'No: not today', data: { reason: 'not today' } },
		'x/odd': { code: -32000, message: 'No', data: { reason: { words: 1 } } },
	};
	server.on('request', (envelope) => server.answer(envelope, { error: errors[envelope.payload.method] }).catch(() => {}));
	const wordsOf = async (method) => (await faultOf(client.request('bob', method))).message;
	assert.equal(await wordsOf('x/denied'), 'Authorization denied: not today');
	assert.equal(await wordsOf('x/said'), 'No: not today');
	assert.equal(await wordsOf('x/odd'), 'No');
	const low = await joined(t, await somebody(gateway, 'low', { privilege: 'restricted' }), topic);
	const refused = await faultOf(low.request('bob', 'tools/list'));
	assert.deepEqual([refused.status, refused.gate], [403, 'privilege']);
	assert.match(refused.message, /^Privilege violation: Restricted participants/);
});

test('an answer counts from who was asked alone', async (t) => {
	const topic = freshTopic();
	const client = await joined(t, ann, topic);
	const eve = await joined(t, await somebody(gateway, 'eve'), topic);
	const server = await joined(t, bob, topic);
	server.on('request', () => {}); // it answers by itself, below
	const call = client.request('bob', 'x/secret');
	const request = await eve.sees(({ payload }) => payload?.method === 'x/secret');
	await eve.answer(request, { result: 'forged' });
	await server.answer(request, { result: 'sound' });
	assert.equal(await call, 'sound');
});

test('the tools of a hosted server: called, with progress, cancelled, asking back', async (t) => {
	const room = await joined(t, ann, 'hosted', { onInput: ({ params }) => ({ action: 'accept', content: { said: `to ${params.message}` } }) });
	await until(() => room.participants.has('sdk'), 'the server sits in the room');
	assert.ok((await room.tools('sdk')).some(({ name }) => name === 'echo'));
	assert.equal(textOf(await room.callTool('sdk', 'echo', { words: 'hello' })), 'hello');
	const heard = [];
	const steps = room.callTool('sdk', 'steps', { count: 2, name: 'steps' }, { onProgress: ({ progress, total }) => heard.push(progress / total) });
	await until(() => heard.length === 2, 'progress is heard');
	await room.callTool('sdk', 'release', { name: 'steps' });
	assert.equal(textOf(await steps), 'all steps');
	assert.deepEqual(heard, [0.5, 1]);
	assert.equal(textOf(await room.callTool('sdk', 'ask', { question: 'why' })), 'why accept to why');
	const control = new AbortController();
	const held = room.callTool('sdk', 'hold', { name: 'it' }, { signal: control.signal });
	held.catch(() => {});
	await until(async () => textOf(await room.callTool('sdk', 'held')).includes('it'), 'the call is held');
	control.abort();
	await assert.rejects(held, { name: 'AbortError' });
	await until(async () => textOf(await room.callTool('sdk', 'cancelled')).includes('it'), 'the server hears of it');
});

test('an answer that is streamed comes in parts, then whole', async (t) => {
	const words = ['Quantum', ' computing', ' is'];
	const streamer = new Outsider('streamer', { extensions: ALL, tools: [
		{ name: 'think', annotations: { readOnlyHint: true }, does: [{ script: words.map((chunk) => ({ chunk })) }] }] }, {}, { rooms: ['streams'] });
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [streamer] });
	await own.allConnected();
	const room = await joined(t, await somebody(own.gateway, 'ann'), 'streams');
	await until(() => room.participants.has('streamer'), 'the server sits in the room');
	const chunks = [];
	const result = await room.callTool('streamer', 'think', {}, { onChunk: (chunk) => chunks.push(chunk) });
	assert.deepEqual(chunks.map(({ index, content }) => [index, content.text]), words.map((text, index) => [index, text]));
	assert.equal(result._mgp.streamed, true);
});
