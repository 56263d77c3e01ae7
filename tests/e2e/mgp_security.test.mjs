// SPDX-License-Identifier: Apache-2.0
// MGP 4 and 8.2.2: what tools say about their dangers, what the kernel finds itself, what it asks people, and what its
// validators let through.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const LEVELS = ['safe', 'moderate', 'dangerous'];
const readOnly = { readOnlyHint: true };
const extensions = ['security', 'code_safety'];
const stringly = (...names) => ({ type: 'object', properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) });

/** The example of MGP 4.2. */
const EXECUTE = {
	name: 'execute_command', description: 'Execute a shell command',
	inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
	security: { risk_level: 'dangerous', permissions_required: ['shell.execute'], side_effects: ['filesystem', 'process'],
		validator: 'sandbox', reversible: false, confirmation_required: true },
};
const claims = {
	'lies-by-permission': { annotations: readOnly, security: { risk_level: 'safe', permissions_required: ['shell.execute'] } },
	'lies-by-side-effect': { annotations: readOnly, security: { risk_level: 'safe', side_effects: ['process'] } },
	'lies-by-validator': { annotations: readOnly, security: { risk_level: 'safe', validator: 'code_safety' } },
	'lies-by-annotation': { annotations: { destructiveHint: true }, security: { risk_level: 'safe' } },
	'raises-itself': { annotations: readOnly, security: { risk_level: 'dangerous' } },
	'odd-level': { annotations: readOnly, security: { risk_level: 'harmless' } },
	'odd-form': { annotations: readOnly, security: 'safe' },
	moderate: { annotations: readOnly, security: { risk_level: 'moderate' } },
	safe: { annotations: readOnly, security: { risk_level: 'safe' } },
};
const hints = {
	bare: [undefined, 'moderate'], reads: [readOnly, 'safe'], unsaid: [{ title: 'x' }, 'dangerous'],
	gentle: [{ readOnlyHint: false, destructiveHint: false }, 'moderate'], destroys: [{ destructiveHint: true }, 'dangerous'],
};
const validated = (name, validator, security = {}) => ({ name, annotations: readOnly,
	inputSchema: { ...stringly('command', 'query', 'url', 'code'), additionalProperties: true },
	security: { risk_level: 'moderate', validator, ...security } });
const terminal = new Outsider('tool.terminal', { extensions, permissions: ['shell.execute'], tools: [EXECUTE] });
const claiming = new Outsider('claiming', { extensions, tools: Object.entries(claims).map(([name, one]) => ({ name, ...one })) });
const hinting = new Outsider('hinting', { plain: true, tools: Object.entries(hints).map(([name, [annotations]]) => ({ name,
	...(annotations ? { annotations } : {}) })) });
const guarded = new Outsider('guarded', { extensions, tools: [validated('shell', 'sandbox'), validated('sql', 'readonly'),
	validated('web', 'network_restricted'), validated('python', 'code_safety', { code_safety: { level: 'standard', language: 'python' } }),
	validated('anything', 'none')] });
const fallback = new Outsider('fallback', { plain: true, tools: [
	{ name: 'execute_command', annotations: readOnly, inputSchema: { type: 'object', properties: { command: { type: 'string' } } } },
	{ name: 'run_python', annotations: readOnly, inputSchema: { type: 'object', properties: { code: { type: 'string' } } } },
	{ name: 'think', annotations: readOnly, inputSchema: stringly('thought') }] });

const house = await MgpHouse.forFile({ audit: true, servers: [terminal, claiming, hinting, guarded, fallback] });
await house.allConnected();

