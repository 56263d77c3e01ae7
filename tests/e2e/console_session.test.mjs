// SPDX-License-Identifier: Apache-2.0
// How people sign in to the console: sessions in a cookie, tickets in a link, and what ends them.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BINARY, Gateway, freshFolder } from './lib/gateway.mjs';
import { BrowserLike } from './lib/browser_like.mjs';
import { freshTopic, house, houseFor } from './lib/house.mjs';
import { jwt, now } from './lib/jwt.mjs';
import { until, within } from './lib/wait.mjs';

const gateway = await house();
const admin = gateway.adminToken();
const alice = await gateway.token({ id: 'alice', privilege: 'full', kind: 'human', name: 'Alice', topic: ['room:*', 'lobby'] });

async function signedIn(how = { token: alice }, where = gateway) {
	const browser = new BrowserLike(where);
	browser.session = await browser.signIn(how);
	return browser;
}

async function tokens(where = gateway, token = admin) {
	return (await where.ask('GET', '/admin/tokens', 200, { token })).tokens;
}

async function sessionsOf(id, where = gateway, token = admin) {
	return (await tokens(where, token)).filter((one) => one.session && one.id === id);
}

async function consoleTicket(token, where = gateway) {
	return (await where.ask('POST', '/v0/tickets', 201, { token, body: { console: true } })).ticket;
}

test('a token signs in, and the answer says who it is', async () => {
	const browser = new BrowserLike(gateway);
	const answer = await browser.request('POST', '/v0/session', { body: { token: alice } });
	assert.equal(answer.status, 201, answer.text);
	const { expires, ...rest } = answer.json;
	assert.deepEqual(rest, {
		id: 'alice', name: 'Alice', kind: 'human', admin: false, privilege: 'full', topics: ['room:*', 'lobby'], open: false,
		session: true,
	});
	assert.ok(Date.parse(expires) > Date.now() && Date.parse(expires) <= Date.now() + 12 * 3600_000, expires);
	const [cookie] = answer.headers['set-cookie'];
	const [, name, life] = /^(hustings_\d+)=[\w-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=(\d+)$/.exec(cookie);
	assert.equal(name, `hustings_${gateway.port}`);
	assert.ok(Number(life) > 11 * 3600 && Number(life) <= 12 * 3600, life);
	assert.ok(!answer.text.includes(browser.cookies.get(name)), 'the token stands in the cookie alone');
	assert.deepEqual((await browser.request('GET', '/v0/session')).json, answer.json);
});

test('who asks without anything is told to sign in, and a bearer is told who it is', async () => {
	const answer = await gateway.request('GET', '/v0/session');
	assert.equal(answer.status, 401);
	assert.equal(answer.json.code, 'token_required');
	const told = await gateway.ask('GET', '/v0/session', 200, { token: alice });
	assert.equal(told.id, 'alice');
	assert.equal(told.session, false);
});

test('a session does what its token does, and no more', async () => {
	const browser = await signedIn();
	assert.equal((await browser.request('GET', '/v0/topics')).status, 200);
	assert.equal((await browser.request('POST', '/v0/tickets', { body: { topic: 'lobby' } })).status, 201);
	assert.equal((await browser.request('POST', '/v0/tickets', { body: { topic: 'elsewhere' } })).status, 403);
	assert.equal((await browser.request('GET', '/admin/tokens')).status, 403);
	const root = await signedIn({ token: admin });
	assert.equal(root.session.admin, true);
	assert.equal((await root.request('GET', '/admin/tokens')).status, 200);
});

test('a WebSocket takes the cookie from our own page, without a ticket', async () => {
	const browser = await signedIn();
	const topic = freshTopic();
	const client = await browser.join(topic);
	assert.equal(client.id, 'alice');
	assert.equal(client.welcome.payload.participant.privilege, 'full');
	await client.say('hello');
});

test('other pages have nothing of the cookie', async () => {
	const browser = await signedIn();
	const other = `http://${gateway.host}:${gateway.port + 1}`;
	const cases = [
		['GET', { 'sec-fetch-site': 'same-site' }], ['GET', { 'sec-fetch-site': 'cross-site' }],
		['GET', { origin: other, 'sec-fetch-site': undefined }], ['GET', { origin: 'http://localhost', 'sec-fetch-site': undefined }],
		['GET', { origin: gateway.url.replace('http:', 'https:'), 'sec-fetch-site': undefined }],
		['GET', { origin: `http://localhost:${gateway.port}`, 'sec-fetch-site': undefined }],
		['POST', { origin: undefined, 'sec-fetch-site': undefined }], ['POST', { 'sec-fetch-site': 'none' }],
		['POST', { origin: other }], ['POST', { origin: other, 'sec-fetch-site': undefined }],
		['POST', { 'sec-fetch-site': 'same-site' }], ['GET', { 'sec-fetch-site': 'nonsense' }], ['GET', { 'sec-fetch-site': '' }],
	];
	for (const [method, headers] of cases) {
		const path = method === 'GET' ? '/v0/topics' : '/v0/tickets';
		const answer = await browser.request(method, path, { headers, body: method === 'GET' ? undefined : { topic: 'lobby' } });
		assert.equal(answer.status, 403, `${method} ${JSON.stringify(headers)}: ${answer.text}`);
		assert.equal(answer.json.code, 'forbidden');
	}
	for (const headers of [{ origin: undefined }, { origin: other, 'sec-fetch-site': undefined }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'none' }])
		assert.equal((await browser.refused(freshTopic(), { headers })).status, 403, JSON.stringify(headers));
	for (const headers of [{ 'sec-fetch-site': undefined }, { 'sec-fetch-site': 'none' }, { origin: gateway.url, 'sec-fetch-site': undefined }])
		assert.equal((await browser.request('GET', '/v0/topics', { headers })).status, 200, JSON.stringify(headers));
	assert.equal((await browser.request('POST', '/v0/tickets', { headers: { origin: undefined }, body: { topic: 'lobby' } })).status, 201);
});

