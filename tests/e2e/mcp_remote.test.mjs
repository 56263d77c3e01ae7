// SPDX-License-Identifier: Apache-2.0
// Remote servers behind the gateway: what breaks on the way and is mended, where secrets go, what the head says.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { EndlessHttpServer } from './lib/endless_http_server.mjs';
import { freshFolder, Gateway } from './lib/gateway.mjs';
import { McpHttpServer } from './lib/mcp_http_server.mjs';
import { legacy, modern } from './lib/mcp_wire.mjs';
import { ModernHttpServer } from './lib/modern_http_server.mjs';
import { OldHttpServer } from './lib/old_http_server.mjs';
import { past, until } from './lib/wait.mjs';

const SECRET = 'hus_a-token-for-tests';
const env = { REMOTE_TOKEN: SECRET };

/** A gateway with one remote server, `id` "remote". */
async function gatewayFor(t, url, more = '', options = {}) {
	const gateway = await Gateway.start({ open: true, env, ...options, config:
		`[[servers]]\nid = "remote"\nurl = "${url}"\n${more || 'headers = { Authorization = "Bearer ${REMOTE_TOKEN}" }'}\n` });
	t.after(() => gateway.finish());
	return Object.assign(gateway, { face: `${gateway.url}/mcp/servers/remote` });
}

async function remoteFor(t, kind, options) {
	const server = await kind.start(options);
	t.after(() => server.stop());
	return server;
}

const CAN_ASK = { capabilities: { elicitation: {} } };
const textOf = (message) => message.result?.content[0].text ?? JSON.stringify(message);
const call = async (session, name, given = {}) =>
	textOf(await (await session.request('tools/call', { name, arguments: given }, `call-${name}`)).next());
const namesOf = async (session) => (await (await session.request('tools/list')).next()).result.tools.map(({ name }) => name);
const callModern = async (url, name, given = {}) => (await modern(url, 'tools/call', { name, arguments: given })).next();

test('an answer whose stream breaks off goes on where it stopped', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face, CAN_ASK);
	assert.equal(await call(session, 'cut'), 'after the cut');
	const resumed = server.requests.filter((one) => one.method === 'GET' && one.headers['last-event-id'] !== undefined);
	assert.ok(resumed.length > 0);
	assert.equal(resumed[0].headers['mcp-session-id'], server.requests.find((one) => one.headers['mcp-session-id']).headers['mcp-session-id']);
	assert.equal(await call(session, 'echo', { text: 'as before' }), 'as before');
});

test('the stream of a session is asked for again behind its last event', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face);
	await session.request('tools/list');
	const isStream = (one) => one.method === 'GET';
	await until(() => server.requests.some(isStream), 'the stream');
	const [{ server: side, transport }] = server.sessions.values();
	await side.sendToolListChanged();
	await until(() => server.requests.filter((one) => one.body?.method === 'tools/list').length > 0, 'a list');
	transport.closeStandaloneSSEStream();
	await until(() => server.requests.some((one) => isStream(one) && one.headers['last-event-id'] !== undefined), 'the next stream');
	const before = server.requests.filter((one) => one.body?.method === 'tools/list').length;
	await side.sendToolListChanged();
	await until(async () => {
		await (await session.request('tools/list')).next();
		return server.requests.filter((one) => one.body?.method === 'tools/list').length > before;
	}, 'the list is asked for again after a change that the next stream told');
});

test('a server that forgets its sessions is introduced to again, unseen by the client', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face, CAN_ASK);
	assert.equal(await call(session, 'echo', { text: 'one' }), 'one');
	const before = server.begun;
	await server.forget();
	assert.equal(await call(session, 'echo', { text: 'two' }), 'two');
	assert.ok(server.begun > before);
	const asking = await session.request('tools/call', { name: 'ask', arguments: {} });
	const question = await asking.next();
	await session.say({ id: question.id, result: { action: 'accept', content: { which: 'this' } } });
	assert.equal(textOf(await asking.next()), '{"which":"this"}');
});

