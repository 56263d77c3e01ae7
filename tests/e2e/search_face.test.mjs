// SPDX-License-Identifier: Apache-2.0
// The search face: any MCP client finds tools instead of having all of them in its model's context (MGP 16,
// docs/finding-tools.md).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allListed, find, measureBudget, sixtyTools, tokensOf } from './lib/context_budget.mjs';
import { BINARY, command, freshFolder, Gateway } from './lib/gateway.mjs';
import { entry, published } from './lib/hosted.mjs';
import { legacy, modern, post } from './lib/mcp_wire.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { until } from './lib/wait.mjs';

const META = ['mgp_tools_discover', 'mgp_tools_request'];
const PINNED = 'thinking__sequentialthinking';
const setup = sixtyTools();
let gateway;

before(async () => {
	gateway = await Gateway.start({ open: true, config: setup.config });
	const client = await RealClient.connect('sdk', { url: `${gateway.url}/mcp?id=first` });
	await allListed(client, setup.servers);
	await until(async () => (await discover('first', 'think step by step')).total_available >= 60, 'the index knows 60 tools');
	await client.close();
});
after(() => gateway.finish());

const names = (tools) => tools.map(({ name }) => name).sort();
const connect = (kind, id, path = '/mcp', more = 'tools=search') =>
	RealClient.connect(kind, { url: `${gateway.url}${path}${kind === 'old' ? '/sse' : ''}?id=${id}${more ? `&${more}` : ''}` });

/** One question by a plain modern client, without a session. */
async function discover(id, query, more = {}, url = gateway.url) {
	const answer = await (await modern(`${url}/mcp?id=${id}&tools=search`, 'tools/call',
		{ name: 'mgp_tools_discover', arguments: { query, ...more } })).next();
	assert.notEqual(answer.result?.isError, true, JSON.stringify(answer));
	return JSON.parse(answer.result.content[0].text);
}

for (const kind of [...KINDS, 'old']) {
	test(`${kind}: two tools are listed, and what they find is called without listing again`, async () => {
		const client = await connect(kind, `two-${kind}`);
		assert.deepEqual(names(await client.tools()), META);
		assert.equal(client.client.getServerCapabilities().tools.listChanged, true);
		const words = client.client.getInstructions();
		assert.match(words, /mgp_tools_discover/);
		assert.match(words, /Servers here: .*\bmemory\b/);
		const found = await find(client, 'read a text file');
		assert.equal(found.tools[0].call_name.endsWith('files__read_text_file'), true, JSON.stringify(found.tools[0]));
		assert.ok(found.tools[0].inputSchema.properties.path, 'its schema is there');
		assert.match(await client.text('files__read_text_file', { path: setup.letter }), /Dear all,/);
		await client.close();
	});
}

test('the dotted names are accepted, and the text is the only content', async () => {
	const client = await connect('sdk', 'dots');
	const result = await client.call('mgp.tools.discover', { query: 'echo a message' });
	assert.equal(result.structuredContent, undefined);
	assert.equal(result.content.length, 1);
	assert.equal(result.content[0].text, JSON.stringify(JSON.parse(result.content[0].text)), 'it is compact');
	assert.equal(JSON.parse(result.content[0].text).tools[0].call_name, 'everything__echo');
	await client.close();
});

for (const kind of KINDS) {
	test(`${kind}: a tool that was called stands in the list, which the client is told`, async () => {
		const client = await connect(kind, `told-${kind}`);
		if (kind === 'modern')
			await client.client.listen({ toolsListChanged: true });
		assert.deepEqual(names(await client.tools()), META);
		await client.text('everything__echo', { message: 'hello' });
		await until(() => client.heard.some(({ method }) => method === 'notifications/tools/list_changed'), 'it is told');
		await until(async () => names(await client.tools()).includes('everything__echo'), 'it is listed');
		await client.close();
	});
}

test('a session has its own list', async () => {
	const one = await connect('sdk', 'same');
	const other = await connect('sdk', 'same');
	await one.text('everything__echo', { message: 'hello' });
	await until(async () => names(await one.tools()).includes('everything__echo'), 'it is listed where it was called');
	assert.deepEqual(names(await other.tools()), META);
	await one.close();
	await other.close();
});

test('a request loads the tools of a whole task', async () => {
	const client = await connect('sdk', 'loads');
	const result = await client.text('mgp_tools_request', { reason: 'capability_gap', context: 'notes about people',
		requirements: { capabilities: ['create entities in a knowledge graph', 'echo a message'] } });
	const { status, tools_loaded: loaded } = JSON.parse(result);
	assert.equal(status, 'fulfilled', result);
	assert.ok(loaded.some((tool) => tool.call_name === 'everything__echo'), result);
	const listed = names(await client.tools());
	for (const { call_name: name } of loaded)
		assert.ok(listed.includes(name), `${name} is listed: ${listed}`);
	await client.close();
});

