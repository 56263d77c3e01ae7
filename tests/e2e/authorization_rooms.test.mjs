// SPDX-License-Identifier: Apache-2.0
// ADR-001 in a room: independent agents and a person, each in Node from the text alone; and a hosted server as the tool's owner.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { isAnswer } from './lib/attached.mjs';
import { ASKED, DONE, METADATA, PRODUCTION, RESOLVED, RESPOND, asked, authorizationHouse, callTo, inAnHour, member, readBy, resolved, respond,
	revoke } from './lib/authorization_play.mjs';
import { freshTopic, houseFor, joinAs } from './lib/house.mjs';
import { V0, beforeMarker } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const house = await authorizationHouse({ audit: true });
const { owner } = house;
const wants = { id: 'auth-123', tool: 'dangerous_operation', arguments: PRODUCTION, requester: 'agent-a',
	reason: 'Tool requires user approval for production operations' };
const head = (id, ts, from, to) => ({ protocol: V0, id, ts: `2024-01-01T12:00:${ts}Z`, from, ...(to === undefined ? {} : { to: [to] }), kind: 'mcp' });
const rpc = (body) => ({ payload: { jsonrpc: '2.0', ...body } });
const answer = (body) => rpc({ id: 'original-request-id', ...body });

/** The messages of the text as they stand there. */
const TEXT = {
	request: { ...head('auth-req-123', '00', 'agent-b', 'agent-a'), ...answer({ error: { code: -32001, message: 'Authorization required',
		data: { authorizationRequest: { ...wants, expiresAt: '2024-01-01T12:05:00Z' } } } }) },
	notification: { ...head('auth-notify-123', '01', 'agent-b'), ...rpc({ method: ASKED, params: wants }) },
	response: { ...head('auth-resp-123', '30', 'user-1', 'agent-b'), ...rpc({ method: RESPOND, params: { authorizationId: 'auth-123',
		decision: 'approve', reason: 'Approved for maintenance window', validUntil: '2024-01-01T13:00:00Z' } }) },
	result: { ...head('tool-resp-123', '31', 'agent-b', 'agent-a'), ...answer({ result: DONE }) },
	denial: { ...head('tool-resp-124', '31', 'agent-b', 'agent-a'), ...answer({ error: { code: -32002, message: 'Authorization denied',
		data: { reason: 'User denied authorization' } } }) },
};

test('messages: the room carries every message of the text as it stands there, between independent agents and a person', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.strict_replies': 'false' } });
	const topic = freshTopic();
	const people = {};
	for (const id of ['agent-a', 'agent-b', 'user-1'])
		people[id] = await joinAs(gateway, topic, id, { protocol: V0 });
	for (const message of Object.values(TEXT)) {
		people[message.from].send(message);
		for (const one of Object.values(people))
			assert.deepEqual(await one.next(({ id }) => id === message.id), message);
	}
});

test('messages: with the correlation that the room asks for, two agents and a person go through all of it', async (t) => {
	const gateway = await houseFor(t);
	const topic = freshTopic();
	const join = (id) => joinAs(gateway, topic, id, { protocol: V0 });
	const [agentA, owns, person] = [await join('agent-a'), await join('agent-b'), await join('user-1')];
	const call = agentA.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', id: 'original-request-id', method: 'tools/call',
		params: { name: 'dangerous_operation', arguments: PRODUCTION } } });
	await owns.next(({ id }) => id === call);
	owns.send({ ...TEXT.request, correlation_id: call });
	owns.send(TEXT.notification);
	const { payload: { error } } = await agentA.next(isAnswer(call));
	const { params } = (await person.next(({ payload }) => payload.method === ASKED)).payload;
	assert.equal(error.data.authorizationRequest.id, params.id);
	person.send({ ...TEXT.response });
	const told = await owns.next(({ payload }) => payload.method === RESPOND);
	assert.deepEqual([told.from, told.payload.params.decision], ['user-1', 'approve']);
	owns.send({ ...TEXT.result, correlation_id: call });
	assert.deepEqual((await agentA.next(isAnswer(call))).payload.result, DONE);
	const low = await joinAs(gateway, topic, 'low', { privilege: 'restricted', protocol: V0 });
	const refused = await low.refusal({ kind: 'mcp', to: ['agent-b'], payload: TEXT.response.payload });
	assert.equal(refused.payload.error.code, -32001);
	assert.deepEqual((await beforeMarker(agentA, owns)).filter(({ from }) => from === 'low'), []);
});

