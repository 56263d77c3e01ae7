// SPDX-License-Identifier: Apache-2.0
// MGP 13.4: a server asks during a call; the client that called answers once, in time, in whatever it speaks; else a person does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL } from './lib/mgp_client.mjs';
import { MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const REQUEST = 'notifications/mgp.callback.request';
const RESPOND = 'mgp/callback/respond';
const FORM = 'elicitation/create';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'bidirectional', 'streaming'];
const ASKED = 'This operation will delete 15 files. Continue?';
/** The callback of MGP 13.4. */
const CONFIRM = { type: 'confirmation', message: ASKED, options: ['confirm', 'cancel'], timeout_ms: 60_000 };
const INPUT = { type: 'input', message: 'Which folder?', timeout_ms: 60_000 };
const SELECT = { type: 'selection', message: 'Which of them?', options: ['red', 'green', 'blue'], timeout_ms: 60_000 };
const NOTE = { type: 'notification', message: 'Half of it is done', timeout_ms: 60_000 };
const asks = (name, callback) => ({ name, annotations: readOnly, does: [{ script: [{ callback }] }] });
const tools = [{ ...asks('delete', { callback_id: 'cb-001', ...CONFIRM }) }, asks('input', INPUT), asks('select', SELECT),
	{ name: 'note', annotations: readOnly, does: [{ script: [{ callback: NOTE }, { answer: { content: [{ type: 'text', text: 'done' }] } }] }] },
	{ name: 'told', annotations: readOnly, does: 'told' }];
const elicitation = { elicitation: {} };
const QUICK = { backoff_base_ms: 50, backoff_max_ms: 200, max_restarts: 50 };

const mind = new Outsider('mind', { extensions, tools }, QUICK, { share: 'principal' });
const fresh = new Outsider('fresh', { extensions, tools, eras: ['modern'] });
const apart = new Outsider('apart', { extensions: ['security'], tools: [asks('delete', { ...CONFIRM, timeout_ms: 1000 }),
	{ name: 'note', annotations: readOnly, does: [{ script: [{ callback: NOTE }, { answer: { content: [] } }] }] }] });
const plain = new Outsider('plain', { plain: true, tools }, {}, { share: 'principal' });
const house = await MgpHouse.forFile({ servers: [mind, fresh, apart, plain] });
await house.allConnected();

/** What the server was answered, by its tool's result. */
async function heardBy(begun) {
	const { result, error } = await begun.answer;
	assert.ok(error === undefined && result.isError !== true, JSON.stringify(error ?? result));
	const answers = JSON.parse(result.content[0].text);
	return answers.map(({ callback_id, trace_id, _meta, ...rest }) => rest);
}
const call = (client, name, args = {}, options = {}) => client.begin('tools/call', { name, arguments: args }, options);
const told = (client, ...script) => call(client, 'told', { script });
/** The callback as the client hears it on the call's stream. */
const asked = async (begun, fits) => (await begun.hears(REQUEST, fits)).params;
const respond = (client, callback_id, response, options) => client.ask(RESPOND, { callback_id, response }, options);
async function refusedAs(client, type, callback_id, response) {
	const error = await client.refusal(RESPOND, { callback_id, response });
	assert.equal(error.code, 4000, JSON.stringify(error));
	assert.equal(typeof error.data.type, 'string');
	if (type !== undefined)
		assert.match(error.data.type, type);
	return error.data.type;
}

