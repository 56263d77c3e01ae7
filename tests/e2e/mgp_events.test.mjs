// SPDX-License-Identifier: Apache-2.0
// MGP 13.1 to 13.3 and 13.5: channels are subscribed to, events come once, numbered, to those who may hear them, and what was
// missed can be had again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL, ISO_TIME } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const EVENT = 'notifications/mgp.event';
const SUBSCRIBE = 'mgp/events/subscribe';
const UNSUBSCRIBE = 'mgp/events/unsubscribe';
const REPLAY = 'mgp/events/replay';
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'bidirectional', 'lifecycle'];
/** The event of MGP 13.3. */
const USAGE = { channel: 'model.token_usage', timestamp: '2026-02-27T12:05:00.000Z',
	data: { tokens_used: 1500, tokens_remaining: 8500, model: 'llama3.1-70b' } };
const QUICK = { backoff_base_ms: 50, backoff_max_ms: 200, max_restarts: 50 };
const tools = [{ name: 'told', annotations: readOnly, does: 'told' }, { name: 'think', annotations: readOnly },
	{ name: 'fails', annotations: readOnly, does: [{ error: { code: -32000, message: 'no' } }] }, { name: 'crash', does: [{ exit: 3 }] },
	{ name: 'guarded', annotations: readOnly, inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
		security: { risk_level: 'moderate', validator: 'sandbox' } }];
const events = ['model.token_usage', 'model.rate_limited'];

const mind = new Outsider('mind', { extensions, tools, events }, QUICK);
const other = new Outsider('other', { extensions, tools, events: ['model.other'] });
const plain = new Outsider('plain', { plain: true, tools });
const apart = new Outsider('apart', { extensions: ['security'], tools, events });
const deaf = new Outsider('deaf', { extensions, tools, events: ['model.deaf'], subscribe: 'silent' });
const closed = new Outsider('closed', { extensions, tools, events: [...events, 'model.secret'] }, { default_policy: 'opt-in' });
const house = await MgpHouse.forFile({ servers: [mind, other, plain, apart, deaf, closed] });
await house.allConnected();
await house.grant('ann', 'closed');

/** A client that hears. */
const listener = async (id, where = '/mcp', options = {}) => {
	const client = await house.client(id, where, options);
	return client.isModern ? client : client.open();
};
let teller;
/** Has a server raise these events, one after the other. */
async function raise(server, ...said) {
	teller ??= await house.admin('/mcp');
	await teller.text(`${server.id}__told`, { script: [...said.map((event) => ({ event })), { answer: { content: [{ type: 'text', text: 'told' }] } }] });
}
const counted = (n, more = {}) => ({ channel: 'model.token_usage', data: { n }, ...more });
const numbers = (list) => list.map(({ data }) => data.n);
const seqs = (list) => list.map(({ seq }) => seq);
/** Waits for an event with that number, then hands out all numbers that came. */
async function upTo(client, subscription, n) {
	await client.event(subscription, ({ data }) => data?.n === n);
	return numbers(client.events(subscription));
}

