// SPDX-License-Identifier: Apache-2.0
// Issue 7 as it is judged, rooms: the way in, talk between browsers and a terminal, a proposal, calls, a reload in the middle.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { freshTopic, isEvent, joinAs, proposal } from '../e2e/lib/house.mjs';
import { MgpHouse } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, person, shot, signedIn, SMALL } from './lib/browser.mjs';
import { composer, everythingTable, filesTable, isIn, isInSight, log, openTool, roomAt, say, Terminal } from './lib/judge.mjs';

const topic = 'judged';
const files = filesTable(`rooms = ["${topic}"]\n`);
const house = await MgpHouse.forFile({ text: files.text + everythingTable(`rooms = ["${topic}"]\n`) });
const { gateway } = house;
for (const id of ['files', 'everything']) await house.is(id, 'connected');

async function visitor(t, id, where = topic, { privilege = 'full', ...options } = {}) {
	const page = await signedIn(t, gateway, await gateway.token({ id, kind: 'human', privilege }), { path: roomAt(where), ...options });
	await isIn(page);
	return page;
}

test('a token lets one in by hand, stays nowhere in the page, and a wrong one is refused in words', async (t) => {
	const token = await gateway.token({ id: 'ann', kind: 'human', privilege: 'full' });
	const page = await person(t, gateway, { allowed: [/status of 401/] });
	await page.goto(`${gateway.url}/`);
	await shot(page, 'sign-in');
	assert.deepEqual(await findings(page), []);
	await page.getByLabel('Token').fill('hus_wrong');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByRole('alert').waitFor();
	await page.getByLabel('Token').fill(token);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
	const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
	assert.equal(kept.includes(token), false, 'the token is nowhere in the browser');
	assert.equal(await page.evaluate(() => document.cookie), '', 'no script reads the session');
	const [cookie] = await page.context().cookies();
	assert.equal(cookie.httpOnly, true);
	assert.equal(cookie.sameSite, 'Strict');
	assert.equal(cookie.value.includes(token), false);
	await page.reload();
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
	await page.getByRole('button', { name: 'Sign out' }).click();
	await page.getByRole('button', { name: 'Sign in' }).waitFor();
	await page.reload();
	await page.getByRole('button', { name: 'Sign in' }).waitFor();
});

test('a link lets in once, and leaves nothing in the address', async (t) => {
	const [link] = /https?:\S+#ticket=\S+/.exec(await house.run('console'));
	const page = await person(t, gateway);
	await page.goto(link);
	await page.getByRole('heading', { name: 'Overview' }).waitFor();
	assert.doesNotMatch(page.url(), /ticket/);
	await page.goBack();
	assert.doesNotMatch(page.url(), /ticket/, 'nor in the history');
	const second = await person(t, gateway, { allowed: [/status of 401/] });
	await second.goto(link);
	await second.getByRole('alert').waitFor();
	assert.equal(await second.locator('.shell').count(), 0);
});

test('two browsers and a terminal talk: everybody hears everything in the same order, under the right name', async (t) => {
	const where = freshTopic();
	const terminal = new Terminal(t, gateway, where, await gateway.token({ id: 'tom', kind: 'human', privilege: 'full' }));
	const [ann, bob] = [await visitor(t, 'ann', where), await visitor(t, 'bob', where, { size: SMALL, dark: true })];
	await terminal.hears('bob');
	const said = [];
	const speaks = async (words, speak) => {
		await speak(words);
		said.push(words);
		for (const page of [ann, bob]) await log(page).getByText(words, { exact: true }).waitFor();
		await terminal.hears(words);
	};
	for (let round = 0; round < 3; round += 1) {
		await speaks(`ann, round ${round}`, (words) => say(ann, words));
		await speaks(`tom, round ${round}`, (words) => terminal.says(words));
		await speaks(`bob, round ${round}`, (words) => say(bob, words));
	}
	for (const page of [ann, bob]) {
		const shown = await log(page).innerText();
		const order = said.map((words) => shown.indexOf(words));
		assert.deepEqual(order, [...order].sort((one, other) => one - other));
		for (const words of said) assert.equal(shown.split(words).length, 2, `${words} is there once`);
		for (const name of ['ann', 'bob', 'tom'])
			assert.ok(await log(page).getByRole('listitem').filter({ hasText: `${name}, round 0` }).getByText(name, { exact: true }).count() >= 1, name);
	}
	await shot(bob, 'phone');
});

test('a restricted agent proposes, a person approves, and both see the result where it was asked', async (t) => {
	const rita = await joinAs(gateway, topic, 'rita', { privilege: 'restricted', kind: 'agent' });
	t.after(() => rita.close());
	const page = await visitor(t, 'ann');
	await say(page, 'When is **high water**?');
	const id = rita.send(proposal('files', { params: { name: 'read_text_file', arguments: { path: `${files.folder}/tide.txt` } }, reason: 'the tide is asked for' }));
	const card = page.getByRole('listitem').filter({ hasText: 'the tide is asked for' });
	await card.getByText('tide.txt').first().waitFor();
	await shot(page, 'proposal');
	await card.getByRole('button', { name: 'Approve and run' }).click();
	await card.getByText('high water at noon').first().waitFor();
	await card.getByText('approved by ann').waitFor();
	const { payload } = await rita.next(isEvent('proposal', id));
	assert.match(JSON.stringify(payload), /approved|fulfilled/);
	await shot(page, 'room');
	assert.deepEqual(await findings(page), []);
});

