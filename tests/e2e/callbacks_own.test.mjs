// SPDX-License-Identifier: Apache-2.0
// Callbacks of MGP 13.4 when things cross: two answers at once, an answer at the deadline, a server or a client that goes
// while somebody is asked. Whatever happens, the server hears one answer at most, and a call is answered once. And
// servers of the modern era, whose questions come and go in other ways.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const REQUEST = 'notifications/mgp.callback.request';
const RESPOND = 'mgp/callback/respond';
const extensions = ['security', 'bidirectional'];
const annotations = { readOnlyHint: true };
const ask = { type: 'confirmation', message: 'Continue?', options: ['confirm', 'cancel'] };
const tools = [
	{ name: 'ask', annotations, does: [{ script: [{ callback: ask }] }] },
	{ name: 'hurry', annotations, does: [{ script: [{ callback: { ...ask, timeout_ms: 1000 } }] }] },
];
const server = (id) => new Outsider(id, { extensions, tools });
const servers = Object.fromEntries(['both', 'edge', 'dies', 'goes', 'old', 'form'].map((id) => [id, server(id)]));
servers.fresh = new Outsider('fresh', { eras: ['modern'], extensions, tools });
const requestedSchema = { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'blue'] } }, required: ['colour'] };
servers.wants = new Outsider('wants', { eras: ['modern'], plain: true, tools: [{ name: 'ask', annotations, does: [
	{ result: { resultType: 'input_required', requestState: 'their own',
		inputRequests: { q: { method: 'elicitation/create', params: { message: 'Which?', requestedSchema } } } } },
	{ text: 'thanks' }] }] });
const house = await MgpHouse.forFile({ servers: Object.values(servers) });
await house.allConnected();

const asked = (begun) => until(() => begun.messages.find(({ method }) => method === REQUEST), 'it is asked');
const heardBy = (id) => servers[id].of(RESPOND).map(({ message }) => message.params);

for (const era of ['legacy', 'modern']) {
	test(`two answers at once: one counts (${era})`, async () => {
		const client = await house.client('ann', 'both', { era });
		const before = heardBy('both').length;
		const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
		const { params } = await asked(begun);
		const answers = await Promise.all(['confirm', 'cancel', 'confirm', 'cancel'].map((response) =>
			client.request(RESPOND, { callback_id: params.callback_id, response })));
		assert.equal(answers.filter(({ result }) => result?.accepted === true).length, 1);
		for (const { error } of answers.filter((one) => one.error !== undefined)) {
			assert.equal(error.code, 4000);
			assert.equal(error.data.type, 'callback_answered');
		}
		assert.ok((await begun.answer).result);
		assert.equal(heardBy('both').length, before + 1);
	});
}

test('answers around the deadline: the server hears one thing, and the client hears which', async () => {
	const client = await house.client('ann', 'edge');
	const rounds = [900, 960, 1000, 1040, 1100];
	// Which side of the deadline each falls on is left open: both are sound.
	await Promise.all(rounds.map(async (wait) => {
		const begun = client.begin('tools/call', { name: 'hurry', arguments: {} });
		const { params } = await asked(begun);
		await new Promise((done) => setTimeout(done, wait));
		const { result, error } = await client.request(RESPOND, { callback_id: params.callback_id, response: 'confirm' });
		const text = (await begun.answer).result.content[0].text;
		if (result?.accepted)
			assert.match(text, /confirm/);
		else {
			assert.equal(error.data.type, 'callback_expired');
			assert.match(text, /timeout/);
		}
	}));
	assert.equal(heardBy('edge').length, rounds.length);
});

test('a server that dies while somebody is asked: the call is answered, the callback is over', async () => {
	const client = await house.client('ann', 'dies');
	const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
	const { params } = await asked(begun);
	process.kill((await house.server('dies')).pid, 'SIGKILL');
	assert.ok((await begun.answer).error);
	const { error } = await client.request(RESPOND, { callback_id: params.callback_id, response: 'confirm' });
	assert.equal(error.data.type, 'callback_expired');
	await house.is('dies', 'connected');
});

