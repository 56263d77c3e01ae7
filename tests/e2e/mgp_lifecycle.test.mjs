// SPDX-License-Identifier: Apache-2.0
// MGP 11: the states of servers, their health, how they are shut down and when they come back.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ISO_TIME, MGP } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, recoveryOf } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const STATES = ['registered', 'connecting', 'connected', 'draining', 'disconnected', 'error', 'restarting'];
const REASONS = ['operator_request', 'configuration_change', 'resource_limit', 'idle_timeout', 'kernel_shutdown'];
const HEALTH = ['healthy', 'degraded', 'unhealthy'];
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'lifecycle'];
const QUICK = { backoff_base_ms: 50, backoff_max_ms: 200, max_restarts: 50, restart_window_secs: 300 };
const tools = [{ name: 'think', annotations: readOnly }, { name: 'hold', does: [{ hold: true }] },
	{ name: 'crash', does: [{ exit: 3 }] }, { name: 'leave', does: [{ exit: 0 }] }];
const outsider = (id, plan = {}, mgp = {}) => new Outsider(id, { extensions, tools, ...plan }, { ...QUICK, ...mgp });

const mind = outsider('mind.cerebras');
const plain = outsider('plain', { plain: true });
const silent = outsider('silent', { manner: 'silent' });

const house = await MgpHouse.forFile({ audit: true, servers: [mind, plain, silent],
	text: '[[servers]]\nid = "lost"\ncommand = "/no/such/program"\n[servers.mgp]\nrestart_policy = "never"\n' });
await house.is('mind.cerebras', 'connected');
await house.is('plain', 'connected');

const shutdown = (client, server_id, reason = 'operator_request', timeout_ms = 30_000) =>
	client.ask('mgp/lifecycle/shutdown', { server_id, reason, timeout_ms });
const starts = (server) => server.of('notifications/initialized');
const transition = (client, server, from, to) => client.hears('notifications/mgp.lifecycle',
	(params) => params.server_id === server && params.previous_state === from && params.new_state === to);

/** A house of one server, its administrator listening. */
async function alone(t, server, kernel = FREE) {
	const own = await MgpHouse.forTest(t, { kernel, audit: true, servers: [server] });
	await own.is(server.id, 'connected');
	return { own, boss: await (await own.admin('/mcp')).open() };
}

test('11.2 a server that is in its handshake is connecting, one that answers connected, one that cannot start in error', async () => {
	assert.equal((await house.server('silent')).state, 'connecting');
	assert.equal((await house.server('mind.cerebras')).state, 'connected');
	const lost = await house.is('lost', 'error');
	assert.match(lost.reason, /\S/);
	for (const { state } of (await house.rest('GET', '/admin/servers')).servers)
		assert.ok(STATES.includes(state), state);
});

test('11.3 mgp/health/ping of the text is answered by the kernel for itself', async () => {
	for (const era of ['legacy', 'modern']) {
		const client = await house.client('ann', '/mcp', { era });
		const { status, timestamp, uptime_secs, server_id } = await client.ask('mgp/health/ping', { timestamp: '2026-02-27T12:00:00.000Z' });
		assert.equal(status, 'healthy');
		assert.match(timestamp, ISO_TIME);
		assert.ok(Number.isInteger(uptime_secs) && uptime_secs >= 0);
		assert.equal(typeof server_id, 'string');
	}
});

test('11.3 mgp/health/ping with a server id reaches an MGP server, and is answered for a plain one', async () => {
	const client = await house.client('ann', '/mcp');
	for (const id of ['mind.cerebras', 'plain']) {
		const answer = await client.ask('mgp/health/ping', { server_id: id, timestamp: new Date().toISOString() });
		assert.ok(HEALTH.includes(answer.status));
		assert.match(answer.timestamp, ISO_TIME);
		assert.ok(Number.isInteger(answer.uptime_secs));
		assert.equal(answer.server_id, id);
	}
	const { params } = await mind.hears('mgp/health/ping');
	assert.match(params.timestamp, ISO_TIME);
	assert.deepEqual(plain.of('mgp/health/ping'), []);
});

