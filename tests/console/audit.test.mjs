// SPDX-License-Identifier: Apache-2.0
// The audit trail in the console: records as sentences, live and by pages, filtered by the address, counted, exported; and one
// call's way through gates, people and server.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callTool, introduce } from '../e2e/lib/attached.mjs';
import { freshTopic, joinAs, request } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse, Outsider } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';

const HOSTILE = '<img src=x onerror=alert(1)>\u202e';
const tools = [
	{ name: 'read_file', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', properties: { path: { type: 'string' } } } },
	{ name: 'delete_file', annotations: { destructiveHint: true } },
	{ name: 'fails', annotations: { readOnlyHint: true }, does: [{ result: { content: [], isError: true } }] },
	{ name: 'busy', annotations: { readOnlyHint: true }, does: [{ error: { code: 5000, message: 'busy',
		data: { _mgp: { category: 'external', retryable: true, retry_strategy: 'immediate', retry_after_ms: 1, max_retries: 1, fallback_tool: 'read_file' } } } }] }];

const house = await MgpHouse.forFile({ kernel: { ...FREE, approval: 'interactive' }, servers: [new Outsider('files', { extensions: ['security'], tools }, {}, { rooms: ['demo'] })] });
await house.allConnected();
const agents = new Map();

async function agent(id) {
	if (!agents.has(id))
		agents.set(id, await house.client(id, 'files'));
	return agents.get(id);
}

const call = async (id, name, args = {}, options = {}) => (await agent(id)).request('tools/call', { name, arguments: args }, options);
const open = (t, path, options = {}) => signedIn(t, house.gateway, house.gateway.adminToken(), { path: `/#/${path}`, ...options });
const list = (page) => page.getByRole('list', { name: 'The newest first' });
const rows = (page, words) => list(page).getByRole('listitem').filter({ hasText: words });
/** Waits until there are that many. */
const only = (page, count) => until(async () => await list(page).getByRole('listitem').count() === count, `${count} records`);
const live = (page) => page.getByRole('status').getByText('live', { exact: true });
const stored = (query) => until(async () => {
	const { records } = await house.rest('GET', `/admin/audit?${query}`);
	return records.length > 0 && records;
}, `records of ${query}`);

/** A call that a person is asked about; ends with that answer. */
async function decided(id, decision, trace) {
	const begun = (await agent(id)).begin('tools/call', { name: 'delete_file', arguments: {} }, { trace });
	const { id: question } = await house.pending((one) => one.tool === 'delete_file' && one.requester === id);
	await house.decide(question, decision, { reason: decision === 'deny' ? 'it is still needed' : undefined });
	await begun.answer;
	await stored(`trace=${trace}&event=TOOL_${decision === 'deny' ? 'BLOCKED' : 'EXECUTED'}`);
	return question;
}

test('a record is a sentence whose parts filter, and opens to what was stored', async (t) => {
	await call('reader', 'read_file', { path: '/a' });
	await call('reader', 'fails');
	await stored('actor=reader&result=FAILED');
	const page = await open(t, 'audit?actor=reader');
	const failed = rows(page, 'reader called fails of files: it failed');
	await failed.waitFor();
	await rows(page, 'reader called read_file of files: it worked').waitFor();
	await failed.getByRole('button', { name: 'Details' }).click();
	const details = failed.getByRole('region', { name: 'The record as it is stored' });
	assert.match(await details.innerText(), /"event": "TOOL_EXECUTED"/);
	await failed.getByRole('link', { name: 'fails' }).click();
	await page.waitForURL(/actor=reader.*tool=fails|tool=fails.*actor=reader/);
	await only(page, 1);
	await rows(page, 'read_file').waitFor({ state: 'detached' });
	await page.getByRole('link', { name: 'Take the filter Tool fails off' }).click();
	await rows(page, 'read_file').waitFor();
	assert.deepEqual(await findings(page), []);
	await shot(page, 'audit');
});

test('every filter of the form is in the address, and counts after a reload', async (t) => {
	const topic = freshTopic();
	await call('filtered', 'read_file', { path: 7 });
	const robin = await joinAs(house.gateway, topic, 'robin-f', { privilege: 'restricted' });
	await robin.refusal(request('somebody'));
	await stored('actor=filtered&gate=arguments');
	await stored('actor=robin-f&gate=privilege');
	const page = await open(t, 'audit');
	await page.getByLabel('Who', { exact: true }).fill('filtered');
	await page.getByLabel('Gate', { exact: true }).fill('arguments');
	await page.getByLabel('What', { exact: true }).selectOption('TOOL_BLOCKED');
	await page.getByLabel('Result', { exact: true }).selectOption('BLOCKED');
	await page.getByLabel('Since', { exact: true }).selectOption('1h');
	await page.getByLabel('Server', { exact: true }).fill('files');
	await page.getByRole('button', { name: 'Show' }).click();
	await until(() => ['actor=filtered', 'gate=arguments', 'event=TOOL_BLOCKED', 'result=BLOCKED', 'since=1h', 'server=files'].every((one) => page.url().includes(one)), 'all filters in the address');
	const found = rows(page, 'filtered was refused read_file of files at the gate arguments');
	await found.waitFor();
	await only(page, 1);
	await page.reload();
	await found.waitFor();
	await only(page, 1);
	assert.equal(await page.getByLabel('Gate', { exact: true }).inputValue(), 'arguments');

	await page.getByRole('link', { name: 'Take all off' }).click();
	await until(async () => (await page.getByLabel('Gate', { exact: true }).inputValue()) === '', 'the form is empty');
	await page.getByLabel('Room', { exact: true }).fill(topic);
	await page.getByLabel('Room', { exact: true }).press('Enter');
	await rows(page, 'robin-f was refused at the gate privilege').waitFor();
	await only(page, 2);
	await page.getByLabel('Text', { exact: true }).fill('JOINED');
	await page.getByLabel('Text', { exact: true }).press('Enter');
	await rows(page, 'was refused').waitFor({ state: 'detached' });
	await rows(page, 'robin-f joined').waitFor();
});

test('what happens appears by itself, once; paused it waits and is counted', async (t) => {
	await call('lively', 'read_file', { path: 'before' });
	await stored('actor=lively');
	const page = await open(t, 'audit?actor=lively');
	await rows(page, 'lively called read_file').waitFor();
	await live(page).waitFor();
	await call('lively', 'fails');
	await rows(page, 'lively called fails').waitFor();
	await page.getByRole('button', { name: 'Pause' }).click();
	await call('lively', 'read_file', { path: 'held' });
	await call('lively', 'read_file', { path: 'held' });
	await page.getByRole('status').getByText('2 new').waitFor();
	assert.equal(await list(page).getByRole('listitem').count(), 2);
	await page.getByRole('button', { name: 'Go on' }).click();
	await until(async () => await list(page).getByRole('listitem').count() === 4, 'what was held is shown');
	assert.match(await list(page).getByRole('listitem').first().textContent(), /read_file/);
});

test('older records come page by page to the beginning of the trail', async (t) => {
	for (let i = 0; i < 130; i += 1)
		await call('busy', 'read_file', { path: String(i) });
	await until(async () => (await house.rest('GET', '/admin/audit/statistics?actor=busy')).records === 130, 'all are stored');
	const page = await open(t, 'audit?actor=busy');
	await rows(page, 'busy').first().waitFor();
	await until(async () => {
		await page.locator('main').evaluate((one) => one.scrollTo(0, one.scrollHeight));
		return await list(page).getByRole('listitem').count() === 130;
	}, 'all of them are shown');
	await page.getByText('That is the beginning of the trail.').waitFor();
});

test('names of peers stay text', async (t) => {
	const evil = await joinAs(house.gateway, freshTopic(), `evil${HOSTILE}`, { privilege: 'restricted' }).catch(() => undefined);
	await call('reader', `tool${HOSTILE}`);
	await stored('actor=reader&gate=tool');
	const page = await open(t, 'audit?gate=tool');
	const row = rows(page, 'tool<img src=x onerror=alert(1)>').first();
	await row.waitFor();
	assert.doesNotMatch(await row.textContent(), /\u202e/);
	assert.equal(await page.locator('main img').count(), 0);
	evil?.close?.();
});

test('a trace shows a call on its way: asked, gates, a person, the server', async (t) => {
	const trace = randomUUID();
	const question = await decided('careful', 'approve', trace);
	const page = await open(t, `audit/trace/${trace}`);
	const way = page.getByRole('region', { name: 'Its way' });
	const steps = way.getByRole('list').last().getByRole('listitem');
	await way.waitFor();
	const words = (await steps.allInnerTexts()).map((one) => one.split('\n').filter((line) => line !== '')[0]);
	assert.equal(words.length, 5, words.join('; '));
	assert.match(words[0], /^careful called delete_file$/);
	assert.match(words[1], /^A person was asked for a yes$/);
	assert.match(words[2], /^admin said yes$/);
	assert.match(words[3], /^All gates passed: delete_file was sent to files$/);
	assert.match(words[4], /^Answered after /);
	await page.getByRole('status').getByText('it worked').waitFor();
	assert.equal(await page.getByRole('link', { name: `Decision ${question}` }).getAttribute('href'), `#/inbox?id=${question}`);
	await rows(page, 'admin said yes to careful for delete_file of files').waitFor();
	assert.deepEqual(await findings(page), []);
	await shot(page, 'trace');

	const refused = randomUUID();
	await decided('careful', 'deny', refused);
	await page.goto(`${house.gateway.url}/#/audit/trace/${refused}`);
	await page.getByRole('status').getByText('it was refused').waitFor();
	await way.getByText('Refused at the gate approval: this call was not approved: it is still needed').waitFor();
	assert.equal(await way.getByText('was sent to').count(), 0, 'it never reached its server');
	await page.setViewportSize(SMALL);
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'nothing is wider than the page');
	await page.goto(`${house.gateway.url}/#/audit/trace/${randomUUID()}`);
	await page.getByText('Nothing is recorded of this trace').waitFor();
});

