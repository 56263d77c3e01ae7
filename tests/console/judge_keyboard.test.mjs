// SPDX-License-Identifier: Apache-2.0
// The keyboard alone: signing in, saying something, answering a question, revoking a token. The focus is seen wherever it goes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { joinAs, proposal } from '../e2e/lib/house.mjs';
import { person } from './lib/browser.mjs';

/** Tab until the focus is there; what has it on the way can be seen. */
async function reach(page, target) {
	for (let step = 0; step < 120; step += 1) {
		if (await target.evaluate((element) => element === document.activeElement))
			return;
		await page.keyboard.press('Tab');
		const seen = await page.evaluate(() => {
			const { activeElement: one } = document;
			if (one === document.body || one === document.documentElement) return true; // between the page's end and its beginning
			const style = getComputedStyle(one);
			return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
		});
		assert.ok(seen, `the focus is seen: ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 120))}`);
	}
	assert.fail('the keyboard does not get there');
}

test('sign in, speak, decide and revoke, without a pointer', async (t) => {
	const gateway = await Gateway.start();
	t.after(() => gateway.finish());
	const bot = await joinAs(gateway, 'desk', 'bot', { kind: 'agent', privilege: 'restricted' });
	await joinAs(gateway, 'desk', 'crane', { kind: 'robot', privilege: 'full' });
	const page = await person(t, gateway, { allowed: [/status of 404/] }); // a participant is asked for as a hosted server first
	await page.goto(`${gateway.url}/`);
	await reach(page, page.getByLabel('Token'));
	await page.keyboard.type(gateway.adminToken());
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { name: 'Overview' }).waitFor();

	const room = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^desk/ });
	await room.waitFor();
	await reach(page, room);
	await page.keyboard.press('Enter');
	const field = page.getByRole('textbox', { name: /Say something/ });
	await field.waitFor();
	await reach(page, field);
	await page.keyboard.type('no pointer here');
	await page.keyboard.press('Enter');
	await page.getByRole('log').getByText('no pointer here').waitFor();

	bot.send(proposal('crane', { params: { name: 'hoist', arguments: {} }, reason: 'to hoist' }));
	const inbox = page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Inbox.*1/ });
	await inbox.waitFor();
	await reach(page, inbox);
	await page.keyboard.press('Enter');
	const deny = page.getByRole('button', { name: 'Deny', exact: true });
	await deny.waitFor();
	await reach(page, deny);
	await page.keyboard.press('Enter');
	await page.getByText(/denied|rejected/i).first().waitFor();

	const revoke = page.getByRole('button', { name: /^Revoke the token .* of crane/ });
	await page.goto(`${gateway.url}/#/access/tokens`);
	await revoke.first().waitFor();
	await reach(page, revoke.first());
	await page.keyboard.press('Enter');
	const dialog = page.getByRole('dialog');
	await dialog.waitFor();
	await reach(page, dialog.getByRole('button', { name: 'Revoke' }));
	await page.keyboard.press('Enter');
	await dialog.waitFor({ state: 'detached' });
});
