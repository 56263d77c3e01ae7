// SPDX-License-Identifier: Apache-2.0
// Every error of the gateway's own says in one stable word, data.type, what it is; a server's own error comes as it was.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Gateway } from './lib/gateway.mjs';
import { joinOpen, request } from './lib/house.mjs';
import { legacy, modern, post } from './lib/mcp_wire.mjs';

const SERVER = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'conformance_server.mjs');
const gateway = await Gateway.start({ open: true, config: `[[servers]]\nid = "all"\nrooms = ["lab"]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(SERVER)}]\n` });
test.after(() => gateway.finish());

const url = (path) => `${gateway.url}${path}?id=ann`;
const wordOf = (answer) => [answer.error?.code, answer.error?.data?.type];
const WRONG = [
	['a tool that is not there', 'tools/call', { name: 'nothing', arguments: {} }, [-32602, 'invalid_params']],
	['a method that is not there', 'no/such', {}, [-32601, 'method_not_found']],
];

for (const path of ['/mcp', '/mcp/servers/all'])
	for (const [what, method, params, ours] of WRONG) {
		/* The face of one server hands on what it does not know, and the server's error as it came. */
		const expected = path !== '/mcp' && method === 'no/such' ? [ours[0], undefined] : ours;
		test(`${path}, legacy: ${what}`, async () => {
			const session = await legacy(url(path));
			assert.deepEqual(wordOf(await (await session.request(method, params)).next()), expected);
		});

		test(`${path}, modern: ${what}`, async () => {
			assert.deepEqual(wordOf(await (await modern(url(path), method, params)).next()), expected);
		});
	}

test('a method of guided sessions that clients do not send', async () => {
	const session = await legacy(url('/mcp/servers/all'));
	assert.deepEqual(wordOf(await (await session.request('interaction.continue', {})).next()), [-32601, 'method_not_found']);
});

test('what is no JSON, and what is no request', async () => {
	const broken = await fetch(url('/mcp'), { method: 'POST', body: '{"jsonrpc":', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } });
	assert.deepEqual(wordOf(await broken.json()), [-32700, 'parse_error']);
	assert.deepEqual(wordOf(await (await post(url('/mcp'), { jsonrpc: '1.0', id: 1, method: 'ping' })).next()), [-32600, 'invalid_request']);
});

for (const [what, method, params, expected] of WRONG)
	test(`a server's seat in a room: ${what}`, async () => {
		const bob = await joinOpen(gateway, 'lab', `bob-${what.length}`);
		bob.send(request(['all'], { method, params }));
		const { payload } = await bob.next(({ from, kind, payload: { error } }) => from === 'all' && kind === 'mcp' && error);
		assert.deepEqual(wordOf(payload), expected);
		bob.close();
	});
