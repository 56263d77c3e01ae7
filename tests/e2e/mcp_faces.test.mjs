// SPDX-License-Identifier: Apache-2.0
// MCP over HTTP: any client, any server behind the gateway, in either era.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Gateway } from './lib/gateway.mjs';
import { legacy, modern, post } from './lib/mcp_wire.mjs';
import { until } from './lib/wait.mjs';

const SERVER = join(dirname(fileURLToPath(import.meta.url)), 'lib', 'conformance_server.mjs');
const server = (id) => `[[servers]]\nid = "${id}"\ncommand = ${JSON.stringify(process.execPath)}\n` +
	`args = [${JSON.stringify(SERVER)}, "--era", "${id}"]\n`;

const gateway = await Gateway.start({ open: true, config: ['legacy', 'modern', 'dual'].map(server).join('') });
test.after(() => gateway.finish());
const face = (id) => `${gateway.url}/mcp/servers/${id}`;
const all = `${gateway.url}/mcp`;
const ASK = 'test_input_required_result_elicitation';
const CAN_ASK = { capabilities: { elicitation: {} } };
const zoe = { action: 'accept', content: { name: 'Zoe' } };

for (const era of ['legacy', 'modern', 'dual']) {
	test(`a legacy client calls a tool of a ${era} server and answers its question`, async () => {
		const session = await legacy(face(era), CAN_ASK);
		assert.equal(session.result.serverInfo.name, 'conformance');
		const plain = await (await session.request('tools/call', { name: 'test_simple_text' })).next();
		assert.equal(plain.result.content[0].text, 'This is a simple text response for testing.');
		const call = await session.request('tools/call', { name: ASK }, 'ask');
		const question = await call.next();
		assert.equal(question.method, 'elicitation/create');
		assert.equal((await session.say({ id: question.id, result: zoe })).status, 202);
		const answer = await call.next();
		assert.equal(answer.id, 'ask');
		assert.equal(answer.result.content[0].text, 'Hello, Zoe!');
	});

	test(`a modern client calls a tool of a ${era} server and answers its question`, async () => {
		const plain = await (await modern(face(era), 'tools/call', { name: 'test_simple_text' })).next();
		assert.equal(plain.result.resultType, 'complete');
		const asked = await (await modern(face(era), 'tools/call', { name: ASK }, CAN_ASK)).next();
		assert.equal(asked.result.resultType, 'input_required');
		const { requestState } = asked.result;
		const [key] = Object.keys(asked.result.inputRequests);
		const answer = await (await modern(face(era), 'tools/call',
			{ name: ASK, inputResponses: { [key]: zoe }, ...(requestState && { requestState }) }, CAN_ASK)).next();
		assert.equal(answer.result.content[0].text, 'Hello, Zoe!');
	});
}

test('a held call goes on only for the request that its state was given out for', async () => {
	const tool = { name: ASK, arguments: { a: 1 } };
	const asked = await (await modern(face('legacy'), 'tools/call', tool, CAN_ASK)).next();
	const { requestState, inputRequests } = asked.result;
	const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, zoe]));
	const retry = async (url, params) => (await modern(url, 'tools/call',
		{ ...tool, inputResponses, requestState, ...params }, CAN_ASK)).next();
	const refused = [
		await retry(`${face('legacy')}?id=somebody`, {}),
		await retry(face('legacy'), { arguments: { a: 2 } }),
		await retry(face('legacy'), { requestState: requestState.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
		await retry(face('legacy'), { requestState: 'hus1.1.1' }),
	];
	for (const one of refused)
		assert.equal(one.error?.code, -32602, JSON.stringify(one));
	assert.equal((await retry(face('legacy'), {})).result.content[0].text, 'Hello, Zoe!');
	assert.equal((await retry(face('legacy'), {})).error.code, -32602, 'a state is good for one round');
});

test('a question is asked again when its answer is not sound', async () => {
	const asked = await (await modern(face('legacy'), 'tools/call', { name: ASK }, CAN_ASK)).next();
	const [key] = Object.keys(asked.result.inputRequests);
	const again = await (await modern(face('legacy'), 'tools/call', {
		name: ASK, inputResponses: { [key]: { action: 'perhaps' } }, requestState: asked.result.requestState }, CAN_ASK)).next();
	assert.deepEqual(again.result.inputRequests, asked.result.inputRequests);
	assert.notEqual(again.result.requestState, asked.result.requestState);
});

test('two clients that are asked at once each get their own question', async () => {
	const [ann, bob] = await Promise.all(['ann', 'bob'].map((id) => legacy(`${face('legacy')}?id=${id}`, CAN_ASK)));
	const calls = await Promise.all([ann, bob].map((one) => one.request('tools/call', { name: ASK })));
	const [first, second] = await Promise.all(calls.map((call) => call.next()));
	await bob.say({ id: second.id, result: { action: 'accept', content: { name: 'Bob' } } });
	await ann.say({ id: first.id, result: { action: 'accept', content: { name: 'Ann' } } });
	assert.equal((await calls[0].next()).result.content[0].text, 'Hello, Ann!');
	assert.equal((await calls[1].next()).result.content[0].text, 'Hello, Bob!');
});