test('11.3 mgp/health/status answers state, tools, open requests, resources and checks', async () => {
	const client = await house.client('ann', '/mcp');
	for (const params of [{}, { server_id: 'mind.cerebras' }, { server_id: 'plain' }]) {
		const answer = await client.ask('mgp/health/status', params);
		assert.ok(HEALTH.includes(answer.status));
		for (const name of ['uptime_secs', 'tools_available', 'tools_total', 'pending_requests'])
			assert.ok(Number.isInteger(answer[name]) && answer[name] >= 0, `${name}: ${JSON.stringify(answer)}`);
		assert.equal(typeof answer.resources, 'object');
		assert.equal(typeof answer.checks, 'object');
		if (params.server_id !== undefined)
			assert.equal(answer.tools_total, tools.length);
	}
});

test('11.3 health of a server that is not there, or may not be used, is refused', async () => {
	const client = await house.client('ann', '/mcp');
	const error = await client.refusal('mgp/health/ping', { server_id: 'nobody' });
	assert.ok(error.code === 1001 || error.code === -32602, JSON.stringify(error));
});

test('11.3 a server that does not answer within five seconds is unhealthy, and is started anew', async (t) => {
	const server = outsider('mute', { health: 'silent' });
	const { own } = await alone(t, server, { ...FREE, health_interval: '1s' });
	await until(async () => (await own.server('mute')).health !== 'healthy' || starts(server).length > 1, 'it is noticed');
	await until(() => starts(server).length > 1, 'another process of it');
});

test('11.3 three unhealthy answers in a row start a server anew, degraded ones only show', async (t) => {
	const server = outsider('ailing');
	const { own } = await alone(t, server, { ...FREE, health_interval: '1s' });
	server.health('degraded');
	await until(async () => (await own.server('ailing')).health === 'degraded', 'it is shown as degraded');
	const pings = server.of('mgp/health/ping').length;
	await until(() => server.of('mgp/health/ping').length >= pings + 5, 'five more pings');
	assert.equal(starts(server).length, 1, 'it still runs');
	assert.ok(await (await own.client('ann', 'ailing')).text('think'));
	server.health('unhealthy');
	await until(() => starts(server).length > 1, 'another process of it');
	server.health('healthy');
	await until(async () => (await own.server('ailing')).health === 'healthy', 'it is well');
});

test('11.4 shutdown of the text is accepted; what runs ends, nothing new begins, and the transport closes', async (t) => {
	const server = outsider('mind.cerebras', {}, { restart_policy: 'always' });
	const { own, boss } = await alone(t, server);
	const client = await own.client('ann', 'mind.cerebras');
	const held = client.text('hold', { a: 1 });
	await until(() => server.calls('hold').length === 1, 'the call runs');
	const answer = await boss.ask('mgp/lifecycle/shutdown', { server_id: 'mind.cerebras', reason: 'operator_request', timeout_ms: 30_000 });
	assert.equal(answer.accepted, true);
	assert.equal(answer.pending_requests, 1);
	assert.ok(Number.isFinite(answer.estimated_drain_ms));
	assert.equal((await own.server('mind.cerebras')).state, 'draining');
	const refused = await client.refused('think');
	assert.equal(refused.code, 2001);
	assert.equal(recoveryOf(refused).category, 'lifecycle');
	const told = (await server.hears('mgp/lifecycle/shutdown')).params;
	assert.equal(told.reason, 'operator_request');
	assert.ok(Number.isInteger(told.timeout_ms));
	server.release();
	assert.ok(await held, 'what ran has its answer');
	await own.is('mind.cerebras', 'disconnected');
	assert.deepEqual(server.calls('think'), []);
	for (const [from, to] of [['connected', 'draining'], ['draining', 'disconnected']]) {
		const { params } = await transition(boss, 'mind.cerebras', from, to);
		assert.equal(params.reason, 'operator_request');
		assert.match(params.timestamp, ISO_TIME);
	}
	await own.audited('SERVER_DISCONNECTED', ({ target }) => target.server_id === 'mind.cerebras');
	assert.equal((await client.refused('think')).code, 2000);
	assert.equal((await own.server('mind.cerebras')).state, 'disconnected', 'an operator shut it down: always does not bring it back');
	await own.run('server', 'restart', 'mind.cerebras');
	await own.is('mind.cerebras', 'connected');
});

