// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0 in a room: a participant is led by a server that sits there; all see it, and nobody else can touch it.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { answerOf, ask, isAnswer } from './lib/attached.mjs';
import { argumentsOf, flowHouse, flowServer, isFlowError } from './lib/flow_tools.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { V0, V01, beforeMarker } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const topic = freshTopic();
const house = await flowHouse({ servers: [flowServer('guide', { share: 'principal', rooms: [topic] })] });
const { guide } = house;

/** Somebody in the room who has introduced itself to the server. */
async function member(t, name, { protocol = V01, privilege = 'full' } = {}) {
	const one = await joinAs(house.gateway, topic, `${name}-${randomUUID().slice(0, 6)}`, { protocol, privilege });
	t.after(() => one.close());
	if (!one.welcome.payload.participants.some(({ id }) => id === 'guide'))
		await one.next(isPresence('join', 'guide'));
	if (privilege === 'restricted')
		return one;
	one.hello = (await answerOf(one, 'guide', 'initialize', { protocolVersion: '2025-06-18', capabilities: {},
		clientInfo: { name: 'outside', version: '1' } }, 0)).payload.result;
	one.send({ kind: 'mcp', to: ['guide'], payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
	return one;
}

const say = (one, method, params, id = 1) => answerOf(one, 'guide', method, params, id).then(({ payload }) => payload);
const state = (one, sessionId) => say(one, 'interaction.getState', { sessionId }, `s-${randomUUID()}`).then(({ result }) => result);

function is(one, sessionId, wanted) {
	return until(async () => {
		const now = await state(one, sessionId);
		return now?.state === wanted && now;
	}, `the session is ${wanted}`);
}

for (const protocol of [V0, V01]) {
	test(`messages: a participant is led through the wizard of the text, in the dialect ${protocol}`, async (t) => {
		const [ann, bob] = [await member(t, 'ann', { protocol }), await member(t, 'bob')];
		assert.equal(ann.hello.capabilities.extensions['dev.hustings/flow'].interactive, true);
		assert.equal((await say(ann, 'capabilities', {})).result.version, '0.1.0');
		const { id, result } = await say(ann, 'interaction.start', { toolName: 'register', initialParams: {}, context: {}, timeout: 300000 }, 1);
		assert.deepEqual([id, result.state, result.initialPrompt.name], [1, 'idle', 'name']);
		const { sessionId } = result;
		const first = ask(ann, 'guide', 'interaction.respond', { sessionId, response: { value: 'John', timestamp: 1704067200000, metadata: {} } }, 3);
		const { payload, to } = await ann.next(isAnswer(first));
		assert.deepEqual([to, payload.id, payload.result.accepted], [[ann.id], 3, true]);
		const prompt = await ann.next((one) => one.payload.method === 'interaction.prompt');
		assert.deepEqual([prompt.from, prompt.to, prompt.payload.params.sessionId, prompt.payload.params.prompt.name],
			['guide', [ann.id], sessionId, 'email']);
		ann.send({ kind: 'mcp', to: ['guide'], correlation_id: prompt.id, payload: { jsonrpc: '2.0', id: prompt.payload.id, result: { acknowledged: true } } });
		assert.equal((await is(ann, sessionId, 'waiting_user')).currentPrompt.name, 'email');
		assert.equal((await say(ann, 'interaction.respond', { sessionId, response: { value: 'invalid-email' } }, 4)).result.accepted, false);
		assert.equal((await say(ann, 'interaction.respond', { sessionId, response: { value: 'john@example.com' } }, 5)).result.accepted, true);
		await is(ann, sessionId, 'completed');
		const { finalResult } = (await say(ann, 'interaction.complete', { sessionId }, 6)).result;
		assert.equal(finalResult.success, true);
		assert.deepEqual(argumentsOf(guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
		const seen = (await beforeMarker(ann, bob)).filter(({ correlation_id }) => correlation_id === first);
		assert.deepEqual(seen.map((one) => one.payload), [payload], 'the room sees it, and the payload is as it was');
	});
}

test('isolation: who sees a session in the room cannot touch it', async (t) => {
	const [ann, bob, low] = [await member(t, 'ann'), await member(t, 'bob'), await member(t, 'low', { privilege: 'restricted' })];
	const { result: { sessionId } } = await say(ann, 'interaction.start', { toolName: 'booking' });
	const before = guide.calls('booking').length;
	for (const [method, more] of [['respond', { response: { value: 'stolen' } }], ['cancel', {}], ['getState', {}], ['complete', {}]])
		isFlowError((await say(bob, `interaction.${method}`, { sessionId, ...more })).error, -32001, sessionId, 'session_not_found');
	const refused = await low.refusal({ kind: 'mcp', to: ['guide'], payload: { jsonrpc: '2.0', id: 1, method: 'interaction.respond',
		params: { sessionId, response: { value: 'stolen' } } } });
	assert.equal(refused.payload.error.data.type, 'privilege_violation');
	assert.equal((await state(ann, sessionId)).state, 'waiting_user');
	assert.equal(guide.calls('booking').length, before);
	assert.equal((await say(ann, 'interaction.cancel', { sessionId, reason: 'User cancelled' })).result.cancelled, true);
	isFlowError((await say(ann, 'interaction.cancel', { sessionId })).error, -32006, sessionId);
});

test('isolation: a participant that leaves and comes back goes on with its session', async (t) => {
	const ann = await member(t, 'ann');
	const { result: { sessionId } } = await say(ann, 'interaction.start', { toolName: 'register' });
	await say(ann, 'interaction.respond', { sessionId, response: { value: 'John' } });
	await is(ann, sessionId, 'waiting_user');
	await ann.close();
	const again = await joinAs(house.gateway, topic, ann.id);
	t.after(() => again.close());
	await answerOf(again, 'guide', 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'outside', version: '1' } }, 0);
	const { currentPrompt, accumulatedData } = await is(again, sessionId, 'waiting_user');
	assert.deepEqual([currentPrompt.name, accumulatedData], ['email', { name: 'John' }]);
	await say(again, 'interaction.respond', { sessionId, response: { value: 'john@example.com' } });
	await is(again, sessionId, 'completed');
});

test('errors: what the text refuses is refused in a room in the same form', async (t) => {
	const ann = await member(t, 'ann');
	isFlowError((await say(ann, 'interaction.getState', { sessionId: 'session_abc123' })).error, -32001, 'session_abc123', 'session_not_found');
	assert.equal((await say(ann, 'interaction.start', { toolName: 'nothing' })).error.code, -32602);
	assert.equal((await say(ann, 'interaction.prompt', { sessionId: 'x', prompt: { type: 'text', message: 'Your password?' } })).error.code, -32601);
	const { result: { sessionId } } = await say(ann, 'interaction.start', { toolName: 'booking' });
	isFlowError((await say(ann, 'interaction.respond', { sessionId, response: {} })).error, -32004, sessionId);
	assert.equal((await say(ann, 'interaction.respond', { sessionId, response: { value: 'Rome' } })).result.accepted, true);
	await is(ann, sessionId, 'completed');
	isFlowError((await say(ann, 'interaction.respond', { sessionId, response: { value: 'Oslo' } })).error, -32003, sessionId);
});

test('capabilities: the face of a room leads no sessions, and does not say that it does', async () => {
	for (const era of ['legacy', 'modern']) {
		const client = await house.plain('ann', `/mcp/rooms/${topic}`, { era });
		const { error } = await client.request('interaction.start', { toolName: 'chat_say' });
		assert.equal(error.code, -32601);
		assert.equal((client.hello ?? await client.ask('server/discover')).capabilities.extensions?.['dev.hustings/flow'], undefined);
	}
});
