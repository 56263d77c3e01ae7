// SPDX-License-Identifier: Apache-2.0
// MGP 1.4: streams, callbacks, events and finding tools over the other transports of MCP: stdio in front of the gateway, HTTP
// with SSE as of 2024-11-05, and batches.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { ALL, MgpClient } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { post } from './lib/mcp_wire.mjs';
import { until, within } from './lib/wait.mjs';

const CHUNK = 'notifications/mgp.stream.chunk';
const CALLBACK = 'notifications/mgp.callback.request';
const readOnly = { readOnlyHint: true };
const WHOLE = 'Quantum computing is a paradigm that uses';
const THINK = { name: 'think', arguments: { message: 'Explain quantum computing' }, _mgp: { stream: true } };
const tools = [
	{ name: 'think', description: 'Explain something', annotations: readOnly, does: [{ script: [{ chunk: 'Quantum computing is' }, { chunk: ' a paradigm that uses' }] }] },
	{ name: 'lasts', annotations: readOnly, does: [{ script: [{ chunk: 'half of it' }, { hold: 'lasts' }] }] },
	{ name: 'delete', annotations: readOnly, does: [{ script: [{ callback: { type: 'confirmation', message: 'Continue?', options: ['confirm', 'cancel'], timeout_ms: 60_000 } }] }] },
	{ name: 'told', annotations: readOnly, does: 'told' },
];
const extensions = ['security', 'streaming', 'bidirectional'];
const mind = new Outsider('mind', { extensions, tools, events: ['model.token_usage'] });
const remoteServer = await MgpHttpServer.start({ id: 'remote', folder: freshFolder(), extensions, tools, events: ['model.remote'] });
after(() => remoteServer.stop());
const remote = new Outsider('remote', {}, {}, { url: remoteServer.url });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [mind, remote] });
await house.allConnected();
const mgp = { version: '0.2.0', extensions: ALL };
const initialize = (protocolVersion) => ({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion, capabilities: { mgp }, clientInfo: { name: 'outside', version: '1' } } });

/** One that speaks messages: send(), and all that it heard. */
class Speaker {
	heard = [];

	hears(fits, what) {
		return until(() => this.heard.find(fits), what ?? `${fits}`);
	}

	async ask(id, method, params = {}) {
		this.send({ jsonrpc: '2.0', id, method, params });
		return this.answer(id);
	}

	answer(id) {
		return this.hears((one) => one.id === id && one.method === undefined, `the answer to ${id}`);
	}

	chunks(id) {
		return this.heard.filter(({ method, params }) => method === CHUNK && params.request_id === id).map(({ params }) => params);
	}
}

/** `hustings mcp` as a host runs it. */
async function host() {
	const speaker = new Speaker();
	const child = spawn(BINARY, ['mcp', '--data', house.gateway.data, '--server', 'mind'], { stdio: ['pipe', 'pipe', 'ignore'],
		env: { HOME: house.gateway.home, PATH: process.env.PATH } });
	const end = new Promise((done) => child.on('close', done));
	after(async () => {
		child.stdin.end();
		await within(end, 'the host ends').catch(() => child.kill('SIGKILL'));
	});
	let rest = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		const lines = (rest + text).split('\n');
		rest = lines.pop();
		speaker.heard.push(...lines.map((line) => JSON.parse(line)));
	});
	speaker.send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
	return speaker;
}

/** A client of 2024-11-05: one stream for everything, messages to the endpoint that it names. */
async function old() {
	const speaker = new Speaker();
	const headers = { authorization: `Bearer ${await house.token('ann')}` };
	const control = new AbortController();
	after(() => control.abort());
	const url = house.url('/mcp/servers/mind/sse');
	const response = await within(fetch(url, { signal: control.signal, headers: { accept: 'text/event-stream', ...headers } }), url);
	let endpoint;
	(async () => {
		let rest = '';
		for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
			rest += part;
			for (let at; (at = rest.indexOf('\n\n')) >= 0; rest = rest.slice(at + 2)) {
				const data = rest.slice(0, at).split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('\n');
				if (endpoint === undefined)
					endpoint = new URL(data, url);
				else if (data !== '')
					speaker.heard.push(JSON.parse(data));
			}
		}
	})().catch(() => {});
	await until(() => endpoint, 'the endpoint');
	speaker.send = (message) => post(endpoint, message, { headers }).catch(() => {});
	return speaker;
}

