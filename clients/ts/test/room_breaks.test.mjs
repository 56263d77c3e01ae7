// SPDX-License-Identifier: Apache-2.0
// Breaks: the gateway dies and comes back, the place is taken, the token is revoked, the door is shut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until, within } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, faultOf, heard, joined, said, somebody } from './lib/client.mjs';

/** A gateway that comes back at the same port. */
async function steadyHouse(t, options = {}) {
	const first = await houseFor(t, options);
	const { port } = first;
	first.args[first.args.indexOf('--listen') + 1] = `127.0.0.1:${port}`;
	return first;
}

test('after a kill -9 a room goes on without gap or repeat, and what had no echo is said once', async (t) => {
	const gateway = await steadyHouse(t);
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const bob = await somebody(gateway, 'bob', { kind: 'agent' });
	const topic = freshTopic();
	const one = await joined(t, ann, topic);
	const two = await joined(t, bob, topic);
	await one.chat('first');
	const wanted = ['first'];
	for (let round = 0; round < 3; round += 1) {
		const under = Array.from({ length: 40 }, (_, at) => one.chat(`${round}.${at}`));
		wanted.push(...Array.from({ length: 40 }, (_, at) => `${round}.${at}`));
		await gateway.kill9();
		await until(() => one.state !== 'open' && two.state !== 'open', 'the break is noticed');
		const meanwhile = one.chat(`meanwhile ${round}`);
		wanted.push(`meanwhile ${round}`);
		await gateway.launch();
		await within(Promise.all([...under, meanwhile]), 'everything that was said comes back');
	}
	await until(() => said(two).length >= wanted.length && said(one).length >= wanted.length, 'both have heard all');
	assert.deepEqual(said(one), wanted);
	assert.deepEqual(said(two), wanted);
	assert.deepEqual([one.gaps, two.gaps], [[], []]);
	const { envelopes } = await one.history({ limit: 1000 });
	assert.deepEqual(envelopes.map(({ payload }) => payload.text).reverse(), wanted);
	assert.ok(one.states.some(({ state, why }) => state === 'waiting' && why.code !== undefined));
});

test('a room that was silent until the break misses nothing either', async (t) => {
	const gateway = await steadyHouse(t);
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const bob = await somebody(gateway, 'bob', { kind: 'agent' });
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	assert.equal(room.lastId, undefined);
	await gateway.kill9();
	await until(() => room.state !== 'open', 'the break is noticed');
	await gateway.launch();
	const words = Array.from({ length: 20 }, (_, at) => String(at));
	for (const text of words)
		await bob.post(topic, { kind: 'chat', payload: { text } });
	await until(() => said(room).length >= 20, 'all is heard');
	assert.deepEqual([said(room), room.gaps], [words, []]);
});

test('one that was joined without history goes on behind what it has not shown', async (t) => {
	const gateway = await steadyHouse(t);
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const topic = freshTopic();
	for (const text of ['old', 'older'])
		await ann.post(topic, { kind: 'chat', payload: { text } });
	const room = await joined(t, ann, topic);
	await gateway.restart({ hard: true });
	await ann.post(topic, { kind: 'chat', payload: { text: 'new' } });
	await until(() => said(room).length > 0, 'it is heard');
	assert.deepEqual([said(room), room.gaps], [['new'], []]);
});

test('who is there is put right after a break, and requests to who has gone are over', async (t) => {
	const gateway = await steadyHouse(t);
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const bob = await somebody(gateway, 'bob', { kind: 'agent' });
	const topic = freshTopic();
	const one = await joined(t, ann, topic);
	const two = await joined(t, bob, topic, { tools: [{ name: 'wait', call: () => new Promise(() => {}) }] });
	await until(() => one.participants.has('bob'), 'bob is there');
	const call = one.callTool('bob', 'wait');
	call.catch(() => {});
	await one.sees(({ payload }) => payload?.method === 'tools/call');
	await gateway.kill9();
	two.close();
	await gateway.launch();
	assert.equal((await faultOf(call)).code, 'left');
	await one.is('open');
	assert.deepEqual(one.moves.map(({ event }) => event), ['join', 'leave']);
	assert.equal(one.participants.size, 0);
});

