// SPDX-License-Identifier: Apache-2.0
// MCP Flow 0.1.0, appendix B: the whole session stands in a signed token, which is sent with every request and checked each time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Guided, argumentsOf, flowHouse, isFlowError } from './lib/flow_tools.mjs';
import { until } from './lib/wait.mjs';

const STATELESS = { flow: { stateless: true } };
const house = await flowHouse(STATELESS);
const { guide } = house;

for (const era of ['legacy', 'modern']) {
	const client = await house.plain('ann', 'guide', { era });

	test(`stateless: the server says that it keeps no sessions (${era})`, async () => {
		const { interactive, version, features } = await client.ask('capabilities');
		assert.deepEqual([interactive, version, features.statefulSessions], [true, '0.1.0', false]);
	});

	test(`stateless: a wizard goes from token to token, each in the letters of base64 for URLs (${era})`, async () => {
		const session = await Guided.start(client, 'register');
		const first = session.id;
		assert.match(first, /^[A-Za-z0-9_.-]{64,}$/);
		assert.equal(session.started.initialPrompt.name, 'name');
		const answered = await session.says('John');
		assert.match(answered.sessionId, /^[A-Za-z0-9_.-]{64,}$/);
		assert.notEqual(session.id, first);
		const { state, history, currentPrompt, accumulatedData } = await session.state();
		assert.deepEqual([state, history.length, currentPrompt.name, accumulatedData], ['waiting_user', 1, 'email', { name: 'John' }]);
		assert.equal((await session.respond('nobody')).accepted, false);
		const before = guide.calls('register').length;
		await session.says('john@example.com');
		await until(() => guide.calls('register').length === before + 1, 'the tool runs');
		assert.deepEqual(argumentsOf(guide, 'register').at(-1), { name: 'John', email: 'john@example.com' });
	});

	test(`stateless: the last token runs the tool once, however often it is sent (${era})`, async () => {
		const session = await Guided.start(client, 'booking');
		const last = session.id;
		const before = guide.calls('booking').length;
		await session.says('Rome');
		await until(() => guide.calls('booking').length === before + 1, 'the tool runs');
		for (const value of ['Rome', 'Oslo']) {
			const { result } = await client.request('interaction.respond', { sessionId: last, response: { value } });
			assert.notEqual(result?.accepted, true);
		}
		await Promise.all([...Array(5).keys()].map(() => client.request('interaction.respond', { sessionId: last, response: { value: 'Bern' } })));
		assert.match(await client.text('booking', { destination: 'a mark' }), /a mark/);
		assert.deepEqual(argumentsOf(guide, 'booking').slice(before).map(({ destination }) => destination), ['Rome', 'a mark']);
	});

	test(`stateless: a token that was changed in any place, cut or not signed is no session (${era})`, async () => {
		const { id } = await Guided.start(client, 'booking');
		const changed = [];
		for (let place = 0; place < id.length; place += Math.max(1, Math.floor(id.length / 60)))
			changed.push(id.slice(0, place) + (id[place] === 'A' ? 'B' : 'A') + id.slice(place + 1));
		changed.push(id.slice(0, id.length / 2), id.slice(0, -43), id.slice(0, -1), id.slice(1), `${id}A`, id + id, `${id}=`, ` ${id}`);
		changed.push(Buffer.from(JSON.stringify({ sessionId: 'session_abc123', state: {}, signature: 'hmac_signature' })).toString('base64url'));
		changed.push('A'.repeat(200), 'A'.repeat(100_000));
		for (const sessionId of changed) {
			const error = await client.refusal('interaction.respond', { sessionId, response: { value: 'stolen' } });
			assert.equal(error.code, -32001, `${sessionId.slice(0, 40)}...: ${JSON.stringify(error).slice(0, 200)}`);
		}
		assert.ok(!argumentsOf(guide, 'booking').some(({ destination }) => destination === 'stolen'));
		assert.ok((await client.ask('interaction.respond', { sessionId: id, response: { value: 'Rome' } })).accepted, 'the token itself is good');
	});

	test(`stateless: a token is good for its principal alone (${era})`, async () => {
		const bob = await house.plain('bob', 'guide', { era });
		const { id } = await Guided.start(client, 'booking');
		for (const [method, more] of [['respond', { response: { value: 'stolen' } }], ['getState', {}], ['cancel', {}], ['complete', {}]])
			isFlowError(await bob.refusal(`interaction.${method}`, { sessionId: id, ...more }), -32001, undefined, 'session_not_found');
		assert.ok(!argumentsOf(guide, 'booking').some(({ destination }) => destination === 'stolen'));
	});

	test(`stateless: a token runs out (${era})`, async () => {
		const session = await Guided.start(client, 'booking', { timeout: 1000 });
		isFlowError(await session.error(-32002), -32002, undefined, 'session_expired');
		assert.equal((await session.refusal('Rome')).code, -32002);
	});
}

