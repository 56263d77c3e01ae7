// SPDX-License-Identifier: Apache-2.0
// Guided sessions in a real browser: each prompt by its control, back, cancel, reload in the middle; hosted tools and a participant's.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { FIELDS, flowHouse, TOOLS } from '../e2e/lib/flow_tools.mjs';
import { BINARY, freshFolder } from '../e2e/lib/gateway.mjs';
import { freshTopic } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';

const BOOKING = join(dirname(BINARY), 'examples/booking');
const BOOKED = 'booked: flight on 2026-05-05 for 2, aisle, ticket to ann@example.org';
const EVIL = '<img src=x onerror="document.title=1">';
const readOnly = { readOnlyHint: true };
const nested = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } } };

const guide = new Outsider('guide', { plain: true, tools: [...TOOLS,
	{ name: 'evil_words', description: EVIL, annotations: readOnly, inputSchema: { type: 'object', required: ['word'], properties: { word: { type: 'string', description: EVIL } } } },
	{ name: 'when', annotations: readOnly, inputSchema: { type: 'object', required: ['at', 'daily', 'many', 'deep'], properties: { at: { type: 'string', format: 'date-time' }, daily: { type: 'string', format: 'time' },
		many: { type: 'string', enum: ['one', 'two', 'three', 'four', 'five', 'six', 'seven'] }, deep: { type: 'object' } } } },
	{ name: 'shape', annotations: readOnly, inputSchema: { type: 'object', required: ['who'], properties: { who: nested } } },
] });
const house = await MgpHouse.forFile({ kernel: FREE, servers: [guide],
	text: `[[servers]]\nid = "booking"\ncommand = ${JSON.stringify(BOOKING)}\nargs = ["--stdio"]\n` });
await house.allConnected();
await house.is('booking', 'connected');

const open = (t, path, options = {}) => signedIn(t, house.gateway, options.token ?? house.gateway.adminToken(), { path: `/#/flow${path}`, ...options });
const next = (page) => page.getByRole('button', { name: 'Next' }).click();
const start = (page) => page.getByRole('button', { name: 'Start', exact: true }).click();
const asked = (page, words) => page.getByRole('form', { name: 'Question' }).getByText(words).first().waitFor();

/** The booking's questions one after another, from the first to `last`. */
const STEPS = [
	['Which day?', (page) => page.getByLabel('Which day?').fill('2026-05-05')],
	['How do you travel?', (page) => page.getByRole('radio', { name: 'Flight' }).check()],
	['Which seat?', (page) => page.getByRole('radio', { name: 'By the aisle' }).check()],
	['How many people?', (page) => page.getByLabel('How many people?').fill('2')],
	['Where to send the ticket?', (page) => page.getByLabel('Where to send the ticket?').fill('ann@example.org')],
];

async function answers(page, from, to) {
	for (const [name, fill] of STEPS.slice(from, to)) {
		await asked(page, name);
		await fill(page);
		await next(page);
	}
}

async function confirms(page) {
	await asked(page, /is that right\?/);
	await page.getByRole('radio', { name: 'Yes' }).check();
	await next(page);
	await page.getByText(BOOKED).first().waitFor();
}

test('a journey is booked, question by question, and what is wrong is said beside the question', async (t) => {
	const page = await open(t, '/booking/book');
	await page.getByText('Books a train or a flight.').waitFor();
	await start(page);
	await asked(page, 'Which day?');
	await page.getByText(/^Step 1 of 6/).waitFor();
	await next(page);
	await page.getByLabel('Which day?').and(page.locator('[aria-invalid="true"]:focus')).waitFor();
	await answers(page, 0, 4);
	await asked(page, 'Where to send the ticket?');
	await shot(page, 'flow');
	await page.getByLabel('Where to send the ticket?').fill('nobody');
	await next(page);
	await page.locator('.wrong', { hasText: 'Write an address like name@example.org' }).waitFor();
	await answers(page, 4, 5);
	await confirms(page);
	await shot(page, 'flow-booked');
});

test('what the server refuses is said in its own words, with what it suggests', async (t) => {
	const page = await open(t, '/guide/evil');
	await start(page);
	await page.getByRole('textbox').fill('bbb');
	await next(page);
	await page.locator('.wrong', { hasText: 'it does not have the form that is wanted. Try: a text that matches ^(a+)+$' }).waitFor();
	assert.equal(await page.getByRole('textbox').inputValue(), 'bbb');
	await page.getByRole('textbox').fill('aaa');
	await next(page);
	await page.getByText('Done').waitFor();
});

test('a reload in the middle comes back to the same session', async (t) => {
	const page = await open(t, '/booking/book');
	await start(page);
	await answers(page, 0, 3);
	await asked(page, 'How many people?');
	await page.reload();
	await asked(page, 'How many people?');
	const given = page.getByRole('region', { name: 'Answered so far' });
	await given.getByText('2026-05-05').waitFor();
	await given.getByText('By the aisle').waitFor();
	await answers(page, 3, 5);
	await confirms(page);
	await page.reload();
	await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
});

