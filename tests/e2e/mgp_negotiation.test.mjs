// SPDX-License-Identifier: Apache-2.0
// MGP 1, 2 and 8.1: who speaks MGP with whom, and what each pair of plain and MGP client and server sees.

import assert from 'node:assert/strict';
import { before, after, test } from 'node:test';
import { post, modern } from './lib/mcp_wire.mjs';
import { ALL, MGP, MgpClient } from './lib/mgp_client.mjs';
import { FREE, MgpHouse, Outsider, isPlain, recoveryOf } from './lib/mgp_house.mjs';
import { MgpHttpServer } from './lib/mgp_server.mjs';
import { until } from './lib/wait.mjs';

const ERAS = ['legacy', 'modern'];
const SEMVER = /^\d+\.\d+\.\d+$/;
const think = { name: 'think', description: 'thinks', security: { risk_level: 'safe' }, annotations: { readOnlyHint: true } };
const refuse = { name: 'refuse', annotations: { readOnlyHint: true },
	does: [{ error: { code: 3002, message: 'no more tokens', data: { _mgp: { category: 'resource', retryable: false } } } }] };
const tools = [think, refuse];
const extensions = ['security', 'lifecycle', 'audit'];

const plain = new Outsider('plain', { plain: true, tools: [think] }, {}, { share: 'principal' });
const mind = new Outsider('mind.cerebras', { extensions, permissions: ['memory.read', 'network'], trust: 'standard', tools }, {}, { share: 'principal' });
const modernMind = new Outsider('modern', { eras: ['modern'], extensions, tools }, {}, { share: 'principal' });
const major = new Outsider('major', { version: '1.0.0', extensions, tools: [think] });
const minor = new Outsider('minor', { version: '0.1.0', extensions, tools: [think] });
const odd = new Outsider('odd', { version: 'newest', extensions, tools: [think] });
const noLifecycle = new Outsider('no-lifecycle', { extensions: ['security'], tools: [think] });
const held = new Outsider('held', { extensions, tools: [think] }, { extensions: ['security'] });
const proud = new Outsider('proud', { extensions, trust: 'trusted', tools: [think] });
const placed = new Outsider('placed', { extensions, trust: 'standard', tools: [think] }, { trust_level: 'trusted' });
let house;
let remote;

before(async () => {
	remote = await MgpHttpServer.start({ id: 'remote', extensions, tools });
	house = await MgpHouse.start({ kernel: { ...FREE, health_interval: '1s' }, servers: [plain, mind, modernMind, major, minor, odd,
		noLifecycle, held, proud, placed, new Outsider('remote', {}, {}, { url: remote.url })] });
	await house.allConnected();
});
after(async () => {
	await house?.finish();
	await remote?.stop();
});

for (const era of ERAS) {
	test(`1.3 a plain client and a plain server use plain MCP (${era})`, async () => {
		const client = await house.plain('ann', 'plain', { era });
		isPlain(client.hello);
		isPlain([...(await client.tools()).values()]);
		const params = JSON.parse(await client.text('think', { of: 'nothing' }));
		assert.deepEqual(params.arguments, { of: 'nothing' });
		assert.equal(params.trace_id, undefined);
		isPlain(await client.call('nothing'));
	});

	test(`1.3 a plain client sees nothing of an MGP server's extensions (${era})`, async () => {
		for (const id of ['mind.cerebras', 'modern', 'remote']) {
			const client = await house.plain('ann', id, { era });
			assert.equal(client.mgp, undefined);
			isPlain(client.hello);
			const found = await client.tools();
			assert.deepEqual([...found.keys()].sort(), ['refuse', 'think']);
			for (const tool of found.values())
				assert.equal(tool.security, undefined);
			assert.deepEqual(JSON.parse(await client.text('think', { a: 1 })).arguments, { a: 1 });
			const refused = await client.call('refuse');
			isPlain(refused);
			assert.equal(refused.result.isError, true);
			isPlain(client.heard);
		}
	});

	test(`1.3 an MGP client uses a plain server, and the kernel stands in for it (${era})`, async () => {
		const client = await house.client('ann', 'plain', { era });
		assert.match(client.mgp.version, SEMVER);
		assert.equal((await client.tools()).get('think').security.risk_level, 'safe');
		assert.deepEqual(JSON.parse(await client.text('think', { a: 1 })).arguments, { a: 1 });
		assert.equal((await client.ask('mgp/health/ping', { server_id: 'plain' })).status, 'healthy');
	});

	test(`1.3 an MGP client and an MGP server use all of it (${era})`, async () => {
		for (const [id, server] of [['mind.cerebras', mind], ['modern', modernMind], ['remote', remote]]) {
			const client = await house.client('ann', id, { era });
			for (const extension of extensions)
				assert.ok(client.mgp.extensions.includes(extension), `${id}: ${extension}`);
			assert.equal((await client.tools()).get('think').security.risk_level, 'safe');
			const trace = crypto.randomUUID();
			await client.text('think', {}, { trace });
			assert.ok(server.received.some(({ message }) => message.params?.trace_id === trace), `${id} got the trace id`);
			const error = await client.refused('refuse');
			assert.equal(error.code, 3002);
			assert.equal(recoveryOf(error).category, 'resource');
		}
	});

	test(`2.4.3 the server does not answer with mgp to who did not ask (${era})`, async () => {
		for (const where of ['/mcp', 'mind.cerebras', 'plain']) {
			const client = await house.plain('ann', where, { era });
			isPlain(client.hello);
			assert.equal((await client.refusal('mgp/health/ping')).code, -32601);
			assert.equal((await client.refusal('mgp/access/query', { agent_id: 'ann', server_id: 'plain', tool_name: 'think' })).code, -32601);
			assert.equal((await client.refusal('mgp/discovery/list', {})).code, -32601);
		}
	});

	test(`2.4.1 active are the extensions that both have named (${era})`, async () => {
		const client = await house.client('ann', '/mcp', { era, mgp: { version: '0.2.0', extensions: ['security', 'telepathy'] } });
		assert.deepEqual(client.mgp.extensions, ['security']);
		assert.equal((await client.refusal('mgp/health/ping', {})).code, -32601, 'lifecycle is not active');
		assert.equal((await client.refusal('mgp/access/query', { agent_id: 'ann', server_id: 'plain', tool_name: 'think' })).code, -32601);
		assert.equal((await client.refusal('mgp/discovery/list', {})).code, -32601);
		const all = await house.client('ann', '/mcp', { era });
		assert.deepEqual([...all.mgp.extensions].sort(), [...ALL].sort());
		await all.ask('mgp/health/ping', {});
		await all.ask('mgp/discovery/list', {});
	});

	test(`2.3 the answer names version, extensions, permissions, server id and trust level (${era})`, async () => {
		const { mgp } = await house.client('ann', 'mind.cerebras', { era });
		assert.match(mgp.version, SEMVER);
		assert.ok(Array.isArray(mgp.extensions) && mgp.extensions.every((one) => ALL.includes(one)));
		assert.deepEqual([...mgp.permissions_required].sort(), ['memory.read', 'network.outbound']);
		assert.equal(mgp.server_id, 'mind.cerebras');
		assert.equal(mgp.trust_level, 'standard');
	});
}

