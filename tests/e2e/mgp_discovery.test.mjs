// SPDX-License-Identifier: Apache-2.0
// MGP 15: servers are found in files and asked for by method, and registered and taken away while the gateway runs.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { command, freshFolder } from './lib/gateway.mjs';
import { processesWith } from './lib/hosted.mjs';
import { FREE, MgpHouse, Outsider, recoveryOf } from './lib/mgp_house.mjs';
import { MGP_SERVER } from './lib/mgp_server.mjs';
import { until } from './lib/wait.mjs';

const readOnly = { readOnlyHint: true };
const tools = ['think', 'analyze'].map((name) => ({ name, annotations: readOnly }));
const mind = new Outsider('mind.cerebras', { extensions: ['security', 'lifecycle'], permissions: ['network.outbound'], tools });
const bare = new Outsider('bare', { extensions: ['security', 'audit'], permissions: ['memory.read'], tools: [tools[0]] });
const plain = new Outsider('plain', { plain: true, tools: [tools[0]] });
const closed = new Outsider('closed', { tools }, { default_policy: 'opt-in' });
const house = await MgpHouse.forFile({ audit: true, servers: [mind, bare, plain, closed],
	text: '[[servers]]\nid = "lost"\ncommand = "/no/such/program"\n[servers.mgp]\nrestart_policy = "never"\n' });
await house.allConnected();
await house.is('lost', 'error');
const sandboxes = /bubblewrap[^\n]*works/.test((await house.gateway.command(['doctor'])).stdout);

const idsOf = ({ servers }) => servers.map((one) => one.id).sort();

/** A registration of an outside server, which a sandbox shows its working folder; its marker finds its processes. */
function registration(id, plan = {}, more = {}) {
	const marker = randomUUID();
	return { id, command: process.execPath, cwd: dirname(MGP_SERVER),
		args: [basename(MGP_SERVER), JSON.stringify({ id, extensions: ['security'], tools, ...plan }), marker],
		transport: 'stdio', mgp: { extensions: ['security'], permissions_required: [], trust_level: 'sandboxed' },
		created_by: 'agent.cloto_default', justification: 'Agent needs custom data processing tool', ...more };
}

/** Registers, and approves what was opened. */
async function registered(house, client, wish) {
	const { decision_id } = await client.ask('mgp/discovery/register', wish);
	await house.run('approve', decision_id);
	await until(async () => ['connected', 'error'].includes((await house.server(wish.id)).state), `${wish.id} is decided`);
	return decision_id;
}

test('15.2 the mgp.toml of the text is a good configuration', async () => {
	const file = join(freshFolder(), 'mgp.toml');
	writeFileSync(file, `[[servers]]
id = "mind.cerebras"
command = "python"
args = ["mcp-servers/cerebras/server.py"]
transport = "stdio"

[servers.mgp]
extensions = ["security", "lifecycle", "streaming"]
permissions_required = ["network.outbound"]
trust_level = "standard"
restart_policy = "on_failure"

[servers.env]
CEREBRAS_API_KEY = "\${CEREBRAS_API_KEY}"
`);
	const checked = await command(['config', 'check', file], { env: { CEREBRAS_API_KEY: 'secret' } });
	assert.equal(checked.code, 0, checked.stderr);
});

test('15.2 the section mgp may be missing: what the server itself says counts', async () => {
	const client = await house.client('ann', 'bare');
	assert.ok(client.mgp.extensions.includes('audit'));
	const { servers } = await (await house.client('ann', '/mcp')).ask('mgp/discovery/list', {});
	assert.ok(servers.find((one) => one.id === 'bare').extensions.includes('audit'));
});