for (const era of ['legacy', 'modern']) {
	for (const server of [mind, fresh]) {
		test(`13.4 the callback of the text comes as it is, and the answer of the text reaches the server (${era} client, ${server.id})`, async () => {
			const client = await house.client('ann', server.id, { era });
			const begun = call(client, 'delete', {}, { id: 20 });
			const heard = await begun.hears(REQUEST);
			assert.deepEqual([heard.jsonrpc, heard.id], ['2.0', undefined]);
			const { callback_id, request_id, type, message, options, timeout_ms } = heard.params;
			assert.ok(typeof callback_id === 'string' && callback_id.length > 0);
			assert.deepEqual({ request_id, type, message, options, timeout_ms }, { request_id: 20, ...CONFIRM });
			const { id, result } = await client.request(RESPOND, { callback_id, response: 'confirm' }, { id: 32, trace: null });
			assert.deepEqual([id, result.accepted], [32, true]);
			assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }]);
			const { params } = await server.hears(RESPOND, (one) => one.callback_id === 'cb-001');
			assert.equal(params.response, 'confirm');
		});
	}

	test(`13.4 input and selection are answered too, each with what fits (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		for (const [name, type, response] of [['input', 'input', 'a "folder" / ü'], ['select', 'selection', 'green']]) {
			const begun = call(client, name);
			const params = await asked(begun);
			assert.equal(params.type, type);
			assert.equal((await respond(client, params.callback_id, response)).accepted, true);
			assert.deepEqual(await heardBy(begun), [{ response }]);
		}
	});

	test(`13.4 a notification wants no answer (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = call(client, 'note');
		assert.equal((await begun.answer).result.content[0].text, 'done');
		const [{ method, params }] = begun.messages;
		assert.deepEqual([method, params.type, params.message, params.request_id], [REQUEST, 'notification', NOTE.message, begun.id]);
	});

	test(`13.4 an answer counts once: the next is refused, and so is one that comes when the call is over (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const before = mind.of(RESPOND).length;
		const begun = told(client, { callback: CONFIRM }, { hold: `once-${era}` });
		const { callback_id } = await asked(begun);
		await respond(client, callback_id, 'cancel');
		await refusedAs(client, /answered/, callback_id, 'confirm');
		await refusedAs(client, /answered/, callback_id, 'cancel');
		mind.release(`once-${era}`);
		assert.deepEqual(await heardBy(begun), [{ response: 'cancel' }]);
		await refusedAs(client, undefined, callback_id, 'confirm');
		assert.equal(mind.of(RESPOND).length, before + 1);
	});

	test(`13.4 of answers that come at once one counts (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		for (let round = 0; round < 5; round += 1) {
			const begun = call(client, 'delete');
			const { callback_id } = await asked(begun);
			const answers = await Promise.all(['confirm', 'cancel', 'confirm', 'cancel'].map(
				(response) => client.request(RESPOND, { callback_id, response }).then(({ result, error }) => [response, result, error])));
			const accepted = answers.filter(([, result]) => result?.accepted === true);
			assert.equal(accepted.length, 1, JSON.stringify(answers));
			for (const [, , error] of answers.filter(([, result]) => result === undefined))
				assert.equal(error.code, 4000);
			assert.deepEqual(await heardBy(begun), [{ response: accepted[0][0] }]);
		}
	});

	test(`13.4 another principal's answer is like one to no callback, and changes nothing (${era})`, async () => {
		const [ann, bob] = [await house.client('ann', 'mind', { era }), await house.client('bob', 'mind', { era })];
		const begun = call(ann, 'delete');
		const { callback_id } = await asked(begun);
		const boss = await house.admin('mind', { era });
		for (const stranger of [bob, boss])
			assert.equal(await refusedAs(stranger, undefined, callback_id, 'confirm'), await refusedAs(stranger, undefined, 'cb-none', 'confirm'));
		await respond(ann, callback_id, 'cancel');
		assert.deepEqual(await heardBy(begun), [{ response: 'cancel' }]);
	});

	test(`13.4 what is not among the options is refused, and may be said again (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = call(client, 'select');
		const { callback_id } = await asked(begun);
		for (const response of ['purple', '', 'RED', 1, true, {}, ['red']])
			await refusedAs(client, undefined, callback_id, response);
		await respond(client, callback_id, 'red');
		assert.deepEqual(await heardBy(begun), [{ response: 'red' }]);
	});

	test(`13.4 no answer in time is none, told once, and never a yes (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = told(client, { callback: { ...CONFIRM, timeout_ms: 1000 } });
		const { callback_id } = await asked(begun);
		assert.deepEqual(await heardBy(begun), [{ response: null, reason: 'timeout' }]);
		await refusedAs(client, undefined, callback_id, 'confirm');
	});

	test(`13.4 an answer that is late is refused while its call goes on (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = told(client, { callback: { callback_id: `late-${era}`, ...CONFIRM, timeout_ms: 1000 } }, { hold: `late-${era}` });
		const { callback_id } = await asked(begun);
		await mind.hears(RESPOND, (params) => params.callback_id === `late-${era}`);
		await refusedAs(client, /expired/, callback_id, 'confirm');
		mind.release(`late-${era}`);
		assert.deepEqual(await heardBy(begun), [{ response: null, reason: 'timeout' }]);
		assert.equal(mind.of(RESPOND).filter(({ message }) => message.params.callback_id === `late-${era}`).length, 1);
	});

	test(`13.4 several callbacks of one call, one after the other, are told apart (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = told(client, { callback: CONFIRM }, { callback: SELECT }, { callback: INPUT });
		const seen = new Set();
		for (const [type, response] of [['confirmation', 'confirm'], ['selection', 'blue'], ['input', 'x']]) {
			const { callback_id } = await asked(begun, (params) => params.type === type);
			assert.ok(!seen.has(callback_id));
			seen.add(callback_id);
			await respond(client, callback_id, response);
		}
		assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }, { response: 'blue' }, { response: 'x' }]);
	});

	test(`13.4 a client that can both gets the callback, not a form (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era, capabilities: elicitation });
		client.answers[FORM] = () => ({ result: { action: 'decline' } });
		const begun = call(client, 'delete');
		await respond(client, (await asked(begun)).callback_id, 'confirm');
		assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }]);
	});

	test(`13.4 who has not agreed on bidirectional has no such method, and hears no callback (${era})`, async () => {
		for (const mgp of [null, { version: '0.2.0', extensions: ALL.filter((one) => one !== 'bidirectional') }]) {
			const client = await house.client('ann', 'mind', { era, mgp });
			assert.equal((await client.refusal(RESPOND, { callback_id: 'cb-001', response: 'confirm' })).code, -32601);
			const begun = call(client, 'note');
			assert.equal((await begun.answer).result.content[0].text, 'done');
			assert.deepEqual(begun.messages.filter(({ method }) => method === REQUEST), []);
		}
	});

	test(`13.4 an answer of the wrong form is refused, and names what is wrong (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = call(client, 'delete');
		const { callback_id } = await asked(begun);
		for (const one of [undefined, null, 7, {}, [callback_id], true, '', 'x'.repeat(500_000)]) {
			const error = await client.refusal(RESPOND, { callback_id: one, response: 'confirm' });
			assert.ok(error.code === -32602 || error.code === 4000, JSON.stringify(error));
			if (typeof one !== 'string')
				assert.match(error.message, /callback_id/);
		}
		const error = await client.refusal(RESPOND, { callback_id });
		assert.match(error.message, /response/);
		await respond(client, callback_id, 'cancel');
		assert.deepEqual(await heardBy(begun), [{ response: 'cancel' }]);
		const wanted = call(client, 'input');
		const { callback_id: own } = await asked(wanted);
		assert.ok((await client.refusal(RESPOND, { callback_id: own, response: 'x'.repeat(900_000) })).message.length > 0);
		await respond(client, own, 'fine');
		assert.deepEqual(await heardBy(wanted), [{ response: 'fine' }]);
	});

	test(`13.4 of a client that can neither, a person is asked: yes, no, or in other words (${era})`, async () => {
		for (const [act, response] of [['approve', 'confirm'], ['deny', 'cancel']]) {
			const client = await house.plain('ann', 'mind', { era });
			const begun = call(client, 'delete');
			const decision = await house.pending(({ kind }) => kind === 'callback');
			assert.deepEqual([decision.server, decision.requester], ['mind', 'ann']);
			assert.match(JSON.stringify(decision), /delete 15 files/);
			await house.rest('POST', `/admin/decisions/${decision.id}`, { body: { decision: 'approve' }, token: await house.token('ann'), status: 403 });
			await house.run(act, decision.id);
			assert.deepEqual(await heardBy(begun), [{ response }]);
			isPlain(begun.messages.filter(({ method }) => method !== undefined));
			assert.deepEqual(await house.decisions(), []);
		}
	});

	test(`13.4 no person in time is no answer either (${era})`, async () => {
		const client = await house.plain('ann', 'mind', { era });
		const begun = told(client, { callback: { ...CONFIRM, timeout_ms: 1000 } });
		assert.deepEqual(await heardBy(begun), [{ response: null, reason: 'timeout' }]);
		await until(async () => (await house.decisions()).length === 0, 'nobody is asked any more');
	});

	test(`13.4 what is asked ends with its call (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const begun = call(client, 'delete');
		const { callback_id } = await asked(begun);
		assert.equal((await client.ask('mgp/stream/cancel', { request_id: begun.id })).cancelled, true);
		await begun.answer;
		await refusedAs(client, undefined, callback_id, 'confirm');
		const plainly = await house.plain('ann', 'mind', { era });
		const open = call(plainly, 'delete');
		await house.pending(({ kind }) => kind === 'callback');
		if (era === 'modern')
			open.abort();
		else
			await plainly.notify('notifications/cancelled', { requestId: open.id });
		await until(async () => (await house.decisions()).length === 0, 'nobody is asked any more');
	});

	test(`13.4 callbacks of a server that has not agreed on them go to nobody (${era})`, async () => {
		const client = await house.client('ann', 'apart', { era });
		const begun = call(client, 'note');
		await begun.answer;
		assert.deepEqual(begun.messages.filter(({ method }) => method === REQUEST), []);
		assert.deepEqual(apart.of(RESPOND), []);
	});

	test(`13.4 callbacks of no form, or about no call, are put to nobody as a yes (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era });
		const odd = [{}, { callback_id: 7 }, { callback_id: null, type: 'confirmation', message: 'x' }, { callback_id: `o1-${era}`, type: 'pigeon', message: 'x' },
			{ callback_id: `o2-${era}`, type: 'selection', message: 'x', options: 'red' }, { callback_id: `o3-${era}`, type: 'selection', message: 'x', options: [1, 2] },
			{ callback_id: `o4-${era}`, type: 'confirmation', message: 7 }, { callback_id: `o5-${era}`, type: 'confirmation', message: 'x'.repeat(300_000) },
			{ callback_id: `o6-${era}`, type: 'selection', message: 'x', options: Array(20_000).fill('red') },
			{ callback_id: `o7-${era}`, type: 'confirmation', message: 'x', timeout_ms: 'soon' }, { callback_id: `o8-${era}`, type: 'confirmation', message: 'x', request_id: 999_999, timeout_ms: 1000 }];
		const begun = told(client, { say: [...odd.map((params) => ({ method: REQUEST, params: { request_id: '[id]', ...params } })),
			{ method: REQUEST }, { method: REQUEST, params: [] }, { method: REQUEST, params: 'x' }] }, { callback: CONFIRM });
		const { callback_id } = await asked(begun, ({ message }) => message === ASKED);
		await respond(client, callback_id, 'confirm');
		assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }]);
		for (const { params } of begun.messages.filter(({ method }) => method === REQUEST)) {
			assert.ok(['confirmation', 'input', 'selection', 'notification'].includes(params.type));
			assert.equal(typeof params.message, 'string');
			assert.ok(params.options === undefined || params.options.every((one) => typeof one === 'string'));
		}
		for (const { message: { params } } of mind.of(RESPOND).filter((one) => new RegExp(`^o\\d-${era}`).test(one.message.params.callback_id)))
			assert.equal(params.response, null);
	});
}

