// SPDX-License-Identifier: Apache-2.0
// A real browser for the tests of the console: Chromium without a window, one for each test file, and
// for each person in it a context of its own, with its own cookies. Everything that a page asks for and
// everything that it complains about is watched: a request that leaves the gateway's origin, an error
// that nobody caught, and a word on the page's console that no test allowed, fail the test.

import { chromium } from 'playwright-core';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BOUND } from '../../e2e/lib/wait.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const PICTURES = resolve(HERE, '../../../docs/images/console');

export const WIDE = { width: 1280, height: 800 };
export const SMALL = { width: 360, height: 740 };

const FLAGS = [
	'--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', '--no-default-browser-check',
	'--force-color-profile=srgb',
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost', // nothing gets out, whatever it tries
];

// What a browser says by itself, and the console knows how to read: nobody is signed in yet; the gateway has gone,
// in the midst of an answer or before (what a test ends, it ends in any order).
const EXPECTED = [
	{ text: /status of 401/, url: /\/v0\/session$/ },
	{ text: /net::ERR_(INCOMPLETE_CHUNKED_ENCODING|CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE|ABORTED)/, url: /^/ },
	{ text: /^WebSocket connection to '\S+' failed/, url: /^/ },
];

/** The browser's program. A name that only installs a snap is none. */
function findProgram() {
	for (const name of ['chromium', 'google-chrome-stable', 'google-chrome', 'chromium-browser']) {
		try {
			if (/\d+\.\d+/.test(execFileSync(name, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })))
				return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
		} catch {
			// not this one
		}
	}
	throw new Error('tests of the console need Chromium, and this machine has none that runs: on Debian '
		+ '`apt-get install chromium`; Ubuntu\'s package is a snap, so install Google Chrome there');
}

let starting;

/** The file's one browser, with a fresh profile; it is closed when the file's tests are over. */
function browser() {
	starting ??= chromium.launch({ executablePath: findProgram(), headless: true, args: FLAGS, timeout: BOUND });
	return starting;
}

after(async () => {
	if (starting)
		await (await starting.catch(() => undefined))?.close();
});

/** What one person's pages did: requests (URLs), foreign (those that left the origin), complaints (texts). */
class Watch {
	constructor(origins, allowed) {
		this.origins = new Set(origins);
		this.allowed = allowed;
		this.requests = [];
		this.foreign = [];
		this.complaints = [];
	}

	asked(url) {
		this.requests.push(url);
		const { protocol, host } = new URL(url);
		const isInside = protocol === 'data:' || protocol === 'blob:' || protocol === 'about:';
		if (!isInside && !this.origins.has(`${protocol.replace(/^ws/, 'http')}//${host}`))
			this.foreign.push(url);
	}

	complained(text, url = '') {
		const isFine = EXPECTED.some((one) => one.text.test(text) && one.url.test(url))
			|| this.allowed.some((one) => one.test(text));
		if (!isFine)
			this.complaints.push(url ? `${text} (${url})` : text);
	}

	check() {
		if (this.foreign.length > 0)
			throw new Error(`requests left the origin: ${this.foreign.join(', ')}`);
		if (this.complaints.length > 0)
			throw new Error(`the page complained:\n${this.complaints.join('\n')}`);
	}
}

/**
 * A page of a new person, nowhere yet. When the test ends the person is gone and what was watched is checked.
 * size: WIDE or SMALL; dark: the dark colours; allowed: patterns of what the page's console may say (a refused
 * connection, while a gateway is away); further options are playwright's, for the context.
 */
export async function person(t, gateway, { size = WIDE, dark = false, allowed = [], ...options } = {}) {
	const context = await (await browser()).newContext({
		viewport: size, colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC', ...options,
	});
	context.setDefaultTimeout(BOUND);
	const watch = new Watch([gateway.url], allowed);
	context.on('request', (request) => watch.asked(request.url()));
	context.on('console', (message) => {
		if (message.type() === 'error' || message.type() === 'warning')
			watch.complained(message.text(), message.location().url);
	});
	context.on('weberror', (error) => watch.complained(`not caught: ${error.error().stack ?? error.error()}`));
	context.on('page', (page) => page.on('websocket', (socket) => watch.asked(socket.url())));
	t.after(async () => {
		await context.close();
		watch.check();
	});
	const page = await context.newPage();
	page.watch = watch;
	return page;
}

/** Signs a page's person in with a token, and opens the console. */
export async function signIn(page, gateway, token, path = '/') {
	const answer = await page.context().request.post(`${gateway.url}/v0/session`, {
		data: { token }, headers: { origin: gateway.url },
	});
	if (answer.status() !== 201)
		throw new Error(`POST /v0/session: ${answer.status()}: ${await answer.text()}`);
	await page.goto(`${gateway.url}${path}`);
	await page.locator('.shell').waitFor();
	return page;
}

/** The same, of a person that is made for it. */
export async function signedIn(t, gateway, token, { path = '/', ...options } = {}) {
	return signIn(await person(t, gateway, options), gateway, token, path);
}

/** Keeps a picture of the page as docs/images/console/NAME.png, where HUSTINGS_SHOTS is 1. */
export async function shot(page, name) {
	if (process.env.HUSTINGS_SHOTS !== '1')
		return;
	mkdirSync(PICTURES, { recursive: true });
	await page.evaluate(() => document.fonts.ready);
	await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', caret: 'hide', scale: 'css' });
}

/** Serious findings of axe-core on the page as it stands: [] is what a test wants. */
export async function findings(page) {
	const { default: axe } = await import('axe-core');
	await page.evaluate(axe.source); // by the debugger, which the page's policy does not hold back
	return page.evaluate(async () => {
		const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
		return violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
			.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`);
	});
}