for (const era of ['legacy', 'modern']) {
	test(`15.2 mgp/discovery/list answers servers as the text shows them (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era });
		const { servers } = await client.ask('mgp/discovery/list', { filter: { extensions: ['lifecycle'], permissions: ['network.outbound'],
			status: 'connected' } });
		assert.equal(servers.length, 1);
		const { id, status, mgp_version, extensions, tools: names, trust_level } = servers[0];
		assert.deepEqual({ id, status, mgp_version, trust_level }, { id: 'mind.cerebras', status: 'connected', mgp_version: '0.2.0', trust_level: 'standard' });
		assert.deepEqual([...extensions].sort(), ['lifecycle', 'security']);
		assert.deepEqual([...names].sort(), ['analyze', 'think']);
	});
}

test('15.2 it filters by extension, permission and status, and without a filter answers all that one may use', async () => {
	const client = await house.client('ann', '/mcp');
	const list = (filter) => client.ask('mgp/discovery/list', filter === undefined ? {} : { filter }).then(idsOf);
	assert.deepEqual((await list()).filter((one) => one !== 'audit'), ['bare', 'lost', 'mind.cerebras', 'plain']);
	assert.deepEqual((await list({})).filter((one) => one !== 'audit'), ['bare', 'lost', 'mind.cerebras', 'plain']);
	assert.deepEqual((await list({ extensions: ['security'] })).filter((one) => one !== 'audit'), ['bare', 'mind.cerebras']);
	assert.deepEqual(await list({ extensions: ['security', 'lifecycle'] }), ['mind.cerebras']);
	assert.deepEqual(await list({ permissions: ['memory.read'] }), ['bare']);
	assert.deepEqual(await list({ status: 'error' }), ['lost']);
	assert.deepEqual(await list({ status: 'draining' }), []);
	assert.ok(idsOf(await (await house.admin('/mcp')).ask('mgp/discovery/list', {})).includes('closed'));
});

test('15.3 what a server advertises in its handshake is what the list says of it', async () => {
	const { mgp } = await house.client('ann', 'mind.cerebras');
	const { servers } = await (await house.client('ann', '/mcp')).ask('mgp/discovery/list', {});
	const listed = servers.find((one) => one.id === 'mind.cerebras');
	assert.equal(listed.trust_level, mgp.trust_level);
	for (const extension of listed.extensions)
		assert.ok(mgp.extensions.includes(extension), extension);
});

test('15.4 the registration of the text opens a decision, and starts nothing before it is approved', async () => {
	const agent = await house.client('agent.cloto_default', '/mcp');
	const wish = registration('dynamic.custom_tool');
	const answer = await agent.ask('mgp/discovery/register', wish);
	assert.equal(answer.status, 'pending');
	const decision = await house.pending((one) => one.id === answer.decision_id);
	assert.deepEqual([decision.kind, decision.requester], ['registration', 'agent.cloto_default']);
	assert.match(JSON.stringify(decision), /mgp_server\.mjs/, 'the command is shown');
	assert.match(JSON.stringify(decision), /Agent needs custom data processing tool/);
	assert.deepEqual(processesWith(wish.args[2]), []);
	assert.ok(!idsOf(await agent.ask('mgp/discovery/list', {})).includes('dynamic.custom_tool'));
	await house.rest('POST', `/admin/decisions/${answer.decision_id}`, { body: { decision: 'approve' },
		token: await house.token('agent.cloto_default'), status: 403 });
	await house.run('approve', answer.decision_id);
	const server = await until(async () => {
		const found = await house.server('dynamic.custom_tool');
		return ['connected', 'error'].includes(found.state) && found;
	}, 'it is started, or says why not');
	if (sandboxes) {
		assert.equal(server.state, 'connected', server.reason);
		assert.ok(await (await house.client('agent.cloto_default', 'dynamic.custom_tool')).text('think'));
	} else {
		assert.match(server.reason, /sandbox|bubblewrap/);
		assert.deepEqual(processesWith(wish.args[2]), [], 'never without its sandbox');
	}
	const { servers } = await agent.ask('mgp/discovery/list', {});
	assert.equal(servers.find((one) => one.id === 'dynamic.custom_tool').trust_level, 'sandboxed');
});

test('15.5 the deregistration of the text takes it away', async () => {
	const agent = await house.client('agent.cloto_default', '/mcp');
	const other = await house.client('mallory', '/mcp');
	const wish = { id: 'dynamic.custom_tool', reason: 'no_longer_needed' };
	const error = await other.refusal('mgp/discovery/deregister', wish);
	assert.ok([1000, 1001].includes(error.code), JSON.stringify(error));
	assert.ok(idsOf(await agent.ask('mgp/discovery/list', {})).includes('dynamic.custom_tool'));
	await agent.ask('mgp/discovery/deregister', wish);
	await house.rest('GET', '/admin/servers/dynamic.custom_tool', { status: 404 });
	assert.ok(!idsOf(await agent.ask('mgp/discovery/list', {})).includes('dynamic.custom_tool'));
	assert.ok((await agent.request('mgp/discovery/deregister', wish)).error, 'it is not there any more');
});

test('15.5 a server of the configuration is not taken away by an agent, nor by its method', async () => {
	for (const client of [await house.client('ann', '/mcp'), await house.admin('/mcp')])
		assert.ok((await client.refusal('mgp/discovery/deregister', { id: 'mind.cerebras', reason: 'no_longer_needed' })).message.length > 0);
	assert.equal((await house.server('mind.cerebras')).state, 'connected');
});

test('15.4 who created it is who asked, whatever the message says', async (t) => {
	const own = await MgpHouse.forTest(t, { audit: true });
	const agent = await own.client('ann', '/mcp');
	await registered(own, agent, registration('made', {}, { created_by: 'the-king' }));
	const server = await own.server('made');
	assert.equal(server.created_by, 'ann');
	assert.doesNotMatch(JSON.stringify(server), /the-king/);
	await own.gateway.restart();
	assert.equal((await own.server('made')).created_by, 'ann', 'registrations are kept');
	await (await own.client('ann', '/mcp')).ask('mgp/discovery/deregister', { id: 'made', reason: 'no_longer_needed' });
	await own.gateway.restart();
	await own.rest('GET', '/admin/servers/made', { status: 404 });
});

test('15.4 what an agent registers is trusted no further than a sandbox', async (t) => {
	const own = await MgpHouse.forTest(t, {});
	const agent = await own.client('ann', '/mcp');
	for (const [number, trust_level] of ['trusted', 'standard', undefined].entries()) {
		const wish = registration(`high${number}`, { trust: 'trusted' }, { mgp: { extensions: ['security'], ...(trust_level ? { trust_level } : {}) } });
		await registered(own, agent, wish);
		const { servers } = await agent.ask('mgp/discovery/list', {});
		assert.equal(servers.find((one) => one.id === wish.id).trust_level, 'sandboxed');
	}
});

test('15.4 code of a sandboxed server is checked at the level standard at least', { skip: !sandboxes && 'no sandbox can be had here' }, async (t) => {
	const own = await MgpHouse.forTest(t, {});
	const agent = await own.client('ann', '/mcp');
	const lax = { name: 'run_python', annotations: readOnly, inputSchema: { type: 'object', properties: { code: { type: 'string' } } },
		security: { risk_level: 'safe', validator: 'code_safety', code_safety: { level: 'unrestricted', language: 'python' } } };
	await registered(own, agent, registration('lax', { tools: [lax, { ...lax, name: 'run_code', security: { risk_level: 'safe', validator: 'none' } }] }));
	const client = await own.client('ann', 'lax');
	for (const name of ['run_python', 'run_code'])
		assert.equal((await client.refused(name, { code: 'import subprocess' })).code, 1011);
	assert.ok(await client.text('run_python', { code: 'import math' }));
});

test('15.4 a denied or forgotten registration leaves nothing behind', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, decision_ttl: '6s' } });
	const agent = await own.client('ann', '/mcp');
	const first = registration('first');
	const { decision_id } = await agent.ask('mgp/discovery/register', first);
	await own.run('deny', decision_id);
	const second = registration('second');
	await agent.ask('mgp/discovery/register', second);
	await until(async () => (await own.decisions('?state=expired')).length === 1, 'nobody decides');
	for (const wish of [first, second]) {
		await own.rest('GET', `/admin/servers/${wish.id}`, { status: 404 });
		assert.deepEqual(processesWith(wish.args[2]), []);
	}
});

test('15.4 commands that the configuration allows need no decision, and only those exact ones', async (t) => {
	const { cwd, ...wish } = registration('allowed');
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, register_allow: [[wish.command, ...wish.args]] } });
	const agent = await own.client('ann', '/mcp');
	assert.notEqual((await agent.ask('mgp/discovery/register', wish)).status, 'pending');
	await until(async () => ['connected', 'error'].includes((await own.server('allowed')).state), 'it is started');
	assert.equal((await agent.ask('mgp/discovery/register', { ...wish, id: 'more', args: [...wish.args, 'more'] })).status, 'pending');
	assert.equal((await agent.ask('mgp/discovery/register', { ...wish, id: 'elsewhere', cwd })).status, 'pending', 'another folder makes it another command');
	assert.equal((await agent.ask('mgp/discovery/register', { ...wish, id: 'less', args: wish.args.slice(0, 2) })).status, 'pending');
	assert.equal(processesWith('more').length, 0);
});

test('15.4 what is unsound in a registration is refused by name', async () => {
	const agent = await house.client('ann', '/mcp');
	const taken = [];
	for (const [field, value, named = field] of [['id', ''], ['id', 'mgp.own'], ['id', 'system'], ['id', 7], ['id', undefined], ['command', ''],
		['command', undefined], ['args', 'text'], ['transport', 'pigeon'], ['env', { PATH: '/tmp' }],
		['mgp', { extensions: ['security'], trust_level: 'divine' }, 'trust_level|divine'],
		['mgp', { extensions: ['security'], permissions_required: ['teleport'] }, 'teleport']]) {
		const { error, result } = await agent.request('mgp/discovery/register', registration('unsound', {}, { [field]: value }));
		if (error === undefined || !new RegExp(named).test(JSON.stringify(error)))
			taken.push(`${field}: ${JSON.stringify(value)}: ${JSON.stringify(error ?? result)}`);
	}
	assert.deepEqual(taken, []);
	const refused = await agent.refusal('mgp/discovery/register', registration('mind.cerebras'));
	assert.match(JSON.stringify(refused), /mind\.cerebras/);
	assert.deepEqual((await house.decisions()).filter((one) => one.requester === 'ann'), []);
});

test('15.4 open registrations of one agent are bounded, and others still may', async (t) => {
	const own = await MgpHouse.forTest(t, {});
	const agent = await own.client('eager', '/mcp');
	let error;
	for (let number = 0; number < 500 && error === undefined; number += 1)
		({ error } = await agent.request('mgp/discovery/register', registration(`flood${number}`)));
	assert.ok(error !== undefined, 'five hundred were taken');
	assert.ok(recoveryOf(error));
	assert.equal((await (await own.client('modest', '/mcp')).ask('mgp/discovery/register', registration('one'))).status, 'pending');
});
