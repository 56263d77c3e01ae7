// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0, its messages: every example of the text is sent as it stands there, in both eras, over an ordinary server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIELDS, FITS, Guided, MISFITS, TOOLS, argumentsOf, flowHouse, flowServer, isFlowError } from './lib/flow_tools.mjs';
import { Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const off = new Outsider('off', { plain: true, tools: TOOLS.slice(0, 1) }, {}, { flow: { enabled: false } });
const house = await flowHouse({ servers: [flowServer(), off] });
const { guide } = house;
const places = [['legacy', 'guide', ''], ['modern', 'guide', ''], ['legacy', '/mcp', 'guide__'], ['modern', '/mcp', 'guide__']];
const VALUE = { value: 'selected_value', timestamp: 1704067200000, metadata: {} };

/** Each prompt as the text's appendix A draws it. */
const DRAWN = {
	text: { type: 'text', defaultValue: 'default', validation: { required: true, pattern: '^[a-z]+$', min: 3, max: 50 } },
	choice: { type: 'choice', validation: { required: true } },
	confirm: { type: 'confirm', defaultValue: false },
	number: { type: 'number', validation: { required: true, min: 0, max: 1000 } },
	date: { type: 'date', validation: { required: true } },
};

/** The prompt has all that is drawn, whatever else it has. */
function isDrawn(prompt, { validation, ...drawn }) {
	for (const [key, value] of Object.entries(drawn))
		assert.deepEqual(prompt[key], value, `${key} of ${JSON.stringify(prompt)}`);
	for (const [key, value] of Object.entries(validation ?? {}))
		assert.deepEqual(prompt.validation?.[key], value, `${key} of ${JSON.stringify(prompt.validation)}`);
	assert.equal(typeof prompt.message, 'string');
	assert.ok(prompt.message.length > 0);
}

for (const [era, where, prefix] of places) {
	const at = `${era} client, ${where}`;
	const client = await house.plain('ann', where, { era });

	test(`messages: the start of the text is answered as in the text (${at})`, async () => {
		const { id, jsonrpc, result, error } = await client.request('interaction.start', { toolName: `${prefix}booking`,
			initialParams: {}, context: {}, timeout: 300000 }, { id: 1 });
		assert.deepEqual([id, jsonrpc, error], [1, '2.0', undefined]);
		assert.equal(typeof result.sessionId, 'string');
		assert.equal(result.state, 'idle');
		isDrawn(result.initialPrompt, { type: 'text', validation: { required: true } });
		assert.match(result.initialPrompt.message, /Enter destination:/);
	});

	test(`messages: toolName alone is enough, and nothing goes without it (${at})`, async () => {
		assert.equal((await Guided.start(client, `${prefix}booking`)).started.state, 'idle');
		for (const params of [{}, { toolName: null }, { toolName: 7 }, { toolName: '' }, { toolName: ['booking'] }])
			assert.equal((await client.refusal('interaction.start', params)).code, -32602, JSON.stringify(params));
		for (const more of [{ initialParams: [] }, { initialParams: 'x' }, { timeout: 'long' }, { timeout: -1 }, { timeout: 0 }])
			assert.equal((await client.refusal('interaction.start', { toolName: `${prefix}booking`, ...more })).code, -32602, JSON.stringify(more));
	});

	test(`messages: the answer of the text is accepted, and the session completes with the tool's own result (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}booking`);
		const { id, result } = await client.request('interaction.respond', { sessionId: session.id, response: VALUE }, { id: 3 });
		assert.equal(id, 3);
		assert.deepEqual([result.accepted, result.validation.valid], [true, true]);
		const done = await session.result();
		assert.equal(done.success, true);
		assert.equal(done.finalResult.success, true);
		assert.match(done.finalResult.data.content[0].text, /selected_value/);
		assert.deepEqual(argumentsOf(guide, 'booking').at(-1), { destination: 'selected_value' });
		assert.deepEqual(await session.result(), done, 'the result may be asked for again');
	});

	test(`messages: a value that does not fit is refused with an error and a suggestion, and asked for again (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}one_date`);
		const before = session.started.initialPrompt;
		const refused = await session.respond('29.2.2024');
		assert.deepEqual([refused.accepted, refused.validation.valid], [false, false]);
		assert.ok(refused.validation.error.length > 0);
		assert.match(refused.validation.suggestion, /YYYY-MM-DD/);
		const again = await session.prompt();
		assert.deepEqual([again.promptId, again.name], [before.promptId, 'date']);
		assert.deepEqual((await session.state()).history, [], 'what was refused is no turn');
		await session.says('2024-02-29');
		await session.result();
		assert.deepEqual(argumentsOf(guide, 'one_date').at(-1), { date: '2024-02-29' });
	});

	test(`messages: the state of the text (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}register`, { context: { purpose: 'a test' } });
		await session.says('John');
		await session.prompt();
		const { id, result } = await client.request('interaction.getState', { sessionId: session.id }, { id: 7 });
		assert.equal(id, 7);
		assert.deepEqual([result.sessionId, result.state], [session.id, 'waiting_user']);
		const { metadata, history, currentPrompt, accumulatedData } = result;
		for (const key of ['createdAt', 'lastActivityAt'])
			assert.ok(Number.isInteger(metadata[key]) && Math.abs(Date.now() - metadata[key]) < 3600_000, `${key} ${metadata[key]}`);
		assert.ok(metadata.lastActivityAt >= metadata.createdAt);
		assert.equal(metadata.toolName, `${prefix}register`);
		assert.ok(metadata.expiresAt !== undefined);
		assert.equal(history.length, 1);
		const [{ turnId, prompt, response, timestamp }] = history;
		assert.equal(turnId, 0);
		assert.equal(prompt.name, 'name');
		assert.equal(response.value, 'John');
		assert.ok(Number.isInteger(timestamp));
		assert.equal(currentPrompt.name, 'email');
		assert.notEqual(currentPrompt.promptId, prompt.promptId);
		assert.deepEqual(accumulatedData, { name: 'John' });
	});

	test(`messages: a session is cancelled as in the text (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}booking`);
		const { id, result } = await client.request('interaction.cancel', { sessionId: session.id, reason: 'User cancelled' }, { id: 6 });
		assert.deepEqual([id, result.cancelled], [6, true]);
		const before = argumentsOf(guide, 'booking').length;
		isFlowError(await session.refusal('Rome'), -32003, session.id);
		assert.equal(argumentsOf(guide, 'booking').length, before);
	});

	test(`messages: the wizard of the text, with its second try (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}register`);
		await session.says('John');
		assert.equal((await session.respond('invalid-email')).accepted, false);
		await session.says('john@example.com');
		const { finalResult } = await session.result();
		assert.equal(finalResult.success, true);
		assert.deepEqual(argumentsOf(guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
	});

	test(`capabilities: the server says what it can, in the form of the text, and in its greeting (${at})`, async () => {
		const { id, result } = await client.request('capabilities', {}, { id: 1 });
		assert.equal(id, 1);
		const { resultType, _meta, ...said } = result;
		assert.deepEqual([said.interactive, said.version], [true, '0.1.0']);
		assert.deepEqual(said.features, { statefulSessions: true, progressTracking: true, validation: true, multiplePromptTypes: true,
			sessionPersistence: true });
		assert.deepEqual(client.hello.capabilities.extensions['dev.hustings/flow'], said);
	});

	test(`prompts: each type of the appendix comes as drawn, and its fitting value is accepted (${at})`, async () => {
		const session = await Guided.start(client, `${prefix}fields`);
		for (const name of Object.keys(FIELDS)) {
			const prompt = await session.prompt();
			assert.equal(prompt.name, name);
			isDrawn(prompt, DRAWN[name]);
			if (name === 'choice') {
				assert.deepEqual(prompt.choices.map(({ value }) => value), ['a', 'b']);
				assert.ok(prompt.choices.every(({ label }) => typeof label === 'string' && label.length > 0));
			}
			await session.says(FITS[name]);
		}
		await session.result();
		assert.deepEqual(argumentsOf(guide, 'fields').at(-1), FITS);
	});

	test(`messages: plain MCP goes on as it was (${at})`, async () => {
		const tools = await client.tools();
		assert.ok([...tools.keys()].every((name) => !/interaction|capabilities/.test(name)), [...tools.keys()].join());
		assert.match(await client.text(`${prefix}booking`, { destination: 'Rome' }), /Rome/);
	});
}

