// SPDX-License-Identifier: Apache-2.0
// What became of a call that people were asked about: for who asked, who decides, and administrators; for nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from './lib/attached.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const annotations = { readOnlyHint: true };
const tools = [
	{ name: 'waits', annotations, inputSchema: { type: 'object', properties: { secret: { type: 'string' } } }, does: [{ script: [{ hold: 'waits' }, { answer: { content: [{ type: 'text', text: 'what nobody else reads' }] } }] }] },
	{ name: 'breaks', annotations, does: [{ error: { code: -32603, message: 'it broke' } }] },
];
const judged = new Outsider('judged', { plain: true, tools }, {}, { share: 'principal', authorization: { mode: 'always_prompt', deciders: ['judge'] } });
const house = await MgpHouse.forFile({ kernel: { policy: 'interactive', approval: 'interactive', default_policy: 'opt-out' }, servers: [judged] });
await house.is('judged', 'connected');
const { gateway } = house;
const [judge, stranger] = await Promise.all(['judge', 'stranger'].map((id) => house.token(id)));

let askers = 0;

/** A call that waits for its authorization. */
async function asked(name, args = {}) {
	const id = `asker-${askers += 1}`;
	const client = await house.plain(id, 'judged');
	const begun = client.begin('tools/call', { name, arguments: args });
	const decision = await house.pending((one) => one.requester === id);
	return { begun, decision, token: await house.token(id) };
}

const outcome = (id, token, status = 200) => gateway.ask('GET', `/admin/decisions/${id}/outcome`, status, { token });
const answer = (id, decision, more = {}) => gateway.ask('POST', `/admin/decisions/${id}`, 200, { token: judge, body: { decision, ...more } });

test('open, running, done: who asked and who decides hear it, and neither arguments nor results', async () => {
	const { begun, decision: { id }, token } = await asked('waits', { secret: 'a word of mine' });
	assert.deepEqual(await outcome(id, token), { decision: id, state: 'open' });
	await answer(id, 'approve');
	await until(() => judged.calls('waits').length > 0, 'the tool runs');
	for (const who of [token, judge, gateway.adminToken()]) assert.equal((await outcome(id, who)).state, 'running');
	judged.release('waits');
	await begun.answer;
	const ended = await until(async () => {
		const now = await outcome(id, judge);
		return now.state === 'done' && now;
	}, 'the outcome is told');
	assert.deepEqual(Object.keys(ended).sort(), ['at', 'decision', 'result', 'state', 'took_ms', 'trace']);
	for (const who of [token, gateway.adminToken()]) assert.deepEqual(await outcome(id, who), ended);
	assert.doesNotMatch(JSON.stringify(ended), /a word of mine|what nobody else reads/);
});

test('a call that failed, and one that was denied', async () => {
	const broken = await asked('breaks');
	await answer(broken.decision.id, 'approve');
	await broken.begun.answer;
	await until(async () => (await outcome(broken.decision.id, judge)).state === 'failed', 'the failure is told');
	const denied = await asked('breaks');
	await answer(denied.decision.id, 'deny');
	await denied.begun.answer;
	assert.deepEqual(await outcome(denied.decision.id, denied.token), { decision: denied.decision.id, state: 'nothing' });
});

test('for everybody else, and without a token, there is no such decision', async () => {
	const { begun, decision: { id } } = await asked('breaks');
	assert.equal((await outcome(id, stranger, 404)).code, 'not_found');
	assert.equal((await outcome('d-00000000', judge, 404)).code, 'not_found');
	assert.equal((await gateway.request('GET', `/admin/decisions/${id}/outcome`)).status, 401);
	await answer(id, 'deny');
	await begun.answer;
});

test('a token that is good for other rooms alone hears nothing of this one', async (t) => {
	const topic = freshTopic();
	const server = new Outsider('roomy', { plain: true, tools }, {}, { rooms: [topic], authorization: { mode: 'always_prompt' } });
	const own = await MgpHouse.forTest(t, { servers: [server] });
	await own.is('roomy', 'connected');
	const ann = await joinAs(own.gateway, topic, 'ann', { privilege: 'full' });
	if (!ann.welcome.payload.participants.some(({ id }) => id === 'roomy'))
		await ann.next(isPresence('join', 'roomy'));
	ask(ann, 'roomy', 'tools/call', { name: 'breaks', arguments: {} }, 1);
	const { id } = await own.pending(({ requester }) => requester === 'ann');
	const hears = async (topic) => (await own.gateway.request('GET', `/admin/decisions/${id}/outcome`,
		{ token: await own.gateway.token({ id: 'ann', topic }) })).status;
	assert.deepEqual([await hears(topic), await hears(freshTopic())], [200, 404]);
});

test('behind a restart a call runs no more, and an approval that nobody has used waits', async (t) => {
	const server = new Outsider('judged', { plain: true, tools }, {}, { share: 'principal', authorization: { mode: 'always_prompt' } });
	const own = await MgpHouse.forTest(t, { servers: [server] });
	await own.is('judged', 'connected');
	const [cut, unused] = await Promise.all([own.plain('ann', 'judged'), own.plain('bob', 'judged')]);
	for (const client of [cut, unused])
		client.begin('tools/call', { name: 'waits', arguments: {} }).answer.catch(() => {});
	const of = (id) => own.pending(({ requester }) => requester === id);
	const [ran, waits] = [await of('ann'), await of('bob')];
	await own.decide(ran.id, 'approve');
	await until(() => server.calls('waits').length > 0, 'the tool runs');
	await own.gateway.restart({ hard: true });
	await own.is('judged', 'connected');
	await own.gateway.ask('POST', `/admin/decisions/${waits.id}`, 200, { token: own.gateway.adminToken(), body: { decision: 'approve', validUntil: new Date(Date.now() + 3_600_000).toISOString() } });
	const state = async ({ id }) => (await own.rest('GET', `/admin/decisions/${id}/outcome`)).state;
	assert.deepEqual([await state(ran), await state(waits)], ['unknown', 'waiting']);
});
