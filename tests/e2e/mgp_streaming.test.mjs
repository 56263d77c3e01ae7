// SPDX-License-Identifier: Apache-2.0
// MGP 12: partial results before the final one, progress, and cancelling. Every example of the section is sent as it stands
// there, in both eras.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshFolder } from './lib/gateway.mjs';
import { ALL } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { until } from './lib/wait.mjs';

const CHUNK = 'notifications/mgp.stream.chunk';
const PROGRESS = 'notifications/mgp.stream.progress';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'streaming'];
const WHOLE = 'Quantum computing is a paradigm that uses...';
/** The answer of MGP 12.5. */
const FINAL = { content: [{ type: 'text', text: WHOLE }], _mgp: { streamed: true, chunks_sent: 15, duration_ms: 3200 } };
/** The call of MGP 12.3. */
const THINK = { name: 'think', arguments: { agent_id: 'agent.cloto_default', message: 'Explain quantum computing' }, _mgp: { stream: true } };
const BATCH = { progress: 0.65, message: 'Processing batch 13/20', estimated_remaining_ms: 4500 };

const tools = [
	{ name: 'think', annotations: readOnly, does: [{ script: [{ chunk: 'Quantum computing is' }, { chunk: ' a paradigm that uses' }, { answer: FINAL }] }] },
	{ name: 'batch', annotations: readOnly, does: [{ script: [{ progress: BATCH }, { answer: { content: [] } }] }] },
	{ name: 'told', annotations: readOnly, does: 'told' },
	{ name: 'lasts', annotations: readOnly, does: [{ script: [{ chunk: 'Quantum computing is' }, { chunk: ' a paradigm that uses...' }, { hold: 'lasts' }] }] },
];
const mind = new Outsider('mind', { extensions, tools });
const fresh = new Outsider('fresh', { extensions, tools, eras: ['modern'] });
const plain = new Outsider('plain', { plain: true, tools });
const mute = new Outsider('mute', { extensions: ['security'], tools });
const remoteServer = await MgpHttpServer.start({ id: 'remote', folder: freshFolder(), extensions, tools });
after(() => remoteServer.stop());
const remote = new Outsider('remote', {}, {}, { url: remoteServer.url });

const house = await MgpHouse.forFile({ servers: [mind, fresh, plain, mute, remote] });
await house.allConnected();

const told = (client, script, options = {}) => client.begin('tools/call', { name: 'told', arguments: { script }, ...options.params }, options);
const asked = { params: { _mgp: { stream: true } } };
const chunksOf = (begun) => begun.messages.filter(({ method }) => method === CHUNK).map(({ params }) => params);
const textOf = ({ result }) => result.content.map((one) => one.text).join('');
/** A result without what the modern era adds to every one. */
function bare({ resultType, _meta, ...result }) {
	return result;
}
const servers = ['mind', 'fresh', 'remote'];

