// SPDX-License-Identifier: Apache-2.0
// A place in a room: joining, saying, hearing, and what is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, house, houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, faultOf, heard, joined, rawOf, said, somebody } from './lib/client.mjs';

const gateway = await house();
const admin = adminOf(gateway);
const ann = await somebody(gateway, 'ann', { kind: 'human', name: 'Ann' });
const bob = await somebody(gateway, 'bob', { kind: 'agent' });
const low = await somebody(gateway, 'low', { privilege: 'restricted' });

test('joins, says who we are, and what we say comes back stored', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	assert.deepEqual(room.states.map(({ state }) => state), ['connecting', 'open']);
	assert.equal(room.state, 'open');
	assert.deepEqual([room.me.id, room.me.name, room.me.kind, room.me.privilege], ['ann', 'Ann', 'human', 'full']);
	assert.equal(room.participants.size, 0);
	const echo = await room.chat('Hello', undefined, { format: 'markdown' });
	assert.deepEqual([echo.from, echo.kind, echo.payload], ['ann', 'chat', { text: 'Hello', format: 'markdown' }]);
	assert.equal(room.lastId, echo.id);
	const { envelopes, nextBefore } = await room.history();
	assert.deepEqual([envelopes.map(({ id }) => id), nextBefore], [[echo.id], null]);
});

test('everybody hears everything once, in one order, history first', async (t) => {
	const topic = freshTopic();
	const one = await joined(t, ann, topic);
	for (const words of ['a', 'b', 'c'])
		await one.chat(words);
	const two = await joined(t, bob, topic, { history: 2 });
	await Promise.all(Array.from({ length: 50 }, (_, at) => (at % 2 ? one : two).chat(String(at))));
	await until(() => one.seen.length >= 54 && said(two).length >= 52, 'all have heard all');
	assert.deepEqual(said(two).slice(0, 2), ['b', 'c']);
	assert.deepEqual(said(one).slice(3), said(two).slice(2));
	assert.equal(new Set(said(one)).size, said(one).length);
	const later = await joined(t, ann, topic, { since: one.seen.filter(({ kind }) => kind === 'chat')[1].id, beside: true });
	await until(() => said(later).length >= 51, 'since is given');
	assert.deepEqual(said(later), said(one).slice(2));
});

test('the very octets of an envelope are kept: live, from the welcome, and from the history', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	const odd = '{"text":"x",  "number":12345678901234567890,"big":1e400}';
	const answer = await gateway.request('POST', `/v0/topics/${encodeURIComponent(topic)}/messages`,
		{ token: await gateway.token({ id: 'cat', privilege: 'full' }), body: `{"kind":"chat","payload":${odd}}` });
	assert.equal(answer.status, 201, answer.text);
	const isIt = ({ from }) => from === 'cat';
	assert.ok(rawOf(await room.sees(isIt)).includes(odd));
	const later = await joined(t, bob, topic, { history: 10 });
	assert.ok(rawOf(await later.sees(isIt)).includes(odd));
	const { envelopes } = await bob.history(topic);
	assert.ok(rawOf(envelopes.find(isIt)).includes(odd));
});

test('who comes and goes is told, and stands in the list', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	const other = await joined(t, bob, topic);
	assert.deepEqual([...other.participants.keys()], ['ann']);
	await until(() => room.participants.has('bob'), 'bob is there');
	assert.equal(room.participants.get('bob').kind, 'agent');
	other.close();
	await until(() => !room.participants.has('bob'), 'bob has left');
	assert.deepEqual(room.moves.map(({ event, participant }) => [event, participant.id]), [['join', 'bob'], ['leave', 'bob']]);
});

