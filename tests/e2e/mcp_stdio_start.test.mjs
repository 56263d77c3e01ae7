// SPDX-License-Identifier: Apache-2.0
// hustings mcp finds the gateway of this user by its data folder, or starts one that ends by itself.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BINARY, Gateway, command, freshFolder } from './lib/gateway.mjs';
import { until, within } from './lib/wait.mjs';

const children = new Set();
const folders = [];

function gatewayOf(data) {
	try {
		return JSON.parse(readFileSync(join(data, 'gateway.json'), 'utf8'));
	} catch {
		return undefined;
	}
}

/** False also of a process that has ended and was not waited for: its parent is gone, too. */
function lives(pid) {
	try {
		return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

/** Ends the gateway that a host has started, and waits until it is gone. */
async function endStarted(data) {
	const { pid } = gatewayOf(data) ?? {};
	if (pid === undefined || !lives(pid))
		return;
	process.kill(pid, 'SIGTERM');
	await until(() => !lives(pid), 'the started gateway ends');
}

after(async () => {
	for (const child of children)
		child.kill('SIGKILL');
	for (const data of folders)
		await endStarted(data);
});

function host(data, args = []) {
	const home = freshFolder();
	const child = spawn(BINARY, ['mcp', '--data', data, ...args], {
		cwd: home, env: { HOME: home, PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'pipe'],
	});
	children.add(child);
	const said = { out: '', err: '' };
	child.stdout.setEncoding('utf8').on('data', (text) => { said.out += text; });
	child.stderr.setEncoding('utf8').on('data', (text) => { said.err += text; });
	const exit = new Promise((done) => {
		child.on('exit', (code, signal) => { children.delete(child); done({ code, signal }); });
	});
	return { child, said, exit, send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) };
}

/** Any answer: the face may have no servers yet, and is asked as a host would. */
async function ask(one, id = 1) {
	one.send({ id, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'h', version: '1' } } });
	return until(() => one.said.out.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
		.find((message) => message.id === id), `an answer (${one.said.err})`);
}

test('a gateway that runs is found, and its token kept for the next time', async () => {
	const gateway = await Gateway.start();
	try {
		const first = host(gateway.data);
		await ask(first);
		const kept = readFileSync(join(gateway.data, 'mcp.token'), 'utf8');
		assert.match(kept, /^hus_\S{43}\n$/);
		assert.equal(statSync(join(gateway.data, 'mcp.token')).mode & 0o777, 0o600);
		const second = host(gateway.data);
		await ask(second);
		assert.equal(readFileSync(join(gateway.data, 'mcp.token'), 'utf8'), kept);
		const { tokens } = JSON.parse((await gateway.command(['token', 'list', '--json'])).stdout);
		const minted = tokens.filter(({ id }) => id !== 'admin');
		assert.equal(minted.length, 1, JSON.stringify(tokens));
		assert.equal(minted[0].admin ?? false, false);

		assert.equal((await gateway.command(['token', 'revoke', kept.trim()])).code, 0);
		await until(async () => (await gateway.request('GET', '/v0/topics', { token: kept.trim() })).status === 401, 'it is revoked');
		await ask(second, 2);
		assert.notEqual(readFileSync(join(gateway.data, 'mcp.token'), 'utf8'), kept);
		for (const one of [first, second]) {
			one.child.stdin.end();
			assert.deepEqual(await within(one.exit, 'the end'), { code: 0, signal: null });
		}
	} finally {
		await gateway.finish();
	}
});

test('one gateway is started by several hosts at once, and outlives them', async () => {
	const data = join(freshFolder(), 'data');
	folders.push(data);
	const hosts = [host(data), host(data), host(data)];
	await Promise.all(hosts.map((one) => ask(one)));
	const { pid } = gatewayOf(data);
	assert.ok(lives(pid));
	assert.equal((readFileSync(join(data, 'gateway.log'), 'utf8').match(/^ready /gm) ?? []).length, 1);
	for (const one of hosts) {
		assert.doesNotMatch(one.said.out, /^[^{\n]/m);
		one.child.stdin.end();
		assert.deepEqual(await within(one.exit, 'the end'), { code: 0, signal: null });
	}
	assert.ok(lives(pid));

	const later = host(data);
	await ask(later);
	assert.equal(gatewayOf(data).pid, pid);

	process.kill(pid, 'SIGKILL');
	await ask(later, 2);
	assert.notEqual(gatewayOf(data).pid, pid);
	later.child.stdin.end();
	await within(later.exit, 'the end');
	await endStarted(data);
});

test('a gateway with --idle-exit ends after its last user', async () => {
	const gateway = await Gateway.start({ args: ['--idle-exit', '1s'] });
	assert.deepEqual(await within(gateway.exit, 'it ends by itself'), { code: 0, signal: null });
	assert.equal(existsSync(join(gateway.data, 'gateway.json')), false);
});

test('what cannot be meant is refused', async () => {
	const both = await command(['mcp', '--topic', 'a', '--server', 'b']);
	assert.equal(both.code, 1);
	assert.match(both.stderr, /two faces/);
	const span = await command(['serve', '--listen', '127.0.0.1:0', '--data', join(freshFolder(), 'data'), '--idle-exit', 'soon']);
	assert.equal(span.code, 1);
	assert.match(span.stderr, /--idle-exit/);
	assert.equal(both.stdout, '');
});
