// SPDX-License-Identifier: Apache-2.0
// Guided sessions that a server leads by itself: when it may, what it may not, and how they end.

import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { answerOf } from './lib/attached.mjs';
import { listener, Rude, rudeHouse } from './lib/flow_rude.mjs';
import { Guided, isFlowError } from './lib/flow_tools.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { FREE, MgpHouse } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const build = resolve(process.env.HUSTINGS_BUILD ?? 'build');

test('booking: an author\'s own tool, with its prompts, its validation and its back step', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: FREE, text: `[[servers]]\nid = "trips"\ncommand = ${JSON.stringify(join(build, 'examples/booking'))}\n` });
	await house.is('trips', 'connected');
	const client = await house.plain('ann', 'trips');
	const session = await Guided.start(client, 'book');
	assert.equal(session.started.initialPrompt.message, 'Which day?', 'the author\'s words, and not the schema\'s');
	const refused = await session.respond('1999-01-01');
	assert.equal(refused.accepted, false);
	assert.equal(typeof refused.validation.error, 'string');
	const says = async (message, value) => {
		const prompt = await until(async () => {
			const { state, currentPrompt } = await session.state();
			return state === 'waiting_user' && message.test(currentPrompt.message) && currentPrompt;
		}, `the prompt ${message}`);
		await session.says(value);
		return prompt;
	};
	await says(/Which day/, '2027-03-01');
	const way = await says(/How do you travel/, 'train');
	assert.deepEqual(way.choices.map(({ value }) => value), ['train', 'flight']);
	await says(/bicycle/, true);
	await says(/How many/, 2);
	await says(/Where to send/, 'ann@example.org');
	await says(/is that right/, false);
	await says(/Which day/, '2027-04-02');
	await says(/How do you travel/, 'flight');
	await says(/Which seat/, 'aisle');
	await says(/How many/, 1);
	await says(/Where to send/, 'ann@example.org');
	await says(/is that right/, true);
	const { finalResult } = await session.result();
	assert.match(JSON.stringify(finalResult), /booked: flight on 2027-04-02 for 1, aisle/);
});

test('messages: what a server says of a session before it answers its start is passed on behind that answer, up to a bound', async (t) => {
	const server = new Rude('early');
	const house = await rudeHouse(t, [server]);
	const client = await listener(house, 'ann', 'early');
	const session = await Guided.start(client, 'hasty');
	const { params } = await client.hears('interaction.prompt', (one) => one.sessionId === session.id);
	assert.equal(params.prompt.message, 'Early 0');
	const many = await Guided.start(client, 'hurried');
	await client.hears('interaction.prompt', (one) => one.sessionId === many.id && one.prompt.message === 'Early 7');
	await many.says('x');
	await client.hears('interaction.complete', (one) => one.sessionId === many.id);
	assert.equal(server.received.filter(({ error }) => error?.code === -32001).length, 12, 'those beyond eight are refused');
});

test('access: who may not use the tool any more hears nothing of the session, and its server nothing of who asks', async (t) => {
	const server = new Rude('closed');
	const house = await rudeHouse(t, [server]);
	const client = await listener(house, 'ann', 'closed');
	const [looked, cancelled] = [await Guided.start(client, 'once'), await Guided.start(client, 'once')];
	await house.grant('ann', 'closed', null, { permission: 'deny' });
	const asked = server.of('interaction.getState').length;
	assert.equal((await looked.state()).state, 'error');
	assert.equal((await cancelled.cancel()).cancelled, true);
	assert.equal(server.of('interaction.getState').length, asked);
	await until(() => server.of('interaction.cancel').length === 2, 'both are taken back at the server');
});

test('capabilities: a server that did not declare it is asked once, at the first session and not before', async (t) => {
	const [yes, error, silence, declared] = [new Rude('yes', { declares: false }), new Rude('error', { declares: false, says: 'error' }),
		new Rude('silence', { declares: false, says: 'silence' }), new Rude('declared')];
	const house = await rudeHouse(t, [yes, error, silence, declared]);
	for (const server of [yes, error, silence, declared]) {
		const client = await house.plain('ann', server.id);
		await client.tools?.();
		assert.equal(server.of('capabilities').length, 0);
		const { initialPrompt } = (await Guided.start(client, 'once')).started;
		assert.equal(initialPrompt.message, ['yes', 'declared'].includes(server.id) ? 'What?' : 'by schema');
		await Guided.start(client, 'once');
		assert.equal(server.of('capabilities').length, server === declared ? 0 : 1);
	}
});

