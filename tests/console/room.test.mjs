// SPDX-License-Identifier: Apache-2.0
// The room: people in browsers, agents and tools in it; what they say, call, propose and allow.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { authorizationHouse } from '../e2e/lib/authorization_play.mjs';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { freshTopic, joinAs, proposal, request } from '../e2e/lib/house.mjs';
import { Robot, text } from '../e2e/lib/robot.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';

const HOSTILE = '<img src=x onerror="document.title=\'caught\'"><script>document.title="caught"</script>';
const OVERRIDE = '\u202egnp.exe\u202c';
const inputSchema = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] };
const readOnly = { readOnlyHint: true };

let gateway;

before(async () => {
	gateway = await Gateway.start({ set: { 'rooms.pace': 'off', 'rooms.proposal_pace': 'off' } });
});
after(() => gateway?.finish());

const roomAt = (topic, query = '') => `/#/room/${encodeURIComponent(topic)}${query}`;
const log = (page) => page.getByRole('log');
const composer = (page) => page.getByRole('textbox', { name: /^Say something/ });

/** Somebody in a browser, in that room. */
async function visitor(t, id, topic, { privilege = 'full', admin = false, where = gateway, ...options } = {}) {
	const token = await where.token({ id, kind: 'human', ...(admin ? { admin } : { privilege }) });
	const page = await signedIn(t, where, token, { path: roomAt(topic), ...options });
	await page.locator('#room-people').getByText('· you').waitFor({ state: 'attached' });
	return page;
}

async function say(page, words) {
	await composer(page).fill(words);
	await composer(page).press('Enter');
}

/** A robot with tools: add, wipe (which may destroy), slow (ends when `release` is called or when it is cancelled). */
async function calculator(topic, more = {}) {
	const token = await gateway.token({ id: 'calc', privilege: 'full', kind: 'robot' });
	let release;
	const held = new Promise((done) => {
		release = done;
	});
	const robot = await Robot.join(
		{ gateway, topic, token },
		{
			add: {
				definition: { description: `Adds. ${HOSTILE}`, annotations: readOnly, inputSchema },
				run: ({ arguments: { a, b } }) => text(`the sum is ${a + b}`),
			},
			wipe: { definition: { description: 'Removes everything.', annotations: { destructiveHint: true } }, run: () => text('all is gone') },
			fails: { definition: { annotations: readOnly }, run: () => ({ ...text(HOSTILE), isError: true }) },
			slow: {
				definition: { annotations: readOnly },
				run: async (params, context) => {
					context.progress(0.5, 'half way there');
					await Promise.race([held, context.cancelled]);
					return text('late');
				},
			},
			...more,
		},
	);
	robot.release = release;
	return robot;
}

