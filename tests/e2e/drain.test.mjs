// SPDX-License-Identifier: Apache-2.0
// SIGTERM: everyone is told, everything is stored, exit status 0.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, houseFor, joinOpen, wholeHistory } from './lib/house.mjs';
import { within } from './lib/wait.mjs';

test('a drain closes every connection with 1001 and exits with 0', async (t) => {
	const gateway = await houseFor(t, { open: true });
	const clients = [];
	for (let i = 0; i < 20; i += 1)
		clients.push(await joinOpen(gateway, freshTopic(), `client-${i}`));
	gateway.signal('SIGTERM');
	for (const client of clients)
		assert.equal((await client.expectClose()).code, 1001);
	assert.deepEqual(await within(gateway.exit, 'the exit'), { code: 0, signal: null });
});

test('a drain without connections exits with 0', async (t) => {
	const gateway = await houseFor(t);
	gateway.signal('SIGTERM');
	assert.deepEqual(await within(gateway.exit, 'the exit'), { code: 0, signal: null });
});

test('SIGINT drains as well', async (t) => {
	const gateway = await houseFor(t, { open: true });
	const alice = await joinOpen(gateway, freshTopic(), 'alice');
	gateway.signal('SIGINT');
	assert.equal((await alice.expectClose()).code, 1001);
	assert.deepEqual(await within(gateway.exit, 'the exit'), { code: 0, signal: null });
});

test('what was echoed before the drain is there after it, and nothing else', async (t) => {
	const gateway = await houseFor(t, { open: true, set: { 'rooms.pace': 'off' } });
	const topic = freshTopic();
	const alice = await joinOpen(gateway, topic, 'alice');
	for (let i = 0; i < 2000; i += 1)
		alice.chat(`line ${i}`);
	const first = await alice.next((envelope) => envelope.kind === 'chat');
	gateway.signal('SIGTERM');
	await alice.expectClose();
	const echoed = [first, ...alice.queue].filter((envelope) => envelope.kind === 'chat').map((envelope) => envelope.id);
	await within(gateway.exit, 'the exit');
	await gateway.launch();
	const kept = (await wholeHistory(gateway, topic)).map((envelope) => envelope.id);
	assert.deepEqual(kept.slice(0, echoed.length), echoed);
});

test('a second SIGTERM ends a drain at once', async (t) => {
	const gateway = await houseFor(t, { open: true });
	await joinOpen(gateway, freshTopic(), 'alice');
	gateway.signal('SIGTERM');
	gateway.signal('SIGTERM');
	await within(gateway.exit, 'the exit');
	gateway.clients.clear();
});
