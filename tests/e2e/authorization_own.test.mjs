// SPDX-License-Identifier: Apache-2.0
// ADR-001 for hosted tools: who is asked, whose answer counts, what is told to whom; and proposals as decisions.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerOf, ask, isAnswer } from './lib/attached.mjs';
import { freshFolder } from './lib/gateway.mjs';
import { freshTopic, isEvent, isPresence, joinAs, proposal } from './lib/house.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { beforeMarker } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const REQUEST = 'notifications/authorization/request';
const RESPOND = 'authorization/respond';
const RESOLVED = 'notifications/authorization/resolved';
const EXTENSION = 'dev.hustings/authorization';
const topic = freshTopic();
const rooms = [topic];
const required = { required: true, mode: 'user_approval', timeout: 300, message: 'This operation affects production systems' };
const tools = [
	{ name: 'drop', authorization: required },
	{ name: 'hurry', authorization: { ...required, timeout: 1 } },
	{ name: 'read' },
];
const vault = new Outsider('vault', { plain: true, tools }, {}, { rooms });
const ruled = new Outsider('ruled', { plain: true, tools: [{ name: 'drop' }, { name: 'never' }, { name: 'read' }] }, {},
	{ rooms, authorization: { mode: 'selective', timeout: '1m', rules: [{ tool: 'never', action: 'deny' }, { tool: 'r*', action: 'allow' }, { caller: '*', action: 'ask' }] } });
const led = new Outsider('led', { plain: true, tools: [{ name: 'drop' }] }, {}, { rooms, authorization: { mode: 'delegated', delegate: 'boss' } });
const house = await MgpHouse.forFile({ audit: true, servers: [vault, ruled, led] });
await house.allConnected();

async function member(t, name, options = {}) {
	const one = await joinAs(house.gateway, topic, name.includes('!') ? name.slice(0, -1) : `${name}-${randomUUID().slice(0, 6)}`, options);
	t.after(() => one.close());
	for (const id of ['vault', 'ruled', 'led'])
		if (!one.welcome.payload.participants.some((present) => present.id === id))
			await one.next(isPresence('join', id));
	return one;
}
const drop = (more = {}) => ({ name: 'drop', arguments: { target: randomUUID() }, ...more });
const declared = () => drop({ _meta: { [EXTENSION]: {} } });
const isRequest = (requester) => ({ payload }) => payload.method === REQUEST && payload.params.requester === requester.id;
const notify = (from, to, method, params) => from.send({ kind: 'mcp', to: [to], payload: { jsonrpc: '2.0', method, params } });
const respond = (from, to, authorizationId, decision, more = {}) => notify(from, to, RESPOND, { authorizationId, decision, ...more });
const stateOf = async (id) => (await house.rest('GET', `/admin/decisions/${id}`)).state;

test('a call waits; the room is asked; a notification of a full participant approves; the call runs once', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const params = drop();
	const id = ask(ann, 'vault', 'tools/call', params, 7);
	const { payload, from, to } = await bob.next(isRequest(ann));
	assert.deepEqual([from, to], ['vault', undefined]);
	const { id: authorization, expiresAt, ...rest } = payload.params;
	assert.deepEqual(rest, { tool: 'drop', arguments: params.arguments, requester: ann.id, reason: required.message });
	assert.ok(Date.parse(expiresAt) > Date.now());
	const before = vault.calls('drop').length;
	respond(bob, 'vault', authorization, 'approve', { reason: 'Approved for maintenance window' });
	assert.ok((await ann.next(isAnswer(id))).payload.result);
	assert.equal(vault.calls('drop').length, before + 1);
	assert.equal(await stateOf(authorization), 'used');
	// It was for one call: the same again is another question.
	ask(ann, 'vault', 'tools/call', params, 8);
	assert.notEqual((await bob.next(isRequest(ann))).payload.params.id, authorization);
});

