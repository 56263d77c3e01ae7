// SPDX-License-Identifier: Apache-2.0
// The figures of a gateway in its console: what is shown is what /metrics says, drawn and as tables.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, joinAs, request } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, person, shot, signedIn, signIn, SMALL } from './lib/browser.mjs';

const readOnly = { readOnlyHint: true };
const plan = { extensions: ['security'], tools: [
	{ name: 'read', annotations: readOnly, inputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
	{ name: 'fails', annotations: readOnly, does: [{ result: { content: [], isError: true } }] },
	{ name: 'wipe', annotations: { destructiveHint: true } }] };

const house = await MgpHouse.forFile({ kernel: { ...FREE, approval: 'interactive' }, servers: [new Outsider('files', plan)] });
await house.allConnected();
const client = await house.client('ann', 'files');
const call = (name, args = {}) => client.request('tools/call', { name, arguments: args });
const open = (t, options = {}) => signedIn(t, house.gateway, house.gateway.adminToken(), { path: '/#/figures', ...options });
const tile = (page, label) => page.locator('dl[aria-label="Now"] > div').filter({ has: page.getByText(label, { exact: true }) });
const chart = (page, name) => page.getByRole('region', { name, exact: true });
const isWithin = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

/** Goes on until the page shows it. */
async function goingOn(what, act, shown) {
	await until(async () => { await act(); return shown(); }, what);
}

test('tiles say how it stands now', async (t) => {
	const topic = freshTopic();
	await joinAs(house.gateway, topic, 'alice');
	const waiting = client.begin('tools/call', { name: 'wipe', arguments: {} });
	const { id } = await house.pending((one) => one.tool === 'wipe');
	const page = await open(t);
	await tile(page, 'Participants').getByText('in 1 room').waitFor();
	await tile(page, 'Participants').getByText('1', { exact: true }).waitFor();
	await tile(page, 'Open decisions').getByText('1', { exact: true }).waitFor();
	await tile(page, 'Calls').getByText('1 open').waitFor();
	await tile(page, 'Servers').getByText('1 of 1').waitFor();
	await tile(page, 'Memory').getByText(/^\d[\d.]* MiB$/).waitFor();
	await house.decide(id, 'deny');
	await waiting.answer;
	await tile(page, 'Open decisions').getByText('0', { exact: true }).waitFor();
	await tile(page, 'Calls').getByText('0 open').waitFor();
});

test('what happens is drawn: calls, how long they take, refusals by gate; a table has the same figures', async (t) => {
	const topic = freshTopic();
	const robin = await joinAs(house.gateway, topic, 'robin', { privilege: 'restricted' });
	const page = await open(t);
	await chart(page, 'Calls of tools').getByRole('img').waitFor();
	assert.equal(await chart(page, 'Calls refused, by gate').getByText('None since you look.').count(), 1);
	await goingOn('calls and refusals are drawn', async () => {
		await call('read', { n: 1 });
		await call('fails');
		await call('read', { n: 'one' });
		await robin.refusal(request('somebody'));
	}, async () => {
		const drawn = await chart(page, 'Calls of tools').getByRole('img').getAttribute('aria-label');
		return /worked: now (?!0\/s|–)/.test(drawn) && /failed: now (?!0\/s|–)/.test(drawn) && /refused: now (?!0\/s|–)/.test(drawn)
			&& await chart(page, 'Calls refused, by gate').getByText('arguments').count() === 1
			&& await chart(page, 'Envelopes refused, by gate').getByText('privilege').count() === 1
			&& /p50\): now [\d.]+ m?s/.test(await chart(page, 'How long calls take').getByRole('img').getAttribute('aria-label'));
	});
	const calls = chart(page, 'Calls of tools');
	assert.ok(await calls.locator('canvas').evaluate((canvas) => {
		const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
		return data.some((octet) => octet !== 0);
	}), 'something is drawn');
	await calls.getByRole('button', { name: 'Table of Calls of tools' }).click();
	const table = calls.getByRole('table', { name: 'Calls of tools a second, minute by minute' });
	assert.deepEqual(await table.getByRole('columnheader').allTextContents(), ['Time', 'worked', 'failed', 'refused', 'given up']);
	assert.match(await table.getByRole('row').nth(1).textContent(), /\/s/);
	assert.equal(await calls.getByRole('img').count(), 0);
	assert.deepEqual(await findings(page), []);
	await calls.getByRole('button', { name: 'Table of Calls of tools' }).click();
	await calls.getByRole('img').waitFor();
	for (let i = 0; process.env.HUSTINGS_SHOTS === '1' && i < 300; i += 1) { // a picture of the docs has something on it
		await Promise.all([call('read', { n: i }), i % 9 ? null : call('fails'), i % 4 ? null : call('read', { n: 'one' }), i % 6 ? null : call('nothing'), i % 5 ? null : robin.refusal(request('somebody'))]);
		await page.waitForTimeout(100 + 200 * Math.abs(Math.sin(i / 20)));
	}
	await shot(page, 'figures');
});

/** What /metrics says, made up: {name: value}. */
const saying = (figures) => Object.entries(figures).map(([name, value]) => `${name} ${value}\n`).join('');
const took = (counts) => Object.fromEntries(Object.entries(counts).map(([bound, count]) => [`hustings_call_seconds_bucket{le="${bound}"}`, count]));

