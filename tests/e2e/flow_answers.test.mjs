// SPDX-License-Identifier: Apache-2.0
// What a guided session takes as an answer is what the call takes as an argument: the same numbers, the same patterns.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guided, argumentsOf, flowHouse } from './lib/flow_tools.mjs';
import { FREE, Outsider } from './lib/mgp_house.mjs';

const needs = (name, value) => ({ name, description: `The tool ${name}`, annotations: { readOnlyHint: true },
	inputSchema: { type: 'object', properties: { value }, required: ['value'] } });
const tools = [
	needs('count', { type: 'integer' }),
	needs('strange', { type: 'string', pattern: '(' }),
];
const house = await flowHouse({ kernel: FREE, servers: [new Outsider('guide', { plain: true, tools })] });
const client = await house.plain('ann', 'guide', { era: 'legacy' });
const { guide } = house;

test('answers: a whole number is one however it is written', async () => {
	for (const value of [3, 1e20, -7]) {
		const session = await Guided.start(client, 'count');
		await session.says(value);
		await session.result();
		assert.equal(argumentsOf(guide, 'count').at(-1).value, value);
	}
	const session = await Guided.start(client, 'count');
	for (const value of [1.5, 1e-3, '3'])
		assert.equal((await session.respond(value)).accepted, false, String(value));
});

test('answers: a pattern of the schema that cannot be read matches everything, as it does for a call', async () => {
	const session = await Guided.start(client, 'strange');
	assert.equal(session.started.initialPrompt.validation.pattern, undefined);
	await session.says('anything');
	assert.equal((await session.result()).finalResult.success, true);
});

test('answers: whoever listens hears a summary with the end', async () => {
	const session = await Guided.start(client, 'count', { initialParams: { value: 1 } });
	const { summary } = await session.is('completed');
	assert.equal(summary, 'the tool came to its end');
});
