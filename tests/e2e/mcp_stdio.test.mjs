// SPDX-License-Identifier: Apache-2.0
// hustings mcp: the stdio face for MCP hosts, bridged to Streamable HTTP, in both eras.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { McpHttpServer } from './lib/mcp_http_server.mjs';
import { until, within } from './lib/wait.mjs';

const ends = [];
after(async () => {
	for (const end of ends.reverse())
		await end();
});

async function fixture(options) {
	const server = await McpHttpServer.start(options);
	ends.push(() => server.stop());
	return server;
}

function facing(server, { face = [] } = {}) {
	return {
		command: BINARY, args: ['mcp', '--url', server.url, ...face],
		env: { HOME: freshFolder(), PATH: process.env.PATH, HUSTINGS_TOKEN: server.token },
	};
}

/** The official client over `hustings mcp`. */
async function connect(server, { face, handlers = () => {} } = {}) {
	const transport = new StdioClientTransport({ ...facing(server, { face }), stderr: 'pipe' });
	const client = new Client({ name: 'host', version: '1' }, { capabilities: { elicitation: {} } });
	client.stderr = '';
	transport.stderr.on('data', (text) => { client.stderr += text; });
	client.errors = [];
	client.onerror = (error) => client.errors.push(error);
	handlers(client);
	await within(client.connect(transport), 'initialize over stdio');
	ends.push(() => client.close());
	return client;
}

/** A host that speaks lines by hand. */
function lines(server, face) {
	const { command, args, env } = facing(server, { face });
	const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
	const host = { child, said: [], stderr: '' };
	let rest = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		rest += text;
		const whole = rest.split('\n');
		rest = whole.pop();
		for (const line of whole)
			host.said.push(JSON.parse(line));
	});
	child.stderr.setEncoding('utf8').on('data', (text) => { host.stderr += text; });
	host.exit = new Promise((done) => { child.on('exit', (code, signal) => done({ code, signal })); });
	host.send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
	host.answer = (id) => until(() => host.said.find((message) => message.id === id && message.method === undefined),
		`the answer to ${id} (said: ${JSON.stringify(host.said)}; ${host.stderr})`);
	ends.push(async () => { child.kill('SIGKILL'); await host.exit; });
	return host;
}

async function begin(host) {
	host.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'h', version: '1' } } });
	await host.answer(1);
	host.send({ method: 'notifications/initialized' });
}

function textOf(result) {
	return result.content[0].text;
}

function call(client, name, args = {}, options = {}) {
	return within(client.request({ method: 'tools/call', params: { name, arguments: args } }, CallToolResultSchema,
		{ timeout: 60_000, ...options }), `tools/call ${name}`);
}

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

for (const json of [false, true]) {
	test(`a legacy host lists and calls tools (answers as ${json ? 'JSON' : 'events'})`, async () => {
		const server = await fixture({ json });
		const client = await connect(server);
		assert.equal(client.getServerVersion().name, 'http-fixture');
		const { tools } = await within(client.listTools(), 'tools/list');
		assert.deepEqual(tools.map(({ name }) => name), ['echo', 'ask', 'steps', 'cut', 'wait']);
		const texts = Array.from({ length: 20 }, (_, at) => `text ${at} \u2028 "\\`);
		const answers = await Promise.all(texts.map((text) => call(client, 'echo', { text })));
		assert.deepEqual(answers.map(textOf), texts);
		const [first, second] = server.requests;
		assert.equal(first.body.method, 'initialize');
		assert.equal(first.url, '/mcp');
		assert.equal(first.headers['mcp-session-id'], undefined);
		assert.equal(second.body.method, 'notifications/initialized');
		assert.ok(second.headers['mcp-session-id']);
		assert.equal(second.headers['mcp-protocol-version'], '2025-11-25');
		assert.deepEqual(client.errors, []);
	});
}

test('the faces of one server and of a room have their own paths', async () => {
	const server = await fixture();
	await connect(server, { face: ['--server', 'files'] });
	await connect(server, { face: ['--topic', 'team/one'] });
	const paths = server.requests.filter(({ body }) => body?.method === 'initialize').map(({ url }) => url);
	assert.deepEqual(paths, ['/mcp/servers/files', '/mcp/rooms/team%2Fone']);
});

test('a question during a call reaches the host, and its answer the server', async () => {
	const server = await fixture();
	const client = await connect(server, { handlers: (host) => {
		host.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { which: 'this' } }));
	} });
	assert.equal(textOf(await call(client, 'ask')), '{"which":"this"}');
});

test('progress comes before the result', async () => {
	const server = await fixture();
	const host = lines(server);
	await begin(host);
	host.send({ id: 2, method: 'tools/call', params: { name: 'steps', arguments: {}, _meta: { progressToken: 'mine' } } });
	await host.answer(2);
	assert.deepEqual(host.said.slice(1).map(({ params, result }) => params?.progress ?? textOf(result)), [1, 2, 3, 'all steps']);
	assert.equal(host.said[1].params.progressToken, 'mine');
});

