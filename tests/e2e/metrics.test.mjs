// SPDX-License-Identifier: Apache-2.0
// For those who operate the gateway: health, readiness, figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs, request } from './lib/house.mjs';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();

async function metrics() {
	const answer = await gateway.request('GET', '/metrics');
	assert.equal(answer.status, 200);
	return answer.text;
}

/** The sum of all samples, by name. */
function samples(text) {
	const sums = new Map();
	for (const line of text.split('\n')) {
		const match = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[^}]*\})? (\S+)$/.exec(line);
		if (match)
			sums.set(match[1], (sums.get(match[1]) ?? 0) + Number(match[3]));
	}
	return sums;
}

test('healthz and readyz answer without a token', async () => {
	assert.equal((await gateway.request('GET', '/healthz')).status, 200);
	assert.equal((await gateway.request('GET', '/readyz')).status, 200);
});

test('metrics are in the text format, every line of it', async () => {
	const text = await metrics();
	assert.ok(text.endsWith('\n'));
	for (const line of text.split('\n').filter((one) => one !== ''))
		assert.match(line, /^(# (HELP|TYPE) [a-zA-Z_:][a-zA-Z0-9_:]* .+|[a-zA-Z_:][a-zA-Z0-9_:]*(\{[^}]*\})? -?(\d+(\.\d+)?(e[+-]?\d+)?|\+Inf|NaN)( \d+)?)$/);
	assert.match(text, /^hustings_/m);
});

test('metrics move with what happens', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const robin = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	const earlier = samples(await metrics());
	for (let i = 0; i < 10; i += 1)
		await alice.say('counted');
	await robin.refusal(request('alice'));
	const later = samples(await metrics());
	const grown = [...later].filter(([name, value]) => value >= (earlier.get(name) ?? 0) + 10);
	assert.ok(grown.some(([name]) => name.startsWith('hustings_')), 'something counted the ten envelopes');
	assert.ok([...later].some(([name, value]) => /refus|gate|reject|denied/.test(name) && value >= (earlier.get(name) ?? 0) + 1), 'something counted the refusal');
});

test('metrics name no participant, topic or token', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice-unmistakable');
	const text = await metrics();
	assert.ok(!text.includes('alice-unmistakable'));
	assert.ok(!text.includes(topic));
	assert.ok(!text.includes(alice.token));
});

const readOnly = { readOnlyHint: true };
const plan = { extensions: ['security'], tools: [
	{ name: 'read', annotations: readOnly, inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
	{ name: 'fails', annotations: readOnly, does: [{ result: { content: [], isError: true } }] },
	{ name: 'waits', annotations: readOnly, does: [{ hold: true }] },
	{ name: 'silent', annotations: readOnly, does: [{ silent: true }] }] };

/** What one gateway says: {of(name, label), text}. */
async function figures(one) {
	const { text } = await one.gateway.request('GET', '/metrics');
	const lines = new Map(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
	return { text, lines, of: (name) => lines.get(name) };
}

test('calls of hosted tools are counted by how they end, refusals by their gate', async (t) => {
	const one = await MgpHouse.forTest(t, { kernel: FREE, servers: [new Outsider('files', plan, { call_timeout: '1s' })] });
	await one.allConnected();
	const client = await one.client('ann', 'files');
	const call = (name, args = {}) => client.request('tools/call', { name, arguments: args });
	const before = await figures(one);
	for (const word of ['ok', 'error', 'refused', 'cancelled', 'timeout'])
		assert.equal(before.of(`hustings_calls_total{outcome="${word}"}`), 0);
	await call('read', { n: 1 });
	await call('read', { n: 2 });
	await call('fails');
	await call('read', { n: 'one' });
	await call('nothing');
	await call('silent');
	const later = await figures(one);
	assert.equal(later.of('hustings_calls_total{outcome="ok"}'), 2);
	assert.equal(later.of('hustings_calls_total{outcome="error"}'), 1);
	assert.equal(later.of('hustings_calls_total{outcome="refused"}'), 2);
	assert.equal(later.of('hustings_calls_total{outcome="timeout"}'), 1);
	assert.equal(later.of('hustings_calls_refused_total{gate="arguments"}'), 1);
	assert.equal(later.of('hustings_calls_refused_total{gate="tool"}'), 1);
	assert.equal(later.of('hustings_calls_refused_total{gate="approval"}'), 0);
	assert.equal(later.of('hustings_servers{state="connected"}'), 1);
	assert.equal(later.of('hustings_servers{state="error"}'), 0);
	assert.ok(later.of('hustings_memory_octets') > 1024 * 1024);
	assert.equal(later.of('hustings_calls_open'), 0);
});

test('how long calls take is a histogram: what is refused or given up is not in it', async (t) => {
	const one = await MgpHouse.forTest(t, { kernel: FREE, servers: [new Outsider('files', plan)] });
	await one.allConnected();
	const client = await one.client('ann', 'files');
	await client.request('tools/call', { name: 'read', arguments: { n: 1 } });
	await client.request('tools/call', { name: 'read', arguments: { n: 'one' } });
	const waits = client.begin('tools/call', { name: 'waits', arguments: {} });
	await until(async () => (await figures(one)).of('hustings_calls_open') === 1, 'a call is open');
	await client.notify('notifications/cancelled', { requestId: waits.id });
	await until(async () => (await figures(one)).of('hustings_calls_total{outcome="cancelled"}') === 1, 'it was given up');
	const { text, lines, of } = await figures(one);
	const buckets = [...lines].filter(([name]) => name.startsWith('hustings_call_seconds_bucket'));
	const bounds = buckets.map(([name]) => (name.includes('+Inf') ? Infinity : Number(/le="([^"]+)"/.exec(name)[1])));
	assert.deepEqual(bounds, [...bounds].sort((a, b) => a - b));
	assert.ok(bounds.includes(0.001) && bounds.includes(60) && bounds.at(-1) === Infinity);
	for (let i = 1; i < buckets.length; i += 1)
		assert.ok(buckets[i][1] >= buckets[i - 1][1], 'each bound counts what the smaller ones do');
	assert.equal(of('hustings_call_seconds_count'), 1);
	assert.equal(buckets.at(-1)[1], 1);
	assert.ok(of('hustings_call_seconds_sum') > 0);
	assert.match(text, /^# TYPE hustings_call_seconds histogram$/m);
	assert.equal(of('hustings_calls_open'), 0);
});
