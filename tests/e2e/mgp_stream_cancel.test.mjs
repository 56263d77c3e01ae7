// SPDX-License-Identifier: Apache-2.0
// MGP 12.7: a running call is cancelled, hands out what it had, and is answered once, whatever happens meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const CHUNK = 'notifications/mgp.stream.chunk';
const CANCEL = 'mgp/stream/cancel';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'streaming'];
const PARTIAL = 'Quantum computing is a paradigm that uses...';
const THINK = { name: 'think', arguments: { agent_id: 'agent.cloto_default', message: 'Explain quantum computing' }, _mgp: { stream: true } };
const lasting = [{ chunk: 'Quantum computing is' }, { chunk: ' a paradigm that uses...' }, { hold: 'think' }];
const tools = [{ name: 'think', annotations: readOnly, does: [{ script: lasting }] }, { name: 'told', annotations: readOnly, does: 'told' },
	{ name: 'quick', annotations: readOnly }];
const QUICK = { backoff_base_ms: 50, backoff_max_ms: 200, max_restarts: 50 };

const mind = new Outsider('mind', { extensions, tools });
const fresh = new Outsider('fresh', { extensions, tools, eras: ['modern'] });
const plain = new Outsider('plain', { plain: true, tools });
const mute = new Outsider('mute', { extensions: ['security'], tools });
const silent = new Outsider('silent', { extensions, tools, cancel: 'silent' });
const dying = new Outsider('dying', { extensions, tools, cancel: 'dies' }, QUICK);
const late = new Outsider('late', { extensions, tools, cancel: 'finishes' });
const house = await MgpHouse.forFile({ servers: [mind, fresh, plain, mute, silent, dying, late] });
await house.allConnected();

const textOf = (content) => content.map((one) => one.text).join('');
const answersOf = (begun) => begun.messages.filter(({ method, id }) => method === undefined && id === begun.id);
const hearsLast = (begun) => begun.hears(CHUNK, ({ index }) => index === 1);

/** A call that lasts; its server has it, and what it streams has come. */
async function running(client, server, { id, params = {}, streams = true } = {}) {
	const before = server.calls('think').length;
	const begun = client.begin('tools/call', { ...THINK, ...params }, id === undefined ? {} : { id });
	begun.received = (await until(() => server.calls('think')[before], 'the call is there')).message;
	if (streams)
		await hearsLast(begun);
	return begun;
}

/** The call was answered once, as cancelled. */
async function isCancelled(begun, text = PARTIAL) {
	const { result } = await begun.answer;
	assert.equal(result._mgp.cancelled, true, JSON.stringify(result));
	assert.equal(textOf(result.content), text);
	await begun.whole;
	assert.equal(answersOf(begun).length, 1);
}

