// SPDX-License-Identifier: Apache-2.0
// `make run`: the link that it prints leads into a console in which something is going on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BINARY, command, freshFolder } from '../e2e/lib/gateway.mjs';
import { until, within } from '../e2e/lib/wait.mjs';
import { person } from './lib/browser.mjs';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** tools/run-demo with data of its own; ended by Ctrl-C. */
async function startDemo(t) {
	const data = join(freshFolder(), 'data');
	const child = spawn(join(ROOT, 'tools/run-demo'), [dirname(BINARY)], {
		env: { ...process.env, HUSTINGS_DATA: data }, stdio: ['ignore', 'pipe', 'pipe'],
	});
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { said += text; });
	child.stderr.setEncoding('utf8').on('data', (text) => { said += text; });
	const ended = new Promise((done) => { child.on('exit', (code, signal) => done({ code, signal })); });
	t.after(async () => {
		child.kill('SIGINT');
		assert.deepEqual(await within(ended, 'the demo ends after Ctrl-C'), { code: 0, signal: null });
		assert.match((await command(['doctor', '--data', data])).stdout, /no gateway runs on/);
	});
	await until(() => { assert.equal(child.exitCode, null, said); return said.includes('Ctrl-C'); }, 'the demo stands');
	return { said, data };
}

test('the demo\'s link signs in once, to a room with people in it and a question that waits', async (t) => {
	const { said, data } = await startDemo(t);
	const [link] = /http:\S+#ticket=\S+/.exec(said);
	const gateway = { url: new URL(link).origin };

	const waiting = JSON.parse((await command(['pending', '--json', '--data', data])).stdout.trim().split('\n')[0]);
	assert.match(JSON.stringify(waiting), /demo-agent/);

	const page = await person(t, gateway);
	await page.goto(link);
	await page.locator('.shell').waitFor();
	assert.equal(new URL(page.url()).hash.includes('ticket'), false, 'the ticket leaves the address');
	await page.getByRole('navigation').getByText('demo', { exact: true }).first().waitFor();
	await page.reload();
	await page.locator('.shell').waitFor();

	const late = await person(t, gateway, { allowed: [/status of 401/] });
	await late.goto(link);
	await late.getByRole('button', { name: /sign in/i }).waitFor();
});
