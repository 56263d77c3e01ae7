// SPDX-License-Identifier: Apache-2.0
// `hustings server`, /admin/servers, and hosted servers by `call` and `tools`: seen, added, removed,
// restarted while the gateway runs, and after it started again.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { command, Gateway } from './lib/gateway.mjs';
import { entry, published } from './lib/hosted.mjs';
import { until } from './lib/wait.mjs';

const everything = published('everything');
const one = entry('one', everything);

async function started(t, config = one) {
	const gateway = await Gateway.start({ config });
	t.after(() => gateway.finish());
	return gateway;
}

async function run(gateway, args, options) {
	const ended = await gateway.command(args, options);
	assert.equal(ended.code, 0, `hustings ${args.join(' ')}: ${ended.stderr}`);
	return ended.stdout;
}

const list = async (gateway) => JSON.parse(await run(gateway, ['server', 'list', '--json'])).servers;
const status = async (gateway, id) => (await list(gateway)).find((server) => server.id === id);
const connected = (gateway, id) => until(async () => {
	const server = await status(gateway, id);
	return server?.state === 'connected' && server.pid > 0 && server;
}, `${id} is connected`);

test('servers are listed with their state, and each is shown with its reasons', async (t) => {
	const gateway = await started(t, `${one}\n[[servers]]\nid = "lost"\ncommand = "/no/such/program"\n`);
	const server = await connected(gateway, 'one');
	assert.equal(server.from, 'configuration');
	assert.deepEqual(server.eras, ['legacy']);
	assert.equal(server.health, 'healthy');
	const lost = await until(async () => {
		const found = await status(gateway, 'lost');
		return found.reason && found;
	}, 'lost says why');
	assert.notEqual(lost.state, 'connected');
	assert.match(await run(gateway, ['server', 'list']), /^one +connected +healthy +stdio/m);
	assert.match(await run(gateway, ['server', 'status', 'one']), /^state +connected$/m);
	assert.match(await run(gateway, ['server', 'logs', 'one']), /Starting default \(STDIO\) server/);
	const nobody = await gateway.command(['server', 'status', 'nobody']);
	assert.equal(nobody.code, 1);
	assert.match(nobody.stderr, /no server nobody/);
});

test('a server is added, called, kept over a restart, and removed', async (t) => {
	const gateway = await started(t);
	const add = ['server', 'add', 'two', '--data', gateway.data];
	const added = await command([...add, '--env', 'KEY=hush-hush', '--', process.execPath, everything], { home: gateway.home });
	assert.equal(added.code, 0, added.stderr);
	await connected(gateway, 'two');
	assert.equal(await run(gateway, ['call', '--server', 'two', 'echo', '{"message":"hello"}']), 'Echo: hello\n');
	assert.match(await run(gateway, ['tools', '--server', 'two']), /^ {2}echo message/m);
	assert.match(await run(gateway, ['tools']), /^ {2}two__echo message/m);
	const shown = await gateway.ask('GET', '/admin/servers/two', 200, { token: gateway.adminToken() });
	assert.deepEqual(shown.env, ['KEY']);
	assert.doesNotMatch(JSON.stringify(shown) + gateway.stderr, /hush-hush/);
	const again = await command([...add, '--', 'true'], { home: gateway.home });
	assert.equal(again.code, 1);
	assert.match(again.stderr, /two already/);
	await gateway.restart();
	assert.equal((await connected(gateway, 'two')).from, 'added');
	await run(gateway, ['server', 'remove', 'two']);
	assert.equal(await status(gateway, 'two'), undefined);
	await gateway.restart();
	assert.equal(await status(gateway, 'two'), undefined);
	const records = await gateway.ask('GET', '/admin/audit?event=server', 200, { token: gateway.adminToken() });
	assert.deepEqual(records.records.map((record) => [record.target, record.result]), [['two', 'removed'], ['two', 'added']]);
});