for (const era of ['legacy', 'modern']) {
	for (const server of [mind, fresh]) {
		test(`12.7 the cancel of the text ends the call, and both hand out what had come (${era} client, ${server.id})`, async () => {
			const client = await house.client('ann', server.id, { era });
			const begun = await running(client, server, { id: 20 });
			const { jsonrpc, id, result } = await client.request(CANCEL, { request_id: 20, reason: 'user_cancelled' }, { id: 22, trace: null });
			assert.deepEqual([jsonrpc, id], ['2.0', 22]);
			const { cancelled, partial_result } = result;
			assert.deepEqual({ cancelled, partial_result }, { cancelled: true, partial_result: { content: [{ type: 'text', text: PARTIAL }] } });
			await isCancelled(begun);
			const told = await server.hears(CANCEL, ({ request_id }) => request_id === begun.received.id);
			assert.equal(told.params.reason, 'user_cancelled');
		});
	}

	test(`12.7 a plain server hears notifications/cancelled, and there is nothing partial (${era})`, async () => {
		for (const server of [plain, mute]) {
			const client = await house.client('ann', server.id, { era });
			const begun = await running(client, server, { streams: false });
			const { cancelled, partial_result } = await client.ask(CANCEL, { request_id: begun.id });
			assert.deepEqual({ cancelled, partial_result }, { cancelled: true, partial_result: { content: [] } });
			await isCancelled(begun, '');
			await server.hears('notifications/cancelled', ({ requestId }) => requestId === begun.received.id);
			assert.deepEqual(server.of(CANCEL), []);
		}
	});

	test(`12.7 a call that streams nothing is cancelled too: the reason may be left out (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = await running(client, mind, { params: { _mgp: undefined }, streams: false });
		const { cancelled } = await client.ask(CANCEL, { request_id: begun.id });
		assert.equal(cancelled, true);
		assert.equal((await begun.answer).result._mgp.cancelled, true);
	});

	test(`12.7 an unknown request, a finished one and another principal's are not cancelled (${era})`, async () => {
		const [ann, bob] = [await house.client('ann', 'mind', { era }), await house.client('bob', 'mind', { era })];
		const begun = await running(ann, mind, { id: `own-${era}` });
		const done = ann.begin('tools/call', { name: 'quick', arguments: {} });
		await done.answer;
		for (const request_id of [4711, 'nothing', done.id])
			assert.equal((await ann.ask(CANCEL, { request_id })).cancelled, false, `${request_id}`);
		const unknown = await bob.ask(CANCEL, { request_id: `nothing-${era}` });
		assert.deepEqual(await bob.ask(CANCEL, { request_id: `own-${era}` }), unknown, "another's is like none");
		const plainly = await house.client('bob', '/mcp', { era });
		assert.equal((await plainly.ask(CANCEL, { request_id: `own-${era}` })).cancelled, false);
		assert.deepEqual(answersOf(begun), []);
		assert.equal((await ann.ask(CANCEL, { request_id: `own-${era}` })).cancelled, true);
		await isCancelled(begun);
		assert.equal((await ann.ask(CANCEL, { request_id: `own-${era}` })).cancelled, false, 'a second time');
	});

	test(`12.7 a call and its cancel at /mcp (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era });
		const begun = await running(client, mind, { params: { name: 'mind__think' } });
		assert.equal((await client.ask(CANCEL, { request_id: begun.id })).cancelled, true);
		await isCancelled(begun);
	});

	test(`12.7 two cancels at once: each is answered, the call once (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = await running(client, mind);
		const answers = await Promise.all([1, 2, 3].map(() => client.ask(CANCEL, { request_id: begun.id })));
		assert.ok(answers.every(({ cancelled }) => typeof cancelled === 'boolean'));
		assert.ok(answers.some(({ cancelled }) => cancelled));
		await isCancelled(begun);
	});

	test(`12.7 a server that does not answer to a cancel keeps no request open (${era})`, async () => {
		const client = await house.client('ann', 'silent', { era });
		const begun = await running(client, silent);
		const { cancelled, partial_result } = await client.ask(CANCEL, { request_id: begun.id });
		assert.equal(cancelled, true);
		assert.equal(textOf(partial_result.content), PARTIAL);
		await isCancelled(begun);
	});

	test(`12.7 a server that dies of a cancel keeps no request open (${era})`, async () => {
		await house.is('dying', 'connected');
		const client = await house.client('ann', 'dying', { era });
		const begun = await running(client, dying);
		const { cancelled } = await client.ask(CANCEL, { request_id: begun.id });
		assert.equal(typeof cancelled, 'boolean');
		const { result, error } = await begun.answer;
		assert.ok(error !== undefined || result._mgp.cancelled === cancelled);
		await begun.whole;
		assert.equal(answersOf(begun).length, 1);
	});

	test(`12.7 an answer that overtakes its cancel: one answer, and both say the same (${era})`, async () => {
		for (let round = 0; round < 12; round += 1) {
			const server = round % 2 === 0 ? mind : late;
			const client = await house.client('ann', server.id, { era });
			const name = `race-${era}-${round}`;
			const begun = client.begin('tools/call', { name: 'told', arguments: { script: [{ chunk: 'a' }, { hold: name }, { chunk: 'b' }] }, _mgp: { stream: true } });
			await begun.hears(CHUNK);
			const cancel = client.ask(CANCEL, { request_id: begun.id });
			server.release(name);
			const { cancelled } = await cancel;
			const { result } = await begun.answer;
			assert.equal(result._mgp.cancelled === true, cancelled, JSON.stringify(result));
			if (!cancelled)
				assert.equal(textOf(result.content), 'ab');
			await begun.whole;
			assert.equal(answersOf(begun).length, 1);
			assert.ok(begun.messages.at(-1) === answersOf(begun)[0], 'nothing follows the answer');
		}
	});

	test(`12.7 a call that waits for a person is cancelled as well, and asks no longer (${era})`, async (t) => {
		const careful = new Outsider('careful', { extensions, tools: [{ name: 'wipe', annotations: { destructiveHint: true } }] });
		const own = await MgpHouse.forTest(t, { kernel: { ...FREE, approval: 'interactive' }, servers: [careful] });
		await own.allConnected();
		const client = await own.client('ann', 'careful', { era });
		const begun = client.begin('tools/call', { name: 'wipe', arguments: {}, _mgp: { stream: true } });
		await own.pending(({ tool }) => tool === 'wipe');
		const { cancelled, partial_result } = await client.ask(CANCEL, { request_id: begun.id });
		assert.deepEqual({ cancelled, partial_result }, { cancelled: true, partial_result: { content: [] } });
		await isCancelled(begun, '');
		await until(async () => (await own.decisions()).length === 0, 'nobody is asked any more');
		assert.deepEqual(careful.calls('wipe'), []);
	});

	test(`12.7 who has not agreed on streaming has no such method (${era})`, async () => {
		for (const mgp of [null, { version: '0.2.0', extensions: ALL.filter((one) => one !== 'streaming') }]) {
			const client = await house.client('ann', 'mind', { era, mgp });
			assert.equal((await client.refusal(CANCEL, { request_id: 1 })).code, -32601);
		}
	});

	test(`12.7 a cancel of the wrong form is refused, and names what is wrong (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = await running(client, mind);
		for (const request_id of [undefined, null, {}, [begun.id], true]) {
			const error = await client.refusal(CANCEL, { request_id, reason: 'x' });
			assert.equal(error.code, -32602, JSON.stringify(request_id));
			assert.match(error.message, /request_id/);
		}
		for (const reason of [7, {}, ['a']]) {
			const error = await client.refusal(CANCEL, { request_id: begun.id, reason });
			assert.equal(error.code, -32602, JSON.stringify(reason));
			assert.match(error.message, /reason/);
		}
		const huge = await client.request(CANCEL, { request_id: 'x'.repeat(500_000) });
		assert.ok(huge.error !== undefined || huge.result.cancelled === false);
		assert.deepEqual(answersOf(begun), []);
		assert.equal((await client.ask(CANCEL, { request_id: begun.id, reason: 'x'.repeat(100) })).cancelled, true);
		await isCancelled(begun);
	});
}

test("12.7 a session's ids are its own: the same number in another session of the same principal goes on", async () => {
	const [one, two] = [await house.client('ann', 'mind'), await house.client('ann', 'mind')];
	const begun = await running(one, mind, { id: 20 });
	const other = await running(two, mind, { id: 20 });
	assert.equal((await two.ask(CANCEL, { request_id: 20 })).cancelled, true);
	await isCancelled(other);
	assert.deepEqual(answersOf(begun), []);
	assert.equal((await one.ask(CANCEL, { request_id: 20 })).cancelled, true);
	await isCancelled(begun);
});

test('12.7 calls that wait for a place in their server are cancelled like those that run', async (t) => {
	const narrow = new Outsider('narrow', { extensions, tools }, {}, { share: 'principal' });
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [narrow] });
	await own.allConnected();
	const clients = await Promise.all([...Array(10).keys()].map((number) => own.client(`p${number}`, 'narrow')));
	const calls = clients.map((client) => client.begin('tools/call', THINK, { id: 20 }));
	await until(() => narrow.calls('think').length > 0, 'one of them runs');
	const waiting = 10 - narrow.calls('think').length;
	const answers = await Promise.all(clients.map((client) => client.ask(CANCEL, { request_id: 20 })));
	assert.deepEqual(answers.map(({ cancelled }) => cancelled), Array(10).fill(true), `${waiting} were waiting`);
	for (const [number, begun] of calls.entries()) {
		const { result } = await begun.answer;
		assert.equal(result._mgp.cancelled, true);
		assert.deepEqual(result.content, answers[number].partial_result.content);
		await begun.whole;
		assert.equal(answersOf(begun).length, 1);
	}
	assert.ok(await clients[0].text('quick'), 'the places are free again');
});

test('12.7 at /mcp the cancel is a tool as well, in either writing of its name', async () => {
	const client = await house.client('ann', '/mcp');
	assert.ok((await client.tools()).has('mgp_stream_cancel'));
	for (const name of ['mgp_stream_cancel', 'mgp.stream.cancel']) {
		const begun = await running(client, mind, { params: { name: 'mind__think' } });
		const { result } = await client.call(name, { request_id: begun.id, reason: 'user_cancelled' });
		const said = JSON.parse(result.content[0].text);
		assert.deepEqual([said.cancelled, said.partial_result], [true, { content: [{ type: 'text', text: PARTIAL }] }]);
		await isCancelled(begun);
	}
});

test('12.7 a number and the same as a text are two requests', async () => {
	const client = await house.client('ann', 'mind');
	const begun = await running(client, mind, { id: 31 });
	assert.equal((await client.ask(CANCEL, { request_id: '31' })).cancelled, false);
	assert.equal((await client.ask(CANCEL, { request_id: 31 })).cancelled, true);
	await isCancelled(begun);
});

test('12.7 notifications/cancelled of a plain client gets no result, and its server stops', async () => {
	for (const server of [mind, plain]) {
		const client = await house.plain('ann', server.id);
		const before = server.calls('think').length;
		const begun = client.begin('tools/call', { ...THINK, _mgp: undefined });
		const { message } = await until(() => server.calls('think')[before], 'the call is there');
		await client.notify('notifications/cancelled', { requestId: begun.id });
		await assert.rejects(begun.answer, /ended/);
		assert.deepEqual(begun.messages, []);
		await until(() => server.received.some(({ message: { method, params } }) => (method === 'notifications/cancelled'
			&& params.requestId === message.id) || (method === CANCEL && params.request_id === message.id)), 'the server is told');
		isPlain(await client.call('quick'));
	}
});

test('12.7 in the modern era closing the stream of a call is a cancel', async () => {
	for (const server of [mind, fresh, plain]) {
		const client = await house.client('ann', server.id, { era: 'modern' });
		const begun = await running(client, server, { streams: server !== plain });
		begun.abort();
		await until(() => server.received.some(({ message: { method, params } }) => (method === 'notifications/cancelled'
			&& params.requestId === begun.received.id) || (method === CANCEL && params.request_id === begun.received.id)), `${server.id} is told`);
	}
});

test('12.7 a legacy client that hangs up has not cancelled', async () => {
	const client = await house.client('ann', 'mind');
	const begun = client.begin('tools/call', { name: 'told', arguments: { script: [{ hold: 'hung' }, { event: { channel: 'x' } }] } });
	const { message } = await until(() => mind.calls('told').find((one) => one.message.params.arguments.script[0].hold === 'hung'), 'the call');
	begun.abort();
	assert.equal((await client.ask(CANCEL, { request_id: begun.id })).cancelled, true, 'it still ran');
	await mind.hears(CANCEL, ({ request_id }) => request_id === message.id);
});