test('a plain client has these two of the kernel\'s tools, and at a search face alone', async () => {
	const searching = await connect('sdk', 'plain');
	for (const name of ['mgp_access_query', 'mgp_tools_session', 'mgp.tools.categories', 'mgp_discovery_list'])
		await assert.rejects(searching.call(name, { server_id: 'files' }), /-32602/, name);
	const plain = await connect('sdk', 'plain', '/mcp', '');
	assert.ok(!names(await plain.tools()).some((name) => META.includes(name)));
	await assert.rejects(plain.call('mgp_tools_discover', { query: 'echo' }), /-32602/);
	await searching.close();
	await plain.close();
});

test('an MGP client has what it negotiated, once', async () => {
	const capabilities = { extensions: { 'dev.hustings/mgp': { version: '0.2.0',
		extensions: ['security', 'tool_discovery', 'lifecycle'] } } };
	const list = await (await modern(`${gateway.url}/mcp?id=mgp&tools=search`, 'tools/list', {}, { capabilities })).next();
	const listed = names(list.result.tools);
	for (const name of META)
		assert.equal(listed.filter((one) => one === name).length, 1, `${listed}`);
	assert.ok(listed.includes('mgp_health_ping'), `${listed}`);
	assert.ok(!listed.includes('everything__echo'), `${listed}`);
	assert.equal(list.result.cacheScope, 'private');
});

test('what is wrong with a question is its result, which a model reads', async () => {
	const client = await connect('sdk', 'wrong');
	for (const args of [{ query: 'x'.repeat(5000) }, { query: 'x', strategy: 'guess' }, { query: 'x', max_results: 0 },
		{ query: 7 }, { query: 'x', filter: { risk_level_max: 'none' } }]) {
		const result = await client.call('mgp_tools_discover', args);
		assert.equal(result.isError, true, JSON.stringify([args, result]).slice(0, 300));
		assert.match(result.content[0].text, /query|strategy|max_results|risk_level_max/);
	}
	await client.close();
});

test('a query that says neither all nor search is refused', async () => {
	const answer = await gateway.request('POST', '/mcp?tools=some', { headers: { accept: 'application/json, text/event-stream' },
		body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } } });
	assert.equal(answer.status, 400);
	assert.match(answer.json.message, /all or search/);
});

for (const kind of KINDS) {
	test(`${kind}: the face of one server finds its tools by their own names`, async () => {
		const client = await connect(kind, `one-${kind}`, '/mcp/servers/memory');
		assert.deepEqual(names(await client.tools()), META);
		const found = await find(client, 'create entities');
		assert.equal(found.tools[0].call_name, 'create_entities');
		assert.ok(found.tools.every((tool) => tool.server_id === 'memory'));
		assert.ok(found.total_available < 20, `${found.total_available} tools of one server`);
		assert.match(await client.text('read_graph'), /entities/);
		await until(async () => names(await client.tools()).includes('read_graph'), 'it is listed');
		await client.close();
	});
}

test('a legacy session stays what it was at initialize', async () => {
	const searching = await legacy(`${gateway.url}/mcp?id=stays&tools=search`);
	const list = async (url) => {
		const headers = { 'mcp-session-id': searching.id, 'mcp-protocol-version': '2025-11-25' };
		const answer = await post(url, { jsonrpc: '2.0', id: 9, method: 'tools/list' }, { headers });
		return names((await answer.next()).result.tools);
	};
	assert.deepEqual(await list(`${gateway.url}/mcp?id=stays`), META);
	assert.deepEqual(await list(`${gateway.url}/mcp?id=stays&tools=all`), META);
});

test('the host of an MCP client over stdio asks for it by --tools search', async () => {
	const token = await gateway.token({ id: 'ann', privilege: 'full' }).catch(() => undefined);
	const args = ['mcp', '--url', gateway.url, ...(token ? ['--token', token] : []), '--tools', 'search'];
	const client = await RealClient.connect('sdk', { args, command: BINARY, home: freshFolder() });
	assert.deepEqual(names(await client.tools()), META);
	assert.equal((await find(client, 'echo a message')).tools[0].call_name, 'everything__echo');
	await client.close();
	const wrong = await command(['mcp', '--tools', 'some']);
	assert.notEqual(wrong.code, 0);
	assert.match(wrong.stderr, /--tools has to be all or search/);
});

