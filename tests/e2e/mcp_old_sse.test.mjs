// SPDX-License-Identifier: Apache-2.0
// HTTP with SSE as of 2024-11-05: the SDK's old client, and the same by hand where it has to be refused.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import {
	ElicitRequestSchema, ResourceUpdatedNotificationSchema, ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Gateway } from './lib/gateway.mjs';
import { until, within } from './lib/wait.mjs';

const SERVER = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'conformance_server.mjs');
const server = (id) => `[[servers]]\nid = "${id}"\ncommand = ${JSON.stringify(process.execPath)}\n` +
	`args = [${JSON.stringify(SERVER)}, "--era", "${id}"]\n`;
const config = ['legacy', 'modern'].map(server).join('');

const gateway = await Gateway.start({ open: true, config });
test.after(() => gateway.finish());

/** The SDK's client of 2024-11-05, connected. */
async function connect(t, url, { capabilities = {}, headers = {} } = {}) {
	const client = new Client({ name: 'old', version: '1' }, { capabilities });
	await within(client.connect(new SSEClientTransport(new URL(url), { requestInit: { headers } })), `a connection to ${url}`);
	t.after(() => client.close());
	return client;
}

/** A GET that stays open: {status, headers, next(), close()}; next() is the next event, undefined at the end. */
async function listen(url, headers = {}) {
	const response = await within(new Promise((done, failed) => {
		http.get(url, { agent: false, headers: { accept: 'text/event-stream', ...headers } }, done).on('error', failed);
	}), `GET ${url}`);
	const events = (async function* () {
		let rest = '';
		for await (const part of response.setEncoding('utf8')) {
			rest += part;
			for (let end; (end = rest.indexOf('\n\n')) >= 0; rest = rest.slice(end + 2)) {
				const lines = rest.slice(0, end).split('\n').filter((line) => !line.startsWith(':'));
				const field = (name) => lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2)).join('\n');
				if (lines.length > 0)
					yield { event: field('event'), data: field('data') };
			}
		}
	})();
	return { status: response.statusCode, headers: response.headers, close: () => response.destroy(),
		next: () => within(events.next().catch(() => ({})), `an event of ${url}`).then(({ value }) => value) };
}

const hello = { jsonrpc: '2.0', id: 'h', method: 'initialize',
	params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } } };
const post = (path, body, options = {}) => gateway.request('POST', path, { body, ...options });

for (const path of ['/mcp/servers/legacy/sse', '/mcp/servers/legacy', '/mcp/servers/modern/sse']) {
	test(`an old client at ${path} lists, calls, reads and gets prompts`, async (t) => {
		const client = await connect(t, `${gateway.url}${path}`);
		assert.equal(client.getServerVersion().name, 'conformance');
		const { tools } = await client.listTools();
		assert.ok(tools.some(({ name }) => name === 'test_simple_text'));
		const called = await client.callTool({ name: 'test_simple_text' });
		assert.equal(called.content[0].text, 'This is a simple text response for testing.');
		assert.ok((await client.listPrompts()).prompts.length > 1);
		const { messages } = await client.getPrompt({ name: 'test_prompt_with_arguments', arguments: { arg1: 'a', arg2: 'b' } });
		assert.match(messages[0].content.text, /arg1='a'/);
		assert.ok((await client.listResources()).resources.length > 1);
		assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
		const { contents } = await client.readResource({ uri: 'test://static-text' });
		assert.match(contents[0].text, /static text/);
		assert.deepEqual(await client.ping(), {});
		await assert.rejects(client.callTool({ name: 'no such tool' }).then((result) => {
			if (result.isError)
				throw new Error(result.content[0].text);
		}));
	});

	test(`an old client at ${path} is asked, and its answer goes back`, async (t) => {
		const client = await connect(t, `${gateway.url}${path}`, { capabilities: { elicitation: {} } });
		client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
			assert.equal(params.message, 'What is your name?');
			return { action: 'accept', content: { name: 'Zoe' } };
		});
		const answer = await client.callTool({ name: 'test_input_required_result_elicitation' });
		assert.equal(answer.content[0].text, 'Hello, Zoe!');
	});

	test(`an old client at ${path} hears of changed lists`, async (t) => {
		const client = await connect(t, `${gateway.url}${path}`);
		let changes = 0;
		client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes += 1; });
		await client.callTool({ name: 'test_trigger_tool_change' });
		await until(() => changes > 0, 'the list change');
	});
}

