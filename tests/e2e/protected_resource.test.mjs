// SPDX-License-Identifier: Apache-2.0
// Where an MCP client finds who gives out tokens: RFC 9728 metadata and WWW-Authenticate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gateway } from './lib/gateway.mjs';

const METADATA = '/.well-known/oauth-protected-resource';
const SECRET = '0123456789abcdef0123456789abcdef';
const FACES = ['/mcp', '/mcp/servers/one', '/mcp/rooms/demo'];

async function started(t, config) {
	const gateway = await Gateway.start({ config });
	t.after(() => gateway.finish());
	return gateway;
}

const challenge = async (gateway, path, options) =>
	(await gateway.request('POST', path, { body: {}, ...options })).headers['www-authenticate'];

test('a refused client is led to the metadata of the face it asked for', async (t) => {
	const gateway = await started(t, `[auth.jwt]\nsecret = "${SECRET}"\nissuer = "https://issuer.example"\n`);
	for (const face of FACES) {
		assert.equal(await challenge(gateway, face),
			`Bearer realm="hustings", resource_metadata="${gateway.url}${METADATA}${face}"`);
		assert.match(await challenge(gateway, face, { token: 'wrong' }), /error="invalid_token"/);
		const metadata = await gateway.ask('GET', `${METADATA}${face}`, 200);
		assert.equal(metadata.resource, `${gateway.url}${face}`);
		assert.deepEqual(metadata.authorization_servers, ['https://issuer.example']);
		assert.deepEqual(metadata.bearer_methods_supported, ['header']);
	}
	assert.equal((await gateway.ask('GET', METADATA, 200)).resource, gateway.url);
	await gateway.ask('GET', `${METADATA}/v0/topics`, 404);
	assert.equal(await challenge(gateway, '/v0/tickets'), 'Bearer realm="hustings"');
});

test('behind a proxy it is called by its public origin', async (t) => {
	const gateway = await started(t, '[gateway]\npublic_origin = "https://rooms.example"\n'
		+ `[auth.jwt]\nsecret = "${SECRET}"\nauthorization_servers = ["https://a.example", "https://b.example"]\n`);
	const metadata = await gateway.ask('GET', `${METADATA}/mcp`, 200);
	assert.equal(metadata.resource, 'https://rooms.example/mcp');
	assert.deepEqual(metadata.authorization_servers, ['https://a.example', 'https://b.example']);
	assert.match(await challenge(gateway, '/mcp'), /resource_metadata="https:\/\/rooms\.example\/\.well-known/);
});

test('a gateway without OAuth names none', async (t) => {
	const gateway = await started(t, '');
	await gateway.ask('GET', `${METADATA}/mcp`, 404);
	assert.equal(await challenge(gateway, '/mcp'), 'Bearer realm="hustings"');
});
