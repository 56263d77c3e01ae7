// SPDX-License-Identifier: Apache-2.0
// What tools cost in the context of a client's model: 60 tools of published servers, and a task of three
// calls, once with every tool listed, once by the search face. Tokens are characters over four.

import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from './gateway.mjs';
import { entry, published } from './hosted.mjs';
import { RealClient } from './real_clients.mjs';
import { until } from './wait.mjs';

export const tokensOf = (value) => Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / 4);

/** The configuration of six servers with 60 tools and some, and the file that the task reads. */
export function sixtyTools() {
	const folder = realpathSync(freshFolder());
	const letter = join(folder, 'letter.txt');
	mkdirSync(join(folder, 'more'));
	writeFileSync(letter, 'Dear all,');
	const memory = (id) => entry(id, published('memory'), [],
		`[servers.env]\nMEMORY_FILE_PATH = ${JSON.stringify(join(folder, `${id}.jsonl`))}\n`);
	const config = entry('files', published('filesystem'), [folder])
		+ entry('more-files', published('filesystem'), [join(folder, 'more')])
		+ memory('memory') + memory('notebook')
		+ entry('everything', published('everything'))
		+ entry('thinking', published('sequential-thinking'));
	return { config, letter, servers: ['files', 'more-files', 'memory', 'notebook', 'everything', 'thinking'] };
}

/** Waits until every one of the servers has its tools at /mcp; hands out the list. */
export function allListed(client, servers) {
	return until(async () => {
		const tools = await client.tools();
		return servers.every((id) => tools.some(({ name }) => name.startsWith(`${id}__`))) && tools;
	}, `the tools of ${servers.join(', ')}`);
}

/** What a model does at the search face: asks, reads the answer, calls the best by its call_name. */
export async function find(client, query, more = {}) {
	const result = await client.call('mgp_tools_discover', { query, ...more });
	assert.notEqual(result.isError, true, JSON.stringify(result));
	const text = result.content.map((one) => one.text).join('');
	return { ...JSON.parse(text), cost: tokensOf(result) };
}

const STEPS = (letter) => [
	['read a text file', 'files__read_text_file', { path: letter }, /Dear all,/],
	['create entities in a knowledge graph', 'memory__create_entities',
		{ entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote a letter'] }] }, /Ada/],
	['echo a message', 'everything__echo', { message: 'done' }, /done/],
];

/** The figures of one task: {tools, all, search, listed, finds}. `url`: of the gateway. */
export async function measureBudget(url, { letter, servers }, kind = 'sdk') {
	const plain = await RealClient.connect(kind, { url: `${url}/mcp?id=ann&tools=all` });
	const searching = await RealClient.connect(kind, { url: `${url}/mcp?id=bob&tools=search` });
	try {
		const every = await allListed(plain, servers);
		const figures = { tools: every.length, all: tokensOf({ tools: every }), finds: [] };
		figures.search = tokensOf({ tools: await searching.tools() });
		const first = figures.search;
		for (const [query, name, args, answer] of STEPS(letter)) {
			const found = await until(async () => {
				const now = await find(searching, query);
				return now.tools.some((tool) => tool.call_name === name) && now;
			}, `${name} is found by "${query}"`);
			figures.finds.push({ query, count: found.tools.length, tokens: found.cost });
			figures.search += found.cost;
			assert.match(await searching.text(name, args), answer);
		}
		figures.listed = figures.search - first + tokensOf({ tools: await searching.tools() });
		return figures;
	} finally {
		await plain.close();
		await searching.close();
	}
}