test('hustings tools --find shows what fits, the best first', async () => {
	const hustings = (...words) => command(['tools', '--url', gateway.url, ...words]);
	const table = await hustings('--find', 'read a text file');
	assert.equal(table.code, 0, table.stderr);
	const lines = table.stdout.trim().split('\n');
	assert.match(lines[0], /^SCORE +TOOL +RISK +WHAT IT DOES$/);
	assert.match(lines[1], /^(1|0\.\d+) +(more-)?files\.read_text_file +(safe|moderate|dangerous) +\S/);
	const json = await hustings('--find', 'read a text file', '--max', '2', '--json');
	assert.equal(JSON.parse(json.stdout).tools.length, 2);
	const one = await hustings('--server', 'memory', '--find', 'create entities', '--strategy', 'keyword');
	assert.match(one.stdout.split('\n')[1], /memory\.create_entities/);
	assert.ok(!one.stdout.includes('files.'));
	const none = await hustings('--find', 'zzqqxx vvkkjj');
	assert.equal(none.code, 0);
	assert.equal(none.stdout, '');
	assert.match(none.stderr, /no tool that you may use fits: say in a few words/);
	const all = await hustings('--max', '3');
	assert.equal(all.code, 2);
	assert.match(all.stderr, /belong to --find/);
	for (const words of [['room', '--find', 'x'], ['--find', 'x', '--max', '101'], ['--find', 'x', '--max', 'many']])
		assert.equal((await hustings(...words)).code, 2, words.join(' '));
	assert.equal((await hustings('--find', 'x', '--strategy', 'guess')).code, 1);
});

test('the configuration makes it what /mcp is, and pins tools', async () => {
	const other = await Gateway.start({ open: true,
		config: entry('everything', published('everything')) + entry('thinking', published('sequential-thinking'))
			+ '[kernel]\ntools = "search"\npinned = ["thinking.sequentialthinking"]\n' });
	const list = async (path) => {
		const client = await RealClient.connect('sdk', { url: `${other.url}${path}` });
		const listed = names(await client.tools());
		await client.close();
		return listed;
	};
	await until(async () => (await list('/mcp?id=ann')).join() === [...META, PINNED].join(), 'the two, and the pinned one');
	assert.ok((await list('/mcp?id=ann&tools=all')).includes('everything__echo'));
	assert.ok((await list('/mcp/servers/everything?id=ann')).includes('echo'), 'a server\'s own face is as it was');
	const shown = await command(['tools', '--url', other.url]);
	assert.match(shown.stdout, /everything__echo/, 'the command shows all');
	await other.finish();
});

test('who may use nothing finds nothing, and no trace of what there is', async () => {
	const closed = await Gateway.start({ config: entry('everything', published('everything')) });
	const token = await closed.token({ id: 'bot', privilege: 'full' });
	const admin = await closed.token({ id: 'boss', admin: true });
	const as = (who) => RealClient.connect('sdk', { url: `${closed.url}/mcp?tools=search`, token: who });
	const boss = await as(admin);
	await until(async () => (await find(boss, 'echo a message')).tools[0]?.call_name === 'everything__echo', 'an administrator finds it');
	const bot = await as(token);
	assert.deepEqual(names(await bot.tools()), META);
	const found = await find(bot, 'echo a message');
	assert.deepEqual([found.tools, found.total_available], [[], 0]);
	assert.ok(!bot.client.getInstructions().includes('Servers here'));
	await assert.rejects(bot.call('everything__echo', { message: 'x' }), /-32602/);
	await boss.close();
	await bot.close();
	await closed.finish();
});

test('a task of three calls costs a fifth of the tokens at most, with 60 tools', async (t) => {
	const budget = await measureBudget(gateway.url, setup);
	t.diagnostic(JSON.stringify(budget));
	assert.ok(budget.tools >= 60, `${budget.tools} tools`);
	const saved = (tokens) => 1 - tokens / budget.all;
	t.diagnostic(`saved: ${(100 * saved(budget.search)).toFixed(1)} %, ${(100 * saved(budget.listed)).toFixed(1)} % where found tools are listed`);
	assert.ok(saved(budget.search) >= 0.8, JSON.stringify(budget));
});

test('max_results as in the example of MGP 16.5 costs no more than a task may', async () => {
	const client = await connect('sdk', 'others');
	const plain = await connect('sdk', 'plain', '/mcp', 'tools=all');
	const all = tokensOf({ tools: await plain.tools() });
	for (const steps of [['list the files in a folder', 'search the knowledge graph', 'add two numbers'],
		['move or rename a file', 'delete an observation about a person', 'get the current weather for a city']]) {
		let used = tokensOf({ tools: await client.tools() });
		for (const step of steps)
			used += (await find(client, step, { max_results: 5 })).cost;
		assert.ok(used <= 0.2 * all, `${steps}: ${used} of ${all}`);
	}
	await client.close();
	await plain.close();
});
