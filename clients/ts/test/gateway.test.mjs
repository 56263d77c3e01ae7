// SPDX-License-Identifier: Apache-2.0
// The endpoints of administration, and the figures.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SDK_SERVER } from '../../../tests/e2e/lib/hosted.mjs';
import { freshTopic, house, houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { adminOf, clientOf, faultOf, joined, somebody } from './lib/client.mjs';

const gateway = await house();
const admin = adminOf(gateway);
const ann = await somebody(gateway, 'ann', { kind: 'human' });

test('tokens are made, listed and revoked', async () => {
	const made = await admin.createToken({ id: 'made', name: 'Made', kind: 'robot', privilege: 'restricted', topics: ['a', 'b'], ttl: '1h' });
	assert.ok(made.token.length > 20);
	const listed = (await admin.tokens()).find(({ tokenId }) => tokenId === made.tokenId);
	assert.deepEqual([listed.id, listed.name, listed.kind, listed.privilege, listed.topics, listed.admin, listed.status],
		['made', 'Made', 'robot', 'restricted', ['a', 'b'], false, 'active']);
	const maker = clientOf(gateway, { token: made.token });
	assert.deepEqual(await maker.topics(), []);
	const forbidden = await faultOf(maker.tokens());
	assert.deepEqual([forbidden.status, forbidden.code], [403, 'forbidden']);
	assert.deepEqual(await admin.revokeToken(made.tokenId), { revoked: 1 });
	assert.equal((await faultOf(maker.topics())).status, 401);
	assert.equal((await faultOf(admin.revokeToken('none'))).status, 404);
	await admin.createToken({ id: 'two' });
	await admin.createToken({ id: 'two' });
	assert.deepEqual(await admin.revokeTokensOf('two'), { revoked: 2 });
	const wrong = await faultOf(admin.createToken({ id: 'x', topic: 'misspelt' }));
	assert.deepEqual([wrong.status, wrong.code], [400, 'bad_input']);
	assert.match(wrong.message, /topic/);
});

test('servers are added, looked at, restarted and removed', async () => {
	const added = await admin.addServer({ id: 'added', command: process.execPath, args: [SDK_SERVER, 'client-gateway'] });
	assert.equal(added.id, 'added');
	const connected = await until(async () => {
		const server = await admin.server('added');
		return server.state === 'connected' && server;
	}, 'it is connected');
	assert.deepEqual([connected.transport, connected.from, connected.eras], ['stdio', 'added', ['legacy']]);
	assert.ok((await admin.servers()).some(({ id }) => id === 'added'));
	assert.equal(typeof await admin.serverLog('added'), 'string');
	const { pid } = connected;
	await admin.restartServer('added');
	await until(async () => {
		const server = await admin.server('added');
		return server.state === 'connected' && server.pid !== pid;
	}, 'it was restarted');
	await admin.removeServer('added');
	assert.equal((await faultOf(admin.server('added'))).status, 404);
	assert.equal((await faultOf(admin.revokePermission('added', 'shell.execute'))).status, 404);
});

test('grants are made, asked about and taken back', async (t) => {
	await admin.addServer({ id: 'granted', command: process.execPath, args: [SDK_SERVER, 'client-grants'] });
	t.after(() => admin.removeServer('granted'));
	await until(async () => (await admin.server('granted')).state === 'connected', 'it is connected');
	const grant = { entry_type: 'tool_grant', agent_id: 'ann', server_id: 'granted', tool_name: 'echo', permission: 'allow', justification: 'a test' };
	const made = await admin.addGrant(grant);
	assert.deepEqual([made.agent_id, made.tool_name, made.permission, made.justification], ['ann', 'echo', 'allow', 'a test']);
	assert.equal((await admin.grants({ agent: 'ann' })).length, 1);
	assert.deepEqual(await admin.grants({ agent: 'nobody' }), []);
	assert.match(JSON.stringify(await admin.queryAccess('ann', 'granted', 'echo')), /allow/);
	assert.deepEqual((await ann.mcp('/mcp/servers/granted').listTools()).map(({ name }) => name), ['echo']);
	await admin.removeGrant(grant);
	assert.deepEqual(await admin.grants({ server: 'granted' }), []);
	assert.equal((await faultOf(admin.removeGrant(grant))).status, 404);
});

test('the trail is read page by page, counted, and followed', async (t) => {
	const topic = freshTopic();
	const told = [];
	const states = [];
	const watch = admin.followAudit({ event: 'joined', topic }, { record: (record) => told.push(record), state: (state) => states.push(state) });
	t.after(() => watch.close());
	await until(() => states.includes('live'), 'it is live');
	await joined(t, ann, topic);
	await joined(t, await somebody(gateway, 'bob'), topic);
	await until(() => told.length === 2, 'both are told');
	assert.deepEqual(told.map(({ event, actor }) => [event, actor]), [['joined', 'ann'], ['joined', 'bob']]);
	const all = await until(async () => {
		const page = await admin.audit({ event: 'joined', topic });
		return page.records.length === 2 && page;
	}, 'both are stored');
	assert.deepEqual([all.records.map(({ actor }) => actor), all.nextBefore], [['bob', 'ann'], null]);
	const first = await admin.audit({ event: 'joined', topic, limit: 1 });
	assert.deepEqual([first.records[0].actor, typeof first.nextBefore], ['bob', 'number']);
	const second = await admin.audit({ event: 'joined', topic, limit: 1, before: first.nextBefore });
	assert.equal(second.records[0].actor, 'ann');
	const statistics = await admin.auditStatistics({ event: 'joined', topic, by: 'actor' });
	assert.deepEqual([statistics.records, statistics.by.actor.map(({ key }) => key).sort()], [2, ['ann', 'bob']]);
	assert.equal((await faultOf(admin.audit({ since: 'whenever' }))).status, 400);
});

test('what is followed goes on behind a restart, each record once', async (t) => {
	const own = await houseFor(t);
	own.args[own.args.indexOf('--listen') + 1] = `127.0.0.1:${own.port}`;
	const boss = adminOf(own);
	const told = [];
	const states = [];
	const watch = boss.followAudit({ event: 'token' }, { record: (record) => told.push(record.target), state: (state) => states.push(state) });
	t.after(() => watch.close());
	await until(() => states.includes('live'), 'it is live');
	await boss.createToken({ id: 'before' });
	await until(() => told.length === 1, 'it is told');
	await until(async () => (await boss.audit({ event: 'token' })).records.length > 0, 'it is stored');
	await own.restart();
	await boss.createToken({ id: 'after' });
	await until(() => told.includes('after'), 'what came after is told');
	await boss.createToken({ id: 'last' });
	await until(() => told.includes('last'), 'and what came last');
	assert.deepEqual(told, ['before', 'after', 'last']);
});

test('figures are there by name', async () => {
	const metrics = await admin.metrics();
	assert.ok([...metrics.keys()].some((name) => name.startsWith('hustings_')));
	for (const samples of metrics.values())
		assert.ok(samples.every(({ labels, value }) => typeof value === 'number' && labels !== undefined));
});

test('no gateway at all is a fault without a status', async () => {
	const fault = await faultOf(clientOf({ url: 'http://127.0.0.1:9' }).topics());
	assert.deepEqual([fault.status, fault.code], [0, 'unreachable']);
	const control = new AbortController();
	control.abort(new Error('given up'));
	await assert.rejects(admin.request('GET', '/v0/topics', undefined, { signal: control.signal }), /given up/);
	assert.throws(() => clientOf({}), /url/);
});
