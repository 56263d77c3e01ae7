// SPDX-License-Identifier: Apache-2.0
// MGP 16.7 and 16.8: the tools of a session, pinned and cached, how they leave it, and the budget that they are kept within.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from './lib/mgp_house.mjs';
import { EXTENSIONS, MIND, mind, office, processing, terminal } from './lib/mgp_tools.mjs';
import { until } from './lib/wait.mjs';

const SESSION = 'mgp/tools/session';
const EVICT = 'mgp/tools/session/evict';
/** The budget of MGP 16.8. */
const BUDGET = { max_tokens: 8000, pinned_reserve: 2000, discovery_reserve: 3000, cache_limit: 3000 };
const PINNED = ['mind.think', 'mind.store', 'mind.recall'];
const kernel = { ...FREE, pinned: PINNED, tool_context_budget: BUDGET };
const house = await MgpHouse.forFile({ kernel, servers: [mind(), terminal(), processing(), office()] });
await house.allConnected();

let agents = 0;
const newcomer = (era = 'legacy', where = '/mcp') => house.client(`agent-${agents += 1}`, where, { era });
const session = (client) => client.ask(SESSION, {});
const evict = (client, ...tools) => client.ask(EVICT, { tools, reason: 'no_longer_needed' });
const cached = async (client) => [...(await session(client)).cached].sort();

/** Uses tools under the names that discover hands out. */
async function use(client, ...queries) {
	for (const [query, args] of queries) {
		const { tools: [tool] } = await client.ask('mgp/tools/discover', { query, max_results: 1 });
		await client.text(tool.call_name, args);
	}
}
const READ = ['read_file', { path: 'a.txt' }];
const ANALYZE = ['analyze_csv', { csv: '1,2' }];

for (const era of ['legacy', 'modern']) {
	test(`16.7 the session of the text: pinned, cached, tokens and their limit (${era})`, async () => {
		const client = await newcomer(era);
		const empty = await session(client);
		assert.deepEqual(empty.cached, []);
		await use(client, READ, ANALYZE);
		const { jsonrpc, id, result } = await client.request(SESSION, {}, { id: 52, trace: null });
		assert.deepEqual([jsonrpc, id], ['2.0', 52]);
		assert.deepEqual([...result.pinned].sort(), ['recall', 'store', 'think']);
		assert.deepEqual([...result.cached].sort(), ['analyze_csv', 'read_file']);
		assert.equal(result.max_tokens, 8000);
		assert.ok(Number.isInteger(result.total_tokens) && result.total_tokens > empty.total_tokens);
	});

	test(`16.7 the eviction of the text frees what it names (${era})`, async () => {
		const client = await newcomer(era);
		await use(client, READ, ANALYZE);
		const before = await session(client);
		const { id, result } = await client.request(EVICT, { tools: ['analyze_csv'], reason: 'no_longer_needed' }, { id: 53, trace: null });
		assert.equal(id, 53);
		assert.deepEqual([result.evicted, result.not_found, result.pinned], [['analyze_csv'], [], []]);
		assert.ok(result.total_tokens < before.total_tokens);
		const after = await session(client);
		assert.deepEqual([after.cached, after.total_tokens], [['read_file'], result.total_tokens]);
		assert.ok(await client.text('office__get_weather', { city: 'Bremen' }));
		await use(client, ANALYZE);
		assert.deepEqual(await cached(client), ['analyze_csv', 'get_weather', 'read_file'], 'what is used again is back');
	});

	test(`16.7 pinned tools are not evicted, unknown ones are not found, a name may have its server before it (${era})`, async () => {
		const client = await newcomer(era);
		await use(client, READ);
		const answer = await evict(client, 'think', 'tool.terminal.read_file', 'nothing', 'grep');
		assert.deepEqual([answer.evicted.length, answer.not_found, answer.pinned], [1, ['nothing', 'grep'], ['think']]);
		assert.match(answer.evicted[0], /read_file$/);
		assert.deepEqual((await session(client)).cached, []);
		assert.equal((await session(client)).pinned.length, 3);
	});

	test(`16.7 what was discovered and not used is not kept (${era})`, async () => {
		const client = await newcomer(era);
		const { tools } = await client.ask('mgp/tools/discover', { query: 'read file contents' });
		assert.ok(tools.length > 0);
		assert.deepEqual((await session(client)).cached, []);
	});

	test(`16.7 pinned tools are not cached by being used (${era})`, async () => {
		const client = await newcomer(era);
		await client.text('mind__think', { text: 'x' });
		const { pinned, cached: kept } = await session(client);
		assert.deepEqual([pinned.length, kept], [3, []]);
	});

	test(`16.7 another principal's session is its own (${era})`, async () => {
		const [one, two] = [await newcomer(era), await newcomer(era)];
		await use(one, READ);
		assert.deepEqual(await cached(two), []);
		assert.deepEqual((await evict(two, 'read_file')).not_found, ['read_file']);
		assert.deepEqual(await cached(one), ['read_file']);
	});

	test(`16.7 an eviction of the wrong form is refused, and names what is wrong (${era})`, async () => {
		const client = await newcomer(era);
		await use(client, READ);
		for (const tools of [undefined, null, 'read_file', 7, {}, [7], [null], [['read_file']]]) {
			const error = await client.refusal(EVICT, { tools });
			assert.equal(error.code, -32602, JSON.stringify(tools));
			assert.match(error.message, /tools/);
		}
		assert.equal((await client.refusal(EVICT, { tools: ['read_file'], reason: 7 })).code, -32602);
		for (const tools of [Array(20_000).fill('read_file'), ['x'.repeat(500_000)]]) {
			const { result, error } = await client.request(EVICT, { tools });
			assert.ok(error?.code === -32602 || result.total_tokens >= 0);
		}
		assert.equal((await session(client)).pinned.length, 3);
	});

	test(`16.7 session and evict are tools as well (${era})`, async () => {
		const client = await newcomer(era);
		await use(client, READ);
		const { result } = await client.call('mgp_tools_session');
		assert.deepEqual(JSON.parse(result.content[0].text).cached, ['read_file']);
		const gone = await client.call('mgp_tools_session_evict', { tools: ['read_file'], reason: 'no_longer_needed' });
		assert.deepEqual(JSON.parse(gone.result.content[0].text).evicted, ['read_file']);
	});
}