test('a denial is -32002 with the reason; an expiry is -32002 authorization_timeout', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const id = ask(ann, 'vault', 'tools/call', drop(), 1);
	const { payload } = await bob.next(isRequest(ann));
	const reply = await answerOf(bob, 'vault', RESPOND, { authorizationId: payload.params.id, decision: 'deny', reason: 'not today' });
	assert.deepEqual(reply.payload.result, {});
	const { error } = (await ann.next(isAnswer(id))).payload;
	assert.deepEqual([error.code, error.message, error.data], [-32002, 'Authorization denied', { reason: 'not today', type: 'authorization_denied' }]);
	const late = (await answerOf(ann, 'vault', 'tools/call', { name: 'hurry', arguments: {} }, 2)).payload.error;
	assert.deepEqual([late.code, late.message, late.data.type], [-32002, 'Authorization denied', 'authorization_timeout']);
	assert.equal(vault.calls('hurry').length, 0);
});

test('the requester, a restricted participant and a wrong id decide nothing, and that is audited', async (t) => {
	const [ann, rita, bob] = [await member(t, 'ann'), await member(t, 'rita', { privilege: 'restricted' }), await member(t, 'bob')];
	const id = ask(ann, 'vault', 'tools/call', drop(), 1);
	const { id: authorization } = (await bob.next(isRequest(ann))).payload.params;
	respond(ann, 'vault', authorization, 'approve');
	const own = await answerOf(ann, 'vault', RESPOND, { authorizationId: authorization, decision: 'approve' }, 5);
	assert.deepEqual([own.payload.error.code, own.payload.error.data], [-32600, { type: 'not_a_decider' }]);
	respond(rita, 'vault', authorization, 'approve');
	respond(bob, 'ruled', authorization, 'approve');
	respond(bob, 'vault', 'd-00000000', 'approve');
	await beforeMarker(bob, ann);
	assert.equal(await stateOf(authorization), 'pending');
	await house.audited('dev.hustings.authorization_ignored', ({ actor }) => (actor.id ?? actor) === ann.id);
	await house.audited('dev.hustings.authorization_ignored', ({ actor }) => (actor.id ?? actor) === bob.id);
	respond(bob, 'vault', authorization, 'deny');
	assert.ok((await ann.next(isAnswer(id))).payload.error);
	const flipped = await answerOf(bob, 'vault', RESPOND, { authorizationId: authorization, decision: 'approve' }, 6);
	assert.deepEqual([flipped.payload.error.code, flipped.payload.error.data], [-32602, { type: 'already_decided' }]);
});

test('an answer to everybody counts where it names a question of the server, and is nobody else\'s affair', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const id = ask(ann, 'vault', 'tools/call', drop(), 1);
	const { id: authorization } = (await bob.next(isRequest(ann))).payload.params;
	const all = (from) => from.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: RESPOND, params: { authorizationId: authorization, decision: 'approve' } } });
	all(ann);
	await house.audited('dev.hustings.authorization_ignored', ({ actor }) => (actor.id ?? actor) === ann.id);
	assert.equal(await stateOf(authorization), 'pending');
	all(bob);
	assert.ok((await ann.next(isAnswer(id))).payload.result);
});

test('a delegate that is restricted in the room decides nothing, by REST neither', async (t) => {
	const ann = await member(t, 'ann');
	const boss = await house.gateway.token({ id: 'boss', privilege: 'restricted' });
	const id = ask(ann, 'led', 'tools/call', drop(), 1);
	const { id: authorization } = await house.pending(({ kind, requester }) => kind === 'authorization' && requester === ann.id);
	const by = () => house.gateway.request('POST', `/admin/decisions/${authorization}`, { body: { decision: 'approve' }, token: boss });
	const refused = await by();
	assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden']);
	assert.match(refused.json.message, /full privilege/);
	assert.equal(await stateOf(authorization), 'pending');
	await house.rest('POST', `/admin/participants/boss/promote?topic=${encodeURIComponent(topic)}`);
	assert.equal((await by()).status, 200);
	assert.ok((await ann.next(isAnswer(id))).payload.result);
});