/** The records of the audit, newest first. */
async function audit() {
	return JSON.parse(await house.run('audit', '--json', '--limit', '500')).records;
}

/** What agent-a hears at once of a call that needs a decision. */
async function refusedAtOnce(agent, call) {
	const { to, payload } = await agent.next(isAnswer(call));
	assert.deepEqual([to, payload.id, payload.error.code], [[agent.id], 'original-request-id', -32001]);
	assert.equal(payload.error.data.type, 'authorization_required');
	return payload.error.data.authorizationRequest;
}

const decidedFor = (agent) => (params) => params.requester === agent.id;
const runs = () => owner.calls('dangerous_operation').length;

test('request: the owner answers a call with the request of the text, and asks the room', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = [Date.now(), runs()];
	const request = await refusedAtOnce(agent, callTo(agent));
	assert.deepEqual([request.tool, request.arguments, request.requester], ['dangerous_operation', PRODUCTION, agent.id]);
	assert.match(request.reason, new RegExp(METADATA.message));
	const until300 = Date.parse(request.expiresAt) - 300_000;
	assert.match(request.expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
	assert.ok(until300 >= before[0] - 1000 && until300 <= Date.now() + 1000, request.expiresAt);
	const told = await asked(person, decidedFor(agent));
	assert.equal(told.payload.id, undefined);
	assert.ok((told.to ?? []).length === 0, 'it goes to the room');
	for (const key of ['id', 'tool', 'arguments', 'requester', 'reason'])
		assert.deepEqual(told.payload.params[key], request[key], key);
	assert.equal(runs(), before[1], 'nothing runs before the decision');
	respond(person, request.id, 'deny', { reason: 'no more of this' });
	await resolved(agent);
});

test('execution: approved, the tool runs once, and who declared support hears of it by the notification', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = runs();
	const call = callTo(agent);
	const { id } = await refusedAtOnce(agent, call);
	respond(person, id, 'approve', { reason: 'Approved for maintenance window' });
	const { to, payload: { params } } = await resolved(agent);
	assert.deepEqual(to, [agent.id]);
	assert.deepEqual([params.requestId, params.authorizationId, params.result.content, params.error], ['original-request-id', id, DONE.content, undefined]);
	assert.equal(runs(), before + 1);
	assert.deepEqual((await beforeMarker(agent, agent)).filter(isAnswer(call)), [], 'one id has one answer');
	const again = await refusedAtOnce(agent, callTo(agent));
	assert.notEqual(again.id, id, 'an approval is used once');
	respond(person, again.id, 'deny');
	await resolved(agent);
});

test('execution: denied, the tool does not run, and the reason is told', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = runs();
	const { id } = await refusedAtOnce(agent, callTo(agent));
	respond(person, id, 'deny', { reason: 'User denied authorization' });
	const { payload: { params: { requestId, error, result } } } = await resolved(agent);
	assert.deepEqual([requestId, result, error.code, error.data.type, error.data.reason],
		['original-request-id', undefined, -32002, 'authorization_denied', 'User denied authorization']);
	assert.equal(runs(), before);
	respond(person, id, 'approve');
	await readBy(person);
	assert.equal(runs(), before, 'what was denied is not approved afterwards');
});

test('consequences: a caller that knows nothing of authorization waits for the one answer', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a', { declares: false }), await member(t, house, 'user-1')];
	const call = callTo(agent);
	const { payload: { params: { id } } } = await asked(person, decidedFor(agent));
	assert.deepEqual((await beforeMarker(agent, agent)).filter(isAnswer(call)), []);
	respond(person, id, 'approve');
	const { payload } = await agent.next(isAnswer(call));
	assert.deepEqual([payload.id, payload.result.content], ['original-request-id', DONE.content]);
	const denied = callTo(agent);
	respond(person, (await asked(person, decidedFor(agent))).payload.params.id, 'deny', { reason: 'not today' });
	const { payload: { error } } = await agent.next(isAnswer(denied));
	assert.deepEqual([error.code, error.data.type], [-32002, 'authorization_denied']);
	assert.match(error.data.reason, /not today/);
	const after = await beforeMarker(agent, agent);
	assert.deepEqual(after.filter(({ payload: said }) => said.method === RESOLVED), []);
});