test('safety: what a gate would ask of the arguments is led by the schema', async (t) => {
	const approved = new Rude('approved'), rules = new Rude('rules', {}, '[servers.authorization]\nmode = "selective"\nrules = [{ tool = "once", argument = "word", value = "evil", action = "deny" }]\n');
	const checked = new Rude('checked', {}, '[servers.mgp]\nvalidators = { once = "sandbox" }\n'), off = new Rude('off', {}, '[servers.flow]\nenabled = false\n');
	const house = await rudeHouse(t, [approved, rules, checked, off], { kernel: { ...FREE, approval: 'interactive' } });
	const first = async (server, tool) => (await Guided.start(await house.plain('ann', server.id), tool)).started.initialPrompt.message;
	assert.equal(await first(approved, 'once'), 'What?', 'what is harmless is led by the server');
	assert.equal(await first(approved, 'destroy'), 'by schema');
	assert.equal(await first(rules, 'once'), 'by schema');
	assert.equal(await first(rules, 'mute'), 'What?', 'the rule is about another tool');
	assert.equal(await first(checked, 'once'), 'by schema');
	isFlowError(await (await house.plain('ann', 'off')).refusal('interaction.start', { toolName: 'once' }), -32007);
	for (const server of [rules, checked, off])
		assert.ok(!server.of('interaction.start').some(({ params }) => params.toolName === 'once'));
	assert.ok(!approved.of('interaction.start').some(({ params }) => params.toolName === 'destroy'));
});

test('safety: an answer is refused when the asker may use the tool no more', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { kernel: { ...FREE, default_policy: 'opt-out' } });
	const client = await house.plain('ann', 'rude');
	const session = await Guided.start(client, 'once');
	await house.grant('ann', 'rude', null, { permission: 'deny' });
	const error = await client.refusal('interaction.respond', session.params({ response: { value: 'x' } }));
	assert.equal(error.code, -32602);
	assert.equal((await session.state()).state, 'error');
	await rude.hears('interaction.cancel');
	assert.equal(rude.of('interaction.respond').length, 0);
});

test('bounds: a server that floods is stopped', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { flow: 'max_prompts_per_session = 5' });
	for (const [tool, words] of [['flood', /too many prompts/], ['chat', /too many messages/], ['large', /too large/]]) {
		const client = await listener(house, 'ann', 'rude');
		const session = await Guided.start(client, tool);
		await session.says('go');
		const state = await session.is('error');
		assert.match(state.summary, words);
		await rude.answers(({ error }) => error !== undefined);
		await rude.hears('interaction.cancel', ({ sessionId }) => sessionId.startsWith('own-'));
		const { params } = await client.hears('interaction.complete', ({ sessionId }) => sessionId === session.id);
		assert.equal(params.result.success, false);
	}
});

test('isolation: a server reaches no session but those of the conversation', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { audit: true });
	const ann = await listener(house, 'ann', 'rude');
	const session = await Guided.start(ann, 'once');
	const sessionId = `own-${(await session.state()).me}-1`;
	const bob = await house.plain('bob', 'rude');
	const thief = await Guided.start(bob, 'steal', { initialParams: { ids: [sessionId, session.id, 'none', ''] } });
	assert.notEqual((await thief.state()).me, (await session.state()).me, 'they have processes of their own');
	await thief.says('go');
	await thief.is('completed');
	await until(() => rude.received.filter((message) => message.error?.code === -32001).length === 4, 'each of them was refused');
	const state = await session.state();
	assert.equal(state.state, 'waiting_user');
	await session.says('x');
	await ann.hears('interaction.complete', (params) => params.sessionId === session.id);
	const event = await house.audited('dev.hustings.flow_refused');
	assert.equal(event.result, 'BLOCKED');
});

test('audit: start and end, under one trace', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { audit: true });
	const client = await house.plain('ann', 'rude');
	const session = await Guided.start(client, 'once');
	const began = await house.audited('dev.hustings.flow_started');
	await session.says('x');
	const ended = await house.audited('TOOL_EXECUTED', (event) => event.details?.session === session.id);
	assert.equal(began.trace_id, ended.trace_id);
	assert.equal(began.details.session, session.id);
	assert.deepEqual([ended.result, ended.details.state], ['SUCCESS', 'completed']);
});

test('errors: a code that is none of Flow\'s, an id in words, a session that was forgotten, a start without an id', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude]);
	const client = await house.plain('ann', 'rude');
	const odd = await Guided.start(client, 'odd');
	const error = await odd.refusal('x');
	isFlowError(error, -32005, odd.id, 'server_error');
	assert.equal(error.data.code, -32099);
	assert.equal(error.message, `odd things happen in ${odd.id}`);
	assert.doesNotMatch(JSON.stringify(error), /own-/);
	const forgotten = await Guided.start(client, 'forgets');
	isFlowError(await forgotten.refusal('x'), -32001, forgotten.id);
	assert.equal((await forgotten.state()).state, 'error');
	const nameless = await client.refusal('interaction.start', { toolName: 'nameless' });
	assert.equal(nameless.code, -32005);
	await Guided.start(client, 'twin');
	assert.equal((await client.refusal('interaction.start', { toolName: 'twin' })).code, -32005, 'one id is one session');
});