test('a page of another port that brings its own credentials is served as ever', async () => {
	const browser = await signedIn();
	const headers = { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' };
	const answer = await browser.request('GET', '/v0/session', { headers: { ...headers, authorization: `Bearer ${admin}` } });
	assert.equal(answer.json.id, 'admin', answer.text);
	const topic = freshTopic();
	const { ticket } = await gateway.ask('POST', '/v0/tickets', 201, { token: alice, body: { topic } });
	assert.equal((await browser.join(topic, { headers, query: { ticket } })).id, 'alice');
	const bearer = `bearer.${Buffer.from(alice).toString('base64url')}`;
	assert.equal((await browser.join(freshTopic(), { headers, subprotocols: ['mcpx', bearer] })).id, 'alice');
});

test('other pages neither sign in nor out', async () => {
	const browser = await signedIn();
	for (const headers of [{ origin: 'http://localhost:9' }, { 'sec-fetch-site': 'same-site' }, { origin: 'http://localhost:9', 'sec-fetch-site': undefined }]) {
		assert.equal((await browser.request('POST', '/v0/session', { headers, body: { token: admin } })).status, 403);
		assert.equal((await browser.request('DELETE', '/v0/session', { headers })).status, 403);
	}
	assert.equal((await browser.request('DELETE', '/v0/session', { headers: { origin: undefined, 'sec-fetch-site': undefined } })).status, 403);
	assert.equal((await browser.request('GET', '/v0/session')).json.id, 'alice');
});

test('of two cookies of our name none counts', async () => {
	const browser = await signedIn();
	const { cookie } = browser;
	for (const both of [`${cookie}; ${cookie}`, `hustings_${gateway.port}=x; a=b; ${cookie}`, `${cookie};hustings_${gateway.port}=`]) {
		const answer = await browser.request('GET', '/v0/topics', { headers: { cookie: both } });
		assert.equal(answer.status, 403, both);
		assert.match(answer.json.message, /more than one cookie/);
	}
	assert.equal((await browser.request('GET', '/v0/topics', { headers: { cookie: [cookie, cookie] } })).status, 403);
	assert.equal((await browser.request('GET', '/v0/topics', { headers: { cookie: `other=1; ${cookie}; hustings_1=2` } })).status, 200);
});

test('signing out ends each session that several cookies of our name hold', async () => {
	const [browser, other] = [await signedIn(), await signedIn()];
	const name = `hustings_${gateway.port}`;
	const many = Array.from({ length: 8 }, () => `${name}=x`).join('; ');
	const refused = await browser.request('DELETE', '/v0/session', { headers: { cookie: `${many}; ${browser.cookie}` } });
	assert.equal(refused.status, 400);
	assert.match(refused.json.message, /more than 8 of the session's cookies/);
	assert.equal((await browser.request('GET', '/v0/topics')).status, 200);
	const both = `${name}=x; ${browser.cookie}; ${other.cookie}`;
	const answer = await gateway.request('DELETE', '/v0/session', { headers: { cookie: both, origin: gateway.url } });
	assert.equal(answer.status, 204);
	for (const one of [browser, other]) assert.equal((await one.request('GET', '/v0/topics')).json.code, 'revoked_token');
});

test('too many cookies are refused, and the gateway lives', async () => {
	const browser = await signedIn();
	const many = Array.from({ length: 4000 }, (_, at) => `c${at}=${at}`).join('; ');
	assert.equal((await browser.request('GET', '/v0/topics', { headers: { cookie: `${many}; ${browser.cookie}` } })).status, 431);
	const some = Array.from({ length: 2000 }, (_, at) => `c${at}=${at}`).join(';');
	assert.equal((await browser.request('GET', '/v0/topics', { headers: { cookie: `${some};${browser.cookie}` } })).status, 200);
	assert.equal((await browser.request('GET', '/v0/topics', { headers: { cookie: ';'.repeat(20_000) } })).status, 401);
	assert.equal((await browser.request('GET', '/v0/topics')).status, 200);
});

test('what stands in the cookie has to be a session, and a session stands nowhere else', async () => {
	const browser = await signedIn();
	const name = `hustings_${gateway.port}`;
	const session = browser.cookies.get(name);
	assert.equal((await gateway.request('GET', '/v0/topics', { token: session })).status, 401);
	const bearer = `bearer.${Buffer.from(session).toString('base64url')}`;
	const other = new BrowserLike(gateway);
	assert.equal((await other.refused(freshTopic(), { subprotocols: ['mcpx', bearer] })).status, 401);
	for (const wrong of [alice, admin, 'nonsense', '', `hus_${'A'.repeat(43)}`]) {
		other.cookies.set(name, wrong);
		assert.equal((await other.request('GET', '/v0/topics')).status, 401, wrong);
	}
});

test('a session makes no other', async () => {
	const browser = await signedIn({ token: admin });
	const session = browser.cookies.get(`hustings_${gateway.port}`);
	const answer = await browser.request('POST', '/v0/tickets', { body: { console: true } });
	assert.equal(answer.status, 403, answer.text);
	assert.equal((await new BrowserLike(gateway).request('POST', '/v0/session', { body: { token: session } })).status, 401);
});

test('signing out ends the session, its rooms and its cookie', async () => {
	const browser = await signedIn();
	const client = await browser.join(freshTopic());
	const before = new Map(browser.cookies);
	const answer = await browser.request('DELETE', '/v0/session');
	assert.equal(answer.status, 204);
	assert.equal(browser.cookies.size, 0);
	assert.equal((await within(client.closed, 'the room is closed')).code, 4003);
	browser.cookies = before;
	const refused = await browser.request('GET', '/v0/topics');
	assert.equal(refused.status, 401);
	assert.equal(refused.json.code, 'revoked_token');
	assert.equal((await browser.request('DELETE', '/v0/session')).status, 204, 'again is no fault');
	assert.equal((await gateway.request('GET', '/v0/topics', { token: alice })).status, 200, 'the token itself lives');
});

test('a cookie that is over is told of once, and is taken away', async () => {
	const browser = await signedIn();
	const before = new Map(browser.cookies);
	await browser.request('DELETE', '/v0/session');
	browser.cookies = before;
	const answer = await browser.request('GET', '/v0/session');
	assert.equal(answer.status, 401);
	assert.equal(answer.json.code, 'session_over');
	assert.equal(browser.cookies.size, 0);
	assert.equal((await browser.request('GET', '/v0/session')).json.code, 'token_required');
});

test('who signs in anew ends the session that it had', async () => {
	const own = await gateway.token({ id: 'twice', privilege: 'full' });
	const browser = await signedIn({ token: own });
	const client = await browser.join(freshTopic());
	await browser.signIn({ token: own });
	assert.equal((await within(client.closed, 'the older session is closed')).code, 4003);
	assert.equal((await browser.request('GET', '/v0/session')).json.id, 'twice');
	assert.deepEqual((await sessionsOf('twice')).map((one) => one.status).sort(), ['active', 'revoked']);
});

test('another process that revokes the token ends its sessions, live ones too', async () => {
	const own = await gateway.token({ id: 'parent', privilege: 'full' });
	const browser = await signedIn({ token: own });
	const client = await browser.join(freshTopic());
	assert.equal((await gateway.command(['token', 'revoke', own])).code, 0);
	assert.equal((await within(client.closed, 'the room is closed')).code, 4003);
	await until(async () => (await browser.request('GET', '/v0/topics')).status === 401, 'the session is over');
	assert.deepEqual((await sessionsOf('parent')).map((one) => one.status), ['revoked']);
});

test('the gateway that revokes the token ends its sessions, live ones too', async () => {
	const own = await gateway.token({ id: 'mother', privilege: 'full' });
	const browser = await signedIn({ token: own });
	const client = await browser.join(freshTopic());
	const [{ parent }] = await sessionsOf('mother');
	assert.equal((await gateway.ask('DELETE', `/admin/tokens/${parent}`, 200, { token: admin })).revoked, 2);
	assert.equal((await within(client.closed, 'the room is closed')).code, 4003);
	assert.equal((await browser.request('GET', '/v0/topics')).status, 401);
});

test('a session is revoked by its own name, and with all of its identity', async () => {
	const own = await gateway.token({ id: 'named', privilege: 'full' });
	const browser = await signedIn({ token: own });
	const second = await signedIn({ token: own });
	const client = await browser.join(freshTopic());
	const [first] = await sessionsOf('named');
	await gateway.ask('DELETE', `/admin/tokens/${first.tokenId}`, 200, { token: admin });
	assert.equal((await within(client.closed, 'the room is closed')).code, 4003);
	assert.equal((await browser.request('GET', '/v0/topics')).status, 401);
	assert.equal((await second.request('GET', '/v0/topics')).status, 200);
	assert.equal((await gateway.command(['token', 'revoke', '--id', 'named'])).code, 0);
	await until(async () => (await second.request('GET', '/v0/topics')).status === 401, 'the other one is over too');
});

test('tokens are listed with what they are, and without what they say', async () => {
	const own = await gateway.token({ id: 'listed', privilege: 'full' });
	const browser = await signedIn({ token: own });
	const [session] = await sessionsOf('listed');
	const parent = (await tokens()).find((one) => one.tokenId === session.parent);
	assert.equal(parent.id, 'listed');
	assert.equal(parent.session, undefined);
	const shown = await gateway.command(['token', 'list', '--json']);
	assert.ok(shown.stdout.includes(`"parent":"${session.parent}"`));
	assert.ok(!shown.stdout.includes(browser.cookies.get(`hustings_${gateway.port}`)));
	assert.match((await gateway.command(['token', 'list'])).stdout, new RegExp(`${session.tokenId} .* true +\\d{4}-`));
});

test('a session ends with its token, when that is sooner', async () => {
	const brief = await gateway.token({ id: 'brief', privilege: 'full', ttl: '1h' });
	const browser = await signedIn({ token: brief });
	const [session] = await sessionsOf('brief');
	const parent = (await tokens()).find((one) => one.tokenId === session.parent);
	assert.equal(session.expiresAt, parent.expiresAt);
	assert.equal(browser.session.expires, parent.expiresAt);
});

test('of 33 sessions of one token the oldest goes', async () => {
	const own = await gateway.token({ id: 'crowd', privilege: 'full' });
	const browsers = [];
	for (let at = 0; at < 33; at += 1)
		browsers.push(await signedIn({ token: own }));
	const first = await browsers[0].request('GET', '/v0/topics');
	assert.equal(first.status, 401, first.text);
	for (const at of [1, 16, 32])
		assert.equal((await browsers[at].request('GET', '/v0/topics')).status, 200, `${at}`);
	assert.equal((await sessionsOf('crowd')).length, 32);
	const client = await browsers[1].join(freshTopic());
	await signedIn({ token: own });
	assert.equal((await within(client.closed, 'the room of the oldest is closed')).code, 4003);
});

test('what signs in is one token or one ticket', async () => {
	const browser = new BrowserLike(gateway);
	const bodies = ['', 'x', '[]', '{}', '"x"', '{"token":7}', '{"token":""}', '{"ticket":null}', `{"token":"${alice}","ticket":"x"}`,
		`{"token":"${alice}","token":"${alice}"}`, `{"token":"${alice}","id":"admin"}`, `{"Token":"${alice}"}`];
	for (const body of bodies)
		assert.equal((await browser.request('POST', '/v0/session', { body })).status, 400, body);
	const large = await browser.request('POST', '/v0/session', { body: { token: 'x'.repeat(9000) } });
	assert.equal(large.status, 413);
	assert.match(large.json.message, /at most 8192/);
});

test('a wrong token is refused as a bearer is, and audited without it', async () => {
	const wrong = `hus_${randomBytes(32).toString('base64url')}`;
	const browser = new BrowserLike(gateway);
	const answer = await browser.request('POST', '/v0/session', { body: { token: wrong } });
	assert.equal(answer.status, 401);
	assert.equal(answer.json.code, (await gateway.request('GET', '/v0/topics', { token: wrong })).json.code);
	assert.equal(answer.headers['set-cookie'], undefined);
	const record = await until(async () => (await gateway.request('GET', '/admin/audit?limit=200', { token: admin })).text
		.includes(browser.address), 'the failed sign-in is in the trail');
	assert.ok(record);
	const trail = (await gateway.request('GET', '/admin/audit?limit=200', { token: admin })).text;
	for (const secret of [wrong, alice, admin])
		assert.ok(!trail.includes(secret) && !gateway.stderr.includes(secret) && !answer.text.includes(secret));
	assert.ok(trail.includes('signed_in'));
});

test('one address may fail a few times, and others are not kept from trying', async () => {
	const browser = new BrowserLike(gateway);
	let answer;
	for (let tries = 0; tries < 200; tries += 1) {
		answer = await browser.request('POST', '/v0/session', { body: { token: `wrong-${tries}` } });
		if (answer.status !== 401)
			break;
	}
	assert.equal(answer.status, 429, answer.text);
	assert.equal(answer.json.code, 'rate_limited');
	assert.ok(answer.json.retry_after_ms > 0 && answer.json.retry_after_ms <= 60_000, answer.text);
	assert.ok(Number(answer.headers['retry-after']) >= 1);
	await signedIn();
});

// Tickets

test('a ticket signs in once, as who made it', async () => {
	const ticket = await consoleTicket(alice);
	const browser = await signedIn({ ticket });
	assert.equal(browser.session.id, 'alice');
	const again = await new BrowserLike(gateway).request('POST', '/v0/session', { body: { ticket } });
	assert.equal(again.status, 401);
	assert.equal(again.json.code, 'bad_ticket');
});

test('tickets to rooms and to the console do not pass for each other', async () => {
	const topic = freshTopic();
	const toConsole = await consoleTicket(alice);
	const browser = new BrowserLike(gateway);
	assert.equal((await browser.refused(topic, { query: { ticket: toConsole } })).status, 401);
	const { ticket } = await gateway.ask('POST', '/v0/tickets', 201, { token: alice, body: { topic } });
	assert.equal((await browser.request('POST', '/v0/session', { body: { ticket } })).status, 401);
	assert.equal((await browser.request('POST', '/v0/session', { body: { token: toConsole } })).status, 401);
	await signedIn({ ticket: toConsole });
});

test('a ticket ends with the token that made it', async () => {
	const own = await gateway.token({ id: 'gone', privilege: 'full' });
	const ticket = await consoleTicket(own);
	assert.equal((await gateway.command(['token', 'revoke', own])).code, 0);
	const answer = await new BrowserLike(gateway).request('POST', '/v0/session', { body: { ticket } });
	assert.equal(answer.status, 401);
});

test('of nine tickets of one identity the oldest goes', async () => {
	const own = await gateway.token({ id: 'hoarder', privilege: 'full' });
	const made = [];
	for (let at = 0; at < 9; at += 1)
		made.push(await consoleTicket(own));
	assert.equal((await new BrowserLike(gateway).request('POST', '/v0/session', { body: { ticket: made[0] } })).status, 401);
	for (const at of [1, 8])
		await signedIn({ ticket: made[at] });
});

test('console is a word of its own', async () => {
	for (const body of [{ console: 1 }, { console: false }, { console: 'true' }])
		assert.equal((await gateway.request('POST', '/v0/tickets', { token: alice, body })).status, 400, JSON.stringify(body));
	assert.equal((await gateway.request('POST', '/v0/tickets', { body: { console: true } })).status, 401);
});

test('`hustings console` prints a link that signs in as the local user', async () => {
	const shown = await gateway.command(['console']);
	assert.equal(shown.code, 0, shown.stderr);
	const [, ticket] = new RegExp(`^${gateway.url}/#ticket=([\\w-]{43})\n$`).exec(shown.stdout);
	const browser = await signedIn({ ticket });
	assert.equal(browser.session.admin, true);
	assert.equal(browser.session.kind, 'human');
	assert.ok(Date.parse(browser.session.expires) > Date.now() + 11 * 3600_000, browser.session.expires);
	const json = await gateway.command(['console', '--json']);
	assert.deepEqual(Object.keys(JSON.parse(json.stdout)), ['url', 'expires_in']);
	assert.equal(JSON.parse(json.stdout).expires_in, 600);
	assert.ok(!gateway.stderr.includes(ticket));
});

test('`hustings console` with a token signs in as that one', async () => {
	const shown = await gateway.command(['console', '--url', gateway.url, '--token', alice]);
	const browser = await signedIn({ ticket: shown.stdout.trim().split('#ticket=')[1] });
	assert.equal(browser.session.id, 'alice');
	assert.equal(browser.session.admin, false);
	const refused = await gateway.command(['console', '--url', gateway.url, '--token', 'nonsense']);
	assert.notEqual(refused.code, 0);
});

test('--open-browser hands the link on, and says where it cannot', async () => {
	const tools = freshFolder();
	const told = join(tools, 'told');
	writeFileSync(join(tools, 'xdg-open'), `#!/bin/sh\nprintf '%s %s' "$1" "$HUSTINGS_TOKEN" >${told}.new\nmv ${told}.new ${told}\n`, { mode: 0o755 });
	const shown = await gateway.command(['console', '--open-browser', '--token', alice],
		{ env: { PATH: `${tools}:${process.env.PATH}`, HUSTINGS_TOKEN: alice } });
	assert.equal(shown.code, 0, shown.stderr);
	const link = await until(() => readFileSync(told, 'utf8'), 'the browser was told');
	assert.equal(link, `${shown.stdout.trim()} `, 'the link, and no token of ours');
	const without = await gateway.command(['console', '--open-browser'], { env: { PATH: freshFolder() } });
	assert.notEqual(without.code, 0);
	assert.match(without.stderr, /xdg-open is not installed/);
	assert.match(without.stdout, /#ticket=/);
});

test('serve shows the link to a terminal alone', async (t) => {
	const own = await houseFor(t);
	await until(() => /^console /m.test(own.stdout), 'the greeting');
	assert.match(own.stdout, /^console {3}hustings console --data /m);
	assert.ok(!(own.stdout + own.stderr).includes('ticket='));
	const home = freshFolder();
	const script = fileURLToPath(new URL('./lib/terminal.py', import.meta.url));
	const child = spawn('python3', [script, BINARY, 'serve', '--listen', '127.0.0.1:0', '--data', join(home, 'data')],
		{ cwd: home, env: { ...process.env, HOME: home }, stdio: ['pipe', 'pipe', 'inherit'] });
	let screen = '';
	child.stdout.setEncoding('utf8').on('data', (text) => { screen += text; });
	const ended = new Promise((done) => { child.on('exit', done); });
	try {
		const [, url, ticket] = await until(() => /^console {3}(http:\S+)\/#ticket=([\w-]{43})\s*$/m.exec(screen), 'the link');
		const { hostname, port } = new URL(url);
		const browser = new BrowserLike({ url, host: hostname, port: Number(port) });
		assert.equal((await browser.signIn({ ticket })).admin, true);
	} finally {
		child.stdin.write('\x03');
		await within(ended, 'the gateway ends');
	}
});

// Restart, TLS, open mode, JWT

test('a session outlives a restart of the gateway', async (t) => {
	const own = await Gateway.start({ listen: `127.0.0.1:0` });
	t.after(() => own.finish());
	const token = await own.token({ id: 'lasting', privilege: 'full' });
	const browser = await signedIn({ token }, own);
	const ticket = await consoleTicket(token, own);
	const at = own.args.indexOf('--listen');
	own.args[at + 1] = `127.0.0.1:${own.port}`;
	for (const hard of [false, true]) {
		await own.restart({ hard });
		assert.equal((await browser.request('GET', '/v0/session')).json.id, 'lasting');
	}
	assert.equal((await new BrowserLike(own).request('POST', '/v0/session', { body: { ticket } })).status, 401, 'tickets do not');
	assert.equal((await own.command(['token', 'revoke', token])).code, 0);
	await until(async () => (await browser.request('GET', '/v0/topics')).status === 401, 'the session is over');
});

test('with TLS the cookie is Secure and of this host alone', async (t) => {
	const folder = freshFolder();
	const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
	execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30',
		'-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
	const own = await houseFor(t, { config: `[gateway]\ntls_cert = "${cert}"\ntls_key = "${key}"\n` });
	const browser = await signedIn({ token: own.adminToken() }, own);
	assert.deepEqual([...browser.cookies.keys()], [`__Host-hustings_${own.port}`]);
	const again = await browser.request('POST', '/v0/session', { body: { token: own.adminToken() } });
	assert.match(again.headers['set-cookie'][0], /; Secure$/);
	assert.equal((await browser.request('GET', '/v0/session')).json.id, 'admin');
	assert.equal((await browser.join(freshTopic())).id, 'admin');
	const plain = { origin: own.url.replace('https:', 'http:') };
	assert.equal((await browser.request('POST', '/v0/tickets', { headers: plain, body: { topic: 'lobby' } })).status, 403);
});

test('in open mode the console is open, and a session still counts', async (t) => {
	const own = await houseFor(t, { open: true });
	const browser = new BrowserLike(own);
	const guest = (await browser.request('GET', '/v0/session')).json;
	assert.equal(guest.open, true);
	assert.match(guest.id, /^guest-/);
	assert.equal(guest.admin, false);
	assert.equal((await browser.request('GET', '/v0/session?id=me')).json.id, 'me');
	assert.equal((await browser.request('GET', '/admin/tokens')).status, 401);
	await browser.signIn({ token: own.adminToken() });
	assert.equal((await browser.request('GET', '/v0/session')).json.admin, true);
	assert.equal((await browser.request('GET', '/admin/tokens')).status, 200);
	assert.equal((await browser.join(freshTopic())).id, 'admin');
	const stranger = { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' };
	assert.equal((await browser.join(freshTopic(), { headers: stranger, id: 'other' })).id, 'other', 'another page is a guest');
	assert.equal((await browser.request('GET', '/admin/tokens', { headers: stranger })).status, 401);
	const before = new Map(browser.cookies);
	await browser.request('DELETE', '/v0/session');
	browser.cookies = before;
	const after = await browser.request('GET', '/v0/session');
	assert.equal(after.status, 200);
	assert.equal(after.json.open, true);
	assert.equal(browser.cookies.size, 0);
});

test('a JWT signs in until its end, and its session knows it', async (t) => {
	const secret = randomBytes(32);
	const file = join(freshFolder(), 'jwks.json');
	writeFileSync(file, JSON.stringify({ keys: [{ kty: 'oct', kid: 'hs', alg: 'HS256', k: secret.toString('base64url') }] }));
	const own = await houseFor(t, { config: `[auth.jwt]\nalgorithms = ["HS256"]\njwks = "${file}"\naudience = "hustings"\nleeway = "0s"\n` });
	const claims = (changes) => jwt('HS256', secret, { aud: 'hustings', sub: 'jane', exp: now() + 600, privilege: 'full', ...changes }, { kid: 'hs' });
	const exp = now() + 900;
	const browser = await signedIn({ token: claims({ jti: 'j-1', exp }) }, own);
	assert.equal(Date.parse(browser.session.expires), exp * 1000);
	assert.equal((await browser.request('GET', '/v0/session')).json.id, 'jane');
	const [session] = await sessionsOf('jane', own, own.adminToken());
	assert.equal(session.parent, 'j-1');
	const nameless = await signedIn({ token: claims({ sub: 'june' }) }, own);
	assert.equal((await nameless.request('GET', '/v0/session')).json.id, 'june');
	const { judy, client } = await until(async () => {
		const one = await signedIn({ token: claims({ sub: 'judy', exp: now() + 5 }) }, own);
		return { judy: one, client: await one.join(freshTopic()) };
	}, 'one is quick enough to be in a room before its JWT ends');
	assert.equal((await within(client.closed, 'the room is closed')).code, 4003);
	await until(async () => (await judy.request('GET', '/v0/topics')).status === 401, 'the session ends with the JWT');
	assert.equal((await new BrowserLike(own).request('POST', '/v0/session', { body: { token: claims({ aud: 'other' }) } })).status, 401);
	const [root] = [own.adminToken()];
	const masked = await signedIn({ token: claims({ sub: 'mask', jti: (await tokens(own, root))[0].tokenId }) }, own);
	assert.equal(masked.session.admin, false, 'the name of another token gives nothing');
});

test('a ticket that was made under a rule gives nothing of it when the rule has gone', async (t) => {
	const own = await houseFor(t, { config: '[[auth.identities]]\nid = "boss"\nkind = "robot"\nadmin = true\n' });
	const token = await own.token({ id: 'boss' });
	const { ticket } = (await own.request('POST', '/v0/tickets', { token, body: { console: true } })).json;
	writeFileSync(own.configFile, '');
	own.signal('SIGHUP');
	await until(async () => (await own.request('GET', '/admin/tokens', { token })).status === 403, 'the rule is gone');
	const browser = await signedIn({ ticket }, own);
	assert.equal((await browser.request('GET', '/admin/tokens')).status, 403);
	assert.equal((await browser.request('GET', '/v0/session')).json.kind, '');
});

test('a rule that made an administrator makes no longer one when it goes', async (t) => {
	const rule = '[[auth.identities]]\nid = "boss"\nadmin = true\n';
	const own = await houseFor(t, { config: rule });
	const browser = await signedIn({ token: await own.token({ id: 'boss' }) }, own);
	assert.equal(browser.session.admin, true);
	assert.equal((await browser.request('GET', '/admin/tokens')).status, 200);
	writeFileSync(own.configFile, '');
	own.signal('SIGHUP');
	await until(async () => (await browser.request('GET', '/admin/tokens')).status === 403, 'the rule is gone');
});

test('a link that could not be made leaves no token behind', async (t) => {
	const data = freshFolder();
	const old = createServer((request, response) => response.writeHead(201).end('{"expires_in":30}')).listen(0, '127.0.0.1');
	t.after(() => old.close());
	await until(() => old.listening, 'the older gateway listens');
	writeFileSync(join(data, 'gateway.json'), JSON.stringify({ url: `http://127.0.0.1:${old.address().port}`, pid: process.pid }), { mode: 0o600 });
	const child = spawn(BINARY, ['console', '--data', data], { stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	child.stderr.setEncoding('utf8').on('data', (text) => { said += text; });
	const [code] = await within(once(child, 'close'), 'the command ends');
	assert.notEqual(code, 0);
	assert.match(said, /is it older than this program\?/);
	const all = JSON.parse(execFileSync(BINARY, ['token', 'list', '--json', '--data', data], { encoding: 'utf8' }));
	const rows = Array.isArray(all) ? all : all.tokens;
	assert.deepEqual(rows.map(({ status }) => status), ['revoked']);
});
