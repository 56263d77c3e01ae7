// SPDX-License-Identifier: Apache-2.0
// Published MCP servers, attached, and the official SDK's client talking to them through a room.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { RoomTransport, attached, freshFolder } from './lib/attached.mjs';
import { freshTopic, house, joinAs } from './lib/house.mjs';

const gateway = await house();

function published(name) {
	return [process.execPath, fileURLToPath(new URL(`../node_modules/@modelcontextprotocol/${name}/dist/index.js`, import.meta.url))];
}

/** An SDK client of a participant's. */
async function sdkClient(topic, id, to) {
	const member = await joinAs(gateway, topic, id);
	const client = new Client({ name: 'test', version: '1.0.0' });
	await client.connect(new RoomTransport(member, to));
	return client;
}

function filesFolder() {
	const folder = realpathSync(freshFolder());
	mkdirSync(join(folder, 'deep'));
	writeFileSync(join(folder, 'a.txt'), 'some text\n');
	return folder;
}

test('the filesystem server: the SDK client lists its tools and calls them', async (t) => {
	const topic = freshTopic();
	const folder = filesFolder();
	await attached(t, gateway, topic, { id: 'files', server: [...published('server-filesystem'), folder] });
	const client = await sdkClient(topic, 'alice', 'files');
	assert.equal(client.getServerVersion().name, 'secure-filesystem-server');
	const { tools } = await client.listTools();
	assert.ok(tools.some((tool) => tool.name === 'read_text_file'));
	const read = await client.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'a.txt') } });
	assert.equal(read.content[0].text, 'some text\n');
	await client.callTool({ name: 'write_file', arguments: { path: join(folder, 'deep', 'b.txt'), content: 'grüße' } });
	assert.equal(readFileSync(join(folder, 'deep', 'b.txt'), 'utf8'), 'grüße');
	const outside = await client.callTool({ name: 'read_text_file', arguments: { path: '/etc/passwd' } });
	assert.equal(outside.isError, true);
});

test('the filesystem server: hustings tools and hustings call', async (t) => {
	const topic = freshTopic();
	const folder = filesFolder();
	await attached(t, gateway, topic, { id: 'files', server: [...published('server-filesystem'), folder] });
	const listed = await gateway.command(['tools', topic]);
	assert.equal(listed.code, 0, listed.stderr);
	assert.match(listed.stdout, /^files \(\d+ tools\)$/m);
	assert.match(listed.stdout, /^ {2}read_text_file path /m);
	const called = await gateway.command(['call', topic, 'files', 'list_directory', JSON.stringify({ path: folder })]);
	assert.equal(called.code, 0, called.stderr);
	assert.equal(called.stdout, '[FILE] a.txt\n[DIR] deep\n');
	const failed = await gateway.command(['call', topic, 'files', 'read_text_file', '{"path":"/etc/passwd"}']);
	assert.equal(failed.code, 1);
	assert.match(failed.stderr, /Access denied/);
});

test('the everything server: progress reaches the SDK client', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic, { id: 'everything', server: published('server-everything') });
	const client = await sdkClient(topic, 'alice', 'everything');
	const names = (await client.listTools()).tools.map((tool) => tool.name);
	assert.ok(names.includes('echo'), names.join());
	const echoed = await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
	assert.match(echoed.content[0].text, /hello/);
	const steps = [];
	await client.callTool({ name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } }, undefined,
		{ onprogress: (progress) => steps.push(progress.progress), timeout: 40_000 });
	assert.deepEqual(steps, [1, 2, 3, 4]);
});

test('the everything server: resources and prompts when they are exposed', async (t) => {
	const topic = freshTopic();
	await attached(t, gateway, topic, { id: 'everything', args: ['--expose', 'resources,prompts'], server: published('server-everything') });
	const client = await sdkClient(topic, 'alice', 'everything');
	const { resources } = await client.listResources();
	assert.ok(resources.length > 0);
	assert.ok((await client.readResource({ uri: resources[0].uri })).contents.length > 0);
	assert.ok((await client.listPrompts()).prompts.length > 0);
});
