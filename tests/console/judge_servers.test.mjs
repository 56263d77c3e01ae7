// SPDX-License-Identifier: Apache-2.0
// Issue 7 as it is judged, servers and access: a published server killed and seen coming back, also from within a room; a token
// revoked and its pages thrown out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE, MgpHouse } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, shot, signedIn } from './lib/browser.mjs';
import { composer, filesTable, isIn, log, openTool, roomAt, say } from './lib/judge.mjs';

const topic = 'works';
// The second start comes late enough to be seen, and by itself.
const files = filesTable(`share = "all"\nrooms = ["${topic}"]\n[servers.mgp]\nbackoff_base_ms = 3000\n`);
const house = await MgpHouse.forFile({ kernel: FREE, text: files.text });
const { gateway } = house;
await house.is('files', 'connected');

const row = (page) => page.getByRole('row').filter({ has: page.getByRole('link', { name: 'files', exact: true }) });
const visitor = async (t, id) => {
	const page = await signedIn(t, gateway, await gateway.token({ id, kind: 'human', privilege: 'full' }), { path: roomAt(topic), allowed: [/status of 401/, /WebSocket/] });
	await isIn(page);
	return page;
};

test('a server that is killed is seen restarting and connected again, its tools work, and the log and audit say so', async (t) => {
	const page = await signedIn(t, gateway, gateway.adminToken(), { path: '/#/servers' });
	const ann = await visitor(t, 'ann');
	await row(page).getByText('connected').waitFor();
	const { pid } = await house.server('files');
	process.kill(pid, 'SIGKILL');
	await row(page).getByText('restarting').waitFor();
	await row(page).getByText('connected').waitFor();
	assert.notEqual((await house.server('files')).pid, pid);
	await row(page).getByRole('link', { name: 'files', exact: true }).click();
	await page.getByRole('region', { name: 'State' }).getByText('connected', { exact: true }).waitFor();
	assert.deepEqual(await findings(page), []);
	await shot(page, 'server');
	const dialog = await openTool(ann, 'files', 'read_text_file');
	await dialog.getByRole('textbox', { name: /^path/ }).fill(`${files.folder}/tide.txt`);
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	await log(ann).getByText('high water at noon').first().waitFor();
	await page.goto(`${gateway.url}/#/audit?server=files`);
	await until(async () => (await page.getByRole('list', { name: 'The newest first' }).getByRole('listitem').filter({ hasText: /connected/ }).count()) >= 2, 'both connections are recorded');
});

test('a token is revoked in one browser: the other one\'s pages are thrown out, all of them, and nobody else', async (t) => {
	const page = await signedIn(t, gateway, gateway.adminToken(), { path: '/#/access/tokens' });
	const [eve, bob] = [await visitor(t, 'eve'), await visitor(t, 'bob')];
	const second = await eve.context().newPage();
	await second.goto(`${gateway.url}/#/inbox`);
	await second.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
	await say(eve, 'still here');
	await log(bob).getByText('still here').waitFor();
	const { tokens } = await house.rest('GET', '/admin/tokens');
	const { tokenId } = tokens.find((one) => one.id === 'eve' && !one.session);
	await page.getByRole('button', { name: `Revoke the token ${tokenId} of eve` }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
	for (const one of [eve, second]) {
		await one.getByRole('button', { name: 'Sign in' }).waitFor();
		assert.equal(await one.getByRole('log').count(), 0, 'nothing of the room is left on the page');
		assert.equal((await one.locator('body').innerText()).includes('still here'), false);
	}
	await eve.getByRole('alert').waitFor();
	await shot(eve, 'thrown-out');
	await eve.reload();
	await eve.getByRole('button', { name: 'Sign in' }).waitFor();
	await until(async () => (await bob.locator('#room-people').getByText('eve', { exact: true }).count()) === 0, 'bob sees that eve left');
	await say(bob, 'and I am still here');
	await log(bob).getByText('and I am still here').waitFor();
	assert.equal(await composer(bob).inputValue(), '');
});
