// SPDX-License-Identifier: Apache-2.0
// MGP 13.4 between those who speak it and those who do not: callbacks become forms of MCP, and forms become callbacks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const REQUEST = 'notifications/mgp.callback.request';
const RESPOND = 'mgp/callback/respond';
const FORM = 'elicitation/create';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'bidirectional'];
const callbacks = {
	confirm: { type: 'confirmation', message: 'This operation will delete 15 files. Continue?', options: ['confirm', 'cancel'], timeout_ms: 60_000 },
	agree: { type: 'confirmation', message: 'Do you agree?', timeout_ms: 60_000 },
	input: { type: 'input', message: 'Which folder?', timeout_ms: 60_000 },
	select: { type: 'selection', message: 'Which of them?', options: ['red', 'green', 'blue'], timeout_ms: 60_000 },
};
const object = (properties, required) => ({ type: 'object', properties, ...(required === undefined ? {} : { required }) });
const forms = {
	pick: ['selection', object({ colour: { type: 'string', enum: ['red', 'green'] } }, ['colour']), 'green', { colour: 'green' }],
	really: ['confirmation', object({ sure: { type: 'boolean' } }, ['sure']), undefined, undefined],
	name: ['input', object({ name: { type: 'string' } }, ['name']), 'Zoe', { name: 'Zoe' }],
	both: ['input', object({ name: { type: 'string' }, age: { type: 'integer' } }, ['name', 'age']), { name: 'Zoe', age: 7 }, { name: 'Zoe', age: 7 }],
};
const mind = new Outsider('mind', { extensions, tools: [...Object.entries(callbacks).map(([name, callback]) => ({ name, annotations: readOnly,
	does: [{ script: [{ callback }] }] })), { name: 'brief', annotations: readOnly, does: [{ script: [{ callback: { callback_id: 'cb-brief', ...callbacks.confirm, timeout_ms: 1000 } }] }] }, { name: 'note', annotations: readOnly, does: [{ script: [
	{ callback: { type: 'notification', message: 'Half of it is done' } }, { answer: { content: [{ type: 'text', text: 'done' }] } }] }] }] }, {}, { share: 'principal' });
const plain = new Outsider('plain', { plain: true, tools: Object.entries(forms).map(([name, [, requestedSchema]]) => ({ name, annotations: readOnly,
	does: [{ script: [{ elicit: { message: `Say ${name}`, requestedSchema } }] }] })) }, {}, { share: 'principal' });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [mind, plain] });
await house.allConnected();

const capabilities = { elicitation: {} };

async function heardBy({ result, error }) {
	assert.ok(error === undefined && result.isError !== true, JSON.stringify(error ?? result));
	return JSON.parse(result.content[0].text).map(({ callback_id, trace_id, _meta, ...rest }) => rest);
}

/** Calls as a plain client that fills in forms with `answer`, in either era; hands out the forms and what the server heard. */
async function filled(era, name, answer) {
	const client = await house.plain('ann', 'mind', { era, capabilities });
	const seen = [];
	client.answers[FORM] = (params) => {
		seen.push(params);
		return { result: answer };
	};
	let begun = client.begin('tools/call', { name, arguments: {} });
	let said = await begun.answer;
	isPlain(begun.messages);
	while (said.result?.resultType === 'input_required') {
		const { inputRequests, requestState } = said.result;
		const responses = {};
		for (const [key, { method, params }] of Object.entries(inputRequests)) {
			assert.equal(method, FORM);
			seen.push(params);
			responses[key] = answer;
		}
		begun = client.begin('tools/call', { name, arguments: {}, inputResponses: responses, requestState });
		said = await begun.answer;
	}
	return { seen, heard: await heardBy(said) };
}