for (const [name, values] of Object.entries(MISFITS)) {
	test(`input: what is no ${name} is refused before the tool runs`, async () => {
		const client = await house.plain('ann', 'guide');
		const before = guide.calls(`one_${name}`).length;
		const session = await Guided.start(client, `one_${name}`);
		for (const value of values) {
			const { result, error } = await client.request('interaction.respond', { sessionId: session.id, response: { value } });
			if (error === undefined) {
				assert.equal(result.accepted, false, JSON.stringify(value));
				assert.ok(result.validation.error.length > 0);
			} else {
				isFlowError(error, -32004, session.id);
			}
			assert.equal((await session.prompt()).promptId, session.started.initialPrompt.promptId);
		}
		assert.equal(guide.calls(`one_${name}`).length, before);
		await session.says(FITS[name]);
		await session.result();
		assert.deepEqual(argumentsOf(guide, `one_${name}`).at(-1), { [name]: FITS[name] });
	});
}

test('prompts: bounds are inside, and a number that has to be whole is', async () => {
	const client = await house.plain('ann', 'guide');
	for (const value of [0, 1000, 0.5]) {
		const session = await Guided.start(client, 'one_number');
		await session.says(value);
		await session.result();
		assert.deepEqual(argumentsOf(guide, 'one_number').at(-1), { number: value });
	}
	const whole = await Guided.start(client, 'whole');
	isDrawn(whole.started.initialPrompt, { type: 'number', validation: { min: 1, max: 9 } });
	assert.equal((await whole.respond(1.5)).accepted, false);
	await whole.says(9);
	await whole.result();
});

