// SPDX-License-Identifier: Apache-2.0
// MGP 6: what happens is told in one form, of the kinds that the text lists, with one trace id from end to end.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { ISO_TIME, MGP, isUuid } from './lib/mgp_client.mjs';
import { MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const TYPES = ['TOOL_EXECUTED', 'TOOL_BLOCKED', 'PERMISSION_GRANTED', 'PERMISSION_DENIED', 'PERMISSION_REVOKED', 'ACCESS_GRANTED',
	'ACCESS_REVOKED', 'SERVER_CONNECTED', 'SERVER_DISCONNECTED', 'VALIDATION_FAILED', 'CODE_REJECTED'];
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(\.[a-z0-9_-]+)+$/;
const readOnly = { readOnlyHint: true };
const execute = { name: 'execute_command', annotations: readOnly, inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
	security: { risk_level: 'dangerous', validator: 'sandbox', side_effects: ['process'] } };
const claim = { method: 'notifications/mgp.audit', params: { timestamp: '2026-02-27T12:00:00.000Z', trace_id: randomUUID(),
	event_type: 'TOOL_EXECUTED', actor: { type: 'agent', id: 'forged-by-a-server' }, target: { server_id: 'tool.terminal', tool_name: 'execute_command' },
	result: 'SUCCESS', details: {} } };
const terminal = new Outsider('tool.terminal', { extensions: ['security', 'audit', 'code_safety'], tools: [execute,
	{ name: 'fails', annotations: readOnly, does: [{ error: { code: -32000, message: 'no luck' } }] },
	{ name: 'python', annotations: readOnly, security: { risk_level: 'moderate', validator: 'code_safety', code_safety: { level: 'standard',
		language: 'python' } } },
	{ name: 'claims', annotations: readOnly, does: [{ say: [claim] }] }] });
const plain = new Outsider('plain', { plain: true, tools: [{ name: 'think', annotations: readOnly }] });
const refused = new Outsider('refused', { permissions: ['camera', 'system.info'], tools: [] },
	{ policy: 'deny_all', permissions_granted: ['system.info'] });
const closed = new Outsider('closed', { tools: [{ name: 'x' }] }, { default_policy: 'opt-in' });

const house = await MgpHouse.forFile({ audit: true, servers: [terminal, plain, refused, closed] });
await house.allConnected();

const traced = (type, trace) => house.audited(type, (event) => event.trace_id === trace);

test('6.3 audit events are notifications/mgp.audit in the form of the text', async () => {
	const trace = randomUUID();
	const client = await house.client('agent.cloto_default', 'tool.terminal');
	await client.text('execute_command', { command: 'ls' }, { trace });
	const event = await traced('TOOL_EXECUTED', trace);
	assert.match(event.timestamp, ISO_TIME);
	assert.deepEqual(event.actor, { type: 'agent', id: 'agent.cloto_default' });
	assert.deepEqual(event.target, { server_id: 'tool.terminal', tool_name: 'execute_command' });
	assert.equal(event.result, 'SUCCESS');
	assert.equal(event.details.risk_level, 'dangerous');
	assert.equal(event.details.validator_applied, 'sandbox');
	assert.ok(Number.isInteger(event.details.duration_ms) && event.details.duration_ms >= 0);
	for (const { message } of house.auditor.of('notifications/mgp.audit')) {
		assert.equal(message.jsonrpc, '2.0');
		assert.equal(message.id, undefined);
		const { timestamp, trace_id, event_type, actor, target, result, details } = message.params;
		assert.match(timestamp, ISO_TIME);
		assert.ok(trace_id === undefined || trace_id === null || isUuid(trace_id), trace_id);
		assert.ok(TYPES.includes(event_type) || REVERSE_DOMAIN.test(event_type), event_type);
		assert.deepEqual([typeof actor.type, typeof actor.id], ['string', 'string']);
		assert.equal(typeof target, 'object');
		assert.equal(typeof result, 'string');
		assert.equal(typeof details, 'object');
	}
});

test('6.3 a call that fails is told as well, and not as a success', async () => {
	const trace = randomUUID();
	await (await house.client('ann', 'tool.terminal')).refused('fails', {}, { trace });
	assert.notEqual((await traced('TOOL_EXECUTED', trace)).result, 'SUCCESS');
});

test('6.3 what is told to an audit server is logged here too', async () => {
	const trace = randomUUID();
	await (await house.client('ann', 'plain')).text('think', {}, { trace });
	const lines = await until(async () => (await house.run('audit', '--trace', trace, '--json')).trim(), 'the local record');
	assert.match(lines, /TOOL_EXECUTED/);
	assert.match(lines, /"plain"/);
	const { records } = await house.rest('GET', `/admin/audit?trace=${trace}`);
	assert.equal(records.length, 1);
	assert.equal((await house.gateway.command(['audit', 'verify'])).code, 0);
});

test('6.3 without an audit server events are logged here', async (t) => {
	const own = await MgpHouse.forTest(t, { servers: [new Outsider('alone', { tools: [{ name: 'think', annotations: readOnly }] })] });
	await own.is('alone', 'connected');
	const trace = randomUUID();
	await (await own.client('ann', 'alone')).text('think', {}, { trace });
	await until(async () => (await own.rest('GET', `/admin/audit?trace=${trace}`)).records.length === 1, 'the record');
	await own.gateway.restart();
	assert.equal((await own.rest('GET', `/admin/audit?trace=${trace}`)).records.length, 1);
});

// The first refusal of a principal at a gate is told at once, further ones are counted: so each of these has its own.
const raises = {
	TOOL_EXECUTED: async () => (await house.client('r1', 'plain')).text('think'),
	TOOL_BLOCKED: async () => (await house.client('r1', '/mcp')).refused('closed__x'),
	PERMISSION_GRANTED: async () => {},
	PERMISSION_DENIED: async () => {},
	PERMISSION_REVOKED: async () => house.rest('DELETE', '/admin/servers/refused/permissions/system.info'),
	ACCESS_GRANTED: async () => house.grant('r1', 'closed'),
	ACCESS_REVOKED: async () => house.rest('DELETE', '/admin/grants?entry_type=server_grant&agent_id=r1&server_id=closed'),
	SERVER_CONNECTED: async () => {},
	SERVER_DISCONNECTED: async () => house.run('server', 'restart', 'plain'),
	VALIDATION_FAILED: async () => (await house.client('r2', 'tool.terminal')).refused('execute_command', { command: 'a; b' }),
	CODE_REJECTED: async () => (await house.client('r3', 'tool.terminal')).refused('python', { code: 'import subprocess' }),
};
for (const type of TYPES) {
	test(`6.4 ${type} is raised where the table says`, async () => {
		await raises[type]();
		const event = await house.audited(type, ({ target }) => ['plain', 'closed', 'refused', 'tool.terminal'].includes(target.server_id));
		assert.match(event.timestamp, ISO_TIME);
	});
}

test('6.4 what a server claims is kept apart: it is marked with its source, and is in no record of the kernel', async () => {
	const trace = randomUUID();
	await (await house.client('ann', 'tool.terminal')).text('claims', {}, { trace });
	await traced('TOOL_EXECUTED', trace);
	const { records } = await house.rest('GET', `/admin/audit?trace=${claim.params.trace_id}`);
	for (const text of [...records, ...house.events.filter((one) => one.trace_id === claim.params.trace_id)].map((one) => JSON.stringify(one)))
		assert.match(text, /"source":"server:tool\.terminal"/);
	const { records: forged } = await house.rest('GET', '/admin/audit?actor=forged-by-a-server');
	for (const record of forged)
		assert.equal(record.source, 'server:tool.terminal');
	assert.equal((await house.gateway.command(['audit', 'verify'])).code, 0);
});

test('6.5 a trace id in params reaches the server and the audit', async () => {
	const trace = randomUUID();
	await (await house.client('ann', 'tool.terminal')).text('execute_command', { command: 'ls' }, { trace });
	await traced('TOOL_EXECUTED', trace);
	assert.equal(terminal.calls('execute_command').at(-1).message.params.trace_id, trace);
});

test('6.5 a trace id beside params reaches the server and the audit', async () => {
	const trace = randomUUID();
	const client = await house.client('ann', 'tool.terminal');
	await client.text('execute_command', { command: 'ls' }, { trace: null, top: { trace_id: trace } });
	await traced('TOOL_EXECUTED', trace);
	assert.equal(terminal.calls('execute_command').at(-1).message.params.trace_id, trace);
});

test('6.5 a traceparent is one trace with its id', async () => {
	const hex = randomUUID().replaceAll('-', '');
	const dashed = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
	const client = await house.client('ann', 'tool.terminal');
	await client.ask('tools/call', { name: 'execute_command', arguments: { command: 'ls' },
		_meta: { traceparent: `00-${hex}-00f067aa0ba902b7-01` } }, { trace: null });
	await traced('TOOL_EXECUTED', dashed);
});

test('6.5 32 hexadecimal digits are written with dashes, and what is no trace id is replaced', async () => {
	const hex = randomUUID().replaceAll('-', '');
	const client = await house.client('dashes', 'tool.terminal');
	await client.text('execute_command', { command: 'ls' }, { trace: hex });
	await traced('TOOL_EXECUTED', hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'));
	for (const trace of ['no trace', 'x'.repeat(5000), 17, { a: 1 }]) {
		await client.text('execute_command', { command: 'ls' }, { trace });
		const sent = terminal.calls('execute_command').at(-1).message.params.trace_id;
		assert.ok(isUuid(sent), `${sent}`);
		await traced('TOOL_EXECUTED', sent);
	}
});

test('6.5 a request without a trace id gets one', async () => {
	const client = await house.client('mint', 'tool.terminal');
	await client.text('execute_command', { command: 'ls' }, { trace: null });
	const { trace_id } = terminal.calls('execute_command').at(-1).message.params;
	assert.ok(isUuid(trace_id));
	await traced('TOOL_EXECUTED', trace_id);
	const plainly = await house.plain('mint', 'tool.terminal');
	await plainly.text('execute_command', { command: 'ls' });
	const { trace_id: second } = terminal.calls('execute_command').at(-1).message.params;
	assert.ok(isUuid(second) && second !== trace_id);
});

test('6.5 requests of the kernel to MGP servers carry a trace id', async () => {
	for (const { message } of terminal.of('tools/call'))
		assert.ok(isUuid(message.params.trace_id));
});

test('6.5 what is done by a method of MGP has its trace id', async () => {
	const trace = randomUUID();
	const admin = await house.admin('/mcp');
	await admin.ask('mgp/access/grant', { entry_type: 'server_grant', agent_id: 'traced', server_id: 'closed', permission: 'allow' }, { trace });
	assert.equal((await traced('ACCESS_GRANTED', trace)).target.server_id, 'closed');
	const second = randomUUID();
	await admin.ask('mgp/access/revoke', { entry_type: 'server_grant', agent_id: 'traced', server_id: 'closed' }, { trace: second });
	await traced('ACCESS_REVOKED', second);
});

test('6.5 a refused call has the trace id of its request as well', async () => {
	const trace = randomUUID();
	await (await house.client('refused-once', '/mcp')).refused('closed__x', {}, { trace });
	assert.equal((await traced('TOOL_BLOCKED', trace)).actor.id, 'refused-once');
});

for (const era of ['legacy', 'modern']) {
	test(`6.3 an administrator's MGP client hears audit events, an agent's none of others (${era})`, async () => {
		const admin = await (await house.admin('/mcp', { era })).open();
		const agent = await (await house.client('eaves', '/mcp', { era })).open();
		const without = await (await house.admin('/mcp', { era, mgp: { ...MGP, extensions: ['security'] } })).open();
		const trace = randomUUID();
		await (await house.client('bob', 'plain')).text('think', {}, { trace });
		await admin.hears('notifications/mgp.audit', (event) => event.trace_id === trace);
		assert.deepEqual(agent.heard.filter((one) => one.params?.actor?.id === 'bob'), []);
		assert.deepEqual(without.heard.filter((one) => one.method === 'notifications/mgp.audit'), [], 'who did not name audit hears none');
	});
}
