// SPDX-License-Identifier: Apache-2.0
// ADR-001 by an independent agent: agent-b is a program on libhustings in a room, agent-a and the people are Node from the text alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { isAnswer } from './lib/attached.mjs';
import { ASKED, PRODUCTION, RESOLVED, RESPOND, asked, callTo, inAnHour, member, readBy, resolved, respond, revoke } from './lib/authorization_play.mjs';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { freshTopic, house as openHouse } from './lib/house.mjs';
import { V0, V01, beforeMarker } from './lib/room_client.mjs';
import { within } from './lib/wait.mjs';

const BOOKING = join(dirname(BINARY), 'examples/booking');
const TRIP = { day: '2026-05-05', by: 'flight', seat: 'aisle', people: 2, mail: 'ann@example.org', right: true };
const gateway = await openHouse();
const token = await gateway.token({ id: 'agent-b', privilege: 'full' });

/** A room in which agent-b asks before it books. */
async function room(t) {
	const topic = freshTopic();
	const child = spawn(BOOKING, [gateway.url, topic, '--id', 'agent-b', '--ask-first'], { stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, HOME: freshFolder(), HUSTINGS_TOKEN: token } });
	const ended = new Promise((done) => child.on('exit', done));
	t.after(async () => {
		child.kill('SIGKILL');
		await ended;
	});
	let output = '';
	await within(new Promise((done) => child.stdout.setEncoding('utf8').on('data', (text) => {
		output += text;
		if (/^ready /m.test(output))
			done();
	})), 'agent-b is ready');
	return { gateway, topic };
}

const book = (one, args = TRIP, id = 'original-request-id') => callTo(one, 'book', args, id);

/** The request for a decision that the caller hears at once. */
async function refusedAtOnce(one, call) {
	const { payload } = await one.next(isAnswer(call));
	assert.deepEqual([payload.id, payload.error?.code, payload.error?.data.type], ['original-request-id', -32001, 'authorization_required'], JSON.stringify(payload));
	return payload.error.data.authorizationRequest;
}

const isBooked = ({ payload: { params, result } }) => assert.match(JSON.stringify(result ?? params.result), /booked/);

for (const protocol of [V0, V01]) {
	test(`execution: call, request, decision and outcome, approved and denied (${protocol})`, async (t) => {
		const where = await room(t);
		const [agent, person] = [await member(t, where, 'agent-a', { protocol }), await member(t, where, 'user-1', { protocol })];
		const call = book(agent);
		const request = await refusedAtOnce(agent, call);
		assert.deepEqual([request.tool, request.arguments, request.requester], ['book', TRIP, agent.id]);
		assert.ok(request.reason.length > 0);
		assert.ok(Date.parse(request.expiresAt) > Date.now());
		const { to, payload: { id, params } } = await asked(person);
		assert.deepEqual([to ?? [], id], [[], undefined]);
		for (const key of ['id', 'tool', 'arguments', 'requester', 'reason'])
			assert.deepEqual(params[key], request[key], key);
		respond(person, request.id, 'approve', { reason: 'Approved for maintenance window' });
		const outcome = await resolved(agent);
		assert.deepEqual([outcome.to, outcome.payload.params.requestId, outcome.payload.params.authorizationId],
			[[agent.id], 'original-request-id', request.id]);
		isBooked(outcome);
		assert.deepEqual((await beforeMarker(agent, agent)).filter(isAnswer(call)), [], 'one id has one answer');
		const second = await refusedAtOnce(agent, book(agent));
		respond(person, second.id, 'deny', { reason: 'User denied authorization' });
		const { error, result } = (await resolved(agent)).payload.params;
		assert.deepEqual([result, error.code, error.data.type, error.data.reason], [undefined, -32002, 'authorization_denied', 'User denied authorization']);
	});
}

test('consequences: a caller that knows nothing of it gets one answer, when it is decided', async (t) => {
	const where = await room(t);
	const [agent, person] = [await member(t, where, 'agent-a', { declares: false }), await member(t, where, 'user-1')];
	const call = book(agent);
	const { payload: { params: { id } } } = await asked(person);
	assert.deepEqual((await beforeMarker(agent, agent)).filter((one) => isAnswer(call)(one) || one.payload.method === RESOLVED), []);
	respond(person, id, 'approve');
	isBooked(await agent.next(isAnswer(call)));
	const denied = book(agent);
	respond(person, (await asked(person)).payload.params.id, 'deny', { reason: 'User denied authorization' });
	const { payload: { error } } = await agent.next(isAnswer(denied));
	assert.deepEqual([error.code, error.data.reason], [-32002, 'User denied authorization']);
});

test('response: the requester, a restricted participant, unknown words and unknown ids decide nothing', async (t) => {
	const where = await room(t);
	const [agent, person, low] = [await member(t, where, 'agent-a'), await member(t, where, 'user-1'), await member(t, where, 'low', { privilege: 'restricted' })];
	const { id } = await refusedAtOnce(agent, book(agent));
	respond(agent, id, 'approve');
	await low.refusal({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: RESPOND, params: { authorizationId: id, decision: 'approve' } } });
	for (const word of ['yes', 'APPROVE', '', null, true, ['approve'], {}])
		respond(person, id, word);
	for (const other of ['auth-123', '', null, 7, [id], randomUUID()])
		respond(person, other, 'approve');
	for (const params of [undefined, null, [], 'approve', {}, { decision: 'approve' }, { authorizationId: id }])
		person.send({ kind: 'mcp', to: ['agent-b'], payload: { jsonrpc: '2.0', method: RESPOND, ...(params === undefined ? {} : { params }) } });
	await readBy(agent);
	await readBy(person);
	assert.deepEqual((await beforeMarker(agent, agent)).filter(({ payload }) => payload.method === RESOLVED), []);
	respond(person, id, 'deny');
	assert.equal((await resolved(agent)).payload.params.error.code, -32002);
	respond(person, id, 'approve');
	await readBy(person);
	assert.deepEqual((await beforeMarker(agent, agent)).filter(({ payload }) => payload.method === RESOLVED), [], 'an answer counts once');
});

test('considerations: an approval with an end holds for requester and arguments, until it is taken back by one who may', async (t) => {
	const where = await room(t);
	const [agent, person, other] = [await member(t, where, 'agent-a'), await member(t, where, 'user-1'), await member(t, where, 'agent-c')];
	const { id } = await refusedAtOnce(agent, book(agent));
	respond(person, id, 'approve', { validUntil: inAnHour() });
	isBooked(await resolved(agent));
	isBooked(await agent.next(isAnswer(book(agent))));
	for (const [who, args] of [[agent, { ...TRIP, people: 3 }], [agent, { ...TRIP, note: PRODUCTION }], [other, TRIP]]) {
		const question = await refusedAtOnce(who, book(who, args));
		respond(person, question.id, 'deny');
		assert.equal((await resolved(who)).payload.params.error.code, -32002);
	}
	revoke(person, 'nobody');
	await readBy(person);
	isBooked(await agent.next(isAnswer(book(agent))));
	revoke(person, id);
	await readBy(person);
	const after = await refusedAtOnce(agent, book(agent));
	assert.notEqual(after.id, id);
	assert.equal((await person.next(({ payload }) => payload.method === ASKED && payload.params.id === after.id)).payload.params.tool, 'book');
});