test('a call is read as a card: request, result, time, octets; a failing one is seen as such', async (t) => {
	const page = await visitor(t, 'ann');
	let dialog = await openTool(page, 'files', 'read_text_file');
	await dialog.getByRole('textbox', { name: /^path/ }).fill(`${files.folder}/tide.txt`);
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	const card = page.getByRole('button', { name: /ann calls files: read_text_file.*done/ });
	await card.waitFor();
	await card.click();
	await page.getByRole('button', { name: 'Raw', exact: true }).first().click();
	await log(page).getByText('"method":"tools/call"').first().waitFor();
	await shot(page, 'call-card');
	dialog = await openTool(page, 'files', 'read_text_file');
	await dialog.getByRole('textbox', { name: /^path/ }).fill('/etc/shadow');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	await page.getByRole('button', { name: /ann calls files: read_text_file.*error/ }).waitFor();
	await log(page).getByText('Access denied').first().waitFor();
});

test('a reload in the middle: what was begun to be said, and a call that runs, are there again, once', async (t) => {
	const page = await visitor(t, 'ann', topic);
	const bob = await visitor(t, 'bob', topic);
	const dialog = await openTool(page, 'everything', 'trigger-long-running-operation');
	await dialog.getByRole('textbox', { name: /^duration/ }).fill('600');
	await dialog.getByRole('textbox', { name: /^steps/ }).fill('600');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	const running = /ann calls everything: trigger-long-running-operation/;
	await page.getByRole('button', { name: running }).waitFor();
	await say(page, 'said before the reload');
	await log(bob).getByText('said before the reload').waitFor();
	await composer(page).fill('a draft, not said yet');
	await page.reload();
	await isIn(page);
	await log(page).getByText('said before the reload').waitFor();
	assert.equal(await log(page).getByText('said before the reload').count(), 1);
	await page.getByRole('button', { name: running }).waitFor();
	assert.equal(await page.getByRole('button', { name: running }).count(), 1);
	assert.equal(await page.locator('#room-people').getByText('· you').count(), 1, 'one is there once');
	await until(async () => (await composer(page).inputValue()) === 'a draft, not said yet', 'the draft is there');
	await shot(page, 'reload');
	assert.equal(await log(bob).getByText('a draft, not said yet').count(), 0);
	await composer(page).press('Enter');
	await log(bob).getByText('a draft, not said yet').waitFor();
	await log(page).getByRole('button', { name: 'Cancel' }).first().click();
	for (const one of [page, bob]) await one.getByRole('button', { name: /trigger-long-running-operation.*cancelled/ }).waitFor();
});

test('at first sight: who is here, what waits, what just happened, on the first screen; on a small one within two', async (t) => {
	const where = await Gateway.start();
	t.after(() => where.finish());
	for (const [room, ids] of [['harbour', ['anchor', 'buoy', 'crane']], ['office', ['desk', 'editor']], ['yard', ['fork', 'gate']]])
		for (const id of ids) {
			const one = await joinAs(where, room, id, { kind: 'agent', privilege: id === 'anchor' ? 'restricted' : 'full' });
			await one.say(`I am ${id}, and I am in the ${room}.`);
			if (id === 'anchor')
				for (const name of ['hoist', 'lower', 'moor', 'signal', 'turn'])
					one.send(proposal('crane', { params: { name, arguments: {} }, reason: `to ${name}` }));
		}
	for (const [size, screens] of [[undefined, 1], [SMALL, 2]]) {
		const page = await signedIn(t, where, where.adminToken(), size ? { size } : {});
		await page.getByText(/the call of (hoist|lower|moor|signal|turn)/).first().waitFor();
		await page.getByText('I am gate').first().waitFor();
		const height = page.viewportSize().height * screens;
		for (const words of [/who is here/i, /what waits for you/i, /what just happened/i]) {
			const heading = page.getByRole('heading', { name: words });
			const part = page.getByRole('region', { name: words });
			assert.ok((await heading.boundingBox()).y < height, `${words} is in the first ${screens} of ${page.viewportSize().width}`);
			const first = part.getByRole('listitem').first();
			await first.waitFor();
			const box = await first.boundingBox();
			assert.ok(box.y + box.height <= height, `so is what stands under it: ${words}`);
		}
		assert.ok(await isInSight(page.getByRole('heading', { name: 'Overview' })));
		await shot(page, size ? 'overview-small' : 'overview');
		assert.deepEqual(await findings(page), []);
	}
	await shot(await signedIn(t, where, where.adminToken(), { dark: true }).then(async (page) => {
		await page.getByText('I am gate').first().waitFor();
		return page;
	}), 'dark');
});