test('13.4 calls side by side in one server: each asker hears its own callback, and answers it alone', async () => {
	const people = await Promise.all(['ann', 'bob', 'eve'].map((id) => house.client(id, 'fresh')));
	const calls = people.map((client, number) => told(client, { callback: { ...INPUT, callback_id: `side-${number}`, message: `Question ${number}` } }));
	const heard = await Promise.all(calls.map((begun) => asked(begun)));
	assert.deepEqual(heard.map(({ message }) => message), ['Question 0', 'Question 1', 'Question 2']);
	assert.equal(new Set(heard.map(({ callback_id }) => callback_id)).size, 3);
	await refusedAs(people[0], undefined, heard[1].callback_id, 'x');
	for (const number of [2, 0, 1])
		await respond(people[number], heard[number].callback_id, `answer ${number}`);
	for (const [number, begun] of calls.entries())
		assert.deepEqual(await heardBy(begun), [{ response: `answer ${number}` }]);
});

test('13.4 a call may stream, ask, and stream on', async () => {
	const client = await house.client('ann', 'mind');
	const begun = client.begin('tools/call', { name: 'told', arguments: { script: [{ chunk: 'before' }, { callback: CONFIRM }, { chunk: 'after' }] }, _mgp: { stream: true } });
	await respond(client, (await asked(begun)).callback_id, 'confirm');
	await begun.answer;
	assert.deepEqual(begun.messages.map(({ method, params }) => (method === 'notifications/mgp.stream.chunk' ? params.content.text : method)),
		['before', REQUEST, 'after', undefined]);
});

