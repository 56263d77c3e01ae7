// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP at the faces of a gateway, in both eras.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCRIPTED } from '../../../tests/e2e/lib/attached.mjs';
import { SDK_SERVER, entry } from '../../../tests/e2e/lib/hosted.mjs';
import { freshTopic, house } from '../../../tests/e2e/lib/house.mjs';
import { ALL } from '../../../tests/e2e/lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider } from '../../../tests/e2e/lib/mgp_house.mjs';
import { OFFICE } from '../../../tests/e2e/lib/mgp_tools.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, faultOf, joined, somebody } from './lib/client.mjs';

const gateway = await house({ config: `[kernel]\npolicy = "auto_approve"\napproval = "auto_approve"\ndefault_policy = "opt-out"\n${
	entry('sdk', SDK_SERVER, ['client-face'])}${entry('scripted', SCRIPTED, ['client-face'])}` });
const ann = await somebody(gateway, 'ann', { kind: 'human' });
const admin = adminOf(gateway);
await until(async () => (await admin.servers()).every(({ state }) => state === 'connected'), 'the servers are connected');

const textOf = (result) => result.content[0].text;

for (const era of ['modern', 'legacy']) {
	const one = ann.mcp('/mcp/servers/sdk', { era });
	const all = ann.mcp('/mcp', { era });

	test(`${era}: tools are listed and called, at one server's face and at all`, async () => {
		assert.ok((await one.listTools()).some(({ name }) => name === 'echo'));
		assert.equal(textOf(await one.callTool('echo', { words: 'hello' })), 'hello');
		const tool = await until(async () => (await all.listTools()).find(({ name }) => name === 'sdk__echo'), 'it is listed there');
		assert.equal(tool.description, 'does echo');
		assert.equal(textOf(await all.callTool('sdk__echo', { words: 'h\u00e9llo' })), 'h\u00e9llo');
	});

	test(`${era}: an error of the call rejects with its code`, async () => {
		const fault = await faultOf(one.request('tools/call', { name: 'echo', arguments: 7 }));
		assert.equal(fault.code, '-32602');
		assert.equal((await faultOf(one.request('no/such/method'))).code, '-32601');
	});

	test(`${era}: progress comes before the result`, async () => {
		const heard = [];
		const call = one.callTool('steps', { count: 3, name: `steps-${era}` }, { onProgress: ({ progress, message }) => heard.push([progress, message]) });
		await until(() => heard.length === 3, 'progress is heard');
		await one.callTool('release', { name: `steps-${era}` });
		assert.equal(textOf(await call), 'all steps');
		assert.deepEqual(heard, [[1, 'step 1'], [2, 'step 2'], [3, 'step 3']]);
	});

	test(`${era}: a call that is aborted is cancelled at the server`, async () => {
		const control = new AbortController();
		const call = one.callTool('hold', { name: `held-${era}` }, { signal: control.signal });
		call.catch(() => {});
		await until(async () => textOf(await one.callTool('held')).includes(`held-${era}`), 'it is held');
		control.abort(new Error('enough'));
		await assert.rejects(call, /enough/);
		await until(async () => textOf(await one.callTool('cancelled')).includes(`held-${era}`), 'the server hears of it');
	});

	test(`${era}: a call that takes too long ends, and is cancelled too`, async () => {
		assert.equal((await faultOf(one.callTool('hold', { name: `late-${era}` }, { timeoutMs: 500 }))).code, 'timeout');
		await until(async () => textOf(await one.callTool('cancelled')).includes(`late-${era}`), 'the server hears of it');
	});

	test(`${era}: a server asks while its call is open`, async () => {
		const asked = [];
		const result = await one.callTool('ask', { question: 'What?' }, { onInput: ({ method, params }) => {
			asked.push([method, params.message]);
			return { action: 'accept', content: { said: 'this' } };
		} });
		assert.equal(textOf(result), 'What? accept this');
		assert.deepEqual(asked, [['elicitation/create', 'What?']]);
		const declined = await one.callTool('ask', { question: 'And?' }, { onInput: () => ({ action: 'decline' }) });
		assert.equal(textOf(declined), 'And? decline');
	});

	test(`${era}: a changed list is heard of`, async (t) => {
		const heard = [];
		const face = ann.mcp('/mcp/servers/scripted', { era });
		const watch = face.listen({ heard: ({ method }) => heard.push(method), state: (state) => heard.push(state) });
		t.after(() => watch.close());
		await until(() => heard.includes(era === 'modern' ? 'notifications/subscriptions/acknowledged' : 'live'), 'the stream is open');
		await face.callTool('grow', { name: `grown-${era}` });
		await until(() => heard.includes('notifications/tools/list_changed'), 'the change is heard');
		assert.ok((await face.listTools()).some(({ name }) => name === `grown-${era}`));
		watch.close();
		await watch.closed;
		assert.equal(heard.at(-1), 'ended');
	});
}

test('without words about the era the newest is spoken', async () => {
	const face = ann.mcp('/mcp/servers/sdk');
	assert.ok((await face.request('server/discover')).supportedVersions.includes('2026-07-28'));
});