for (const era of ['legacy', 'modern']) {
	test(`4.2 tools/list shows security to MGP clients, as in the example of the text (${era})`, async () => {
		for (const [where, name] of [['tool.terminal', 'execute_command'], ['/mcp', undefined]]) {
			const found = await (await house.client('ann', where, { era })).tools();
			const tool = name ? found.get(name) : [...found.values()].find((one) => one.description === EXECUTE.description);
			assert.deepEqual(tool.security, EXECUTE.security);
			assert.deepEqual(tool.inputSchema, EXECUTE.inputSchema);
		}
	});

	test(`4.2 plain clients get the same tools without it (${era})`, async () => {
		for (const where of ['tool.terminal', '/mcp']) {
			const found = [...(await (await house.plain('ann', where, { era })).tools()).values()];
			const tool = found.find((one) => one.description === EXECUTE.description);
			assert.equal(tool.security, undefined);
			assert.deepEqual(tool.inputSchema, EXECUTE.inputSchema);
			isPlain(found.filter((one) => !/^mgp[._]/.test(one.name)));
		}
	});
}

test('4.3 a risk level is one of three words, whatever a server writes', async () => {
	for (const tool of (await (await house.client('ann', 'claiming')).tools()).values())
		assert.ok(LEVELS.includes(tool.security.risk_level), JSON.stringify(tool));
});

test('4.3 the kernel finds the risk itself: a claim may raise it, never lower it', async () => {
	const found = await (await house.client('ann', 'claiming')).tools();
	const riskOf = (name) => found.get(name).security.risk_level;
	assert.equal(riskOf('lies-by-permission'), 'dangerous');
	assert.notEqual(riskOf('lies-by-side-effect'), 'safe');
	assert.notEqual(riskOf('lies-by-validator'), 'safe');
	assert.equal(riskOf('lies-by-annotation'), 'dangerous');
	assert.equal(riskOf('raises-itself'), 'dangerous');
	assert.equal(riskOf('moderate'), 'moderate');
	assert.equal(riskOf('safe'), 'safe');
});

test('4.3 tools of plain servers get a risk level from their annotations', async () => {
	const found = await (await house.client('ann', 'hinting')).tools();
	for (const [name, [, risk]] of Object.entries(hints))
		assert.equal(found.get(name).security.risk_level, risk, name);
});

const cases = [
	['shell', 'sandbox', { command: 'ls; rm -rf /' }, { command: 'ls -l reports' }, 1010],
	['shell', 'sandbox', { command: 'cat $(which sh)' }, { command: 'wc -l notes.txt' }, 1010],
	['shell', 'sandbox', { command: 'ls', options: { deep: ['a', 'x | sh'] } }, { command: 'ls', options: { deep: ['a', 'b'] } }, 1010],
	['sql', 'readonly', { query: 'DELETE FROM users' }, { query: "SELECT * FROM users WHERE said = 'delete from'" }, 1010],
	['sql', 'readonly', { query: 'SELECT 1; DROP TABLE users' }, { query: 'SELECT count(*) FROM drops -- drop table' }, 1010],
	['web', 'network_restricted', { url: 'http://169.254.169.254/latest/meta-data' }, { url: 'https://8.8.8.8/' }, 1010],
	['web', 'network_restricted', { url: 'http://localhost:8080/' }, { url: 'https://1.1.1.1/dns' }, 1010],
	['web', 'network_restricted', { url: 'http://0x7f.1/' }, { url: 'https://9.9.9.9:443/?q=localhost' }, 1010],
	['web', 'network_restricted', { url: 'http://[::ffff:10.0.0.1]/' }, { url: 'https://[2606:4700:4700::1111]/' }, 1010],
	['python', 'code_safety', { code: 'import subprocess\nsubprocess.run("ls")' }, { code: 'import json\nprint(json.dumps([1]))' }, 1011],
];
for (const [tool, validator, attack, harmless, code] of cases) {
	test(`4.5 ${validator} stops ${JSON.stringify(attack)} before the server, and lets ${JSON.stringify(harmless)} through`, async () => {
		const client = await house.client('ann', 'guarded');
		const reached = guarded.calls(tool).length;
		const error = await client.refused(tool, attack);
		assert.equal(error.code, code, JSON.stringify(error));
		const { category, retryable, details } = recoveryOf(error);
		assert.deepEqual([category, retryable], ['security', false]);
		assert.ok(JSON.stringify(details ?? {}).length > 2, 'it says what was found');
		assert.equal(guarded.calls(tool).length, reached, 'it did not reach the server');
		assert.deepEqual(JSON.parse(await client.text(tool, harmless)).arguments, harmless);
		assert.equal(guarded.calls(tool).length, reached + 1);
		const plain = await (await house.plain('bob', 'guarded')).call(tool, attack);
		isPlain(plain);
		assert.equal(plain.result.isError, true);
		assert.equal(guarded.calls(tool).length, reached + 1);
	});
}

