// SPDX-License-Identifier: Apache-2.0
// MGP 13.3 when there is more than can be passed on: who reads misses nothing, and what is left out shows in the numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const REPLAY = 'mgp/events/replay';
const extensions = ['security', 'bidirectional'];
const events = ['model.token_usage'];
const tools = [{ name: 'told', annotations: { readOnlyHint: true }, does: 'told' }];
const counted = (n) => ({ channel: 'model.token_usage', data: { n } });
const seqs = (list) => list.map(({ seq }) => seq);

/** A house of its own, since what a server raises in a minute is bounded; raise() there. */
async function alone(t, ids = ['own']) {
	const house = await MgpHouse.forTest(t, { kernel: FREE, servers: ids.map((id) => new Outsider(id, { extensions, tools, events })) });
	await house.allConnected();
	const boss = await house.admin('/mcp');
	return { house, raise: (...said) => raiseAt(ids[0], ...said), raiseAt };
	function raiseAt(id, ...said) {
		return boss.text(`${id}__told`, { script: [...said.map((event) => ({ event })), { answer: { content: [{ type: 'text', text: 'told' }] } }] });
	}
}

test('13.3 a listener that does not read holds nobody up, and what it misses shows in the numbers', async (t) => {
	const ids = ['one', 'two', 'three', 'four', 'five'];
	const { house, raiseAt } = await alone(t, ids);
	const [reader, sleeper] = [await (await house.client('ann', '/mcp')).open(), await house.client('ann', '/mcp')];
	const control = new AbortController();
	t.after(() => control.abort());
	const response = await sleeper.get(control.signal);
	const [live, late] = [await reader.subscribe({ channels: ['model.token_usage'] }), await sleeper.subscribe({ channels: ['model.token_usage'] })];
	const filler = 'x'.repeat(8000);
	for (let round = 1; round <= 50; round += 1) {
		await raiseAt(ids[round % 5], ...Array(49).fill({ channel: 'model.token_usage', data: { filler } }), counted(round));
		await reader.event(live, ({ data }) => data.n === round);
	}
	assert.deepEqual(seqs(reader.events(live)), [...Array(2500).keys()].map((one) => one + 1), 'who reads misses nothing');
	const { next_seq } = await sleeper.ask(REPLAY, { subscription_id: late.subscription_id, after_seq: 0 });
	assert.equal(next_seq, 2501);
	sleeper.collect(response).catch(() => {});
	const came = await until(() => seqs(sleeper.events(late)).length > 0 && seqs(sleeper.events(late)), 'something comes when it reads');
	assert.ok(came.every((seq, number) => number === 0 || seq > came[number - 1]), 'in order');
});

test('13.3 events that are left out because a server raises too many are not missed silently', async (t) => {
	const { house, raise } = await alone(t);
	const client = await (await house.client('ann', '/mcp')).open();
	const subscription = await client.subscribe({ channels: ['model.token_usage', 'tool.completed'] });
	for (let round = 0; round < 40; round += 1)
		await raise(...Array(50).fill(counted(round)));
	const heard = () => client.events(subscription);
	await until(() => heard().filter(({ channel }) => channel === 'tool.completed').length === 40, 'every call has ended');
	const came = heard().filter(({ channel }) => channel === 'model.token_usage').length;
	const [last, numbered] = [seqs(heard()).at(-1), heard().length];
	const { gap, next_seq } = await client.ask(REPLAY, { subscription_id: subscription.subscription_id, after_seq: last });
	assert.ok(came === 2000 || last > numbered || next_seq > last + 1 || gap, `${came} of 2000 came, and nothing says so: ${last} ${next_seq} ${gap}`);
});

test('13.3 an event too large to be passed on is not missed silently', async (t) => {
	const { house, raise } = await alone(t);
	const client = await (await house.client('ann', '/mcp')).open();
	const subscription = await client.subscribe({ channels: ['model.token_usage'] });
	await raise(counted(1), { channel: 'model.token_usage', data: { filler: 'x'.repeat(500_000) } }, counted(2));
	await client.event(subscription, ({ data }) => data.n === 2);
	assert.deepEqual(seqs(client.events(subscription)).at(-1), 3, 'the large one has come, or its number is missing');
});

test('13.2 subscriptions that were ended, or whose stream has gone, shut nobody out', async (t) => {
	const { house } = await alone(t);
	const legacy = await house.client('ann', '/mcp');
	for (let number = 0; number < 300; number += 1) {
		const { subscription_id } = await legacy.subscribe({ channels: ['model.token_usage'] });
		await legacy.ask('mgp/events/unsubscribe', { subscription_id });
	}
	const modern = await house.client('bob', '/mcp', { era: 'modern' });
	for (let number = 0; number < 150; number += 1)
		(await modern.subscribe({ channels: ['model.token_usage'] })).close();
	for (let number = 0; number < 60; number += 1) {
		const client = await house.client('eve', '/mcp');
		await client.subscribe({ channels: ['model.token_usage'] });
		await client.close();
	}
	for (const id of ['ann', 'bob', 'eve']) {
		const client = await (await house.client(id, '/mcp')).open();
		assert.deepEqual((await client.subscribe({ channels: ['model.token_usage'] })).subscribed, ['model.token_usage'], id);
	}
});