test('who declared it hears -32001 at once, and the outcome by a notification: one id has one answer', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	for (const decision of ['approve', 'deny']) {
		const id = ask(ann, 'vault', 'tools/call', declared(), decision);
		const { error } = (await ann.next(isAnswer(id))).payload;
		assert.deepEqual([error.code, error.data.type, error.data.authorizationRequest.tool], [-32001, 'authorization_required', 'drop']);
		respond(bob, 'vault', error.data.authorizationRequest.id, decision);
		const told = await ann.next(({ payload, correlation_id }) => correlation_id === id && payload.method === RESOLVED);
		assert.deepEqual(told.to, [ann.id]);
		const { requestId, authorizationId, result, error: outcome } = told.payload.params;
		assert.deepEqual([requestId, authorizationId], [decision, error.data.authorizationRequest.id]);
		assert.equal(result !== undefined, decision === 'approve');
		assert.equal(outcome?.code, decision === 'approve' ? undefined : -32002);
		assert.ok(!(await beforeMarker(bob, ann)).some(isAnswer(id)));
	}
});

test('who declared it may cancel what it was told to wait for', async (t) => {
	const ann = await member(t, 'ann');
	const { error } = (await answerOf(ann, 'vault', 'tools/call', declared(), 9)).payload;
	notify(ann, 'vault', 'notifications/cancelled', { requestId: 9 });
	await until(async () => (await stateOf(error.data.authorizationRequest.id)) === 'withdrawn', 'it is withdrawn');
});

test('an approval with an end holds until it is revoked; other arguments are another question', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const params = drop();
	const id = ask(ann, 'vault', 'tools/call', params, 1);
	const { id: authorization } = (await bob.next(isRequest(ann))).payload.params;
	respond(bob, 'vault', authorization, 'approve', { validUntil: new Date(Date.now() + 3600_000).toISOString() });
	assert.ok((await ann.next(isAnswer(id))).payload.result);
	assert.ok((await answerOf(ann, 'vault', 'tools/call', params, 2)).payload.result);
	ask(ann, 'vault', 'tools/call', drop(), 3);
	assert.notEqual((await bob.next(isRequest(ann))).payload.params.id, authorization);
	notify(bob, 'vault', 'authorization/revoke', { authorizationId: authorization, reason: 'enough' });
	await until(async () => (await stateOf(authorization)) === 'revoked', 'it is revoked');
	ask(ann, 'vault', 'tools/call', params, 4);
	assert.deepEqual((await bob.next(isRequest(ann))).payload.params.arguments, params.arguments);
});

test('an administrator decides in the inbox, and says so in the room', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const id = ask(ann, 'vault', 'tools/call', drop(), 1);
	const { id: authorization } = (await bob.next(isRequest(ann))).payload.params;
	assert.match(await house.run('show', authorization), /drop/);
	await house.run('approve', authorization);
	const said = await bob.next(({ payload }) => payload.method === RESPOND && payload.params.authorizationId === authorization);
	assert.deepEqual([said.to, said.payload.params.decision], [['vault'], 'approve']);
	assert.equal(said.from, (await house.rest('GET', `/admin/decisions/${authorization}`)).decidedBy);
	assert.ok((await ann.next(isAnswer(id))).payload.result);
});

test('who has full privilege in the room decides by REST too; others see nothing of it', async (t) => {
	const [ann, bob, rita] = [await member(t, 'ann'), await member(t, 'bob'), await member(t, 'rita', { privilege: 'restricted' })];
	const id = ask(ann, 'vault', 'tools/call', drop(), 1);
	const { id: authorization } = (await bob.next(isRequest(ann))).payload.params;
	const body = { decision: 'approve' };
	await house.rest('GET', `/admin/decisions/${authorization}`, { token: rita.token, status: 403 });
	for (const { token } of [rita, ann])
		await house.rest('POST', `/admin/decisions/${authorization}`, { body, token, status: 403 });
	await house.rest('POST', `/admin/decisions/${authorization}`, { body, token: bob.token });
	assert.ok((await ann.next(isAnswer(id))).payload.result);
});

