// SPDX-License-Identifier: Apache-2.0
// The program that feeds the index from a catalogue and asks it from stdin: a line in, a line out.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { BINARY, freshFolder } from './lib/gateway.mjs';
import { within } from './lib/wait.mjs';

const PROGRAM = join(dirname(BINARY), 'tests', 'toolsearch');
const CATALOGUE = [
	{ server_id: 'files', name: 'read_file', description: 'Read the contents of a file', inputSchema: { type: 'object' } },
	{ server_id: 'files', name: 'write_file', description: 'Write text to a file', inputSchema: { type: 'object' } },
	{ server_id: 'post', name: 'send_mail', description: 'Send an email to somebody', inputSchema: { type: 'object' } },
];

function run(args, input) {
	const child = spawn(PROGRAM, args, { stdio: ['pipe', 'pipe', 'pipe'] });
	let stdout = '';
	let stderr = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
	child.stderr.setEncoding('utf8').on('data', (text) => { stderr += text; });
	child.stdin.on('error', () => {});
	child.stdin.end(input);
	return within(new Promise((done, failed) => {
		child.on('error', failed);
		child.on('close', (code, signal) => done({ code, signal, stderr, lines: stdout.split('\n').slice(0, -1) }));
	}), 'toolsearch ends').finally(() => child.kill('SIGKILL'));
}

function catalogue(tools = CATALOGUE) {
	const file = join(freshFolder(), 'tools.json');
	writeFileSync(file, JSON.stringify(tools));
	return file;
}

test('every question is answered in order, the best tool first', async () => {
	const questions = [{ id: 'a', query: 'read a file', k: 1 }, { id: 'b', query: 'send an email', k: 5 },
		{ id: 3, query: 'wriet a flie' }, { id: 'd', query: '', k: 2 }];
	const { code, lines } = await run(['--tools', catalogue()], questions.map((one) => `${JSON.stringify(one)}\n`).join(''));
	assert.equal(code, 0);
	const answers = lines.map((line) => JSON.parse(line));
	assert.deepEqual(answers.map(({ id }) => id), ['a', 'b', 3, 'd']);
	assert.deepEqual(answers.slice(0, 3).map(({ tools }) => tools[0].name), ['read_file', 'send_mail', 'write_file']);
	assert.equal(answers[0].tools.length, 1);
	for (const { tools, ms } of answers) {
		assert.equal(typeof ms, 'number');
		for (const { server_id: server, name } of tools)
			assert.ok(CATALOGUE.some((tool) => tool.server_id === server && tool.name === name));
	}
});

test('a line that is no question is answered with an error, and the next one is read', async () => {
	const input = Buffer.concat([Buffer.from(['nonsense', '', '[1]', '{"query":"x"}', '{"id":1}', '{"id":2,"query":[]}',
		'{"id":3,"query":"x","k":0}', '{"id":4,"query":"x","k":"many"}', '{"id":5,"query":"x","k":1e999}', '[['.repeat(5000),
		''].join('\n')), Buffer.from([0x7b, 0, 0xff, 0x0a]), Buffer.from('{"id":"last","query":"read a file"}')]);
	const { code, signal, lines } = await run(['--tools', catalogue()], input);
	assert.deepEqual([code, signal], [0, null]);
	const answers = lines.map((line) => JSON.parse(line));
	assert.equal(answers.length, 12);
	assert.deepEqual(answers.slice(0, 11).map(({ id }) => id), [null, null, null, null, 1, 2, 3, 4, 5, null, null]);
	for (const answer of answers.slice(0, 11))
		assert.equal(typeof answer.error, 'string', JSON.stringify(answer));
	assert.equal(answers[11].tools[0].name, 'read_file');
});

test('a catalogue that cannot be read is said on stderr', async () => {
	for (const file of [join(freshFolder(), 'none.json'), catalogue({})]) {
		const { code, stderr } = await run(['--tools', file], '');
		assert.equal(code, 2);
		assert.match(stderr, /it (cannot be read|is no JSON array)/);
	}
	assert.equal((await run(['--nothing'], '')).code, 2);
});