test('a server that forgets its sessions while nobody asks is introduced to again, and told what is subscribed to', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face);
	await session.request('resources/subscribe', { uri: 'test://one' });
	await until(() => server.subscribed.length > 0 && server.requests.some((one) => one.method === 'GET'), 'the subscription');
	await past(Date.now() + 1500); // one that is forgotten at once waits for somebody who asks
	const before = server.subscribed.length;
	await server.forget();
	await until(() => server.subscribed.length > before, 'the next subscription');
});

test('sessions end with the gateway', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face);
	await call(session, 'echo', { text: 'one' });
	assert.ok(server.sessions.size > 0);
	await gateway.stop();
	assert.equal(server.sessions.size, 0);
});

test('a secret of a header comes from the environment or from a file, and stands in no log', async (t) => {
	const folder = freshFolder();
	writeFileSync(join(folder, 'token'), `${SECRET}\n`, { mode: 0o600 });
	for (const written of ['${REMOTE_TOKEN}', `\${file:${join(folder, 'token')}}`]) {
		const server = await remoteFor(t, McpHttpServer);
		const gateway = await gatewayFor(t, `${server.url}/mcp`, `headers = { Authorization = "Bearer ${written}" }`, { set: { 'gateway.log_level': 'debug' } });
		assert.equal(await call(await legacy(gateway.face), 'echo', { text: 'here' }), 'here');
		assert.ok(!`${gateway.stdout}${gateway.stderr}`.includes(SECRET));
	}
});

test('a redirect within an origin is followed, with the body', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const moved = [];
	const { listeners: [answer] } = { listeners: server.http.listeners('request') };
	server.http.removeAllListeners('request');
	server.http.on('request', (request, response) => {
		if (request.url !== '/mcp')
			return void answer(request, response);
		moved.push(request.method);
		request.resume();
		return void response.writeHead(307, { location: '/elsewhere/mcp' }).end();
	});
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face);
	assert.equal(await call(session, 'echo', { text: 'there' }), 'there');
	assert.ok(moved.includes('POST'));
	const count = moved.length;
	assert.equal(await call(session, 'echo', { text: 'again' }), 'again');
	assert.equal(moved.length, count, 'a conversation remembers where it was sent');
});

test('a redirect to another origin is not followed: headers are for one origin alone', async (t) => {
	const heard = [];
	const stranger = http.createServer((request, response) => { heard.push(request.headers); response.end(); });
	await new Promise((done) => stranger.listen(0, '127.0.0.1', done));
	t.after(() => new Promise((done) => { stranger.closeAllConnections(); stranger.close(done); }));
	const sender = http.createServer((request, response) => {
		request.resume();
		response.writeHead(308, { location: `http://127.0.0.1:${stranger.address().port}/mcp` }).end();
	});
	await new Promise((done) => sender.listen(0, '127.0.0.1', done));
	t.after(() => new Promise((done) => { sender.closeAllConnections(); sender.close(done); }));
	const gateway = await gatewayFor(t, `http://127.0.0.1:${sender.address().port}/mcp`);
	await until(() => /another origin/.test(gateway.stderr), 'the reason in the log');
	assert.deepEqual(heard, []);
});

test('a remote server is spoken to over TLS when its certificate is good', async (t) => {
	const folder = freshFolder();
	const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name));
	execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30',
		'-subj', '/CN=remote', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], { stdio: 'ignore' });
	const server = await remoteFor(t, McpHttpServer);
	const [answer] = server.http.listeners('request');
	const secure = https.createServer({ cert: readFileSync(cert), key: readFileSync(key) }, answer);
	await new Promise((done) => secure.listen(0, '127.0.0.1', done));
	t.after(() => new Promise((done) => { secure.closeAllConnections(); secure.close(done); }));
	const url = `https://127.0.0.1:${secure.address().port}/mcp`;
	const headers = 'headers = { Authorization = "Bearer ${REMOTE_TOKEN}" }';
	const stranger = await gatewayFor(t, url, headers);
	await until(() => /certificate/i.test(stranger.stderr), 'the reason in the log');
	assert.equal(server.requests.length, 0);
	const gateway = await gatewayFor(t, url, `ca = "${cert}"\n${headers}`);
	assert.equal(await call(await legacy(gateway.face), 'echo', { text: 'sealed' }), 'sealed');
});

