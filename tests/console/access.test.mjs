// SPDX-License-Identifier: Apache-2.0
// People and access in the console: privileges, grants and tokens, and what becomes of whoever loses one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic, joinAs } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';

const tool = { name: 'look', annotations: { readOnlyHint: true } };

async function open(t, part, { servers = [], ...options } = {}) {
	const house = await MgpHouse.forTest(t, { servers, kernel: { ...FREE, default_policy: 'opt-in' } });
	await house.allConnected();
	const page = await signedIn(t, house.gateway, house.gateway.adminToken(), { path: `/#/access/${part}`, ...options });
	return { house, page };
}

/** A row in which all of these words stand. */
function row(page, ...words) {
	return words.reduce((found, text) => found.filter({ hasText: text }), page.getByRole('row'));
}

const isNarrow = (page) => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

test('people are seen with what holds in each room, promoted in one, demoted there, promoted everywhere', async (t) => {
	const { house, page } = await open(t, 'people');
	await page.getByText('Nobody is in a room').waitFor();
	const [one, other] = [freshTopic(), freshTopic()];
	const scout = await joinAs(house.gateway, one, 'scout', { privilege: 'restricted', kind: 'agent' });
	await joinAs(house.gateway, other, 'scout', { privilege: 'restricted', kind: 'agent' });
	await row(page, 'scout', one, other).getByText('restricted').first().waitFor();
	assert.deepEqual(await findings(page), []);

	await page.getByRole('button', { name: 'Change privilege of scout' }).click();
	const dialog = page.getByRole('dialog', { name: 'Privilege of scout' });
	await dialog.getByLabel('Where').selectOption(one);
	await dialog.getByRole('radio', { name: 'full' }).check();
	await dialog.getByText(`scout may call tools in ${one}`).waitFor();
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Promote' }).click();
	const told = await scout.next((envelope) => envelope.kind === 'system' && envelope.payload.event === 'privilege');
	assert.equal(told.payload.participant.privilege, 'full');
	await row(page, 'scout').getByRole('listitem').filter({ hasText: one }).getByText('full').waitFor();
	await row(page, 'scout').getByRole('listitem').filter({ hasText: other }).getByText('restricted').waitFor();
	await shot(page, 'people');

	await page.getByRole('button', { name: 'Change privilege of scout' }).click();
	await dialog.getByLabel('Where').selectOption(one);
	await dialog.getByRole('radio', { name: 'restricted' }).check();
	await dialog.getByRole('button', { name: 'Demote' }).click();
	await row(page, 'scout').getByRole('listitem').filter({ hasText: one }).getByText('restricted').waitFor();

	await page.getByRole('button', { name: 'Change privilege of scout' }).click();
	await dialog.getByLabel('Where').selectOption({ label: 'everywhere' });
	await dialog.getByText('It takes the place of what was said for single rooms').waitFor();
	await dialog.getByRole('radio', { name: 'full' }).check();
	await dialog.getByRole('button', { name: 'Promote' }).click();
	for (const topic of [one, other])
		await row(page, 'scout').getByRole('listitem').filter({ hasText: topic }).getByText('full').waitFor();
	await page.setViewportSize({ width: 768, height: 800 });
	await joinAs(house.gateway, one, 'a-rather-longwindednamedparticipant', { kind: 'agent' });
	const name = row(page, 'longwinded').getByText('a-rather-longwindednamedparticipant');
	await name.waitFor();
	assert.equal(await name.evaluate((shown) => shown.getClientRects().length), 1, 'no name is broken in the midst of a word');
	assert.ok(await isNarrow(page));
	await page.setViewportSize(SMALL);
	await row(page, 'scout').getByText('Kind').waitFor();
	assert.ok(await isNarrow(page));
});

test('somebody who is not here yet is demoted, and comes in so', async (t) => {
	const { house, page } = await open(t, 'people');
	await page.getByRole('button', { name: 'Somebody who is not here' }).click();
	const dialog = page.getByRole('dialog', { name: 'Privilege of somebody' });
	await dialog.getByRole('radio', { name: 'restricted' }).check();
	await dialog.getByRole('button', { name: 'Demote' }).click();
	await dialog.getByRole('alert').getByText('Say whose privilege it is').waitFor();
	await dialog.getByLabel('Who').fill('later');
	await dialog.getByText('later may chat and propose in every room').waitFor();
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Demote' }).click();
	await dialog.waitFor({ state: 'detached' });
	await joinAs(house.gateway, freshTopic(), 'later', { privilege: 'full' });
	await row(page, 'later').getByText('restricted').waitFor();
});