test('1.1 an MGP server answers plain MCP messages of a plain MCP version', async () => {
	for (const version of ['2024-11-05', '2025-03-26', '2025-06-18']) {
		const client = await house.plain('ann', 'mind.cerebras', { version });
		assert.equal(client.hello.protocolVersion, version);
		await client.ask('ping');
		assert.ok((await client.tools()).has('think'));
	}
});

test('1.4 MGP needs no transport of its own: stdio and Streamable HTTP carry it', async () => {
	for (const id of ['mind.cerebras', 'remote']) {
		const client = await house.client('ann', id);
		assert.equal((await client.ask('mgp/health/ping', { server_id: id })).status, 'healthy');
	}
	assert.ok(remote.received.some(({ message }) => message.method === 'mgp/health/ping'));
});

test('1.5 methods of MGP begin with mgp/, notifications with notifications/mgp., and those of MCP stay', async () => {
	await mind.hears('mgp/health/ping');
	const mcp = /^(initialize|ping|server\/discover|(tools|resources|prompts)\/[\w/]+|logging\/setLevel|subscriptions\/listen|notifications\/(initialized|cancelled|[\w/]+\/list_changed))$/;
	for (const server of [mind, modernMind, noLifecycle]) {
		for (const { message } of server.received.filter((one) => one.message.method !== undefined)) {
			assert.equal(message.jsonrpc, '2.0');
			assert.match(message.method, message.id === undefined
				? /^notifications\// : new RegExp(`^mgp/|${mcp.source}`), JSON.stringify(message));
			assert.ok(/^(mgp\/|notifications\/mgp\.)/.test(message.method) || mcp.test(message.method), message.method);
		}
	}
	const client = await house.client('ann', '/mcp');
	assert.equal((await client.refusal('mgp/nonsense')).code, -32601);
});

test('2.2 the initialize of the text is answered with mgp', async () => {
	const answer = await (await post(house.url('mind.cerebras'), { jsonrpc: '2.0', id: 1, method: 'initialize', params: {
		protocolVersion: '2024-11-05',
		capabilities: { mgp: { version: '0.1.0', extensions: ['security', 'access_control', 'audit'] } },
		clientInfo: { name: 'ClotoCore', version: '0.2.8' } } }, { token: await house.token('ann') })).next();
	assert.equal(answer.id, 1);
	assert.equal(answer.result.protocolVersion, '2024-11-05');
	assert.match(answer.result.capabilities.mgp.version, SEMVER);
	for (const extension of answer.result.capabilities.mgp.extensions)
		assert.ok(['security', 'access_control', 'audit'].includes(extension), extension);
	assert.ok(answer.result.capabilities.mgp.extensions.includes('security'));
});

test('2.2 the kernel says version and extensions to every server that it hosts', () => {
	for (const server of [plain, mind, minor]) {
		const { mgp } = server.of('initialize')[0].message.params.capabilities;
		assert.match(mgp.version, SEMVER);
		assert.ok(Array.isArray(mgp.extensions) && mgp.extensions.includes('security'));
	}
	const [{ message }] = modernMind.of('server/discover');
	const { extensions: said } = message.params._meta['io.modelcontextprotocol/clientCapabilities'];
	assert.match(said['dev.hustings/mgp'].version, SEMVER);
	assert.ok(Array.isArray(said['dev.hustings/mgp'].extensions));
});

test('2.2 mgp without version or extensions is not MGP', async () => {
	for (const mgp of [{}, { version: '0.2.0' }, { extensions: ALL }, { version: 2, extensions: ALL }, { version: '0.2.0', extensions: 'security' }, true]) {
		const answer = await (await post(house.url(), { jsonrpc: '2.0', id: 1, method: 'initialize', params: {
			protocolVersion: '2025-11-25', capabilities: { mgp }, clientInfo: { name: 'odd', version: '1' } } },
		{ token: await house.token('ann') })).next();
		assert.ok(answer.error !== undefined || answer.result.capabilities.mgp === undefined, `${JSON.stringify(mgp)}: ${JSON.stringify(answer)}`);
	}
});

test('2.4.1 a server is asked for nothing outside of what it named', async () => {
	await until(() => mind.of('mgp/health/ping').length >= 3, 'mind.cerebras is pinged');
	assert.deepEqual(noLifecycle.methods().filter((one) => /mgp/.test(one)), [], 'lifecycle is not active there');
	assert.deepEqual(held.of('mgp/health/ping'), [], 'the configuration restricts the extensions');
	assert.ok(!held.of('initialize')[0].message.params.capabilities.mgp?.extensions.includes('lifecycle'));
});

test('2.4.2 a server that does not answer with mgp is a plain MCP server', async () => {
	await until(() => mind.of('mgp/health/ping').length >= 3, 'mind.cerebras is pinged');
	const client = await house.client('ann', 'plain');
	await client.text('think', {});
	assert.deepEqual(plain.methods().filter((one) => /mgp/.test(one)), []);
	for (const { message } of plain.calls('think'))
		assert.equal(message.params.trace_id, undefined);
});

test('2.4.4 another major version connects as plain MCP, with a warning', async () => {
	assert.match(house.gateway.stderr, /major[^\n]*1\.0\.0/);
	await until(() => mind.of('mgp/health/ping').length >= 3, 'mind.cerebras is pinged');
	for (const server of [major, odd])
		assert.deepEqual(server.methods().filter((one) => /mgp/.test(one)), []);
	const client = await house.client('ann', 'major');
	await client.text('think', {});
	for (const version of ['1.0.0', '2.1.7', 'newest', ''])
		assert.equal((await house.client('ann', '/mcp', { mgp: { ...MGP, version } })).mgp, undefined, version);
});

test('2.4.4 another minor version is compatible, with a warning', async () => {
	assert.match(house.gateway.stderr, /minor[^\n]*0\.1\.0/);
	await minor.hears('mgp/health/ping');
	for (const version of ['0.1.0', '0.3.0', '0.2.9'])
		assert.ok((await house.client('ann', '/mcp', { mgp: { ...MGP, version } })).mgp.extensions.includes('security'), version);
});

test('2.3 a server cannot raise its own trust level', async () => {
	for (const [id, level] of [['proud', 'standard'], ['placed', 'trusted']]) {
		assert.equal((await house.client('ann', id)).mgp.trust_level, level);
		const { servers } = await (await house.client('ann', '/mcp')).ask('mgp/discovery/list', {});
		assert.equal(servers.find((one) => one.id === id).trust_level, level);
	}
});

test('8.1.2 a server that offers security alone serves a plain client like any other', async () => {
	const client = await house.plain('ann', 'no-lifecycle');
	assert.deepEqual([...(await client.tools()).keys()], ['think']);
	assert.deepEqual(JSON.parse(await client.text('think', { a: 1 })).arguments, { a: 1 });
});

test('1.3 a modern request with mgp and one without are each answered in kind, at one face', async () => {
	const token = await house.token('ann');
	const list = async (capabilities) => (await (await modern(house.url('mind.cerebras'), 'tools/list', {}, { capabilities, token })).next()).result;
	isPlain(await list({}));
	const { tools: known } = await list({ extensions: { 'dev.hustings/mgp': MGP } });
	assert.equal(known.find((one) => one.name === 'think').security.risk_level, 'safe');
	isPlain(await list({}));
});

test('2.4.3 two sessions of one principal, one with mgp and one without, do not mix', async () => {
	const url = house.url('mind.cerebras');
	const token = await house.token('ann');
	const [knows, knowsNot] = [await MgpClient.legacy(url, { token }), await MgpClient.legacy(url, { token, mgp: null })];
	assert.ok((await knows.tools()).get('think').security);
	assert.equal((await knowsNot.tools()).get('think').security, undefined);
	await Promise.all([knows.close(), knowsNot.close()]);
});