test('response: the requester, a stranger to the question and an unknown word decide nothing, and it is on record', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = runs();
	const { id } = await refusedAtOnce(agent, callTo(agent));
	respond(agent, id, 'approve', { reason: 'I say so myself' });
	for (const word of ['yes', 'APPROVE', '', null, true, ['approve'], { decision: 'approve' }])
		respond(person, id, word);
	for (const other of ['auth-123', '', null, 7, [id], `${id} `, randomUUID()])
		respond(person, other, 'approve');
	await readBy(agent);
	await readBy(person);
	assert.equal(runs(), before);
	const { state } = await house.pending(({ requester }) => requester === agent.id);
	assert.equal(state, 'pending');
	await until(async () => {
		const ignored = (await audit()).filter(({ event, result }) => /ignored/.test(event) && result === 'BLOCKED').map(({ actor }) => actor);
		return ignored.includes(agent.id) && ignored.includes(person.id);
	}, 'the ignored answers are on record');
	respond(person, id, 'approve');
	assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
	assert.equal(runs(), before + 1);
});

test('response: a restricted participant decides nothing; the room itself refuses it', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const low = await member(t, house, 'low', { privilege: 'restricted' });
	const before = runs();
	const { id } = await refusedAtOnce(agent, callTo(agent));
	const { payload } = await low.refusal({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: RESPOND,
		params: { authorizationId: id, decision: 'approve' } } });
	assert.equal(payload.error.code, -32001);
	assert.equal(payload.error.data.type, 'privilege_violation');
	await readBy(person);
	assert.equal(runs(), before);
	respond(person, id, 'deny');
	assert.equal((await resolved(agent)).payload.params.error.code, -32002);
});

test('response: an answer counts once: a second one, and one by somebody else, change nothing', async (t) => {
	const [agent, person, other] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1'), await member(t, house, 'user-2')];
	const before = runs();
	const { id } = await refusedAtOnce(agent, callTo(agent));
	respond(person, id, 'approve');
	respond(person, id, 'approve');
	await readBy(person);
	respond(other, id, 'deny');
	assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
	await readBy(other);
	assert.equal(runs(), before + 1);
	assert.deepEqual((await beforeMarker(agent, agent)).filter(({ payload }) => payload.method === RESOLVED), []);
});

test('response: addressed to somebody else, or as a request, it is what it is', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = runs();
	const { id } = await refusedAtOnce(agent, callTo(agent));
	person.send({ kind: 'mcp', to: [agent.id], payload: { jsonrpc: '2.0', method: RESPOND, params: { authorizationId: id, decision: 'approve' } } });
	await readBy(person);
	assert.equal(runs(), before, 'it was not for agent-b');
	const request = person.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', id: 5, method: RESPOND,
		params: { authorizationId: id, decision: 'approve' } } });
	const answered = await person.next(isAnswer(request));
	assert.deepEqual([answered.payload.id, answered.payload.error], [5, undefined]);
	assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
});

test('considerations: an approval with an end holds for that requester, tool and arguments alone', async (t) => {
	const [agent, person, other] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1'), await member(t, house, 'agent-c')];
	const { id } = await refusedAtOnce(agent, callTo(agent));
	respond(person, id, 'approve', { validUntil: inAnHour() });
	await resolved(agent);
	for (let number = 0; number < 2; number += 1) {
		const { payload } = await agent.next(isAnswer(callTo(agent)));
		assert.deepEqual(payload.result?.content, DONE.content, JSON.stringify(payload));
	}
	const cases = [[agent, 'dangerous_operation', { target: 'staging' }], [agent, 'dangerous_operation', { target: 'production', force: true }],
		[agent, 'other_operation', PRODUCTION], [other, 'dangerous_operation', PRODUCTION]];
	for (const [who, name, args] of cases) {
		const question = await refusedAtOnce(who, callTo(who, name, args));
		assert.deepEqual([question.tool, question.arguments], [name, args]);
		respond(person, question.id, 'deny');
		assert.equal((await resolved(who)).payload.params.error.code, -32002);
	}
	revoke(person, id);
	await readBy(person);
	const after = await refusedAtOnce(agent, callTo(agent));
	assert.notEqual(after.id, id);
	respond(person, after.id, 'deny');
	await resolved(agent);
});

