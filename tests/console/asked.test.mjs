// SPDX-License-Identifier: Apache-2.0
// Tools that ask while they run: in a guided session, and in a room; answered, declined, and answered on another page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshTopic } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';
import { composer, isIn, isNarrow, log, openTool, roomAt } from './lib/judge.mjs';

const annotations = { readOnlyHint: true };
const BOLD = 'Which <b>meal</b> on the way?';
const requestedSchema = { type: 'object', properties: { meal: { type: 'string', enum: ['fish', 'leek'] }, guests: { type: 'integer', minimum: 1 } }, required: ['meal', 'guests'] };
const inputSchema = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const topic = freshTopic();
const kitchen = new Outsider('kitchen', { plain: true, tools: [
	{ name: 'dine', description: 'Books a table.', annotations, inputSchema, does: [{ script: [{ elicit: { message: BOLD, requestedSchema } }] }] },
] }, {}, { share: 'principal', rooms: [topic] });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [kitchen] });
await house.allConnected();

let people = 0;
const somebody = async (id = `ann-${people += 1}`) => ({ id, token: await house.gateway.token({ id, kind: 'human', privilege: 'full' }) });
const card = (page, words) => log(page).getByRole('listitem').filter({ hasText: words });

async function guided(t, options) {
	const { token } = await somebody();
	const page = await signedIn(t, house.gateway, token, { path: '/#/flow/kitchen/dine', ...options });
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	await page.getByRole('textbox', { name: /^place/ }).fill('Lund');
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByRole('form', { name: 'Question' }).getByText(BOLD).first().waitFor();
	return page;
}

/** Calls the tool from the composer of a room. */
async function calls(page) {
	const dialog = await openTool(page, 'kitchen', 'dine');
	await dialog.getByRole('textbox', { name: /^place/ }).fill('Lund');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
}

async function visitor(t, { id, token }, options) {
	const page = await signedIn(t, house.gateway, token, { path: roomAt(topic), ...options });
	await isIn(page);
	return { page, asks: card(page, `kitchen asks you`).last(), id };
}

test('what a guided tool asks while it runs is its next question, also on a small screen', async (t) => {
	const page = await guided(t, { size: SMALL });
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByText('needed').first().waitFor();
	await page.getByRole('radio', { name: 'leek' }).check();
	await page.getByRole('textbox', { name: /^guests/ }).fill('3');
	assert.deepEqual(await findings(page), []);
	assert.ok(await isNarrow(page));
	await page.getByRole('button', { name: 'Next' }).click();
	await page.getByText('Done', { exact: true }).waitFor();
	await page.getByRole('region', { name: 'How it ended' }).getByText(/accept.*leek/s).first().waitFor();
});

test('a guided tool that asks hears of a decline, and goes on', async (t) => {
	const page = await guided(t);
	await page.getByRole('radio', { name: 'fish' }).check();
	await page.getByRole('button', { name: 'Leave out' }).click();
	await page.getByText('Done', { exact: true }).waitFor();
	await page.getByRole('region', { name: 'How it ended' }).getByText(/decline/).first().waitFor();
});

test('a guided session that is cancelled while its tool asks ends both', async (t) => {
	const page = await guided(t);
	await page.getByRole('button', { name: 'Cancel', exact: true }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
	await page.getByText('The session was cancelled. Nothing was done.').waitFor();
});

test('what a tool asks in a room is answered there by a form; everybody sees that it was', async (t) => {
	const { page, asks, id } = await visitor(t, await somebody());
	const { page: other } = await visitor(t, await somebody());
	await calls(page);
	await asks.getByText(BOLD).waitFor();
	await shot(page, 'room-asked');
	const seen = card(other, `kitchen asks ${id}`).last();
	await seen.getByText('waits').waitFor();
	assert.equal(await seen.getByRole('button', { name: 'Answer' }).count(), 0);
	await asks.getByRole('button', { name: 'Answer' }).click();
	const dialog = page.getByRole('dialog', { name: 'kitchen asks' });
	await dialog.getByRole('button', { name: 'Answer' }).click();
	await dialog.getByText('needed').first().waitFor();
	await dialog.getByRole('radio', { name: 'leek' }).check();
	await dialog.getByRole('textbox', { name: /^guests/ }).fill('2');
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Answer' }).click();
	await dialog.waitFor({ state: 'detached' });
	await asks.getByText('answered').waitFor();
	await seen.getByText('answered').waitFor();
	await card(page, `${id} calls kitchen`).last().getByText('done', { exact: true }).waitFor();
});

test('a question in a room outlives a reload, and is declined', async (t) => {
	const { page, asks } = await visitor(t, await somebody());
	await calls(page);
	await asks.getByRole('button', { name: 'Answer' }).waitFor();
	await page.reload();
	await asks.getByRole('button', { name: 'Decline' }).click();
	await asks.getByText('declined').waitFor();
	assert.equal(await asks.getByRole('button', { name: 'Answer' }).count(), 0);
});

test('of two pages of one person one answers, and the form of the other goes', async (t) => {
	const who = await somebody();
	const one = await visitor(t, who), other = await visitor(t, who);
	await calls(one.page);
	await other.asks.getByRole('button', { name: 'Answer' }).click();
	await other.page.getByRole('dialog', { name: 'kitchen asks' }).waitFor();
	await one.asks.getByRole('button', { name: 'Decline' }).click();
	await other.page.getByRole('dialog').waitFor({ state: 'detached' });
	await other.asks.getByText('declined').waitFor();
});

test('who cancels the call is not asked any more', async (t) => {
	const { page, asks, id } = await visitor(t, await somebody());
	await calls(page);
	await asks.getByRole('button', { name: 'Answer' }).waitFor();
	const call = card(page, `${id} calls kitchen`).last();
	await call.getByRole('button', { name: 'Cancel' }).click();
	await asks.getByText('cancelled').waitFor();
	assert.equal(await asks.getByRole('button', { name: 'Answer' }).count(), 0);
	await composer(page).waitFor();
});
