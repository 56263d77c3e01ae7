// SPDX-License-Identifier: Apache-2.0
// What anyone received is in history after SIGKILL; ten rounds here, more with crash_rounds.mjs.

import assert from 'node:assert/strict';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crashRound } from './lib/crash.mjs';
import { freshTopic, houseFor, isEvent, joinAs, joinOpen, proposal, wholeHistory } from './lib/house.mjs';

test('ten kills lose nothing that anyone received, and keep the order', async (t) => {
	const gateway = await houseFor(t, { open: true, set: { 'rooms.pace': 'off' } });
	const topic = freshTopic();
	let kept = 0;
	for (let round = 0; round < 10; round += 1) {
		const now = await crashRound(gateway, topic);
		assert.ok(now > kept, 'history grows from round to round');
		kept = now;
	}
});

test('history off: a kill harms nothing else', async (t) => {
	const gateway = await houseFor(t, { args: ['--history', 'off'] });
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	await alice.say('hello');
	await gateway.restart({ hard: true });
	const again = await joinAs(gateway, freshTopic(), 'alice');
	await again.say('hello again');
});

test('durability = "power" delivers and keeps as well', async (t) => {
	const gateway = await houseFor(t, { open: true, set: { 'rooms.pace': 'off', 'rooms.durability': 'power' } });
	const topic = freshTopic();
	for (let round = 0; round < 2; round += 1)
		await crashRound(gateway, topic);
});

test('tokens, promotions and open proposals survive a kill', async (t) => {
	const gateway = await houseFor(t);
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const robin = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	const id = robin.send(proposal('alice'));
	await alice.next((envelope) => envelope.id === id);
	await gateway.ask('GET', `/v0/topics/${topic}/proposals`, 200, { token: alice.token });
	await gateway.ask('POST', `/admin/participants/robin/promote?topic=${topic}`, 200, { token: gateway.adminToken() });
	await robin.next(isEvent('privilege'));
	await gateway.restart({ hard: true });
	const again = await joinAs(gateway, topic, 'robin', { privilege: 'restricted' });
	assert.equal(again.welcome.payload.participant.privilege, 'full');
	const { proposals } = await gateway.ask('GET', `/v0/topics/${topic}/proposals`, 200, { token: alice.token });
	assert.equal(proposals.find((one) => one.proposalId === id).status, 'pending');
});

test('a spool cut short by a power failure does not stop the start', async (t) => {
	const gateway = await houseFor(t, { open: true, set: { 'rooms.pace': 'off' } });
	const topic = freshTopic();
	const alice = await joinOpen(gateway, topic, 'alice');
	const ids = [];
	for (let i = 0; i < 200; i += 1)
		ids.push(alice.chat(`line ${i}`));
	await alice.next((envelope) => envelope.id === ids[199]);
	await gateway.kill9();
	const spools = readdirSync(gateway.data, { recursive: true }).map((name) => join(gateway.data, name))
		.filter((name) => /spool/.test(name) && statSync(name).isFile() && statSync(name).size > 0);
	for (const spool of spools)
		truncateSync(spool, Math.max(statSync(spool).size - 3, 0));
	await gateway.launch();
	const kept = (await wholeHistory(gateway, topic)).map((envelope) => envelope.id);
	assert.deepEqual(kept, ids.slice(0, kept.length));
	const again = await joinOpen(gateway, topic, 'alice');
	const echo = await again.say('after the repair');
	assert.equal((await wholeHistory(gateway, topic)).pop().id, echo.id);
});
