// SPDX-License-Identifier: Apache-2.0
// Guided sessions that a server leads by itself: what becomes of those that do not begin, what is counted and told of all, and who goes on beside them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listener, Rude, rudeHouse } from './lib/flow_rude.mjs';
import { Guided, isFlowError } from './lib/flow_tools.mjs';
import { FREE } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

async function figures(house) {
	const { text } = await house.gateway.request('GET', '/metrics');
	const value = (name) => Number(text.split('\n').find((line) => line.startsWith(`${name} `)).split(' ')[1]);
	const outcome = (word) => value(`hustings_calls_total{outcome="${word}"}`);
	return { ok: outcome('ok'), error: outcome('error'), refused: outcome('refused'), cancelled: outcome('cancelled'), timeout: outcome('timeout'),
		quota: value('hustings_calls_refused_total{gate="quota"}'), timed: value('hustings_call_seconds_count'), open: value('hustings_calls_open') };
}

const none = { ok: 0, error: 0, refused: 0, cancelled: 0, timeout: 0, quota: 0, timed: 0, open: 0 };

test('late: a start that its server answers after its time is cancelled there by the id that it gave', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { kernel: { ...FREE, call_timeout: '1s' } });
	const client = await house.plain('ann', 'rude');
	assert.equal((await client.refusal('interaction.start', { toolName: 'late' })).code, -32005);
	assert.deepEqual(await figures(house), { ...none, timeout: 1 });
	assert.equal(rude.of('interaction.cancel').length, 0);
	assert.equal(rude.of('notifications/cancelled').length, 0, 'a server that hears of a cancel need not answer');
	rude.release();
	const { params } = await rude.hears('interaction.cancel');
	assert.match(params.sessionId, /^own-/);
	const next = await Guided.start(client, 'late');
	await next.says('x');
	assert.equal(rude.of('interaction.cancel').length, 1);
});

test('late: a start whose client has gone is cancelled there when it is answered', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude], { audit: true });
	const client = await house.plain('ann', 'rude', { era: 'modern' });
	const gone = client.begin('interaction.start', { toolName: 'late' });
	await rude.hears('interaction.start');
	const connections = async () => Number((await house.gateway.request('GET', '/metrics')).text.match(/^hustings_connections (\d+)$/m)[1]);
	const before = await connections();
	gone.abort();
	await until(async () => await connections() < before, 'the gateway sees that the client has gone');
	rude.release();
	await rude.hears('interaction.cancel', ({ sessionId }) => sessionId.startsWith('own-'));
	const ended = await house.audited('TOOL_EXECUTED', ({ details }) => details?.session !== undefined);
	assert.equal(ended.result, 'CANCELLED');
	assert.equal(house.events.filter(({ event_type: type, trace_id: trace }) => type === 'dev.hustings.flow_started' && trace === ended.trace_id).length, 1);
	assert.deepEqual(await figures(house), { ...none, cancelled: 1 });
});

test('refused: an answer that is too large has its session cancelled, one without an id has none', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude]);
	const client = await house.plain('ann', 'rude');
	assert.equal((await client.refusal('interaction.start', { toolName: 'huge' })).code, -32005);
	await rude.hears('interaction.cancel', ({ sessionId }) => sessionId.startsWith('own-'));
	assert.equal((await client.refusal('interaction.start', { toolName: 'nameless' })).code, -32005);
	const twin = await Guided.start(client, 'twin');
	assert.equal((await client.refusal('interaction.start', { toolName: 'twin' })).code, -32005);
	assert.equal((await twin.state()).state, 'waiting_user', 'the id is that of an open session, which stays');
	assert.equal(rude.of('interaction.cancel').length, 1);
	assert.deepEqual(await figures(house), { ...none, error: 3 });
});