test('4.5 none leaves it to the server', async () => {
	const attack = { command: 'ls; rm -rf /', url: 'http://localhost/' };
	assert.deepEqual(JSON.parse(await (await house.client('ann', 'guarded')).text('anything', attack)).arguments, attack);
});

test('8.2.2 plain servers have validators too, by the names and schemas of their tools', async () => {
	const client = await house.client('ann', 'fallback');
	assert.equal((await client.refused('execute_command', { command: 'ls; rm -rf /' })).code, 1010);
	assert.equal((await client.refused('run_python', { code: 'import subprocess' })).code, 1011);
	assert.ok(await client.text('execute_command', { command: 'ls reports' }));
	assert.ok(await client.text('run_python', { code: 'print(1)' }));
	assert.ok(await client.text('think', { thought: 'import subprocess; is that dangerous?' }));
	assert.equal(fallback.calls('execute_command').length, 1);
	assert.equal(fallback.calls('run_python').length, 1);
	const answer = await (await house.plain('ann', 'fallback')).call('execute_command', { command: 'ls; rm -rf /' });
	isPlain(answer);
	assert.equal(answer.result.isError, true);
});

test('6.4 a call that a validator stops is audited as VALIDATION_FAILED, code as CODE_REJECTED', async () => {
	await (await house.client('zoe', 'guarded')).refused('shell', { command: 'a; b' });
	await (await house.client('yan', 'guarded')).refused('python', { code: 'import socket' });
	assert.equal((await house.audited('VALIDATION_FAILED', ({ actor }) => actor.id === 'zoe')).target.tool_name, 'shell');
	assert.equal((await house.audited('CODE_REJECTED', ({ actor }) => actor.id === 'yan')).target.tool_name, 'python');
});

/** A house in which dangerous calls need a person. */
async function careful(t, kernel = {}) {
	const server = new Outsider('careful', { extensions, tools: [
		{ name: 'safe', annotations: readOnly }, { name: 'moderate' },
		{ name: 'dangerous', annotations: { destructiveHint: true } },
		{ name: 'confirmed', annotations: readOnly, security: { risk_level: 'moderate', confirmation_required: true } }] });
	const house = await MgpHouse.forTest(t, { kernel: { ...FREE, approval: 'interactive', ...kernel }, servers: [server], audit: true });
	await house.allConnected();
	return { house, server };
}
const ofTool = (tool) => (one) => one.tool === tool;

test('4.4 safe and moderate tools run at once, a dangerous one when it is approved', async (t) => {
	const { house, server } = await careful(t);
	const client = await house.client('ann', 'careful');
	assert.ok(await client.text('safe'));
	assert.ok(await client.text('moderate'));
	assert.deepEqual(await house.decisions(), []);
	const call = client.text('dangerous', { what: 'everything' });
	const decision = await house.pending(ofTool('dangerous'));
	assert.deepEqual([decision.server, decision.requester], ['careful', 'ann']);
	assert.match(JSON.stringify(decision.arguments), /everything/);
	assert.deepEqual(server.calls('dangerous'), [], 'it waits');
	await house.rest('POST', `/admin/decisions/${decision.id}`, { body: { decision: 'approve' }, token: await house.token('ann'), status: 403 });
	await house.run('approve', decision.id);
	assert.deepEqual(JSON.parse(await call).arguments, { what: 'everything' });
	assert.equal(server.calls('dangerous').length, 1);
	await house.rest('POST', `/admin/decisions/${decision.id}`, { body: { decision: 'deny' }, status: 409 });
});