test('quantiles are those of the calls in between, rates those of the counters, and gates beyond five are one', async (t) => {
	const gates = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((gate, at) => [`hustings_calls_refused_total{gate="${gate}"}`, 100 + 10 * (7 - at)]));
	const nothing = Object.fromEntries(Object.keys(gates).map((name) => [name, 100]));
	const before = saying({ ...took({ 0.001: 50, 0.01: 50, 0.1: 50, '+Inf': 50 }), ...nothing, hustings_envelopes_in_total: 1000, hustings_envelopes_out_total: 10 });
	const after = saying({ ...took({ 0.001: 50, 0.01: 140, 0.1: 150, '+Inf': 150 }), ...gates, hustings_envelopes_in_total: 1000, hustings_envelopes_out_total: 5 });
	const page = await person(t, house.gateway, { allowed: [/ERR_FAILED/] });
	await page.addInitScript(() => { // two looks are two seconds apart, however long they take
		let now = Date.now();
		Date.now = () => now;
		const { fetch } = window;
		window.fetch = (...words) => {
			if (String(words[0]).endsWith('/metrics')) now += 2000;
			return fetch(...words);
		};
	});
	await signIn(page, house.gateway, house.gateway.adminToken());
	const answers = [before, after]; // and then nothing: what is shown stays
	await page.route('**/metrics', (route) => (answers.length > 0 ? route.fulfill({ contentType: 'text/plain', body: answers.shift() }) : route.abort()));
	await page.goto(`${house.gateway.url}/#/figures`);
	const long = chart(page, 'How long calls take').getByRole('listitem');
	await long.filter({ hasText: 'p50' }).getByText('6 ms', { exact: true }).waitFor(); // 50 of the 90 between 1 and 10 ms
	await long.filter({ hasText: 'p95' }).getByText('55 ms', { exact: true }).waitFor(); // 5 of the 10 between 10 and 100 ms
	await long.filter({ hasText: 'p99' }).getByText('91 ms', { exact: true }).waitFor();
	const refused = chart(page, 'Calls refused, by gate').getByRole('listitem');
	assert.deepEqual(await refused.allTextContents(), ['a 70', 'b 60', 'c 50', 'd 40', 'e 30', 'other gates 30']);
	await chart(page, 'Envelopes').getByRole('listitem').filter({ hasText: 'accepted' }).getByText('0/s', { exact: true }).waitFor();
	await chart(page, 'Envelopes').getByRole('listitem').filter({ hasText: 'delivered' }).getByText('–', { exact: true }).waitFor(); // it began anew
});

test('the crosshair stands at the same moment in every chart', async (t) => {
	const page = await open(t);
	const moments = page.locator('.figures-card header .tiny');
	const plot = chart(page, 'Envelopes').locator('.u-over');
	await until(async () => {
		await plot.hover({ position: { x: (await plot.boundingBox()).width - 2, y: 40 } });
		const words = await moments.allTextContents();
		return words.length >= 5 && new Set(words).size === 1;
	}, 'all of them say the same time');
});

test('samples are kept while another view is shown, and are gone with the session', async (t) => {
	const alice = await joinAs(house.gateway, freshTopic(), 'alice-kept');
	const page = await open(t, { allowed: [/ERR_FAILED/] });
	const drawing = chart(page, 'Envelopes').getByRole('img');
	const most = async () => /accepted: .*at most ([^.;]+(\.\d+)?\/s)/.exec(await drawing.getAttribute('aria-label'))?.[1];
	await drawing.waitFor();
	await goingOn('envelopes are drawn', () => alice.say('counted'), async () => /[1-9]/.test(await most() ?? ''));
	await page.getByRole('link', { name: 'Audit', exact: true }).click();
	await page.getByRole('heading', { name: 'Audit', exact: true }).waitFor();
	await page.route('**/metrics', (route) => route.abort()); // nothing new comes: what is drawn was kept
	await page.getByRole('link', { name: 'Figures', exact: true }).click();
	await page.getByRole('main').getByRole('alert').waitFor();
	assert.match(await most(), /[1-9]/);

	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.getByLabel('Token').fill(house.gateway.adminToken());
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByRole('main').getByRole('alert').waitFor();
	assert.equal(await page.locator('.figures-card').count(), 0);
});

test('in dark colours and on a small screen it is as good', async (t) => {
	const page = await open(t, { dark: true, size: SMALL });
	await chart(page, 'Envelopes').getByRole('img').waitFor();
	assert.deepEqual(await findings(page), []);
	assert.ok(await isWithin(page), 'nothing is wider than the page');
	await page.emulateMedia({ colorScheme: 'light' });
	await until(async () => await chart(page, 'Envelopes').locator('canvas').count() === 1, 'it is drawn anew');
	assert.deepEqual(await findings(page), []);
});

test('who may not see them is told so', async (t) => {
	const token = await house.gateway.token({ id: 'plain-person', privilege: 'full', kind: 'human' });
	const page = await signedIn(t, house.gateway, token, { path: '/', allowed: [/403/] });
	await page.route('**/metrics', (route) => route.fulfill({ status: 403, contentType: 'application/json', body: JSON.stringify({ error: 'forbidden', message: 'only administrators may do that' }) }));
	await page.goto(`${house.gateway.url}/#/figures`);
	await page.getByText('The figures are for administrators').waitFor();
	await page.getByText('only administrators may do that').waitFor();
	assert.equal(await page.locator('canvas').count(), 0);
});

test('a gateway that is away is said, in its place, and the figures go on when it is back', async (t) => {
	const page = await open(t, { allowed: [/./] });
	await chart(page, 'Envelopes').getByRole('img').waitFor();
	await page.route('**/metrics', (route) => route.abort());
	const alert = page.getByRole('main').getByRole('alert');
	await alert.waitFor();
	assert.ok(await chart(page, 'Envelopes').getByRole('img').isVisible(), 'what is known stays');
	await page.unroute('**/metrics');
	await alert.waitFor({ state: 'detached' });
});