for (const era of ['legacy', 'modern']) {
	test(`13.4 to a plain client that fills in forms a callback is one with the field response (${era})`, async () => {
		const cases = [['confirm', 'string', 'confirm'], ['select', 'string', 'blue'], ['input', 'string', '/tmp/a'], ['agree', 'boolean', true]];
		for (const [name, type, response] of cases) {
			const { seen, heard } = await filled(era, name, { action: 'accept', content: { response } });
			assert.equal(seen.length, 1);
			const [{ message, requestedSchema }] = seen;
			assert.match(message, new RegExp(callbacks[name].message.replace('?', '\\?')));
			assert.equal(requestedSchema.type, 'object');
			assert.deepEqual(Object.keys(requestedSchema.properties), ['response']);
			assert.equal(requestedSchema.properties.response.type, type);
			assert.deepEqual(requestedSchema.properties.response.enum, callbacks[name].options);
			if (name !== 'agree')
				assert.deepEqual(heard, [{ response }]);
		}
	});

	test(`13.4 declined or closed, it is cancel where that is offered, else no answer (${era})`, async () => {
		for (const action of ['decline', 'cancel']) {
			assert.deepEqual((await filled(era, 'confirm', { action })).heard, [{ response: 'cancel' }]);
			for (const name of ['select', 'input'])
				assert.deepEqual((await filled(era, name, { action })).heard, [{ response: null, reason: 'declined' }]);
		}
	});

	test(`13.4 a form filled in with what is not offered is never handed on as it is (${era})`, async () => {
		for (const content of [{ response: 'purple' }, { response: 7 }, {}, { other: 'red' }]) {
			const client = await house.plain('ann', 'mind', { era, capabilities });
			let asked = 0;
			client.answers[FORM] = () => ({ result: (asked += 1) === 1 ? { action: 'accept', content } : { action: 'decline' } });
			let said = await client.call('select');
			while (said.result?.resultType === 'input_required') {
				const { inputRequests, requestState } = said.result;
				const answer = (asked += 1) === 1 ? { action: 'accept', content } : { action: 'decline' };
				said = await client.request('tools/call', { name: 'select', arguments: {}, requestState,
					inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer])) });
			}
			if (said.error === undefined && said.result.isError !== true)
				assert.deepEqual((await heardBy(said)).map(({ response }) => response), [null], JSON.stringify(content));
		}
	});

	for (const [name, [type, , response, content]] of Object.entries(forms)) {
		test(`13.4 a plain server's form "${name}" is a callback of type ${type} to an MGP client (${era})`, async () => {
			const client = await house.client('ann', 'plain', { era });
			const begun = client.begin('tools/call', { name, arguments: {} });
			const { params } = await begun.hears(REQUEST);
			assert.deepEqual([params.type, params.request_id], [type, begun.id]);
			assert.match(params.message, new RegExp(`Say ${name}`));
			if (name === 'pick')
				assert.deepEqual(params.options, ['red', 'green']);
			if (name === 'both')
				assert.deepEqual(Object.keys(params.schema.properties), ['name', 'age']);
			const answer = name === 'really' ? params.options?.[0] ?? true : response;
			assert.equal((await client.ask(RESPOND, { callback_id: params.callback_id, response: answer })).accepted, true);
			assert.deepEqual(await heardBy(await begun.answer), [{ action: 'accept', content: content ?? { sure: true } }]);
		});
	}

	test(`13.4 a form with several fields is answered with an object that fits it (${era})`, async () => {
		const client = await house.client('ann', 'plain', { era });
		const begun = client.begin('tools/call', { name: 'both', arguments: {} });
		const { params: { callback_id } } = await begun.hears(REQUEST);
		for (const response of ['Zoe', { name: 7, age: 7 }, { name: 'Zoe' }, [], 7]) {
			const error = await client.refusal(RESPOND, { callback_id, response });
			assert.equal(error.code, 4000, JSON.stringify(response));
		}
		await client.ask(RESPOND, { callback_id, response: { name: 'Zoe', age: 7 } });
		assert.deepEqual(await heardBy(await begun.answer), [{ action: 'accept', content: { name: 'Zoe', age: 7 } }]);
	});

	test(`13.4 a client that knows forms gets the plain server's form as MGP's callback if it speaks both (${era})`, async () => {
		const client = await house.client('ann', 'mind', { era, capabilities });
		const begun = client.begin('tools/call', { name: 'confirm', arguments: {} });
		const { params } = await begun.hears(REQUEST);
		await client.ask(RESPOND, { callback_id: params.callback_id, response: 'confirm' });
		assert.deepEqual(await heardBy(await begun.answer), [{ response: 'confirm' }]);
	});
}

test('13.4 a form that nobody fills in is no answer when its time is over, and one that comes later changes nothing', async () => {
	const client = await house.plain('ann', 'mind', { capabilities });
	let late;
	client.answers[FORM] = () => new Promise((done) => { late = done; });
	const begun = client.begin('tools/call', { name: 'brief', arguments: {} });
	assert.deepEqual(await heardBy(await begun.answer), [{ response: null, reason: 'timeout' }]);
	late({ result: { action: 'accept', content: { response: 'confirm' } } });
	const modern = await house.plain('ann', 'mind', { era: 'modern', capabilities });
	const { result: { resultType, inputRequests, requestState } } = await modern.call('brief');
	assert.equal(resultType, 'input_required');
	const before = mind.of(RESPOND).length;
	await until(() => mind.of(RESPOND).length > before, 'its time is over');
	assert.equal(mind.of(RESPOND).at(-1).message.params.response, null);
	await modern.request('tools/call', { name: 'brief', arguments: {}, requestState,
		inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: { response: 'confirm' } }])) });
	assert.ok(mind.of(RESPOND).every(({ message: { params } }) => params.callback_id !== 'cb-brief' || params.response === null));
	assert.ok((await client.call('note')).result);
});