async function openTool(page, to, tool) {
	await page.getByRole('button', { name: /Call a tool|Propose a call/ }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Participant').selectOption(to);
	await dialog.getByRole('radio', { name: new RegExp(`^${tool}`) }).check();
	return dialog;
}

test('two people in browsers and a terminal hear one another; markdown is shown, and markup is text', async (t) => {
	const topic = 'lobby';
	const ann = await visitor(t, 'ann', topic);
	const bob = await visitor(t, 'bob', topic, { size: SMALL, dark: true });
	await say(ann, 'Hello **Bob**, see [this](https://example.org/) and [that](javascript:alert(1))');
	await log(bob).locator('strong', { hasText: 'Bob' }).waitFor();
	assert.equal(await log(bob).getByRole('link', { name: 'this' }).getAttribute('rel'), 'noopener noreferrer');
	assert.equal(await log(bob).getByRole('link', { name: 'that' }).count(), 0);
	await say(bob, HOSTILE);
	await log(ann).getByText(HOSTILE).waitFor();
	assert.equal(await log(ann).locator('img, script').count(), 0);
	const said = await gateway.command(['say', topic, 'from a terminal']);
	assert.equal(said.code, 0, said.stderr);
	for (const page of [ann, bob]) await log(page).getByText('from a terminal').waitFor();
	await composer(ann).fill('one');
	await composer(ann).press('Shift+Enter');
	await composer(ann).pressSequentially('two');
	assert.equal(await composer(ann).inputValue(), 'one\ntwo');
	assert.doesNotMatch(await ann.title(), /caught/);
	await shot(ann, 'room-chat');
	assert.deepEqual([...(await findings(ann)), ...(await findings(bob))], []);
});

test('names, tools and results of peers stay text, without signs that turn writing around', async (t) => {
	const topic = freshTopic();
	const robot = await calculator(topic, { [`x${OVERRIDE}`]: { definition: { annotations: readOnly, description: OVERRIDE }, run: () => text('ok') } });
	const eve = await joinAs(gateway, topic, 'eve', { name: `${HOSTILE}${OVERRIDE}`, kind: 'agent' });
	const page = await visitor(t, 'ann', topic);
	await page.getByRole('complementary').getByText('onerror').waitFor();
	await page.getByRole('button', { name: /^calc/ }).click();
	await page.getByRole('complementary').getByText('Adds. <img').waitFor();
	const words = await page.locator('.room').innerText();
	assert.ok(words.includes('gnp.exe'), words);
	assert.ok(!words.includes('\u202e'));
	await (await openTool(page, 'calc', 'fails')).getByRole('button', { name: 'Call', exact: true }).click();
	await page.getByRole('button', { name: /calls calc: fails.*error/ }).click();
	await log(page).getByText(HOSTILE).first().waitFor();
	assert.equal(await page.locator('.room img, .room script').count(), 0);
	await eve.close();
	await robot.close();
});

test('a tool is called by a form; its progress, its result and its octets are seen; it can be cancelled', async (t) => {
	const topic = 'numbers';
	const robot = await calculator(topic);
	const [ann, bob] = [await visitor(t, 'ann', topic), await visitor(t, 'bob', topic, { size: SMALL, dark: true })];
	const dialog = await openTool(ann, 'calc', 'add');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	await dialog.locator('[aria-invalid="true"]').first().waitFor(); // both are needed
	await dialog.getByRole('textbox', { name: /^a/ }).fill('20');
	await dialog.getByRole('textbox', { name: /^b/ }).fill('22');
	assert.deepEqual(await findings(ann), []);
	await shot(ann, 'room-call');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	for (const page of [ann, bob]) {
		const card = page.getByRole('button', { name: /ann calls calc: add.*done/ });
		await card.click();
		await log(page).getByText('the sum is 42').first().waitFor();
	}
	await log(bob).getByRole('button', { name: 'Raw', exact: true }).first().click();
	await log(bob).getByText('"method":"tools/call","params":{"name":"add"').waitFor();
	assert.deepEqual(await findings(bob), []);

	await (await openTool(ann, 'calc', 'slow')).getByRole('button', { name: 'Call', exact: true }).click();
	await log(bob).getByText('half way there').waitFor();
	assert.equal(await log(bob).getByRole('button', { name: 'Cancel' }).count(), 0); // not bob's to cancel
	await log(ann).getByRole('button', { name: 'Cancel' }).click();
	for (const page of [ann, bob]) await page.getByRole('button', { name: /ann calls calc: slow.*cancelled/ }).waitFor();
	await robot.close();
});

test('what may destroy something is asked about once more', async (t) => {
	const topic = freshTopic();
	const robot = await calculator(topic);
	const page = await visitor(t, 'ann', topic);
	const dialog = await openTool(page, 'calc', 'wipe');
	await dialog.getByRole('button', { name: 'Call', exact: true }).click();
	await dialog.getByText('may change or destroy').waitFor();
	assert.ok(!robot.heard.some(({ payload }) => payload.method === 'tools/call'));
	await dialog.getByRole('button', { name: 'Run it' }).click();
	await log(page).getByText('all is gone').waitFor();
	await robot.close();
});

test('a restricted agent proposes, a person approves in place, and the result is seen where it was asked', async (t) => {
	const topic = 'workshop';
	const robot = await calculator(topic);
	const rita = await joinAs(gateway, topic, 'rita', { privilege: 'restricted', kind: 'agent' });
	const page = await visitor(t, 'ann', topic);
	await say(page, 'Good morning. Who adds up the **invoices**?\n\n- march\n- april');
	await log(page).getByText('april').waitFor();
	rita.chat('I would, if somebody lets me use the calculator.');
	const first = rita.send(proposal('calc', { params: { name: 'add', arguments: { a: 1, b: 2 } }, reason: 'I need the sum' }));
	const card = page.getByRole('listitem').filter({ hasText: 'I need the sum' });
	await card.getByRole('button', { name: 'Approve and run' }).click();
	await card.getByText('approved by ann').waitFor();
	await card.getByText('the sum is 3').waitFor();
	assert.deepEqual(await findings(page), []);
	assert.equal(await page.getByRole('button', { name: /ann calls calc: add/ }).count(), 0); // one card for all of it
	await rita.next(({ correlation_id: about, payload }) => about === first && payload.status === 'fulfilled');

	rita.send(proposal('calc', { params: { name: 'wipe', arguments: {} }, reason: 'to tidy up' }));
	const other = page.getByRole('listitem').filter({ hasText: 'to tidy up' });
	await other.waitFor();
	await shot(page, 'room');
	await other.getByRole('button', { name: 'Approve and run' }).click();
	await page.getByRole('dialog').getByText('may change or destroy').waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
	await other.getByRole('button', { name: 'Reject' }).click();
	await other.getByRole('textbox').fill('not today');
	await other.getByRole('button', { name: 'Reject it' }).click();
	await other.getByText('rejected by ann').waitFor();
	await other.getByText('not today').waitFor();
	assert.ok(!robot.heard.some(({ payload }) => payload.params?.name === 'wipe' && payload.jsonrpc));
	await robot.close();
});

test("a restricted person proposes by the same form, and sees another approve it; a call is refused in the gateway's words", async (t) => {
	const topic = freshTopic();
	const robot = await calculator(topic);
	const rob = await visitor(t, 'rob', topic, { privilege: 'restricted' });
	const ann = await visitor(t, 'ann', topic);
	const dialog = await openTool(rob, 'calc', 'add');
	await dialog.getByRole('textbox', { name: /^a/ }).fill('2');
	await dialog.getByRole('textbox', { name: /^b/ }).fill('2');
	await dialog.getByLabel('Why it should run').fill('to be sure');
	await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
	await log(rob).getByText('Yours: somebody else decides.').waitFor();
	await ann.getByRole('listitem').filter({ hasText: 'to be sure' }).getByRole('button', { name: 'Approve and run' }).click();
	await log(rob).getByText('the sum is 4').waitFor();
	await robot.close();
});

test('a hosted tool asks the room: one is denied by a person, the other allowed and run; who asked sees both', async (t) => {
	const house = await authorizationHouse({}, t);
	const { gateway: where, topic } = house;
	const ann = await visitor(t, 'ann', topic, { where });
	const bob = await visitor(t, 'bob', topic, { where });
	for (const [answer, state, outcome] of [
		['Deny', 'refused', 'denied'],
		['Allow this call', 'done', 'granted'],
	]) {
		const dialog = await openTool(ann, 'agent-b', 'dangerous_operation');
		await dialog.getByRole('textbox', { name: /^target/ }).fill(answer);
		await dialog.getByRole('button', { name: 'Call', exact: true }).click();
		await ann.getByRole('button', { name: /ann calls agent-b: dangerous_operation.*waits for a yes/ }).waitFor();
		const card = bob.getByRole('listitem').filter({ hasText: 'asks whether' }).filter({ hasText: answer });
		assert.equal(await ann.getByRole('button', { name: answer }).count(), 0); // not one's own
		if (answer === 'Deny') await shot(bob, 'room-authorization');
		await card.getByRole('button', { name: answer }).click();
		for (const page of [ann, bob]) await page.getByRole('button', { name: new RegExp(`ann calls agent-b: dangerous_operation.*${state}`) }).waitFor();
		await bob.getByText(new RegExp(`${outcome} by bob`)).waitFor();
	}
	await log(ann).getByText('Operation completed successfully').waitFor();
	assert.deepEqual([...(await findings(ann)), ...(await findings(bob))], []);
});

test('an administrator makes somebody restricted and full again', async (t) => {
	const topic = freshTopic();
	const ann = await visitor(t, 'ann', topic);
	const page = await visitor(t, 'root', topic, { admin: true });
	await page.getByRole('button', { name: /^ann/ }).click();
	await page.getByRole('button', { name: 'Make restricted here' }).click();
	await ann.getByRole('button', { name: 'Propose a call' }).waitFor();
	await page.getByRole('button', { name: /^ann.*restricted/ }).waitFor();
	await page.getByRole('button', { name: 'Make full here' }).click();
	await ann.getByRole('button', { name: 'Call a tool' }).waitFor();
});

test('what came while one was elsewhere is counted, and a line shows where it begins', async (t) => {
	const topic = freshTopic();
	const bob = await joinAs(gateway, topic, 'bob');
	const page = await visitor(t, 'ann', topic);
	await bob.say('seen');
	await log(page).getByText('seen').waitFor();
	await page.goto(`${gateway.url}/#/room`);
	await page.getByLabel('Find a room, or make one').waitFor();
	await bob.say('not seen, one');
	await bob.say('not seen, two');
	await page.getByRole('link', { name: new RegExp(`${topic}.*not read: 2`) }).click();
	const row = page.getByRole('listitem').filter({ hasText: 'New since you looked' });
	await row.getByText('not seen, one').waitFor();
	await until(async () => (await page.getByRole('link', { name: /not read/ }).count()) === 0, 'all is read');
	await page.reload();
	await log(page).getByText('not seen, two').waitFor();
	assert.equal(await page.getByText('New since you looked').count(), 0);
});

test('keys lead through the room: j and k, Enter, the slash, Escape', async (t) => {
	const topic = freshTopic();
	const bob = await joinAs(gateway, topic, 'bob');
	bob.chat('first');
	bob.chat('second');
	const call = bob.send(request('bob', { params: { name: 'echo', arguments: { deep: 'inside' } } }));
	bob.send({ kind: 'mcp', to: ['bob'], correlation_id: call, payload: { jsonrpc: '2.0', id: 1, result: text('third') } });
	const page = await visitor(t, 'ann', topic);
	await log(page).getByText('third').waitFor();
	await page.locator('body').press('k');
	const focused = () => page.evaluate(() => (document.activeElement.role === 'listitem' ? document.activeElement.textContent : ''));
	await until(async () => /echo/.test(await focused()), 'the newest item has the focus');
	await page.keyboard.press('Enter');
	await log(page).getByText('"deep": "inside"').waitFor();
	await page.keyboard.press('k');
	await until(async () => /second/.test(await focused()), 'the one before it has the focus');
	await page.keyboard.press('/');
	await page.keyboard.type('first');
	await page.getByText(/^1 found/).waitFor();
	assert.match(page.url(), /find=first/);
	await page.keyboard.press('Escape');
	await log(page).getByText('second').waitFor();
	assert.doesNotMatch(page.url(), /find=/);
	await until(async () => /bob/.test(await focused()), 'the focus is in the list again');
	await page.keyboard.press('Escape');
	await until(() => page.evaluate(() => document.activeElement.tagName === 'TEXTAREA'), 'the composer has the focus');
});

test('the list of rooms has those that there are, and leads into one or makes it', async (t) => {
	const topic = freshTopic();
	const bob = await joinAs(gateway, topic, 'bob');
	const token = await gateway.token({ id: 'ann', kind: 'human', privilege: 'full' });
	const page = await signedIn(t, gateway, token, { path: '/#/room' });
	await page
		.getByRole('main')
		.getByRole('link', { name: new RegExp(`${topic}.*1 participant`) })
		.waitFor();
	await page.getByLabel('Find a room, or make one').fill('a room');
	await page.getByRole('button', { name: 'Go in' }).click();
	await page.getByText('A name has 1 to 128').waitFor();
	assert.deepEqual(await findings(page), []);
	await page.getByLabel('Find a room, or make one').fill('new/room');
	await page.getByRole('button', { name: 'Go in' }).click();
	await page.getByRole('heading', { name: 'new/room' }).waitFor();
	await page.getByText('Nothing was said here yet').waitFor();
	await page.getByRole('button', { name: 'Leave' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
	await page.getByLabel('Find a room, or make one').waitFor();
	await bob.close();
});

test('a promotion is seen by everybody in the room at once, though nobody comes or goes', async (t) => {
	const topic = freshTopic();
	const ann = await visitor(t, 'ann', topic);
	const scout = await joinAs(gateway, topic, 'scout', { privilege: 'restricted', kind: 'agent' });
	const line = ann.locator('#room-people').getByRole('listitem').filter({ hasText: 'scout' });
	await line.getByText('restricted').waitFor();
	await gateway.ask('POST', `/admin/participants/scout/promote?topic=${encodeURIComponent(topic)}`, 200, { token: gateway.adminToken() });
	await line.getByText('full', { exact: true }).waitFor();
	await gateway.ask('POST', `/admin/participants/scout/demote?topic=${encodeURIComponent(topic)}`, 200, { token: gateway.adminToken() });
	await line.getByText('restricted').waitFor();
	assert.equal(await log(ann).getByText(/heartbeat/).count(), 0);
	await scout.close();
});

test('an administrator who is restricted in the room is led to the inbox, where the proposal may be decided', async (t) => {
	const topic = freshTopic();
	const rita = await joinAs(gateway, topic, 'rita', { privilege: 'restricted', kind: 'agent' });
	const token = await gateway.token({ id: 'warden', kind: 'human', admin: true, privilege: 'restricted' });
	const page = await signedIn(t, gateway, token, { path: roomAt(topic) });
	await page.locator('#room-people').getByText('· you').waitFor({ state: 'attached' });
	rita.send(proposal('nobody', { params: { name: 'sweep', arguments: {} }, reason: 'the floor is wet' }));
	const card = page.getByRole('listitem').filter({ hasText: 'the floor is wet' });
	assert.equal(await card.getByRole('button', { name: 'Approve and run' }).count(), 0);
	await card.getByRole('link', { name: 'open it in the inbox' }).click();
	await page.locator('article').getByRole('heading', { name: /rita proposes the call of sweep/ }).waitFor();
	await page.getByRole('button', { name: 'Deny' }).waitFor(); // what is not hosted here is not looked for among the servers: no complaint
	await rita.close();
});