test('an answer can be changed: what came before it stays, what follows is asked again and begins as it was', async (t) => {
	const page = await open(t, '/booking/book');
	await start(page);
	await answers(page, 0, 4);
	await asked(page, 'Where to send the ticket?');
	await page.getByRole('button', { name: 'Change Which seat?' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
	await asked(page, 'Which seat?');
	assert.equal(await page.getByRole('radio', { name: 'By the aisle' }).isChecked(), true);
	await page.getByRole('region', { name: 'Answered so far' }).getByText('Flight').waitFor();
	await page.getByRole('radio', { name: 'By the window' }).check();
	await next(page);
	await asked(page, 'How many people?');
	assert.equal(await page.getByLabel('How many people?').inputValue(), '2');
	await next(page);
	await answers(page, 4, 5);
	await asked(page, /for 2, window, ticket to ann@example.org: is that right\?/);
	await page.getByRole('radio', { name: 'No' }).check();
	await next(page);
	await asked(page, 'Which day?');
});

test('a session is cancelled, and begins again from nothing', async (t) => {
	const page = await open(t, '/booking/book');
	await start(page);
	await answers(page, 0, 1);
	await asked(page, 'How do you travel?');
	await page.getByRole('button', { name: 'Cancel' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
	await page.getByText('The session was cancelled. Nothing was done.').waitFor();
	await page.getByRole('button', { name: 'Start again' }).click();
	await asked(page, 'Which day?');
});

test('each type of prompt has its control', async (t) => {
	const before = guide.calls('fields').length;
	const page = await open(t, '/guide/fields');
	await start(page);
	await asked(page, FIELDS.text.description);
	assert.equal(await page.getByLabel('Enter text:').inputValue(), 'default');
	await page.getByLabel('Enter text:').fill('abc');
	await next(page);
	await page.getByRole('radio', { name: 'b', exact: true }).check();
	await next(page);
	await asked(page, FIELDS.confirm.description);
	assert.equal(await page.getByRole('radio', { name: 'No' }).isChecked(), true);
	await page.getByRole('radio', { name: 'Yes' }).check();
	await next(page);
	await page.getByLabel('Enter amount:').fill('12.50');
	await next(page);
	await page.getByLabel('Select date:').fill('2024-02-29');
	await next(page);
	await page.getByText('Done').waitFor();
	const call = await until(() => guide.calls('fields')[before], 'the tool was called');
	assert.deepEqual(call.message.params.arguments, { text: 'abc', choice: 'b', confirm: true, number: 12.5, date: '2024-02-29' });
});

test('a prompt with a schema of its own is a form; lists and objects leave as such', async (t) => {
	const page = await open(t, '/guide/list');
	await start(page);
	await page.getByRole('button', { name: /^Add/ }).click();
	await page.getByRole('textbox').fill('ann');
	await next(page);
	await page.locator('.wrong', { hasText: 'Give at least 2.' }).waitFor();
	await page.getByRole('button', { name: /^Add/ }).click();
	await page.getByRole('textbox').nth(1).fill('bob');
	await next(page);
	await page.getByText('Done').waitFor();
	assert.deepEqual(guide.calls('list').at(-1).message.params.arguments, { names: ['ann', 'bob'] });
	await page.evaluate(() => { location.hash = '#/flow/guide/shape'; });
	await start(page);
	await page.getByLabel('name').fill('cid');
	await page.getByLabel('age').fill('many');
	await next(page);
	await page.locator('.wrong', { hasText: 'Write a whole number, such as 12.' }).waitFor();
	await page.getByLabel('age').fill('44');
	await next(page);
	await page.getByText('Done').waitFor();
	assert.deepEqual(guide.calls('shape').at(-1).message.params.arguments, { who: { name: 'cid', age: 44 } });
});

test('times, many choices, and what is more than a form can say', async (t) => {
	const page = await open(t, '/guide/when');
	await start(page);
	await page.locator('input[type="datetime-local"]').fill('2026-05-05T13:05:00');
	await next(page);
	await page.getByLabel('daily').fill('13:05');
	await next(page);
	await page.locator('.wrong', { hasText: 'Write a time with its zone, like 13:05:00Z.' }).waitFor();
	await page.getByLabel('daily').fill('13:05:00Z');
	await next(page);
	await page.getByRole('combobox', { name: 'many' }).selectOption('six');
	await next(page);
	await asked(page, 'deep');
	await page.getByRole('textbox').fill('{"a":');
	await next(page);
	await page.locator('.wrong', { hasText: 'This is no JSON' }).waitFor();
	await page.getByRole('textbox').fill('[1]');
	await next(page);
	await page.locator('.wrong', { hasText: 'Write a JSON object' }).waitFor();
	await page.getByRole('textbox').fill('{"a":[true]}');
	await next(page);
	await page.getByText('Done').waitFor();
	assert.deepEqual(guide.calls('when').at(-1).message.params.arguments, { at: '2026-05-05T13:05:00Z', daily: '13:05:00Z', many: 'six', deep: { a: [true] } });
});

test('a file goes by reference: a small one whole, a large one by its address; one of another type is refused', async (t) => {
	const page = await open(t, '/booking/survey');
	await start(page);
	await page.getByRole('radio', { name: 'No' }).check();
	await next(page);
	await page.getByLabel('What was wrong?').fill('too slow');
	await next(page);
	await asked(page, 'A picture, if you like');
	await page.getByText('Without an answer this session ends soon.').waitFor();
	await page.getByLabel('Choose a file').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
	await next(page);
	await page.locator('.wrong', { hasText: 'Files of this type are not taken' }).waitFor();
	await page.getByLabel('Choose a file').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(80_000) });
	await page.getByLabel('Address').fill('file:///home/ann/a.png');
	await next(page);
	await page.getByText('Done').waitFor();
});

test('a participant of a room leads through its tool, and everybody there sees it', async (t) => {
	const topic = freshTopic();
	const token = await house.gateway.token({ id: 'travel', privilege: 'full', kind: 'agent' });
	const child = spawn(BOOKING, [house.gateway.url, topic], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, HOME: freshFolder(), HUSTINGS_TOKEN: token } });
	const ended = new Promise((done) => { child.on('exit', done); });
	after(async () => { child.kill('SIGKILL'); await ended; });
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (words) => { said += words; });
	await until(() => said.includes('ready'), 'the booking is in the room');
	const page = await open(t, `/room/${encodeURIComponent(topic)}/travel/book`);
	await start(page);
	await answers(page, 0, 3);
	await asked(page, 'How many people?');
	await page.reload();
	await answers(page, 3, 5);
	await confirms(page);
	await shot(page, 'flow-room');
});