test('considerations: an end that is over, or no time at all, remembers nothing', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	for (const validUntil of ['2024-01-01T13:00:00Z', 'for ever', 7, null]) {
		const { id } = await refusedAtOnce(agent, callTo(agent));
		respond(person, id, 'approve', { validUntil });
		await readBy(person);
		if ((await house.decisions()).some(({ requester }) => requester === agent.id))
			respond(person, id, 'approve');
		await resolved(agent);
		const again = await refusedAtOnce(agent, callTo(agent));
		respond(person, again.id, 'deny');
		await resolved(agent);
	}
});

test('considerations: revoked while a second call is on its way, that call ends, and the next asks', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const { id } = await refusedAtOnce(agent, callTo(agent, 'lasts'));
	const before = owner.calls('lasts').length;
	respond(person, id, 'approve', { validUntil: inAnHour() });
	await until(() => owner.calls('lasts').length === before + 1, 'the first call runs');
	const second = callTo(agent, 'lasts', PRODUCTION, 'second');
	await until(() => owner.calls('lasts').length === before + 2, 'the second call runs');
	revoke(person, id, { reason: 'the window is closed' });
	await readBy(person);
	const third = callTo(agent, 'lasts', PRODUCTION, 'third');
	const { payload: { error } } = await agent.next(isAnswer(third));
	assert.equal(error.code, -32001);
	owner.release('lasts');
	assert.deepEqual((await agent.next((one) => isAnswer(second)(one) || one.payload.method === RESOLVED)).payload.error, undefined);
	await until(async () => (await house.decisions()).filter(({ requester }) => requester === agent.id).length === 1, 'the third waits');
	assert.equal(owner.calls('lasts').length, before + 2);
	respond(person, error.data.authorizationRequest.id, 'deny');
	await resolved(agent, (params) => params.requestId === 'third');
});

test('considerations: who may not decide revokes nothing either', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const low = await member(t, house, 'low', { privilege: 'restricted' });
	const { id } = await refusedAtOnce(agent, callTo(agent));
	respond(person, id, 'approve', { validUntil: inAnHour() });
	await resolved(agent);
	await low.refusal({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: 'authorization/revoke', params: { authorizationId: id } } });
	for (const other of ['nobody', '', null, 7])
		revoke(person, other);
	await readBy(person);
	assert.deepEqual((await agent.next(isAnswer(callTo(agent)))).payload.result?.content, DONE.content);
	revoke(person, id);
	await readBy(person);
});

test('considerations: nobody answers in time: a denial of its own type, and no run', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	const before = owner.calls('brief').length;
	const { id } = await refusedAtOnce(agent, callTo(agent, 'brief'));
	const { payload: { params } } = await resolved(agent);
	assert.deepEqual([params.authorizationId, params.error.code, params.error.data.type], [id, -32002, 'authorization_timeout']);
	respond(person, id, 'approve');
	await readBy(person);
	assert.equal(owner.calls('brief').length, before);
});

test('metadata: automatic and not required run at once, as does what says nothing', async (t) => {
	const agent = await member(t, house, 'agent-a');
	for (const name of ['automatic', 'not_required', 'free'])
		assert.deepEqual((await agent.next(isAnswer(callTo(agent, name)))).payload.result?.content, DONE.content, name);
	assert.deepEqual((await house.decisions()).filter(({ requester }) => requester === agent.id), []);
});

test('response: a person at the command line decides too, and the room hears it in that name', async (t) => {
	const agent = await member(t, house, 'agent-a');
	const { id } = await refusedAtOnce(agent, callTo(agent));
	const decision = await house.pending(({ kind, requester }) => kind === 'authorization' && requester === agent.id);
	assert.deepEqual([decision.tool, decision.arguments], ['dangerous_operation', PRODUCTION]);
	const shown = await house.run('show', decision.id);
	for (const words of ['dangerous_operation', 'production', agent.id])
		assert.ok(shown.includes(words), shown);
	await house.run('approve', decision.id, '--reason', 'seen');
	const spoken = await agent.next(({ payload }) => payload.method === RESPOND);
	const { decidedBy } = await house.rest('GET', `/admin/decisions/${decision.id}`);
	assert.equal(spoken.from, decidedBy);
	assert.deepEqual([spoken.payload.params.authorizationId, spoken.payload.params.decision], [id, 'approve']);
	assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
});

