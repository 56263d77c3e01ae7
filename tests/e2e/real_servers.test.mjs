// SPDX-License-Identifier: Apache-2.0
// Published servers, all behind one gateway at once: everything they offer stands at /mcp, the end of one
// is no matter of the others, and none of them outlives the gateway.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freshFolder, Gateway } from './lib/gateway.mjs';
import { allGone, birthOf, descendants, entry, killEach, processesWith, published, SDK_SERVER, serversOf } from './lib/hosted.mjs';
import { RealClient } from './lib/real_clients.mjs';
import { until } from './lib/wait.mjs';

const folder = realpathSync(freshFolder());
mkdirSync(join(folder, 'shared'));
writeFileSync(join(folder, 'shared', 'letter.txt'), 'Dear all,');
const CONFIG = entry('everything', published('everything'))
	+ entry('filesystem', published('filesystem'), [join(folder, 'shared')])
	+ entry('memory', published('memory'), [], `[servers.env]\nMEMORY_FILE_PATH = ${JSON.stringify(join(folder, 'memory.jsonl'))}\n`)
	+ entry('thinking', published('sequential-thinking'));
const IDS = ['everything', 'filesystem', 'memory', 'thinking'];

/** One call to each of the four that only it can answer. */
const ASK = {
	everything: async (client) => assert.match(await client.text('everything__echo', { message: 'hello' }), /hello/),
	filesystem: async (client) => assert.match(
		await client.text('filesystem__read_text_file', { path: join(folder, 'shared', 'letter.txt') }), /Dear all,/),
	memory: async (client) => assert.match(await client.text('memory__read_graph'), /entities/),
	thinking: async (client) => assert.match(await client.text('thinking__sequentialthinking',
		{ thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }), /thoughtNumber/),
};

let gateway;
let client;

before(async () => {
	gateway = await Gateway.start({ open: true, config: CONFIG });
	client = await RealClient.connect('sdk', { url: `${gateway.url}/mcp?id=ann` });
});

after(async () => {
	await client.close();
	await gateway.finish();
});

function belongsTo(tools, id) {
	return tools.filter((tool) => tool.name.startsWith(`${id}__`));
}

test('four servers show all of their tools at once', async () => {
	const tools = await until(async () => {
		const found = await client.tools();
		return IDS.every((id) => belongsTo(found, id).length > 0) && found;
	}, 'the tools of all four');
	assert.ok(tools.length >= 30, `${tools.length} tools`);
	assert.ok(belongsTo(tools, 'everything').length >= 12, 'everything');
	assert.ok(belongsTo(tools, 'filesystem').length >= 14, 'filesystem');
	assert.ok(belongsTo(tools, 'memory').length >= 9, 'memory');
	assert.equal(belongsTo(tools, 'thinking').length, 1);
	for (const { name } of tools)
		assert.match(name, /^[A-Za-z0-9_.-]{1,64}$/);
	assert.equal(new Set(tools.map((tool) => tool.name)).size, tools.length);
});

for (const id of IDS) {
	test(`${id} answers a call`, () => ASK[id](client));
}

test('what memory was told, it knows', async () => {
	await client.call('memory__create_entities', { entities: [
		{ name: 'Ada', entityType: 'person', observations: ['wrote the first program'] }] });
	assert.match(await client.text('memory__search_nodes', { query: 'Ada' }), /first program/);
});

test('when one is killed the others answer, and it comes back by itself', async () => {
	for (const id of IDS)
		await ASK[id](client);
	const victims = serversOf(gateway.pid, published('everything'));
	assert.ok(victims.length > 0, 'everything runs');
	const births = victims.map(birthOf).filter(Boolean);
	const others = ['filesystem', 'memory', 'sequential-thinking'].map((name) =>
		serversOf(gateway.pid, published(name)).map((pid) => [pid, birthOf(pid)]));
	killEach(victims);
	for (const id of IDS.slice(1))
		await ASK[id](client);
	const tools = await client.tools();
	for (const id of IDS.slice(1))
		assert.ok(belongsTo(tools, id).length > 0, `${id} is listed while everything is down`);
	await allGone(births);
	await until(async () => { await ASK.everything(client); return true; }, 'everything answers again');
	assert.ok(serversOf(gateway.pid, published('everything')).length > 0);
	for (const before of others)
		assert.ok(before.some(([pid, birth]) => birth !== undefined && birthOf(pid) === birth), 'the others run on undisturbed');
});

test('a session begun before a server was killed goes on after it', async () => {
	const mine = await RealClient.connect('sdk', { url: `${gateway.url}/mcp/servers/memory?id=bob` });
	try {
		assert.match(await mine.text('read_graph'), /entities/);
		const victims = serversOf(gateway.pid, published('memory'));
		const births = victims.map(birthOf).filter(Boolean);
		killEach(victims);
		await allGone(births);
		await until(async () => /entities/.test(await mine.text('read_graph')), 'the same session answers again');
	} finally {
		await mine.close();
	}
});

test('no child survives a gateway that is killed, npx and one that called setsid included', async () => {
	const marker = `offspring-${randomUUID()}`;
	const byNpx = '[[servers]]\nid = "npx"\ncommand = "npx"\nargs = ["--no-install", "mcp-server-memory"]\n'
		+ `cwd = ${JSON.stringify(fileURLToPath(new URL('..', import.meta.url)))}\n`;
	const mine = await Gateway.start({ open: true, config: CONFIG + byNpx + entry('maker', SDK_SERVER, [marker]) });
	const maker = await RealClient.connect('sdk', { url: `${mine.url}/mcp?id=ann` });
	try {
		for (const id of IDS)
			await until(async () => { await ASK[id](maker); return true; }, `${id} answers`);
		await until(async () => /entities/.test(await maker.text('npx__read_graph')), 'the one by npx answers');
		await maker.text('maker__offspring', { marker });
		await until(() => processesWith(marker).filter((pid) => processesWith('setsid').includes(pid)).length > 0
			&& processesWith('plain').some((pid) => processesWith(marker).includes(pid)), 'both of its children run');
		const family = [...new Set([...descendants(mine.pid), ...processesWith(marker)])];
		assert.ok(family.length >= 9, `${family.length} processes`);
		const births = family.map(birthOf).filter((birth) => birth !== undefined);
		await mine.kill9();
		await allGone(births);
		assert.deepEqual(processesWith(marker), []);
	} finally {
		await maker.close().catch(() => {});
	}
});

test('no child survives a gateway that ends on its own', async () => {
	const marker = `offspring-${randomUUID()}`;
	const mine = await Gateway.start({ open: true, config: entry('maker', SDK_SERVER, [marker]) });
	const maker = await RealClient.connect('sdk', { url: `${mine.url}/mcp?id=ann` });
	await maker.text('maker__offspring', { marker });
	await until(() => processesWith(marker).some((pid) => processesWith('setsid').includes(pid)), 'its child runs');
	const births = [...new Set([...descendants(mine.pid), ...processesWith(marker)])].map(birthOf).filter(Boolean);
	await maker.close();
	await mine.stop();
	await allGone(births);
	assert.deepEqual(processesWith(marker), []);
});