test('selective: rules allow, deny and ask; delegated: the delegate alone decides', async (t) => {
	const [ann, bob, boss] = [await member(t, 'ann'), await member(t, 'bob'), await member(t, 'boss!')];
	assert.ok((await answerOf(ann, 'ruled', 'tools/call', { name: 'read', arguments: {} }, 1)).payload.result);
	assert.equal((await answerOf(ann, 'ruled', 'tools/call', { name: 'never', arguments: {} }, 2)).payload.error.code, -32002);
	const asked = ask(ann, 'ruled', 'tools/call', drop(), 3);
	respond(bob, 'ruled', (await bob.next(isRequest(ann))).payload.params.id, 'approve');
	assert.ok((await ann.next(isAnswer(asked))).payload.result);
	const id = ask(ann, 'led', 'tools/call', drop(), 4);
	const { to, payload } = await boss.next(({ from, ...one }) => from === 'led' && isRequest(ann)(one));
	assert.deepEqual(to, ['boss']);
	assert.ok((await answerOf(bob, 'led', RESPOND, { authorizationId: payload.params.id, decision: 'approve' }, 5)).payload.error);
	assert.equal(await stateOf(payload.params.id), 'pending');
	respond(boss, 'led', payload.params.id, 'approve');
	assert.ok((await ann.next(isAnswer(id))).payload.result);
});

test('a restart with an open question: it is kept, and its approval is good for one call, which does not run by itself', async (t) => {
	const [ann, bob] = [await member(t, 'ann'), await member(t, 'bob')];
	const params = drop();
	ask(ann, 'vault', 'tools/call', params, 1);
	const { id: authorization, expiresAt } = (await bob.next(isRequest(ann))).payload.params;
	const before = vault.calls('drop').length;
	await house.gateway.restart();
	await house.allConnected();
	assert.equal((await house.rest('GET', `/admin/decisions/${authorization}`)).expiresAt, expiresAt);
	const again = await joinAs(house.gateway, topic, bob.id);
	const asker = await joinAs(house.gateway, topic, ann.id);
	t.after(() => Promise.all([again.close(), asker.close()]));
	if (!again.welcome.payload.participants.some(({ id }) => id === 'vault'))
		await again.next(isPresence('join', 'vault'));
	assert.ok((await answerOf(again, 'vault', RESPOND, { authorizationId: authorization, decision: 'approve' })).payload.result);
	assert.equal(vault.calls('drop').length, before);
	assert.ok((await answerOf(asker, 'vault', 'tools/call', params, 2)).payload.result);
	assert.equal(vault.calls('drop').length, before + 1);
	assert.equal(await stateOf(authorization), 'used');
});

test('a proposal is a decision: approved, its request is sent in the approver\'s name; denied, it is rejected', async (t) => {
	const [rita, bob] = [await member(t, 'rita', { privilege: 'restricted' }), await member(t, 'bob')];
	const params = { name: 'read', arguments: { n: randomUUID() } };
	const id = rita.send(proposal('vault', { params, reason: 'please' }));
	const open = await house.pending((one) => one.kind === 'proposal' && one.requester === rita.id);
	assert.deepEqual([open.topic, open.tool, open.arguments.proposalId], [topic, 'read', id]);
	await house.rest('POST', `/admin/decisions/${open.id}`, { body: { decision: 'approve' }, token: rita.token, status: 403 });
	await house.rest('POST', `/admin/decisions/${open.id}`, { body: { decision: 'approve' }, token: bob.token });
	const sent = await rita.next(({ kind, correlation_id, payload }) => kind === 'mcp' && correlation_id === id && payload.method === 'tools/call');
	assert.deepEqual([sent.from, sent.to, sent.payload.params], [bob.id, ['vault'], params]);
	assert.ok((await rita.next(isAnswer(sent.id))).payload.result);
	assert.equal(await stateOf(open.id), 'used');

	const no = rita.send(proposal('vault', { params }));
	const refused = await house.pending((one) => one.kind === 'proposal' && one.arguments.proposalId === no);
	await house.decide(refused.id, 'deny', { reason: 'no' });
	const event = await rita.next(isEvent('proposal', no));
	assert.deepEqual([event.payload.status, event.payload.reason], ['rejected', 'no']);
});