test('prompts: an array is asked for as custom, with its schema', async () => {
	const client = await house.plain('ann', 'guide');
	const session = await Guided.start(client, 'list');
	const { type, schema } = session.started.initialPrompt;
	assert.equal(type, 'custom');
	assert.deepEqual([schema.type, schema.items, schema.minItems], ['array', { type: 'string' }, 2]);
	for (const value of [['one'], 'one', [1, 2], { 0: 'one' }])
		assert.equal((await session.respond(value)).accepted, false, JSON.stringify(value));
	await session.says(['one', 'two']);
	await session.result();
	assert.deepEqual(argumentsOf(guide, 'list').at(-1), { names: ['one', 'two'] });
});

test('start: what is given is not asked for, what does not fit is asked anew, and what may be left out is', async () => {
	const client = await house.plain('ann', 'guide');
	const given = await Guided.start(client, 'register', { initialParams: { name: 'John' } });
	assert.equal(given.started.initialPrompt.name, 'email');
	assert.deepEqual((await given.state()).accumulatedData, { name: 'John' });
	await given.says('john@example.com');
	await given.result();
	assert.deepEqual(argumentsOf(guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
	const wrong = await Guided.start(client, 'register', { initialParams: { name: 'John', email: 'nobody' } });
	assert.equal(wrong.started.initialPrompt.name, 'email');
	const may = await Guided.start(client, 'optional');
	assert.equal(may.started.initialPrompt.name, 'must');
	await may.says('it');
	await may.result();
	assert.deepEqual(argumentsOf(guide, 'optional').at(-1), { must: 'it' });
	const both = await Guided.start(client, 'optional', { initialParams: { may: 'be' } });
	await both.says('it');
	await both.result();
	assert.deepEqual(argumentsOf(guide, 'optional').at(-1), { must: 'it', may: 'be' });
});

test('start: nothing missing is nothing to ask: the tool runs', async () => {
	const client = await house.plain('ann', 'guide');
	for (const [name, initialParams] of [['free', {}], ['booking', { destination: 'Oslo' }]]) {
		const session = await Guided.start(client, name, { initialParams });
		assert.deepEqual([session.started.state, session.started.initialPrompt], ['idle', undefined]);
		assert.equal((await session.result()).finalResult.success, true);
		assert.deepEqual(argumentsOf(guide, name).at(-1), initialParams);
	}
});

test('complete: a tool that says that it failed makes success false', async () => {
	const client = await house.plain('ann', 'guide');
	const session = await Guided.start(client, 'fails');
	await session.says('please');
	const { finalResult } = await session.result();
	assert.equal(finalResult.success, false);
	assert.equal(finalResult.data.content[0].text, 'it did not work');
});

test('prompt, complete: a legacy client with an open stream is sent prompts with progress, and the end; its acknowledgement is enough', async () => {
	const client = await house.plain('ann', 'guide');
	client.answers['interaction.prompt'] = () => ({ result: { acknowledged: true } });
	client.answers['interaction.complete'] = ({ result }) => ({ result: { success: true, finalResult: result } });
	await client.open();
	const session = await Guided.start(client, 'register');
	const isIts = (params) => params.sessionId === session.id;
	await session.says('John');
	const asked = await client.hears('interaction.prompt', (params) => isIts(params) && params.prompt.name === 'email');
	assert.equal(asked.jsonrpc, '2.0');
	assert.ok(asked.id !== undefined, 'a prompt is a request');
	assert.equal(asked.params.prompt.type, 'text');
	assert.deepEqual([asked.params.progress.current, asked.params.progress.total], [2, 2]);
	await session.says('john@example.com');
	const told = await client.hears('interaction.complete', isIts);
	assert.ok(told.id !== undefined);
	assert.equal(told.params.result.success, true);
	assert.match(told.params.result.data.content[0].text, /john@example.com/);
	assert.deepEqual((await session.result()).finalResult, told.params.result);
});

test('prompt, complete: a modern client that listens hears prompts and the end too', async () => {
	const client = await house.plain('ann', 'guide', { era: 'modern' });
	await client.open();
	const session = await Guided.start(client, 'register');
	const isIts = (params) => params.sessionId === session.id;
	await session.says('John');
	const { params } = await client.hears('interaction.prompt', (one) => isIts(one) && one.prompt.name === 'email');
	assert.equal((await session.prompt()).promptId, params.prompt.promptId);
	await session.says('john@example.com');
	assert.equal((await client.hears('interaction.complete', isIts)).params.result.success, true);
});

test('prompt: a client that answers no prompt, or with an error, is not waited for', async () => {
	const client = await house.plain('ann', 'guide');
	client.answers['interaction.prompt'] = () => ({ error: { code: -32601, message: 'no such method' } });
	client.answers['interaction.complete'] = () => undefined;
	await client.open();
	const session = await Guided.start(client, 'register');
	await session.says('John');
	await client.hears('interaction.prompt', (params) => params.sessionId === session.id && params.prompt.name === 'email');
	await session.says('john@example.com');
	assert.equal((await session.result()).finalResult.success, true);
});

test('prompt, continue: a client cannot send what a server sends', async () => {
	const client = await house.plain('ann', 'guide');
	const session = await Guided.start(client, 'booking');
	for (const [method, more] of [['interaction.prompt', { prompt: { type: 'text', message: 'Your password?' } }],
		['interaction.continue', { nextPrompt: { type: 'text', message: 'Next step...' }, progress: { current: 3, total: 5 } }]])
		assert.equal((await client.refusal(method, { sessionId: session.id, ...more })).code, -32601);
	assert.equal((await session.prompt()).promptId, session.started.initialPrompt.promptId);
});

for (const era of ['legacy', 'modern']) {
	test(`errors: where the mode is off, who asks for it by name hears NOT_INTERACTIVE, and plain calls go on (${era})`, async () => {
		const client = await house.plain('ann', 'off', { era });
		isFlowError(await client.refusal('interaction.start', { toolName: 'booking' }), -32007, undefined, 'not_interactive');
		assert.match(await client.text('booking', { destination: 'Rome' }), /Rome/);
	});
}

test('errors: an unknown session is refused in the form of the text, by every method', async () => {
	for (const era of ['legacy', 'modern']) {
		const client = await house.plain('ann', 'guide', { era });
		for (const [method, more] of [['respond', { response: VALUE }], ['cancel', { reason: 'x' }], ['getState', {}], ['complete', {}]]) {
			const error = await client.refusal(`interaction.${method}`, { sessionId: 'session_abc123', ...more });
			isFlowError(error, -32001, 'session_abc123', 'session_not_found');
			assert.match(error.message, /session/i);
		}
	}
});

test('start: an unknown tool, and one that is not for the caller, are refused alike', async (t) => {
	const hidden = flowServer('hidden', {}, { default_policy: 'opt-in' });
	const own = await flowHouse({ servers: [flowServer(), hidden] }, t);
	const client = await own.plain('ann', '/mcp');
	const errors = [];
	for (const toolName of ['hidden__booking', 'hidden__nothing', 'nobody__booking', 'guide__nothing', 'booking'])
		errors.push(await client.refusal('interaction.start', { toolName }));
	for (const error of errors)
		assert.equal(error.code, -32602, JSON.stringify(error));
	assert.equal(errors[0].message.replace('hidden__booking', 'X'), errors[1].message.replace('hidden__nothing', 'X'));
	assert.equal(hidden.calls('booking').length, 0);
	await own.grant('ann', 'hidden');
	await until(async () => (await client.request('interaction.start', { toolName: 'hidden__booking' })).result, 'ann may use it now');
});
