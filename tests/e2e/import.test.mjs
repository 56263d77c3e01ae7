// SPDX-License-Identifier: Apache-2.0
// hustings import: other programs' lists of MCP servers become a configuration that `config check` accepts.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { command, freshFolder } from './lib/gateway.mjs';

const CLAUDE = {
	mcpServers: {
		files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp/a "b"'] },
		'Git Hub': { command: 'docker', args: ['run'], env: { GITHUB_TOKEN: 'ghp_thesecretthatnobodysees', MODE: 'ro' } },
		remote: { type: 'http', url: 'https://remote.example/mcp', headers: { Authorization: 'Bearer thesecretheader' },
			autoApprove: ['x'] },
	},
};

const VS_CODE = `{
	// asked when it is started
	"inputs": [{ "type": "promptString", "id": "api-key", "description": "the key", "password": true }],
	"servers": {
		"asked": { "type": "stdio", "command": "npx", "args": ["-y", "asked",], "env": { "KEY": "\${input:api-key}" } },
		"old": { "type": "sse", "url": "https://old.example/sse" },
	},
}`;

const CODEX = `model = "x"
[mcp_servers.docs]
command = "npx"
args = ["-y", "docs"]
startup_timeout_sec = 20
[mcp_servers.docs.env]
TOKEN = "thesecrettoken"
[mcp_servers.web]
url = "https://web.example/mcp"
bearer_token_env_var = "WEB_TOKEN"
`;

const FIXTURES = [
	['claude.json', JSON.stringify(CLAUDE), ['files', 'Git-Hub', 'remote'], ['GITHUB_TOKEN', 'REMOTE_AUTHORIZATION']],
	['mcp.json', VS_CODE, ['asked', 'old'], ['API_KEY']],
	['config.toml', CODEX, ['docs', 'web'], ['TOKEN']],
];

function file(name, text) {
	const path = join(freshFolder(), name);
	writeFileSync(path, text);
	return path;
}

function checkConfig(path, env) {
	return command(['config', 'check', '--config', path], { env });
}

for (const [name, text, ids, variables] of FIXTURES) {
	test(`${name} becomes a configuration that config check accepts`, async () => {
		const printed = await command(['import', file(name, text)]);
		assert.equal(printed.code, 0, printed.stderr);
		assert.deepEqual([...printed.stdout.matchAll(/^id = "(.*)"$/gm)].map((match) => match[1]), ids);
		assert.doesNotMatch(printed.stdout + printed.stderr, /thesecret/);
		for (const variable of variables)
			assert.match(printed.stderr, new RegExp(`set ${variable} before`));

		const made = file('servers.toml', printed.stdout);
		const unset = await checkConfig(made, {});
		assert.notEqual(unset.code, 0, 'the variables are wanted');
		const env = Object.fromEntries([...variables, 'WEB_TOKEN'].map((variable) => [variable, 'value']));
		const checked = await checkConfig(made, env);
		assert.equal(checked.code, 0, checked.stderr);
	});
}

test('what is not taken over is named on stderr', async () => {
	const printed = await command(['import', file('claude.json', JSON.stringify(CLAUDE))]);
	assert.match(printed.stderr, /remote: autoApprove is not taken over/);
	assert.match(printed.stderr, /Git-Hub: is called "Git Hub" there/);
});

test('--inline leaves secrets where they are', async () => {
	const printed = await command(['import', '--inline', file('claude.json', JSON.stringify(CLAUDE))]);
	assert.equal(printed.code, 0, printed.stderr);
	assert.match(printed.stdout, /GITHUB_TOKEN = "ghp_thesecretthatnobodysees"/);
	assert.equal((await checkConfig(file('servers.toml', printed.stdout), {})).code, 0);
});

test('--json prints servers, variables and notes', async () => {
	const printed = await command(['import', '-', '--json'], { input: JSON.stringify(CLAUDE) });
	assert.equal(printed.code, 0, printed.stderr);
	const { servers, variables, notes } = JSON.parse(printed.stdout);
	assert.deepEqual(servers[0], { id: 'files', was: 'files', command: 'npx', args: CLAUDE.mcpServers.files.args });
	assert.equal(servers[2].headers.Authorization, 'Bearer ${REMOTE_AUTHORIZATION}');
	assert.deepEqual(variables.map(({ name }) => name), ['GITHUB_TOKEN', 'REMOTE_AUTHORIZATION']);
	assert.ok(notes.some(({ server, note }) => server === 'remote' && note.includes('autoApprove')));
	assert.doesNotMatch(printed.stdout, /thesecret/);
});

test('--write makes a file of our own, and appends to it under free ids', async () => {
	const from = file('config.toml', CODEX);
	const target = join(freshFolder(), 'servers.toml');
	const refused = await command(['import', from, '--write', target]);
	assert.notEqual(refused.code, 0);
	assert.match(refused.stderr, /--yes/);
	assert.equal(existsSync(target), false);

	for (const ids of [['docs', 'web'], ['docs', 'web', 'docs-2', 'web-2']]) {
		const written = await command(['import', from, '--write', target, '--yes']);
		assert.equal(written.code, 0, written.stderr);
		assert.equal(written.stdout, '');
		const text = readFileSync(target, 'utf8');
		assert.deepEqual([...text.matchAll(/^id = "(.*)"$/gm)].map((match) => match[1]), ids);
		assert.equal((await checkConfig(target, { TOKEN: 'a', WEB_TOKEN: 'b' })).code, 0);
	}
	assert.equal(statSync(target).mode & 0o777, 0o600);
});

test('a file that cannot be appended to stays as it was', async () => {
	const target = file('servers.toml', 'servers = []\n');
	const refused = await command(['import', file('config.toml', CODEX), '--write', target, '--yes']);
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /cannot be appended/);
	assert.equal(readFileSync(target, 'utf8'), 'servers = []\n');
});

test('what is no list of servers is refused with its place', async () => {
	const broken = await command(['import', file('claude.json', '{\n"mcpServers": {,}\n}')]);
	assert.equal(broken.code, 1);
	assert.match(broken.stderr, /claude\.json:2: this is no JSON/);
	const empty = await command(['import', file('settings.json', '{}')]);
	assert.equal(empty.code, 1);
	assert.match(empty.stderr, /neither mcpServers nor servers/);
});