test('13.4 a notification to a plain client is a log message of level info', async () => {
	const client = await house.plain('ann', 'mind');
	const begun = client.begin('tools/call', { name: 'note', arguments: {} });
	assert.equal((await begun.answer).result.content[0].text, 'done');
	const told = begun.messages.find(({ method }) => method === 'notifications/message');
	assert.equal(told.params.level, 'info');
	assert.match(JSON.stringify(told.params.data), /Half of it is done/);
	isPlain(begun.messages);
	const modern = await house.plain('ann', 'mind', { era: 'modern' });
	const wants = modern.begin('tools/call', { name: 'note', arguments: {}, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } });
	await wants.answer;
	assert.ok(wants.messages.some(({ method, params }) => method === 'notifications/message' && params.level === 'info'));
	const unasked = modern.begin('tools/call', { name: 'note', arguments: {} });
	await unasked.answer;
	assert.deepEqual(unasked.messages.filter(({ method }) => method !== undefined), []);
});

test('13.4 a yes without a word chooses nothing where words are to be chosen from', async () => {
	for (const name of ['select', 'input']) {
		const client = await house.plain('ann', 'mind');
		const begun = client.begin('tools/call', { name, arguments: {} });
		const { id } = await house.pending(({ kind }) => kind === 'callback');
		for (const args of [[], ...(name === 'select' ? [['--answer', 'purple']] : [])]) {
			const ended = await house.gateway.command(['approve', id, ...args]);
			assert.notEqual(ended.code, 0, `${name} ${args}: ${ended.stdout}`);
			assert.ok(ended.stderr.length > 0);
		}
		await house.run('deny', id);
		assert.deepEqual(await heardBy(await begun.answer), [{ response: null, reason: 'declined' }]);
	}
});

test('13.4 what a person was asked ends with the gateway, and with the call, however many there were', async (t) => {
	const many = [...Array(200).keys()].map((number) => ({ method: REQUEST, params: { callback_id: `many-${number}`, request_id: '[id]', ...callbacks.confirm } }));
	const server = new Outsider('asker', { extensions, tools: [{ name: 'many', annotations: readOnly, does: [{ script: [{ say: many }, { hold: 'many' }, { answer: { content: [{ type: 'text', text: 'over' }] } }] }] },
		{ name: 'confirm', annotations: readOnly, does: [{ script: [{ callback: callbacks.confirm }] }] }] });
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [server] });
	await own.allConnected();
	const client = await own.plain('ann', 'asker');
	const begun = client.begin('tools/call', { name: 'many', arguments: {} });
	await own.pending(({ kind }) => kind === 'callback');
	assert.ok((await own.decisions()).length <= 64, 'open questions of one requester are bounded');
	server.release('many');
	assert.equal((await begun.answer).result.content[0].text, 'over');
	await until(async () => (await own.decisions()).length === 0, 'nobody is asked any more');
	const lost = client.begin('tools/call', { name: 'confirm', arguments: {} });
	const { id } = await own.pending(({ kind }) => kind === 'callback');
	await own.gateway.restart({ hard: true });
	await own.allConnected();
	await lost.answer.catch(() => {});
	assert.deepEqual((await own.decisions()).filter(({ kind }) => kind === 'callback'), []);
	assert.notEqual((await own.gateway.command(['approve', id])).code, 0, 'there is nobody to tell');
});

test('13.4 a person answers a selection or an input with --answer, and REST with answer', async () => {
	for (const [name, response] of [['select', 'green'], ['input', 'a folder']]) {
		for (const way of ['command', 'rest']) {
			const client = await house.plain('ann', 'mind');
			const begun = client.begin('tools/call', { name, arguments: {} });
			const { id } = await house.pending(({ kind }) => kind === 'callback');
			if (way === 'command')
				await house.run('approve', id, '--answer', response);
			else
				await house.decide(id, 'approve', { answer: response });
			assert.deepEqual(await heardBy(await begun.answer), [{ response }]);
			await until(async () => (await house.decisions()).length === 0, 'it is answered');
		}
	}
});
