// SPDX-License-Identifier: Apache-2.0
// MGP 3: what servers need is declared, decided under a policy, told to them, and holds from then on.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';
import { MGP_SERVER, MgpHttpServer } from './lib/mgp_server.mjs';
import { past, until } from './lib/wait.mjs';

const RISKS = {
	'filesystem.read': 'moderate', 'filesystem.write': 'dangerous', 'network.outbound': 'moderate', 'network.listen': 'dangerous',
	'shell.execute': 'dangerous', code_execution: 'dangerous', 'memory.read': 'safe', 'memory.write': 'moderate',
	'system.info': 'safe', camera: 'dangerous', notification: 'safe',
};
const ASK = { ...FREE, policy: 'interactive' };
const CUSTOM = 'com.example.custom_permission';
const extensions = ['security', 'lifecycle'];

/** A tool that does nothing but needs these permissions. */
function needs(name, ...permissions_required) {
	return { name, annotations: { readOnlyHint: true }, security: { risk_level: 'safe', permissions_required, validator: 'none' } };
}

const tools = [needs('run', 'shell.execute'), needs('read', 'filesystem.read'), needs('free')];
const permissions = ['shell.execute', 'filesystem.read'];
const asking = (id, plan = {}, mgp = {}) => new Outsider(id, { extensions, permissions, tools, ...plan }, mgp);

/** The open decision about a server's permissions. */
const permissionOf = (house, id) => house.pending((one) => one.kind === 'permission' && one.server === id);

async function approved(house, id, ...args) {
	const { id: decision } = await permissionOf(house, id);
	await house.run('approve', decision, ...args);
	return decision;
}

const every = new Outsider('every', { extensions, permissions: Object.keys(RISKS), tools: Object.keys(RISKS).map((one) => needs(one.replace('.', '_'), one)) });
const short = new Outsider('short', { extensions, permissions: ['shell', 'network', 'filesystem'], tools });
const custom = new Outsider('custom', { extensions, permissions: [CUSTOM], tools: [needs('own', CUSTOM)] });
const unknown = new Outsider('unknown', { extensions, permissions: ['memory.read', 'teleport'], tools });
const denied = asking('denied', {}, { policy: 'deny_all', permissions_granted: ['filesystem.read'] });
const allDenied = asking('all-denied', {}, { policy: 'deny_all' });
const configured = asking('configured', {}, { policy: 'config_only', permissions_granted: ['shell.execute'] });
const nothingNeeded = new Outsider('nothing-needed', { extensions, tools: [needs('free')] }, { policy: 'interactive' });
const plain = new Outsider('plain', { plain: true, tools: [{ name: 'free' }] }, { policy: 'interactive' });
const declared = new Outsider('declared', { plain: true, tools: [{ name: 'free' }] },
	{ policy: 'config_only', permissions_required: ['memory.read', 'camera'], permissions_granted: ['memory.read'] });

const house = await MgpHouse.forFile({ audit: true, servers: [every, short, custom, unknown, denied, allDenied, configured, nothingNeeded, plain, declared] });

test('3.2 the eleven permissions of the table are known, and a tool that needs one has at least its risk', async () => {
	await house.is('every', 'connected');
	assert.deepEqual(Object.keys(await house.permissions('every')).sort(), Object.keys(RISKS).sort());
	const found = await (await house.client('ann', 'every')).tools();
	for (const [permission, risk] of Object.entries(RISKS))
		assert.equal(found.get(permission.replace('.', '_')).security.risk_level, risk, permission);
});

test('3.2 the short names of the examples are those of the table', async () => {
	await house.is('short', 'connected');
	assert.deepEqual(Object.keys(await house.permissions('short')).sort(),
		['filesystem.read', 'filesystem.write', 'network.outbound', 'shell.execute']);
});

test('3.2 further permissions are written as reversed domains', async () => {
	await house.is('custom', 'connected');
	assert.deepEqual(await house.permissions('custom'), { [CUSTOM]: 'approved' });
	assert.ok(await (await house.client('ann', 'custom')).text('own'));
});

test('3.2 a permission of no known name refuses its server, and the reason names it', async () => {
	assert.match((await house.is('unknown', 'error')).reason, /teleport/);
	assert.deepEqual(unknown.of('tools/call'), []);
});

test('3.3 auto_approve grants everything that is asked for, and says so to the server and the audit', async () => {
	await house.is('every', 'connected');
	assert.deepEqual(new Set(Object.values(await house.permissions('every'))), new Set(['approved']));
	const { params } = await every.hears('mgp/permission/response');
	assert.deepEqual(params.grants, Object.fromEntries(Object.keys(RISKS).map((one) => [one, 'approved'])));
	await house.audited('PERMISSION_GRANTED', ({ target }) => target.server_id === 'every');
});

