// SPDX-License-Identifier: Apache-2.0
// What has to end, or to be put right: looks that are never answered, listeners of signals, sockets that are closing.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SDK_SERVER, entry } from '../../../tests/e2e/lib/hosted.mjs';
import { freshTopic, house } from '../../../tests/e2e/lib/house.mjs';
import { until, within } from '../../../tests/e2e/lib/wait.mjs';
import { WebSocket, adminOf, clientOf, faultOf, inside, joined, said, somebody } from './lib/client.mjs';

const { RoomLink } = await inside('room_link');
const { follow } = await inside('watch');
const { Outbox } = await inside('room_outbox');

const gateway = await house({ config: `[kernel]\ndefault_policy = "opt-out"\n${entry('sdk', SDK_SERVER, ['client-test'])}` });
const ann = await somebody(gateway, 'ann', { kind: 'human' });
const bob = await somebody(gateway, 'bob', { kind: 'agent' });

const never = () => new Promise(() => {});

/** A link whose sockets are made by hand, and whose probe nobody answers; what it was told, and the bound of each probe. */
function linkOf(t) {
	const link = { sockets: [], bounds: [], broken: [], ended: [] };
	t.mock.method(AbortSignal, 'timeout', (milliseconds) => {
		const control = new AbortController();
		link.bounds.push({ milliseconds, pass: () => control.abort(new DOMException('too late', 'TimeoutError')) });
		return control.signal;
	});
	const address = { socket: () => {
		const socket = { readyState: 0, close() {}, on(name, does) { socket[name] = does; } };
		link.sockets.push(socket);
		return socket;
	} };
	const one = new RoomLink(address, {
		path: () => '/', probe: never, dialling() {}, frame() {},
		broken: (why) => link.broken.push(why), ended: (why, fault) => link.ended.push(fault),
	});
	t.after(() => one.close());
	one.dial();
	return link;
}

test('a probe that is never answered ends by its bound, and the link dials again', async (t) => {
	const link = linkOf(t);
	link.sockets[0].onclose({ code: 1006, reason: '' });
	assert.deepEqual(link.bounds.map(({ milliseconds }) => milliseconds), [30_000]);
	await turn();
	assert.equal(link.sockets.length, 1, 'it waits for the probe');
	link.bounds[0].pass();
	await until(() => link.sockets.length === 2, 'it dials again');
	assert.deepEqual([link.broken.length, link.ended], [1, []]);
});

test('a refusal that the probe has no words for ends the link by the same bound', async (t) => {
	const link = linkOf(t);
	link.sockets[0]['unexpected-response']({ destroy() {} }, { statusCode: 401 });
	assert.deepEqual(link.bounds.map(({ milliseconds }) => milliseconds), [30_000]);
	link.bounds[0].pass();
	await until(() => link.ended.length === 1, 'it has ended');
	assert.equal(link.ended[0].status, 401);
});

test('a look at what was missed that hangs ends with the silence, and the stream is opened again', async (t) => {
	let opened = 0;
	let looks = 0;
	const states = [];
	const watch = follow({
		open: async () => {
			opened += 1;
			return new Response(new ReadableStream({ start: (control) => opened === 1 && control.close() }));
		},
		take() {},
		live: (again) => (again ? (looks += 1, never()) : undefined),
		state: (state, why) => states.push([state, why?.code]),
		idleMs: 100,
	});
	t.after(() => watch.close());
	await until(() => opened === 3, 'it is opened a third time');
	assert.equal(looks >= 1, true);
	assert.deepEqual(states.slice(0, 4), [['live', undefined], ['waiting', 'broken_off'], ['live', undefined], ['waiting', 'timeout']]);
	watch.close();
	await within(watch.closed, 'it has ended');
});

test('no listener is left at a signal that outlives what it was handed to', async (t) => {
	const { signal } = new AbortController();
	const left = async () => {
		await turn();
		return getEventListeners(signal, 'abort').length;
	};
	/* What the runtime's own fetch keeps there is its own affair. */
	const plain = { fetch: (url, { signal: _, ...rest }) => fetch(url, rest) };
	const client = clientOf(gateway, { token: await gateway.token({ id: 'ann', privilege: 'full', kind: 'human' }), ...plain });
	const topic = freshTopic();
	await joined(t, bob, topic, { tools: [{ name: 'one', call: () => 'x' }, { name: 'back', call: async (_, { ask }) => ask('x/none', {}) }] });
	const room = await joined(t, client, topic, { signal });
	assert.equal(await left(), 1, 'a room that is open hears its signal');
	await room.chat('said', undefined, { signal });
	await room.request('bob', 'ping', {}, { signal });
	await room.callTool('bob', 'one', {}, { signal });
	await faultOf(room.callTool('bob', 'none', {}, { signal }));
	await faultOf(room.request('nobody', 'ping', {}, { signal, timeoutMs: 50 }));
	const flow = room.flow('bob').watch('none', {}, { signal });
	await within(flow.closed, 'a session that is none is over');
	assert.equal(await left(), 1, 'nothing but the room');
	room.close();
	assert.equal(await left(), 0);
	for (const era of ['modern', 'legacy']) {
		const face = client.mcp('/mcp', { era });
		await face.listTools({ signal });
		await face.callTool('sdk.echo', { words: 'x' }, { signal, timeoutMs: 60_000 }).catch(() => {});
		await faultOf(face.request('x/none', {}, { signal }));
		const listening = face.listen({ heard() {}, signal });
		t.after(() => listening.close());
		assert.ok(await left() > 0, 'who listens hears its signal');
		listening.close();
		await within(listening.closed, 'it has ended');
		await face.close();
		assert.equal(await left(), 0, era);
	}
	const admin = adminOf(gateway);
	const watches = [() => admin.watchDecisions({ decision() {} }, { signal }), () => admin.followAudit({}, { record() {}, signal })];
	for (const begin of watches) {
		const watch = begin();
		t.after(() => watch.close());
		assert.equal(await left(), 1);
		watch.close();
		await within(watch.closed, 'it has ended');
		assert.equal(await left(), 0);
	}
});

