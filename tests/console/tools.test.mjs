// SPDX-License-Identifier: Apache-2.0
// Tools in the console: what one may use, what a search finds and costs, what an agent sees, and one tool tried.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';

const readOnly = { readOnlyHint: true };
const path = { path: { type: 'string', description: 'where it is' } };

const read = {
	name: 'read_text_file', description: 'Reads a text file and hands out what is in it.', annotations: readOnly,
	inputSchema: { type: 'object', properties: { ...path, head: { type: 'integer', minimum: 1, description: 'lines from the beginning' } }, required: ['path'] },
};
const list = { name: 'list_directory', description: 'Lists the files of a folder.', annotations: readOnly, inputSchema: { type: 'object', properties: path, required: ['path'] } };
const remove = {
	name: 'delete_file', description: 'Deletes a file for good.', annotations: { destructiveHint: true },
	inputSchema: { type: 'object', properties: path, required: ['path'], additionalProperties: false }, does: [{ text: 'it is gone' }],
};
const slow = {
	name: 'slow', description: 'Takes its time.', annotations: readOnly, inputSchema: { type: 'object', properties: {}, additionalProperties: false },
	does: [{ script: [{ mcpProgress: { progress: 2, total: 5, message: 'half way' } }, { hold: 'slow' }, { answer: { content: [{ type: 'text', text: 'done at last' }] } }] }],
};
const evil = { name: 'evil', description: '<img src=x onerror="document.title=\'hit\'"> <b>bold</b>', annotations: readOnly, does: [{ text: '<script>document.title = "hit"</script>' }] };

async function open(t, where, { kernel = FREE, tools = [read, list, remove], share = 'all', token, ...options } = {}) {
	const files = new Outsider('files', { extensions: ['security'], tools }, {}, { share });
	const house = await MgpHouse.forTest(t, { kernel, servers: [files] });
	await house.allConnected();
	const page = await signedIn(t, house.gateway, token ? await token(house) : house.gateway.adminToken(), { path: `/#/${where}`, ...options });
	return { house, files, page };
}

const row = (page, name) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
const outcome = (page) => page.getByRole('region', { name: 'Outcome' });

test('all tools that one may use are listed by server, with risk and tokens, and filtered', async (t) => {
	const { house, page } = await open(t, 'tools', { token: (made) => made.token('ann') });
	await page.getByRole('heading', { name: 'files' }).waitFor();
	await row(page, 'read_text_file').getByText('safe').waitFor();
	await row(page, 'delete_file').getByText('dangerous').waitFor();
	await row(page, 'delete_file').getByText('may destroy').waitFor();
	assert.ok(Number(await row(page, 'read_text_file').getByRole('cell').last().locator('.table-value').innerText()) > 20);
	await page.getByRole('meter', { name: 'All of these' }).waitFor();
	await page.getByLabel('Filter').fill('folder');
	await row(page, 'read_text_file').waitFor({ state: 'detached' });
	await row(page, 'list_directory').waitFor();
	await page.getByLabel('Filter').fill('zebra');
	await page.getByText('No tool has these words').waitFor();
	assert.deepEqual(await findings(page), []);

	await house.grant('ann', 'files', 'delete_file', { permission: 'deny' });
	await page.reload();
	await row(page, 'read_text_file').waitFor();
	assert.equal(await row(page, 'delete_file').count(), 0, 'what one may not use is not there');
});

test('a search shows scores, tokens against the budget, categories, and narrows', async (t) => {
	const { page } = await open(t, 'tools?find=');
	await page.getByLabel('What should be done').fill('read a text file');
	await page.getByRole('button', { name: 'Search', exact: true }).click();
	const score = row(page, 'read_text_file').getByRole('meter', { name: 'Score of read_text_file' });
	await score.waitFor();
	const best = Number(await score.getAttribute('aria-valuenow'));
	assert.ok(best > 0.5 && best <= 1, `${best}`);
	assert.match(await page.getByRole('meter', { name: 'This answer' }).getAttribute('aria-valuetext'), /^\d+ of [\d,]+ tokens$/);
	assert.equal(await page.getByRole('row').nth(1).getByRole('link').innerText(), 'read_text_file');
	assert.deepEqual(await findings(page), []);
	await shot(page, 'tools-search');

	await page.getByRole('button', { name: /^files\/delete/ }).click();
	await page.getByText('Nothing fits').waitFor();
	await page.getByRole('button', { name: 'Show all of files/delete' }).click();
	await row(page, 'delete_file').waitFor();
	assert.equal(await row(page, 'read_text_file').count(), 0);
	await page.getByLabel('Risk').selectOption('safe');
	await row(page, 'delete_file').waitFor({ state: 'detached' });

	await page.getByLabel('Risk').selectOption('');
	await page.getByRole('button', { name: 'all', exact: true }).click();
	await page.getByLabel('What should be done').fill('read a text file');
	await page.getByRole('button', { name: 'Search', exact: true }).click();
	await page.reload();
	await row(page, 'read_text_file').waitFor();
	await page.setViewportSize(SMALL);
	await row(page, 'read_text_file').getByText('Score').waitFor();
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'nothing is wider than the page');
});

test('what an agent sees is shown against the whole list', async (t) => {
	const { page } = await open(t, 'tools?see=agent');
	await page.getByText('mgp_tools_discover').first().waitFor();
	const few = page.getByRole('meter', { name: 'The search face' });
	const all = page.getByRole('meter', { name: 'The list of all tools' });
	await few.waitFor();
	await all.waitFor();
	await page.getByText('shows all 3').waitFor();
	assert.deepEqual(await findings(page), []);
});