test('16.7 a session is the MCP session: two of one principal do not share, and a new one is empty', async () => {
	const id = `agent-${agents += 1}`;
	const [one, two] = [await house.client(id, '/mcp'), await house.client(id, '/mcp')];
	await use(one, READ);
	assert.deepEqual([await cached(one), await cached(two)], [['read_file'], []]);
	await one.close();
	assert.deepEqual(await cached(await house.client(id, '/mcp')), []);
});

test('16.7 in the modern era a session is the principal', async () => {
	const id = `agent-${agents += 1}`;
	const [one, two] = [await house.client(id, '/mcp', { era: 'modern' }), await house.client(id, '/mcp', { era: 'modern' })];
	await use(one, READ);
	assert.deepEqual(await cached(two), ['read_file']);
});

test('16.7 names are bare unless two servers have the same', async (t) => {
	const twin = (id) => new Outsider(id, { extensions: EXTENSIONS, tools: [MIND[0]] });
	const own = await MgpHouse.forTest(t, { servers: [twin('left'), twin('right'), office()] });
	await own.allConnected();
	const client = await own.client('ann', '/mcp');
	await client.text('left__think', { text: 'x' });
	await client.text('office__get_weather', { city: 'Bremen' });
	await client.text('right__think', { text: 'x' });
	assert.deepEqual([...(await session(client)).cached].sort(), ['get_weather', 'left.think', 'right.think']);
	assert.deepEqual((await evict(client, 'left.think')).evicted.length, 1);
	assert.ok((await session(client)).cached.some((one) => one === 'think' || one === 'right.think'));
});

test('16.8 over the limit of the cache the least recently used tools leave it, pinned ones never', async (t) => {
	const long = (name) => ({ name, description: `${name} ${'does one thing at a time '.repeat(30)}`, annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } });
	const many = new Outsider('many', { plain: true, tools: ['a1', 'b2', 'c3', 'd4', 'p9'].map(long) });
	const limited = { ...BUDGET, cache_limit: 700 };
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, pinned: ['many.p9'], tool_context_budget: limited }, servers: [many] });
	await own.allConnected();
	const client = await own.client('ann', '/mcp');
	const all = await client.tools();
	const size = JSON.stringify(all.get('many__a1')).length / 4;
	assert.ok(size * 3 < 700 && size * 4 > 700, `three fit and four do not: ${size}`);
	for (const name of ['a1', 'b2', 'c3'])
		await client.text(`many__${name}`);
	assert.deepEqual(await cached(client), ['a1', 'b2', 'c3']);
	await client.text('many__a1');
	await client.text('many__p9');
	await client.text('many__d4');
	assert.deepEqual(await cached(client), ['a1', 'c3', 'd4'], 'b2 was not used for the longest time');
	const { pinned, total_tokens, max_tokens } = await session(client);
	assert.deepEqual(pinned, ['p9']);
	assert.ok(total_tokens <= max_tokens);
	assert.ok(await client.text('many__b2'), 'what has left is still callable');
	assert.deepEqual(await cached(client), ['a1', 'b2', 'd4'].sort());
});

