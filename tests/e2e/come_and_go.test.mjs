// SPDX-License-Identifier: Apache-2.0
// A thousand clients come, call and go, some without a word: the gateway's processes and descriptors are then
// what they were, and its memory is about what it was.

import assert from 'node:assert/strict';
import http from 'node:http';
import { before, after, test } from 'node:test';
import { command, Gateway } from './lib/gateway.mjs';
import { descendants, descriptors, entry, privateMemory, processesWith, SDK_SERVER, serversOf } from './lib/hosted.mjs';
import { RealClient } from './lib/real_clients.mjs';
import { MODERN } from './lib/mcp_wire.mjs';
import { until, within } from './lib/wait.mjs';

const CLIENTS = 1000;
const AT_ONCE = 20;
const STRANGERS = 24;
const SMALL_POOL = 16; // processes of one server for principals that may be asked
const MAY_GROW = 32 * 1024 * 1024;
const FACES = ['/mcp', '/mcp/servers/sdk'];
const META = 'io.modelcontextprotocol/';
let gateway;

before(async () => {
	gateway = await Gateway.start({ open: true,
		config: entry('sdk', SDK_SERVER, [], 'share = "all"') + entry('own', SDK_SERVER, ['own']) });
	await until(async () => {
		const { servers } = JSON.parse((await gateway.command(['server', 'list', '--json'])).stdout);
		return servers.every((server) => server.state === 'connected');
	}, 'both servers are there');
});
after(() => gateway.finish());

const accept = 'application/json, text/event-stream';

async function post(path, message, headers = {}) {
	const answer = await gateway.request('POST', path, { body: { jsonrpc: '2.0', ...message }, headers: { accept, ...headers } });
	assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
	return answer;
}

/** Opens the GET stream of a session, and goes away without closing the session. */
function glimpse(path, headers) {
	return within(new Promise((done, failed) => {
		const asked = http.request({ host: gateway.host, port: gateway.port, path, agent: false,
			headers: { accept: 'text/event-stream', ...headers } }, (response) => {
			response.on('error', () => {});
			response.socket.destroy();
			done();
		});
		asked.on('error', failed);
		asked.end();
	}), 'the head of the stream');
}

async function modernClient(path, tool, words) {
	const answer = await post(path, { id: 1, method: 'tools/call', params: { name: tool, arguments: { words },
		_meta: { [`${META}protocolVersion`]: MODERN, [`${META}clientCapabilities`]: {}, [`${META}clientInfo`]: { name: 'm', version: '1' } } } },
	{ 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': tool });
	assert.ok(answer.text.includes(words), answer.text);
}

/** Ends a session, which is then unknown. */
async function farewell(path, headers) {
	const ended = await gateway.request('DELETE', path, { headers });
	assert.ok(ended.status < 300, `DELETE: ${ended.status}`);
	const again = await gateway.request('DELETE', path, { headers });
	assert.equal(again.status, 404);
}

/** One client; most say good-bye, some do not. */
async function visit(number) {
	const face = FACES[number % 2];
	const path = `${face}?id=visitor-${number % 250}`;
	const tool = face === '/mcp' ? 'sdk__echo' : 'echo';
	const words = `visitor ${number}`;
	if (number % 5 === 4)
		return modernClient(path, tool, words);
	const begun = await post(path, { id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18',
		capabilities: number % 20 === 0 ? { elicitation: {} } : {}, clientInfo: { name: 'visitor', version: '1' } } });
	const headers = { 'mcp-session-id': begun.headers['mcp-session-id'], 'mcp-protocol-version': '2025-06-18' };
	await post(path, { method: 'notifications/initialized' }, headers);
	const answer = await post(path, { id: 1, method: 'tools/call', params: { name: tool, arguments: { words } } }, headers);
	assert.ok(answer.text.includes(words), answer.text);
	if (number % 7 === 3)
		await glimpse(path, headers);
	if (number % 3 !== 0)
		await farewell(path, headers);
	return undefined;
}

async function wave(from, count) {
	for (let number = from; number < from + count; number += AT_ONCE)
		await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => visit(number + one)));
}

function state() {
	return { processes: descendants(gateway.pid).length, descriptors: descriptors(gateway.pid), memory: privateMemory(gateway.pid) };
}

/** The state once two looks in a row agree on processes and descriptors. */
async function quiet() {
	let last = state();
	await until(() => {
		const now = state();
		const same = now.processes === last.processes && now.descriptors === last.descriptors;
		last = now;
		return same;
	}, 'nothing changes any more');
	return last;
}

test('a thousand clients leave nothing behind', async () => {
	await wave(0, 200);
	const then = await quiet();
	await wave(200, CLIENTS);
	await until(() => {
		const now = state();
		if (now.processes > then.processes || now.descriptors > then.descriptors)
			throw new Error(`then ${JSON.stringify(then)}, now ${JSON.stringify(now)}`);
		return true;
	}, 'processes and descriptors are what they were');
	const { memory } = state();
	assert.ok(memory < then.memory + MAY_GROW, `from ${then.memory} to ${memory} octets`);
	await visit(4);
});

test('strangers who may be asked have processes of their own, a few at a time', async () => {
	let most = 0;
	for (let number = 0; number < STRANGERS; number += 1) {
		const client = await RealClient.connect(number % 2 ? 'sdk' : 'modern',
			{ url: `${gateway.url}/mcp/servers/own?id=stranger-${number}` }, { capabilities: { elicitation: { form: {} } } });
		assert.equal(await client.text('echo', { words: `${number}` }), `${number}`);
		await client.close();
		const own = processesWith('own');
		most = Math.max(most, serversOf(gateway.pid, SDK_SERVER).filter((pid) => own.includes(pid)).length);
	}
	assert.ok(most <= SMALL_POOL, `${most} processes`);
	await until(() => descriptors(gateway.pid) < 40 + 8 * SMALL_POOL, 'descriptors of a few processes');
});

test('hosts that come by hustings mcp and are killed leave nothing behind', async () => {
	const to = { args: ['mcp', '--data', gateway.data, '--server', 'sdk'], home: gateway.home };
	const hosts = async (count) => {
		await Promise.all(Array.from({ length: count }, async (_, number) => {
			const client = await RealClient.connect('sdk', to, { capabilities: {} });
			assert.equal(await client.text('echo', { words: `host ${number}` }), `host ${number}`);
			if (number % 2 === 0)
				process.kill(client.transport.pid, 'SIGKILL');
			await client.close();
		}));
	};
	await hosts(2);
	const then = await quiet();
	for (let round = 0; round < 3; round += 1)
		await hosts(6);
	await until(() => {
		const now = state();
		if (now.processes > then.processes || now.descriptors > then.descriptors)
			throw new Error(`then ${JSON.stringify(then)}, now ${JSON.stringify(now)}`);
		return true;
	}, 'processes and descriptors are what they were');
	const health = await command(['doctor', '--data', gateway.data], { home: gateway.home });
	assert.ok(health.stdout.length > 0, 'the gateway is there to be looked at');
});