test('a configured server is restarted, and removed only from its configuration', async (t) => {
	const gateway = await started(t);
	const before = (await connected(gateway, 'one')).pid;
	await run(gateway, ['server', 'restart', 'one']);
	await until(async () => (await connected(gateway, 'one')).pid !== before, 'another process');
	assert.equal((await status(gateway, 'one')).health, 'healthy', 'it was asked to');
	const refused = await gateway.command(['server', 'remove', 'one']);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /configuration/);
});

test('a reload starts and ends what changed, and leaves the others alone', async (t) => {
	const gateway = await started(t, one + entry('two', everything));
	const first = (await connected(gateway, 'one')).pid;
	const second = (await connected(gateway, 'two')).pid;
	writeFileSync(gateway.configFile, one + entry('two', everything, ['stdio']) + entry('three', everything));
	gateway.signal('SIGHUP');
	await connected(gateway, 'three');
	assert.notEqual((await connected(gateway, 'two')).pid, second);
	assert.equal((await connected(gateway, 'one')).pid, first);
	writeFileSync(gateway.configFile, one);
	gateway.signal('SIGHUP');
	await until(async () => (await list(gateway)).length === 1, 'one is left');
	assert.equal((await connected(gateway, 'one')).pid, first);
});

test('a reload does not end a server that was added under an id which the configuration had in vain', async (t) => {
	const gateway = await started(t);
	const added = await command(['server', 'add', 'two', '--data', gateway.data, '--', process.execPath, everything],
		{ home: gateway.home });
	assert.equal(added.code, 0, added.stderr);
	const pid = (await connected(gateway, 'two')).pid;
	writeFileSync(gateway.configFile, one + entry('two', everything));
	gateway.signal('SIGHUP');
	await until(() => /server two is not hosted/.test(gateway.stderr), 'the configured one is refused');
	writeFileSync(gateway.configFile, one + entry('three', everything));
	gateway.signal('SIGHUP');
	await connected(gateway, 'three');
	const server = await connected(gateway, 'two');
	assert.deepEqual([server.pid, server.from], [pid, 'added']);
});

test('only an administrator sees and changes servers, and what is unsound is named', async (t) => {
	const gateway = await started(t);
	const token = await gateway.token({ id: 'alice', privilege: 'full' });
	const admin = gateway.adminToken();
	await gateway.ask('GET', '/admin/servers', 401, {});
	for (const [method, path, body] of [['GET', '/admin/servers'], ['GET', '/admin/servers/one'],
		['GET', '/admin/servers/one/log'], ['POST', '/admin/servers', { id: 'x', command: 'true' }],
		['POST', '/admin/servers/one/restart'], ['DELETE', '/admin/servers/one']])
		await gateway.ask(method, path, 403, { token, body });
	const answer = await gateway.ask('POST', '/admin/servers', 400, { token: admin, body: { id: 'x', comand: 'y' } });
	assert.match(answer.message, /comand/);
	await gateway.ask('POST', '/admin/servers', 400, { token: admin, body: '{"id":' });
	await gateway.ask('POST', '/admin/servers', 409, { token: admin, body: { id: 'one', command: 'true' } });
	await gateway.ask('DELETE', '/admin/servers/nobody', 404, { token: admin });
	assert.equal(readFileSync(gateway.configFile, 'utf8'), one);
});

test("a hosted process finds the gateway's own data folder empty, where sandboxes can be had", async (t) => {
	const gateway = await started(t, '');
	const doctor = await gateway.command(['doctor']);
	const files = ['server', 'add', 'files', '--data', gateway.data, '--', process.execPath, published('filesystem'), gateway.home];
	assert.equal((await command(files, { home: gateway.home })).code, 0);
	await connected(gateway, 'files');
	const listing = await run(gateway, ['call', '--server', 'files', 'list_directory', JSON.stringify({ path: gateway.data })]);
	if (/bubblewrap[^\n]*works/.test(doctor.stdout))
		assert.doesNotMatch(listing, /admin\.token/);
	else
		assert.match(listing, /admin\.token/);
});