test('3.3 deny_all denies what the configuration does not grant', async () => {
	await house.is('denied', 'connected');
	assert.deepEqual(await house.permissions('denied'), { 'shell.execute': 'denied', 'filesystem.read': 'approved' });
	const client = await house.client('ann', 'denied');
	assert.ok(await client.text('read'));
	assert.equal((await client.refused('run')).code, 4002);
	await house.audited('PERMISSION_DENIED', ({ target }) => target.server_id === 'denied');
});

test('3.3 config_only grants what the configuration names', async () => {
	await house.is('configured', 'connected');
	assert.deepEqual(await house.permissions('configured'), { 'shell.execute': 'approved', 'filesystem.read': 'denied' });
	const client = await house.client('ann', 'configured');
	assert.ok(await client.text('run'));
	assert.equal((await client.refused('read')).code, 4002);
});

test('3.3 a server that is denied everything is in error, and no process of it is kept', async () => {
	const server = await house.is('all-denied', 'error');
	assert.match(server.reason, /permissions_denied/);
	assert.ok(!server.pid);
	assert.deepEqual(allDenied.of('notifications/initialized'), []);
});

test('3.3 what needs no permission is not asked about', async () => {
	await house.is('nothing-needed', 'connected');
	await house.is('plain', 'connected');
	for (const server of [nothingNeeded, plain])
		assert.deepEqual(server.methods().filter((one) => /permission/.test(one)), []);
	assert.deepEqual((await house.decisions('')).filter(({ server }) => ['plain', 'nothing-needed'].includes(server)), []);
});

test("3.3 what the configuration declares for a plain server is decided as a server's own words are", async () => {
	await house.is('declared', 'connected');
	assert.deepEqual(await house.permissions('declared'), { 'memory.read': 'approved', camera: 'denied' });
	assert.deepEqual(declared.methods().filter((one) => /mgp/.test(one)), []);
});

test('3.6 a tool whose permission was denied is disabled, for plain clients in words, and the others go on', async () => {
	await house.is('denied', 'connected');
	const error = await (await house.client('ann', 'denied')).refused('run');
	assert.equal(error.code, 4002);
	assert.equal(recoveryOf(error).retryable, false);
	assert.match(JSON.stringify(error), /shell\.execute/);
	for (const era of ['legacy', 'modern']) {
		const client = await house.plain('ann', 'denied', { era });
		const answer = await client.call('run');
		isPlain(answer);
		assert.equal(answer.result.isError, true);
		assert.match(answer.result.content[0].text, /shell\.execute/);
		assert.ok(await client.text('read'));
	}
	assert.deepEqual(denied.calls('run'), []);
});

test('3.5 while a person decides, the server is connecting and has mgp/permission/request', async (t) => {
	const server = asking('cautious');
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server] });
	const decision = await permissionOf(house, 'cautious');
	assert.deepEqual([...decision.permissions].sort(), [...permissions].sort());
	assert.ok(Date.parse(decision.expiresAt) > Date.now() || decision.expiresAt > Date.now());
	const asked = await server.hears('mgp/permission/request');
	assert.ok(asked.id !== undefined);
	assert.equal(typeof asked.params.request_id, 'string');
	assert.deepEqual([...asked.params.permissions].sort(), [...permissions].sort());
	assert.equal(asked.params.policy, 'interactive');
	assert.equal(typeof asked.params.message, 'string');
	assert.equal((await house.server('cautious')).state, 'connecting');
	for (const state of Object.values(await house.permissions('cautious')))
		assert.ok(['pending', 'deferred'].includes(state), state);
	assert.deepEqual(server.of('notifications/initialized'), [], 'that comes after the decision');
	const pending = await house.run('pending');
	assert.match(pending, new RegExp(decision.id));
	assert.match(pending, /cautious/);

	const end = new Date(Date.now() + 30 * 24 * 3600_000).toISOString();
	await house.run('approve', decision.id, '--valid-until', end);
	await house.is('cautious', 'connected');
	const { params } = await server.hears('mgp/permission/response');
	assert.equal(params.request_id, asked.params.request_id);
	assert.deepEqual(params.grants, { 'shell.execute': 'approved', 'filesystem.read': 'approved' });
	assert.equal(typeof params.approved_by, 'string');
	assert.equal(Math.floor(Date.parse(params.expires_at) / 1000), Math.floor(Date.parse(end) / 1000));
	const methods = server.methods();
	assert.ok(methods.indexOf('mgp/permission/response') < methods.indexOf('notifications/initialized'), methods.join());
	assert.ok(await (await house.client('ann', 'cautious')).text('run'));

	await house.gateway.restart();
	await house.is('cautious', 'connected');
	assert.deepEqual(await house.decisions(), [], 'what was decided is not asked again');
	assert.equal(server.of('mgp/permission/request').length, 1);
});

