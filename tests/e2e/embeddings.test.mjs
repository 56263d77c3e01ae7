// SPDX-License-Identifier: Apache-2.0
// A provider of embeddings helps to find tools ([kernel.embeddings], docs/internals/search.md): what is sent to it, what it
// changes, and that words alone answer whenever it cannot.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EmbeddingsServer } from './lib/embeddings_server.mjs';
import { command, freshFolder } from './lib/gateway.mjs';
import { houseFor } from './lib/house.mjs';
import { modern } from './lib/mcp_wire.mjs';
import { FREE, Outsider } from './lib/mgp_house.mjs';
import { until } from './lib/wait.mjs';

const KEY = 'sk-a-key-that-nobody-may-see';
// "zarquon" is a word that no table of the gateway knows; the model knows that it means the same as "invoices".
const ALIKE = ['zarquon invoices', 'blorble weather'];
const TOOLS = [
	{ name: 'list_invoices', description: 'All invoices of a customer', inputSchema: { type: 'object', properties: { customer: { type: 'string' } } } },
	{ name: 'get_weather', description: 'The weather of a place', inputSchema: { type: 'object' } },
	{ name: 'send_letter', description: 'Sends a letter by post', inputSchema: { type: 'object' } },
	{ name: 'draw_chart', description: 'Draws a chart of numbers', inputSchema: { type: 'object' } },
	{ name: 'play_song', description: 'Plays a song on a speaker', inputSchema: { type: 'object' } },
	{ name: 'lock_door', description: 'Locks the door of the house', inputSchema: { type: 'object' } },
];

const kernel = (keys) => `[kernel]\n${Object.entries(FREE).map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('')}${keys}`;
const embeddings = (provider, more = {}) => `[kernel.embeddings]\n${Object.entries({ url: provider.url, model: 'test-model', key: KEY, timeout: '60s', ...more })
	.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join('')}`;

async function providerFor(t, options = {}) {
	const provider = await EmbeddingsServer.start({ alike: ALIKE, key: KEY, ...options });
	t.after(() => provider.close());
	return provider;
}

/** A gateway with one server of those tools that asks this provider. */
async function houseOf(t, provider, { more, tools = TOOLS, servers = [] } = {}) {
	const shop = new Outsider('shop', { tools });
	return houseFor(t, { open: true, config: kernel(embeddings(provider, more)) + shop.config + servers.map(({ config }) => config).join('') });
}

async function discover(gateway, query, more = {}, id = 'ann') {
	const answer = await (await modern(`${gateway.url}/mcp?id=${id}&tools=search`, 'tools/call',
		{ name: 'mgp_tools_discover', arguments: { query, ...more } })).next();
	assert.notEqual(answer.result?.isError, true, JSON.stringify(answer));
	return JSON.parse(answer.result.content[0].text);
}

const known = (gateway, count) => until(async () => (await discover(gateway, 'weather', { strategy: 'keyword' })).total_available >= count, `${count} tools are known`);
const embedded = (provider, count) => until(() => provider.inputs.filter((text) => text.startsWith('shop ')).length >= count, `${count} tools were sent`);
const byModel = (gateway, query) => until(async () => {
	const answer = await discover(gateway, query);
	return answer.semantic_source === 'embeddings' && answer;
}, 'the model has a part in it');

/** Waits until every tool has its vector, as far as this question shows it. */
const foundFirst = (gateway, query, name) => until(async () => {
	const answer = await discover(gateway, query);
	return answer.semantic_source === 'embeddings' && answer.tools[0]?.name === name && answer;
}, `${name} is the first for ${query}`);

