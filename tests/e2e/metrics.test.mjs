// SPDX-License-Identifier: Apache-2.0
// For those who operate the gateway: health, readiness, figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs, request } from './lib/house.mjs';

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