for (const kind of ['modern', 'remote']) {
	test(`3.5 a ${kind} server waits for its decision as well, and hears of it`, async (t) => {
		const plan = { id: kind, extensions, permissions, tools, ...(kind === 'modern' ? { eras: ['modern'] } : {}) };
		const remote = kind === 'remote' ? await MgpHttpServer.start(plan) : undefined;
		t.after(() => remote?.stop());
		const server = new Outsider(kind, plan, {}, remote === undefined ? {} : { url: remote.url });
		const heard = (method) => (remote ?? server).received.find(({ message }) => message.method === method)?.message.params;
		const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server] });
		const { id } = await permissionOf(house, kind);
		assert.equal((await house.server(kind)).state, 'connecting');
		const request = await until(() => heard('mgp/permission/request'), 'it is asked to wait');
		await house.run('approve', id, '--only', 'filesystem.read');
		await house.is(kind, 'connected');
		const { request_id, grants } = await until(() => heard('mgp/permission/response'), 'it hears the decision');
		assert.equal(request_id, request.request_id);
		assert.deepEqual(grants, { 'shell.execute': 'denied', 'filesystem.read': 'approved' });
		const client = await house.client('ann', kind);
		assert.ok(await client.text('read'));
		assert.equal((await client.refused('run')).code, 4002);
	});
}

test('3.6 of several permissions one may be approved alone, and the server goes on with less', async (t) => {
	const server = asking('half');
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server], audit: true });
	await approved(house, 'half', '--only', 'filesystem.read');
	await house.is('half', 'connected');
	const { params } = await server.hears('mgp/permission/response');
	assert.deepEqual(params.grants, { 'shell.execute': 'denied', 'filesystem.read': 'approved' });
	const client = await house.client('ann', 'half');
	assert.ok(await client.text('read'));
	assert.equal((await client.refused('run')).code, 4002);
	await house.audited('PERMISSION_GRANTED', (event) => event.target.server_id === 'half' && /filesystem\.read/.test(JSON.stringify(event)));
	await house.audited('PERMISSION_DENIED', (event) => event.target.server_id === 'half' && /shell\.execute/.test(JSON.stringify(event)));
});

test('3.6 what is denied by a person leaves a server in error, the others as they are', async (t) => {
	const [server, other] = [asking('refused'), new Outsider('other', { tools })];
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server, other] });
	const { id } = await permissionOf(house, 'refused');
	await house.run('deny', id, '--reason', 'not here');
	assert.match((await house.is('refused', 'error')).reason, /permissions_denied/);
	const { params } = await server.hears('mgp/permission/response');
	assert.deepEqual(params.grants, { 'shell.execute': 'denied', 'filesystem.read': 'denied' });
	await house.is('other', 'connected');
	assert.ok(await (await house.client('ann', 'other')).text('free'));
});

test('3.6 what was denied is asked again when an operator starts the server anew', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [asking('reprieved')] });
	const { id } = await permissionOf(house, 'reprieved');
	await house.run('deny', id);
	await house.is('reprieved', 'error');
	await house.run('server', 'restart', 'reprieved');
	assert.notEqual(await approved(house, 'reprieved'), id);
	await house.is('reprieved', 'connected');
	assert.ok(await (await house.client('ann', 'reprieved')).text('run'));
});

test('3.4 a decision that nobody takes in time is a no', async (t) => {
	const server = asking('forgotten');
	const house = await MgpHouse.forTest(t, { kernel: { ...ASK, decision_ttl: '1s' }, servers: [server] });
	await house.is('forgotten', 'error');
	assert.deepEqual(server.of('notifications/initialized'), []);
	const [decision] = (await house.decisions('?state=expired')).filter((one) => one.server === 'forgotten');
	assert.equal(decision.kind, 'permission');
	await house.rest('POST', `/admin/decisions/${decision.id}`, { body: { decision: 'approve' }, status: 409 });
	assert.equal((await house.server('forgotten')).state, 'error');
});

