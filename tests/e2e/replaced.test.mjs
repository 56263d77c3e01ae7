// SPDX-License-Identifier: Apache-2.0
// The same id joining again: agents are replaced, people may sit at several screens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, joinAs } from './lib/house.mjs';
import { beforeMarker, settle } from './lib/room_client.mjs';

const gateway = await house();

for (const kind of ['agent', 'robot', undefined]) {
	test(`of kind ${kind ?? 'unsaid'} the newer connection replaces the older, closed with 4001`, async () => {
		const topic = freshTopic();
		const alice = await joinAs(gateway, topic, 'alice');
		const first = await joinAs(gateway, topic, 'worker', { kind });
		await alice.next((envelope) => envelope.kind === 'presence');
		const second = await joinAs(gateway, topic, 'worker', { kind });
		const end = await first.expectClose();
		assert.equal(end.code, 4001);
		assert.match(end.reason, /^replaced/);
		await second.say('I am the one now');
		const seen = await beforeMarker(second, alice);
		assert.deepEqual(seen.filter((envelope) => envelope.kind === 'presence'), [], 'no leave and no join is told');
	});
}

test('the replaced connection\'s end is no leave, the newer one\'s is', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const first = await joinAs(gateway, topic, 'worker');
	const second = await joinAs(gateway, topic, 'worker');
	await first.expectClose();
	await second.close();
	const seen = await alice.collect((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'leave');
	assert.deepEqual(seen.map((envelope) => envelope.payload.event), ['join', 'leave']);
});

test('the newcomer that replaces does not stand in its own list', async () => {
	const topic = freshTopic();
	await joinAs(gateway, topic, 'worker');
	const second = await joinAs(gateway, topic, 'worker');
	assert.deepEqual(second.welcome.payload.participants, []);
});

test('an id in another topic is not replaced', async () => {
	const here = await joinAs(gateway, freshTopic(), 'worker');
	await joinAs(gateway, freshTopic(), 'worker');
	await here.say('still here');
});

test('a human\'s further connections are added: all receive everything', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const desk = await joinAs(gateway, topic, 'dora', { kind: 'human' });
	const phone = await joinAs(gateway, topic, 'dora', { kind: 'human' });
	const { id } = await alice.say('hello dora');
	for (const screen of [desk, phone])
		await screen.next((envelope) => envelope.id === id);
	const said = desk.chat('from my desk');
	for (const client of [alice, desk, phone])
		await client.next((envelope) => envelope.id === said);
});

test('a human joins with the first connection and leaves with the last', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const desk = await joinAs(gateway, topic, 'dora', { kind: 'human' });
	const phone = await joinAs(gateway, topic, 'dora', { kind: 'human' });
	await desk.close();
	await phone.say('still on my phone');
	const [seen] = await settle(phone, alice);
	assert.deepEqual(seen.filter((envelope) => envelope.kind === 'presence').map((envelope) => envelope.payload.event), ['join']);
	const { participants } = await gateway.ask('GET', `/v0/topics/${topic}/participants`, 200, { token: alice.token });
	assert.deepEqual(participants.map((one) => one.id).sort(), ['alice', 'dora']);
	await phone.close();
	await alice.next((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'leave');
});