test('16.8 a token is four characters of a definition: the sum of a session is that of its tools', async () => {
	const client = await newcomer();
	const empty = await session(client);
	const [pinned, found] = [await house.client('ann', 'mind'), await house.client('ann', 'tool.terminal')];
	const estimate = (tools) => tools.reduce((sum, tool) => sum + JSON.stringify(tool).length / 4, 0);
	const isNear = (tokens, expected) => assert.ok(tokens > expected * 0.6 && tokens < expected * 1.4, `${tokens}, expected about ${expected}`);
	isNear(empty.total_tokens, estimate([...(await pinned.tools()).values()].filter(({ name }) => ['think', 'store', 'recall'].includes(name))));
	await use(client, READ);
	isNear((await session(client)).total_tokens - empty.total_tokens, estimate([(await found.tools()).get('read_file')]));
});

test('16.8 the numbers of the budget are those of the configuration', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, tool_context_budget: { ...BUDGET, max_tokens: 5000, pinned_reserve: 1000, discovery_reserve: 2000, cache_limit: 2000 } }, servers: [office()] });
	await own.allConnected();
	const { pinned, cached: kept, total_tokens, max_tokens } = await session(await own.client('ann', '/mcp'));
	assert.deepEqual([pinned, kept, total_tokens, max_tokens], [[], [], 0, 5000]);
});

test('16.7 what is pinned and what the budget is may be changed while the gateway runs', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, pinned: ['mind.think'], tool_context_budget: BUDGET }, servers: [mind(), office()] });
	await own.allConnected();
	const client = await own.client('ann', '/mcp');
	assert.deepEqual((await session(client)).pinned, ['think']);
	const file = own.gateway.configFile;
	writeFileSync(file, readFileSync(file, 'utf8').replace('"mind.think"', '"mind.store", "office.get_weather"').replace('max_tokens = 8000', 'max_tokens = 6000'));
	own.gateway.signal('SIGHUP');
	await until(async () => (await session(client)).max_tokens === 6000, 'the new budget');
	assert.deepEqual([...(await session(client)).pinned].sort(), ['get_weather', 'store']);
});

test('16.7 pinned and cached tools that one may not use, or no longer, are in nobody\'s session', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...kernel, default_policy: 'opt-in' }, servers: [mind(), office()] });
	await own.allConnected();
	const client = await own.client('ann', '/mcp');
	const none = await session(client);
	assert.deepEqual([none.pinned, none.cached, none.total_tokens], [[], [], 0]);
	assert.deepEqual((await evict(client, 'think')).not_found, ['think']);
	await own.grant('ann', 'mind');
	await own.grant('ann', 'office');
	await until(async () => (await session(client)).pinned.length === 3, 'pinned tools of a server that one may use');
	await client.text('office__get_weather', { city: 'Bremen' });
	assert.deepEqual(await cached(client), ['get_weather']);
	await (await own.admin('/mcp')).ask('mgp/access/revoke', { entry_type: 'server_grant', agent_id: 'ann', server_id: 'office' });
	await until(async () => (await session(client)).cached.length === 0, 'what is taken back leaves the session');
});

test('16.7 a pinned tool that there is not is pinned for nobody, and the others are', async (t) => {
	const own = await MgpHouse.forTest(t, { kernel: { ...FREE, pinned: ['nobody.nothing', 'mind.nothing', 'mind.think'] }, servers: [mind(), office()] });
	await own.allConnected();
	const client = await own.client('ann', '/mcp');
	assert.deepEqual((await session(client)).pinned, ['think']);
	assert.deepEqual((await evict(client, 'nothing')).not_found, ['nothing']);
});

test('16.3 in the search face what is loaded is listed, what is evicted is listed no longer, and the client is told', async () => {
	const client = await (await newcomer('legacy', '/mcp?tools=search')).open();
	const told = () => client.all('notifications/tools/list_changed').length;
	const lists = async (name) => (await client.tools()).has(name);
	const { tools_loaded: [tool] } = await client.ask('mgp/tools/request', { reason: 'capability_gap', context: 'a task', requirements: { capabilities: ['weather forecast of a city'] } });
	assert.equal(tool.name, 'get_weather');
	await until(() => told() >= 1, 'it is told');
	assert.ok(await lists(tool.call_name));
	const before = told();
	assert.deepEqual((await evict(client, 'get_weather')).evicted, ['get_weather']);
	await until(() => told() > before, 'it is told again');
	assert.ok(!await lists(tool.call_name));
	assert.ok(await client.text(tool.call_name, { city: 'Bremen' }), 'it stays callable');
});

for (const era of ['legacy', 'modern']) {
	test(`16.3 pinned tools stand in the search face from the beginning, with the two that find others (${era})`, async () => {
		for (const client of [await house.plain(`agent-${agents += 1}`, '/mcp?tools=search', { era }), await newcomer(era, '/mcp?tools=search')]) {
			const names = [...(await client.tools()).keys()];
			for (const name of ['mind__think', 'mind__store', 'mind__recall', 'mgp_tools_discover', 'mgp_tools_request'])
				assert.ok(names.includes(name), name);
			assert.ok(!names.includes('office__get_weather'));
			await client.text('office__get_weather', { city: 'Bremen' });
			await until(async () => (await client.tools()).has('office__get_weather'), 'a tool that was used is listed');
		}
	});
}