test('what is refused rejects with the words of the gateway, and is told', async (t) => {
	const room = await joined(t, ann, freshTopic());
	const kind = await faultOf(room.send({ kind: 'presence', payload: { event: 'join' } }));
	assert.deepEqual([kind.status, kind.code, kind.gate], [400, 'reserved_kind', 'kind']);
	const two = await faultOf(room.send({ kind: 'mcp', to: ['a', 'b'], payload: { jsonrpc: '2.0', id: 1, method: 'x' } }));
	assert.deepEqual([two.code, two.gate], ['one_recipient', 'address']);
	const from = await faultOf(room.send({ kind: 'chat', from: 'bob', payload: { text: 'x' } }));
	assert.deepEqual([from.status, from.code], [403, 'bad_sender']);
	assert.deepEqual(room.refusals.map(({ code }) => code), ['reserved_kind', 'one_recipient', 'bad_sender']);
	const { id } = await room.chat('first');
	assert.equal((await faultOf(room.send({ id, kind: 'chat', payload: { text: 'second' } }))).code, 'duplicate_id');
	await room.chat('and goes on');
});

test('who says too much too fast is told when to come back', async (t) => {
	const slow = await houseFor(t, { set: { 'rooms.pace': '5/s' } });
	const room = await joined(t, await somebody(slow, 'ann'), freshTopic());
	const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => room.chat(String(at))));
	const refused = ends.filter(({ status }) => status === 'rejected').map(({ reason }) => reason);
	assert.ok(refused.length > 0 && refused.length < 20);
	for (const { status, code, gate, retryAfterMs } of refused)
		assert.deepEqual([status, code, gate, retryAfterMs > 0], [429, 'rate_limited', 'pace', true]);
});

test('a restricted participant proposes, is told why it may do no more, and hears when it may', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, low, topic);
	const full = await joined(t, ann, topic);
	const privileges = [];
	room.on('privilege', (change) => privileges.push(change));
	const refused = await faultOf(room.request('ann', 'tools/list'));
	assert.deepEqual([refused.status, refused.code, refused.gate], [403, 'privilege_violation', 'privilege']);
	const proposal = await room.propose('ann', 'tools/call', { name: 't', arguments: {} }, { reason: 'I should like to' });
	assert.deepEqual(proposal.payload, { method: 'tools/call', params: { name: 't', arguments: {} }, reason: 'I should like to' });
	const open = await ann.proposals(topic);
	assert.deepEqual([open.length, open[0].proposalId, open[0].status], [1, proposal.id, 'pending']);
	const events = [];
	room.on('proposal', (event) => events.push(event));
	await ann.rejectProposal(topic, proposal.id, 'not now');
	await until(() => events.length === 1, 'the rejection is heard');
	assert.deepEqual([events[0].proposalId, events[0].status, events[0].by, events[0].reason], [proposal.id, 'rejected', 'ann', 'not now']);
	const second = await room.propose('ann', 'tools/call', { name: 't' });
	await low.withdrawProposal(topic, second.id);
	await until(() => events.length === 2 && events[1].status === 'withdrawn', 'the withdrawal is heard');
	await admin.promote('low', topic);
	await until(() => privileges.length === 1, 'the promotion is heard');
	assert.deepEqual([privileges[0].privilege, privileges[0].oldPrivilege, room.me.privilege], ['full', 'restricted', 'full']);
	full.serve([]);
	assert.deepEqual(await room.tools('ann'), []);
	await admin.demote('low', topic);
	await until(() => room.me.privilege === 'restricted', 'the demotion is heard');
});

test('a full participant fulfils a proposal by its id', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, low, topic);
	const full = await joined(t, ann, topic);
	await joined(t, bob, topic, { tools: [{ name: 'add', call: ({ a, b }) => String(a + b) }] });
	const events = [];
	room.on('proposal', (event) => events.push(event));
	const proposal = await room.propose('bob', 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
	await until(() => full.seen.some(({ kind }) => kind === 'mcp/proposal'), 'the proposal is seen');
	const result = await full.request('bob', proposal.payload.method, proposal.payload.params, { correlationId: proposal.id });
	assert.equal(result.content[0].text, '3');
	await until(() => events.some(({ status }) => status === 'fulfilled'), 'the fulfilment is heard');
	await room.sees(({ from, payload }) => from === 'bob' && payload.result?.content?.[0].text === '3');
});

