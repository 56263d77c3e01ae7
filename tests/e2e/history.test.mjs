// SPDX-License-Identifier: Apache-2.0
// Recent envelopes by REST, in the welcome and after `since` (MCPx v0 5.3).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, history, house, houseFor, joinAs, joinOpen, proposal, request, wholeHistory } from './lib/house.mjs';
import { rawOf, settle, V01 } from './lib/room_client.mjs';
import { until } from './lib/wait.mjs';

const gateway = await house();
const open = await house({ open: true, set: { 'rooms.pace': 'off' } });

async function filled(count) {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const ids = [];
	for (let i = 0; i < count; i += 1)
		ids.push(alice.chat(`line ${i}`));
	await alice.next((envelope) => envelope.id === ids[count - 1]);
	return { topic, alice, ids };
}

function page(topic, query = '', status = 200) {
	return open.ask('GET', `/v0/topics/${encodeURIComponent(topic)}/history${query}`, status);
}

test('history is most recent first, and names its topic', async () => {
	const { topic, ids } = await filled(5);
	const answer = await page(topic);
	assert.equal(answer.topic, topic);
	assert.deepEqual(answer.envelopes.map((envelope) => envelope.id), [...ids].reverse());
	assert.equal(answer.next_before, null);
});

test('history gives a hundred unless more or less is asked for', async () => {
	const { topic, ids } = await filled(130);
	assert.equal((await page(topic)).envelopes.length, 100);
	assert.equal((await page(topic, '?limit=7')).envelopes.length, 7);
	assert.equal((await page(topic, '?limit=1000')).envelopes.length, 130);
	assert.equal((await page(topic, '?limit=1')).envelopes[0].id, ids[129]);
});

test('a limit outside 1 to 1000 is refused', async () => {
	const { topic } = await filled(1);
	for (const limit of ['0', '-1', '1001', 'many', '', '1.5', '99999999999999999999'])
		assert.equal((await open.request('GET', `/v0/topics/${topic}/history?limit=${limit}`)).status, 400, limit);
});

test('pages by next_before cover the whole history once', async () => {
	const { topic, ids } = await filled(57);
	assert.deepEqual((await wholeHistory(open, topic, { limit: 10 })).map((envelope) => envelope.id), ids);
});

test('before is exclusive and takes an id', async () => {
	const { topic, ids } = await filled(10);
	const answer = await page(topic, `?before=${ids[4]}&limit=3`);
	assert.deepEqual(answer.envelopes.map((envelope) => envelope.id), [ids[3], ids[2], ids[1]]);
	assert.equal((await page(topic, `?before=${ids[0]}`)).envelopes.length, 0);
});

test('before takes a time, compared with the envelopes\' own', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	for (let minute = 0; minute < 6; minute += 1) {
		const id = alice.send({ ts: `2025-08-17T14:0${minute}:00Z`, kind: 'chat', payload: { text: `minute ${minute}` } });
		await alice.next((envelope) => envelope.id === id);
	}
	const answer = await page(topic, `?before=${encodeURIComponent('2025-08-17T16:03:00+02:00')}`);
	assert.deepEqual(answer.envelopes.map((envelope) => envelope.payload.text), ['minute 2', 'minute 1', 'minute 0']);
});

test('an unknown id in before is refused', async () => {
	const { topic } = await filled(2);
	await page(topic, '?before=no-such-envelope', 400);
});

test('new envelopes do not disturb the paging', async () => {
	const { topic, alice, ids } = await filled(20);
	const first = await page(topic, '?limit=10');
	await alice.say('something new');
	const second = await page(topic, `?limit=10&before=${encodeURIComponent(first.next_before)}`);
	assert.deepEqual([...first.envelopes, ...second.envelopes].map((envelope) => envelope.id), [...ids].reverse());
});

test('history holds chat, mcp and proposals as they were sent, and no refusals', async () => {
	const topic = freshTopic();
	const alice = await joinAs(gateway, topic, 'alice');
	const sent = [request('bob'), proposal('bob'), { kind: 'chat', payload: { text: 'x' } }].map((envelope) => alice.send(envelope));
	await alice.refusal({ kind: 'system', payload: { event: 'x' } });
	const kept = await history(gateway, topic, { token: alice.token });
	assert.deepEqual(kept.map((envelope) => envelope.id), sent.reverse());
	assert.deepEqual(kept.map((envelope) => envelope.from), ['alice', 'alice', 'alice']);
});

test('history holds the payload octet for octet', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const payload = '{ "text":"\\u00e9","n":1.10, "big":123456789012345678901234567890,"huge":1e400 }';
	alice.send(`{"protocol":"${V01}","id":"keep","kind":"chat","payload":${payload}}`);
	await alice.next((envelope) => envelope.id === 'keep');
	const answer = await open.request('GET', `/v0/topics/${topic}/history`);
	assert.ok(answer.text.includes(payload));
});

test('history survives a restart and a kill', async (t) => {
	const own = await houseFor(t, { open: true });
	const topic = freshTopic();
	const alice = await joinOpen(own, topic, 'alice');
	const ids = [];
	for (let i = 0; i < 20; i += 1)
		ids.push((await alice.say(`line ${i}`)).id);
	await own.restart();
	assert.deepEqual((await wholeHistory(own, topic)).map((envelope) => envelope.id), ids);
	await own.restart({ hard: true });
	assert.deepEqual((await wholeHistory(own, topic)).map((envelope) => envelope.id), ids);
	const again = await joinOpen(own, topic, 'alice');
	ids.push((await again.say('after the restart')).id);
	assert.deepEqual((await wholeHistory(own, topic)).map((envelope) => envelope.id), ids);
});

