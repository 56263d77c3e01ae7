// SPDX-License-Identifier: Apache-2.0
// Published servers called with parameters left out, by clients as they are published too: each is asked for exactly what is
// missing, by elicitation (MCP to 2025-11-25), by MRTR (2026-07-28) and by MCP Flow, and then the call is made.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshFolder, Gateway } from './lib/gateway.mjs';
import { entry, published } from './lib/hosted.mjs';
import { modern } from './lib/mcp_wire.mjs';
import { RealClient } from './lib/real_clients.mjs';
import { until } from './lib/wait.mjs';

const folder = join(realpathSync(freshFolder()), 'shared');
mkdirSync(folder);
writeFileSync(join(folder, 'letter.txt'), 'Dear all,');
const CONFIG = entry('everything', published('everything')) + entry('filesystem', published('filesystem'), [folder])
	+ entry('memory', published('memory'), [], `[servers.env]\nMEMORY_FILE_PATH = ${JSON.stringify(join(folder, '..', 'memory.jsonl'))}\n`);

/** server: [tool, what is given, what a person fills in, what is asked for, what the text then shows]. */
const CASES = {
	everything: ['get-sum', { a: 2 }, { b: 40 }, { b: 'number' }, /42/],
	filesystem: ['write_file', { path: join(folder, 'new.txt') }, { content: 'by a form' }, { content: 'string' }, /new\.txt/],
	memory: ['create_entities', {}, { entities: '[{"name":"Ada","entityType":"person","observations":["wrote the first program"]}]' },
		{ entities: 'string' }, /Ada/],
};
let gateway;
before(async () => { gateway = await Gateway.start({ open: true, config: CONFIG }); });
after(() => gateway.finish());

/** The same with a name in it that nobody else uses: memory tells of what is new to it alone. */
const filledBy = (who, filled) => JSON.parse(JSON.stringify(filled).replaceAll('Ada', `Ada of ${who}`));

for (const kind of ['sdk', 'client', 'modern']) {
	for (const [id, [tool, given, example, fields, shown]] of Object.entries(CASES)) {
		const filled = filledBy(kind, example);
		test(`${kind} calls ${tool} of ${id} without ${Object.keys(fields)}, and is asked for that alone`, async () => {
			const asked = [];
			const client = await RealClient.connect(kind, { url: `${gateway.url}/mcp/servers/${id}?id=${kind}` }, {
				capabilities: { elicitation: { form: {} } },
				answers: { 'elicitation/create': ({ params }) => { asked.push(params); return { action: 'accept', content: filled }; } } });
			try {
				assert.match(await client.text(tool, given), shown);
				assert.deepEqual(asked.map(({ requestedSchema }) => Object.fromEntries(Object.entries(requestedSchema.properties)
					.map(([name, { type }]) => [name, type]))), [fields]);
				assert.deepEqual(asked[0].requestedSchema.required, Object.keys(fields));
				await client.text(tool, { ...given, ...Object.fromEntries(Object.entries(filled)
					.map(([name, value]) => [name, fields[name] === 'string' && name === 'entities' ? JSON.parse(value) : value])) });
				assert.equal(asked.length, 1, 'asked though nothing was missing');
			} finally {
				await client.close();
			}
		});
	}
}

for (const [id, [tool, given, example, fields, shown]] of Object.entries(CASES)) {
	const filled = filledBy('flow', example);
	test(`MCP Flow asks for ${Object.keys(fields)} of ${tool} of ${id}, and then the call is made`, async () => {
		const ask = async (method, params) => {
			const said = await (await modern(`${gateway.url}/mcp/servers/${id}?id=flow`, method, params)).next();
			assert.ok(said.error === undefined, `${method}: ${JSON.stringify(said.error)}`);
			return said.result;
		};
		let { sessionId, initialPrompt: prompt } = await ask('interaction.start', { toolName: tool, initialParams: given });
		const names = [];
		let state;
		while (prompt !== undefined) {
			names.push(prompt.name);
			const value = prompt.type === 'custom' ? JSON.parse(filled[prompt.name]) : filled[prompt.name];
			const said = await ask('interaction.respond', { sessionId, response: { value } });
			assert.equal(said.accepted, true, JSON.stringify(said));
			sessionId = said.sessionId ?? sessionId;
			state = await until(async () => {
				const now = await ask('interaction.getState', { sessionId });
				return now.state !== 'processing' && now;
			}, `${tool} goes on`);
			prompt = state.currentPrompt;
		}
		assert.deepEqual(names, Object.keys(fields));
		assert.equal(state.state, 'completed', JSON.stringify(state));
		const { finalResult } = await ask('interaction.complete', { sessionId });
		assert.equal(finalResult.success, true);
		assert.match(finalResult.data.content.map(({ text }) => text).join('\n'), shown);
	});
}

test('what was written by a form stands there', () => {
	assert.equal(readFileSync(join(folder, 'new.txt'), 'utf8'), 'by a form');
});
