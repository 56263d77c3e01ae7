// SPDX-License-Identifier: Apache-2.0
// The pace of a participant: a bucket that refills evenly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from './lib/gateway.mjs';
import { freshTopic, houseFor, joinAs, joinOpen } from './lib/house.mjs';
import { settle } from './lib/room_client.mjs';
import { pause } from './lib/wait.mjs';

/** The refusals of the pace among these envelopes. */
function refusals(seen) {
	return seen.filter((envelope) => envelope.kind === 'system' && envelope.payload.event === 'error');
}

/** Sends `count` lines at once; hands out the refusals and the echoes. */
async function burst(client, witness, count) {
	const ids = new Set();
	for (let i = 0; i < count; i += 1)
		ids.add(client.chat(`line ${i}`));
	const [seen] = await settle(witness, client);
	return { refused: refusals(seen), passed: seen.filter((envelope) => ids.has(envelope.id)) };
}

/** Sends the burst and reads until every line is answered. */
async function answered(client, count) {
	const ids = new Set();
	for (let i = 0; i < count; i += 1)
		ids.add(client.chat(`line ${i}`));
	const refused = [];
	const passed = [];
	while (refused.length + passed.length < count) {
		const envelope = await client.next((one) => ids.has(one.id) || ids.has(one.correlation_id));
		(ids.has(envelope.id) ? passed : refused).push(envelope);
	}
	return { refused, passed };
}

test('a bucket holds the count it names, and what is over is refused with retry_after_ms', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': '5/min' } });
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	const began = Date.now();
	const { refused, passed } = await answered(alice, 40);
	const refilled = Math.ceil((Date.now() - began) / 12_000);
	assert.ok(passed.length >= 5 && passed.length <= 5 + refilled, `${passed.length} passed`);
	for (const refusal of refused) {
		assert.equal(refusal.payload.gate, 'pace');
		assert.ok(refusal.payload.retry_after_ms > 0 && refusal.payload.retry_after_ms <= 60_000);
	}
});

test('after retry_after_ms the next envelope passes', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': '2/s' } });
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	const { refused } = await answered(alice, 40);
	assert.notEqual(refused.length, 0);
	await pause(refused[refused.length - 1].payload.retry_after_ms + 1000);
	await alice.say('patience');
});

test('one participant\'s pace does not hold back another', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': '5/min' } });
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	await answered(alice, 40);
	await bob.say('I have my own bucket');
});

test('a second connection has no second bucket', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': '4/min' } });
	const topic = freshTopic();
	const first = await joinAs(gateway, topic, 'alice');
	await answered(first, 10);
	const second = await joinAs(gateway, topic, 'alice');
	const { refused } = await answered(second, 10);
	assert.notEqual(refused.length, 0);
	assert.ok(refused.length >= 6, `${refused.length} of 10 were refused`);
});

test('pace off lets a thousand pass', async (t) => {
	const gateway = await houseFor(t, { open: true, set: { 'rooms.pace': 'off' } });
	const topic = freshTopic();
	const alice = await joinOpen(gateway, topic, 'alice');
	const bob = await joinOpen(gateway, topic, 'bob');
	const { refused, passed } = await burst(alice, alice, 1000);
	assert.equal(refused.length, 0);
	assert.equal(passed.length, 1000);
	await bob.close();
});

test('who keeps sending against the pace for ten seconds is closed with 1008', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': '1/min' } });
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const bob = await joinAs(gateway, topic, 'bob');
	const deadline = Date.now() + 50_000;
	let i = 0;
	while (alice.end === null && Date.now() < deadline) {
		alice.chat(`again ${i += 1}`);
		await pause(100);
	}
	assert.equal((await alice.expectClose()).code, 1008);
	await bob.next((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'leave');
});

test('an unreadable pace is an error of the configuration', async () => {
	for (const pace of ['fast', '10', '/s', '10/fortnight', '-1/s']) {
		const served = await command(['serve', '--listen', '127.0.0.1:0', '--data', '/nonexistent/hustings', '--set', `rooms.pace=${pace}`]);
		assert.notEqual(served.code, 0);
		assert.match(served.stderr + served.stdout, /pace/, pace);
	}
});
