// SPDX-License-Identifier: Apache-2.0
// Big results pass octet for octet, too big ones are refused in words, and slow callers hold up nobody.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';
import { entry, peakMemory, SDK_SERVER } from './lib/hosted.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { pattern } from './lib/sdk_server.mjs';
import { until, within } from './lib/wait.mjs';

const MB = 1_000_000;
const SLOW = 64;
const ends = [];
let gateway;

before(async () => {
	gateway = await Gateway.start({ open: true, config: entry('sdk', SDK_SERVER) + entry('other', SDK_SERVER) });
});
after(async () => {
	for (const end of ends.reverse())
		await end();
	await gateway.finish();
});

async function client(kind, id, face = '/mcp/servers/sdk') {
	const one = await RealClient.connect(kind, { url: `${gateway.url}${face}?id=${id}` }, { capabilities: {} });
	ends.push(() => one.close());
	return one;
}

for (const kind of KINDS) {
	for (const octets of [1_000, 100_000, 1_048_576, 10 * MB]) {
		test(`a result of ${octets} octets passes octet for octet to ${kind}`, async () => {
			const one = await client(kind, 'reader');
			const said = await one.text('big', { octets, seed: octets });
			assert.equal(Buffer.byteLength(said), octets);
			assert.ok(said === pattern(octets, octets), 'the very text');
		});
	}
}

test('a result of 10 MB passes hustings mcp', async () => {
	const one = await RealClient.connect('sdk', { args: ['mcp', '--data', gateway.data, '--server', 'sdk'], home: gateway.home });
	ends.push(() => one.close());
	assert.ok(await one.text('big', { octets: 10 * MB, seed: 1 }) === pattern(10 * MB, 1), 'the very text');
});

test('a result of 10 MB passes without a second copy of it in memory', async () => {
	const mine = await Gateway.start({ open: true, config: entry('sdk', SDK_SERVER) });
	try {
		const one = await RealClient.connect('sdk', { url: `${mine.url}/mcp/servers/sdk?id=reader` }, { capabilities: {} });
		await one.text('big', { octets: 1_000, seed: 1 });
		const then = peakMemory(mine.pid);
		await one.text('big', { octets: 10 * MB, seed: 1 });
		const grown = peakMemory(mine.pid) - then;
		await one.close();
		assert.ok(grown < 25 * MB, `${grown} octets more for 10 MB`);
	} finally {
		await mine.finish();
	}
});

for (const kind of KINDS) {
	test(`a result beyond the limit is an error in words for ${kind}, and the server answers on`, async () => {
		const one = await client(kind, `greedy-${kind}`);
		const said = await one.call('big', { octets: 80 * MB, seed: 1 }).then(
			(result) => { assert.equal(result.isError, true, 'a result'); return JSON.stringify(result.content); },
			(error) => error.message);
		assert.match(said, /limit|large|big|long|exceed|MiB|octets|bytes/i);
		await until(async () => await one.text('echo', { words: 'on' }) === 'on', 'the server answers again');
		assert.equal(await (await client(kind, 'reader')).text('echo', { words: 'others' }), 'others');
	});
}

test('64 callers who wait for a slow tool do not keep the 65th from its answer', async () => {
	const slow = await Promise.all(Array.from({ length: SLOW }, () => client('sdk', 'patient')));
	const calls = slow.map((one, number) => one.text('hold', { name: `slow-${number}` }, { timeout: 120_000 }));
	const last = await client('sdk', 'patient');
	await until(async () => JSON.parse(await last.text('held')).length === SLOW, 'all of them are held');
	for (let number = 0; number < 10; number += 1)
		assert.equal(await last.text('echo', { words: `${number}` }), `${number}`);
	for (let number = 0; number < SLOW; number += 1)
		assert.equal(await last.text('release', { name: `slow-${number}` }), 'done');
	assert.deepEqual(await within(Promise.all(calls), 'all answers'), slow.map((_, number) => `released slow-${number}`));
});

for (const [where, face, tool] of [['at another server', '/mcp', 'other__echo'], ['at the same server', '/mcp/servers/sdk', 'echo']]) {
	test(`64 principals who wait for a slow tool do not keep the 65th from its answer ${where}`, async () => {
		const slow = await Promise.all(Array.from({ length: SLOW }, (_, number) => client('sdk', `patient-${number}`)));
		const aborted = new AbortController();
		const calls = slow.map((one, number) => one.text('hold', { name: `slow-${number}` },
			{ signal: aborted.signal, timeout: 120_000 }).catch(() => 'given up'));
		try {
			assert.equal(await (await client('sdk', 'sixty-fifth', face)).text(tool, { words: 'there' }), 'there');
		} finally {
			aborted.abort();
			await within(Promise.all(calls), 'all of them have given up');
		}
	});
}

test('callers who do not read their answers do not keep others from theirs', async () => {
	const sockets = [];
	const session = async (id) => {
		const headers = { accept: 'application/json, text/event-stream' };
		const begun = await gateway.request('POST', `/mcp/servers/sdk?id=${id}`, { headers, body: { jsonrpc: '2.0', id: 0,
			method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: id, version: '1' } } } });
		return { ...headers, 'mcp-session-id': begun.headers['mcp-session-id'], 'mcp-protocol-version': '2025-06-18' };
	};
	const headers = await session('deaf');
	try {
		for (let number = 0; number < SLOW; number += 1) {
			const body = JSON.stringify({ jsonrpc: '2.0', id: number, method: 'tools/call',
				params: { name: 'big', arguments: { octets: MB, seed: number } } });
			const asked = http.request({ host: gateway.host, port: gateway.port, method: 'POST',
				path: '/mcp/servers/sdk?id=deaf', agent: false,
				headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } },
			(response) => response.pause());
			asked.on('error', () => {});
			asked.on('socket', (socket) => sockets.push(socket));
			asked.end(body);
		}
		const one = await client('sdk', 'listener');
		for (let number = 0; number < 10; number += 1)
			assert.equal(await one.text('echo', { words: `${number}` }), `${number}`);
		const same = await client('modern', 'deaf');
		assert.equal(await same.text('echo', { words: 'still' }), 'still');
	} finally {
		for (const socket of sockets)
			socket.destroy();
	}
	await until(async () => (await gateway.request('GET', '/healthz')).status === 200, 'the gateway lives');
});

test('an old client that asks for much and reads none of it is dropped', async () => {
	const path = '/mcp/servers/sdk/sse?id=old';
	let request;
	const endpoint = await within(new Promise((done, failed) => {
		request = http.get({ host: gateway.host, port: gateway.port, path, agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
			response.once('data', (first) => {
				response.pause();
				done(/^data: (.*)$/m.exec(first)[1]);
			});
			response.on('error', () => {});
		});
		request.on('error', failed);
	}), 'the endpoint');
	try {
		const post = async (body) => (await gateway.request('POST', endpoint, { body })).status;
		const asks = Array.from({ length: 16 }, (_, seed) => ({ jsonrpc: '2.0', id: seed, method: 'tools/call',
			params: { name: 'big', arguments: { octets: 10 * MB, seed } } }));
		assert.equal(await post({ jsonrpc: '2.0', id: 'h', method: 'initialize',
			params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } } }), 202);
		assert.equal(await post({ jsonrpc: '2.0', method: 'notifications/initialized' }), 202);
		assert.equal(await post(asks), 202);
		await until(async () => await post({ jsonrpc: '2.0', id: 'p', method: 'ping' }) === 404, 'its session is over', 120_000);
		assert.match(gateway.stderr, /is dropped: over \d+ octets of its stream were not read/);
	} finally {
		request.destroy();
	}
});