test('4.4 an approval is for one call with these arguments, unless it says until when', async (t) => {
	const { house } = await careful(t);
	const client = await house.client('ann', 'careful');
	const answered = async (args, ...more) => {
		const call = client.text('dangerous', args);
		const { id } = await house.pending(ofTool('dangerous'));
		await house.run('approve', id, ...more);
		await call;
		return id;
	};
	const first = await answered({ a: 1 });
	const second = await answered({ a: 1 }, '--valid-until', new Date(Date.now() + 3600_000).toISOString());
	assert.notEqual(first, second);
	await client.text('dangerous', { a: 1 });
	const third = await answered({ a: 2 });
	await house.run('deny', second);
	const fourth = await answered({ a: 1 });
	assert.equal(new Set([first, second, third, fourth]).size, 4);
});

test('4.4 a tool with confirmation_required needs a yes, whatever its risk', async (t) => {
	const { house, server } = await careful(t);
	const call = (await house.client('ann', 'careful')).refused('confirmed');
	const { id } = await house.pending(ofTool('confirmed'));
	await house.run('deny', id, '--reason', 'not today');
	const error = await call;
	assert.deepEqual([error.code, error.data.type], [1000, 'approval_denied']);
	assert.equal(recoveryOf(error).retryable, false);
	assert.deepEqual(server.calls('confirmed'), []);
	await house.audited('TOOL_BLOCKED', ({ target }) => target.tool_name === 'confirmed');
});

test('4.4 plain clients wait as well, and read a no in words', async (t) => {
	const { house, server } = await careful(t);
	for (const era of ['legacy', 'modern']) {
		const client = await house.plain('ann', 'careful', { era });
		const call = client.call('dangerous', { era });
		const { id } = await house.pending(ofTool('dangerous'));
		await house.run('deny', id);
		const answer = await call;
		isPlain(answer);
		assert.equal(answer.result.isError, true);
		assert.ok(answer.result.content[0].text.length > 0);
	}
	assert.deepEqual(server.calls('dangerous'), []);
});

test('4.4 without an answer in time it is a no', async (t) => {
	const { house, server } = await careful(t, { decision_ttl: '1s' });
	const error = await (await house.client('ann', 'careful')).refused('dangerous');
	assert.deepEqual([error.code, error.data.type], [1000, 'approval_expired']);
	assert.deepEqual(server.calls('dangerous'), []);
});

test('4.4 who cancels the call has no open decision left', async (t) => {
	const { house, server } = await careful(t);
	const legacy = await house.client('ann', 'careful');
	const never = legacy.send('tools/call', { name: 'dangerous', arguments: {} }, { id: 77 }).catch(() => {});
	await house.pending(ofTool('dangerous'));
	await legacy.notify('notifications/cancelled', { requestId: 77 });
	await until(async () => (await house.decisions()).length === 0, 'the decision is withdrawn');
	const modern = await house.client('ann', 'careful', { era: 'modern' });
	const control = new AbortController();
	const gone = modern.send('tools/call', { name: 'dangerous', arguments: {} }, { signal: control.signal }).catch(() => {});
	await house.pending(ofTool('dangerous'));
	control.abort();
	await until(async () => (await house.decisions()).length === 0, 'the decision is withdrawn');
	assert.deepEqual(server.calls('dangerous'), []);
	await Promise.allSettled([never, gone]);
});

test('4.4 auto_approve asks nobody', async (t) => {
	const { house } = await careful(t, { approval: 'auto_approve' });
	assert.ok(await (await house.client('ann', 'careful')).text('dangerous'));
	assert.ok(await (await house.client('ann', 'careful')).text('confirmed'));
	assert.deepEqual(await house.decisions(''), []);
});
