// SPDX-License-Identifier: Apache-2.0
// Guided sessions (MCP Flow): at a face in both eras, in a room, and at a gateway that keeps them in tokens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flowHouse, flowServer } from '../../../tests/e2e/lib/flow_tools.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { faultOf, joined, somebody, inside } from './lib/client.mjs';

const house = await flowHouse({ servers: [flowServer('guide', { rooms: ['guided'] })] });
const ann = await somebody(house.gateway, 'ann', { kind: 'human' });

/** What a watch of a session tells. */
function watched(t, flow, sessionId) {
	const told = { prompts: [], states: [], results: [], errors: [] };
	const watch = flow.watch(sessionId, {
		prompt: (prompt) => told.prompts.push(prompt), state: ({ state }) => told.states.push(state),
		complete: (result) => told.results.push(result), error: (why) => told.errors.push(why),
	});
	t.after(() => watch.close());
	told.closed = watch.closed;
	told.prompt = (name) => until(() => told.prompts.find((one) => one.name === name), `the prompt ${name}`);
	return told;
}

const places = [['a modern face', () => ann.mcp('/mcp/servers/guide', { era: 'modern' }).flow],
	['a legacy face', () => ann.mcp('/mcp/servers/guide', { era: 'legacy' }).flow],
	['a room', async (t) => {
		const room = await joined(t, ann, 'guided');
		await until(() => room.participants.has('guide'), 'the server sits in the room');
		return room.flow('guide');
	}]];

for (const [where, make] of places) {
	test(`${where}: a session is led to its end`, async (t) => {
		const flow = await make(t);
		const started = await flow.start('register');
		assert.deepEqual([started.state, started.initialPrompt.name], ['idle', 'name']);
		const told = watched(t, flow, started.sessionId);
		const first = await told.prompt('name');
		assert.equal(first.promptId, started.initialPrompt.promptId);
		assert.equal((await flow.respond(started.sessionId, 'John', first.promptId)).accepted, true);
		const second = await told.prompt('email');
		const refused = await flow.respond(started.sessionId, 'no address', second.promptId);
		assert.deepEqual([refused.accepted, refused.validation.valid], [false, false]);
		assert.equal((await faultOf(flow.respond(started.sessionId, 'late', first.promptId))).code, '-32003');
		assert.deepEqual((await flow.state(started.sessionId)).accumulatedData, { name: 'John' });
		assert.equal((await flow.respond(started.sessionId, 'john@example.org', second.promptId)).accepted, true);
		await told.closed;
		assert.deepEqual([told.results.length, told.errors], [1, []]);
		assert.equal(told.results[0].finalResult.success, true);
		assert.match(told.results[0].finalResult.data.content[0].text, /john@example\.org/);
		assert.deepEqual(await flow.complete(started.sessionId), told.results[0]);
	});

	test(`${where}: a session that is cancelled is over, and says so`, async (t) => {
		const flow = await make(t);
		const { sessionId } = await flow.start('booking');
		const told = watched(t, flow, sessionId);
		await told.prompt('destination');
		await flow.cancel(sessionId, 'thought better of it');
		await told.closed;
		assert.equal(told.errors.length, 1);
		assert.ok(['cancelled', '-32006'].includes(told.errors[0].code), told.errors[0].code);
		assert.equal((await faultOf(flow.respond(sessionId, 'Rome'))).code, '-32003');
	});

	test(`${where}: what is answered elsewhere is told`, async (t) => {
		const flow = await make(t);
		const { sessionId } = await flow.start('register', { name: 'Jane' });
		const told = watched(t, flow, sessionId);
		await told.prompt('email');
		assert.equal(told.prompts.length, 1, 'what was known is not asked for');
		await flow.respond(sessionId, 'jane@example.org');
		await told.closed;
		assert.equal(told.results.length, 1);
	});
}

test('a session that nobody knows ends a watch with its error', async (t) => {
	const { flow } = ann.mcp('/mcp/servers/guide');
	const told = watched(t, flow, 'unknown');
	await told.closed;
	assert.deepEqual(told.errors.map(({ code }) => code), ['-32001']);
	assert.equal((await faultOf(flow.start('no such tool'))).code, '-32602');
});

test('a tool that fails is a result that says so', async (t) => {
	const { flow } = ann.mcp('/mcp/servers/guide');
	const { sessionId } = await flow.start('fails');
	const told = watched(t, flow, sessionId);
	await told.prompt('word');
	await flow.respond(sessionId, 'x');
	await told.closed;
	assert.equal(told.results[0].finalResult.success, false);
});

test('a stateless gateway: the id that it began with is enough', async (t) => {
	const own = await flowHouse({ flow: { stateless: true } }, t);
	const { flow } = (await somebody(own.gateway, 'ann')).mcp('/mcp/servers/guide');
	const { sessionId } = await flow.start('register');
	const told = watched(t, flow, sessionId);
	await told.prompt('name');
	const answer = await flow.respond(sessionId, 'John');
	assert.ok(typeof answer.sessionId === 'string' && answer.sessionId !== sessionId);
	await told.prompt('email');
	await flow.respond(sessionId, 'john@example.org');
	await told.closed;
	assert.deepEqual([told.errors, told.results.length], [[], 1]);
});

test('what went wrong in a session is told in the words of its summary', async () => {
	const { Flow } = await inside('flow');
	const flow = new Flow({ ask: async () => ({ sessionId: 's', state: 'error', summary: 'the tool broke' }), hear: () => () => {} });
	const told = [];
	await flow.watch('s', { error: (why) => told.push([why.code, why.message]) }).closed;
	assert.deepEqual(told, [['error', 'the tool broke']]);
});
