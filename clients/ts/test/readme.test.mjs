// SPDX-License-Identifier: Apache-2.0
// The two examples of README.md run as they stand there, but for where the gateway is and where the packages lie.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freshFolder } from '../../../tests/e2e/lib/gateway.mjs';
import { houseFor } from '../../../tests/e2e/lib/house.mjs';
import { until } from '../../../tests/e2e/lib/wait.mjs';
import { clientOf, joined, said, somebody } from './lib/client.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const CLIENT = pathToFileURL(at('../dist/index.js')).href;
const WS = pathToFileURL(createRequire(at('../../../tests/package.json')).resolve('ws').replace(/index\.js$/, 'wrapper.mjs')).href;
const [agent, page] = [...readFileSync(at('../README.md'), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code);

/** Runs an example in a process of its own: what it printed, on both. */
function run(t, code, url, { env = {}, before = '' } = {}) {
	const file = join(freshFolder(), 'example.mjs');
	writeFileSync(file, before + code.replaceAll("'hustings-client'", JSON.stringify(CLIENT)).replaceAll("'ws'", JSON.stringify(WS))
		.replaceAll('http://127.0.0.1:7410', url));
	const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
	const ran = { printed: '' };
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => { ran.printed += text; });
	child.on('exit', (code) => { ran.ended = code; });
	t.after(() => child.kill('SIGKILL'));
	ran.says = (words) => until(() => {
		if (!ran.printed.includes(words) && ran.ended !== undefined)
			throw new Error(`it ended with ${ran.ended}`);
		return ran.printed.includes(words);
	}, `the example prints ${words}`).catch((error) => { throw new Error(`${error.message}\n${ran.printed}`); });
	return ran;
}

test('an agent on Node', async (t) => {
	const gateway = await houseFor(t);
	const files = await joined(t, await somebody(gateway, 'files', { kind: 'robot' }), 'demo',
		{ tools: [{ name: 'list_directory', call: ({ path }) => `everything in ${path}` }] });
	const example = run(t, agent, gateway.url, { env: { HUSTINGS_TOKEN: await gateway.token({ id: 'adder', topic: 'demo', privilege: 'full' }) } });
	await example.says('everything in .');
	await files.chat('well done');
	await example.says('files: well done');
	assert.deepEqual(said(files)[0], 'Hello, I add numbers.');
	assert.equal((await files.callTool('adder', 'add', { a: 20, b: 22 })).content[0].text, '42');
});

test('a page', async (t) => {
	const gateway = await houseFor(t, { open: true });
	const ann = await joined(t, clientOf(gateway, { id: 'ann' }), 'demo');
	await ann.chat('is anybody there?');
	const before = `import { WebSocket as Socket } from ${JSON.stringify(WS)};\n`
		+ `globalThis.WebSocket = Socket; globalThis.location = { origin: ${JSON.stringify(gateway.url)} };\n`
		+ 'globalThis.document = { querySelector: () => ({ append: (text) => console.log("page", text) }) };\n';
	const example = run(t, page, gateway.url, { before });
	await example.says('page ann: is anybody there?');
	await ann.chat('now you are');
	await example.says('page ann: now you are');
});