test('a tool is found by what the model knows and words do not', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider);
	const answer = await foundFirst(gateway, 'zarquon', 'list_invoices');
	assert.equal(answer.search_strategy, 'semantic');
	assert.equal(answer.total_available, TOOLS.length);
	const scores = answer.tools.map((tool) => tool.relevance_score);
	assert.deepEqual(scores, scores.toSorted((a, b) => b - a), 'the best comes first');
	assert.ok(scores.every((score) => score > 0 && score <= 1));
	const words = await discover(gateway, 'zarquon', { strategy: 'keyword' });
	assert.ok(!words.tools.some(({ name }) => name === 'list_invoices'), 'words alone do not find it');
});

test('tools go in batches, once, with the key; a question that comes again is not sent again', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider, { more: { batch: 4, dimensions: 64 } });
	await byModel(gateway, 'blorble');
	await embedded(provider, TOOLS.length);
	await byModel(gateway, 'blorble');
	const tools = provider.inputs.filter((text) => text.startsWith('shop '));
	assert.deepEqual(tools.toSorted(), [...new Set(tools)].toSorted(), 'each once');
	assert.equal(tools.length, TOOLS.length);
	assert.equal(tools.find((text) => text.includes('list_invoices')), 'shop list_invoices\nAll invoices of a customer\nparameters: customer');
	assert.equal(provider.inputs.filter((text) => text === 'blorble').length, 1);
	for (const { model, input, dimensions, headers, path } of provider.requests) {
		assert.deepEqual([model, dimensions, path], ['test-model', 64, '/v1/embeddings']);
		assert.ok(input.length <= 4);
		assert.equal(headers.authorization, `Bearer ${KEY}`);
	}
	assert.ok(!gateway.stderr.includes(KEY), 'the key is in no log');
});

test('what a filter leaves out has no part in it', async (t) => {
	const provider = await providerFor(t);
	const hidden = new Outsider('vault', { tools: [{ name: 'zarquon_keeper', description: 'zarquon', inputSchema: { type: 'object' } }] }, { default_policy: 'opt-in' });
	const gateway = await houseOf(t, provider, { servers: [hidden] });
	await byModel(gateway, 'zarquon');
	await until(() => provider.inputs.some((text) => text.startsWith('vault ')), 'the hidden tool has a vector');
	const answer = await byModel(gateway, 'zarquon');
	assert.deepEqual(answer.tools.map(({ server_id: server }) => server).filter((server) => server !== 'shop'), []);
	assert.equal(answer.total_available, TOOLS.length);
	const nothing = await discover(gateway, 'zarquon', { filter: { categories: ['none'] } });
	assert.deepEqual([nothing.total_available, nothing.semantic_source], [0, 'lexical'], 'vectors of tools that are left out say nothing');
});

test('a provider that is too slow for a question: words answer, and say so', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider, { more: { timeout: '50ms' } });
	await known(gateway, TOOLS.length);
	await embedded(provider, TOOLS.length);
	const held = [];
	provider.always = (asked, response) => { held.push(response); };
	const answer = await until(async () => {
		const one = await discover(gateway, 'weather of a place');
		return held.length > 0 && one;
	}, 'a question was held');
	assert.equal(answer.semantic_source, 'lexical');
	assert.equal(answer.tools[0].name, 'get_weather');
	provider.always = undefined;
});

for (const [what, answer] of [
	['an error of its own', (asked, response) => EmbeddingsServer.send(response, '{"error":"down"}', 503)],
	['no JSON', (asked, response) => EmbeddingsServer.send(response, 'hello')],
	['a number that is none', (asked, response) => EmbeddingsServer.send(response, '{"data":[{"index":0,"embedding":[NaN]}]}')],
	['nothing but zeros', (asked, response) => EmbeddingsServer.send(response, { data: [{ index: 0, embedding: new Array(64).fill(0) }] })],
	['other dimensions', (asked, response) => EmbeddingsServer.send(response, { data: [{ index: 0, embedding: [1, 2, 3] }] })],
	['too many vectors', (asked, response, data) => EmbeddingsServer.send(response, { data: [...data, ...data] })],
	['an answer without an end', (asked, response) => {
		const flow = () => { while (!response.destroyed && response.write('[1,'.repeat(20000))); };
		response.writeHead(200).on('drain', flow);
		flow();
	}],
	['a redirect', (asked, response) => { response.writeHead(307, { Location: asked.path }).end(); }],
]) {
	test(`a provider that answers ${what}: words answer, and say so`, async (t) => {
		const provider = await providerFor(t);
		const gateway = await houseOf(t, provider);
		await embedded(provider, TOOLS.length);
		await foundFirst(gateway, 'blorble', 'get_weather');
		provider.answers.push(answer);
		const found = await discover(gateway, 'send a letter by post');
		assert.equal(found.semantic_source, 'lexical');
		assert.equal(found.tools[0].name, 'send_letter');
		assert.equal(provider.answers.length, 0, 'it was asked');
	});
}

