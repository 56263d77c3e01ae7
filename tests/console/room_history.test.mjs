// SPDX-License-Identifier: Apache-2.0
// The room over time: thousands of envelopes, searching further back than what is loaded, and connections that break.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { command, freshFolder, Gateway } from '../e2e/lib/gateway.mjs';
import { freshTopic, joinAs } from '../e2e/lib/house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { signedIn } from './lib/browser.mjs';

const MANY = 10_000;
const set = { 'rooms.pace': 'off' };
const roomAt = (topic, query = '') => `/#/room/${encodeURIComponent(topic)}${query}`;
const log = (page) => page.getByRole('log');

let gateway;

before(async () => {
	gateway = await Gateway.start({ set });
});
after(() => gateway?.finish());

async function visitor(t, id, topic, { where = gateway, query = '', ...options } = {}) {
	const token = await where.token({ id, kind: 'human', privilege: 'full' });
	return signedIn(t, where, token, { path: roomAt(topic, query), ...options });
}

/** A topic in which bob has said so many things; "number N of them" each. */
async function talk(count) {
	const topic = freshTopic();
	const bob = await joinAs(gateway, topic, 'bob');
	for (let at = 0; at < count - 1; at += 1)
		bob.send({
			kind: 'chat',
			payload: { format: 'markdown', text: `number ${at} of them${' and more'.repeat(at % 40)}${at % 5 === 0 ? '\n\n- a list\n- of `two`' : ''}` },
		});
	await bob.say(`number ${count - 1} of them`);
	return { topic, bob };
}

/** How many items are loaded, and how many rows of them are on the page. */
const state = (page) =>
	page.evaluate(() => {
		const rows = [...document.querySelectorAll('[role="log"] [role="listitem"]')];
		return { loaded: Number(rows[0]?.getAttribute('aria-setsize') ?? 0), rows: rows.length, first: Number(rows[0]?.getAttribute('aria-posinset') ?? 0) };
	});

/** Scrolls to the top of what is loaded; says whether the very first was reached. */
async function further(page) {
	await log(page).evaluate((list) => {
		list.scrollTop = 0;
	});
	return log(page).getByText('number 0 of them', { exact: true }).isVisible();
}

test('ten thousand are read back to the first, with few of them on the page at a time', async (t) => {
	const { topic } = await talk(MANY);
	const page = await visitor(t, 'ann', topic);
	await log(page)
		.getByText(`number ${MANY - 1} of them`, { exact: true })
		.waitFor();
	await until(() => further(page), 'the first that was said is in sight');
	assert.ok((await state(page)).rows < 80);
	await log(page).evaluate((list) => {
		list.scrollTop = list.scrollHeight / 2;
	});
	await until(async () => (await state(page)).first > MANY / 4, 'the middle is in sight');
	assert.ok((await state(page)).rows < 80);
	await page.getByRole('button', { name: 'To the newest' }).click();
	await log(page)
		.getByText(`number ${MANY - 1} of them`, { exact: true })
		.waitFor();
});

test('older ones come in front without moving what one reads; new ones are told of, and do not pull one down', async (t) => {
	const { topic, bob } = await talk(1000);
	const page = await visitor(t, 'ann', topic);
	await log(page).getByText('number 999 of them', { exact: true }).waitFor();
	/* From row to row toward the older, always one screen at a time: what was on top stays within it. */
	for (let step = 0; step < 60; step += 1) {
		const before = await page.evaluate(() => {
			const list = document.querySelector('[role="log"]');
			list.scrollTop -= list.clientHeight / 2;
			return new Promise((done) =>
				requestAnimationFrame(() =>
					requestAnimationFrame(() => {
						const top = list.getBoundingClientRect().top;
						const row = [...list.querySelectorAll('[role="listitem"]')].find((one) => one.getBoundingClientRect().top >= top);
						done({ key: row.dataset.key, top: row.getBoundingClientRect().top - top });
					}),
				),
			);
		});
		const loading = (await state(page)).loaded;
		if (step % 10 === 9 && loading < 1000)
			await until(
				async () => (await state(page)).loaded > loading || (await state(page)).loaded >= 1000 || (await state(page)).first > 30,
				'older ones are here, or are not due yet',
			);
		const now = await page.evaluate((key) => {
			const list = document.querySelector('[role="log"]');
			const row = [...list.querySelectorAll('[role="listitem"]')].find((one) => one.dataset.key === key);
			return row && row.getBoundingClientRect().top - list.getBoundingClientRect().top;
		}, before.key);
		assert.ok(now !== undefined && Math.abs(now - before.top) < 24, `step ${step}: ${before.key} was at ${before.top}, and is at ${now}`);
	}
	const place = await log(page).evaluate((list) => list.scrollTop);
	await bob.say('news, one');
	await bob.say('news, two');
	await page.getByRole('button', { name: '2 new below' }).waitFor();
	assert.ok(Math.abs((await log(page).evaluate((list) => list.scrollTop)) - place) < 2);
	await page.getByRole('button', { name: '2 new below' }).click();
	await log(page).getByText('news, two').waitFor();
	await bob.say('news, three');
	await log(page).getByText('news, three').waitFor(); // at the end one stays at the end
});