test('a gap is told where history does not reach back', async (t) => {
	const gateway = await steadyHouse(t, { set: { 'rooms.history': false } });
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const room = await joined(t, ann, freshTopic());
	await room.chat('gone');
	await gateway.restart({ hard: true });
	await until(() => room.gaps.length > 0, 'the gap is told');
	await room.chat('after it');
	const unknown = await joined(t, ann, freshTopic(), { since: 'an id that is none' });
	await until(() => unknown.gaps.length > 0, 'the gap of an unknown id is told');
});

test('who is replaced does not come back', async (t) => {
	const gateway = await houseFor(t);
	const bob = await somebody(gateway, 'bob', { kind: 'agent' });
	const topic = freshTopic();
	const first = await joined(t, bob, topic);
	const waiting = first.request('nobody', 'tools/list');
	waiting.catch(() => {});
	await first.sees(({ payload }) => payload?.method === 'tools/list');
	const second = await joined(t, bob, topic);
	await first.is('closed');
	assert.deepEqual(first.states.at(-1).why.code, 4001);
	assert.equal((await faultOf(waiting)).code, '4001');
	assert.match((await faultOf(first.chat('still here?'))).message, /replaced/);
	await second.chat('mine now');
	assert.equal(second.state, 'open');
	const beside = await joined(t, bob, topic, { beside: true });
	await beside.chat('beside');
	assert.equal(second.state, 'open');
});

test('a revoked token ends the room for good', async (t) => {
	const gateway = await houseFor(t);
	const admin = adminOf(gateway);
	const { token, tokenId } = await admin.createToken({ id: 'eve', privilege: 'full', ttl: '1h' });
	const room = await joined(t, clientOf(gateway, { token }), freshTopic());
	await admin.revokeToken(tokenId);
	await room.is('closed');
	assert.equal(room.states.at(-1).why.code, 4003);
	assert.equal((await faultOf(room.opened())).status, 401);
});

for (const kind of ['ws', 'a browser\'s']) {
	test(`a door that stays shut is not knocked at again (${kind} WebSocket)`, async (t) => {
		const gateway = await houseFor(t);
		const { WebSocket } = await import('./lib/client.mjs');
		/* As in a browser: no headers, and nothing is told of an answer that is no upgrade. */
		class Bare {
			constructor(url, protocols) {
				const inner = new WebSocket(url, protocols);
				inner.on('error', () => {});
				return new Proxy(inner, {
					get: (target, name) => {
						const value = name === 'on' ? undefined : target[name];
						return typeof value === 'function' ? value.bind(target) : value;
					},
					set: (target, name, value) => Reflect.set(target, name, value),
				});
			}
		}
		const options = kind === 'ws' ? {} : { WebSocket: Bare };
		const nobody = heard(clientOf(gateway, { token: 'nobody', ...options }).join('demo'));
		t.after(() => nobody.close());
		await nobody.is('closed');
		assert.equal((await faultOf(nobody.opened())).status, 401);
		const token = await gateway.token({ id: 'narrow', topic: 'other', privilege: 'full' });
		const narrow = heard(clientOf(gateway, { token, ...options }).join('demo'));
		t.after(() => narrow.close());
		await narrow.is('closed');
		assert.equal((await faultOf(narrow.opened())).code, 'forbidden');
		const other = await joined(t, clientOf(gateway, { token, ...options }), 'other');
		assert.equal((await other.chat('a token travels as a subprotocol too')).from, 'narrow');
	});
}

test('a gateway that is not there yet is waited for', async (t) => {
	const gateway = await steadyHouse(t);
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	await gateway.kill9();
	const room = heard(ann.join(freshTopic()));
	t.after(() => room.close());
	const early = room.chat('before it was there');
	await until(() => room.states.some(({ state }) => state === 'waiting'), 'it waits');
	await gateway.launch();
	assert.equal((await within(early, 'its echo')).payload.text, 'before it was there');
});

test('an envelope that is too large is refused, and said no second time', async (t) => {
	const gateway = await houseFor(t, { set: { 'gateway.max_message': '64KiB' } });
	const ann = await somebody(gateway, 'ann', { kind: 'human' });
	const room = await joined(t, ann, freshTopic());
	const fault = await faultOf(room.chat('x'.repeat(100_000)));
	assert.equal(fault.code, 'too_large');
	await room.chat('and it goes on');
});
