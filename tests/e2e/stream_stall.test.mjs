// SPDX-License-Identifier: Apache-2.0
// Readers that stall (MGP 12, docs/internals/streams.md): whoever does not read its stream holds nobody else back, costs
// the gateway no more than its bound, and gets the whole answer when it reads again.

import assert from 'node:assert/strict';
import net from 'node:net';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { privateMemory } from './lib/hosted.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { pause, until, within } from './lib/wait.mjs';

const BUILD = process.env.HUSTINGS_BUILD ?? resolve(fileURLToPath(import.meta.url), '../../../build');
const MIB = 1024 * 1024;
const CHUNKS = 3000;
const OCTETS = 16 * 1024; // of a chunk: 48 MB in all, more than the buffers of all sockets and pipes on the way hold
const MAY_GROW = 40 * MIB; // their bounds of 1 MiB each, what sockets need, and what the allocator (a sanitizer's too) keeps
const ALL = { version: '0.2.0', extensions: ['streaming'] };
const server = (id, more) => `[[servers]]\nid = "${id}"\ncommand = ${JSON.stringify(join(BUILD, 'tests', 'stream_server'))}\n${more}\n`;

const remoteServer = await MgpHttpServer.start({ id: 'remote', extensions: ['streaming'], tools: [
	{ name: 'stream', annotations: { readOnlyHint: true }, does: [{ script: [{ chunks: CHUNKS, octets: OCTETS }, { answer: { content: [{ type: 'text', text: String(CHUNKS) }] } }] }] }] });
after(() => remoteServer.stop());
const remote = new Outsider('remote', {}, {}, { url: remoteServer.url, share: 'principal' });

const house = await MgpHouse.forFile({ servers: [remote], text: server('own', 'share = "principal"') + server('all', 'share = "all"') });
await house.is('own', 'connected');
await house.is('all', 'connected');
await house.is('remote', 'connected');