test('a search goes further back by pages, can be filtered, and its address shows the same', async (t) => {
	const { topic, bob } = await talk(3000);
	const call = bob.send({ kind: 'mcp', to: ['bob'], payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'number', arguments: {} } } });
	bob.send({ kind: 'mcp', to: ['bob'], correlation_id: call, payload: { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'it broke' } } });
	const page = await visitor(t, 'ann', topic);
	await log(page).getByText('it broke').waitFor();
	await page.getByLabel('Kind').selectOption('calls');
	await page.getByText(/^1 found/).waitFor();
	await page.getByLabel('Kind').selectOption('chat');
	await page.getByLabel('Sender').selectOption('bob');
	await page.getByRole('searchbox').fill('more "number 17 of"');
	await page.getByText(/^0 found/).waitFor();
	await page.getByRole('button', { name: 'Search further back' }).click();
	await log(page)
		.getByText(/^number 17 of them/)
		.waitFor();
	await page.getByText('that is all there is').waitFor();
	await page.getByText(/^1 found/).waitFor();
	assert.match(page.url(), /find=more\+%22number\+17\+of%22&from=bob&kind=chat/);
	await page.reload();
	assert.equal(await page.getByRole('searchbox').inputValue(), 'more "number 17 of"');
	await page.getByRole('button', { name: 'Search further back' }).click();
	await log(page)
		.getByText(/^number 17 of them/)
		.waitFor();
});

test('texts made to take long do not: the room goes on, and shows them as they stand', async (t) => {
	const topic = freshTopic();
	const bob = await joinAs(gateway, topic, 'bob');
	const page = await visitor(t, 'ann', topic);
	await page.locator('#room-people').getByText('· you').waitFor({ state: 'attached' });
	for (const part of ['*a_ ', '[', '> ', '- ', '`', '<a ', '| a ', '![', '\n', '((', '&lt;'])
		bob.send({ kind: 'chat', payload: { format: 'markdown', text: part.repeat(Math.floor(400_000 / part.length)) } });
	const deep = `${'['.repeat(50)}${']'.repeat(50)}`;
	bob.send(`{"protocol":"mcpx/v0.1","id":"deep-args","kind":"mcp/proposal","to":["bob"],"payload":{"method":"tools/call","params":{"name":"big","arguments":{"text":"${'words '.repeat(100_000)}","deep":${deep}}}}}`);
	await bob.say('and this is short');
	await log(page).getByText('and this is short').waitFor();
	await log(page)
		.getByRole('button', { name: /proposes to bob: big/ })
		.waitFor();
	await page.getByRole('textbox', { name: /^Say something/ }).fill('still here');
	await page.keyboard.press('Enter');
	await log(page).getByText('still here').waitFor();
	await log(page).evaluate((list) => {
		list.scrollTop = 0;
	});
	await log(page)
		.getByRole('button', { name: /^Show all [34]/ })
		.first()
		.click();
	await log(page).getByRole('region', { name: 'The whole text' }).waitFor();
});

test('a link to something that was said long ago shows it', async (t) => {
	const { topic, bob } = await talk(2);
	const id = bob.send({ kind: 'chat', payload: { text: 'this is the one' } });
	for (let at = 0; at < 900; at += 1) bob.chat(`later ${at}`);
	await bob.say('the end');
	const page = await visitor(t, 'ann', topic, { query: `?at=${encodeURIComponent(id)}` });
	await log(page).getByText('this is the one').waitFor();
});

test('a broken connection is said calmly, and nothing is missing or twice when it is back', async (t) => {
	const data = freshFolder();
	const port = 20_000 + Math.floor(Math.random() * 10_000);
	const house = new Gateway({ data, listen: `127.0.0.1:${port}`, set });
	await house.launch();
	t.after(() => house.finish());
	const topic = freshTopic();
	const page = await visitor(t, 'ann', topic, { where: house, allowed: [/./] });
	const say = async (words) => {
		const { code, stderr } = await command(['say', topic, words, '--data', data]);
		assert.equal(code, 0, stderr);
	};
	await say('before');
	await log(page).getByText('before').waitFor();
	await house.kill9();
	await page.getByText(/^reconnecting, \d+ s$/).waitFor();
	await page.getByRole('textbox', { name: /^Say something/ }).fill('said meanwhile');
	await page.keyboard.press('Enter'); // it waits, and leaves when there is a way
	await house.launch();
	await say('after one');
	await say('after two');
	for (const words of ['after one', 'after two', 'said meanwhile']) await log(page).getByText(words).waitFor();
	await page.getByText(/^reconnecting/).waitFor({ state: 'detached' });
	for (const words of ['before', 'after one', 'after two', 'said meanwhile'])
		assert.equal(await log(page).getByText(words, { exact: true }).count(), 1, words);
	await page.reload();
	await log(page).getByText('said meanwhile').waitFor();
});

test('who is thrown out is told why, and a page without a session asks for one', async (t) => {
	const topic = freshTopic();
	const page = await visitor(t, 'zoe', topic, { allowed: [/401/, /WebSocket/] });
	await page.locator('#room-people').getByText('· you').waitFor({ state: 'attached' });
	const gone = await gateway.command(['token', 'revoke', '--id', 'zoe']);
	assert.equal(gone.code, 0, gone.stderr);
	await page.getByRole('button', { name: /sign in/i }).waitFor();
	assert.equal(await page.getByRole('log').count(), 0);
});