test('a proposal that is settled in the room leaves the inbox', async (t) => {
	const [rita, bob] = [await member(t, 'rita', { privilege: 'restricted' }), await member(t, 'bob')];
	const params = { name: 'read', arguments: { n: randomUUID() } };
	const path = (id, verb) => `/v0/topics/${encodeURIComponent(topic)}/proposals/${id}/${verb}`;
	const outcomes = [];
	for (const verb of ['withdraw', 'reject', 'fulfil']) {
		const id = rita.send(proposal('vault', { params }));
		const open = await house.pending((one) => one.kind === 'proposal' && one.arguments.proposalId === id);
		if (verb === 'fulfil')
			bob.send({ kind: 'mcp', to: ['vault'], correlation_id: id, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params } });
		else
			await house.rest('POST', path(id, verb), { body: {}, token: verb === 'withdraw' ? rita.token : bob.token });
		outcomes.push(await until(async () => {
			const state = await stateOf(open.id);
			return state === 'pending' ? undefined : state;
		}, `${verb} closes it`));
	}
	assert.deepEqual(outcomes, ['withdrawn', 'denied', 'used']);
});

const capabilities = { extensions: { [EXTENSION]: {} } };
const isResolved = (authorization) => ({ method, params }) => method === RESOLVED && params.authorizationId === authorization;

for (const era of ['legacy', 'modern']) {
	test(`at the faces: an early error, and the outcome on the open stream (${era})`, async () => {
		const client = await house.plain('cleo', 'vault', { era, capabilities });
		await client.open();
		for (const decision of ['approve', 'deny']) {
			const { id, error } = await client.request('tools/call', drop());
			assert.deepEqual([error.code, error.data.type], [-32001, 'authorization_required']);
			const { id: authorization } = error.data.authorizationRequest;
			await house.decide(authorization, decision);
			const { params } = await until(() => client.heard.find(isResolved(authorization)), 'the outcome');
			assert.equal(params.requestId, id);
			assert.equal(params.result !== undefined, decision === 'approve');
			assert.equal(params.error?.data.type, decision === 'approve' ? undefined : 'authorization_denied');
		}
	});

	test(`at the faces: who does not listen has its call held (${era})`, async () => {
		const client = await house.plain(`held-${era}`, 'vault', { era, capabilities });
		const params = drop();
		const begun = client.begin('tools/call', params);
		const open = await house.pending((one) => one.arguments.target === params.arguments.target);
		await house.decide(open.id, 'approve');
		assert.ok((await begun.answer).result);
	});
}

test('early_error always: the error, then the result under the same id; never: the result alone', async (t) => {
	for (const early of ['always', 'never']) {
		const one = new Outsider('vault', { plain: true, tools }, {}, { rooms });
		const other = await MgpHouse.forTest(t, { servers: [one], text: `[decide]\nearly_error = "${early}"\n` });
		await other.allConnected();
		const [ann, bob] = [await joinAs(other.gateway, topic, 'ann'), await joinAs(other.gateway, topic, 'bob')];
		t.after(() => Promise.all([ann.close(), bob.close()]));
		const id = ask(ann, 'vault', 'tools/call', early === 'always' ? drop() : declared(), 3);
		if (early === 'always')
			assert.equal((await ann.next(isAnswer(id))).payload.error.code, -32001);
		respond(bob, 'vault', (await bob.next(isRequest(ann))).payload.params.id, 'approve');
		const { payload } = await ann.next(isAnswer(id));
		assert.deepEqual([payload.id, payload.result !== undefined], [3, true]);
		if (early === 'never')
			continue;
		const cleo = await other.plain('cleo', 'vault');
		const answer = await cleo.send('tools/call', drop());
		const first = await answer.next();
		assert.equal(first.error.code, -32001);
		await other.decide(first.error.data.authorizationRequest.id, 'approve');
		const second = await answer.next();
		assert.deepEqual([second.id, second.result !== undefined], [first.id, true]);
	}
});

