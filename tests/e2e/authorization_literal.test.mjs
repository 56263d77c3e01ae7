// SPDX-License-Identifier: Apache-2.0
// ADR-001 as its text draws it: the owner answers with -32001, asks the room, and answers the same request a second time. What
// callers of ours make of it: the command, and a room as an MCP server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import WebSocket from 'ws';
import { command } from './lib/gateway.mjs';
import { freshTopic, house as openHouse, houseFor, joinAs } from './lib/house.mjs';
import { legacy } from './lib/mcp_wire.mjs';
import { until, within } from './lib/wait.mjs';

const TOOL = { name: 'dangerous_operation', description: 'Performs a dangerous operation', inputSchema: { type: 'object' } };
const gateway = await openHouse();

/** agent-b in a room: what a call of its tool is answered with, once somebody has decided. */
async function agentB(t, topic, of = gateway) {
	const socket = new WebSocket(`${of.url.replace('http', 'ws')}/v0/ws?topic=${encodeURIComponent(topic)}`,
		{ headers: { authorization: `Bearer ${await of.token({ id: 'agent-b', privilege: 'full' })}` } });
	t.after(() => socket.terminate());
	let sent = 0;
	const say = (more, payload) => socket.send(JSON.stringify({ protocol: 'mcpx/v0.1', id: `${topic}-${++sent}`, kind: 'mcp', ...more,
		payload: { jsonrpc: '2.0', ...payload } }));
	const held = new Map();
	function call(id, params, from, answer) {
		const request = { id: `auth-${id}`, tool: TOOL.name, arguments: params.arguments, requester: from, reason: 'Tool requires user approval' };
		held.set(request.id, answer);
		const expiresAt = new Date(Date.now() + 300_000).toISOString();
		answer({ error: { code: -32001, message: 'Authorization required', data: { authorizationRequest: { ...request, expiresAt } } } });
		say({}, { method: 'notifications/authorization/request', params: request });
	}
	function decided(params) {
		held.get(params.authorizationId)?.(params.decision === 'approve'
			? { result: { content: [{ type: 'text', text: 'Operation completed successfully' }] } }
			: { error: { code: -32002, message: 'Authorization denied', data: { reason: params.reason } } });
	}
	socket.on('message', (data) => {
		const { id, from, to, kind, payload } = JSON.parse(data);
		if (kind !== 'mcp' || !to?.includes('agent-b') || from === 'agent-b')
			return;
		const answer = (more) => say({ to: [from], correlation_id: id }, { id: payload.id, ...more });
		if (payload.method === 'initialize')
			answer({ result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } } });
		else if (payload.method === 'tools/list')
			answer({ result: { tools: [TOOL] } });
		else if (payload.method === 'tools/call')
			call(id, payload.params, from, answer);
		else if (payload.method === 'authorization/respond')
			decided(payload.params);
	});
	await within(new Promise((done) => socket.on('open', done)), 'agent-b is in the room');
}

/** A person that decides about every call as its target says. */
async function person(t, topic) {
	const one = await joinAs(gateway, topic, 'user-1', { privilege: 'full' });
	t.after(() => one.close());
	(async () => {
		for (;;) {
			const { payload: { params } } = await one.next(({ payload }) => payload.method === 'notifications/authorization/request');
			one.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: 'authorization/respond',
				params: { authorizationId: params.id, decision: params.arguments.target === 'test' ? 'approve' : 'deny', reason: 'User denied authorization' } } });
		}
	})().catch(() => {});
}

test('the command waits for the second answer, and says so', async (t) => {
	const topic = freshTopic();
	await agentB(t, topic);
	await person(t, topic);
	const token = await gateway.token({ id: 'agent-a', privilege: 'full' });
	const call = (target) => command(['call', topic, 'agent-b', TOOL.name, JSON.stringify({ target }), '--url', gateway.url, '--token', token], { home: gateway.home });
	const done = await call('test');
	assert.deepEqual([done.code, done.stdout.trim()], [0, 'Operation completed successfully'], done.stderr);
	assert.match(done.stderr, /agent-b asks somebody first, .*: Tool requires user approval/);
	const denied = await call('production');
	assert.equal(denied.code, 1);
	assert.match(denied.stderr, /-32002: Authorization denied: User denied authorization/);
});

test('a room as an MCP server holds the call until the second answer', async (t) => {
	const topic = freshTopic();
	await agentB(t, topic);
	await person(t, topic);
	const token = await gateway.token({ id: 'agent-a', privilege: 'full' });
	const client = await legacy(`${gateway.url}/mcp/rooms/${encodeURIComponent(topic)}`, { token });
	await until(async () => (await (await client.request('tools/list')).next()).result.tools.some(({ name }) => name === `agent-b__${TOOL.name}`), 'the tool of agent-b');
	const call = async (target) => (await client.request('tools/call', { name: `agent-b__${TOOL.name}`, arguments: { target } }, target)).next();
	assert.equal((await call('test')).result.content[0].text, 'Operation completed successfully');
	const { error } = await call('production');
	assert.deepEqual([error.code, error.data.reason], [-32002, 'User denied authorization']);
});

test('the end: a call that a participant holds is answered, and nobody is waited for', async (t) => {
	const own = await houseFor(t);
	const topic = freshTopic();
	await agentB(t, topic, own);
	const ann = await joinAs(own, topic, 'ann', { privilege: 'full' });
	const client = await legacy(`${own.url}/mcp/rooms/${encodeURIComponent(topic)}`, { token: await own.token({ id: 'agent-a', privilege: 'full' }) });
	await until(async () => (await (await client.request('tools/list')).next()).result.tools.some(({ name }) => name === `agent-b__${TOOL.name}`), 'the tool of agent-b');
	const held = client.request('tools/call', { name: `agent-b__${TOOL.name}`, arguments: {} }).then((stream) => stream.next());
	await ann.next(({ payload }) => payload.method === 'notifications/authorization/request');
	own.signal('SIGTERM');
	const { error } = await within(held, 'the answer of a gateway that ends');
	assert.equal(error.data.type, 'not_ready');
	assert.match(error.message, /the gateway is ending/);
	assert.deepEqual(await within(own.exit, 'the exit'), { code: 0, signal: null });
});
