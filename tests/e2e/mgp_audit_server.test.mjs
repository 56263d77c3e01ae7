// SPDX-License-Identifier: Apache-2.0
// MGP 6.3: the audit server in every form that a hosted server may have, while it comes and goes.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { until } from './lib/wait.mjs';

const AUDIT = 'notifications/mgp.audit';
const KERNEL = { ...FREE, audit_server: 'audit' };
const think = () => new Outsider('mind', { tools: [{ name: 'think', annotations: { readOnlyHint: true } }] });

/** A call of `client`, and its trace id. */
async function call(client) {
	const trace = randomUUID();
	await client.text('think', {}, { trace });
	return trace;
}

const traceOf = ({ params }) => params.trace_id;

for (const eras of [['legacy'], ['modern']]) {
	test(`6.3 a remote audit server is told every event once (${eras})`, async (t) => {
		const remote = await MgpHttpServer.start({ id: 'audit', extensions: ['audit'], eras });
		t.after(() => remote.stop());
		const own = await MgpHouse.forTest(t, { kernel: KERNEL, servers: [think()], text: `[[servers]]\nid = "audit"\nurl = "${remote.url}"\n` });
		await own.is('mind', 'connected');
		const client = await own.client('ann', 'mind');
		const traces = [];
		for (let i = 0; i < 100; i++)
			traces.push(await call(client));
		const told = () => remote.received.map(({ message }) => message).filter(({ method, params }) =>
			method === AUDIT && params.event_type === 'TOOL_EXECUTED').map(traceOf);
		await until(() => told().length >= 100, 'all of them are told');
		assert.deepEqual(told().sort(), traces.sort());
		const metrics = (await own.gateway.request('GET', '/metrics', {})).text;
		assert.match(metrics, /^hustings_audit_forward_dropped_total 0$/m);
	});

	test(`6.3 an audit server on stdio is told events in their order (${eras})`, async (t) => {
		const audit = new Outsider('audit', { extensions: ['audit'], eras });
		const own = await MgpHouse.forTest(t, { kernel: KERNEL, servers: [think(), audit] });
		await own.allConnected();
		const client = await own.client('ann', 'mind');
		const traces = [];
		for (let i = 0; i < 100; i++)
			traces.push(await call(client));
		const told = () => audit.of(AUDIT).map(({ message }) => message).filter(({ params }) =>
			params.event_type === 'TOOL_EXECUTED').map(traceOf);
		await until(() => told().length >= 100, 'all of them are told');
		assert.deepEqual(told(), traces);
	});
}

test('6.3 what happens while the audit server is away is told when it is back', async (t) => {
	const audit = new Outsider('audit', { extensions: ['audit'] });
	const own = await MgpHouse.forTest(t, { kernel: KERNEL, servers: [think(), audit] });
	await own.allConnected();
	const client = await own.client('ann', 'mind');
	const first = await call(client);
	const told = (trace) => audit.of(AUDIT).filter(({ message }) => traceOf(message) === trace).length;
	await until(() => told(first) === 1, 'the first is told');
	await (await own.admin('/mcp')).ask('mgp/lifecycle/shutdown', { server_id: 'audit', reason: 'operator_request', timeout_ms: 1000 });
	await own.is('audit', 'disconnected');
	const second = await call(client);
	assert.equal(told(second), 0);
	await own.run('server', 'restart', 'audit');
	await until(() => told(second) === 1, 'the second is told');
	assert.equal(told(first), 1);
});

test('6.3 another audit server may be configured while the gateway runs', async (t) => {
	const [audit, other] = [new Outsider('audit', { extensions: ['audit'] }), new Outsider('other', { extensions: ['audit'] })];
	const own = await MgpHouse.forTest(t, { kernel: KERNEL, servers: [think(), audit, other] });
	await own.allConnected();
	const client = await own.client('ann', 'mind');
	const first = await call(client);
	const told = (server, trace) => server.of(AUDIT).some(({ message }) => traceOf(message) === trace);
	await until(() => told(audit, first), 'the first is told');
	const file = own.gateway.configFile;
	writeFileSync(file, readFileSync(file, 'utf8').replace('audit_server = "audit"', 'audit_server = "other"'));
	own.gateway.signal('SIGHUP');
	const traces = [];
	await until(async () => {
		traces.push(await call(client));
		return traces.some((trace) => told(other, trace));
	}, 'the other one is told');
	const last = await call(client);
	await until(() => told(other, last), 'the last is told');
	assert.ok(!told(audit, last) && !told(other, first));
});