test('3.6 grants that a server claims in its answers are ignored and audited', async (t) => {
	const server = asking('claimant', { grants: { 'shell.execute': 'approved', 'filesystem.read': 'approved' } });
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server, new Outsider('free', { tools })], audit: true });
	const { id } = await permissionOf(house, 'claimant');
	await server.hears('mgp/permission/request');
	await house.audited('dev.hustings.grants_ignored', ({ target }) => target.server_id === 'claimant');
	assert.equal((await house.server('claimant')).state, 'connecting');
	await house.run('approve', id, '--only', 'filesystem.read');
	await house.is('claimant', 'connected');
	assert.deepEqual(await house.permissions('claimant'), { 'shell.execute': 'denied', 'filesystem.read': 'approved' });
	assert.equal((await (await house.client('ann', 'claimant')).refused('run')).code, 4002);
});

test('3.6 a permission is good until it expires', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [asking('brief')] });
	const { id } = await permissionOf(house, 'brief');
	const end = Date.now() + 10_000;
	await house.run('approve', id, '--valid-until', new Date(end).toISOString());
	await past(end);
	const client = await house.client('ann', 'brief').catch(() => undefined);
	if (client !== undefined)
		await until(async () => (await client.call('run')).error?.code === 4002 || (await house.server('brief')).state !== 'connected',
			'the tool needs a permission that has ended');
	for (const state of Object.values(await house.permissions('brief')))
		assert.notEqual(state, 'approved');
});

test('6.4 a permission that is revoked while the server runs disables at once the tools that need it', async (t) => {
	const server = asking('revoked', { tools: [...tools, needs('both', 'shell.execute', 'filesystem.read')] });
	const house = await MgpHouse.forTest(t, { kernel: { ...FREE, policy: 'auto_approve' }, servers: [server], audit: true });
	await house.is('revoked', 'connected');
	const client = await house.client('ann', 'revoked');
	assert.ok(await client.text('run'));
	await house.run('server', 'revoke', 'revoked', 'shell.execute');
	assert.equal((await client.refused('run')).code, 4002);
	assert.equal((await client.refused('both')).code, 4002);
	assert.ok(await client.text('read'));
	const event = await house.audited('PERMISSION_REVOKED', ({ target }) => target.server_id === 'revoked');
	assert.match(JSON.stringify(event), /shell\.execute/);
	await house.rest('DELETE', '/admin/servers/revoked/permissions/filesystem.read');
	assert.equal((await client.refused('read')).code, 4002);
	assert.deepEqual(Object.values(await house.permissions('revoked')).filter((one) => one === 'approved'), []);
	await house.rest('DELETE', '/admin/servers/revoked/permissions/camera', { status: 404 });
});

test('3.6 a sandbox loses what is revoked: the server is started anew without it', async (t) => {
	const server = new Outsider('boxed', { extensions, permissions: ['network.outbound', 'memory.read'], tools: [needs('dial', 'network.outbound'), needs('free')] },
		{ trust_level: 'sandboxed' }, { cwd: dirname(MGP_SERVER) });
	const house = await MgpHouse.forTest(t, { servers: [server] });
	if (!/bubblewrap[^\n]*works/.test((await house.gateway.command(['doctor'])).stdout))
		return t.skip('no sandbox can be had here');
	const { pid } = await house.is('boxed', 'connected');
	await house.run('server', 'revoke', 'boxed', 'network.outbound');
	await until(async () => (await house.is('boxed', 'connected')).pid !== pid, 'another process of it');
	const client = await house.client('ann', 'boxed');
	assert.equal((await client.refused('dial')).code, 4002);
	assert.ok(await client.text('free'));
	return undefined;
});

test('3.1 only an administrator decides about permissions', async (t) => {
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [asking('mine')] });
	const { id } = await permissionOf(house, 'mine');
	const token = await house.token('ann');
	await house.rest('POST', `/admin/decisions/${id}`, { body: { decision: 'approve' }, token, status: 403 });
	await house.rest('DELETE', '/admin/servers/mine/permissions/shell.execute', { token, status: 403 });
	assert.equal((await house.server('mine')).state, 'connecting');
	assert.ok((await house.decisions()).some((one) => one.id === id));
});

test('3.6 what is granted holds for what was asked: a server that wants more after a restart is decided about anew', async (t) => {
	const server = asking('greedy', { permissions: ['memory.read'] });
	const house = await MgpHouse.forTest(t, { kernel: ASK, servers: [server] });
	await approved(house, 'greedy');
	await house.is('greedy', 'connected');
	const before = server.config;
	server.plan.permissions = ['memory.read', 'shell.execute'];
	const old = readFileSync(house.gateway.configFile, 'utf8');
	writeFileSync(house.gateway.configFile, old.replace(before, () => server.config));
	await house.gateway.restart();
	const decision = await permissionOf(house, 'greedy');
	assert.deepEqual(decision.permissions, ['shell.execute'], 'the other one is granted');
	assert.equal((await house.server('greedy')).state, 'connecting');
});