test('an old client of all servers finds a tool by its name here, though no list was asked for', async (t) => {
	const fresh = await Gateway.start({ open: true, config });
	t.after(() => fresh.finish());
	const client = await connect(t, `${fresh.url}/mcp/sse`);
	const called = await client.callTool({ name: 'modern__test_simple_text' });
	assert.equal(called.content[0].text, 'This is a simple text response for testing.');
	const read = await client.readResource({ uri: 'test://static-text' });
	assert.match(read.contents[0].text, /static text/);
	const { tools } = await client.listTools();
	assert.ok(tools.some(({ name }) => name === 'legacy__test_simple_text'));
});

test('an old client sits in a room', async (t) => {
	const client = await connect(t, `${gateway.url}/mcp/rooms/${encodeURIComponent('room/old')}/sse?id=ann`);
	const { tools } = await client.listTools();
	const say = tools.find(({ name }) => /^chat.say$/.test(name)).name;
	const said = await client.callTool({ name: say, arguments: { text: 'from long ago' } });
	assert.ok(!said.isError, JSON.stringify(said));
	const { resources } = await client.listResources();
	const { contents } = await client.readResource({ uri: resources.find(({ uri }) => uri.endsWith('/chat')).uri });
	assert.match(contents[0].text, /from long ago/);
});

test('many requests of one session are under way at once', async (t) => {
	const client = await connect(t, `${gateway.url}/mcp/servers/legacy/sse`);
	const answers = await Promise.all(Array.from({ length: 50 }, (_, i) =>
		client.callTool({ name: 'test_headers', arguments: { where: `place ${i}` } })));
	assert.deepEqual(answers.map((one) => one.content[0].text), Array.from({ length: 50 }, (_, i) => `in place ${i}`));
});