test('a modern client that goes while it is asked: the server hears that it is over, once', async () => {
	const client = await house.client('ann', 'goes', { era: 'modern' });
	const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
	begun.answer.catch(() => {});
	const { params } = await asked(begun);
	begun.abort();
	await until(() => heardBy('goes').length > 0, 'the server hears of it');
	assert.deepEqual(heardBy('goes').map(({ callback_id, ...rest }) => rest), [{ response: null, reason: 'ended' }]);
	const { error } = await client.request(RESPOND, { callback_id: params.callback_id, response: 'confirm' });
	assert.equal(error.data.type, 'callback_expired');
});

test('a plain client that can do nothing: the decision goes with its call', async () => {
	const client = await house.plain('ann', 'old', { era: 'modern' });
	const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
	begun.answer.catch(() => {});
	const decision = await house.pending((one) => one.kind === 'callback' && one.server === 'old');
	begun.abort();
	await until(async () => (await house.rest('GET', `/admin/decisions/${decision.id}`)).state === 'withdrawn', 'it is withdrawn');
	await until(() => heardBy('old').length === 1, 'the server hears that it is over');
});

test('a yes and a no of people at once: the server hears the one that stands', async () => {
	const client = await house.plain('ann', 'form');
	const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
	const decision = await house.pending((one) => one.kind === 'callback' && one.server === 'form');
	const [yes, no] = await Promise.all(['approve', 'deny'].map((word) =>
		house.gateway.request('POST', `/admin/decisions/${decision.id}`, { body: { decision: word }, token: house.gateway.adminToken() })));
	// A no takes a yes back that was not used yet; one that was used is answered.
	assert.ok([yes, no].some(({ status }) => status === 200));
	for (const { status } of [yes, no])
		assert.ok(status === 200 || status === 409, `${status}`);
	const said = no.status === 200 ? 'cancel' : 'confirm';
	assert.match((await begun.answer).result.content[0].text, new RegExp(said));
	assert.deepEqual(heardBy('form').map(({ response }) => response), [said]);
});

test('a modern MGP server: a plain modern client fills in a form, and its call goes on', async () => {
	const client = await house.plain('ann', 'fresh', { era: 'modern', capabilities: { elicitation: { form: {} } } });
	const first = (await client.request('tools/call', { name: 'ask', arguments: {} })).result;
	assert.equal(first.resultType, 'input_required');
	const [[key, { method, params }]] = Object.entries(first.inputRequests);
	assert.equal(method, 'elicitation/create');
	assert.deepEqual(params.requestedSchema.properties.response.enum, ['confirm', 'cancel']);
	const { result } = await client.request('tools/call', { name: 'ask', arguments: {}, requestState: first.requestState,
		inputResponses: { [key]: { action: 'accept', content: { response: 'confirm' } } } });
	assert.match(result.content[0].text, /confirm/);
	assert.equal(servers.fresh.calls('ask').length, 1);
});

test('a modern plain server: an MGP client without forms is asked by a callback', async () => {
	const client = await house.client('ann', 'wants', { era: 'modern' });
	const begun = client.begin('tools/call', { name: 'ask', arguments: {} });
	const { params } = await asked(begun);
	assert.deepEqual([params.type, params.options, params.request_id], ['selection', ['red', 'blue'], begun.id]);
	assert.equal((await client.request(RESPOND, { callback_id: params.callback_id, response: 'blue' })).result.accepted, true);
	assert.equal((await begun.answer).result.content[0].text, 'thanks');
	const { message } = servers.wants.of('tools/call').at(-1);
	assert.deepEqual([message.params.requestState, message.params.inputResponses], ['their own', { q: { action: 'accept', content: { colour: 'blue' } } }]);
});