test('a remote server is reached through the proxy that the environment names', async (t) => {
	const server = await remoteFor(t, McpHttpServer);
	const gateway = await gatewayFor(t, 'http://remote.example/mcp', '', { env: { ...env, http_proxy: server.url, no_proxy: '' } });
	assert.equal(await call(await legacy(gateway.face), 'echo', { text: 'through' }), 'through');
	assert.ok(server.requests.every(({ url }) => url === 'http://remote.example/mcp'), server.requests[0].url);
});

for (const more of ['transport = "sse"', 'transport = "http"']) {
	test(`a server of 2024-11-05 is hosted (${more.includes('sse') ? 'as configured' : 'found out'})`, async (t) => {
		const server = await remoteFor(t, OldHttpServer);
		const gateway = await gatewayFor(t, server.url, more);
		const session = await legacy(gateway.face, CAN_ASK);
		assert.equal(await call(session, 'echo', { text: 'old' }), 'old');
		const asking = await session.request('tools/call', { name: 'ask', arguments: {} });
		const question = await asking.next();
		await session.say({ id: question.id, result: { action: 'accept', content: { which: 'that' } } });
		assert.equal(textOf(await asking.next()), '{"which":"that"}');
		const before = server.begun;
		server.cut();
		await until(async () => await call(session, 'echo', { text: 'again' }) === 'again', 'it is connected again');
		assert.ok(server.begun > before);
	});
}

test('arguments that a modern tool marks stand in the head of its call', async (t) => {
	const marked = (more) => ({ type: 'object', properties: {
		place: { type: 'string', 'x-mcp-header': 'Place' }, often: { type: 'integer', 'x-mcp-header': 'Often' },
		deep: { type: 'object', properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } } }, ...more } });
	const server = await remoteFor(t, ModernHttpServer, { tools: [
		{ name: 'travel', inputSchema: marked({}) },
		{ name: 'broken', inputSchema: marked({ other: { type: 'string', 'x-mcp-header': 'place' } }) },
	] });
	const gateway = await gatewayFor(t, server.url);
	const session = await legacy(gateway.face);
	const given = { place: 'Zürich', often: 3, deep: { flag: true } };
	assert.deepEqual(JSON.parse(await call(session, 'travel', given)), given);
	const { headers } = server.of('tools/call')[0];
	assert.equal(headers['mcp-method'], 'tools/call');
	assert.equal(headers['mcp-name'], 'travel');
	assert.equal(headers['mcp-param-place'], `=?base64?${Buffer.from('Zürich').toString('base64')}?=`);
	assert.equal(headers['mcp-param-often'], '3');
	assert.equal(headers['mcp-param-flag'], 'true');
	assert.equal(headers.authorization, `Bearer ${SECRET}`);
	await call(session, 'travel', { place: 'Bern' });
	const second = server.of('tools/call')[1].headers;
	assert.equal(second['mcp-param-place'], 'Bern');
	assert.equal(second['mcp-param-often'], undefined);
	const list = await (await session.request('tools/list')).next();
	assert.deepEqual(list.result.tools.map(({ name }) => name), ['travel'], 'a tool with marks against the rules is left out');
});

/** A definition that has changed is not used until somebody says yes to the difference. */
async function approveOf(gateway, tool) {
	const token = gateway.adminToken();
	const open = async () => (await gateway.ask('GET', '/admin/decisions?state=pending', 200, { token })).decisions
		.find((one) => one.kind === 'quarantine' && one.tool === tool);
	await until(open, `the question about ${tool}`);
	const { id } = await open();
	assert.equal((await gateway.command(['approve', id])).code, 0);
}

test('a head that does not fit is made anew from the definition as it is now, once', async (t) => {
	const server = await remoteFor(t, ModernHttpServer);
	const gateway = await gatewayFor(t, server.url);
	const session = await legacy(gateway.face);
	await call(session, 'echo', { place: 'Bern' });
	server.tools = [{ name: 'echo', inputSchema: { type: 'object', properties: { place: { type: 'string', 'x-mcp-header': 'Place' } } } }];
	server.mismatches = 1;
	await call(session, 'echo', { place: 'Bern' });
	assert.deepEqual(server.of('tools/call').map(({ headers }) => headers['mcp-param-place']), [undefined, undefined, 'Bern']);
	assert.deepEqual(await namesOf(session), [], 'nobody has approved of the change');
	await approveOf(gateway, 'echo');
	await until(async () => (await namesOf(session)).includes('echo'), 'the changed tool is listed again');
	server.mismatches = 2;
	const refused = await (await session.request('tools/call', { name: 'echo', arguments: { place: 'Bern' } })).next();
	assert.equal(refused.error.code, -32020);
	assert.equal(server.mismatches, 0);
});

