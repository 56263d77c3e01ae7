// SPDX-License-Identifier: Apache-2.0
// Sizes, times and numbers that are bounded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor, joinAs, joinOpen } from './lib/house.mjs';
import { frame, RawSocket, RawWebSocket, statusOf } from './lib/raw_socket.mjs';
import { beforeMarker, V01 } from './lib/room_client.mjs';
import { pause, within } from './lib/wait.mjs';

const gateway = await house();
const open = await house({ open: true, set: { 'rooms.pace': 'off', 'gateway.max_message': '65536', 'gateway.max_behind': '262144' } });

test('a message over max_message closes its connection with 1009, and the room goes on', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const bob = await joinOpen(open, topic, 'bob');
	const carol = await joinOpen(open, topic, 'carol');
	bob.chat('x'.repeat(70_000));
	assert.equal((await bob.expectClose()).code, 1009);
	const seen = await beforeMarker(alice, carol);
	assert.deepEqual(seen.filter((envelope) => envelope.from === 'bob'), []);
});

test('a message just under the bound passes', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const text = 'x'.repeat(64_000);
	assert.equal((await alice.say(text)).payload.text, text);
});

test('the bound holds for the sum of a message\'s fragments', async () => {
	const raw = await RawWebSocket.open(open, { topic: freshTopic(), id: 'mallory' });
	raw.write(frame({ fin: false, opcode: 1, body: 'x'.repeat(30_000) }));
	for (let i = 0; i < 4; i += 1)
		raw.write(frame({ fin: false, opcode: 0, body: 'x'.repeat(30_000) }));
	assert.equal(await raw.closeCode(), 1009);
	raw.destroy();
});

test('a length that is only announced is refused before it is sent', async () => {
	for (const length of [1 << 30, 2 ** 40]) {
		const raw = await RawWebSocket.open(open, { topic: freshTopic(), id: 'mallory' });
		raw.write(frame({ opcode: 1, length, body: 'x' }));
		assert.equal(await raw.closeCode(), 1009);
		raw.destroy();
	}
});

test('the default bound is one mebibyte', async () => {
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	await alice.say('x'.repeat(1_000_000));
	alice.chat('x'.repeat(1_100_000));
	assert.equal((await alice.expectClose()).code, 1009);
});

test('binary frames are refused', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const bob = await joinOpen(open, topic, 'bob');
	bob.socket.send(Buffer.from(JSON.stringify({ protocol: V01, id: 'b1', kind: 'chat', payload: { text: 'x' } })), { binary: true });
	let refused;
	try {
		refused = await bob.next((envelope) => envelope.kind === 'system' && envelope.payload.event === 'error');
	} catch {
		assert.equal((await bob.expectClose()).code, 1003);
	}
	if (refused !== undefined)
		assert.equal(refused.payload.gate, 'shape');
	assert.deepEqual((await beforeMarker(alice, alice)).filter((envelope) => envelope.from === 'bob'), []);
});

test('who does not read is closed as behind, and the room is not slowed', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const bob = await joinOpen(open, topic, 'bob');
	const sleeper = await joinOpen(open, topic, 'sleeper');
	sleeper.socket.pause();
	const left = bob.next((envelope) => envelope.kind === 'presence' && envelope.payload.event === 'leave' && envelope.payload.participant.id === 'sleeper', { timeout: 120_000 });
	let gone = false;
	left.then(() => { gone = true; }, () => { gone = true; });
	const text = 'x'.repeat(60_000);
	for (let i = 0; i < 2000 && !gone; i += 1)
		await alice.say(text);
	await left;
	sleeper.socket.resume();
	assert.equal((await sleeper.expectClose()).code, 1013);
});

test('a head over 32 KiB is 431', async () => {
	assert.equal(await statusOf(gateway, `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`), 431);
	const many = Array.from({ length: 3000 }, (_, i) => `X-H${i}: ${i}`).join('\r\n');
	assert.ok([400, 431].includes(await statusOf(gateway, `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\n${many}\r\n\r\n`)));
});

test('an endless head is refused while it is still coming', async () => {
	const raw = await RawSocket.open(gateway);
	raw.write('GET /healthz HTTP/1.1\r\nX: ');
	const answered = raw.statusOrEnd();
	let over = false;
	answered.then(() => { over = true; }, () => { over = true; });
	for (let i = 0; i < 100 && !over; i += 1) {
		raw.write('y'.repeat(4096));
		await pause(10);
	}
	assert.ok([431, 414, 400, 0].includes(await answered));
	raw.destroy();
});

test('a slow head is 408', async () => {
	const raw = await RawSocket.open(gateway);
	raw.write('GET /healthz HTTP/1.1\r\nHost: ');
	const status = await within((async () => {
		for (;;) {
			const match = /^HTTP\/1\.1 (\d{3})/.exec(raw.received.toString('latin1'));
			if (match)
				return Number(match[1]);
			if (raw.ended)
				return 0;
			await pause(100);
		}
	})(), 'the answer to half a head', 120_000);
	assert.equal(status, 408);
	raw.destroy();
});

test('a slow body is 408', async () => {
	const token = await gateway.token({ id: 'alice', privilege: 'full' });
	const raw = await RawSocket.open(gateway);
	raw.write(`POST /v0/tickets HTTP/1.1\r\nHost: 127.0.0.1:${gateway.port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"topic"`);
	const status = await within((async () => {
		for (;;) {
			const match = /^HTTP\/1\.1 (\d{3})/.exec(raw.received.toString('latin1'));
			if (match)
				return Number(match[1]);
			if (raw.ended)
				return 0;
			await pause(100);
		}
	})(), 'the answer to half a body', 120_000);
	assert.equal(status, 408);
	raw.destroy();
});

test('hundreds of connections that say nothing keep nobody out', async () => {
	const idle = [];
	for (let i = 0; i < 300; i += 1)
		idle.push(await RawSocket.open(gateway));
	const alice = await joinAs(gateway, freshTopic(), 'alice');
	await alice.say('there is still a door');
	for (const raw of idle)
		raw.destroy();
});

test('a message in many small fragments and single octets arrives whole', async () => {
	const topic = freshTopic();
	const alice = await joinOpen(open, topic, 'alice');
	const raw = await RawWebSocket.open(open, { topic, id: 'slowly' });
	const text = JSON.stringify({ protocol: V01, id: 'slow-1', kind: 'chat', payload: { text: 'bit by bit \u{1F600}' } });
	const octets = Buffer.from(text);
	for (let i = 0; i < octets.length; i += 1)
		raw.write(frame({ fin: i === octets.length - 1, opcode: i === 0 ? 1 : 0, body: octets.subarray(i, i + 1) }));
	assert.equal((await alice.next((envelope) => envelope.id === 'slow-1')).payload.text, 'bit by bit \u{1F600}');
	raw.destroy();
});

test('a welcome lists at most a thousand participants and says how many there are', async (t) => {
	const large = await houseFor(t, { open: true });
	const topic = freshTopic();
	for (let i = 0; i < 1005; i += 5)
		await Promise.all([0, 1, 2, 3, 4].map((n) => joinOpen(large, topic, `member-${i + n}`)));
	const { welcome } = await joinOpen(large, topic, 'last');
	assert.equal(welcome.payload.participants.length, 1000);
	assert.equal(welcome.payload.participants_total, 1005);
	const { participants } = await large.ask('GET', `/v0/topics/${topic}/participants`, 200);
	assert.equal(participants.length, 1006);
});
