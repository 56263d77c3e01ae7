// SPDX-License-Identifier: Apache-2.0
// Tool authorization in rooms (MCPx ADR-001): a call waits, somebody decides by the room or by the inbox.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKED, DONE, PRODUCTION, authorizationHouse } from '../../../tests/e2e/lib/authorization_play.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, faultOf, joined, somebody } from './lib/client.mjs';

const play = await authorizationHouse();
const { gateway, topic } = play;
const admin = adminOf(gateway);
const ann = await somebody(gateway, 'ann', { kind: 'human' });
const bob = await somebody(gateway, 'bob', { kind: 'agent' });
const declared = { capabilities: { extensions: { 'dev.hustings/authorization': {} } } };

async function both(t, options) {
	const decider = await joined(t, ann, topic);
	const caller = await joined(t, bob, topic, options);
	await until(() => caller.participants.has('agent-b') && decider.participants.has('agent-b'), 'agent-b is there');
	return { decider, caller };
}

/** The question about a call of bob's that came last, which was not there before. */
async function asked(decider) {
	const { payload } = await decider.sees(({ payload: one }) => one?.method === ASKED && !decider.answered?.has(one.params.id));
	decider.answered = new Set([...decider.answered ?? [], payload.params.id]);
	return payload.params;
}

for (const [words, options] of [['one that says nothing of it', {}], ['one that declared it', declared]]) {
	test(`a call waits for a yes: ${words}`, async (t) => {
		const { decider, caller } = await both(t, options);
		const waits = [];
		const call = caller.callTool('agent-b', 'dangerous_operation', PRODUCTION, { onAuthorization: (data) => waits.push(data) });
		const question = await asked(decider);
		await decider.respond(question.id, true, 'fine with me');
		assert.deepEqual((await call).content, DONE.content);
		assert.equal(waits.length, options === declared ? 1 : 0);
	});

	test(`a no is an error with its reason: ${words}`, async (t) => {
		const { decider, caller } = await both(t, options);
		const call = caller.callTool('agent-b', 'dangerous_operation', { target: 'no' });
		call.catch(() => {});
		const question = await asked(decider);
		await decider.respond(question.id, false, 'not today');
		const fault = await faultOf(call);
		assert.deepEqual([fault.code, fault.data.type], [options === declared ? '-32002' : '1000', 'authorization_denied']);
		assert.match(`${fault.message} ${JSON.stringify(fault.data)}`, /not today/);
	});
}

test('who asked does not decide; a question that nobody knows has no owner', async (t) => {
	const { decider, caller } = await both(t);
	const call = caller.callTool('agent-b', 'dangerous_operation', { target: 'mine' });
	call.catch(() => {});
	const question = await asked(decider);
	await until(() => caller.seen.some(({ payload }) => payload?.params?.id === question.id), 'the caller sees the question');
	assert.match((await faultOf(caller.respond(question.id, true))).code, /^-32/);
	assert.equal((await faultOf(decider.respond('unknown', true))).code, 'unknown_authorization');
	assert.match((await faultOf(decider.authorize({ authorizationId: 'unknown', granted: true, owner: 'agent-b' }))).code, /^-32/);
	await decider.respond(question.id, false);
	await faultOf(call);
});

test('the inbox decides as well, and an approval may last', async (t) => {
	const { caller } = await both(t);
	const call = caller.callTool('agent-b', 'other_operation', { target: 'lasting' });
	const decision = await until(async () => (await admin.decisions({ state: 'pending', kind: 'authorization' })).decisions[0], 'the decision is open');
	assert.deepEqual([decision.requester, decision.server, decision.tool, decision.topic], ['bob', 'agent-b', 'other_operation', topic]);
	const answered = await admin.answer(decision.id, { decision: 'approve', validUntil: '1h', reason: 'for an hour' });
	assert.equal(answered.state, 'approved');
	assert.deepEqual((await call).content, DONE.content);
	assert.deepEqual((await caller.callTool('agent-b', 'other_operation', { target: 'lasting' })).content, DONE.content);
	assert.equal((await admin.revoke(decision.id)).state, 'revoked');
	assert.equal((await faultOf(admin.answer(decision.id, { decision: 'deny' }))).status, 409);
	const again = caller.callTool('agent-b', 'other_operation', { target: 'lasting' });
	again.catch(() => {});
	const second = await until(async () => (await admin.decisions({ state: 'pending' })).decisions[0], 'it is asked again');
	await admin.answer(second.id, { decision: 'deny' });
	await faultOf(again);
});
