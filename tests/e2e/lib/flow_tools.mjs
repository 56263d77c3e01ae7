// SPDX-License-Identifier: Apache-2.0
// Guided sessions as the text of MCP Flow has them: a server whose tools leave something to ask for, and how one is led.

import assert from 'node:assert/strict';
import { FREE, MgpHouse, Outsider } from './mgp_house.mjs';
import { until } from './wait.mjs';

const readOnly = { readOnlyHint: true };
const schema = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const tool = (name, properties, more = {}) => ({ name, description: `The tool ${name}`, annotations: readOnly,
	inputSchema: schema(properties), ...more });

/** The prompts of the text's appendix A, as the parameters of one tool. */
export const FIELDS = {
	text: { type: 'string', description: 'Enter text:', default: 'default', pattern: '^[a-z]+$', minLength: 3, maxLength: 50 },
	choice: { type: 'string', description: 'Select option:', enum: ['a', 'b'] },
	confirm: { type: 'boolean', description: 'Are you sure?', default: false },
	number: { type: 'number', description: 'Enter amount:', minimum: 0, maximum: 1000 },
	date: { type: 'string', description: 'Select date:', format: 'date' },
};

/** What fits each of them, and what does not. */
export const FITS = { text: 'abc', choice: 'b', confirm: true, number: 12.5, date: '2024-02-29' };
export const MISFITS = {
	text: ['ab', 'ABC', 'a'.repeat(51), '', 7, null, true, {}, []],
	choice: ['c', 'A', '', 0, null, ['a']],
	confirm: ['perhaps', 2, null, {}],
	number: [-1, 1000.5, 'many', null, true, {}],
	date: ['2024-02-30', '29.2.2024', 'tomorrow', 20240229, null],
};

export const TOOLS = [
	tool('booking', { destination: { type: 'string', description: 'Enter destination:' } }),
	tool('register', { name: { type: 'string' }, email: { type: 'string', pattern: '^[^@ ]+@[^@ ]+$' } }),
	tool('fields', FIELDS),
	...Object.entries(FIELDS).map(([name, field]) => tool(`one_${name}`, { [name]: field })),
	tool('free', {}),
	tool('optional', { must: { type: 'string' }, may: { type: 'string' } }, { inputSchema: schema({ must: { type: 'string' }, may: { type: 'string' } }, ['must']) }),
	tool('list', { names: { type: 'array', items: { type: 'string' }, minItems: 2 } }),
	tool('evil', { word: { type: 'string', pattern: '^(a+)+$' } }),
	tool('whole', { count: { type: 'integer', minimum: 1, maximum: 9 } }),
	tool('fails', { word: { type: 'string' } }, { does: [{ result: { isError: true, content: [{ type: 'text', text: 'it did not work' }] } }] }),
	tool('breaks', { word: { type: 'string' } }, { does: [{ error: { code: -32603, message: 'it broke' } }] }),
	tool('lasts', { word: { type: 'string' } }, { does: [{ script: [{ hold: 'lasts' }, { answer: { content: [{ type: 'text', text: 'over' }] } }] }] }),
];

export const flowServer = (id = 'guide', more = {}, mgp = {}) => new Outsider(id, { plain: true, tools: TOOLS }, mgp, more);

/** A gateway with that server; flow: keys of [flow]. */
export async function flowHouse({ flow = {}, servers, ...options } = {}, t) {
	const text = Object.entries(flow).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('');
	const all = servers ?? [flowServer()];
	const settings = { kernel: FREE, servers: all, before: text === '' ? '' : `[flow]\n${text}`, ...options };
	const house = await (t === undefined ? MgpHouse.forFile(settings) : MgpHouse.forTest(t, settings));
	await house.allConnected();
	house.guide = all[0];
	return house;
}

/** One guided session of a client. */
export class Guided {
	static async start(client, toolName, more = {}) {
		const one = new Guided(client);
		one.started = await client.ask('interaction.start', { toolName, ...more });
		one.id = one.started.sessionId;
		return one;
	}

	constructor(client, id) {
		Object.assign(this, { client, id });
	}

	params(more) {
		return { sessionId: this.id, ...more };
	}

	/** Answers the prompt at hand with a value: the result; a stateless session goes on under its next id. */
	async respond(value, more = {}) {
		const result = await this.client.ask('interaction.respond', this.params({ response: { value, timestamp: Date.now() }, ...more }));
		if (result.sessionId !== undefined)
			this.id = result.sessionId;
		return result;
	}

	/** The same, which has to be accepted. */
	async says(value, more) {
		const result = await this.respond(value, more);
		assert.deepEqual([result.accepted, result.validation.valid], [true, true], JSON.stringify(result));
		return result;
	}

	/** The error of an answer, which has to be refused. */
	refusal(value, more = {}) {
		return this.client.refusal('interaction.respond', this.params({ response: { value, timestamp: Date.now() }, ...more }));
	}

	state() {
		return this.client.ask('interaction.getState', this.params());
	}

	/** Waits until it is in that state. */
	is(state) {
		return until(async () => {
			const now = await this.state();
			if (now.state !== state)
				throw new Error(`it is ${now.state}`);
			return now;
		}, `the session is ${state}`);
	}

	/** The prompt at hand, waited for. */
	prompt() {
		return this.is('waiting_user').then(({ currentPrompt }) => currentPrompt);
	}

	cancel(reason = 'User cancelled') {
		return this.client.ask('interaction.cancel', this.params({ reason }));
	}

	/** The result of a session that has ended. */
	async result() {
		await this.is('completed');
		return this.client.ask('interaction.complete', this.params());
	}

	/** Waits for the error of its state. */
	error(code) {
		return until(async () => {
			const { error } = await this.client.request('interaction.getState', this.params());
			return error?.code === code && error;
		}, `the session is refused with ${code}`);
	}
}

/** The arguments with which a tool was called, oldest first. */
export const argumentsOf = (server, name) => server.calls(name).map(({ message }) => message.params.arguments);

/** An error of Flow is one of the text's form, with our stable word. */
export function isFlowError(error, code, sessionId, type) {
	assert.equal(error.code, code, JSON.stringify(error));
	assert.equal(typeof error.message, 'string');
	assert.equal(typeof error.data?.type, 'string', JSON.stringify(error));
	if (type !== undefined)
		assert.equal(error.data.type, type);
	if (sessionId !== undefined)
		assert.equal(error.data.sessionId, sessionId);
}
