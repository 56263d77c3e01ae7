// SPDX-License-Identifier: Apache-2.0
// Host and Origin are parsed and compared on every request (MCPx v0 9).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from './lib/gateway.mjs';
import { freshTopic, house, houseFor } from './lib/house.mjs';
import { statusOf } from './lib/raw_socket.mjs';
import { RoomClient } from './lib/room_client.mjs';

const gateway = await house();
const token = await gateway.token({ id: 'alice', privilege: 'full' });

function get(path, head) {
	return statusOf(gateway, [`GET ${path} HTTP/1.1`, ...head, 'Connection: close', '', ''].join('\r\n'));
}

test('the listen address and the names of loopback are accepted as Host', async () => {
	for (const host of [`127.0.0.1:${gateway.port}`, `localhost:${gateway.port}`, `LOCALHOST:${gateway.port}`])
		assert.equal(await get('/v0/topics', [`Host: ${host}`, `Authorization: Bearer ${token}`]), 200, host);
});

const STRANGE = ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', 'evil.example:80', 'evil.example#127.0.0.1', '127.0.0.1@evil.example', 'localhost@evil.example', '127.0.0.1:80:80', '0x7f.evil.example', 'notlocalhost', '10.0.0.1', '169.254.169.254'];

for (const host of STRANGE) {
	test(`the Host ${host} is refused on REST and on the WebSocket`, async () => {
		const status = await get('/v0/topics', [`Host: ${host}`, `Authorization: Bearer ${token}`]);
		assert.ok([400, 403, 421].includes(status), `${status}`);
		const upgrade = await RoomClient.refused({ gateway, topic: freshTopic(), token, headers: { host } });
		assert.ok([400, 403, 421].includes(upgrade.status), `${upgrade.status}`);
	});
}

test('a request without a Host, or with two, is 400', async () => {
	assert.equal(await get('/healthz', []), 400);
	assert.equal(await get('/healthz', [`Host: 127.0.0.1:${gateway.port}`, `Host: 127.0.0.1:${gateway.port}`]), 400);
	assert.equal(await get('/healthz', [`Host: 127.0.0.1:${gateway.port}`, 'Host: evil.example']), 400);
});

test('the gateway\'s own origin is accepted', async () => {
	for (const origin of [`http://127.0.0.1:${gateway.port}`, `http://localhost:${gateway.port}`]) {
		assert.equal(await get('/v0/topics', [`Host: 127.0.0.1:${gateway.port}`, `Origin: ${origin}`, `Authorization: Bearer ${token}`]), 200);
		await (await RoomClient.connect({ gateway, topic: freshTopic(), token, origin })).close();
	}
});

for (const origin of ['http://evil.example', 'https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example', 'http://evil.example/http://127.0.0.1', 'file://', 'chrome-extension://abcdef', 'http://evil.example#localhost', 'localhost']) {
	test(`the Origin ${JSON.stringify(origin)} is refused on the WebSocket and on REST`, async () => {
		const upgrade = await RoomClient.refused({ gateway, topic: freshTopic(), token, headers: { origin } });
		assert.ok([400, 403].includes(upgrade.status), `${upgrade.status}`);
		const status = await get('/v0/topics', [`Host: 127.0.0.1:${gateway.port}`, `Origin: ${origin}`, `Authorization: Bearer ${token}`]);
		assert.ok([400, 403].includes(status), `${status}`);
	});
}

test('the administration is closed to strange hosts and origins too', async () => {
	const admin = gateway.adminToken();
	for (const head of [['Host: evil.example'], [`Host: 127.0.0.1:${gateway.port}`, 'Origin: http://evil.example']]) {
		const status = await get('/admin/tokens', [...head, `Authorization: Bearer ${admin}`]);
		assert.ok([400, 403, 421].includes(status), `${status}`);
	}
});

test('what the configuration lists is accepted, and nothing like it', async (t) => {
	const own = await houseFor(t, { config: '[gateway]\nallowed_origins = ["https://console.example"]\nallowed_hosts = ["rooms.example"]\n' });
	const mine = await own.token({ id: 'alice', privilege: 'full' });
	const join = (options) => RoomClient.connect({ gateway: own, topic: freshTopic(), token: mine, ...options });
	const refused = async (options) => (await RoomClient.refused({ gateway: own, topic: freshTopic(), token: mine, ...options })).status;
	await join({ origin: 'https://console.example' });
	await join({ headers: { host: 'rooms.example' } });
	for (const origin of ['http://console.example', 'https://console.example.evil.example', 'https://console.example:8443', 'https://evil-console.example'])
		assert.ok([400, 403].includes(await refused({ origin })), origin);
	for (const host of ['xrooms.example', 'rooms.example.evil.example'])
		assert.ok([400, 403, 421].includes(await refused({ headers: { host } })), host);
});

test('open mode on an address that is not loopback is refused', async () => {
	const served = await command(['serve', '--listen', '0.0.0.0:0', '--data', '/nonexistent/hustings', '--open']);
	assert.notEqual(served.code, 0);
	assert.match(served.stderr + served.stdout, /insecure-open/);
});