test('a tool is tried: the form checks, the call passes, the result is shown', async (t) => {
	const { files, page } = await open(t, 'tools/files/read_text_file');
	await page.getByRole('table', { name: 'Parameters' }).getByText('lines from the beginning').waitFor();
	await page.getByText('from 1', { exact: true }).waitFor();
	await page.getByText('The schema as it is sent').first().click();
	await page.getByRole('region', { name: 'Schema' }).getByText('"required"').waitFor();
	assert.equal(await page.getByRole('link', { name: 'Guide me' }).getAttribute('href'), '#/flow/files/read_text_file');

	await page.getByRole('button', { name: 'Call it' }).click();
	await page.getByRole('textbox', { name: /^path/ }).and(page.locator('[aria-invalid="true"]')).waitFor();
	assert.equal(files.calls('read_text_file').length, 0);
	await page.getByRole('textbox', { name: /^path/ }).fill('/notes.txt');
	await page.getByRole('textbox', { name: /^head/ }).fill('3');
	await page.getByRole('button', { name: 'Call it' }).click();
	await outcome(page).getByText('Done after').waitFor();
	await outcome(page).getByText('/notes.txt').first().waitFor();
	assert.deepEqual(files.calls('read_text_file').map(({ message }) => message.params.arguments), [{ path: '/notes.txt', head: 3 }]);
	assert.deepEqual(await findings(page), []);
	await page.getByText('The schema as it is sent').first().click();
	await page.getByRole('region', { name: 'Try it' }).evaluate((part) => part.scrollIntoView({ block: 'start' }));
	await shot(page, 'tool-tried');
});

test('a destructive tool asks before it is called, and not without', async (t) => {
	const { files, page } = await open(t, 'tools/files/delete_file');
	await page.getByRole('textbox', { name: /^path/ }).fill('/old.txt');
	await page.getByRole('button', { name: 'Call it' }).click();
	const dialog = page.getByRole('dialog', { name: 'Call delete_file?' });
	await dialog.getByText('/old.txt').waitFor();
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Cancel' }).click();
	await dialog.waitFor({ state: 'detached' });
	assert.equal(files.calls('delete_file').length, 0);
	await page.getByRole('button', { name: 'Call it' }).click();
	await dialog.getByRole('button', { name: 'Call it' }).click();
	await outcome(page).getByText('it is gone').waitFor();
	assert.equal(files.calls('delete_file').length, 1);
});

test('a call that waits for somebody\'s yes says so with the way to it; a no is shown in the gateway\'s words', async (t) => {
	const { house, page } = await open(t, 'tools/files/delete_file', {
		kernel: { ...FREE, approval: 'interactive' }, token: ({ gateway }) => gateway.token({ id: 'chief', admin: true, privilege: 'full' }),
	});
	await page.getByRole('textbox', { name: /^path/ }).fill('/old.txt');
	await page.getByRole('button', { name: 'Call it' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Call it' }).click();
	const { id } = await house.pending((one) => one.kind === 'call');
	const way = page.getByRole('link', { name: 'Open the question' });
	await way.waitFor();
	assert.equal(await way.getAttribute('href'), `#/inbox?id=${id}`);
	await house.decide(id, 'deny', { reason: 'we need that file' });
	await outcome(page).getByRole('alert').getByText('we need that file').first().waitFor();
	await way.waitFor({ state: 'detached' });
});

test('a call that runs shows its progress, and is cancelled', async (t) => {
	const { files, page } = await open(t, 'tools/files/slow', { tools: [slow] });
	await page.getByRole('button', { name: 'Call it' }).click();
	await page.getByText('40 %: half way').waitFor();
	await page.getByRole('progressbar', { name: 'Progress' }).waitFor();
	await page.getByRole('button', { name: 'Cancel' }).click();
	await outcome(page).getByText('You cancelled the call').waitFor();
	await files.hears('notifications/cancelled');
});

test('what a running call asks is answered in a form', async (t) => {
	const requestedSchema = { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'green'] }, name: { type: 'string' } }, required: ['name'] };
	const asking = { name: 'asking', annotations: readOnly, does: [{ script: [{ elicit: { message: 'What <b>shall</b> it be?', requestedSchema } }] }] };
	const { page } = await open(t, 'tools/files/asking', { tools: [asking], share: 'principal' });
	await page.getByRole('button', { name: 'Call it' }).click();
	const dialog = page.getByRole('dialog', { name: 'The tool asks' });
	await dialog.getByText('What <b>shall</b> it be?').waitFor();
	await dialog.getByRole('textbox', { name: /^name/ }).fill('Robin');
	await dialog.getByRole('radio', { name: 'green' }).check();
	assert.deepEqual(await findings(page), []);
	await dialog.getByRole('button', { name: 'Answer' }).click();
	await dialog.waitFor({ state: 'detached' });
	await outcome(page).getByText('Robin').first().waitFor();
});

test('what tools say of themselves and hand out stays text', async (t) => {
	const { page } = await open(t, 'tools', { tools: [evil] });
	await row(page, 'evil').getByText('<b>bold</b>').waitFor();
	await row(page, 'evil').getByRole('link').click();
	await page.getByText('<img src=x onerror=').first().waitFor();
	await page.getByRole('button', { name: 'Call it' }).click();
	await outcome(page).getByText('<script>document.title = "hit"</script>').waitFor();
	assert.match(await page.title(), /^evil/);
});

test('a tool that is not there, and one that may use none, are told what to do', async (t) => {
	const { house, page } = await open(t, 'tools/files/nothing', { kernel: { ...FREE, default_policy: 'opt-in' } });
	await page.getByText('There is no tool nothing').waitFor();
	const other = await signedIn(t, house.gateway, await house.token('ann'), { path: '/#/tools' });
	await other.getByText('There is no tool that you may use').waitFor();
	await other.getByText('hustings access grant ann SERVER').waitFor();
});