for (const [what, connect, version] of [['hustings mcp', host, '2025-06-18'], ['HTTP with SSE', old, '2024-11-05']]) {
	const begun = async () => {
		const speaker = await connect();
		speaker.send(initialize(version));
		const { result } = await speaker.answer(0);
		for (const extension of ['streaming', 'bidirectional', 'tool_discovery'])
			assert.ok(result.capabilities.mgp.extensions.includes(extension), extension);
		speaker.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
		return speaker;
	};

	test(`12.4 a stream over ${what}: chunks under the asker's id, then the whole answer`, async () => {
		const speaker = await begun();
		const { result } = await speaker.ask(20, 'tools/call', THINK);
		assert.equal(result.content[0].text, WHOLE);
		assert.equal(result._mgp.streamed, true);
		assert.deepEqual(speaker.chunks(20).map(({ index, content }) => [index, content.text]), [[0, 'Quantum computing is'], [1, ' a paradigm that uses']]);
		const answered = speaker.heard.findIndex(({ id, method }) => id === 20 && method === undefined);
		assert.ok(speaker.heard.findLastIndex(({ method }) => method === CHUNK) < answered, 'no chunk behind the answer');
	});

	test(`12.7 a cancel over ${what}`, async () => {
		const speaker = await begun();
		speaker.send({ jsonrpc: '2.0', id: 20, method: 'tools/call', params: { name: 'lasts', arguments: {}, _mgp: { stream: true } } });
		await speaker.hears(({ method }) => method === CHUNK);
		const { result } = await speaker.ask(22, 'mgp/stream/cancel', { request_id: 20, reason: 'user_cancelled' });
		assert.deepEqual([result.cancelled, result.partial_result], [true, { content: [{ type: 'text', text: 'half of it' }] }]);
		assert.equal((await speaker.answer(20)).result._mgp.cancelled, true);
	});

	test(`13.3 events over ${what}`, async () => {
		const speaker = await begun();
		const { result } = await speaker.ask(30, 'mgp/events/subscribe', { channels: ['model.token_usage', 'system.error'] });
		assert.deepEqual(result.subscribed, ['model.token_usage', 'system.error']);
		// A stream of its own that comes a moment later than the answer: nothing is missed, the events are numbered.
		await speaker.ask(31, 'tools/call', { name: 'told', arguments: { script: [{ event: { channel: 'model.token_usage', data: { tokens_used: 1500 } } }, { answer: { content: [] } }] } });
		const { params } = await speaker.hears(({ method }) => method === 'notifications/mgp.event');
		assert.deepEqual([params.subscription_id, params.seq, params.channel, params.data], [result.subscription_id, 1, 'model.token_usage', { tokens_used: 1500 }]);
	});

	test(`13.4 a callback over ${what}`, async () => {
		const speaker = await begun();
		speaker.send({ jsonrpc: '2.0', id: 20, method: 'tools/call', params: { name: 'delete', arguments: {} } });
		const { params } = await speaker.hears(({ method }) => method === CALLBACK);
		assert.equal(params.request_id, 20);
		assert.equal((await speaker.ask(32, 'mgp/callback/respond', { callback_id: params.callback_id, response: 'confirm' })).result.accepted, true);
		assert.equal(JSON.parse((await speaker.answer(20)).result.content[0].text)[0].response, 'confirm');
	});

	test(`16.5 discover over ${what}`, async () => {
		const speaker = await begun();
		const { result } = await speaker.ask(50, 'mgp/tools/discover', { query: 'explain something' });
		assert.equal(result.tools[0].name, 'think');
	});
}

test('12.4 two streams of one batch (2025-03-26) are told apart by their request ids', async () => {
	const client = await MgpClient.legacy(house.url('mind'), { token: await house.token('ann'), version: '2025-03-26' });
	const answer = await post(client.url, [20, 21].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: THINK })), { headers: client.headers, token: client.token });
	const said = [];
	for (let one; (one = await answer.next()) !== undefined;)
		said.push(...[one].flat());
	for (const id of [20, 21]) {
		assert.equal(said.filter((one) => one.id === id).length, 1);
		assert.equal(said.find((one) => one.id === id).result.content[0].text, WHOLE);
		assert.deepEqual(said.filter(({ method, params }) => method === CHUNK && params.request_id === id).map(({ params }) => params.index), [0, 1]);
	}
});

for (const era of ['legacy', 'modern']) {
	test(`12.7 13.3 13.4 a server behind a URL streams, is cancelled, asks and tells like one on stdio (${era})`, async () => {
		const client = await house.client('ann', 'remote', { era });
		if (era === 'legacy')
			await client.open();
		const begun = client.begin('tools/call', { name: 'told', arguments: { script: [{ chunk: 'half of it' }, { hold: 'x' }] }, _mgp: { stream: true } });
		await begun.hears(CHUNK);
		const { cancelled, partial_result } = await client.ask('mgp/stream/cancel', { request_id: begun.id, reason: 'user_cancelled' });
		assert.deepEqual([cancelled, partial_result], [true, { content: [{ type: 'text', text: 'half of it' }] }]);
		assert.equal((await begun.answer).result._mgp.cancelled, true);
		assert.ok(remoteServer.received.some(({ message: { method, params } }) => method === 'mgp/stream/cancel' && params.reason === 'user_cancelled'));

		const asks = client.begin('tools/call', { name: 'delete', arguments: {} });
		const { params } = await asks.hears(CALLBACK);
		await client.ask('mgp/callback/respond', { callback_id: params.callback_id, response: 'confirm' });
		assert.equal(JSON.parse((await asks.answer).result.content[0].text)[0].response, 'confirm');

		const subscription = await client.subscribe({ channels: ['model.remote'] });
		assert.deepEqual(subscription.subscribed, ['model.remote']);
		await client.request('tools/call', { name: 'told', arguments: { script: [{ event: { channel: 'model.remote', data: { n: 1 } } }, { answer: { content: [] } }] } });
		assert.deepEqual((await client.event(subscription)).data, { n: 1 });
	});
}