test('a failing tool says so, an error too, and neither is a success', async (t) => {
	const page = await open(t, '/guide/fails');
	await start(page);
	await page.getByRole('textbox').fill('x');
	await next(page);
	await page.getByText('Not done').waitFor();
	await page.getByText('it did not work').first().waitFor();
	await page.evaluate(() => { location.hash = '#/flow/guide/breaks'; });
	await start(page);
	await page.getByRole('textbox').fill('x');
	await next(page);
	await page.getByText(/it broke/).waitFor();
	await page.getByRole('button', { name: 'Start again' }).waitFor();
});

test('while the tool works the page says so, and the session can be cancelled', async (t) => {
	const page = await open(t, '/guide/lasts');
	await start(page);
	await page.getByRole('textbox').fill('x');
	await next(page);
	await page.getByText('The tool works.').waitFor();
	await page.reload();
	await page.getByText('The tool works.').waitFor();
	writeFileSync(join(guide.folder, 'release-lasts'), '');
	await page.getByText('over', { exact: true }).waitFor();
});

test('a session that nobody answered says that its time is over, and begins again', async (t) => {
	const own = await flowHouse({ flow: { timeout: '3s' } }, t);
	const page = await signedIn(t, own.gateway, own.gateway.adminToken(), { path: '/#/flow/guide/register' });
	await start(page);
	await asked(page, 'name');
	await page.getByText(/expired|time is over/i).first().waitFor();
	await page.getByRole('button', { name: 'Start again' }).click();
	await asked(page, 'name');
});

test('all hosted tools stand on the first page and are found by a word; one that is not there is said to be none', async (t) => {
	const page = await open(t, '');
	await page.getByRole('link', { name: /Book a trip/ }).waitFor();
	await page.getByLabel('Find a tool').fill('register');
	await page.getByRole('link', { name: /Book a trip/ }).waitFor({ state: 'detached' });
	await page.getByRole('link', { name: /^register/ }).click();
	await page.getByRole('heading', { name: 'register' }).waitFor();
	await page.evaluate(() => { location.hash = '#/flow/guide/nothing'; });
	await page.getByText('There is no tool nothing here that you may use.').waitFor();
});

test('words of servers stay words', async (t) => {
	const page = await open(t, '/guide/evil_words');
	await page.getByText(EVIL).waitFor();
	await start(page);
	await page.getByText(EVIL).first().waitFor();
	assert.equal(await page.locator('main img').count(), 0);
});

for (const dark of [false, true]) {
	test(`no serious finding of the accessibility checker, ${dark ? 'dark' : 'light'}, wide and small`, async (t) => {
		for (const size of [undefined, SMALL]) {
			const page = await open(t, '/booking/book', { dark, ...(size ? { size } : {}) });
			await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
			assert.deepEqual(await findings(page), []);
			await start(page);
			await answers(page, 0, 1);
			await asked(page, 'How do you travel?');
			await next(page);
			await page.getByText('Choose one.').first().waitFor();
			assert.deepEqual(await findings(page), []);
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing stands outside');
			if (dark && size) await shot(page, 'flow-small');
			await page.getByRole('button', { name: 'Cancel' }).click();
			await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click();
			await page.getByText('The session was cancelled.').waitFor();
			await page.evaluate(() => { location.hash = '#/flow'; });
			await page.getByRole('link', { name: /Book a trip/ }).waitFor();
			assert.deepEqual(await findings(page), []);
		}
	});
}