test('what a client cannot answer it is not asked', async () => {
	const refused = await modern(`${face('legacy')}?id=mute`, 'tools/call', { name: ASK });
	assert.equal(refused.status, 400);
	const { error } = await refused.next();
	assert.equal(error.code, -32021);
	assert.deepEqual(error.data.requiredCapabilities, { elicitation: {} });
});

test('an argument that stands in a header has to be the same there', async () => {
	const tool = { name: 'test_headers', arguments: { where: 'Hello' } };
	await (await modern(face('legacy'), 'tools/list')).next();
	const call = async (headers) => (await modern(face('legacy'), 'tools/call', tool, { headers })).next();
	const encoded = (words) => `=?base64?${Buffer.from(words).toString('base64')}?=`;
	for (const where of ['Hello', encoded('Hello')])
		assert.equal((await call({ 'mcp-param-where': where })).result.content[0].text, 'in Hello');
	for (const headers of [{}, { 'mcp-param-where': 'hello' }, { 'mcp-param-where': encoded('Hell') },
		{ 'mcp-param-where': '=?base64?SGVsbG8?=' }])
		assert.equal((await call(headers)).error?.code, -32020, JSON.stringify(headers));
});

test('progress carries the token of the client', async () => {
	const call = await modern(face('legacy'), 'tools/call',
		{ name: 'test_tool_with_progress', _meta: { progressToken: 'mine' } });
	for (const progress of [0, 50, 100]) {
		const { method, params } = await call.next();
		assert.equal(method, 'notifications/progress');
		assert.equal(params.progressToken, 'mine');
		assert.equal(params.progress, progress);
	}
	assert.equal((await call.next()).result.content[0].text, 'done');
});

test('the face of all servers has their tools under names of its own', async () => {
	const session = await legacy(all, CAN_ASK);
	const { result } = await (await session.request('tools/list')).next();
	const names = result.tools.map((tool) => tool.name);
	assert.equal(new Set(names).size, names.length);
	for (const id of ['legacy', 'modern', 'dual']) {
		assert.ok(names.includes(`${id}__test_simple_text`));
		const { result: called } = await (await session.request('tools/call', { name: `${id}__test_simple_text` })).next();
		assert.equal(called.content[0].text, 'This is a simple text response for testing.');
	}
	assert.equal((await (await session.request('tools/call', { name: 'legacy__nothing' })).next()).result?.isError ?? true, true);
	assert.equal((await (await session.request('tools/call', { name: 'nobody__x' })).next()).error.code, -32602);
	const { result: read } = await (await session.request('resources/read', { uri: 'test://static-text' })).next();
	assert.equal(read.contents[0].uri, 'test://static-text');
});

test('a change of a list reaches those who listen for it alone', async () => {
	const aborted = new AbortController();
	const listen = (notifications) => modern(face('legacy'), 'subscriptions/listen', { notifications },
		{ signal: aborted.signal, id: 'ear' });
	const tools = await listen({ toolsListChanged: true });
	const prompts = await listen({ promptsListChanged: true });
	assert.equal((await tools.next()).method, 'notifications/subscriptions/acknowledged');
	assert.deepEqual((await prompts.next()).params.notifications, { promptsListChanged: true });
	await (await modern(face('legacy'), 'tools/call', { name: 'test_trigger_tool_change' })).next();
	await (await modern(face('legacy'), 'tools/call', { name: 'test_trigger_prompt_change' })).next();
	const told = await tools.next();
	assert.equal(told.method, 'notifications/tools/list_changed');
	assert.equal(told.params._meta['io.modelcontextprotocol/subscriptionId'], 'ear');
	assert.equal((await prompts.next()).method, 'notifications/prompts/list_changed');
	aborted.abort();
});

test('a server that cannot start hides none of the others', async () => {
	const broken = await Gateway.start({ open: true,
		config: `[[servers]]\nid = "broken"\ncommand = "/does/not/exist"\n${server('legacy')}` });
	try {
		await until(async () => {
			const { result } = await (await modern(`${broken.url}/mcp`, 'tools/list')).next();
			return result.tools.some((tool) => tool.name === 'legacy__test_simple_text');
		}, 'the tools of the other server');
		const refused = await (await modern(`${broken.url}/mcp/servers/broken`, 'tools/call', { name: 'x' })).next();
		assert.equal(refused.result.isError, true, JSON.stringify(refused));
	} finally {
		await broken.finish();
	}
});

test('without a token there is no way in, and a session is its principal\'s alone', async () => {
	const closed = await Gateway.start({ config: server('legacy') });
	try {
		const url = `${closed.url}/mcp/servers/legacy`;
		assert.equal((await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 401);
		const [ann, bob] = [await closed.token({ id: 'ann' }), await closed.token({ id: 'bob' })];
		assert.equal((await closed.command(['access', 'grant', 'ann', 'legacy'])).code, 0);
		const session = await legacy(url, { token: ann });
		assert.equal((await session.request('ping')).status, 200);
		const stolen = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: session.headers, token: bob });
		assert.equal(stolen.status, 404);
	} finally {
		await closed.finish();
	}
});