for (const era of ['legacy', 'modern']) {
	test(`13.2 the subscription of the text is answered with what is subscribed, unsupported, and an id (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const said = await client.subscribe({ channels: ['model.token_usage', 'system.error'], filter: { min_severity: 'warning' } }, { id: 30, trace: null });
		assert.deepEqual(said.subscribed, ['model.token_usage', 'system.error']);
		assert.deepEqual(said.unsupported, []);
		assert.ok(typeof said.subscription_id === 'string' && said.subscription_id.length > 0);
		if (era === 'modern')
			assert.match(said.type, /text\/event-stream/, 'its events come on this very stream');
	});

	test(`13.2 the end of a subscription, as in the text (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const [gone, kept] = [await client.subscribe({ channels: ['model.token_usage'] }), await client.subscribe({ channels: ['model.token_usage'] })];
		assert.notEqual(gone.subscription_id, kept.subscription_id);
		await raise(mind, counted(1));
		await upTo(client, gone, 1);
		const { id, result } = await client.request(UNSUBSCRIBE, { subscription_id: gone.subscription_id }, { id: 31, trace: null });
		assert.deepEqual([id, typeof result], [31, 'object']);
		await raise(mind, counted(2));
		assert.deepEqual(await upTo(client, kept, 2), [1, 2]);
		assert.deepEqual(numbers(client.events(gone)), [1]);
		assert.ok((await client.request(UNSUBSCRIBE, { subscription_id: gone.subscription_id })).error, 'a second time');
	});

	test(`13.3 the event of the text comes as it is, under the subscription's id (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const subscription = await client.subscribe({ channels: ['model.token_usage'] });
		await raise(mind, USAGE);
		await client.event(subscription);
		const heard = client.heard.find(({ method, params }) => method === EVENT && params.subscription_id === subscription.subscription_id);
		assert.equal(heard.jsonrpc, '2.0');
		assert.equal(heard.id, undefined);
		const { subscription_id, channel, timestamp, data } = heard.params;
		assert.deepEqual({ channel, timestamp, data }, USAGE);
		assert.equal(subscription_id, subscription.subscription_id);
	});

	test(`13.3 events are numbered from 1 within each subscription (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const first = await client.subscribe({ channels: ['model.*'] });
		await raise(mind, counted(1), counted(2));
		await upTo(client, first, 2);
		const second = await client.subscribe({ channels: ['model.token_usage'] });
		await raise(mind, counted(3));
		assert.deepEqual(await upTo(client, first, 3), [1, 2, 3]);
		assert.deepEqual(await upTo(client, second, 3), [3]);
		assert.deepEqual(seqs(client.events(first)), [1, 2, 3]);
		assert.deepEqual(seqs(client.events(second)), [1]);
	});

	test(`13.2 min_severity leaves out what is less; an event without a severity is info (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const severe = await client.subscribe({ channels: ['model.token_usage'], filter: { min_severity: 'warning' } });
		const all = await client.subscribe({ channels: ['model.token_usage'], filter: { min_severity: 'info' } });
		await raise(mind, counted(1), counted(2, { severity: 'info' }), counted(3, { severity: 'warning' }), counted(4, { severity: 'error' }), counted(5));
		assert.deepEqual(await upTo(client, all, 5), [1, 2, 3, 4, 5]);
		assert.deepEqual(await upTo(client, severe, 4), [3, 4]);
		assert.deepEqual(seqs(client.events(severe)), [1, 2], 'what is left out has no number');
	});

	test(`13.3 replay hands out what was missed, in order, and says whether all of it is there (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const subscription = await client.subscribe({ channels: ['model.token_usage'] });
		await raise(mind, counted(1), counted(2));
		await upTo(client, subscription, 2);
		const live = [...client.events(subscription)];
		if (era === 'legacy')
			await client.shut();
		subscription.close();
		await raise(mind, counted(3), counted(4), counted(5));
		const replay = (after_seq) => client.ask(REPLAY, { subscription_id: subscription.subscription_id, after_seq });
		const missed = await until(async () => {
			const answer = await replay(2);
			return answer.events.length === 3 && answer;
		}, 'all three');
		assert.deepEqual(seqs(missed.events), [3, 4, 5]);
		assert.deepEqual(numbers(missed.events), [3, 4, 5]);
		assert.equal(missed.gap, false);
		assert.equal(missed.next_seq, 6);
		const all = await replay(0);
		assert.deepEqual(seqs(all.events), [1, 2, 3, 4, 5]);
		for (const [number, { channel, timestamp, data, seq }] of live.entries())
			assert.deepEqual([all.events[number].channel, all.events[number].timestamp, all.events[number].data, all.events[number].seq], [channel, timestamp, data, seq]);
		assert.deepEqual((await replay(5)).events, []);
		assert.equal((await replay(5)).gap, false);
	});

	test(`13.3 a window is bounded, and what has left it is said to be a gap (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era });
		const subscription = await client.subscribe({ channels: ['model.token_usage'] });
		subscription.close();
		const replay = (after_seq) => client.ask(REPLAY, { subscription_id: subscription.subscription_id, after_seq });
		const filler = 'x'.repeat(8000);
		const answer = await until(async () => {
			await raise(mind, ...Array(50).fill({ channel: 'model.token_usage', data: { filler } }));
			const said = await replay(0);
			return said.gap && said;
		}, 'a gap, since not everything is kept');
		const kept = seqs(answer.events);
		assert.ok(kept.length > 0 && kept[0] > 1);
		assert.ok(kept.every((seq, number) => number === 0 || seq === kept[number - 1] + 1), 'no gap within');
		assert.equal((await replay(kept[0] - 1)).gap, false);
	});

	test(`13.2 another principal has nothing of a subscription (${era})`, async () => {
		const [ann, bob] = [await listener('ann', '/mcp', { era }), await listener('bob', '/mcp', { era })];
		const subscription = await ann.subscribe({ channels: ['model.token_usage'] });
		await raise(mind, counted(1));
		await upTo(ann, subscription, 1);
		for (const [method, more] of [[UNSUBSCRIBE, {}], [REPLAY, { after_seq: 0 }]]) {
			const foreign = await bob.refusal(method, { subscription_id: subscription.subscription_id, ...more });
			const unknown = await bob.refusal(method, { subscription_id: 'sub-none', ...more });
			assert.deepEqual([foreign.code, foreign.data?.type], [unknown.code, unknown.data?.type], "another's is like none");
		}
		await raise(mind, counted(2));
		assert.deepEqual(await upTo(ann, subscription, 2), [1, 2]);
		assert.deepEqual(bob.all(EVENT), []);
	});

	test(`13.5 an exact channel that nobody has is unsupported, a pattern always holds (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era });
		const said = await client.subscribe({ channels: ['model.none', 'model.*', 'system.*', 'tool.*', 'system.no_such', 'tool.completed', 'model.token_usage'] });
		assert.deepEqual([...said.subscribed].sort(), ['model.*', 'model.token_usage', 'system.*', 'tool.*', 'tool.completed']);
		assert.deepEqual([...said.unsupported].sort(), ['model.none', 'system.no_such']);
	});

	test(`13.5 the kernel tells of tools: started, completed, failed (${era})`, async () => {
		const client = await listener('ann', '/mcp', { era });
		const subscription = await client.subscribe({ channels: ['tool.started', 'tool.completed', 'tool.failed'] });
		assert.deepEqual(subscription.unsupported, []);
		await client.text('mind__think');
		await client.request('tools/call', { name: 'mind__fails', arguments: {} });
		await client.event(subscription, ({ channel }) => channel === 'tool.failed');
		const heard = client.events(subscription);
		const about = (tool) => heard.filter(({ data }) => data.tool_name === tool).map(({ channel }) => channel);
		assert.deepEqual(about('think'), ['tool.started', 'tool.completed']);
		assert.deepEqual(about('fails'), ['tool.started', 'tool.failed']);
		for (const { timestamp, data } of heard) {
			assert.match(timestamp, ISO_TIME);
			assert.equal(data.server_id, 'mind');
		}
	});

	test(`13.5 tool.* and model.* come only of servers that one may use (${era})`, async () => {
		const [ann, bob] = [await listener('ann', '/mcp', { era }), await listener('bob', '/mcp', { era })];
		const [hers, his] = [await ann.subscribe({ channels: ['tool.*', 'model.*'] }), await bob.subscribe({ channels: ['tool.*', 'model.*'] })];
		const exact = await bob.subscribe({ channels: ['model.secret'] });
		assert.deepEqual([exact.subscribed, exact.unsupported], [[], ['model.secret']], 'it is as if nobody had it');
		await raise(closed, counted(1), { channel: 'model.secret', data: { n: 2 } });
		await upTo(ann, hers, 2);
		await raise(mind, counted(3));
		await upTo(bob, his, 3);
		assert.ok(ann.events(hers).some(({ channel, data }) => channel.startsWith('tool.') && data.server_id === 'closed'));
		assert.doesNotMatch(JSON.stringify(bob.events(his)), /closed|secret|"n":[12]\b/);
		assert.deepEqual(seqs(bob.events(his)), [...Array(bob.events(his).length).keys()].map((one) => one + 1), 'no number is left out');
	});

	test(`13.5 security.* comes to administrators, and to nobody else (${era})`, async () => {
		const boss = await house.admin('/mcp', { era });
		const bob = await listener(`bob-${era}`, '/mcp', { era });
		if (era === 'legacy')
			await boss.open();
		const hers = await boss.subscribe({ channels: ['security.access_denied', 'security.validation_failed'] });
		assert.deepEqual(hers.unsupported, []);
		const his = await bob.subscribe({ channels: ['security.*', 'model.*'] });
		await bob.request('tools/call', { name: 'closed__think', arguments: {} });
		await bob.request('tools/call', { name: 'mind__guarded', arguments: { command: 'a; b' } });
		await boss.event(hers, ({ channel }) => channel === 'security.access_denied');
		await boss.event(hers, ({ channel }) => channel === 'security.validation_failed');
		await raise(mind, counted(1));
		await upTo(bob, his, 1);
		assert.ok(bob.events(his).every(({ channel }) => !channel.startsWith('security.')));
	});

	test(`13.1 who has not agreed on bidirectional has none of the methods, and hears nothing (${era})`, async () => {
		for (const mgp of [null, { version: '0.2.0', extensions: ALL.filter((one) => one !== 'bidirectional') }]) {
			const client = await house.client('ann', '/mcp', { era, mgp });
			await client.open();
			for (const [method, params] of [[SUBSCRIBE, { channels: ['model.*'] }], [UNSUBSCRIBE, { subscription_id: 'x' }], [REPLAY, { subscription_id: 'x', after_seq: 0 }]])
				assert.equal((await client.refusal(method, params)).code, -32601, method);
			const hearer = await listener('ann', '/mcp', { era });
			const subscription = await hearer.subscribe({ channels: ['model.*'] });
			await raise(mind, counted(1));
			await upTo(hearer, subscription, 1);
			assert.deepEqual(client.all(EVENT), []);
			if (mgp === null)
				isPlain(client.heard);
		}
	});

	test(`13.2 a subscription of the wrong form is refused, and names what is wrong (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era });
		for (const channels of [undefined, null, 'model.*', {}, 7, [7], [null], [['model.*']], [{}]]) {
			const error = await client.refusal(SUBSCRIBE, { channels });
			assert.equal(error.code, -32602, JSON.stringify(channels));
			assert.match(error.message, /channels/);
		}
		for (const filter of ['warning', [], 7, { min_severity: 7 }, { min_severity: {} }]) {
			const error = await client.refusal(SUBSCRIBE, { channels: ['model.*'], filter });
			assert.equal(error.code, -32602, JSON.stringify(filter));
			assert.match(error.message, /filter|min_severity/);
		}
		for (const channels of [Array(20_000).fill('model.token_usage'), ['x'.repeat(500_000)], [...Array(5000).keys()].map((one) => `model.c${one}`)])
			assert.ok((await client.refusal(SUBSCRIBE, { channels })).message.length > 0);
		for (const subscription_id of [undefined, null, 7, {}, [], true]) {
			assert.equal((await client.refusal(UNSUBSCRIBE, { subscription_id })).code, -32602, JSON.stringify(subscription_id));
			assert.equal((await client.refusal(REPLAY, { subscription_id, after_seq: 0 })).code, -32602, JSON.stringify(subscription_id));
		}
		const { subscription_id } = await client.subscribe({ channels: ['model.*'] });
		for (const after_seq of ['1', null, {}, -1, 0.5]) {
			const error = await client.refusal(REPLAY, { subscription_id, after_seq });
			assert.equal(error.code, -32602, JSON.stringify(after_seq));
			assert.match(error.message, /after_seq/);
		}
	});
}

test('13.2 subscriptions of one principal are bounded, and the refusal says so', async () => {
	const client = await house.client('greedy', '/mcp');
	let refused;
	for (let number = 0; number < 2000 && refused === undefined; number += 1)
		refused = (await client.request(SUBSCRIBE, { channels: ['tool.*'] })).error;
	assert.ok(refused !== undefined, 'two thousand are not kept');
	assert.match(refused.message, /subscription/);
	assert.ok((await (await house.client('ann', '/mcp')).subscribe({ channels: ['tool.*'] })).subscription_id, 'others may go on');
});

test('13.2 at /mcp the methods are tools as well: subscribe, replay, unsubscribe', async () => {
	for (const era of ['legacy', 'modern']) {
		const client = await house.client('ann', '/mcp', { era });
		const names = new Set((await client.tools()).keys());
		for (const name of ['mgp_events_subscribe', 'mgp_events_unsubscribe', 'mgp_events_replay'])
			assert.ok(names.has(name), name);
		const said = async (name, args) => JSON.parse((await client.call(name, args)).result.content[0].text);
		const { subscribed, subscription_id } = await said('mgp_events_subscribe', { channels: ['model.token_usage'] });
		assert.deepEqual(subscribed, ['model.token_usage']);
		await raise(mind, counted(1), counted(2));
		const { events: kept } = await until(async () => {
			const answer = await said('mgp.events.replay', { subscription_id, after_seq: 0 });
			return answer.events.length === 2 && answer;
		}, 'both events');
		assert.deepEqual(numbers(kept), [1, 2]);
		await said('mgp_events_unsubscribe', { subscription_id });
		const gone = await client.call('mgp_events_replay', { subscription_id, after_seq: 0 });
		assert.ok(gone.error !== undefined || gone.result.isError === true || JSON.parse(gone.result.content[0].text).events.length <= 2);
	}
});

test('13.3 in the modern era subscriptions/listen brings events too', async () => {
	const client = await (await house.client('ann', '/mcp', { era: 'modern' })).open();
	const subscription = await client.subscribe({ channels: ['model.token_usage'] });
	await raise(mind, counted(1));
	await until(() => client.events(subscription).length >= 2, 'it comes on both streams');
	assert.deepEqual(new Set(seqs(client.events(subscription))), new Set([1]), 'the same event under the same number');
});

test('13.3 a legacy stream that broke off goes on behind Last-Event-ID', async () => {
	const client = await listener('ann', '/mcp');
	const subscription = await client.subscribe({ channels: ['model.token_usage'] });
	await raise(mind, counted(1));
	await upTo(client, subscription, 1);
	assert.ok(client.lastEventId, 'events have ids');
	await client.shut();
	await raise(mind, counted(2), counted(3));
	await client.open({ lastEventId: client.lastEventId });
	await raise(mind, counted(4));
	assert.deepEqual(await upTo(client, subscription, 4), [1, 2, 3, 4]);
});

test('13.5 a grant that is taken back ends what one hears of a server, at once', async (t) => {
	const own = new Outsider('own', { extensions, tools, events }, { default_policy: 'opt-in' });
	const house = await MgpHouse.forTest(t, { kernel: FREE, servers: [own, new Outsider('free', { extensions, tools, events })] });
	await house.allConnected();
	await house.grant('ann', 'own');
	const [ann, boss] = [await (await house.client('ann', '/mcp')).open(), await house.admin('/mcp')];
	const raise = (server, n) => boss.text(`${server}__told`, { script: [{ event: counted(n) }, { answer: { content: [{ type: 'text', text: 'told' }] } }] });
	const subscription = await ann.subscribe({ channels: ['model.token_usage', 'tool.*'] });
	await raise('own', 1);
	await ann.event(subscription, ({ data }) => data.n === 1);
	await boss.ask('mgp/access/revoke', { entry_type: 'server_grant', agent_id: 'ann', server_id: 'own' });
	await raise('own', 2);
	await raise('free', 3);
	await ann.event(subscription, ({ data }) => data.n === 3);
	assert.ok(ann.events(subscription).every(({ data }) => data.n !== 2));
	const replayed = await ann.ask(REPLAY, { subscription_id: subscription.subscription_id, after_seq: 0 });
	assert.doesNotMatch(JSON.stringify(replayed.events), /"n":2/);
});

test('13.2 servers are asked for what is wanted, if they have agreed on it, and for nothing else', async (t) => {
	const own = new Outsider('own', { extensions, tools, events });
	const [quiet, apart] = [new Outsider('quiet', { plain: true, tools }), new Outsider('apart', { extensions: ['security'], tools, events })];
	const quietHouse = await MgpHouse.forTest(t, { kernel: FREE, servers: [own, quiet, apart] });
	await quietHouse.allConnected();
	const client = await quietHouse.client('ann', '/mcp');
	assert.deepEqual(own.of(SUBSCRIBE), [], 'nobody wants anything');
	const subscription = await client.subscribe({ channels: ['model.token_usage'] });
	const { params } = await own.hears(SUBSCRIBE);
	assert.ok(params.channels.includes('model.token_usage'));
	assert.deepEqual([...quiet.of(SUBSCRIBE), ...apart.of(SUBSCRIBE)], []);
	await client.ask(UNSUBSCRIBE, { subscription_id: subscription.subscription_id });
	await own.hears(UNSUBSCRIBE);
});

test('13.2 with a server_id the events of that server alone are heard', async () => {
	const client = await listener('ann', '/mcp');
	const subscription = await client.subscribe({ channels: ['model.*'], server_id: 'other' });
	await raise(mind, counted(1));
	await raise(other, { channel: 'model.other', data: { n: 2 } });
	assert.deepEqual(await upTo(client, subscription, 2), [2]);
	const exact = await client.subscribe({ channels: ['model.token_usage'], server_id: 'other' });
	assert.deepEqual([exact.subscribed, exact.unsupported], [[], ['model.token_usage']]);
	const bob = await house.client('bob', '/mcp');
	const [hidden, none] = [await bob.refusal(SUBSCRIBE, { channels: ['model.*'], server_id: 'closed' }),
		await bob.refusal(SUBSCRIBE, { channels: ['model.*'], server_id: 'nobody' })];
	assert.equal(hidden.code, none.code);
});

test('13.2 a server that does not answer has nothing, and holds nobody up for long', async () => {
	const client = await house.client('ann', '/mcp');
	const said = await client.subscribe({ channels: ['model.deaf', 'model.token_usage'] });
	assert.deepEqual([said.subscribed, said.unsupported], [['model.token_usage'], ['model.deaf']]);
});

test('13.3 a subscription survives the server, which is subscribed to anew', async () => {
	const client = await listener('ann', '/mcp');
	const subscription = await client.subscribe({ channels: ['model.token_usage', 'system.server_connected', 'system.server_disconnected'] });
	assert.deepEqual(subscription.unsupported, []);
	await raise(mind, counted(1));
	await upTo(client, subscription, 1);
	const asked = mind.of(SUBSCRIBE).length;
	await client.request('tools/call', { name: 'mind__crash', arguments: {} });
	await until(() => mind.of(SUBSCRIBE).length > asked, 'the next process is asked too');
	await until(async () => {
		await raise(mind, counted(2));
		return client.events(subscription).some(({ data }) => data.n === 2);
	}, 'events of the next process');
	for (const name of ['system.server_disconnected', 'system.server_connected'])
		assert.equal((await client.event(subscription, ({ channel }) => channel === name)).data.server_id, 'mind');
	const all = seqs(client.events(subscription));
	assert.deepEqual(all, [...all.keys()].map((one) => one + 1));
});

test('13.3 what a server raises of no form, or of subscriptions that are none, goes to nobody', async () => {
	const client = await listener('ann', '/mcp');
	const subscription = await client.subscribe({ channels: ['model.*'] });
	const odd = [{}, { channel: 7 }, { channel: null }, { channel: '' }, { channel: 'model.token_usage', data: 'x'.repeat(5 << 20) },
		{ channel: `model.${'x'.repeat(100_000)}`, data: { n: 90 } }, { channel: 'model.token_usage', timestamp: 17, data: { n: 91 } },
		{ channel: 'model.token_usage', severity: 7, data: { n: 92 } }, { channel: 'model.token_usage', severity: 'loud', data: { n: 93 } }];
	await teller.text('mind__told', { script: [...odd.flatMap((event) => [{ event }, { event: { subscription_id: 'nobody', ...event }, unasked: true }]),
		{ event: { ...counted(94), subscription_id: subscription.subscription_id }, unasked: true },
		{ say: [{ method: EVENT }, { method: EVENT, params: [] }, { method: EVENT, params: 'x' }] }, { answer: { content: [] } }] }).catch(() => {});
	await raise(mind, counted(1));
	await client.event(subscription, ({ data }) => data?.n === 1);
	for (const { channel, timestamp, data, severity } of client.events(subscription)) {
		assert.ok(typeof channel === 'string' && channel.length < 1000);
		assert.match(timestamp, ISO_TIME);
		assert.notEqual(data?.n, 94);
		assert.ok(severity === undefined || typeof severity === 'string');
	}
});

test("13.5 a server cannot speak in the kernel's name", async () => {
	const boss = await (await house.admin('/mcp')).open();
	const subscription = await boss.subscribe({ channels: ['tool.*', 'system.*', 'security.*', 'model.*'] });
	const forged = ['tool.completed', 'system.server_disconnected', 'security.access_denied'].map((channel) => ({ channel, data: { forged: true, server_id: 'other' } }));
	await teller.text('mind__told', { script: [...forged.flatMap((event) => [{ event }, { event: { subscription_id: 'own-1', ...event }, unasked: true }]),
		{ answer: { content: [{ type: 'text', text: 'x' }] } }] });
	await raise(mind, counted(1));
	await upTo(boss, subscription, 1);
	for (const event of boss.events(subscription).filter(({ data }) => data?.forged))
		assert.match(JSON.stringify(event), /"source":"server:mind"/);
});
