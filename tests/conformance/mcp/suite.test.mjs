/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published conformance suite of MCP against libhustings: its scenarios for servers against a server in C, and
 * those for clients that need no OAuth against a client in C. What counts are scenarios, each named by the revision's
 * frozen list; one that was not run has failed.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BOUND = 200_000;
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../..');
const build = path.resolve(process.env.HUSTINGS_BUILD ?? path.join(root, 'build'));
const suite = path.join(root, 'tests/node_modules/@modelcontextprotocol/conformance/dist/index.js');
/* The suite needs a newer Node than the other tests do. */
const node = path.join(execFileSync(path.join(root, 'tools/find-node'), [build, '22'], { encoding: 'utf8' }).trim(), 'node');
const folder = mkdtempSync(path.join(os.tmpdir(), 'hustings-conformance-'));
const running = new Set();
after(() => {
	for (const child of running)
		child.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});

function start(command, args) {
	const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
	const ran = { child, output: '' };
	running.add(child);
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => { ran.output += text; });
	ran.exit = new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code, signal) => { running.delete(child); resolve(code ?? signal); });
	});
	return ran;
}

async function runSuite(...args) {
	const ran = start(node, [suite, ...args]);
	const late = setTimeout(() => ran.child.kill('SIGKILL'), BOUND);
	ran.status = await ran.exit;
	clearTimeout(late);
	return ran;
}

/* The names under a heading of `list --requirements`. */
async function required(revision, heading) {
	const { output } = await runSuite('list', '--requirements', revision);
	const from = output.indexOf(heading);
	assert.notEqual(from, -1, output);
	const lines = output.slice(from).split('\n').slice(1);
	const end = lines.findIndex((line) => !line.startsWith('  - '));
	return lines.slice(0, end).map((line) => line.slice(4).trim());
}

async function firstUrl(ran) {
	for (const deadline = Date.now() + BOUND; Date.now() < deadline; await new Promise((done) => setTimeout(done, 50))) {
		const ready = ran.output.match(/^ready (\S+)$/m);
		if (ready) return ready[1];
		assert.ok(running.has(ran.child), ran.output);
	}
	throw new Error(`not ready: ${ran.output}`);
}

for (const [revision, scenarios] of [['2025-11-25', 30], ['2026-07-28', 37]])
	test(`a server on libhustings passes every required server scenario of ${revision}`, async () => {
		const server = start(path.join(build, 'tests/conformance_server'), []);
		const url = await firstUrl(server);
		const names = await required(revision, 'Server scenarios');
		assert.equal(names.length, scenarios);
		const { output } = await runSuite('server', '--url', url, '--requirements', revision);
		for (const name of names)
			assert.match(output, new RegExp(`^✓ ${name}: [1-9]`, 'm'), output);
		server.child.kill('SIGTERM');
		assert.equal(await server.exit, 0, server.output);
	});

for (const [revision, scenarios] of [['2025-11-25', 4], ['2026-07-28', 7]])
	test(`a client on libhustings passes every required client scenario of ${revision} that needs no OAuth`, async () => {
		const names = (await required(revision, 'Client scenarios')).filter((name) => !name.startsWith('auth/'));
		assert.equal(names.length, scenarios);
		for (const name of names) {
			const ran = await runSuite('client', '--command', path.join(build, 'tests/mcp_client'), '--scenario', name,
				'--spec-version', revision);
			assert.equal(ran.status, 0, `${name}\n${ran.output}`);
			assert.match(ran.output, /^Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings$/m, `${name}\n${ran.output}`);
		}
	});