test('a grant is added with its end and reason, decides, is seen in the kernel\'s answer, and is removed', async (t) => {
	const { house, page } = await open(t, 'grants', { servers: [new Outsider('files', { tools: [tool] })] });
	await page.getByText('There are no grants').waitFor();
	await page.getByText('hustings access grant').waitFor();
	const ask = async (verdict, words) => {
		await page.getByLabel('Who asks').fill('bot');
		await page.getByLabel('Of which server').fill('files');
		await page.getByRole('button', { name: 'Ask the kernel' }).click();
		const answer = page.getByRole('status').filter({ hasText: 'bot and files' });
		await answer.getByText(verdict, { exact: true }).waitFor();
		await answer.getByText(words).waitFor();
	};
	await page.getByText('May somebody use something?').click();
	await ask('no', 'default policy');

	await page.getByRole('button', { name: 'Add a grant' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add a grant' });
	await dialog.getByLabel('Who').fill('bot');
	await dialog.getByLabel('Server').fill('files');
	await dialog.getByLabel('Until').selectOption({ label: '8 hours' });
	await dialog.getByLabel('Why').fill('the <b>audit</b>');
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Add the grant' }).click();
	await row(page, 'bot', 'files', 'allow').getByText('the <b>audit</b>').waitFor();
	const { grants: [grant] } = await house.rest('GET', '/admin/grants');
	const hours = (Date.parse(grant.expires_at) - Date.parse(grant.granted_at)) / 3600000;
	assert.ok(hours > 7 && hours < 9, `${hours}`);
	await ask('yes', 'by a grant of the server, by admin');
	assert.deepEqual(await findings(page), []);
	await shot(page, 'grants');

	const bot = await house.client('bot', 'files');
	assert.ok((await bot.tools()).has('look'));
	await page.getByRole('button', { name: 'Remove the grant bot: allow files' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
	await page.getByText('There are no grants').waitFor();
	assert.deepEqual((await house.rest('GET', '/admin/grants')).grants, []);
});

test('what is wrong with a grant is said where it is written', async (t) => {
	const { page } = await open(t, 'grants', { allowed: [/status of 400/] });
	await page.getByRole('button', { name: 'Add a grant' }).click();
	const dialog = page.getByRole('dialog', { name: 'Add a grant' });
	await dialog.getByLabel('Who').fill('bot');
	await dialog.getByLabel('Server').fill('x'.repeat(200));
	await dialog.getByRole('button', { name: 'Add the grant' }).click();
	await dialog.getByRole('alert').getByText('server_id').waitFor();
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await dialog.waitFor({ state: 'detached' });
});

test('a token is made, shown once, lets somebody in, and its page is thrown out when it is revoked', async (t) => {
	const { house, page } = await open(t, 'tokens', { dark: true });
	await row(page, 'this session').getByText('administrator').waitFor();
	await page.getByRole('button', { name: 'Make a token' }).click();
	const wish = page.getByRole('dialog', { name: 'Make a token' });
	await wish.getByLabel('Id').fill('bob');
	await wish.getByLabel('Kind').selectOption({ label: 'person' });
	await wish.getByLabel('Privilege').selectOption('restricted');
	await wish.getByLabel('Rooms').fill('demo ops');
	assert.deepEqual(await findings(page), []);
	await wish.getByRole('button', { name: 'Make the token' }).click();
	const made = page.getByRole('dialog', { name: 'Token for bob' });
	const token = await made.getByLabel('Token', { exact: true }).inputValue();
	assert.match(token, /^hus_/);
	await made.getByRole('button', { name: 'Done' }).click();
	await row(page, 'bob', 'demo, ops').getByText('restricted').waitFor();
	assert.equal((await page.content()).includes(token), false, 'it is gone from the page');

	const other = await signedIn(t, house.gateway, token, { allowed: [/status of 401/, /WebSocket/] });
	await row(page, 'bob', 'session').waitFor();
	await shot(page, 'tokens');
	const { tokens } = await house.rest('GET', '/admin/tokens');
	const { tokenId } = tokens.find((one) => one.id === 'bob' && !one.session);
	await page.getByRole('button', { name: `Revoke the token ${tokenId} of bob` }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText('with 1 session').waitFor();
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Revoke' }).click();
	await row(page, 'bob').first().waitFor({ state: 'detached' });
	await other.getByRole('button', { name: 'Sign in' }).waitFor();
	await other.getByRole('alert').waitFor();
	await shot(other, 'thrown-out');
	await page.getByRole('checkbox', { name: 'Show those that ended' }).check();
	await row(page, 'bob', tokenId).getByText('revoked').waitFor();
	await page.setViewportSize(SMALL);
	assert.ok(await isNarrow(page));
});

test('who revokes the own session is told before, and signed out', async (t) => {
	const { page } = await open(t, 'tokens', { allowed: [/status of 401/, /WebSocket/] });
	await row(page, 'this session').getByRole('button', { name: /^Revoke the session/ }).click();
	await page.getByRole('dialog').getByText('This is your own session').waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('alert').getByText('You revoked the session').waitFor();
	await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('who is no administrator changes nothing', async (t) => {
	const { house } = await open(t, 'people');
	const page = await signedIn(t, house.gateway, await house.token('ann'), { path: '/#/access/tokens' });
	await page.getByText('Access is governed by administrators').waitFor();
	assert.equal(await page.getByRole('button', { name: 'Make a token' }).count(), 0);
});

test('a token that is shown once, and a form that was begun, stay when Escape or a press beside the window would close them', async (t) => {
	const { page } = await open(t, 'tokens');
	const begin = () => page.getByRole('button', { name: 'Make a token' }).click();
	await begin();
	const form = page.getByRole('dialog', { name: 'Make a token' });
	await form.waitFor();
	await page.keyboard.press('Escape');
	await form.waitFor({ state: 'detached' });
	await begin();
	await form.getByLabel('Id').fill('bot');
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	await page.mouse.click(5, 5);
	assert.equal(await form.getByLabel('Id').inputValue(), 'bot');
	await form.getByRole('button', { name: 'Make the token' }).click();
	const made = page.getByRole('dialog', { name: 'Token for bot' });
	await made.waitFor();
	await page.keyboard.press('Escape');
	await page.keyboard.press('Escape');
	await page.mouse.click(5, 5);
	await made.getByRole('button', { name: 'Done' }).click();
	await made.waitFor({ state: 'detached' });
});
