// SPDX-License-Identifier: Apache-2.0
// MGP 5 and 8.2.3: who may use which tool of which server, who says so, and what the others get to see.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool } from './lib/attached.mjs';
import { freshTopic, isPresence, joinAs } from './lib/house.mjs';
import { ISO_TIME } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';
import { past, until } from './lib/wait.mjs';

const CLOSED = { ...FREE, default_policy: 'opt-in' };
const safe = (name) => ({ name, annotations: { readOnlyHint: true } });
const extensions = ['security'];
const mind = new Outsider('mind.cerebras', { extensions, tools: ['think', 'analyze'].map(safe) });
const other = new Outsider('other', { plain: true, tools: ['think', 'secret_plan'].map(safe) });
const open = new Outsider('open', { extensions, tools: ['think', 'analyze'].map(safe) }, { default_policy: 'opt-out' });

const house = await MgpHouse.forFile({ kernel: CLOSED, audit: true, servers: [mind, other, open] });
await house.allConnected();
const admin = await house.admin('/mcp');

const query = (client, agent_id, server_id, tool_name) => client.ask('mgp/access/query', { agent_id, server_id, tool_name });
const grant = (agent_id, server_id, more = {}) => admin.ask('mgp/access/grant', { entry_type: 'server_grant', agent_id, server_id,
	tool_name: null, permission: 'allow', granted_by: 'admin', justification: 'a test', expires_at: null, ...more });
const revoke = (agent_id, server_id, more = {}) => admin.ask('mgp/access/revoke', { agent_id, server_id, entry_type: 'server_grant', ...more });
const grantTool = (agent, server, tool, more = {}) => grant(agent, server, { entry_type: 'tool_grant', tool_name: tool, ...more });
const namesAt = async (client) => [...(await client.tools()).keys()].filter((one) => !/^mgp[._]/.test(one)).sort();

test('5.4 the grant of the text lets an agent in, its query answers as the text says, its revoke ends it', async () => {
	const agent = await house.client('agent.cloto_default', '/mcp');
	const asked = { agent_id: 'agent.cloto_default', server_id: 'mind.cerebras', tool_name: 'think' };
	const before = await agent.ask('mgp/access/query', asked);
	assert.deepEqual([before.permission, before.source], ['deny', 'default_policy']);
	await admin.ask('mgp/access/grant', { entry_type: 'server_grant', agent_id: 'agent.cloto_default', server_id: 'mind.cerebras',
		tool_name: null, permission: 'allow', granted_by: 'admin', justification: 'Required for agent reasoning', expires_at: null });
	for (const client of [agent, admin]) {
		const { permission, source, granted_by, granted_at, expires_at } = await client.ask('mgp/access/query', asked);
		assert.deepEqual({ permission, source, expires_at }, { permission: 'allow', source: 'server_grant', expires_at: null });
		assert.equal(typeof granted_by, 'string');
		assert.match(granted_at, ISO_TIME);
	}
	const own = await house.client('agent.cloto_default', 'mind.cerebras');
	assert.ok(await own.text('think'));
	await admin.ask('mgp/access/revoke', { agent_id: 'agent.cloto_default', server_id: 'mind.cerebras', entry_type: 'server_grant' });
	assert.equal((await own.refused('think')).code, 1001);
	assert.deepEqual((await agent.ask('mgp/access/query', asked)).permission, 'deny');
});