test('a face that speaks nothing newer is spoken to in the legacy era', async () => {
	const seen = [];
	/* A gateway of before 2026-07-28: it knows no such version, and has sessions. */
	const old = async (url, { method, body, headers }) => {
		const message = body === undefined ? {} : JSON.parse(body);
		seen.push(message.method ?? method);
		const json = (answer, more = {}) => new Response(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }),
			{ status: more.status ?? 200, headers: { 'content-type': 'application/json', ...more.headers } });
		if (headers['mcp-protocol-version'] === '2026-07-28')
			return json({ error: { code: -32022, message: 'no', data: { supported: ['2025-11-25'], requested: '2026-07-28' } } }, { status: 400 });
		if (message.method === 'initialize')
			return json({ result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'old', version: '1' } } }, { headers: { 'mcp-session-id': 's' } });
		assert.equal(headers['mcp-session-id'], 's');
		return message.id === undefined ? new Response(null, { status: 202 }) : json({ result: { tools: [{ name: 'only', inputSchema: {} }] } });
	};
	const face = clientOf(gateway, { token: 'x', fetch: old }).mcp('/mcp');
	assert.deepEqual((await face.listTools()).map(({ name }) => name), ['only']);
	await face.listTools();
	assert.deepEqual(seen, ['tools/list', 'initialize', 'notifications/initialized', 'tools/list', 'tools/list']);
	await face.close();
	assert.equal(seen.at(-1), 'DELETE');
});

test('legacy: a session that the gateway has forgotten is begun anew', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [new Outsider('plain', { plain: true, tools: OFFICE })] });
	own.gateway.args[own.gateway.args.indexOf('--listen') + 1] = `127.0.0.1:${own.gateway.port}`;
	await own.allConnected();
	const face = (await somebody(own.gateway, 'ann')).mcp('/mcp/servers/plain', { era: 'legacy' });
	assert.equal((await face.listTools()).length, OFFICE.length);
	const states = [];
	const watch = face.listen({ heard: () => {}, state: (state) => states.push(state) });
	t.after(() => watch.close());
	await until(() => states.includes('live'), 'its stream is open');
	await own.gateway.restart();
	await own.allConnected();
	assert.equal((await face.listTools()).length, OFFICE.length);
	await until(() => states.indexOf('waiting') >= 0 && states.at(-1) === 'live', 'its stream is open again');
});

test('who may not come in is told so', async () => {
	const fault = await faultOf(clientOf(gateway, { token: 'nobody' }).mcp('/mcp').listTools());
	assert.equal(fault.status, 401);
	assert.equal((await faultOf(ann.mcp('/mcp/servers/none').listTools())).status, 404);
});

test('a room is a face too: its participants\' tools', async (t) => {
	const topic = freshTopic();
	await joined(t, await somebody(gateway, 'bob', { kind: 'robot' }), topic, { tools: [{ name: 'add', call: ({ a, b }) => String(a + b) }] });
	const face = ann.mcp(`/mcp/rooms/${encodeURIComponent(topic)}`);
	assert.ok((await face.listTools()).some(({ name }) => name === 'bob__add'));
	assert.equal(textOf(await face.callTool('bob__add', { a: 1, b: 2 })), '3');
});

test('tools are found, an answer is streamed, and marked arguments stand in the head', async (t) => {
	const words = ['One', ' two'];
	const marked = { name: 'marked', description: 'Takes a region', annotations: { readOnlyHint: true },
		inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } };
	const own = await MgpHouse.forTest(t, { kernel: FREE, servers: [new Outsider('office', { plain: true, tools: [...OFFICE, marked] }),
		new Outsider('mind', { extensions: ALL, tools: [{ name: 'think', description: 'Thinks aloud', annotations: { readOnlyHint: true },
			does: [{ script: words.map((chunk) => ({ chunk })) }] }] })] });
	await own.allConnected();
	const client = await somebody(own.gateway, 'ann');
	const face = client.mcp();
	const found = await until(async () => {
		const answer = await face.find('send a letter to somebody', { maxResults: 3 });
		return answer.tools.length > 0 && answer;
	}, 'something is found');
	assert.deepEqual([found.tools[0].name, found.tools[0].server_id], ['send_email', 'office']);
	assert.ok(found.tools[0].relevance_score > 0 && found.tools[0].relevance_score <= 1);
	assert.equal(typeof found.total_available, 'number');
	assert.ok((await face.callTool(found.tools[0].call_name, { to: 'x', subject: 'y', body: 'z' })).content);
	const here = await face.find('weather', { server: 'office' });
	assert.equal(here.tools[0].call_name, 'get_weather');
	const listed = await client.mcp('/mcp', { extensions: ['security', 'tool_discovery'] }).listTools();
	assert.ok(listed.find(({ name }) => name === 'office__send_email').security.risk_level);
	for (const era of ['modern', 'legacy']) {
		const chunks = [];
		const result = await client.mcp('/mcp/servers/mind', { era }).callTool('think', {}, { onChunk: ({ content }) => chunks.push(content.text) });
		assert.deepEqual([chunks, textOf(result)], [words, words.join('')]);
	}
	const at = client.mcp('/mcp/servers/office');
	await at.listTools();
	assert.match(textOf(await at.callTool('marked', { region: 'caf\u00e9' })), /caf\u00e9/);
	assert.match(textOf(await client.mcp('/mcp/servers/office').callTool('marked', { region: 'eu' })), /eu/, 'a tool that was not listed is looked up');
});
