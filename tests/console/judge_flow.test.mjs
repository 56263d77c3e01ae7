// SPDX-License-Identifier: Apache-2.0
// Issue 7 as it is judged, guided sessions: a booking from its tool's page to the end, with a wrong answer on the way and a
// reload in the middle, on a small screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse } from '../e2e/lib/mgp_house.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';
import { bookingTable, isNarrow } from './lib/judge.mjs';

const house = await MgpHouse.forFile({ kernel: FREE, text: bookingTable() });
await house.is('booking', 'connected');

const form = (page) => page.getByRole('form', { name: 'Question' });
const next = (page) => page.getByRole('button', { name: 'Next' }).click();
const asked = (page, words) => form(page).getByText(words).first().waitFor();

for (const [name, options] of [['wide', {}], ['small and dark', { size: SMALL, dark: true }]])
	test(`a booking is completed with a wrong answer and a reload on the way: ${name}`, async (t) => {
		const page = await signedIn(t, house.gateway, house.gateway.adminToken(), { path: '/#/tools/booking/book', ...options });
		await page.getByRole('link', { name: 'Guide me' }).click();
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await asked(page, 'Which day?');
		await page.getByLabel('Which day?').fill('2026-06-01');
		await next(page);
		await asked(page, 'How do you travel?');
		await page.getByRole('radio', { name: 'Flight' }).check();
		await next(page);
		await asked(page, 'Which seat?');
		await page.reload();
		assert.equal(await page.getByRole('button', { name: 'Start', exact: true }).count(), 0, 'the session is still there');
		await page.getByRole('region', { name: 'Answered so far' }).getByText('2026-06-01').waitFor();
		await asked(page, 'Which seat?');
		await page.getByRole('radio', { name: 'By the window' }).check();
		await next(page);
		await asked(page, 'How many people?');
		await page.getByLabel('How many people?').fill('1000');
		await next(page);
		await page.locator('.wrong').first().waitFor();
		assert.deepEqual(await findings(page), []);
		assert.ok(await isNarrow(page));
		await page.getByLabel('How many people?').fill('3');
		await next(page);
		await page.getByLabel('Where to send the ticket?').fill('cid@example.org');
		await next(page);
		await asked(page, /is that right\?/);
		assert.match(await form(page).innerText(), /2026-06-01 for 3/);
		await page.getByRole('radio', { name: 'Yes' }).check();
		await next(page);
		await page.getByText(/^booked: flight on 2026-06-01 for 3, window/).first().waitFor();
		assert.deepEqual(await findings(page), []);
		await shot(page, options.size ? 'flow-small-booked' : 'flow-booked');
	});

test('two people are led at the same time, each through their own', async (t) => {
	const pages = [];
	for (const id of ['ann', 'bob'])
		pages.push(await signedIn(t, house.gateway, await house.gateway.token({ id, kind: 'human', privilege: 'full' }), { path: '/#/flow/booking/book' }));
	for (const [at, page] of pages.entries()) {
		await page.getByRole('button', { name: 'Start', exact: true }).click();
		await asked(page, 'Which day?');
		await page.getByLabel('Which day?').fill(`2026-07-0${at + 1}`);
		await next(page);
	}
	for (const [at, page] of pages.entries()) {
		await asked(page, 'How do you travel?');
		const given = page.getByRole('region', { name: 'Answered so far' });
		await given.getByText(`2026-07-0${at + 1}`).waitFor();
		assert.equal(await given.getByText(`2026-07-0${2 - at}`).count(), 0);
	}
	const [ann, bob] = pages;
	await ann.getByRole('button', { name: 'Cancel' }).click();
	await ann.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
	await ann.getByText('The session was cancelled').waitFor();
	await bob.getByRole('radio', { name: 'Flight' }).check();
	await next(bob);
	await asked(bob, 'Which seat?');
});