for (const era of ['legacy', 'modern']) {
	test(`5.5 opt-in denies who has no grant, and shows nothing of what is denied (${era})`, async () => {
		const agent = await house.client(`nobody-${era}`, '/mcp', { era });
		assert.deepEqual(await namesAt(agent), ['open__analyze', 'open__think']);
		for (const name of ['other__think', 'other__no_such_tool', 'no_such_server__think']) {
			const error = await agent.refused(name);
			assert.equal(error.code, 1001, name);
			assert.equal(recoveryOf(error).category, 'security');
		}
		const words = async (name) => JSON.stringify(await agent.refused(name)).replaceAll(name, 'NAME').replaceAll(name.replace('__', '.'), 'NAME')
			.replaceAll(name.split('__')[1], 'TOOL').replaceAll(name.split('__')[0], 'SERVER');
		assert.equal(await words('other__secret_plan'), await words('other__public_plan'), 'a tool that is there and one that is not');
		assert.equal(await words('other__secret_plan'), await words('third__secret_plan'), 'a server that is there and one that is not');
		const { servers } = await agent.ask('mgp/discovery/list', {});
		assert.deepEqual(servers.map((one) => one.id).filter((one) => one !== 'open'), []);
	});

	test(`5.5 plain clients without a grant learn as little (${era})`, async () => {
		const agent = await house.plain(`nothing-${era}`, '/mcp', { era });
		assert.deepEqual(await namesAt(agent), ['open__analyze', 'open__think']);
		const words = async (name) => {
			const answer = await agent.call(name);
			isPlain(answer);
			assert.equal(answer.error.code, -32602);
			return JSON.stringify(answer.error).replaceAll(name, 'NAME').replaceAll(name.split('__')[1], 'TOOL').replaceAll(name.split('__')[0], 'SERVER');
		};
		assert.equal(await words('other__secret_plan'), await words('other__public_plan'));
		assert.equal(await words('other__secret_plan'), await words('third__secret_plan'));
	});
}

test('5.5 the face of a server that is denied tells no more than that of one that is not there', async () => {
	const token = await house.token('stranger');
	const hello = (id) => house.gateway.request('POST', `/mcp/servers/${id}`, { token, headers: { accept: 'application/json, text/event-stream' },
		body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {},
			clientInfo: { name: 'x', version: '1' } } } });
	const [there, not] = [await hello('other'), await hello('third')];
	assert.equal(there.status, not.status);
	assert.equal(there.text.replaceAll('other', 'ID'), not.text.replaceAll('third', 'ID'));
});

test('5.5 opt-out allows who is not denied', async () => {
	const agent = await house.client('eve', '/mcp');
	assert.ok(await agent.text('open__think'));
	const { permission, source } = await query(agent, 'eve', 'open', 'think');
	assert.deepEqual([permission, source], ['allow', 'default_policy']);
	await grant('eve', 'open', { permission: 'deny' });
	assert.equal((await agent.refused('open__think')).code, 1001);
	assert.deepEqual(await namesAt(agent), []);
	assert.equal((await query(agent, 'eve', 'open', 'think')).source, 'server_grant');
	await revoke('eve', 'open');
	assert.ok(await agent.text('open__think'));
});

test('5.3 a tool_grant is for one tool, a server_grant for all of a server', async () => {
	const agent = await house.client('tom', 'mind.cerebras').catch(() => undefined);
	assert.equal(agent, undefined, 'nothing is granted yet');
	await grantTool('tom', 'mind.cerebras', 'think');
	const client = await house.client('tom', 'mind.cerebras');
	assert.deepEqual(await namesAt(client), ['think']);
	assert.ok(await client.text('think'));
	assert.equal((await client.refused('analyze')).code, 1001);
	const { permission, source } = await query(admin, 'tom', 'mind.cerebras', 'think');
	assert.deepEqual([permission, source], ['allow', 'tool_grant']);
	await grant('tom', 'mind.cerebras');
	assert.deepEqual(await namesAt(client), ['analyze', 'think']);
	assert.ok(await client.text('analyze'));
});

test('5.2 a grant of a tool comes before one of its server, and that before the default', async () => {
	const agent = await house.client('pat', '/mcp');
	const call = async (name) => (await agent.call(name)).error?.code ?? 'runs';
	await grant('pat', 'other');
	await grantTool('pat', 'other', 'secret_plan', { permission: 'deny' });
	assert.deepEqual([await call('other__think'), await call('other__secret_plan')], ['runs', 1001]);
	assert.deepEqual((await namesAt(agent)).filter((one) => one.startsWith('other')), ['other__think']);
	await grant('pat', 'other', { permission: 'deny' });
	await grantTool('pat', 'other', 'secret_plan');
	assert.deepEqual([await call('other__think'), await call('other__secret_plan')], [1001, 'runs']);
	await grant('pat', 'open', { permission: 'deny' });
	await grantTool('pat', 'open', 'analyze');
	assert.deepEqual([await call('open__think'), await call('open__analyze')], [1001, 'runs']);
	await revoke('pat', 'other', { entry_type: 'tool_grant', tool_name: 'secret_plan' });
	assert.deepEqual([await call('other__think'), await call('other__secret_plan')], [1001, 1001]);
	await revoke('pat', 'other');
	assert.equal((await query(admin, 'pat', 'other', 'think')).source, 'default_policy');
});

