// SPDX-License-Identifier: Apache-2.0
// A restart in the middle of open decisions and open sessions: nothing lost, nothing granted by accident, deadlines kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAnswer } from './lib/attached.mjs';
import { DONE, METADATA, PRODUCTION, authorizationHouse, callTo, member, resolved } from './lib/authorization_play.mjs';
import { Guided, argumentsOf, flowHouse, isFlowError } from './lib/flow_tools.mjs';
import { freshTopic, houseFor, joinAs, proposal } from './lib/house.mjs';
import { until } from './lib/wait.mjs';

const ways = [['stopped', false], ['killed', true]];

/** A call of agent-a's that waits for its decision: the agent, and the decision. */
async function waiting(t, house, name = 'dangerous_operation') {
	const agent = await member(t, house, 'agent-a', { id: 'agent-a' });
	callTo(agent, name);
	const decision = await house.pending(({ kind, requester }) => kind === 'authorization' && requester === 'agent-a');
	return { agent, decision };
}

async function again(house, hard) {
	await house.gateway.restart({ hard });
	await house.allConnected();
}

const stateOf = (house, id) => house.rest('GET', `/admin/decisions/${id}`);

for (const [how, hard] of ways) {
	test(`restart: an open authorization is there again with its deadline, and its approval runs nothing by itself (${how})`, async (t) => {
		const house = await authorizationHouse({}, t);
		const { decision } = await waiting(t, house);
		await again(house, hard);
		const after = await stateOf(house, decision.id);
		assert.equal(after.state, 'pending');
		for (const key of ['kind', 'tool', 'arguments', 'digest', 'requester', 'createdAt', 'expiresAt'])
			assert.deepEqual(after[key], decision[key], key);
		await house.run('approve', decision.id);
		const agent = await member(t, house, 'agent-a', { id: 'agent-a' });
		assert.equal(house.owner.calls('dangerous_operation').length, 0, 'nobody has asked again');
		const other = await agent.next(isAnswer(callTo(agent, 'dangerous_operation', { target: 'staging' })));
		assert.equal(other.payload.error.code, -32001, 'other arguments are another question');
		const { payload } = await agent.next(isAnswer(callTo(agent)));
		assert.deepEqual(payload.result?.content, DONE.content, 'the same call is the one that was approved');
		const next = await agent.next(isAnswer(callTo(agent)));
		assert.equal(next.payload.error.code, -32001, 'once');
		assert.equal(house.owner.calls('dangerous_operation').length, 1);
	});

	test(`restart: an approval with an end holds on, one that was taken back does not come back (${how})`, async (t) => {
		const house = await authorizationHouse({}, t);
		const { agent, decision } = await waiting(t, house);
		await house.run('approve', decision.id, '--valid-until', '1h');
		await resolved(agent);
		await again(house, hard);
		const second = await member(t, house, 'agent-a', { id: 'agent-a' });
		assert.deepEqual((await second.next(isAnswer(callTo(second)))).payload.result?.content, DONE.content);
		await house.run('deny', decision.id);
		await again(house, hard);
		const third = await member(t, house, 'agent-a', { id: 'agent-a' });
		assert.equal((await third.next(isAnswer(callTo(third)))).payload.error.code, -32001);
	});

	test(`restart: what was denied stays denied (${how})`, async (t) => {
		const house = await authorizationHouse({}, t);
		const { agent, decision } = await waiting(t, house);
		await house.run('deny', decision.id, '--reason', 'no');
		await resolved(agent);
		await again(house, hard);
		assert.equal((await stateOf(house, decision.id)).state, 'denied');
		assert.notEqual((await house.gateway.command(['approve', decision.id])).code, 0);
		const second = await member(t, house, 'agent-a', { id: 'agent-a' });
		assert.equal((await second.next(isAnswer(callTo(second)))).payload.error.code, -32001);
		assert.equal(house.owner.calls('dangerous_operation').length, 0);
	});

	test(`restart: a guided session goes on where it was, for its principal alone (${how})`, async (t) => {
		const house = await flowHouse({}, t);
		for (const era of ['legacy', 'modern']) {
			const session = await Guided.start(await house.plain('ann', 'guide', { era }), 'register');
			await session.says('John');
			await session.prompt();
			const before = await session.state();
			await again(house, hard);
			const bob = await house.plain('bob', 'guide', { era });
			isFlowError(await bob.refusal('interaction.getState', session.params()), -32001, session.id);
			session.client = await house.plain('ann', 'guide', { era });
			const { _meta, ...after } = await session.state();
			assert.deepEqual(after, Object.fromEntries(Object.entries(before).filter(([key]) => key !== '_meta')));
			await session.says('john@example.com', { promptId: after.currentPrompt.promptId });
			assert.equal((await session.result()).finalResult.success, true);
			assert.deepEqual(argumentsOf(house.guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
		}
	});

	test(`restart: a session whose tool ran is in error afterwards, and the tool is not run again (${how})`, async (t) => {
		const house = await flowHouse({}, t);
		const session = await Guided.start(await house.plain('ann', 'guide'), 'lasts');
		await session.says('go');
		await until(() => house.guide.calls('lasts').length === 1, 'the tool runs');
		house.guide.release(hard ? 'nothing' : 'lasts');
		await again(house, hard);
		session.client = await house.plain('ann', 'guide');
		const { result, error } = await session.client.request('interaction.getState', session.params());
		if (hard)
			assert.equal(result?.state, 'error', JSON.stringify(error));
		else
			assert.ok(error !== undefined || ['error', 'completed'].includes(result.state), JSON.stringify(result));
		assert.notEqual((await session.client.request('interaction.respond', session.params({ response: { value: 'go' } }))).result?.accepted, true);
		assert.equal(house.guide.calls('lasts').length, 1);
	});
}

test('restart: a deadline that passes while the gateway is away has passed', async (t) => {
	const house = await authorizationHouse({ authorization: { mode: 'always_prompt', timeout: '2s' } }, t);
	const { decision } = await waiting(t, house, 'free');
	await house.gateway.kill9();
	await until(() => Date.now() > Date.parse(decision.expiresAt), 'its time is over');
	await house.gateway.launch();
	await until(async () => (await stateOf(house, decision.id)).state === 'expired', 'it is expired');
	assert.notEqual((await house.gateway.command(['approve', decision.id])).code, 0);
	await house.allConnected();
	const agent = await member(t, house, 'agent-a', { id: 'agent-a' });
	assert.equal((await agent.next(isAnswer(callTo(agent, 'free')))).payload.error.code, -32001);
	assert.equal(house.owner.calls('free').length, 0);
});

test('restart: a session that runs out while the gateway is away has run out', async (t) => {
	const house = await flowHouse({}, t);
	const session = await Guided.start(await house.plain('ann', 'guide'), 'booking', { timeout: 2000 });
	const { metadata: { expiresAt } } = await session.state();
	await house.gateway.kill9();
	await until(() => Date.now() > expiresAt, 'its time is over');
	await house.gateway.launch();
	await house.allConnected();
	session.client = await house.plain('ann', 'guide');
	isFlowError(await session.refusal('Rome'), -32002, session.id, 'session_expired');
	assert.equal(house.guide.calls('booking').length, 0);
});

test('restart: ended sessions are gone, and open ones are counted again', async (t) => {
	const house = await flowHouse({ flow: { max_sessions_per_principal: 2 } }, t);
	const client = await house.plain('ann', 'guide', { era: 'modern' });
	const [open, ended] = [await Guided.start(client, 'booking'), await Guided.start(client, 'booking')];
	await ended.cancel();
	await again(house, true);
	const after = await house.plain('ann', 'guide', { era: 'modern' });
	await Guided.start(after, 'booking');
	assert.equal((await after.refusal('interaction.start', { toolName: 'booking' })).data.type, 'too_many_sessions');
	assert.equal((await after.ask('interaction.getState', open.params())).state, 'waiting_user');
	const { result } = await after.request('interaction.getState', ended.params());
	assert.ok(result === undefined || result.state === 'cancelled');
});

test('inbox: a proposal is a decision; approved after a restart it is carried out in the approver\'s name', async (t) => {
	const gateway = await houseFor(t);
	const topic = freshTopic();
	const token = gateway.adminToken();
	const open = () => gateway.ask('GET', '/admin/decisions?state=pending', 200, { token }).then(({ decisions }) => decisions);
	const low = await joinAs(gateway, topic, 'low', { privilege: 'restricted' });
	await joinAs(gateway, topic, 'agent-b');
	const params = { name: 'dangerous_operation', arguments: PRODUCTION };
	const made = low.send(proposal('agent-b', { params, reason: METADATA.message }));
	await low.next(({ id }) => id === made);
	const decision = await until(async () => (await open()).find(({ kind }) => kind === 'proposal'), 'the proposal is in the inbox');
	assert.equal(decision.requester, 'low');
	await gateway.restart({ hard: true });
	const agent = await joinAs(gateway, topic, 'agent-b');
	const after = (await open()).find(({ id }) => id === decision.id);
	assert.equal(after.expiresAt, decision.expiresAt);
	const { code, stderr } = await gateway.command(['approve', decision.id]);
	assert.equal(code, 0, stderr);
	const request = await agent.next(({ kind, correlation_id }) => kind === 'mcp' && correlation_id === made);
	assert.notEqual(request.from, 'low');
	assert.deepEqual([request.to, request.payload.method, request.payload.params], [['agent-b'], 'tools/call', params]);
	assert.ok(request.payload.id !== undefined);
	const book = await gateway.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/proposals`, 200, { token });
	assert.equal(book.proposals.find(({ id, proposalId }) => (proposalId ?? id) === made)?.status ?? book.proposals[0].state, 'fulfilled');
});

test('inbox: a proposal that is settled elsewhere leaves the inbox, and one that is denied there is rejected in the room', async (t) => {
	const gateway = await houseFor(t);
	const topic = freshTopic();
	const token = gateway.adminToken();
	const open = () => gateway.ask('GET', '/admin/decisions?state=pending', 200, { token }).then(({ decisions }) => decisions);
	const [low, full] = [await joinAs(gateway, topic, 'low', { privilege: 'restricted' }), await joinAs(gateway, topic, 'full')];
	await joinAs(gateway, topic, 'agent-b');
	const params = { name: 't', arguments: {} };
	const first = low.send(proposal('agent-b', { params }));
	await until(async () => (await open()).length === 1, 'it is in the inbox');
	full.send({ kind: 'mcp', to: ['agent-b'], correlation_id: first, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
	await until(async () => (await open()).length === 0, 'it is fulfilled, and out of the inbox');
	const second = low.send(proposal('agent-b', { params }));
	const { id } = await until(async () => (await open())[0], 'the second is in the inbox');
	const denied = await gateway.command(['deny', id, '--reason', 'not here']);
	assert.equal(denied.code, 0, denied.stderr);
	const { payload } = await low.next(({ kind, payload: said }) => kind === 'system' && said.event === 'proposal' && said.proposalId === second);
	assert.deepEqual([payload.status, payload.reason], ['rejected', 'not here']);
});
