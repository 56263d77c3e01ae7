// SPDX-License-Identifier: Apache-2.0
// Questions to people as they come, over breaks and restarts of the gateway.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, joined, rawOf, somebody } from './lib/client.mjs';

/** What a watch was told: {decisions, states, of(id)}. */
function watched(t, client, options) {
	const told = { decisions: [], states: [] };
	const watch = client.watchDecisions({
		decision: (decision) => told.decisions.push(decision),
		state: (state, why) => told.states.push({ state, why }),
	}, options);
	t.after(() => watch.close());
	told.last = (id) => told.decisions.findLast((one) => one.id === id);
	return Object.assign(told, { watch, is: (id, state) => until(() => told.last(id)?.state === state, `the decision is ${state}`) });
}

async function steady(t, options) {
	const gateway = await houseFor(t, options);
	gateway.args[gateway.args.indexOf('--listen') + 1] = `127.0.0.1:${gateway.port}`;
	const low = await somebody(gateway, 'low', { privilege: 'restricted' });
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	return { gateway, admin: adminOf(gateway), low, ann };
}

/** A proposal, which is a decision too. */
async function propose(room, words) {
	const before = (await room.client.decisions()).decisions.map(({ id }) => id);
	await room.propose('ann', 'tools/call', { name: words, arguments: {} });
	return until(async () => (await room.client.decisions({ state: 'pending' })).decisions
		.find((one) => !before.includes(one.id) && JSON.stringify(one).includes(words)), `the decision about ${words}`);
}

test('what waits is told first, then each change, over a restart and what changed meanwhile', async (t) => {
	const { gateway, admin, low, ann } = await steady(t);
	const topic = freshTopic();
	const room = Object.assign(await joined(t, low, topic), { client: admin });
	await joined(t, ann, topic);
	const first = await propose(room, 'first');
	const told = watched(t, admin);
	await told.is(first.id, 'pending');
	assert.deepEqual(JSON.parse(rawOf(told.last(first.id))), told.last(first.id));
	for (const one of [first, await admin.decision(first.id)])
		assert.equal(rawOf(one), rawOf(told.last(first.id)));
	const second = await propose(room, 'second');
	await told.is(second.id, 'pending');
	await admin.answer(first.id, { decision: 'deny', reason: 'no' });
	await told.is(first.id, 'denied');
	assert.equal(told.last(first.id).reason, 'no');
	await assert.rejects(admin.outcome(first.id), { code: 'no_outcome', status: 404 }); // of calls alone
	await gateway.kill9();
	await until(() => told.states.at(-1).state === 'waiting', 'the break is told');
	assert.ok(told.states.at(-1).why);
	/* Answered while nobody listened: the gateway that comes back has no such question open. */
	const answered = await gateway.command(['deny', second.id]);
	assert.equal(answered.code, 0, answered.stderr);
	await gateway.launch();
	await told.is(second.id, 'denied');
	await until(() => told.states.at(-1).state === 'live', 'it is live again');
	await room.is('open');
	const third = await propose(room, 'third');
	await told.is(third.id, 'pending');
	await admin.answer(third.id, { decision: 'approve' });
	await until(() => told.last(third.id).state !== 'pending', 'the approval is told');
	told.watch.close();
	await told.watch.closed;
	assert.deepEqual(told.states.at(-1), { state: 'ended', why: undefined });
});

test('a watch of one kind hears of that kind alone', async (t) => {
	const { admin, low, ann } = await steady(t);
	const topic = freshTopic();
	const room = Object.assign(await joined(t, low, topic), { client: admin });
	await joined(t, ann, topic);
	const calls = watched(t, admin, { kind: 'call' });
	const all = watched(t, admin);
	await until(() => calls.states.length > 0 && all.states.length > 0, 'both are live');
	const decision = await propose(room, 'one');
	await all.is(decision.id, 'pending');
	assert.deepEqual(calls.decisions, []);
});

test('who may not hear is told so, and does not knock again', async (t) => {
	const { gateway } = await steady(t);
	const told = watched(t, clientOf(gateway, { token: 'nobody' }));
	await told.watch.closed;
	assert.deepEqual(told.states.map(({ state, why }) => [state, why?.status]), [['ended', 401]]);
});

test('a revoked token ends a watch that is open', async (t) => {
	const { gateway, admin } = await steady(t);
	const { token, tokenId } = await admin.createToken({ id: 'other', admin: true, ttl: '1h' });
	const told = watched(t, clientOf(gateway, { token }));
	await until(() => told.states.length > 0, 'it is live');
	await admin.revokeToken(tokenId);
	await told.watch.closed;
	assert.equal(told.states.at(-1).why.status, 401);
});
