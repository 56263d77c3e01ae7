// SPDX-License-Identifier: Apache-2.0
// hustings mcp in front of a gateway with a hosted server: its faces as a host on stdin and stdout sees them.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { BINARY, Gateway } from './lib/gateway.mjs';
import { until, within } from './lib/wait.mjs';

const SCRIPTED = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'stdio_server.mjs');
const ends = [];
let gateway;

before(async () => {
	gateway = await Gateway.start({
		config: `[[servers]]\nid = "scripted"\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(SCRIPTED)}, "faces"]\n`,
	});
});

after(async () => {
	for (const end of ends.reverse())
		await end();
	await gateway.finish();
});

async function connect(face = []) {
	const transport = new StdioClientTransport({
		command: BINARY, args: ['mcp', '--data', gateway.data, ...face],
		env: { HOME: gateway.home, PATH: process.env.PATH }, stderr: 'pipe',
	});
	const client = new Client({ name: 'host', version: '1' });
	transport.stderr.on('data', () => {});
	await within(client.connect(transport), 'initialize over stdio');
	ends.push(() => client.close());
	return client;
}

/** The tool of that name, as soon as its server has started. */
function tool(client, name) {
	return until(async () => (await client.listTools()).tools.find((one) => one.name === name), `the tool ${name}`);
}

for (const [what, face, name] of [
	['all servers', [], 'scripted__echo'],
	['one server', ['--server', 'scripted'], 'echo'],
]) {
	test(`the face of ${what} lists and calls its tools`, async () => {
		const client = await connect(face);
		await tool(client, name);
		const { content } = await within(client.callTool({ name, arguments: { text: 'good morning' } }), 'tools/call');
		assert.deepEqual(content, [{ type: 'text', text: 'good morning' }]);
	});
}

test('a gateway that restarts is met again, and its servers with it', async () => {
	const client = await connect(['--server', 'scripted']);
	await tool(client, 'echo');
	await gateway.restart();
	await tool(client, 'echo');
	const { content } = await within(client.callTool({ name: 'echo', arguments: { text: 'again' } }), 'tools/call');
	assert.deepEqual(content, [{ type: 'text', text: 'again' }]);
});