test('tools whose request fails are sent again later, and a batch that is too much in halves', async (t) => {
	const provider = await providerFor(t);
	provider.answers.push((asked, response) => EmbeddingsServer.send(response, '{}', 503));
	provider.always = (asked, response, data) => EmbeddingsServer.send(response, asked.input.length > 2 ? '{"error":"too many"}' : { data }, asked.input.length > 2 ? 413 : 200);
	const gateway = await houseOf(t, provider);
	await until(() => new Set(provider.requests.filter(({ input }) => input.length <= 2).flatMap(({ input }) => input)
		.filter((text) => text.startsWith('shop '))).size === TOOLS.length, 'every tool went in small batches');
	await foundFirst(gateway, 'zarquon', 'list_invoices');
});

test('a provider that refuses the key is not asked again', async (t) => {
	const provider = await providerFor(t, { key: 'another' });
	const gateway = await houseOf(t, provider);
	await known(gateway, TOOLS.length);
	await until(() => gateway.stderr.includes('is asked no more'), 'it is told to whoever reads the log');
	const asked = provider.requests.length;
	const answer = await discover(gateway, 'weather of a place');
	assert.equal(answer.semantic_source, 'lexical');
	assert.equal(answer.tools[0].name, 'get_weather');
	assert.equal(provider.requests.length, asked);
	assert.ok(!gateway.stderr.includes(KEY));
});

test('another configuration is taken up while it runs', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseFor(t, { open: true, config: kernel('') + new Outsider('shop', { tools: TOOLS }).config });
	await known(gateway, TOOLS.length);
	const before = await discover(gateway, 'weather of a place');
	assert.equal(before.semantic_source, 'lexical');
	const shop = new Outsider('shop', { tools: TOOLS });
	writeFileSync(gateway.configFile, kernel(embeddings(provider)) + shop.config);
	gateway.signal('SIGHUP');
	await foundFirst(gateway, 'zarquon', 'list_invoices');
	writeFileSync(gateway.configFile, kernel('') + shop.config);
	gateway.signal('SIGHUP');
	await until(async () => (await discover(gateway, 'zarquon')).semantic_source === 'lexical', 'none is asked any more');
});

test('so many questions wait for it at most; one more is answered by words at once, and an MGP client hears why', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider);
	await embedded(provider, TOOLS.length);
	await foundFirst(gateway, 'blorble', 'get_weather');
	const held = [];
	provider.always = (asked, response, data) => { held.push(() => EmbeddingsServer.send(response, { data })); };
	const waiting = Array.from({ length: 64 }, (_, at) => discover(gateway, `weather ${at}`, {}, `asker${at}`));
	await until(() => held.length === 64, 'all of them wait');
	const answer = await (await modern(`${gateway.url}/mcp?id=last`, 'mgp/tools/discover', { query: 'lock the door' },
		{ capabilities: { extensions: { 'dev.hustings/mgp': { version: '0.2.0', extensions: ['tool_discovery'] } } } })).next();
	assert.equal(answer.result?.semantic_source, 'lexical', JSON.stringify(answer));
	assert.match(answer.result.note, /Too many questions wait/);
	assert.equal(answer.result.tools[0].name, 'lock_door');
	assert.equal(held.length, 64, 'it was not sent');
	held.forEach((release) => release());
	for (const { semantic_source: source } of await Promise.all(waiting))
		assert.equal(source, 'embeddings');
});