test('the first event names the endpoint, and every message there is answered with 202', async (t) => {
	const stream = await listen(`${gateway.url}/mcp/servers/legacy/sse?id=ann`);
	t.after(() => stream.close());
	assert.equal(stream.status, 200);
	assert.equal(stream.headers['content-type'], 'text/event-stream');
	const first = await stream.next();
	assert.equal(first.event, 'endpoint');
	assert.match(first.data, /^\/mcp\/servers\/legacy\/sse\?session=[0-9a-f-]{36}&id=ann$/);
	const begun = await post(first.data, hello);
	assert.equal(begun.status, 202);
	assert.equal(begun.text, '');
	const answer = await stream.next();
	assert.equal(answer.event, 'message');
	assert.equal(JSON.parse(answer.data).result.protocolVersion, '2024-11-05');
	assert.equal((await post(first.data, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
	const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
	assert.equal((await post(first.data, batch)).status, 202);
	assert.deepEqual([JSON.parse((await stream.next()).data).id, JSON.parse((await stream.next()).data).id], [1, 2]);
	const params = { name: 'test_tool_with_progress', _meta: { progressToken: 'mine' } };
	assert.equal((await post(first.data, { jsonrpc: '2.0', id: 3, method: 'tools/call', params })).status, 202);
	for (const progress of [0, 50, 100]) {
		const told = JSON.parse((await stream.next()).data);
		assert.deepEqual([told.method, told.params.progressToken, told.params.progress], ['notifications/progress', 'mine', progress]);
	}
	assert.equal(JSON.parse((await stream.next()).data).id, 3);
	for (const [body, status] of [['{"jsonrpc"', 400], ['[]', 400], ['{"jsonrpc":"2.0"}', 400]])
		assert.equal((await post(first.data, body)).status, status, body);
	assert.equal((await post(first.data, 'ping', { headers: { 'content-type': 'text/plain' } })).status, 415);
});

test('a session is for its own principal, its own face and its own transport', async (t) => {
	const stream = await listen(`${gateway.url}/mcp/servers/legacy/sse?id=ann`);
	t.after(() => stream.close());
	const endpoint = (await stream.next()).data;
	const session = new URL(endpoint, gateway.url).searchParams.get('session');
	const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
	for (const path of [
		endpoint.replace('id=ann', 'id=bob'), `/mcp/servers/modern/sse?session=${session}&id=ann`, `/mcp/sse?session=${session}&id=ann`,
		'/mcp/servers/legacy/sse?id=ann', `/mcp/servers/legacy/sse?session=${session.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}&id=ann`,
	])
		assert.equal((await post(path, ping)).status, 404, path);
	const headers = { 'mcp-session-id': session };
	assert.equal((await post('/mcp/servers/legacy?id=ann', ping, { headers })).status, 404);
	assert.equal((await gateway.request('DELETE', '/mcp/servers/legacy?id=ann', { headers })).status, 404);
	assert.equal((await post(endpoint, ping)).status, 202);
	assert.equal(JSON.parse((await stream.next()).data).id, 1);
});

test('the end of the stream is the end of the session', async () => {
	const stream = await listen(`${gateway.url}/mcp/sse`);
	const endpoint = (await stream.next()).data;
	const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
	assert.equal((await post(endpoint, ping)).status, 202);
	stream.close();
	await until(async () => (await post(endpoint, ping)).status === 404, 'the session is gone');
});

test('a GET of a face is an old client only when it wants events and names no session', async (t) => {
	for (const headers of [{ accept: 'application/json' }, { accept: '*/*' },
		{ accept: 'text/event-stream', 'mcp-protocol-version': '2026-07-28' }])
		assert.equal((await gateway.request('GET', '/mcp', { headers })).status, 405, JSON.stringify(headers));
	assert.equal((await gateway.request('GET', '/mcp', { headers: { accept: 'text/event-stream', 'mcp-session-id': 'x' } })).status, 404);
	assert.equal((await gateway.request('HEAD', '/mcp/sse')).status, 200);
	const again = await listen(`${gateway.url}/mcp`, { 'mcp-protocol-version': '2025-11-25' });
	t.after(() => again.close());
	assert.match((await again.next()).data, /^\/mcp\/sse\?session=/);
});

test('a token is needed for the stream and for every message', async (t) => {
	const closed = await Gateway.start({ config });
	t.after(() => closed.finish());
	const ann = await closed.token({ id: 'ann', privilege: 'full' });
	const bob = await closed.token({ id: 'bob', privilege: 'full' });
	assert.equal((await closed.command(['access', 'grant', 'ann', 'legacy'])).code, 0);
	assert.equal((await closed.request('GET', '/mcp/sse')).status, 401);
	const stream = await listen(`${closed.url}/mcp/sse`, { authorization: `Bearer ${ann}` });
	t.after(() => stream.close());
	const endpoint = (await stream.next()).data;
	const say = (token) => closed.request('POST', endpoint, { token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
	assert.equal((await say(undefined)).status, 401);
	assert.equal((await say(bob)).status, 404);
	assert.equal((await say(ann)).status, 202);
	const client = await connect(t, `${closed.url}/mcp/servers/legacy/sse`, { headers: { authorization: `Bearer ${ann}` } });
	assert.ok((await client.listTools()).tools.length > 1);
});

const updates = `[[servers]]\nid = "updates"\ncommand = ${JSON.stringify(process.execPath)}\n` +
	`args = [${JSON.stringify(join(dirname(SERVER), 'stdio_updates.mjs'))}]\n`;

test('a subscribed resource is told of, to who subscribed', async (t) => {
	const fresh = await Gateway.start({ open: true, config: updates });
	t.after(() => fresh.finish());
	const client = await connect(t, `${fresh.url}/mcp/servers/updates/sse`);
	const updated = [];
	client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { updated.push(params.uri); });
	await client.subscribeResource({ uri: 'test://one' });
	await client.callTool({ name: 'touch' });
	await until(() => updated.includes('test://one'), 'the update');
});

test('a gateway that ends lets a call finish, and waits for nobody who only listens', async () => {
	const ending = await Gateway.start({ open: true, config: updates });
	const idle = await listen(`${ending.url}/mcp/sse`);
	await idle.next();
	const busy = await listen(`${ending.url}/mcp/servers/updates/sse`);
	const endpoint = (await busy.next()).data;
	await ending.ask('POST', endpoint, 202, { body: hello });
	await busy.next();
	const path = join(ending.home, 'goes-on');
	await ending.ask('POST', endpoint, 202, { body: { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'wait', arguments: { path } } } });
	ending.signal('SIGTERM');
	assert.equal(await idle.next(), undefined);
	writeFileSync(path, '');
	const answer = JSON.parse((await busy.next()).data);
	assert.equal(answer.id, 'call');
	assert.equal(answer.result.content[0].text, 'waited');
	assert.equal(await busy.next(), undefined);
	assert.equal((await within(ending.exit, 'the gateway ends')).code, 0);
});
