// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0 through the house: a server that speaks it by itself leads its own sessions; ids are the gateway's, and so is the guard.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLASS, DESTINATION, FLOW_SERVER, PROGRESS } from './lib/flow_server.mjs';
import { Guided, isFlowError } from './lib/flow_tools.mjs';
import { freshFolder } from './lib/gateway.mjs';
import { FREE, MgpHouse } from './lib/mgp_house.mjs';

const folder = freshFolder();
const house = await MgpHouse.forFile({ kernel: FREE, text: `[[servers]]\nid = "trips"\ncommand = ${JSON.stringify(process.execPath)}\n`
	+ `args = ${JSON.stringify([FLOW_SERVER, folder])}\nshare = "principal"\n` });
await house.is('trips', 'connected');

const received = () => readFileSync(join(folder, 'received.jsonl'), 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
const heard = (method) => received().filter((message) => message.method === method).map(({ params }) => params);

test('start: the server\'s own first prompt comes through, under an id of the gateway\'s', async () => {
	for (const era of ['legacy', 'modern']) {
		const client = await house.plain('ann', 'trips', { era });
		const { result } = await client.request('interaction.start', { toolName: 'trip', initialParams: { season: 'spring' }, context: {}, timeout: 300000 });
		assert.equal(result.state, 'idle');
		for (const [key, value] of Object.entries(DESTINATION))
			assert.deepEqual(result.initialPrompt[key], value);
		assert.doesNotMatch(result.sessionId, /^session_\d+$/, 'what is easy to guess is no id here');
		assert.deepEqual(heard('interaction.start').at(-1).initialParams, { season: 'spring' });
	}
});

test('messages: a whole session of the server\'s own, with its prompts, progress and end', async () => {
	const client = await house.plain('ann', 'trips');
	client.answers['interaction.prompt'] = () => ({ result: { acknowledged: true } });
	client.answers['interaction.continue'] = () => ({ result: { acknowledged: true } });
	client.answers['interaction.complete'] = ({ result }) => ({ result: { success: true, finalResult: result } });
	await client.open();
	const session = await Guided.start(client, 'trip');
	const isIts = (params) => params.sessionId === session.id;
	await session.says('Rome');
	const { params } = await client.hears('interaction.prompt', (one) => isIts(one) && one.prompt.type === 'choice');
	for (const [key, value] of Object.entries(CLASS))
		assert.deepEqual(params.prompt[key], value);
	assert.deepEqual(params.progress, PROGRESS);
	const refused = await session.respond('z');
	assert.deepEqual([refused.accepted, refused.validation.error, refused.validation.suggestion], [false, 'Invalid format', 'a or b']);
	await session.says('b');
	const { params: { result } } = await client.hears('interaction.complete', isIts);
	assert.deepEqual(result, { success: true, data: { destination: 'Rome', class: 'b' } });
	for (const { sessionId } of [...heard('interaction.respond'), ...heard('interaction.getState')])
		assert.match(sessionId, /^session_\d+$/, 'the server hears its own ids alone');
});

test('isolation: neither the server\'s id nor the gateway\'s lets another principal in', async () => {
	const [ann, bob] = [await house.plain('ann', 'trips', { era: 'modern' }), await house.plain('bob', 'trips', { era: 'modern' })];
	const session = await Guided.start(ann, 'trip');
	await Guided.start(bob, 'trip');
	const before = received().length;
	for (const sessionId of [session.id, 'session_1', 'session_2']) {
		for (const [method, more] of [['respond', { response: { value: 'stolen' } }], ['cancel', {}], ['getState', {}], ['complete', {}]]) {
			const error = await bob.refusal(`interaction.${method}`, { sessionId, ...more });
			isFlowError(error, -32001, sessionId, 'session_not_found');
		}
	}
	assert.ok(!received().slice(before).some((message) => message.params?.response?.value === 'stolen'));
	assert.equal((await session.state()).state, 'waiting_user');
});

test('errors: the server\'s own keep code and message, and get our word and the gateway\'s id', async () => {
	const client = await house.plain('ann', 'trips', { era: 'modern' });
	const session = await Guided.start(client, 'trip');
	await session.cancel();
	const error = await client.refusal('interaction.cancel', session.params());
	isFlowError(error, -32006, session.id);
	assert.match(error.message, /already cancelled/i);
	isFlowError(await session.refusal('Rome'), -32003, session.id);
});

test('messages: plain calls of such a server go on as they were', async () => {
	const client = await house.plain('ann', 'trips');
	assert.equal(await client.text('trip', { destination: 'Rome' }), 'called without a session');
});