test('after five questions in vain none is sent for a while', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider);
	await embedded(provider, TOOLS.length);
	await foundFirst(gateway, 'blorble', 'get_weather');
	provider.always = (asked, response) => EmbeddingsServer.send(response, '{}', 500);
	const before = provider.requests.length;
	for (let at = 0; at < 5; at += 1)
		assert.equal((await discover(gateway, `send a letter ${at}`)).semantic_source, 'lexical');
	assert.equal(provider.requests.length, before + 5);
	assert.equal((await discover(gateway, 'send a letter again')).tools[0].name, 'send_letter');
	assert.equal(provider.requests.length, before + 5, 'the sixth is not sent');
});

test('who hangs up is forgotten, a reload answers who waits by words, and a gateway that ends waits for nobody', async (t) => {
	const provider = await providerFor(t);
	const gateway = await houseOf(t, provider);
	await embedded(provider, TOOLS.length);
	await foundFirst(gateway, 'blorble', 'get_weather');
	const held = [];
	provider.always = (asked, response) => { held.push(asked.input[0]); response.on('error', () => {}); };
	const leaver = new AbortController();
	const left = modern(`${gateway.url}/mcp?id=leaver&tools=search`, 'tools/call',
		{ name: 'mgp_tools_discover', arguments: { query: 'a letter that nobody waits for' } }, { signal: leaver.signal })
		.then((answer) => answer.next()).catch((error) => error.name);
	await until(() => held.includes('a letter that nobody waits for'), 'its question is held');
	leaver.abort();
	assert.equal(await left, 'AbortError');
	const waiting = discover(gateway, 'lock the door');
	await until(() => held.includes('lock the door'), 'the next question is held');
	writeFileSync(gateway.configFile, readFileSync(gateway.configFile, 'utf8').replace('test-model', 'other-model'));
	gateway.signal('SIGHUP');
	const answer = await waiting;
	assert.equal(answer.semantic_source, 'lexical');
	assert.equal(answer.tools[0].name, 'lock_door');
	await until(() => provider.requests.some(({ model, input }) => model === 'other-model' && input.some((text) => text.startsWith('shop '))), 'the other model is asked for the tools');
	await gateway.stop();
});

for (const [what, keys, words] of [
	['no URL', { url: 'ftp://host/v1' }, /kernel\.embeddings\.url: begins with/],
	['no model', { model: '' }, /needs kernel\.embeddings\.model/],
	['a key in the clear', { url: 'http://embeddings.example/v1/embeddings' }, /a key goes over https/],
	['a host that begins like this machine', { url: 'http://localhost.example/v1/embeddings' }, /a key goes over https/],
	['a user in the URL', { url: 'https://ann:secret@embeddings.example/v1' }, /names a host, and no user/],
	['a key with a line end', { key: 'a\r\nb' }, /kernel\.embeddings\.key/],
	['too large a batch', { batch: 513 }, /kernel\.embeddings\.batch/],
	['too long a time', { timeout: '61s' }, /kernel\.embeddings\.timeout/],
]) {
	test(`a configuration with ${what} is refused`, async () => {
		const file = join(freshFolder(), 'bad.toml');
		writeFileSync(file, embeddings({ url: 'https://embeddings.example/v1/embeddings' }, keys));
		const { code, stderr } = await command(['serve', '--config', file, '--data', freshFolder(), '--listen', '127.0.0.1:0', '--open']);
		assert.notEqual(code, 0);
		assert.match(stderr, words);
		assert.ok(!stderr.includes(KEY));
	});
}
