// SPDX-License-Identifier: Apache-2.0
// Load: three clients talk in five rooms at once while the gateway is killed four times. Nothing is lost, nothing comes twice.
// What others say comes in the order of history. What one said again after a break may come to oneself before older things.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { freshTopic, houseFor, wholeHistory } from '../../../tests/e2e/lib/house.mjs';
import { until, within } from '../../../tests/e2e/lib/wait.mjs';
import { joined, said, somebody } from './lib/client.mjs';

const ROOMS = 5;
const KILLS = 4;
const WINDOW = 4; // envelopes of one client in one room that wait for their echo
const BETWEEN = 40; // echoes in every room from one kill to the next
const AHEAD = 100; // envelopes that a client may have more than the slowest: all of a room are fewer than a client remembers

/** Says something again and again, with some on their way at any time, until it is stopped; `all` waits for its slowest. */
function talker(room, name, all) {
	const talk = { said: [], wanted: [], isOver: false };
	all.push(talk);
	const isAhead = () => talk.said.length > AHEAD + Math.min(...all.map(({ said }) => said.length));
	const lane = async () => {
		while (!talk.isOver) {
			if (isAhead()) {
				await pause(5);
				continue;
			}
			const text = `${name} ${talk.wanted.length}`;
			talk.wanted.push(text);
			talk.said.push((await room.chat(text)).payload.text);
		}
	};
	talk.ended = Promise.all(Array.from({ length: WINDOW }, lane));
	talk.ended.catch(() => {}); /* it is waited for at the end */
	return talk;
}

test('five rooms, three clients, four kills -9 under load: all is there once', async (t) => {
	const unhandled = [];
	const note = (error) => unhandled.push(error);
	process.on('unhandledRejection', note);
	t.after(() => process.off('unhandledRejection', note));
	const gateway = await houseFor(t, { set: { 'rooms.pace': 'off' } });
	gateway.args[gateway.args.indexOf('--listen') + 1] = `127.0.0.1:${gateway.port}`; /* where it comes back */
	const names = ['ann', 'bob', 'cyd'];
	const clients = await Promise.all(names.map((id) => somebody(gateway, id, { kind: 'agent' })));
	const topics = Array.from({ length: ROOMS }, () => freshTopic());
	const places = topics.map(() => []);
	for (const [at, topic] of topics.entries())
		for (const client of clients)
			places[at].push(await joined(t, client, topic));
	const all = [];
	const talks = places.map((rooms) => rooms.map((room, at) => talker(room, names[at], all)));
	const echoed = (at) => talks[at].reduce((sum, talk) => sum + talk.said.length, 0);
	for (let kill = 0; kill < KILLS; kill += 1) {
		const before = talks.map((_, at) => echoed(at));
		await until(() => talks.every((_, at) => echoed(at) >= before[at] + BETWEEN), `all rooms talk before kill ${kill + 1}`);
		await gateway.kill9();
		await gateway.launch();
	}
	await until(() => places.flat().every((room) => room.state === 'open'), 'everybody is back');
	for (const talk of talks.flat())
		talk.isOver = true;
	await within(Promise.all(talks.flat().map(({ ended }) => ended)), 'everything that was said has its echo');
	for (const [at, rooms] of places.entries()) {
		const wanted = talks[at].flatMap((talk) => talk.wanted).sort();
		await until(() => rooms.every((room) => said(room).length >= wanted.length), 'everybody has heard all');
		const stored = (await wholeHistory(gateway, topics[at], { token: gateway.adminToken() })).map(({ payload }) => payload.text);
		assert.deepEqual(stored.toSorted(), wanted, 'all is stored once');
		for (const [who, room] of rooms.entries()) {
			const ofOthers = (texts) => texts.filter((text) => !text.startsWith(`${names[who]} `));
			assert.deepEqual(said(room).toSorted(), wanted, 'and heard once');
			assert.deepEqual(ofOthers(said(room)), ofOthers(stored), 'in its order');
			assert.deepEqual([room.gaps, room.refusals], [[], []]);
			assert.ok(room.states.filter(({ state }) => state === 'waiting').length > 0, 'it was away');
		}
		for (const talk of talks[at])
			assert.deepEqual(talk.said.toSorted(), talk.wanted.toSorted(), 'each promise tells of its own');
	}
	assert.deepEqual(unhandled, []);
});
