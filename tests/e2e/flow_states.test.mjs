// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0, sessions: each transition of the table, allowed and refused; time-outs; each error code; limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guided, argumentsOf, flowHouse, flowServer, isFlowError } from './lib/flow_tools.mjs';
import { until } from './lib/wait.mjs';

const house = await flowHouse();
const { guide } = house;
const eras = ['legacy', 'modern'];
const clients = Object.fromEntries(await Promise.all(eras.map(async (era) => [era, await house.plain('ann', 'guide', { era })])));

/** A session whose tool runs until `release` is called. */
async function processing(t, client, more = {}) {
	const own = await flowHouse({}, t);
	const session = await Guided.start(await own.plain('ann', 'guide', { era: client }), 'lasts', more);
	await session.says('go');
	await session.is('processing');
	await until(() => own.guide.calls('lasts').length === 1, 'the tool runs');
	return { own, session, release: () => own.guide.release('lasts') };
}

/** A session in each of the states that it may stay in. */
const ways = {
	async waiting_user(t, era) {
		return Guided.start(clients[era], 'booking');
	},
	async processing(t, era) {
		return (await processing(t, era)).session;
	},
	async completed(t, era) {
		const session = await Guided.start(clients[era], 'booking');
		await session.says('Rome');
		await session.is('completed');
		return session;
	},
	async cancelled(t, era) {
		const session = await Guided.start(clients[era], 'booking');
		await session.cancel();
		return session;
	},
	async error(t, era) {
		const session = await Guided.start(clients[era], 'breaks');
		await session.says('please');
		await session.is('error');
		return session;
	},
};