const listOf = async (gateway) => {
	const message = await (await modern(gateway.face, 'tools/list')).next();
	assert.ok(message.result, JSON.stringify(message));
	return message.result;
};

test('a list is kept as long as its server allows, and its clients learn for how long', async (t) => {
	const server = await remoteFor(t, ModernHttpServer, { life: { ttlMs: 3_600_000, cacheScope: 'public' } });
	const gateway = await gatewayFor(t, server.url);
	const first = await listOf(gateway);
	assert.ok(first.ttlMs > 3_000_000 && first.ttlMs <= 3_600_000, String(first.ttlMs));
	assert.equal(first.cacheScope, 'public');
	await listOf(gateway);
	assert.equal(server.of('tools/list').length, 1);
});

test('a list that may not be kept is asked for whenever somebody lists', async (t) => {
	const server = await remoteFor(t, ModernHttpServer, { life: { ttlMs: 0, cacheScope: 'private' } });
	const gateway = await gatewayFor(t, server.url);
	const first = await listOf(gateway);
	assert.equal(first.ttlMs, 0);
	assert.equal(first.cacheScope, 'private');
	server.tools = [{ name: 'other', inputSchema: { type: 'object' } }];
	assert.deepEqual((await listOf(gateway)).tools.map(({ name }) => name), ['other']);
	const asked = server.of('tools/list').length;
	await callModern(gateway.face, 'other');
	assert.equal(server.of('tools/list').length, asked, 'a call asks for no list');
});

test('a modern server is listened to again when it ends the stream, and what was missed counts as changed', async (t) => {
	const server = await remoteFor(t, ModernHttpServer);
	const gateway = await gatewayFor(t, server.url);
	const session = await legacy(gateway.face);
	const listed = async () => (await (await session.request('tools/list')).next()).result.tools.map(({ name }) => name);
	assert.deepEqual(await listed(), ['echo']);
	await session.request('resources/subscribe', { uri: 'test://one' });
	const hears = (filter) => filter.toolsListChanged && filter.resourceSubscriptions?.includes('test://one');
	await until(() => [...server.listening.values()].some(({ filter }) => hears(filter)), 'a listen for both');
	const before = server.of('subscriptions/listen').length;
	server.cut();
	server.tools = [{ name: 'grown', inputSchema: { type: 'object' } }];
	await until(() => server.of('subscriptions/listen').length > before, 'the next listen');
	await until(async () => (await listed())[0] === 'grown', 'the missed change');
	server.tools = [{ name: 'told', inputSchema: { type: 'object' } }];
	server.tellAll(hears, 'notifications/tools/list_changed');
	await until(async () => (await listed())[0] === 'told', 'the told change');
});

for (const [tool, what] of [['flood', 'event'], ['body', 'body']]) {
	test(`an answer whose ${what} has no end is an error in words, and is left`, async (t) => {
		const server = await remoteFor(t, EndlessHttpServer);
		const gateway = await gatewayFor(t, `${server.url}/mcp`);
		const session = await legacy(gateway.face);
		const answer = await (await session.request('tools/call', { name: tool, arguments: {} }, 'endless')).next();
		assert.equal(answer.result.isError, true, JSON.stringify(answer));
		assert.match(answer.result.content[0].text, /over \d+ octets/);
		await until(() => server.of(tool) === 0, 'the answer is left');
		assert.equal(await call(session, 'echo'), 'said');
	});
}

test('a stream that stays open behind its answer is left', async (t) => {
	const server = await remoteFor(t, EndlessHttpServer);
	const gateway = await gatewayFor(t, `${server.url}/mcp`);
	const session = await legacy(gateway.face);
	assert.equal(await call(session, 'kept'), 'said');
	await until(() => server.of('kept') === 0, 'the stream is left');
	assert.equal(await call(session, 'echo'), 'said');
});