test('a policy hook sees an authorization before the room does', async (t) => {
	const script = `let rest = '';
		process.stdin.setEncoding('utf8').on('data', (part) => {
			rest += part;
			for (let at; (at = rest.indexOf('\\n')) >= 0; rest = rest.slice(at + 1)) {
				const { id, kind, arguments: { target } } = JSON.parse(rest.slice(0, at));
				const decision = kind === 'authorization' && ['allow', 'deny'].includes(target) ? target : 'ask';
				process.stdout.write(JSON.stringify({ id, decision }) + '\\n');
			}
		});`;
	const file = join(freshFolder(), 'hook.cjs');
	writeFileSync(file, script);
	const one = new Outsider('vault', { plain: true, tools }, {}, { rooms });
	const other = await MgpHouse.forTest(t, { servers: [one], text: `[decide]\npolicy_hook = "${process.execPath} ${file}"\n` });
	await other.allConnected();
	const [ann, bob] = [await joinAs(other.gateway, topic, 'ann'), await joinAs(other.gateway, topic, 'bob')];
	t.after(() => Promise.all([ann.close(), bob.close()]));
	const call = (target) => ask(ann, 'vault', 'tools/call', { name: 'drop', arguments: { target } });
	assert.ok((await ann.next(isAnswer(call('allow')))).payload.result);
	assert.equal((await ann.next(isAnswer(call('deny')))).payload.error.code, -32002);
	const id = call('ask');
	respond(bob, 'vault', (await bob.next(isRequest(ann))).payload.params.id, 'approve');
	assert.ok((await ann.next(isAnswer(id))).payload.result);
	const asked = (await other.decisions('?kind=authorization')).filter(({ decidedBy }) => decidedBy === 'system:policy-hook');
	assert.deepEqual(asked.map(({ state }) => state), ['used', 'denied']);
});

test('rooms on threads of their own: a proposal and an authorization are answered there as elsewhere', async (t) => {
	const places = [freshTopic(), freshTopic(), freshTopic(), freshTopic()];
	const one = new Outsider('vault', { plain: true, tools }, {}, { rooms: places });
	const other = await MgpHouse.forTest(t, { servers: [one], before: '[gateway]\nthreads = 3\n' });
	await other.allConnected();
	for (const place of places) {
		const [rita, bob] = [await joinAs(other.gateway, place, 'rita', { privilege: 'restricted' }), await joinAs(other.gateway, place, 'bob')];
		t.after(() => Promise.all([rita.close(), bob.close()]));
		if (!bob.welcome.payload.participants.some(({ id }) => id === 'vault'))
			await bob.next(isPresence('join', 'vault'));
		const id = rita.send(proposal('vault', { params: drop() }));
		const open = await other.pending((each) => each.kind === 'proposal' && each.topic === place);
		await other.decide(open.id, 'approve');
		const sent = await rita.next(({ kind, correlation_id, payload }) => kind === 'mcp' && correlation_id === id && payload.method === 'tools/call');
		const asked = await bob.next(({ payload }) => payload.method === REQUEST);
		assert.equal(asked.payload.params.requester, sent.from);
		respond(bob, 'vault', asked.payload.params.id, 'approve');
		assert.ok((await rita.next(isAnswer(sent.id))).payload.result);
	}
});
