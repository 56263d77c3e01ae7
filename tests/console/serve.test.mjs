// SPDX-License-Identifier: Apache-2.0
// How the console is served: out of the binary, from the gateway's origin alone, under a strict policy.

import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { until, within } from '../e2e/lib/wait.mjs';
import { findings, person, signedIn, SMALL } from './lib/browser.mjs';

const FIRST_LOAD = 150_000; // octets, compressed: all that comes before anything is clicked

let gateway;

before(async () => { gateway = await Gateway.start(); });
after(() => gateway?.finish());

/** One request; {status, headers, octets}. */
function ask(path, { method = 'GET', headers = {} } = {}) {
	const answer = new Promise((done, failed) => {
		const asked = http.request({ host: gateway.host, port: gateway.port, method, path, headers, agent: false }, (response) => {
			const parts = [];
			response.on('data', (part) => parts.push(part));
			response.on('error', failed);
			response.on('end', () => done({ status: response.statusCode, headers: response.headers, octets: Buffer.concat(parts) }));
		});
		asked.on('error', failed);
		asked.end();
	});
	return within(answer, `${method} ${path}`);
}

/** What the page names in its markup: its first script and its style. */
async function assets() {
	const page = (await ask('/')).octets.toString();
	const found = [...page.matchAll(/(?:src|href)="\.?(\/assets\/[^"]+)"/g)].map((one) => one[1]);
	assert.ok(found.some((one) => one.endsWith('.js')), 'the page has a script');
	assert.ok(found.some((one) => one.endsWith('.css')), 'the page has a style');
	return found;
}

/** The compressed octets of everything of the console that a page has got. */
function weigh(page) {
	const rows = [];
	page.on('response', (response) => {
		const path = new URL(response.url()).pathname;
		if (path === '/' || path.startsWith('/assets/'))
			rows.push({ path, encoding: response.headers()['content-encoding'], octets: Number(response.headers()['content-length']) });
	});
	return rows;
}

function assertLight(rows) {
	const total = rows.reduce((sum, row) => sum + row.octets, 0);
	assert.ok(rows.length >= 3, JSON.stringify(rows));
	assert.ok(rows.filter((row) => /\.(js|css)$/.test(row.path)).every((row) => row.encoding === 'gzip'), JSON.stringify(rows));
	assert.ok(total <= FIRST_LOAD, `the first load has ${total} octets: ${JSON.stringify(rows)}`);
}

test('the page loads, small and wide, without a complaint and without leaving the origin', async (t) => {
	for (const options of [{}, { size: SMALL, dark: true }]) {
		const page = await person(t, gateway, options);
		await page.goto(`${gateway.url}/`);
		await page.getByRole('button', { name: /sign in/i }).waitFor();
		assert.ok(page.watch.requests.length >= 3);
		assert.deepEqual(page.watch.foreign, []);
		assert.deepEqual(await findings(page), []);
	}
});

test('the first load is small, before one is signed in and after', async (t) => {
	const stranger = await person(t, gateway);
	const before = weigh(stranger);
	await stranger.goto(`${gateway.url}/`, { waitUntil: 'networkidle' });
	assertLight(before);

	const page = await person(t, gateway);
	const rows = weigh(page);
	await page.context().request.post(`${gateway.url}/v0/session`, { data: { token: gateway.adminToken() }, headers: { origin: gateway.url } });
	await page.goto(`${gateway.url}/`);
	await page.locator('.shell main h1').first().waitFor();
	assertLight(rows);
});

test('the page says what it may do, and is asked for anew each time', async () => {
	const { status, headers } = await ask('/');
	assert.equal(status, 200);
	assert.equal(headers['content-type'], 'text/html; charset=utf-8');
	assert.equal(headers['cache-control'], 'no-cache');
	assert.equal(headers['referrer-policy'], 'no-referrer');
	assert.equal(headers['x-content-type-options'], 'nosniff');
	assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
	assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
	assert.match(headers['permissions-policy'], /camera=\(\)/);
	const rules = headers['content-security-policy'].split('; ');
	for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
		"font-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
		assert.ok(rules.includes(rule), rule);
	assert.ok(!/unsafe|\*|https?:/.test(headers['content-security-policy']));
});

test('what has its hash in its name is kept for good, under the same policy', async () => {
	for (const path of await assets()) {
		const { status, headers } = await ask(path);
		assert.equal(status, 200, path);
		assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
		assert.match(headers['content-security-policy'], /default-src 'none'/);
		assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
		assert.match(path, /-[\w-]{8,}\.\w+$/);
	}
});

test('who takes gzip gets it, who does not gets the same octets plain', async () => {
	for (const path of ['/', ...await assets()]) {
		const plain = await ask(path);
		const packed = await ask(path, { headers: { 'accept-encoding': 'br, gzip' } });
		assert.equal(plain.headers['content-encoding'], undefined);
		assert.equal(plain.headers.vary, 'Accept-Encoding');
		assert.equal(Number(plain.headers['content-length']), plain.octets.length);
		if (packed.headers['content-encoding'] === undefined) {
			assert.deepEqual(packed.octets, plain.octets); // too small to gain by it
			continue;
		}
		assert.equal(packed.headers['content-encoding'], 'gzip');
		assert.ok(packed.octets.length < plain.octets.length);
		assert.deepEqual(gunzipSync(packed.octets), plain.octets);
		assert.notEqual(packed.headers.etag, plain.headers.etag);
		const refused = await ask(path, { headers: { 'accept-encoding': 'gzip;q=0' } });
		assert.deepEqual(refused.octets, plain.octets);
	}
});