test('without echoes a promise settles when it is sent, and others hear it', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic, { echo: false });
	const other = await joined(t, bob, topic);
	const sent = await room.chat('quiet');
	assert.equal(sent.payload.text, 'quiet');
	await other.sees(({ id }) => id === sent.id);
	assert.deepEqual(said(room), []);
});

test('what is said before the connection stands waits for it; what is closed rejects', async (t) => {
	const topic = freshTopic();
	const room = heard(ann.join(topic));
	t.after(() => room.close());
	const early = room.chat('early');
	assert.equal(room.state, 'connecting');
	assert.equal((await early).payload.text, 'early');
	room.close();
	assert.equal(room.state, 'closed');
	assert.equal((await faultOf(room.chat('late'))).code, 'closed');
	assert.equal((await faultOf(room.opened())).code, 'closed');
	const never = ann.join(topic);
	const waiting = never.chat('never');
	never.close();
	assert.equal((await faultOf(waiting)).code, 'closed');
});

test('what is said before it is sent can be taken back', async (t) => {
	const control = new AbortController();
	const room = ann.join(freshTopic(), { signal: control.signal });
	t.after(() => room.close());
	const other = new AbortController();
	const never = room.chat('never', undefined, { signal: other.signal });
	other.abort(new Error('thought better of it'));
	await assert.rejects(never, /thought better of it/);
	await room.opened();
	control.abort();
	assert.equal(room.state, 'closed');
});

test('says something without joining', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	const { id, ts } = await bob.post(topic, { kind: 'chat', payload: { text: 'from afar' } });
	assert.ok(Date.parse(ts) > 0);
	await room.sees((envelope) => envelope.id === id);
	assert.equal(room.participants.size, 0);
	const refused = await faultOf(low.post(topic, { kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/x' } }));
	assert.equal(refused.status, 403);
	assert.ok((await ann.topics()).some((one) => one.topic === topic && one.participants === 1));
	assert.deepEqual((await ann.participants(topic)).map((one) => one.id), ['ann']);
});

test('history goes back page by page', async (t) => {
	const topic = freshTopic();
	const room = await joined(t, ann, topic);
	for (let at = 0; at < 7; at += 1)
		await room.chat(String(at));
	const all = [];
	for (let before; before !== null;) {
		const page = await room.history({ limit: 3, ...(before && { before }) });
		all.push(...page.envelopes.map(({ payload }) => payload.text));
		before = page.nextBefore;
	}
	assert.deepEqual(all, ['6', '5', '4', '3', '2', '1', '0']);
	assert.equal((await faultOf(room.history({ before: 'nobody' }))).status, 400);
});

test('in open mode a name is enough', async (t) => {
	const open = await houseFor(t, { open: true });
	const topic = freshTopic();
	const room = await joined(t, clientOf(open, { id: 'zoe&co+1' }), topic);
	assert.equal(room.me.id, 'zoe&co+1');
	const guest = await joined(t, clientOf(open), topic, { name: 'Somebody' });
	assert.match(guest.me.id, /^guest-/);
	await until(() => room.participants.get(guest.me.id)?.name === 'Somebody', 'the guest has a name');
});

if (typeof globalThis.WebSocket === 'function') {
	test('the runtime\'s own WebSocket will do', async (t) => {
		const token = await gateway.token({ id: 'own', privilege: 'full' });
		const room = await joined(t, clientOf(gateway, { token, WebSocket: undefined }), freshTopic());
		assert.equal((await room.chat('by itself')).from, 'own');
	});
}

test('a runtime without WebSocket says what is missing', async () => {
	const { WebSocket: own } = globalThis;
	try {
		globalThis.WebSocket = undefined;
		const room = clientOf(gateway, { token: 'x', WebSocket: undefined }).join('demo');
		const fault = await faultOf(room.opened());
		assert.match(fault.message, /WebSocket/);
	} finally {
		globalThis.WebSocket = own;
	}
});