/** Somebody whose sockets are at hand. */
async function caught(id) {
	const sockets = [];
	class Caught extends WebSocket {
		constructor(...words) {
			super(...words);
			sockets.push(this);
		}
	}
	return { client: clientOf(gateway, { token: await gateway.token({ id, privilege: 'full', kind: 'agent' }), WebSocket: Caught }), sockets };
}

for (const echo of [true, false]) {
	test(`what is said on a socket that is closing is said on the next one (echo: ${echo})`, async (t) => {
		const { client, sockets } = await caught(`closing-${echo}`);
		const topic = freshTopic();
		const listener = await joined(t, ann, topic);
		const room = await joined(t, client, topic, { echo });
		sockets[0].close();
		assert.equal(room.state, 'open', 'nobody has noticed yet');
		const words = ['one', 'two', 'three'];
		const statesThen = words.map((text) => room.chat(text).then(() => room.states.map(({ state }) => state)));
		for (const states of await within(Promise.all(statesThen), 'all is said'))
			assert.ok(states.includes('waiting'), 'it was not said to be sent before there was a connection for it');
		await until(() => said(listener).length >= 3, 'all is heard');
		await listener.chat('behind them');
		assert.deepEqual(said(listener), [...words, 'behind them']);
		assert.equal(sockets.length, 2);
	});
}

test('outbox: what no connection took stays due, with what is behind it, and can be taken back', async () => {
	const outbox = new Outbox();
	const control = new AbortController();
	const first = outbox.add('1', 'one');
	const second = outbox.add('2', 'two', control.signal);
	const sent = [];
	outbox.flush(false, () => false);
	assert.equal(outbox.oldest, undefined, 'no echo is waited for');
	control.abort(new Error('given up'));
	await assert.rejects(second, /given up/);
	outbox.failSent(new Error('the connection died of what was sent'));
	outbox.flush(false, (text) => sent.push(text) > 0);
	assert.deepEqual(sent, ['one']);
	outbox.echoed({ id: '1' });
	assert.deepEqual(await within(first, 'its echo'), { id: '1' });
});

test('with echo: false a refusal is heard as an event, since the promise has settled', async (t) => {
	const { client } = await caught('mute');
	const room = await joined(t, client, freshTopic(), { echo: false });
	const sent = await within(room.send({ kind: 'chat', id: 'system:mine', payload: { text: 'x' } }), 'it is sent');
	assert.equal(sent.id, 'system:mine');
	await until(() => room.refusals.length > 0, 'the refusal is heard');
	assert.ok(room.refusals[0].code);
});

/** A class of sockets that play a gateway; `played` has each with its path, and can tell it frames. */
function playedSockets() {
	const played = [];
	class Played {
		constructor(url) {
			Object.assign(this, { readyState: 1, since: new URL(url).searchParams.get('since'), sent: [] });
			played.push(this);
		}
		send(text) {
			this.sent.push(JSON.parse(text));
		}
		close() {
			this.readyState = 3;
		}
		tell(from, kind, payload, id) {
			this.onmessage({ data: JSON.stringify({ protocol: 'mcpx/v0.1', id, ts: new Date().toISOString(), from, kind, payload }) });
		}
		welcome() {
			this.tell('system:gateway', 'system', { event: 'welcome', participant: { id: 'ann' }, participants: [] }, `system:${played.length}`);
		}
		breakOff() {
			this.readyState = 3;
			this.onclose({ code: 1006, reason: '' });
		}
	}
	return { played, Played };
}

test('an early echo of what was said again does not hide what is older, were the connection to break once more', async (t) => {
	const { played, Played } = playedSockets();
	const room = await (async () => {
		const opening = joined(t, clientOf(gateway, { token: 'played', WebSocket: Played }), 'played');
		await until(() => played.length === 1, 'it dials');
		played[0].welcome();
		return opening;
	})();
	played[0].tell('bob', 'chat', { text: 'old' }, 'old');
	const mine = room.chat('mine');
	played[0].breakOff();
	await until(() => played.length === 2, 'it dials again');
	assert.equal(played[1].since, 'old');
	played[1].welcome();
	const [again] = played[1].sent;
	played[1].tell('ann', 'chat', again.payload, again.id);
	assert.equal((await within(mine, 'its echo')).id, again.id);
	played[1].breakOff(); /* before it could say what bob had said meanwhile */
	await until(() => played.length === 3, 'it dials a third time');
	assert.equal(played[2].since, 'old');
	played[2].welcome();
	played[2].tell('bob', 'chat', { text: 'meanwhile' }, 'meanwhile');
	played[2].tell('ann', 'chat', again.payload, again.id);
	assert.deepEqual([said(room), room.lastId], [['old', 'mine', 'meanwhile'], 'meanwhile']);
	const next = room.chat('next');
	played[2].tell('ann', 'chat', { text: 'next' }, played[2].sent[0].id);
	await within(next, 'its echo');
	assert.equal(room.lastId, played[2].sent[0].id, 'what was said once is a place to go on from');
});
