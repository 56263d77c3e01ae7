// SPDX-License-Identifier: Apache-2.0
// libhustings as an MCP server and as an MCP client: the bundled example with the official clients, and a
// client in C with the official servers, over stdio and HTTP, in both eras. Both know the public header alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { KINDS, RealClient } from './lib/real_clients.mjs';
import { until, within } from './lib/wait.mjs';

const BUILD = dirname(BINARY);
const NOTES = join(BUILD, 'examples/notes_server');
const CLIENT = join(BUILD, 'tests/mcp_client');
const EVERYTHING = join(dirname(fileURLToPath(import.meta.url)),
	'../node_modules/@modelcontextprotocol/server-everything/dist/index.js');

const ends = [];
after(async () => {
	for (const end of ends.reverse())
		await end();
});

/** A process whose output is kept; `exit` settles with its code and output. */
function run(command, args, env = {}) {
	const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
	const ran = { child, output: '', isOver: false };
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => { ran.output += text; });
	ran.exit = new Promise((done) => {
		child.on('exit', (code, signal) => { ran.isOver = true; done({ code, signal }); });
	});
	ends.push(async () => { child.kill('SIGKILL'); await ran.exit; });
	return ran;
}

/** Waits for a line of its output; hands out the match. */
function line(ran, pattern) {
	return until(() => {
		if (ran.isOver && !pattern.test(ran.output))
			throw new Error(`it has ended: ${ran.output}`);
		return ran.output.match(pattern);
	}, `${pattern} in: ${ran.output}`);
}

async function notesOverHttp() {
	const ran = run(NOTES, ['--http', '0']);
	return { ran, url: (await line(ran, /^ready (http:\S+)$/m))[1] };
}

async function places() {
	return {
		stdio: { command: NOTES, args: ['--stdio'], home: freshFolder() },
		http: { url: (await notesOverHttp()).url },
	};
}

/** A port that is free now. */
async function freePort() {
	const server = createServer();
	await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
	const { port } = server.address();
	await new Promise((done) => { server.close(done); });
	return port;
}

async function connected(kind, to, options) {
	const client = await RealClient.connect(kind, to, options);
	ends.push(() => client.close().catch(() => {}));
	return client;
}

for (const kind of KINDS) {
	test(`the notes server serves tools, resources and a prompt to ${kind}, over stdio and HTTP`, async () => {
		for (const [place, to] of Object.entries(await places())) {
			const client = await connected(kind, to);
			const tools = await client.tools();
			assert.deepEqual(tools.map((tool) => tool.name),
				['add_note', 'list_notes', 'read_note', 'search_notes', 'delete_note', 'clear_notes'], place);
			assert.equal(tools[1].annotations.readOnlyHint, true);
			assert.deepEqual(JSON.parse(await client.text('add_note', { title: 'A "title"', text: 'ä\n𝄞' })), { id: 1 });
			const listed = await client.call('list_notes');
			assert.deepEqual(listed.structuredContent, { notes: [{ id: 1, title: 'A "title"' }] }, place);
			assert.equal((await client.call('read_note', { id: 7 })).isError, true);

			assert.deepEqual((await client.resources()).map((one) => one.uri), ['notes:///all']);
			assert.deepEqual((await client.templates()).map((one) => one.uriTemplate), ['notes:///{id}']);
			const [whole] = (await client.read('notes:///1')).contents;
			assert.equal(whole.mimeType, 'application/json');
			assert.deepEqual(JSON.parse(whole.text), { id: 1, title: 'A "title"', text: 'ä\n𝄞' });
			await assert.rejects(client.read('notes:///1/2'), place);

			assert.deepEqual((await client.prompts()).map((one) => one.name), ['summary']);
			const prompt = await client.prompt('summary', { style: 'short' });
			assert.match(prompt.messages[0].content.text, /in this style: short[^]*# A "title"/);
			const { completion } = await client.complete({ type: 'ref/prompt', name: 'summary' }, { name: 'style', value: 'f' });
			assert.deepEqual(completion.values, ['formal', 'friendly', 'funny']);
			await assert.rejects(client.prompt('none'), place);
			await assert.rejects(client.call('none'), place);
			await client.close();
		}
	});

	test(`a tool of the notes server asks ${kind} back, over stdio and HTTP`, async () => {
		for (const [place, to] of Object.entries(await places())) {
			const asked = [];
			let answer = { action: 'decline' };
			const answers = { 'elicitation/create': (request) => { asked.push(request.params.message); return answer; } };
			const client = await connected(kind, to, { answers, capabilities: { elicitation: { form: {} } } });
			await client.text('add_note', { title: 't', text: 'x' });
			assert.equal(await client.text('clear_notes'), 'kept', place);
			answer = { action: 'accept', content: { sure: true } };
			assert.equal(await client.text('clear_notes'), 'cleared', place);
			assert.deepEqual(asked, ['Delete all notes?', 'Delete all notes?']);
			assert.deepEqual((await client.call('list_notes')).structuredContent, { notes: [] });
			await client.close();

			const mute = await connected(kind, to, { capabilities: {} });
			if (kind === 'modern')
				await assert.rejects(mute.call('clear_notes'), (error) => error.code === -32021);
			else
				assert.match((await mute.call('clear_notes')).content[0].text, /cannot be asked back/);
			await mute.close();
		}
	});

	test(`${kind} hears that a resource of the notes server has changed, over stdio and HTTP`, async () => {
		for (const [place, to] of Object.entries(await places())) {
			const client = await connected(kind, to);
			const stop = await client.watch('notes:///all');
			await client.text('add_note', { title: 't', text: 'x' });
			await until(() => client.heard.some((one) => one.method === 'notifications/resources/updated' &&
				one.params.uri === 'notes:///all'), `updated over ${place}`);
			await stop();
			await client.close();
		}
	});
}

test('strangers are kept out of the HTTP that the library serves', async () => {
	const { url, ran } = await notesOverHttp();
	const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
	const post = (body, headers = {}, to = url) => within(fetch(to, { method: 'POST', body: JSON.stringify(body),
		headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } }), 'a POST');
	const answers = [
		[await post(begin, { origin: 'https://evil.example' }), 403],
		[await post(begin, { 'content-type': 'text/plain' }), 415],
		[await post(begin, {}, url.replace('/mcp', '/other')), 404],
		[await post({ ...begin, method: 'tools/list' }), 400],
		[await post({ ...begin, method: 'tools/list' }, { 'mcp-session-id': 'none' }), 404],
		[await within(fetch(url), 'a GET'), 405],
	];
	for (const [answer, status] of answers)
		assert.equal(answer.status, status, await answer.text());

	const first = await post(begin);
	const session = first.headers.get('mcp-session-id');
	assert.match(session, /^[0-9a-f]{32}$/);
	await first.json();
	assert.equal((await within(fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session } }), 'a DELETE')).status, 204);
	assert.equal((await post({ ...begin, method: 'ping', params: {} }, { 'mcp-session-id': session })).status, 404);
	ran.child.kill('SIGTERM');
	assert.deepEqual(await within(ran.exit, 'the end'), { code: 0, signal: null });
});

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];