test('stateless: a token outlives the gateway that made it, and is nothing to another gateway', async (t) => {
	const [own, other] = [await flowHouse(STATELESS, t), await flowHouse(STATELESS, t)];
	const session = await Guided.start(await own.plain('ann', 'guide', { era: 'modern' }), 'register');
	await session.says('John');
	const stranger = await other.plain('ann', 'guide', { era: 'modern' });
	isFlowError(await stranger.refusal('interaction.getState', session.params()), -32001);
	await own.gateway.restart({ hard: true });
	await own.allConnected();
	session.client = await own.plain('ann', 'guide', { era: 'modern' });
	assert.deepEqual((await session.state()).accumulatedData, { name: 'John' });
	await session.says('john@example.com');
	await until(() => own.guide.calls('register').length === 1, 'the tool runs');
});

test('stateless: a token that is spent is spent after a restart too', async (t) => {
	const own = await flowHouse(STATELESS, t);
	const session = await Guided.start(await own.plain('ann', 'guide', { era: 'modern' }), 'booking');
	const last = session.id;
	await session.says('Rome');
	await until(() => own.guide.calls('booking').length === 1, 'the tool runs');
	await own.gateway.restart({ hard: true });
	await own.allConnected();
	const client = await own.plain('ann', 'guide', { era: 'modern' });
	const { result } = await client.request('interaction.respond', { sessionId: last, response: { value: 'Rome' } });
	assert.notEqual(result?.accepted, true);
	assert.match(await client.text('booking', { destination: 'a mark' }), /a mark/);
	assert.deepEqual(argumentsOf(own.guide, 'booking').map(({ destination }) => destination), ['Rome', 'a mark']);
});

test('stateless: when a token has run out is nobody else\'s to know', async () => {
	const [ann, bob] = [await house.plain('ann', 'guide', { era: 'legacy' }), await house.plain('bob', 'guide', { era: 'legacy' })];
	const session = await Guided.start(ann, 'booking', { timeout: 1000 });
	await session.error(-32002);
	isFlowError(await bob.refusal('interaction.getState', session.params()), -32001, undefined, 'session_not_found');
});

test('stateless: another MCP session of the same principal goes on, and reads how it ended', async () => {
	const one = await house.plain('ann', 'guide', { era: 'legacy' });
	const session = await Guided.start(one, 'booking');
	await session.says('Rome');
	session.client = await house.plain('ann', 'guide', { era: 'legacy' });
	assert.equal((await session.result()).finalResult.success, true);
});

test('stateless: answered wrong too often it is in error, whatever is asked of it then', async (t) => {
	const own = await flowHouse({ flow: { stateless: true, max_prompts_per_session: 2 } }, t);
	const session = await Guided.start(await own.plain('ann', 'guide', { era: 'legacy' }), 'register');
	assert.equal((await session.respond(7)).accepted, false);
	const { code, data, message } = await session.refusal(7);
	assert.deepEqual([code, data.type], [-32000, 'too_many_prompts']);
	assert.match(message, /max_prompts_per_session/);
	assert.equal((await session.state()).state, 'error');
	isFlowError(await session.refusal('John'), -32003, undefined, 'invalid_state_transition');
	isFlowError(await session.client.refusal('interaction.cancel', session.params()), -32003, undefined, 'invalid_state_transition');
});

test('stateless: whose tool ran when the gateway ended is in error for all methods, and runs nothing again', async (t) => {
	const own = await flowHouse(STATELESS, t);
	const session = await Guided.start(await own.plain('ann', 'guide', { era: 'modern' }), 'lasts');
	await session.says('x');
	await until(() => own.guide.calls('lasts').length === 1, 'the tool runs');
	await own.gateway.restart({ hard: true });
	await own.allConnected();
	session.client = await own.plain('ann', 'guide', { era: 'modern' });
	assert.match((await session.state()).summary, /restarted while the tool ran/);
	for (const [method, more] of [['respond', { response: { value: 'y' } }], ['cancel', {}], ['complete', {}]]) {
		const error = await session.client.refusal(`interaction.${method}`, session.params(more));
		isFlowError(error, -32003, undefined, 'invalid_state_transition');
		assert.match(error.message, /is error/);
	}
	assert.equal(own.guide.calls('lasts').length, 1);
});

test('stateless: a tool that does not come to an end in time is -32005', async () => {
	const session = await Guided.start(await house.plain('ann', 'guide', { era: 'legacy' }), 'lasts', { timeout: 1000 });
	await session.says('x');
	isFlowError(await session.error(-32005), -32005, undefined, 'timeout');
});