test('the end: a server that is silent, one that dies, and a gateway that restarts', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { kernel: { ...FREE, call_timeout: '1s' } });
	const client = await house.plain('ann', 'rude');
	const mute = await Guided.start(client, 'mute');
	isFlowError(await mute.refusal('x'), -32005, mute.id);
	assert.match((await mute.state()).summary, /did not answer in time/);
	const dies = await Guided.start(client, 'dies');
	await dies.refusal('x');
	const state = await dies.is('error');
	assert.match(state.summary, /process has ended/);
	isFlowError(await dies.refusal('x'), -32003, dies.id);
	await house.is('rude', 'connected');
	const lasting = await Guided.start(client, 'once');
	await house.gateway.restart();
	await house.is('rude', 'connected');
	const again = await house.plain('ann', 'rude');
	const restored = new Guided(again, lasting.id);
	assert.match((await restored.is('error')).summary, /gateway restarted/);
	isFlowError(await restored.refusal('x'), -32003, lasting.id);
});

test('limits: its sessions count as all do, and a cancelled one no more', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { flow: 'max_sessions_per_principal = 2' });
	const client = await house.plain('ann', 'rude');
	const first = await Guided.start(client, 'once');
	await Guided.start(client, 'once');
	assert.equal((await client.refusal('interaction.start', { toolName: 'once' })).code, -32000);
	assert.deepEqual(await first.cancel(), { cancelled: true });
	await Guided.start(client, 'once');
});

test('modern: a server of that era alone tells of its prompts by notifications', async (t) => {
	const rude = new Rude('rude', { modern: true });
	const house = await rudeHouse(t, [rude]);
	const client = await listener(house, 'ann', 'rude');
	const session = await Guided.start(client, 'once');
	assert.equal(session.started.initialPrompt.message, 'What?');
	await rude.hears('subscriptions/listen', ({ notifications }) => notifications['dev.hustings/flow'] === true);
	await session.says('x');
	const { params } = await client.hears('interaction.complete', ({ sessionId }) => sessionId === session.id);
	assert.equal(params.result.success, true);
});

test('shared: one process for all, and yet each session is its owner\'s', async (t) => {
	const rude = new Rude('rude', {}, 'share = "all"\n');
	const house = await rudeHouse(t, [rude]);
	const [ann, bob] = [await listener(house, 'ann', 'rude'), await listener(house, 'bob', 'rude')];
	const [hers, his] = [await Guided.start(ann, 'once'), await Guided.start(bob, 'once')];
	assert.equal((await hers.state()).me, (await his.state()).me);
	isFlowError(await bob.refusal('interaction.respond', hers.params({ response: { value: 'x' } })), -32001);
	await hers.says('x');
	await ann.hears('interaction.complete', ({ sessionId }) => sessionId === hers.id);
	assert.equal((await his.state()).state, 'waiting_user');
	await his.says('x');
	await bob.hears('interaction.complete', ({ sessionId }) => sessionId === his.id);
	assert.equal(ann.all('interaction.complete').some(({ sessionId }) => sessionId === his.id), false);
});

test('rooms: a participant is led by a server that sits there', async (t) => {
	const topic = freshTopic();
	const rude = new Rude('rude', {}, `rooms = [${JSON.stringify(topic)}]\n`);
	const house = await rudeHouse(t, [rude]);
	const ann = await joinAs(house.gateway, topic, 'ann');
	t.after(() => ann.close());
	if (!ann.welcome.payload.participants.some(({ id }) => id === 'rude'))
		await ann.next(isPresence('join', 'rude'));
	const say = (method, params, id) => answerOf(ann, 'rude', method, params, id).then(({ payload }) => payload);
	const { result } = await say('interaction.start', { toolName: 'once' }, 1);
	assert.equal(result.initialPrompt.message, 'What?');
	assert.equal((await say('interaction.respond', { sessionId: result.sessionId, response: { value: 'x' } }, 2)).result.accepted, true);
	const { payload } = await ann.next((one) => one.payload.method === 'interaction.complete');
	assert.equal(payload.params.sessionId, result.sessionId);
	assert.equal(payload.params.result.success, true);
	assert.equal((await say('interaction.complete', { sessionId: result.sessionId }, 3)).result.success, true);
});
