// SPDX-License-Identifier: Apache-2.0
// MCP Flow, interaction.continue, from a server that leads by itself: progress alone, and progress with the next prompt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Guided } from './lib/flow_tools.mjs';
import { FREE, MgpHouse } from './lib/mgp_house.mjs';

const SERVER = fileURLToPath(new URL('./lib/flow_continue_server.mjs', import.meta.url));
const house = await MgpHouse.forFile({ kernel: FREE, text: `[[servers]]\nid = "steps"\ncommand = ${JSON.stringify(process.execPath)}\n`
	+ `args = ${JSON.stringify([SERVER])}\nshare = "principal"\n` });
await house.is('steps', 'connected');

test('continue: brings progress, and the next prompt where there is one', async () => {
	const client = await house.plain('ann', 'steps');
	client.answers['interaction.continue'] = () => ({ result: { acknowledged: true } });
	client.answers['interaction.complete'] = ({ result }) => ({ result: { success: true, finalResult: result } });
	await client.open();
	const session = await Guided.start(client, 'steps');
	const isIts = (params) => params.sessionId === session.id;
	await session.says('one');
	const asked = await client.hears('interaction.continue', (params) => isIts(params) && params.nextPrompt !== undefined);
	assert.equal(asked.params.nextPrompt.type, 'text');
	assert.equal(asked.params.nextPrompt.message, 'Next step...');
	assert.deepEqual(asked.params.progress, { current: 3, total: 5 });
	await session.says('two');
	const told = await client.hears('interaction.continue', (params) => isIts(params) && params.nextPrompt === undefined);
	assert.deepEqual(told.params.progress, { current: 5, total: 5 });
	const { params: { result } } = await client.hears('interaction.complete', isIts);
	assert.deepEqual(result.data, { said: ['one', 'two'] });
});