test('a duplicate id is still known after a restart', async (t) => {
	const own = await houseFor(t, { open: true });
	const topic = freshTopic();
	const alice = await joinOpen(own, topic, 'alice');
	const { id } = await alice.say('first');
	await own.restart();
	const again = await joinOpen(own, topic, 'alice');
	const refusal = await again.refusal({ id, kind: 'chat', payload: { text: 'second' } });
	assert.equal(refusal.payload.code, 'duplicate_id');
});

test('since gives everything after that envelope, then live traffic, without gap or repeat', async () => {
	const { topic, alice, ids } = await filled(300);
	const reader = await joinOpen(open, topic, 'reader', { query: { since: ids[99] } });
	const live = [];
	for (let i = 0; i < 50; i += 1)
		live.push(alice.chat(`live ${i}`));
	const seen = (await reader.collect((envelope) => envelope.id === live[49])).filter((envelope) => envelope.kind === 'chat');
	assert.deepEqual(seen.map((envelope) => envelope.id), [...ids.slice(100), ...live]);
});

test('since while others keep talking leaves no gap and repeats nothing', async () => {
	const { topic, alice, ids } = await filled(50);
	let talking = true;
	const sent = [];
	const talk = (async () => {
		while (talking) {
			for (let i = 0; i < 10; i += 1)
				sent.push(alice.chat('talk'));
			await alice.next((envelope) => envelope.id === sent[sent.length - 1]);
		}
	})();
	const readers = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => joinOpen(open, topic, `reader-${n}`, { query: { since: ids[9] } })));
	talking = false;
	await talk;
	const last = alice.chat('the end');
	const expected = [...ids.slice(10), ...sent, last];
	for (const reader of readers) {
		const seen = (await reader.collect((envelope) => envelope.id === last)).filter((envelope) => envelope.kind === 'chat');
		assert.deepEqual(seen.map((envelope) => envelope.id), expected);
	}
});

test('who reconnects with since misses nothing', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const bob = await joinOpen(open, topic, 'bob');
	const { id: last } = await bob.say('I saw this');
	await bob.close();
	const missed = [(await alice.say('missed one')).id, (await alice.say('missed two')).id];
	const back = await joinOpen(open, topic, 'bob', { query: { since: last } });
	const [seen] = await settle(alice, back);
	assert.deepEqual(seen.filter((envelope) => envelope.kind === 'chat').map((envelope) => envelope.id), missed);
});

test('since with an unknown id answers gap and starts live', async () => {
	const { topic, alice } = await filled(3);
	const reader = await joinOpen(open, topic, 'reader', { query: { since: 'no-such-envelope' } });
	const gap = await reader.next((envelope) => envelope.kind === 'system');
	assert.equal(gap.payload.event, 'gap');
	const [seen] = await settle(alice, reader);
	assert.deepEqual(seen.filter((envelope) => envelope.kind === 'chat'), []);
});

test('since the newest envelope begins with live traffic', async () => {
	const { topic, alice, ids } = await filled(3);
	const reader = await joinOpen(open, topic, 'reader', { query: { since: ids[2] } });
	const [seen] = await settle(alice, reader);
	assert.deepEqual(seen.filter((envelope) => envelope.kind !== 'presence'), []);
});

test('replayed envelopes are the octets that were live', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const first = await alice.say('one');
	const live = rawOf(await alice.say('two'));
	const reader = await joinOpen(open, topic, 'reader', { query: { since: first.id } });
	assert.equal(rawOf(await reader.next((envelope) => envelope.kind === 'chat')), live);
});

test('with history off the answer is an empty list, and since is a gap', async (t) => {
	const quiet = await houseFor(t, { open: true, args: ['--history', 'off'] });
	const topic = freshTopic();
	const alice = await joinOpen(quiet, topic, 'alice');
	const echo = await alice.say('gone with the wind');
	const answer = await quiet.ask('GET', `/v0/topics/${topic}/history`, 200);
	assert.deepEqual(answer.envelopes, []);
	assert.equal(answer.next_before, null);
	const reader = await joinOpen(quiet, topic, 'reader', { query: { since: echo.id } });
	assert.equal((await reader.next((envelope) => envelope.kind === 'system')).payload.event, 'gap');
});

test('an answer is cut by size too, and the pages still cover everything', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const ids = [];
	for (let i = 0; i < 12; i += 1) {
		ids.push(alice.chat('x'.repeat(300_000)));
		await alice.next((envelope) => envelope.id === ids[i]);
	}
	const answer = await open.request('GET', `/v0/topics/${topic}/history?limit=1000`);
	assert.ok(answer.text.length < 2 << 20, `${answer.text.length} octets`);
	assert.notEqual(answer.json.next_before, null);
	assert.deepEqual((await wholeHistory(open, topic)).map((envelope) => envelope.id), ids);
});

test('retention by count keeps the newest', async (t) => {
	const own = await houseFor(t, { open: true, config: '[rooms]\npace = "off"\nretention = { count = 50 }\n' });
	const topic = freshTopic();
	const alice = await joinOpen(own, topic, 'alice');
	const ids = [];
	for (let i = 0; i < 400; i += 1)
		ids.push(alice.chat(`line ${i}`));
	await alice.next((envelope) => envelope.id === ids[399]);
	const kept = await until(async () => {
		const found = (await wholeHistory(own, topic)).map((envelope) => envelope.id);
		return found.length < 400 ? found : undefined;
	}, 'old envelopes are let go');
	assert.ok(kept.length >= 50, `${kept.length} are kept`);
	assert.deepEqual(kept, ids.slice(400 - kept.length));
});