test('figures: a session is one call, with its outcome and without its time', async (t) => {
	const rude = new Rude('rude', {}, '[servers.mgp]\nquota = "4/day"\n');
	const house = await rudeHouse(t, [rude]);
	const client = await listener(house, 'ann', 'rude');
	const done = await Guided.start(client, 'once');
	assert.deepEqual(await figures(house), none, 'it goes on');
	await done.says('x');
	await client.hears('interaction.complete', ({ sessionId }) => sessionId === done.id);
	assert.deepEqual(await figures(house), { ...none, ok: 1 });
	await done.state();
	const cancelled = await Guided.start(client, 'once');
	await cancelled.cancel();
	const forgotten = await Guided.start(client, 'forgets');
	await forgotten.refusal('x');
	assert.equal((await forgotten.state()).state, 'error');
	assert.deepEqual(await figures(house), { ...none, ok: 1, cancelled: 1, error: 1 });
	const dies = await Guided.start(client, 'dies');
	await dies.refusal('x');
	assert.deepEqual(await figures(house), { ...none, ok: 1, cancelled: 1, error: 2 });
	await house.is('rude', 'connected');
	await client.refusal('interaction.start', { toolName: 'once' });
	assert.deepEqual(await figures(house), { ...none, ok: 1, cancelled: 1, error: 2, refused: 1, quota: 1 });
});

test('events: a session is told of as a call is, once', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude]);
	const ear = await house.client('ann', 'rude');
	await ear.open();
	await ear.subscribe({ channels: ['tool.*'] });
	const events = () => ear.all('notifications/mgp.event').map(({ channel, data }) => ({ channel, ...data }));
	const client = await house.plain('ann', 'rude');
	const done = await Guided.start(client, 'once');
	await done.says('x');
	await until(() => events().some(({ channel }) => channel === 'tool.completed'), 'tool.completed');
	const cancelled = await Guided.start(client, 'hasty');
	await cancelled.cancel();
	await until(() => events().some(({ channel }) => channel === 'tool.failed'), 'tool.failed');
	const told = events();
	assert.deepEqual(told.map(({ channel, tool_name: name }) => [channel, name]),
		[['tool.started', 'once'], ['tool.completed', 'once'], ['tool.started', 'hasty'], ['tool.failed', 'hasty']]);
	for (const one of told)
		assert.deepEqual([one.server_id, one.agent_id], ['rude', 'ann']);
	assert.equal(told[0].trace_id, told[1].trace_id);
	assert.equal(told[3].cancelled, true);
	assert.ok(told[1].duration_ms >= 0);
});

test('places: open sessions hold nobody up, neither calls nor further sessions', async (t) => {
	const rude = new Rude('rude');
	const house = await rudeHouse(t, [rude]);
	const capabilities = { elicitation: {}, sampling: {} }; // who can be asked something shares no process
	const names = ['ann', 'bob', 'cid', 'dot', 'eve', 'fay', 'gus'];
	const clients = await Promise.all(names.map((id) => house.plain(id, 'rude', { capabilities })));
	const call = (client) => client.ask('tools/call', { name: 'once', arguments: { word: 'x' } });
	const sessions = [];
	for (const client of clients)
		sessions.push(await Guided.start(client, 'once'));
	for (const { content } of await Promise.all(clients.map(call)))
		assert.equal(content[0].text, 'called once');
	const processes = new Set();
	for (const session of sessions) {
		const { state, me } = await session.state();
		assert.equal(state, 'waiting_user');
		processes.add(me);
	}
	assert.equal(processes.size, 4, 'three have their own, and the others share one');
	isFlowError(await clients[5].refusal('interaction.getState', sessions[6].params()), -32001);
	for (const session of sessions) {
		await session.says('x');
		await session.is('completed');
	}
});

test('capabilities: a server that did not answer is asked again, and leads from then on', async (t) => {
	const rude = new Rude('rude', { declares: false, says: 'later' });
	const house = await rudeHouse(t, [rude]);
	const client = await house.plain('ann', 'rude');
	const first = async () => {
		const session = await Guided.start(client, 'once');
		await session.cancel();
		return session.started.initialPrompt.message;
	};
	assert.equal(await first(), 'by schema');
	assert.equal(rude.of('capabilities').length, 1);
	await until(async () => await first() === 'What?', 'its server leads');
	assert.equal(rude.of('capabilities').length, 2);
});