test('11.4 after the time that was given a server is ended, whatever it still does', async (t) => {
	const server = outsider('slow');
	const { own, boss } = await alone(t, server);
	const held = (await own.client('ann', 'slow')).refused('hold');
	await until(() => server.calls('hold').length === 1, 'the call runs');
	await shutdown(boss, 'slow', 'resource_limit', 500);
	await own.is('slow', 'disconnected');
	assert.ok(recoveryOf(await held));
});

test('11.4 a server that does not answer to shutdown is ended all the same, and so is a plain one', async (t) => {
	const mute = outsider('mute', { shutdown: 'silent' });
	const { own, boss } = await alone(t, mute);
	await shutdown(boss, 'mute', 'idle_timeout', 1000);
	await own.is('mute', 'disconnected');
	const { own: second, boss: bossOfPlain } = await alone(t, outsider('plain', { plain: true }));
	await shutdown(bossOfPlain, 'plain');
	await second.is('plain', 'disconnected');
});

test('11.4 the five reasons are known, and no others', async (t) => {
	const server = outsider('reasons');
	const { own, boss } = await alone(t, server);
	for (const reason of REASONS) {
		assert.equal((await shutdown(boss, 'reasons', reason)).accepted, true);
		await own.is('reasons', reason === 'configuration_change' ? (await own.server('reasons')).state : 'disconnected');
		await own.run('server', 'restart', 'reasons');
		await own.is('reasons', 'connected');
	}
	const error = await boss.refusal('mgp/lifecycle/shutdown', { server_id: 'reasons', reason: 'boredom', timeout_ms: 1000 });
	assert.match(JSON.stringify(error), /reason/);
	assert.equal((await own.server('reasons')).state, 'connected');
});

test('11.4 only an administrator shuts a server down', async () => {
	const error = await (await house.client('ann', '/mcp')).refusal('mgp/lifecycle/shutdown', { server_id: 'mind.cerebras',
		reason: 'operator_request', timeout_ms: 10 });
	assert.equal(error.code, 1000);
	assert.equal((await house.server('mind.cerebras')).state, 'connected');
	assert.deepEqual(mind.of('mgp/lifecycle/shutdown'), []);
});

test('11.4 the end of the gateway is a shutdown of its servers, and says so', async () => {
	const server = outsider('told');
	const own = await MgpHouse.start({ servers: [server] });
	await own.is('told', 'connected');
	await own.finish();
	assert.equal(server.of('mgp/lifecycle/shutdown')[0].message.params.reason, 'kernel_shutdown');
});

for (const era of ['legacy', 'modern']) {
	test(`11.4 every change of state is told to MGP clients with lifecycle, and to no others (${era})`, async (t) => {
		const server = outsider('moves', {}, { restart_policy: 'on_failure' });
		const { own } = await alone(t, server);
		const client = await (await own.client('ann', '/mcp', { era })).open();
		const without = await (await own.client('ann', '/mcp', { era, mgp: { ...MGP, extensions: ['security'] } })).open();
		const plainly = await (await own.plain('ann', '/mcp', { era })).open();
		await (await own.client('ann', 'moves')).call('crash');
		await transition(client, 'moves', 'connected', 'restarting');
		await transition(client, 'moves', 'restarting', 'connecting');
		const { params } = await transition(client, 'moves', 'connecting', 'connected');
		assert.equal(typeof params.reason, 'string');
		assert.match(params.timestamp, ISO_TIME);
		for (const { method } of [...without.heard, ...plainly.heard])
			assert.notEqual(method, 'notifications/mgp.lifecycle');
	});
}

test("11.4 a lifecycle notification of a server's own is marked with its source", async (t) => {
	const forged = { method: 'notifications/mgp.lifecycle', params: { server_id: 'somebody-else', previous_state: 'connected', new_state: 'error',
		reason: 'forged', timestamp: '2026-02-27T12:00:00.000Z' } };
	const server = outsider('claims', { tools: [...tools, { name: 'claim', annotations: readOnly, does: [{ say: [forged] }] }] });
	const { own, boss } = await alone(t, server);
	await (await own.client('ann', 'claims')).text('claim');
	await shutdown(boss, 'claims');
	await transition(boss, 'claims', 'draining', 'disconnected');
	for (const { params } of boss.heard.filter((one) => one.params?.reason === 'forged'))
		assert.equal(params.source, 'server:claims');
});