test('what the server says by itself comes by the GET stream', async () => {
	const server = await fixture();
	let changes = 0;
	const client = await connect(server);
	client.fallbackNotificationHandler = async ({ method }) => { changes += method === 'notifications/tools/list_changed'; };
	await until(() => server.requests.some(({ method }) => method === 'GET'), 'the GET stream');
	const [{ server: session }] = server.sessions.values();
	await until(async () => {
		await session.sendToolListChanged();
		return changes > 0;
	}, 'a change of the list');
});

test('an answer that was cut off goes on behind its last event', async () => {
	const server = await fixture();
	const client = await connect(server);
	assert.equal(textOf(await call(client, 'cut')), 'after the cut');
	assert.ok(server.requests.some(({ method, headers }) => method === 'GET' && headers['last-event-id'] !== undefined));
});

test('a legacy host cancels by its notification', async () => {
	const server = await fixture();
	const client = await connect(server);
	const stop = new AbortController();
	const cancelled = assert.rejects(call(client, 'wait', {}, { signal: stop.signal }));
	await until(() => server.waiting.length === 1, 'the call is under way');
	stop.abort();
	await cancelled;
	await until(() => server.cancelled.length === 1, 'the server hears of it');
});

test('a session that ended is begun again unseen, with its level and subscriptions', async () => {
	const server = await fixture();
	const client = await connect(server);
	await within(client.subscribeResource({ uri: 'note://one' }), 'subscribe');
	await within(client.subscribeResource({ uri: 'note://two' }), 'subscribe');
	await within(client.unsubscribeResource({ uri: 'note://two' }), 'unsubscribe');
	await within(client.setLoggingLevel('warning'), 'logging/setLevel');
	await server.forget();
	const answers = await Promise.all(['a', 'b', 'c'].map((text) => call(client, 'echo', { text })));
	assert.deepEqual(answers.map(textOf), ['a', 'b', 'c']);
	await until(() => server.levels.length === 2 && server.subscribed.length === 3, 'what was kept is said again');
	assert.deepEqual(server.subscribed, ['note://one', 'note://two', 'note://one']);
	assert.equal(server.begun, 2);
	assert.deepEqual(client.errors, []);
});

test('a gateway that was away and came back goes on', async () => {
	const server = await fixture();
	const client = await connect(server);
	assert.equal(textOf(await call(client, 'echo', { text: 'before' })), 'before');
	await server.leave();
	const listed = within(client.listTools(), 'tools/list');
	await until(() => server.turnedAway > 0, 'it is asked while it is away');
	server.isAway = false;
	assert.equal((await listed).tools.length, 5);
	assert.equal(textOf(await call(client, 'echo', { text: 'after' })), 'after');
	assert.equal(server.begun, 2);
});

test('a modern host: headers of each request, several in flight, cancelled by closing', async () => {
	const server = await fixture();
	const host = lines(server);
	host.send({ id: 'd', method: 'server/discover', params: { _meta: META } });
	assert.deepEqual((await host.answer('d')).result.supportedVersions, ['2026-07-28']);
	for (const [id, name] of [[1, 'wait'], [2, 'plain'], [3, 'Größe ☃'], [4, ' blank '], [5, 'wait'], [6, '=?base64?x?=']])
		host.send({ id, method: 'tools/call', params: { name, arguments: {}, _meta: META } });
	assert.equal(textOf((await host.answer(2)).result), 'plain');
	assert.equal(textOf((await host.answer(3)).result), 'Größe ☃');
	assert.equal(textOf((await host.answer(4)).result), ' blank ');
	assert.equal(textOf((await host.answer(6)).result), '=?base64?x?=');
	await until(() => server.waiting.length === 2, 'both calls are under way');
	host.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
	await until(() => server.modernClosed.includes(1), 'the stream is closed');
	for (const go of server.waiting)
		go();
	assert.equal(textOf((await host.answer(5)).result), 'waited');
	host.send({ id: 7, method: 'tools/call', params: { name: 'nothing', _meta: META } });
	assert.deepEqual((await host.answer(7)).error, { code: -32601, message: 'not here' });
	assert.equal(host.said.some(({ id }) => id === 1), false);
	host.child.stdin.end();
	assert.deepEqual(await within(host.exit, 'the end'), { code: 0, signal: null });
});

test('the session ends with the host, after the last answer', async () => {
	const server = await fixture();
	const host = lines(server);
	await begin(host);
	host.send({ id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'last' } } });
	host.child.stdin.end();
	assert.equal(textOf((await host.answer(2)).result), 'last');
	assert.deepEqual(await within(host.exit, 'the end'), { code: 0, signal: null });
	assert.equal(server.sessions.size, 0);
	assert.ok(server.requests.some(({ method }) => method === 'DELETE'));
});

test('lines that are none, and a token that is refused, are answered', async () => {
	const server = await fixture();
	const host = lines(server);
	host.child.stdin.write('this is no JSON\n\n{"jsonrpc":"2.0","id":3}\n');
	assert.equal((await host.answer(3)).error.code, -32600);
	assert.equal(host.said[0].error.code, -32700);
	server.token = 'another';
	host.send({ id: 4, method: 'tools/list' });
	const { error } = await host.answer(4);
	assert.equal(error.code, -32603);
	host.child.kill('SIGTERM');
	assert.deepEqual(await within(host.exit, 'the end'), { code: 0, signal: null });
});