for (const era of ['legacy', 'modern']) {
	test(`12.2 streaming is an extension like the others (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era, mgp: { version: '0.1.0', extensions: ['streaming'] } });
		assert.deepEqual(client.mgp.extensions, ['streaming']);
	});

	for (const server of servers) {
		test(`12.3 12.4 12.5 the stream of the text: the call, its chunks in order, then the whole answer (${era} client, ${server})`, async () => {
			const client = await house.client('ann', server, { era });
			const begun = client.begin('tools/call', THINK, { id: 20, trace: null });
			const { jsonrpc, id, result } = await begun.answer;
			assert.deepEqual([jsonrpc, id], ['2.0', 20]);
			assert.deepEqual(bare(result), FINAL);
			assert.deepEqual(begun.messages.slice(0, 2).map(({ _meta, ...one }) => one), [
				{ jsonrpc: '2.0', method: CHUNK, params: { request_id: 20, index: 0, content: { type: 'text', text: 'Quantum computing is' }, done: false } },
				{ jsonrpc: '2.0', method: CHUNK, params: { request_id: 20, index: 1, content: { type: 'text', text: ' a paradigm that uses' }, done: false } },
			]);
			assert.equal(begun.messages.length, 3, 'chunks come before the answer, and nothing else does');
		});
	}

	test(`12.3 a server that streams is told that a stream is wanted, with the arguments as they are (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const before = mind.calls('think').length;
		await client.request('tools/call', THINK);
		const [{ message }] = mind.calls('think').slice(before);
		assert.equal(message.params._mgp.stream, true);
		assert.deepEqual(message.params.arguments, THINK.arguments);
	});

	test(`12.3 a plain server ignores it and answers (${era})`, async () => {
		for (const server of ['plain', 'mute']) {
			const begun = (await house.client('ann', server, { era })).begin('tools/call', THINK);
			assert.equal(textOf(await begun.answer), WHOLE);
			assert.deepEqual(chunksOf(begun), []);
		}
	});

	test(`12.3 who asks for no stream gets none, or says it does not want one (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		for (const _mgp of [undefined, {}, { stream: false }]) {
			const begun = client.begin('tools/call', { ...THINK, _mgp });
			assert.equal(textOf(await begun.answer), WHOLE);
			assert.deepEqual(chunksOf(begun), []);
		}
	});

	test(`12.5 plain clients, and those without streaming, get the full result and nothing of MGP (${era})`, async () => {
		const unasked = [{ chunk: 'a', unasked: true }, { chunk: 'b', unasked: true }, { progress: BATCH }, { answer: { ...FINAL, content: [{ type: 'text', text: 'ab' }] } }];
		for (const server of servers) {
			const client = await house.plain('ann', server, { era });
			for (const begun of [client.begin('tools/call', THINK), told(client, unasked), told(client, unasked, asked)]) {
				assert.ok([WHOLE, 'ab'].includes(textOf(await begun.answer)));
				isPlain(begun.messages);
			}
		}
		const other = await house.client('ann', 'mind', { era, mgp: { version: '0.2.0', extensions: ['security'] } });
		const begun = other.begin('tools/call', THINK);
		assert.equal(textOf(await begun.answer), WHOLE);
		assert.deepEqual(chunksOf(begun), []);
	});

	test(`12.4 request ids are the asker's own, of its type, in streams side by side (${era})`, async () => {
		const [ann, bob] = [await house.client('ann', 'mind', { era }), await house.client('bob', 'mind', { era })];
		const streams = [[ann, 7], [ann, '7'], [ann, 'a "b" \u00e4'], [bob, 7], [bob, 'x'.repeat(100)]].map(([client, id], number) => [id, number,
			told(client, [{ hold: `side-${era}` }, ...[...Array(20).keys()].map((one) => ({ chunk: `${number}:${one} ` }))], { ...asked, id })]);
		await until(() => mind.calls('told').filter(({ message }) => message.params.arguments.script[0].hold === `side-${era}`).length === 5, 'all five are there');
		mind.release(`side-${era}`);
		for (const [id, number, begun] of streams) {
			const text = textOf(await begun.answer);
			const chunks = chunksOf(begun);
			assert.deepEqual(chunks.map(({ index }) => index), [...Array(20).keys()]);
			assert.ok(chunks.every(({ request_id }) => request_id === id), JSON.stringify(id));
			assert.equal(chunks.map(({ content }) => content.text).join(''), text);
			assert.ok(text.startsWith(`${number}:0 `));
			assert.equal(begun.messages.at(-1).id, id);
		}
	});

	test(`12.4 content that is no text, done, and gaps of the server's own come as they are (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' };
		const begun = told(client, [{ chunk: image }, { chunk: 'b', index: 4 }, { chunk: 'c', index: 5, done: true }], asked);
		assert.equal(textOf(await begun.answer), 'bc');
		assert.deepEqual(chunksOf(begun).map(({ index, content, done }) => [index, content, done]),
			[[0, image, false], [4, { type: 'text', text: 'b' }, false], [5, { type: 'text', text: 'c' }, true]]);
	});

	test(`12.4 chunks and progress of no call, of another's or of no form go to nobody, and the call goes on (${era})`, async () => {
		const [ann, bob] = [await house.client('ann', 'mind', { era }), await house.client('bob', 'mute', { era })];
		const other = told(bob, [{ hold: `foreign-${era}` }], asked);
		await until(() => mute.calls('told').some(({ message }) => message.params.arguments.script[0].hold === `foreign-${era}`), 'the other call');
		const { id: foreign } = mute.calls('told').at(-1).message;
		const content = { type: 'text', text: 'nobody' };
		const odd = [{}, { request_id: 999_999 }, { request_id: `${foreign}` }, { request_id: null }, { request_id: ['[id]'] }, { request_id: {} },
			{ request_id: foreign }, { request_id: '[id]', index: 'one' }, { request_id: '[id]', index: -1 }, { request_id: '[id]', index: 0.5 },
			{ request_id: '[id]', content: undefined }, { request_id: '[id]', content: 'text' }, { request_id: '[id]', content: [content] }];
		const say = [...odd.map((params) => ({ method: CHUNK, params: { index: 0, content, done: false, ...params } })),
			...[{}, { request_id: foreign }, { request_id: '[id]' }, { request_id: '[id]', progress: 'half' }, { request_id: '[id]', progress: {} }]
				.map((params) => ({ method: PROGRESS, params })),
			{ method: CHUNK }, { method: CHUNK, params: [] }, { method: CHUNK, params: 'text' }, { method: PROGRESS, params: null }];
		const begun = told(ann, [{ say }, { chunk: 'good' }], asked);
		assert.equal(textOf(await begun.answer), 'good');
		assert.ok(chunksOf(begun).some(({ content: { text } }) => text === 'good'));
		assert.ok(chunksOf(begun).every(({ request_id, index, content: one }) => request_id === begun.id && Number.isInteger(index) && index >= 0
			&& typeof one === 'object' && !Array.isArray(one)), JSON.stringify(chunksOf(begun)));
		mute.release(`foreign-${era}`);
		await other.answer;
		assert.deepEqual(chunksOf(other), []);
		assert.ok(await ann.text('told', { script: [{ answer: { content: [{ type: 'text', text: 'still there' }] } }] }));
	});

	test(`12.6 the progress of the text comes as it is (${era})`, async () => {
		for (const server of servers) {
			const client = await house.client('ann', server, { era });
			const begun = client.begin('tools/call', { name: 'batch', arguments: {} }, { id: 21, trace: null });
			await begun.answer;
			const [{ _meta, ...first }] = begun.messages;
			assert.deepEqual(first, { jsonrpc: '2.0', method: PROGRESS, params: { request_id: 21, ...BATCH } });
		}
	});

	test(`12.6 to a plain client it is MCP's, if it has a token, with total 1 (${era})`, async () => {
		for (const server of servers) {
			const client = await house.plain('ann', server, { era });
			for (const token of [undefined, 'tok-1', 17]) {
				const begun = client.begin('tools/call', { name: 'batch', arguments: {}, ...(token === undefined ? {} : { _meta: { progressToken: token } }) });
				await begun.answer;
				const said = begun.messages.filter(({ method }) => method !== undefined);
				assert.deepEqual(said.map(({ method, params: { _meta, ...params } }) => [method, params]), token === undefined ? []
					: [['notifications/progress', { progressToken: token, progress: 0.65, total: 1, message: BATCH.message }]]);
				isPlain(begun.messages);
			}
		}
	});

	test(`12.6 MCP's progress of a plain server is MGP's to an MGP client, a part of 1 (${era})`, async () => {
		const begun = told(await house.client('ann', 'plain', { era }), [{ mcpProgress: { progress: 13, total: 20, message: 'Processing batch 13/20' } }]);
		await begun.answer;
		const [{ method, params }] = begun.messages;
		assert.equal(method, PROGRESS);
		assert.deepEqual([params.request_id, params.progress, params.message], [begun.id, 0.65, 'Processing batch 13/20']);
		assert.ok(params.estimated_remaining_ms === undefined || params.estimated_remaining_ms >= 0);
	});

	test(`12.6 MCP's progress without a total becomes a message alone (${era})`, async () => {
		const begun = told(await house.client('ann', 'plain', { era }), [{ mcpProgress: { progress: 13, message: 'batch 13' } }]);
		await begun.answer;
		const [{ method, params }] = begun.messages;
		assert.equal(method, PROGRESS);
		assert.deepEqual([params.request_id, params.message, 'progress' in params], [begun.id, 'batch 13', false]);
	});

	test(`12.6 between plain client and plain server progress stays as it is (${era})`, async () => {
		const begun = told(await house.plain('ann', 'plain', { era }), [{ mcpProgress: { progress: 13, total: 20, message: 'm' } },
			{ mcpProgress: { progress: 14.5 } }], { params: { _meta: { progressToken: 'p' } } });
		await begun.answer;
		assert.deepEqual(begun.messages.filter(({ method }) => method === 'notifications/progress').map(({ params: { _meta, ...params } }) => params),
			[{ progressToken: 'p', progress: 13, total: 20, message: 'm' }, { progressToken: 'p', progress: 14.5 }]);
	});

	test(`12.2 a client without streaming hears no progress of MGP (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era, mgp: { version: '0.2.0', extensions: ALL.filter((one) => one !== 'streaming') } });
		const begun = client.begin('tools/call', { name: 'batch', arguments: {} });
		await begun.answer;
		assert.deepEqual(begun.messages.filter(({ method }) => method === PROGRESS), []);
	});
}

test('12.4 a call that is repeated after it has streamed never counts its chunks anew', async (t) => {
	const error = { code: 3000, message: 'Rate limited', data: { _mgp: { category: 'resource', retryable: true, retry_after_ms: 50, retry_strategy: 'fixed_delay', max_retries: 2 } } };
	const shaky = new Outsider('shaky', { extensions, tools: [
		{ name: 'late', annotations: readOnly, does: [{ script: [{ chunk: 'one ' }, { chunk: 'two ' }, { error }] }, { script: [{ chunk: 'one ' }, { chunk: 'two ' }, { chunk: 'three' }] }] },
		{ name: 'early', annotations: readOnly, does: [{ script: [{ error }] }, { script: [{ chunk: 'one ' }, { chunk: 'two' }] }] }] });
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [shaky] });
	await own.allConnected();
	const client = await own.client('ann', 'shaky');
	for (const [name, whole] of [['late', 'one two three'], ['early', 'one two']]) {
		const begun = client.begin('tools/call', { name, arguments: {}, _mgp: { stream: true } });
		const { result, error: failed } = await begun.answer;
		const indexes = chunksOf(begun).map(({ index }) => index);
		assert.ok(indexes.every((index, number) => number === 0 || index > indexes[number - 1]), `${name}: ${indexes}`);
		assert.ok(failed !== undefined || textOf({ result }) === whole, name);
		if (name === 'early')
			assert.deepEqual([indexes, failed], [[0, 1], undefined], 'what has said nothing yet is repeated');
	}
});

test('12.4 a request id comes back octet for octet, however it is written', async () => {
	const client = await house.client('ann', 'mind');
	for (const id of ['12345678901234567890123', '-7', '"\\u0061\\/b"', '0', '""', '"20"']) {
		const response = await fetch(client.url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream',
			...client.headers, ...client.authorization() }, body: `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${JSON.stringify(THINK)}}` });
		const text = await response.text();
		assert.equal(text.split(`"request_id":${id}`).length - 1, 2, `${id}: ${text}`);
		assert.equal(text.split(`"id":${id}`).length - 1, 1, id);
	}
});

test('12.4 a chunk for a call that is over goes to nobody', async () => {
	const [client, other] = [await house.client('ann', 'mind'), await house.client('ann', 'mind')];
	const first = told(client, [{ chunk: 'a' }], asked);
	await first.answer;
	const { id } = mind.calls('told').at(-1).message;
	const begun = told(other, [{ say: [{ method: CHUNK, params: { request_id: id, index: 1, content: { type: 'text', text: 'late' }, done: false } }] }, { chunk: 'b' }], asked);
	await begun.answer;
	await first.whole;
	assert.doesNotMatch(JSON.stringify([...first.messages, ...begun.messages]), /late/);
});

test('12.4 odd texts and many chunks: what comes is whole, and the answer always is', async () => {
	const client = await house.client('ann', 'mind');
	const texts = ['', ' ', '\n', '"\\', '\u2028\u0000', '\u{1F4C4}', 'e\u0301', '\u202e', '</script>', 'data: x\n\nid: 7\n\n', 'x'.repeat(200_000)];
	const begun = told(client, texts.map((chunk) => ({ chunk })), asked);
	assert.equal(textOf(await begun.answer), texts.join(''));
	for (const { index, content } of chunksOf(begun))
		assert.equal(content.text, texts[index]);
	assert.ok(chunksOf(begun).length >= texts.length - 1, 'all but the long one at least');
	const many = told(client, [{ chunks: 5000, octets: 20 }], asked);
	assert.equal(textOf(await many.answer).length, 100_000);
	assert.deepEqual(chunksOf(many).map(({ index }) => index), [...Array(5000).keys()]);
});

test('12.3 a wish of the wrong form is no wish for a stream, or is refused; the call is answered', async () => {
	const client = await house.client('ann', 'mind');
	for (const _mgp of [null, 7, 'stream', [], [true], { stream: 'yes' }, { stream: 1 }, { stream: {} }, { stream: null }]) {
		const begun = client.begin('tools/call', { ...THINK, _mgp });
		const { result, error } = await begun.answer;
		assert.ok(error?.code === -32602 || result?.content[0].text === WHOLE, JSON.stringify(_mgp));
		assert.deepEqual(chunksOf(begun), [], JSON.stringify(_mgp));
	}
});

test('12.5 a _mgp of the wrong form in the final answer harms nobody', async () => {
	const [client, plainly] = [await house.client('ann', 'mind'), await house.plain('ann', 'mind')];
	for (const _mgp of [7, 'x', [], null, { streamed: 'yes', chunks_sent: 'many', duration_ms: -1 }, { cancelled: true }]) {
		const script = [{ chunk: 'a', unasked: true }, { answer: { content: [{ type: 'text', text: 'a' }], _mgp } }];
		assert.equal(textOf(await told(client, script, asked).answer), 'a', JSON.stringify(_mgp));
		const begun = told(plainly, script);
		assert.equal(textOf(await begun.answer), 'a');
		isPlain(begun.messages);
	}
});

test('12.5 what a server leaves out of its _mgp is filled in, when there were chunks', async () => {
	const client = await house.client('ann', 'mind');
	const begun = told(client, [{ chunk: 'a' }, { chunk: 'b' }, { chunk: 'c' }, { answer: { content: [{ type: 'text', text: 'abc' }] } }], asked);
	const { result } = await begun.answer;
	assert.equal(result._mgp.streamed, true);
	assert.equal(result._mgp.chunks_sent, 3);
	assert.ok(Number.isInteger(result._mgp.duration_ms) && result._mgp.duration_ms >= 0);
});

test('12.4 one slow reader among many: the others get everything, and its own final answer is whole', async (t) => {
	const own = new Outsider('pours', { extensions, tools });
	const busy = await MgpHouse.forTest(t, { kernel: FREE, servers: [own] });
	await busy.allConnected();
	const client = await busy.client('ann', 'pours');
	const params = (chunks) => ({ name: 'told', arguments: { script: [{ chunks, octets: 1000 }] }, _mgp: { stream: true } });
	const stalled = await fetch(busy.url('pours'), { method: 'POST', headers: { 'content-type': 'application/json',
		accept: 'application/json, text/event-stream', ...client.headers, ...client.authorization() },
	body: JSON.stringify({ jsonrpc: '2.0', id: 'stalled', method: 'tools/call', params: params(8_000) }) });
	const others = [...Array(24).keys()].map((id) => client.begin('tools/call', params(200), { id }));
	for (const begun of others) {
		const text = textOf(await begun.answer);
		assert.equal(text.length, 200_000);
		assert.deepEqual(chunksOf(begun).map(({ index }) => index), [...Array(200).keys()], 'who reads misses nothing');
		assert.equal(chunksOf(begun).map(({ content }) => content.text).join(''), text);
	}
	const heard = [];
	await client.collect(stalled, heard);
	const answer = heard.at(-1);
	assert.equal(answer.id, 'stalled');
	assert.equal(textOf(answer).length, 8_000_000);
	const indexes = heard.filter(({ method }) => method === CHUNK).map(({ params: { index } }) => index);
	assert.ok(indexes.every((index, number) => number === 0 || index > indexes[number - 1]), 'in order, gaps at most');
	for (const { params: { index, content } } of heard.slice(0, -1))
		assert.ok(content.text.startsWith(`${index} `), 'a gap is seen in the index');
	assert.equal(heard.filter(({ id }) => id === 'stalled').length, 1);
});