test('the C client and the notes server settle on every version, and on the newest by themselves', async () => {
	const { url } = await notesOverHttp();
	for (const version of [...VERSIONS, undefined]) {
		const wish = version === undefined ? [] : ['--version', version];
		for (const place of [['--stdio', NOTES, '--stdio'], [url]]) {
			const ran = run(CLIENT, [...wish, ...place]);
			assert.deepEqual(await within(ran.exit, `version ${version}`), { code: 0, signal: null }, ran.output);
			assert.match(ran.output, new RegExp(`^notes speaks ${version ?? '2026-07-28'}$`, 'm'));
			assert.match(ran.output, /^add_note: \{"id":\d+\}$/m);
			assert.match(ran.output, /^asked: Delete all notes\?/m);
			assert.match(ran.output, /^clear_notes: kept$/m);
			assert.match(ran.output, /^prompt summary$/m);
		}
	}
});

async function checkEverything(ran) {
	assert.deepEqual(await within(ran.exit, 'the client ends', 80_000), { code: 0, signal: null }, ran.output);
	for (const pattern of [/speaks 2025-11-25$/m, /^tool echo: /m, /^resource demo:\/\/resource\/static\//m,
		/^template demo:\/\/resource\/dynamic\/text\//m, /^prompt simple-prompt$/m, /^echo: Echo: words$/m,
		/^get-sum: The sum of 7 and 7 is 14\.$/m, /^asked: /m, /^args-prompt: /m])
		assert.match(ran.output, pattern);
	assert.match(ran.output, /^trigger-sampling-request: [^]*words/m);
	assert.match(ran.output, /^get-roots-list: [^]*file:\/\/\/srv/m);
}

test('the C client uses all of the everything server over stdio', async () => {
	await checkEverything(run(CLIENT, ['--stdio', process.execPath, EVERYTHING, 'stdio']));
});

test('the C client uses all of the everything server over HTTP', async () => {
	const port = await freePort();
	const server = run(process.execPath, [EVERYTHING, 'streamableHttp'], { PORT: String(port) });
	await line(server, /listening on port/i);
	await checkEverything(run(CLIENT, [`http://127.0.0.1:${port}/mcp`]));
});

// A legacy server on stdio in a few lines; what it does with a request before initialize is its argument.
const OLD_SERVER = `
	let isOpen = false;
	const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
	require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
		const { id, method, params } = JSON.parse(line);
		if (method === 'initialize') {
			isOpen = true;
			answer(id, { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } });
		} else if (!isOpen && process.argv[1] === 'dies') {
			process.exit(1);
		} else if (isOpen && method === 'tools/list') {
			answer(id, { tools: [{ name: 'one', inputSchema: { type: 'object' } }] });
		} else if (isOpen && method === 'tools/call') {
			answer(id, { content: [{ type: 'text', text: 'called ' + params.name }] });
		}
	}).on('close', () => process.exit(0));`;

for (const [what, reaction] of [['dies of', 'dies'], ['stays silent to', 'stays']])
	test(`a legacy server that ${what} a question before initialize is used all the same`, async () => {
		const ran = run(CLIENT, ['--stdio', process.execPath, '-e', OLD_SERVER, reaction]);
		assert.deepEqual(await within(ran.exit, 'the client ends'), { code: 0, signal: null }, ran.output);
		assert.match(ran.output, /^old speaks 2024-11-05$/m);
		assert.match(ran.output, /^one: called one$/m);
	});

test('a server that cannot be started, and one that is not there, are told in words', async () => {
	const missing = run(CLIENT, ['--stdio', join(freshFolder(), 'no-such-program')]);
	assert.deepEqual(await within(missing.exit, 'the end'), { code: 1, signal: null });
	assert.match(missing.output, /no-such-program/);
	const dying = run(CLIENT, ['--stdio', process.execPath, '-e', 'process.exit(3)']);
	assert.deepEqual(await within(dying.exit, 'the end'), { code: 1, signal: null });
	assert.match(dying.output, /the server: closed: the server exited with 3/);
	const absent = run(CLIENT, [`http://127.0.0.1:${await freePort()}/mcp`]);
	assert.deepEqual(await within(absent.exit, 'the end'), { code: 1, signal: null });
	assert.match(absent.output, /^the server: closed: 127\.0\.0\.1: /m);
});