test('5.4 a grant ends when it expires', async () => {
	const agent = await house.client('brief', '/mcp');
	const end = Date.now() + 6000;
	await grant('brief', 'other', { expires_at: new Date(end).toISOString() });
	const answered = await query(agent, 'brief', 'other', 'think');
	if (Date.now() < end)
		assert.deepEqual([answered.permission, Date.parse(answered.expires_at)], ['allow', end]);
	await past(end);
	assert.equal((await agent.refused('other__think')).code, 1001);
	assert.equal((await query(agent, 'brief', 'other', 'think')).permission, 'deny');
	assert.deepEqual(await namesAt(agent), ['open__analyze', 'open__think']);
});

test('5.4 who granted is who asked, whatever the message says; the justification is kept', async () => {
	await grant('kept', 'other', { granted_by: 'the-king', justification: 'because of the test' });
	const { granted_by } = await query(admin, 'kept', 'other', 'think');
	assert.notEqual(granted_by, 'the-king');
	const list = JSON.stringify(await house.rest('GET', '/admin/grants?agent=kept'));
	assert.match(list, /because of the test/);
	assert.doesNotMatch(list, /the-king/);
	const event = await house.audited('ACCESS_GRANTED', (one) => /kept/.test(JSON.stringify(one)));
	assert.equal(event.actor.id, granted_by);
	assert.equal(event.target.server_id, 'other');
});

test('5.4 only an administrator grants and revokes, and an agent asks about itself alone', async () => {
	const agent = await house.client('mallory', '/mcp');
	const wish = { entry_type: 'server_grant', agent_id: 'mallory', server_id: 'other', tool_name: null, permission: 'allow', granted_by: 'admin' };
	const error = await agent.refusal('mgp/access/grant', wish);
	assert.equal(error.code, 1000);
	assert.equal(recoveryOf(error).retryable, false);
	assert.equal((await agent.refusal('mgp/access/revoke', { agent_id: 'tom', server_id: 'mind.cerebras', entry_type: 'server_grant' })).code, 1000);
	assert.equal((await agent.refusal('mgp/access/query', { agent_id: 'tom', server_id: 'mind.cerebras', tool_name: 'think' })).code, 1000);
	assert.equal((await query(agent, 'mallory', 'other', 'think')).permission, 'deny');
	const token = await house.token('mallory');
	await house.rest('GET', '/admin/grants', { token, status: 403 });
	await house.rest('POST', '/admin/grants', { token, status: 403, body: wish });
	assert.equal((await agent.refused('other__think')).code, 1001);
});

test('5.4 the methods are tools as well: for agents the query, for administrators all of them', async () => {
	const namesOf = async (client) => [...(await client.tools()).keys()].filter((one) => /^mgp_access/.test(one)).sort();
	const agent = await house.client('tool-user', '/mcp');
	assert.deepEqual(await namesOf(agent), ['mgp_access_query']);
	assert.deepEqual(await namesOf(admin), ['mgp_access_grant', 'mgp_access_query', 'mgp_access_revoke']);
	const asked = { agent_id: 'tool-user', server_id: 'open', tool_name: 'think' };
	for (const name of ['mgp_access_query', 'mgp.access.query']) {
		const { result } = await agent.call(name, asked);
		assert.match(JSON.stringify(result), /default_policy/);
	}
	const refused = await agent.call('mgp.access.grant', { entry_type: 'server_grant', agent_id: 'tool-user', server_id: 'other',
		tool_name: null, permission: 'allow' });
	assert.ok(refused.error?.code === 1000 || refused.error?.code === 1001, JSON.stringify(refused));
	assert.deepEqual(await namesOf(await house.plain('tool-user', '/mcp')), []);
	assert.deepEqual([...(await (await house.client('tool-user', 'open')).tools()).keys()].sort(), ['analyze', 'think']);
});