test('what one has already is not sent again', async () => {
	for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
		const first = await ask('/', { headers });
		const again = await ask('/', { headers: { ...headers, 'if-none-match': `W/${first.headers.etag}` } });
		assert.equal(again.status, 304);
		assert.equal(again.octets.length, 0);
		assert.equal(again.headers.etag, first.headers.etag);
		assert.equal((await ask('/', { headers: { ...headers, 'if-none-match': '"another"' } })).status, 200);
	}
});

test('HEAD has the same head and no body', async () => {
	for (const path of ['/', ...await assets()]) {
		const { headers, octets } = await ask(path);
		const head = await ask(path, { method: 'HEAD' });
		assert.equal(head.status, 200);
		assert.equal(head.octets.length, 0);
		assert.equal(Number(head.headers['content-length']), octets.length);
		assert.equal(head.headers.etag, headers.etag);
	}
});

test('what is not there is 404, and nothing is written to it', async () => {
	for (const path of ['/assets/nothing-12345678.js', '/assets/', '/assets/%2e%2e/index.html', '/index.html', '/favicon.ico', '/src/main.tsx'])
		assert.equal((await ask(path)).status, 404, path);
	const answer = await ask('/', { method: 'POST', headers: { 'content-length': 0 } });
	assert.equal(answer.status, 405);
	assert.equal(answer.headers.allow, 'GET, HEAD');
});

test('a request under another name of this machine is refused', async () => {
	assert.equal((await ask('/', { headers: { host: 'evil.example' } })).status, 403);
});

/** A page whose markup somebody managed to write into, which the gateway's headers have to hold back. */
async function written(page) {
	await page.route(`${gateway.url}/`, async (route) => {
		const response = await route.fetch();
		const body = (await response.text()).replace('</head>', '<script>window.written = true</script><style>body { top: 77px }</style></head>')
			.replace('</body>', '<img src="data:," onerror="window.written = true"></body>');
		await route.fulfill({ response, body });
	});
	await page.goto(`${gateway.url}/`);
	await page.getByRole('button', { name: /sign in/i }).waitFor();
	return page.evaluate(() => [window.written, getComputedStyle(document.body).top]);
}

test('script and style that are written into the page do not run', async (t) => {
	const page = await person(t, gateway, { allowed: [/Content Security Policy/] });
	const said = [];
	page.on('console', (message) => said.push(message.text()));
	assert.deepEqual(await written(page), [undefined, 'auto']);
	await until(() => said.filter((text) => /Content Security Policy/.test(text)).length >= 3, 'the browser says what it refused');

	// Without the policy they would: the test can tell.
	const bare = await person(t, gateway, { bypassCSP: true });
	assert.deepEqual(await written(bare), [true, '77px']);
});

test('text does not become markup by a slip of the script', async (t) => {
	const page = await person(t, gateway, { allowed: [/Trusted(HTML|Script|TypePolicy)/] });
	await page.goto(`${gateway.url}/`);
	await page.getByRole('button', { name: /sign in/i }).waitFor();
	const refused = await page.evaluate(() => [
		() => { document.body.innerHTML = '<b>bold</b>'; },
		() => { document.body.insertAdjacentHTML('beforeend', '<b>bold</b>'); },
		() => { const script = document.createElement('script'); script.text = 'window.written = true'; document.body.append(script); },
		() => { window.trustedTypes.createPolicy('own', { createHTML: (text) => text }); },
	].map((act) => { try { act(); return 'done'; } catch (error) { return error.name; } }));
	assert.deepEqual(refused, ['TypeError', 'TypeError', 'TypeError', 'TypeError']);
	assert.equal(await page.evaluate(() => window.written), undefined);
});

test('the page reaches nobody but its gateway', async (t) => {
	let visits = 0;
	const other = http.createServer((request, response) => { visits++; response.setHeader('access-control-allow-origin', '*').end('{}'); });
	await new Promise((done) => { other.listen(0, '127.0.0.1', done); });
	t.after(() => { other.closeAllConnections(); other.close(); });
	const elsewhere = `http://127.0.0.1:${other.address().port}`;
	const reach = (page) => page.evaluate(async (url) => {
		const fetched = await fetch(`${url}/a`).then(() => 'reached', () => 'refused');
		const picture = await new Promise((done) => {
			const image = new Image();
			image.onload = image.onerror = done;
			image.src = `${url}/b.png`;
		}).then((event) => event.type);
		return [fetched, picture];
	}, elsewhere);

	const page = await person(t, gateway, { allowed: [/Content Security Policy/, /Fetch API cannot load/, /violates/] });
	await page.goto(`${gateway.url}/`);
	assert.deepEqual(await reach(page), ['refused', 'error']);
	assert.equal(visits, 0);
	page.watch.foreign.length = 0; // the browser names what it refused

	const bare = await person(t, gateway, { bypassCSP: true, allowed: [/./] });
	await bare.goto(`${gateway.url}/`);
	assert.deepEqual(await reach(bare), ['reached', 'error']);
	assert.equal(visits, 2);
	assert.equal(bare.watch.foreign.length, 2, 'what leaves the origin is seen');
	bare.watch.foreign.length = 0;
});

test('the WebSocket of the page\'s own gateway is within its policy', async (t) => {
	const page = await signedIn(t, gateway, gateway.adminToken());
	const opened = await page.evaluate(() => new Promise((done) => {
		const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/v0/ws?topic=policy`);
		socket.onopen = () => { socket.close(); done('open'); };
		socket.onerror = () => done('refused');
	}));
	assert.equal(opened, 'open');
});

test('the doctor knows that the console is there', async () => {
	const said = await gateway.command(['doctor', '--json']);
	const row = JSON.parse(said.stdout).checks.find((one) => one.check === 'console');
	assert.equal(row.verdict, 'ok');
	assert.match(row.text, /the web console is in this binary: \d+ files/);
});