test('a call that was asked again, and then called instead, is one way', async (t) => {
	const trace = randomUUID();
	await call('patient', 'busy', {}, { trace });
	await stored(`trace=${trace}&event=TOOL_EXECUTED`);
	const page = await open(t, `audit/trace/${trace}`);
	const way = page.getByRole('region', { name: 'Its way' });
	await way.waitFor();
	const words = (await way.getByRole('list').last().getByRole('listitem').allInnerTexts()).map((one) => one.split('\n').filter((line) => line !== '')[0]);
	assert.equal(words[0], 'patient called busy');
	assert.ok(words.includes('It could not, and is asked again (try 2)'), words.join('; '));
	assert.ok(words.includes('It could not: read_file is called instead'), words.join('; '));
	assert.deepEqual(words.filter((one) => one.startsWith('All gates passed')), ['busy', 'busy', 'read_file'].map((name) => `All gates passed: ${name} was sent to files`));
	assert.match(words.at(-1), /^Answered after /);
});

test('a call in a room says so, from its record to its trace', async (t) => {
	const alice = await joinAs(house.gateway, 'demo', 'alice-room');
	await until(async () => (await house.rest('GET', '/v0/topics/demo/participants')).participants.some((one) => one.id === 'files'), 'the server sits there');
	await introduce(alice, 'files');
	await callTool(alice, 'files', 'read_file', { path: '/a' });
	await stored('topic=demo&event=TOOL_EXECUTED');
	const page = await open(t, 'audit?topic=demo&event=TOOL_EXECUTED');
	const row = rows(page, 'alice-room called read_file of files in demo: it worked');
	await row.waitFor();
	await row.getByRole('link', { name: 'Trace' }).click();
	await page.getByRole('region', { name: 'Its way' }).getByText('alice-room called read_file in the room demo').waitFor();
	assert.equal(await page.getByRole('link', { name: 'Room demo' }).getAttribute('href'), '#/room/demo');
});