for (const era of eras) {
	test(`states: idle at the start, waiting for the user, processing, completed (${era})`, async (t) => {
		const own = await flowHouse({}, t);
		const session = await Guided.start(await own.plain('ann', 'guide', { era }), 'lasts');
		assert.equal(session.started.state, 'idle');
		assert.equal((await session.state()).state, 'waiting_user');
		await session.says('go');
		await session.is('processing');
		assert.equal((await session.state()).currentPrompt ?? null, null);
		own.guide.release('lasts');
		const { state } = await session.is('completed');
		assert.equal(state, 'completed');
		assert.equal((await session.result()).finalResult.data.content[0].text, 'over');
	});

	test(`states: from processing back to waiting for the user with the next prompt (${era})`, async () => {
		const session = await Guided.start(clients[era], 'register');
		await session.says('John');
		const next = await session.prompt();
		assert.equal(next.name, 'email');
		await session.says('john@example.com');
		await session.is('completed');
	});

	test(`states: an error of the tool is the error of its session (${era})`, async (t) => {
		const session = await ways.error(t, era);
		assert.equal((await session.state()).state, 'error');
	});

	test(`states: cancelled from every living state; a second time is ALREADY_CANCELLED (${era})`, async (t) => {
		for (const state of ['waiting_user', 'processing']) {
			const session = await ways[state](t, era);
			assert.equal((await session.cancel()).cancelled, true, state);
			const error = await session.client.refusal('interaction.cancel', session.params({ reason: 'again' }));
			isFlowError(error, -32006, session.id, 'already_cancelled');
		}
	});

	for (const state of ['completed', 'error']) {
		test(`states: a session that is ${state} is neither answered nor cancelled (${era})`, async (t) => {
			const session = await ways[state](t, era);
			for (const error of [await session.refusal('again'), await session.client.refusal('interaction.cancel', session.params())]) {
				isFlowError(error, -32003, session.id, 'invalid_state_transition');
				assert.match(error.message, new RegExp(state), 'it names the state');
			}
		});
	}

	test(`states: who answers while the tool runs, or a cancelled session, is refused with both states (${era})`, async (t) => {
		for (const state of ['processing', 'cancelled']) {
			const session = await ways[state](t, era);
			const error = await session.refusal('again');
			isFlowError(error, -32003, session.id, 'invalid_state_transition');
			assert.match(error.message, new RegExp(state));
			if (state === 'processing')
				assert.equal((await session.state()).state, 'processing');
		}
	});

	test(`states: complete is for a session that has ended (${era})`, async (t) => {
		for (const state of ['waiting_user', 'processing', 'cancelled']) {
			const session = await ways[state](t, era);
			const error = await session.client.refusal('interaction.complete', session.params({ result: { success: true, data: { forged: true } } }));
			isFlowError(error, -32003, session.id);
		}
		const session = await ways.completed(t, era);
		const said = await session.client.ask('interaction.complete', session.params({ result: { success: true, data: { forged: true } }, summary: 'x' }));
		assert.doesNotMatch(JSON.stringify(said), /forged/);
	});

	test(`states: cancelled while it runs, the call is cancelled too and its result is not told (${era})`, async (t) => {
		const { own, session, release } = await processing(t, era);
		await session.cancel();
		await until(() => own.guide.of('notifications/cancelled').length === 1, 'the server is told');
		release();
		const state = await session.client.request('interaction.getState', session.params());
		assert.equal(state.result?.state ?? 'cancelled', 'cancelled');
	});

	test(`respond: an answer to an earlier prompt never answers the next (${era})`, async () => {
		const session = await Guided.start(clients[era], 'register');
		const first = (await session.prompt()).promptId;
		assert.equal(typeof first, 'string');
		await session.says('John', { promptId: first });
		const next = await session.prompt();
		assert.equal(next.name, 'email');
		for (const promptId of [first, 'none', '']) {
			isFlowError(await session.refusal('evil@example.com', { promptId }), -32003, session.id);
			assert.equal((await session.prompt()).promptId, next.promptId);
		}
		await session.says('john@example.com', { promptId: next.promptId });
		await session.is('completed');
		assert.deepEqual(argumentsOf(guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
	});

	test(`errors: a malformed answer is VALIDATION_FAILED and changes nothing (${era})`, async () => {
		const session = await Guided.start(clients[era], 'booking');
		for (const response of ['Rome', 7, null, true, ['Rome'], {}, { timestamp: 1704067200000 }]) {
			const error = await session.client.refusal('interaction.respond', session.params({ response }));
			isFlowError(error, -32004, session.id, 'validation_failed');
		}
		await session.says('Rome');
		await session.is('completed');
	});

	test(`errors: what takes too long while the user is asked is SESSION_EXPIRED, however often its state is read (${era})`, async () => {
		const session = await Guided.start(clients[era], 'booking', { timeout: 1000 });
		const before = guide.calls('booking').length;
		isFlowError(await session.error(-32002), -32002, session.id, 'session_expired');
		isFlowError(await session.refusal('Rome'), -32002, session.id, 'session_expired');
		isFlowError(await session.client.refusal('interaction.cancel', session.params()), -32002, session.id);
		isFlowError(await session.client.refusal('interaction.complete', session.params()), -32002, session.id);
		assert.equal(guide.calls('booking').length, before);
	});

	test(`errors: what takes too long while the tool runs is TIMEOUT, and the call is cancelled (${era})`, async (t) => {
		const { own, session } = await processing(t, era, { timeout: 2000 });
		isFlowError(await session.error(-32005), -32005, session.id, 'timeout');
		await until(() => own.guide.of('notifications/cancelled').length === 1, 'the server is told');
		assert.ok((await session.refusal('again')).code !== undefined);
	});
}

test('timeouts: five minutes unless told otherwise; an answer counts as activity, a look does not', async () => {
	const client = clients.legacy;
	for (const [timeout, span] of [[undefined, 300_000], [60_000, 60_000]]) {
		const session = await Guided.start(client, 'register', timeout === undefined ? {} : { timeout });
		const { metadata: first } = await session.state();
		assert.ok(Math.abs(first.expiresAt - first.lastActivityAt - span) <= 50, JSON.stringify(first));
		const { metadata: second } = await session.state();
		assert.deepEqual(second, first);
		await until(() => Date.now() > first.lastActivityAt + 5, 'some milliseconds are over');
		await session.says('John');
		await session.prompt();
		const { metadata: third } = await session.state();
		assert.ok(third.lastActivityAt > first.lastActivityAt);
		assert.ok(third.expiresAt > first.expiresAt);
		assert.equal(third.createdAt, first.createdAt);
		await session.cancel();
	}
});

test('timeouts: the gateway\'s own is what a session has that names none', async (t) => {
	const own = await flowHouse({ flow: { timeout: '90s' } }, t);
	const session = await Guided.start(await own.plain('ann', 'guide'), 'booking');
	const { metadata } = await session.state();
	assert.ok(Math.abs(metadata.expiresAt - metadata.lastActivityAt - 90_000) <= 50, JSON.stringify(metadata));
});

test('timeouts: a client with an open stream is warned before its session expires', async () => {
	const client = await house.plain('ann', 'guide');
	await client.open();
	const session = await Guided.start(client, 'booking', { timeout: 2000 });
	const { metadata: { expiresAt } } = await session.state();
	const { id, params } = await client.hears('notifications/interaction/timeout', (one) => one.sessionId === session.id);
	assert.equal(id, undefined);
	assert.equal(typeof params.expiresAt, typeof expiresAt);
	assert.ok(Math.abs(params.expiresAt - expiresAt) <= 50);
	await session.error(-32002);
});

test('limits: sessions of a principal, counted by principal, and free again when one ends', async (t) => {
	const own = await flowHouse({ flow: { max_sessions_per_principal: 3 } }, t);
	const [ann, bob] = [await own.plain('ann', 'guide'), await own.plain('bob', 'guide', { era: 'modern' })];
	const open = [];
	for (let number = 0; number < 3; number += 1)
		open.push(await Guided.start(ann, 'booking'));
	const error = await ann.refusal('interaction.start', { toolName: 'booking' });
	assert.deepEqual([error.code, error.data.type], [-32000, 'too_many_sessions']);
	const second = await own.plain('ann', 'guide', { era: 'modern' });
	assert.equal((await second.refusal('interaction.start', { toolName: 'booking' })).data.type, 'too_many_sessions');
	await Guided.start(bob, 'booking');
	await open[0].cancel();
	await Guided.start(ann, 'booking');
	await open[1].says('Rome');
	await open[1].is('completed');
	await Guided.start(ann, 'booking');
	assert.equal((await ann.refusal('interaction.start', { toolName: 'booking' })).data.type, 'too_many_sessions');
});

test('limits: prompts of a session, refused answers counted too', async (t) => {
	const own = await flowHouse({ flow: { max_prompts_per_session: 3 } }, t);
	const client = await own.plain('ann', 'guide');
	const session = await Guided.start(client, 'one_choice');
	let error;
	for (let number = 0; number < 5 && error === undefined; number += 1)
		({ error } = await client.request('interaction.respond', session.params({ response: { value: 'z' } })));
	assert.deepEqual([error?.code, error?.data.type], [-32000, 'too_many_prompts']);
	const { result } = await client.request('interaction.respond', session.params({ response: { value: 'a' } }));
	assert.notEqual(result?.accepted, true, 'the session is over');
	assert.equal(own.guide.calls('one_choice').length, 0);
	const short = await Guided.start(client, 'register');
	await short.says('John');
	await short.says('john@example.com');
	await short.is('completed');
});

test('limits: the life of a session, however lively it is', async (t) => {
	const own = await flowHouse({ flow: { max_session_duration: '2s' } }, t);
	const client = await own.plain('ann', 'guide');
	const session = await Guided.start(client, 'one_choice', { timeout: 60_000 });
	const { metadata } = await session.state();
	assert.ok(metadata.expiresAt <= metadata.createdAt + 2050, JSON.stringify(metadata));
	isFlowError(await session.error(-32002), -32002, session.id);
});

test('errors: a server that dies under the tool is the session\'s error, not its silence', async (t) => {
	const dying = flowServer('dying');
	dying.plan.tools = [{ name: 'dies', inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
		annotations: { readOnlyHint: true }, does: [{ exit: 3 }] }];
	const own = await flowHouse({ servers: [dying] }, t);
	const session = await Guided.start(await own.plain('ann', 'dying'), 'dies');
	await session.says('now');
	await until(async () => {
		const { state } = await session.state();
		return state === 'error' || (state === 'completed' && (await session.result()).finalResult.success === false);
	}, 'it has failed');
});