/** A call of a stream whose answer is read only when it is told to. */
class Stalled {
	static async open(client, params, id = 77) {
		const one = new Stalled();
		const { hostname, port, pathname } = new URL(client.url);
		const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, _mgp: { stream: true } } });
		one.received = '';
		one.socket = net.connect({ host: hostname, port: Number(port) });
		one.closed = new Promise((done) => { one.socket.on('close', done); });
		one.socket.on('error', () => {});
		one.socket.on('data', (part) => {
			one.take(part);
			if (!one.reads)
				one.socket.pause();
		});
		one.socket.write([`POST ${pathname} HTTP/1.1`, `Host: ${hostname}:${port}`, 'Content-Type: application/json',
			'Accept: application/json, text/event-stream', `Authorization: Bearer ${client.token}`,
			...Object.entries(client.headers).map(([name, value]) => `${name}: ${value}`),
			`Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'));
		one.indices = [];
		await until(() => one.socket.bytesRead > 0, 'the stream begins');
		return one;
	}

	take(part) {
		this.received += part.toString('latin1');
		for (let end; (end = this.received.indexOf('\n\n')) >= 0; this.received = this.received.slice(end + 2)) {
			const found = /"request_id":(\d+),"index":(\d+)/.exec(this.received.slice(0, end));
			if (found !== null)
				this.indices.push(Number(found[2]));
			const answer = /\{"jsonrpc":"2\.0","id":77.*\}/.exec(this.received.slice(0, end));
			if (answer !== null)
				this.answer = JSON.parse(answer[0]);
		}
	}

	/** Reads on to the answer. */
	async finish() {
		this.reads = true;
		this.socket.resume();
		await until(() => this.answer !== undefined, 'the answer of who stalled');
		this.socket.destroy();
		return this.answer.result;
	}
}

const isOrdered = (indices) => indices.every((one, at) => at === 0 || one > indices[at - 1]);
const params = (more = {}) => ({ name: 'stream', arguments: { chunks: CHUNKS, octets: OCTETS, brief: true, ...more } });

/** Waits until memory stands still; hands out what it came to at most. */
async function most(pid) {
	let greatest = 0;
	for (let still = 0; still < 20;) {
		const now = privateMemory(pid);
		still = now > greatest ? 0 : still + 1;
		greatest = Math.max(greatest, now);
		await pause(50);
	}
	return greatest;
}

async function streamOf(client) {
	const answer = await client.request('tools/call', { name: 'stream', arguments: { chunks: 200, octets: 20 }, _mgp: { stream: true } }, { id: 5 });
	assert.equal(answer.result.content[0].text.length, 200 * 20);
	const chunks = client.heard.filter(({ method }) => method === 'notifications/mgp.stream.chunk');
	assert.deepEqual(chunks.map(({ params: { request_id, index } }) => [request_id, index]), [...Array(200).keys()].map((index) => [5, index]));
}

test('a reader that stalls costs a bound of memory, and reads on without a gap where it is alone', async () => {
	const ann = await house.client('ann', 'own', { mgp: ALL });
	await streamOf(ann);
	const before = privateMemory(house.gateway.pid);
	const stalled = await Stalled.open(ann, params());
	const grown = await most(house.gateway.pid) - before;
	assert.ok(grown < MAY_GROW, `${grown} octets more`);
	const ben = await house.client('ben', 'own', { mgp: ALL });
	await streamOf(ben); // in a conversation of its own
	const result = await stalled.finish();
	assert.equal(stalled.indices.length, CHUNKS);
	assert.ok(isOrdered(stalled.indices));
	assert.equal(result._mgp.chunks_sent, CHUNKS);
});

test('where others share the conversation they go on, and the one that stalled has its whole answer', async () => {
	const [ann, ben, cem] = await Promise.all(['ann', 'ben', 'cem'].map((id) => house.client(id, 'all', { mgp: ALL })));
	const before = privateMemory(house.gateway.pid);
	const stalled = [await Stalled.open(ann, params()), await Stalled.open(cem, params())];
	for (let i = 0; i < 5; i++) {
		await streamOf(ben);
		ben.heard.length = 0;
	}
	const grown = await most(house.gateway.pid) - before;
	assert.ok(grown < MAY_GROW, `${grown} octets more`);
	for (const one of stalled) {
		const result = await one.finish();
		assert.ok(isOrdered(one.indices));
		assert.ok(one.indices.length < CHUNKS, 'what is past the bound is left out');
		assert.equal(result.content[0].text, String(CHUNKS));
	}
});

test('a stream that stalls can be cancelled, and its conversation serves on', async () => {
	const ann = await house.client('ann', 'own', { mgp: ALL });
	const stalled = await Stalled.open(ann, params());
	await most(house.gateway.pid);
	const cancelled = await ann.ask('mgp/stream/cancel', { request_id: 77, reason: 'user_cancelled' });
	assert.deepEqual(cancelled, { cancelled: true, partial_result: { content: [{ type: 'text', text: 'partly' }] } });
	const result = await stalled.finish();
	assert.equal(result._mgp.cancelled, true);
	assert.deepEqual(result.content, cancelled.partial_result.content);
	await streamOf(ann);
});

test('a reader that stalls and goes leaves its server to others', async () => {
	const ann = await house.client('ann', 'own', { mgp: ALL });
	const stalled = await Stalled.open(ann, params());
	await most(house.gateway.pid);
	stalled.socket.destroy();
	await within(stalled.closed, 'the connection is closed');
	await streamOf(ann);
	await until(async () => (await house.server('own')).health !== 'unhealthy', 'it is well');
});

test('a remote server is held back as well, where the reader is alone', async () => {
	const ann = await house.client('ann', 'remote', { mgp: ALL });
	const before = privateMemory(house.gateway.pid);
	const stalled = await Stalled.open(ann, params());
	const grown = await most(house.gateway.pid) - before;
	assert.ok(grown < MAY_GROW, `${grown} octets more`);
	const result = await stalled.finish();
	assert.equal(result.content[0].text, String(CHUNKS));
	assert.equal(stalled.indices.length, CHUNKS);
});