test('statistics count by kind, actor, server and hour, and lead to the records', async (t) => {
	await call('counted', 'read_file', { path: '/a' });
	await call('counted', 'fails');
	await stored('actor=counted&tool=fails');
	const page = await open(t, 'audit?actor=counted', { dark: true });
	await page.getByRole('link', { name: 'Statistics' }).click();
	await page.getByText('2 records, in the last day.').waitFor();
	const kinds = page.getByRole('region', { name: 'What happened' });
	await kinds.getByRole('listitem').filter({ hasText: 'tool executed' }).getByText('2', { exact: true }).waitFor();
	await page.getByRole('img', { name: /^Records by hour\. .*: 2/ }).waitFor();
	assert.deepEqual(await findings(page), []);
	await page.getByRole('region', { name: 'At which server' }).getByRole('link', { name: 'files' }).click();
	await page.waitForURL(/server=files/);
	await rows(page, 'counted called fails').waitFor();
});

test('what is filtered can be taken away as JSON lines and as CSV', async (t) => {
	await call('exported', 'read_file', { path: '/a' });
	await stored('actor=exported');
	const page = await open(t, 'audit?actor=exported');
	for (const [name, file, pattern] of [['Export JSON lines', 'audit.jsonl', /^\{.*"actor":"exported".*\}\n$/], ['Export CSV', 'audit.csv', /^row,[^]*exported/]]) {
		const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
		assert.equal(download.suggestedFilename(), file);
		assert.match(readFileSync(await download.path(), 'utf8'), pattern);
	}
	await page.getByText('hustings audit verify').waitFor();
});

test('who is no administrator is told so, and asks for nothing', async (t) => {
	const token = await house.gateway.token({ id: 'plain-person', privilege: 'full', kind: 'human' });
	const page = await signedIn(t, house.gateway, token, { path: '/#/audit' });
	await page.getByText('The audit trail is for administrators').waitFor();
	assert.equal(page.watch.requests.filter((one) => one.includes('/admin/audit')).length, 0);
});

test('on a small screen it can be used, in both colours', async (t) => {
	await call('small', 'read_file', { path: '/a' });
	await stored('actor=small');
	for (const dark of [false, true]) {
		const page = await open(t, 'audit', { size: SMALL, dark });
		await rows(page, 'small called read_file').first().waitFor();
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), 'nothing is wider than the page');
		await page.getByText('Filter', { exact: true }).click();
		await page.getByLabel('Who', { exact: true }).fill('small');
		await page.getByRole('button', { name: 'Show' }).click();
		await page.waitForURL(/actor=small/);
		assert.deepEqual(await findings(page), []);
	}
});
