// SPDX-License-Identifier: Apache-2.0
// ADR-001, selective: rules about what a call says; and servers whose rules came while the gateway ran.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, isAnswer } from './lib/attached.mjs';
import { command } from './lib/gateway.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { MgpHouse, Outsider, FREE } from './lib/mgp_house.mjs';
import { until, within } from './lib/wait.mjs';

const tools = [{ name: 'dangerous_operation', annotations: { readOnlyHint: true } }];
const rules = [
	{ tool: 'dangerous_operation', argument: 'target', value: 'production', action: 'ask' },
	{ argument: 'where.zone', value: 'north*', action: 'deny' },
	{ argument: 'amount', value: '100', action: 'deny' },
	{ argument: 'force', action: 'deny' },
	{ action: 'allow' },
];

const outsider = (id, authorization) => new Outsider(id, { plain: true, tools }, {}, authorization === undefined ? {} : { authorization });

const kindOf = ({ result }) => (result.isError === true ? result.structuredContent.error : 'done');

test('rules: what a call says decides whether it is asked about, denied or allowed', async (t) => {
	const server = outsider('deploy', { mode: 'selective', rules });
	const house = await MgpHouse.forTest(t, { kernel: FREE, servers: [server] });
	await house.allConnected();
	const client = await house.plain('ann', 'deploy');
	const call = (given) => client.request('tools/call', { name: 'dangerous_operation', arguments: given });
	assert.equal(kindOf(await call({ target: 'staging' })), 'done');
	for (const denied of [{ where: { zone: 'north-1' } }, { where: [{ zone: 'south' }, { zone: 'north' }] }, { amount: 100 }, { amount: 1e2 }, { force: false }])
		assert.equal(kindOf(await call(denied)), 'authorization_denied', JSON.stringify(denied));
	assert.equal(kindOf(await call({ where: { zone: 'south' }, amount: 99 })), 'done');
	const held = call({ target: ['staging', 'production'] });
	const decision = await house.pending(({ tool }) => tool === 'dangerous_operation');
	await house.decide(decision.id, 'approve');
	assert.equal(kindOf(await held), 'done');
	assert.equal(server.calls('dangerous_operation').length, 3);
});

test('rules: of a server that is added while the gateway runs, shown, and there again after a restart', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: FREE });
	const { plan } = outsider('deploy');
	const settings = JSON.parse(JSON.stringify({ id: 'deploy', command: process.execPath,
		args: [new URL('./lib/mgp_server.mjs', import.meta.url).pathname, JSON.stringify(plan)],
		authorization: { mode: 'selective', rules, timeout: 60, deciders: ['boss'] } }));
	for (const [bad, words] of [[{ mode: 'sometimes' }, /authorization\.mode/], [{ mode: 'always_allow', rules }, /selective/],
		[{ mode: 'selective', rules: [{ value: 'x' }] }, /argument/], [{ mode: 'selective', rules: [{ odd: 1 }] }, /rules/],
		[{ timeout: 0 }, /timeout/], [{ other: 1 }, /authorization\.other/], ['always_allow', /object/]]) {
		const answer = await house.rest('POST', '/admin/servers', { body: { ...settings, authorization: bad }, status: 400 });
		assert.match(JSON.stringify(answer), words);
	}
	await house.rest('POST', '/admin/servers', { body: settings, status: 201 });
	for (let round = 0; round < 2; round += 1) {
		const { authorization } = await house.is('deploy', 'connected');
		assert.deepEqual(authorization, settings.authorization);
		const client = await house.plain('ann', 'deploy');
		const call = (given) => client.request('tools/call', { name: 'dangerous_operation', arguments: given });
		assert.equal(kindOf(await call({ force: true })), 'authorization_denied');
		assert.equal(kindOf(await call({})), 'done');
		if (round === 0)
			await house.gateway.restart();
	}
	const added = await command(['server', 'add', 'strict', '--data', house.gateway.data, '--authorization', 'delegated', '--delegate', 'boss', '--',
		process.execPath, ...settings.args], { home: house.gateway.home });
	assert.equal(added.code, 0, added.stderr);
	assert.deepEqual((await house.is('strict', 'connected')).authorization, { mode: 'delegated', delegate: 'boss' });
	const agent = await house.client('bot', '/mcp');
	const refused = await agent.request('mgp/discovery/register', { id: 'own', command: 'true', authorization: { mode: 'always_allow' } });
	assert.equal(refused.error.code, -32602, 'an agent does not say who may call its server');
});

test('the end: a call that waits for a decision hears of it, and the decision stays', async (t) => {
	const server = outsider('deploy', { mode: 'always_prompt' });
	const house = await MgpHouse.forTest(t, { kernel: FREE, servers: [server] });
	await house.allConnected();
	const client = await house.plain('ann', 'deploy');
	const held = client.request('tools/call', { name: 'dangerous_operation', arguments: { target: 'x' } });
	const decision = await house.pending(({ tool }) => tool === 'dangerous_operation');
	house.gateway.signal('SIGTERM');
	const answer = await within(held, 'the answer of a gateway that ends');
	assert.equal(kindOf(answer), 'server_not_ready');
	assert.match(answer.result.content[0].text, /the gateway ends/);
	assert.deepEqual(await within(house.gateway.exit, 'the exit'), { code: 0, signal: null });
	await house.gateway.launch();
	await house.allConnected();
	const after = await house.rest('GET', `/admin/decisions/${decision.id}`);
	assert.deepEqual([after.state, after.expiresAt], ['pending', decision.expiresAt]);
	await house.decide(decision.id, 'approve');
	const again = await house.plain('ann', 'deploy');
	const done = await again.request('tools/call', { name: 'dangerous_operation', arguments: { target: 'x' } });
	assert.equal(kindOf(done), 'done');
	await until(() => server.calls('dangerous_operation').length === 1, 'the approved call ran, once');
});

test('the end, in a room: who waits there hears of it before its connection is closed', async (t) => {
	const topic = freshTopic();
	const server = new Outsider('deploy', { plain: true, tools }, {}, { rooms: [topic], authorization: { mode: 'always_prompt' } });
	const house = await MgpHouse.forTest(t, { kernel: FREE, servers: [server] });
	await house.allConnected();
	const ann = await joinAs(house.gateway, topic, 'ann', { privilege: 'full' });
	if (!ann.welcome.payload.participants.some(({ id }) => id === 'deploy'))
		await ann.next(isPresence('join', 'deploy'));
	const id = ask(ann, 'deploy', 'tools/call', { name: 'dangerous_operation', arguments: { target: 'x' } }, 1);
	const decision = await house.pending(({ tool }) => tool === 'dangerous_operation');
	house.gateway.signal('SIGTERM');
	assert.equal(kindOf((await ann.next(isAnswer(id))).payload), 'server_not_ready');
	assert.deepEqual(await within(house.gateway.exit, 'the exit'), { code: 0, signal: null });
	await house.gateway.launch();
	assert.equal((await house.rest('GET', `/admin/decisions/${decision.id}`)).state, 'pending');
});