test('11.5 never does not start a server again', async (t) => {
	const server = outsider('never', {}, { restart_policy: 'never' });
	const { own } = await alone(t, server);
	const client = await own.client('ann', 'never');
	await client.call('crash');
	await until(async () => ['error', 'disconnected'].includes((await own.server('never')).state), 'it is down');
	assert.equal((await client.refused('think')).code, 2000);
	assert.equal(starts(server).length, 1);
});

test('11.5 on_failure starts a server again that ended with an error, and no other', async (t) => {
	const server = outsider('failing', {}, { restart_policy: 'on_failure' });
	const { own } = await alone(t, server);
	const client = await own.client('ann', 'failing');
	await client.call('crash');
	await until(() => starts(server).length === 2, 'it is started again');
	await own.is('failing', 'connected');
	await client.call('leave');
	await own.is('failing', 'disconnected');
	assert.equal(starts(server).length, 2);
});

test('11.5 always starts a server again that ended well', async (t) => {
	const server = outsider('eager', {}, { restart_policy: 'always' });
	const { own } = await alone(t, server);
	await (await own.client('ann', 'eager')).call('leave');
	await until(() => starts(server).length === 2, 'it is started again');
	await own.is('eager', 'connected');
});

/** A server that ends with an error as soon as it is initialized. */
const dying = (id, mgp) => outsider(id, { manner: 'dies-when-initialized' }, { restart_policy: 'on_failure', ...mgp });

test('11.5 the restart configuration of the text is accepted', async (t) => {
	const own = await MgpHouse.forTest(t, { servers: [new Outsider('text', { extensions, tools }, { restart_policy: 'on_failure',
		max_restarts: 5, restart_window_secs: 300, backoff_base_ms: 1000, backoff_max_ms: 30000 })] });
	await own.is('text', 'connected');
});

test('11.5 restarts wait from the base, doubled, and past the limit the server stays in error', async (t) => {
	const server = dying('dying', { max_restarts: 3, backoff_base_ms: 200, backoff_max_ms: 10_000 });
	const own = await MgpHouse.forTest(t, { audit: true, servers: [server] });
	await own.is('dying', 'error');
	const times = starts(server).map((one) => one.at);
	assert.equal(times.length, 4, 'max_restarts 3 means four starts');
	for (const [index, least] of [200, 400, 800].entries())
		assert.ok(times[index + 1] - times[index] >= least - 10, `${index}: ${times[index + 1] - times[index]} ms`);
	const event = await own.audited('SERVER_DISCONNECTED', (one) => /restart_limit_exceeded/.test(JSON.stringify(one.details)));
	assert.equal(event.target.server_id, 'dying');
	assert.match((await own.server('dying')).reason, /restart/);
	assert.equal(starts(server).length, 4);
});

test('11.5 between death and the next start a server is restarting, and a call hears when to come back', async (t) => {
	const server = outsider('waiting', {}, { restart_policy: 'on_failure', backoff_base_ms: 60_000, backoff_max_ms: 60_000 });
	const { own } = await alone(t, server);
	const client = await own.client('ann', 'waiting');
	await client.call('crash');
	await own.is('waiting', 'restarting');
	const error = await client.refused('think');
	assert.equal(error.code, 2002);
	const mgp = recoveryOf(error);
	assert.equal(mgp.retryable, true);
	assert.ok(mgp.retry_after_ms > 0 && mgp.retry_after_ms <= 60_000, `${mgp.retry_after_ms}`);
});

test('11.2 a changed configuration replaces a server, and says why', async (t) => {
	const server = outsider('changed');
	const { own, boss } = await alone(t, server);
	const before = server.config;
	server.plan.name = 'another';
	const old = readFileSync(own.gateway.configFile, 'utf8');
	writeFileSync(own.gateway.configFile, old.replace(before, () => server.config));
	own.gateway.signal('SIGHUP');
	await until(() => starts(server).length > 1, 'another process of it');
	await own.is('changed', 'connected');
	assert.equal((await server.hears('mgp/lifecycle/shutdown')).params.reason, 'configuration_change');
	await boss.hears('notifications/mgp.lifecycle', ({ server_id, new_state }) => server_id === 'changed' && new_state === 'connected');
});