test('consequences: every decision stands in the audit with who asked and who decided', async (t) => {
	const [agent, person] = [await member(t, house, 'agent-a'), await member(t, house, 'user-1')];
	for (const word of ['approve', 'deny']) {
		const { id } = await refusedAtOnce(agent, callTo(agent));
		respond(person, id, word, { reason: `so I ${word}` });
		await resolved(agent);
	}
	await until(async () => {
		const decided = (await audit()).filter(({ actor, target }) => actor === person.id && target === agent.id);
		return ['SUCCESS', 'BLOCKED'].every((result) => decided.some((one) => one.result === result && one.tool_name === 'dangerous_operation'));
	}, 'both are in the audit');
});

for (const [early, isHeldBack] of [['always', false], ['never', true]]) {
	test(`request: early_error "${early}" for who declared support and for who did not`, async (t) => {
		const own = await authorizationHouse({ decide: { early_error: early } }, t);
		const person = await member(t, own, 'user-1');
		for (const declares of [true, false]) {
			const agent = await member(t, own, 'agent-a', { declares });
			const call = callTo(agent);
			const { payload: { params: { id } } } = await asked(person, decidedFor(agent));
			if (isHeldBack) {
				assert.deepEqual((await beforeMarker(agent, agent)).filter(isAnswer(call)), []);
			} else {
				assert.equal((await refusedAtOnce(agent, call)).id, id);
			}
			respond(person, id, 'approve');
			const { payload } = await agent.next(isAnswer(call));
			assert.deepEqual([payload.id, payload.result.content], ['original-request-id', DONE.content]);
		}
	});
}

test('modes: delegated, another participant decides, and nobody else; away, it waits', async (t) => {
	const own = await authorizationHouse({ authorization: { mode: 'delegated', delegate: 'user-1' } }, t);
	const [agent, other] = [await member(t, own, 'agent-a'), await member(t, own, 'user-2')];
	const { id } = await refusedAtOnce(agent, callTo(agent, 'free'));
	respond(other, id, 'approve');
	await readBy(other);
	assert.equal(own.owner.calls('free').length, 0);
	const delegate = await member(t, own, 'user-1', { id: 'user-1' });
	respond(delegate, id, 'approve');
	assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
	const second = await refusedAtOnce(agent, callTo(agent, 'free'));
	const told = await asked(delegate, (params) => params.id === second.id);
	assert.deepEqual(told.to, ['user-1']);
	respond(delegate, second.id, 'deny');
	assert.equal((await resolved(agent)).payload.params.error.code, -32002);
	const itself = await member(t, own, 'x', { id: 'user-1' });
	const third = await refusedAtOnce(itself, callTo(itself, 'free'));
	respond(itself, third.id, 'approve');
	await readBy(itself);
	assert.equal(own.owner.calls('free').length, 1, 'a delegate does not decide for itself');
});

test('modes: always_prompt asks about every tool, always_allow about none', async (t) => {
	const [strict, lax] = [await authorizationHouse({ authorization: { mode: 'always_prompt' } }, t),
		await authorizationHouse({ authorization: { mode: 'always_allow' } }, t)];
	const [agent, person] = [await member(t, strict, 'agent-a'), await member(t, strict, 'user-1')];
	for (const name of ['free', 'automatic', 'dangerous_operation']) {
		const { id } = await refusedAtOnce(agent, callTo(agent, name));
		respond(person, id, 'approve');
		assert.deepEqual((await resolved(agent)).payload.params.result.content, DONE.content);
	}
	const free = await member(t, lax, 'agent-a');
	for (const name of ['free', 'automatic', 'dangerous_operation'])
		assert.deepEqual((await free.next(isAnswer(callTo(free, name)))).payload.result?.content, DONE.content);
});

test('modes: selective asks by tool and by caller', async (t) => {
	const rules = [{ tool: 'automatic', action: 'deny' }, { tool: 'free', caller: 'agent-a*', action: 'ask' }, { tool: 'free', caller: 'agent-c*', action: 'allow' }];
	const own = await authorizationHouse({ authorization: { mode: 'selective', rules } }, t);
	const [agent, other, person] = [await member(t, own, 'agent-a'), await member(t, own, 'agent-c'), await member(t, own, 'user-1')];
	const { id } = await refusedAtOnce(agent, callTo(agent, 'free'));
	respond(person, id, 'approve');
	await resolved(agent);
	assert.deepEqual((await other.next(isAnswer(callTo(other, 'free')))).payload.result?.content, DONE.content);
	const { payload } = await other.next(isAnswer(callTo(other, 'automatic')));
	assert.equal(payload.error.code, -32002);
	assert.equal(own.owner.calls('automatic').length, 0);
});