test('5.4 what is no sound grant is refused by name, and changes nothing', async () => {
	const sound = { entry_type: 'tool_grant', agent_id: 'ann', server_id: 'other', tool_name: 'think', permission: 'allow' };
	for (const [field, value] of [['entry_type', 'world_grant'], ['tool_name', null], ['permission', 'perhaps'], ['agent_id', ''],
		['server_id', 7], ['expires_at', 'tomorrow'], ['expires_at', '2020-01-01T00:00:00Z']]) {
		const { error } = await admin.request('mgp/access/grant', { ...sound, [field]: value });
		assert.ok(error !== undefined, `${field} ${value}`);
		assert.match(JSON.stringify(error), new RegExp(field), `${field} ${value}`);
	}
	assert.equal((await query(admin, 'ann', 'other', 'think')).permission, 'deny');
});

test('8.2.3 grants by command and REST are live at once, and are kept over a restart', async (t) => {
	const server = new Outsider('other', { tools: ['think', 'plan'].map(safe) });
	const house = await MgpHouse.forTest(t, { kernel: CLOSED, servers: [server] });
	await house.allConnected();
	const call = async (name) => (await (await house.client('ann', '/mcp')).call(name)).error?.code ?? 'runs';
	assert.equal(await call('other__think'), 1001);
	await house.run('access', 'grant', 'ann', 'other', '--justification', 'by hand');
	assert.equal(await call('other__think'), 'runs');
	assert.match(await house.run('access', 'query', 'ann', 'other', 'think'), /allow[^]*server_grant/);
	assert.match(await house.run('access', 'list'), /ann +[^\n]*other/);
	await house.rest('DELETE', '/admin/grants?entry_type=server_grant&agent_id=ann&server_id=other');
	assert.equal(await call('other__think'), 1001);
	await house.grant('ann', 'other', 'plan');
	await house.gateway.restart();
	await house.is('other', 'connected');
	assert.deepEqual([await call('other__plan'), await call('other__think')], ['runs', 1001]);
	await house.run('access', 'revoke', 'ann', 'other', 'plan');
	assert.equal(await call('other__plan'), 1001);
});

test('8.2.3 a server in a room may be used there without a grant, but not by who is denied', async (t) => {
	const topic = freshTopic();
	const server = new Outsider('seated', { extensions, tools: [safe('think'), { ...safe('shell'), security: { risk_level: 'moderate', validator: 'sandbox' } }] },
		{}, { rooms: [topic] });
	const house = await MgpHouse.forTest(t, { kernel: CLOSED, servers: [server] });
	await house.allConnected();
	await house.grant('denied', 'seated', null, { permission: 'deny' });
	const member = async (id) => {
		const client = await joinAs(house.gateway, topic, id);
		if (!client.welcome.payload.participants.some((one) => one.id === 'seated'))
			await client.next(isPresence('join', 'seated'));
		return client;
	};
	const [ann, denied] = [await member('ann'), await member('denied')];
	assert.equal((await callTool(ann, 'seated', 'think')).isError, undefined);
	const words = await callTool(ann, 'seated', 'shell', { command: 'a; b' });
	assert.equal(words.isError, true, 'validators hold here as well');
	await assert.rejects(callTool(denied, 'seated', 'think'), ({ code }) => code === -32602);
	assert.equal(server.calls('think').length, 1);
	assert.deepEqual(server.calls('shell'), []);
});

test('5.4 a session that is open hears that its list has changed', async () => {
	const agent = await (await house.client('listener', '/mcp')).open();
	await grant('listener', 'other');
	await agent.hears('notifications/tools/list_changed');
	assert.ok((await namesAt(agent)).includes('other__think'));
	await revoke('listener', 'other');
	await until(async () => !(await namesAt(agent)).includes('other__think'), 'it is gone from the list');
});

test('5.1 administrators, and the people at the gateway itself, need no grant', async () => {
	assert.ok(await admin.text('other__think'));
	assert.match(await house.run('call', '--server', 'other', 'think', '{}'), /think/);
});

test('6.4 a call without access is audited as TOOL_BLOCKED, a revoked grant as ACCESS_REVOKED', async () => {
	const agent = await house.client('blocked', '/mcp');
	await agent.refused('other__think');
	const event = await house.audited('TOOL_BLOCKED', ({ actor }) => actor.id === 'blocked');
	assert.deepEqual([event.target.server_id, event.target.tool_name], ['other', 'think']);
	await grant('blocked', 'other');
	await revoke('blocked', 'other');
	await house.audited('ACCESS_REVOKED', (one) => /blocked/.test(JSON.stringify(one)));
});