test('13.4 callbacks of one call are bounded', async () => {
	const client = await house.client('ann', 'mind');
	const many = [...Array(3000).keys()].map((one) => ({ method: REQUEST, params: { callback_id: `many-${one}`, request_id: '[id]', ...CONFIRM } }));
	const begun = told(client, { say: many }, { answer: { content: [{ type: 'text', text: 'over' }] } });
	assert.equal((await begun.answer).result.content[0].text, 'over');
	assert.ok(begun.messages.filter(({ method }) => method === REQUEST).length < 3000, 'not all of them are open at once');
	assert.ok(await client.call('note'));
});

test('13.4 a server that dies while it waits ends its call, and the answer is refused', async () => {
	const client = await house.client('dora', 'mind');
	const begun = told(client, { say: [{ method: REQUEST, params: { callback_id: 'doomed', request_id: '[id]', ...CONFIRM } }] }, { hold: 'doomed' }, { exit: 3 });
	const { callback_id } = await asked(begun);
	mind.release('doomed');
	assert.ok((await begun.answer).error !== undefined);
	await refusedAs(client, undefined, callback_id, 'confirm');
});

test('13.4 at /mcp the answer may be given by a tool, and in another session of the same principal', async () => {
	const [client, other] = [await house.client('ann', '/mcp'), await house.client('ann', '/mcp')];
	assert.ok((await client.tools()).has('mgp_callback_respond'));
	for (const answerer of [client, other]) {
		const begun = call(client, 'mind__delete');
		const { callback_id } = await asked(begun);
		const { result } = await answerer.call('mgp_callback_respond', { callback_id, response: 'confirm' });
		assert.equal(JSON.parse(result.content[0].text).accepted, true);
		assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }]);
	}
});

test('13.4 at /mcp it is the same', async () => {
	const client = await house.client('ann', '/mcp');
	const begun = call(client, 'mind__delete', {}, { id: 20 });
	const { callback_id, request_id } = await asked(begun);
	assert.equal(request_id, 20);
	await respond(client, callback_id, 'confirm');
	assert.deepEqual(await heardBy(begun), [{ response: 'confirm' }]);
});
