// SPDX-License-Identifier: Apache-2.0
// Issue 7 as it is judged, decisions: an authorization denied and heard, a reload with the inbox open on an item, a question
// answered by one of two people, and one that is over when its page comes back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentB, callTo, DONE, member } from '../e2e/lib/authorization_play.mjs';
import { isAnswer } from '../e2e/lib/attached.mjs';
import { freshTopic } from '../e2e/lib/house.mjs';
import { FREE, MgpHouse } from '../e2e/lib/mgp_house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { findings, shot, signedIn, SMALL } from './lib/browser.mjs';
import { isIn, log, roomAt } from './lib/judge.mjs';

const topic = freshTopic();
const house = await MgpHouse.forFile({ kernel: FREE, servers: [agentB(topic)] });
await house.allConnected();
house.topic = topic;

const item = (page, who) => page.getByRole('list', { name: 'Open questions' }).getByRole('link', { name: new RegExp(`${who} wants to call`) });
const detail = (page) => page.getByRole('article');
const inbox = (t, options = {}) => signedIn(t, house.gateway, house.gateway.adminToken(), { path: '/#/inbox', ...options });

/** An agent whose call waits for somebody's yes. */
async function asks(t) {
	const agent = await member(t, house, 'agent', { declares: false, kind: 'agent' });
	const call = callTo(agent);
	return { id: agent.id, answer: () => agent.next(isAnswer(call)) };
}

test('an authorization is denied with a reason: the agent hears it, and the room sees it', async (t) => {
	const { id, answer } = await asks(t);
	const watcher = await signedIn(t, house.gateway, await house.gateway.token({ id: 'watcher', kind: 'human', privilege: 'full' }), { path: roomAt(topic) });
	await isIn(watcher);
	const page = await inbox(t);
	await item(page, id).click();
	await detail(page).getByText('This operation affects production systems').waitFor();
	await detail(page).getByText('production', { exact: false }).first().waitFor();
	assert.deepEqual(await findings(page), []);
	await shot(page, 'authorization');
	await detail(page).getByLabel('Reason').fill('production is <b>closed</b>');
	await detail(page).getByRole('button', { name: 'Deny' }).click();
	const { payload } = await answer();
	assert.equal(payload.result, undefined);
	assert.match(JSON.stringify(payload.error), /production is <b>closed<\/b>/);
	await item(page, id).waitFor({ state: 'detached' });
	await log(watcher).getByText(/denied by admin/).first().waitFor();
	await watcher.getByRole('button', { name: new RegExp(`${id} calls agent-b: dangerous_operation.*refused`) }).first().waitFor();
});

test('a reload with the inbox open on an item comes back to that item, and it is answered once', async (t) => {
	const [one, two] = [await asks(t), await asks(t)];
	const page = await inbox(t);
	await item(page, one.id).waitFor();
	await item(page, two.id).click();
	await detail(page).getByRole('heading', { name: new RegExp(`${two.id} wants`) }).waitFor();
	await page.reload();
	await detail(page).getByRole('heading', { name: new RegExp(`${two.id} wants`) }).waitFor();
	for (const { id } of [one, two])
		assert.equal(await item(page, id).count(), 1, 'each stands there once');
	await detail(page).getByRole('button', { name: 'Approve', exact: true }).click();
	const { payload } = await two.answer();
	assert.deepEqual(payload.result?.content, DONE.content);
	await item(page, two.id).waitFor({ state: 'detached' });
	await page.reload();
	await item(page, one.id).waitFor();
	assert.equal(await item(page, two.id).count(), 0);
	await house.decide((await house.pending((decision) => decision.requester === one.id)).id, 'deny');
	await one.answer();
});

test('of two people one answers: the other sees at once that it is over, on a small screen too', async (t) => {
	const { id, answer } = await asks(t);
	const [wide, small] = [await inbox(t), await inbox(t, { size: SMALL, dark: true })];
	await item(small, id).click();
	await detail(small).getByRole('button', { name: 'Approve', exact: true }).waitFor();
	await item(wide, id).click();
	await detail(wide).getByRole('button', { name: 'Approve', exact: true }).click();
	assert.ok((await answer()).payload.result);
	await until(async () => (await small.getByRole('button', { name: 'Approve', exact: true }).count()) === 0, 'nobody is offered what is over');
	await item(small, id).waitFor({ state: 'detached' });
});

test('the count of what waits is the same in the rail, the title and the inbox, and follows each change', async (t) => {
	const page = await inbox(t);
	const counts = async () => {
		const rail = await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: /^Inbox/ }).innerText();
		return { rail: Number(/\d+/.exec(rail)?.[0] ?? 0), title: Number(/\((\d+)\)/.exec(await page.title())?.[1] ?? 0),
			list: await page.getByRole('list', { name: 'Open questions' }).getByRole('link').count() };
	};
	const all = (count) => until(async () => {
		const now = await counts();
		if (now.rail !== count || now.title !== count || now.list !== count)
			throw new Error(JSON.stringify(now));
		return true;
	}, `${count} everywhere`);
	await all(0);
	const waiting = [];
	for (const count of [1, 2, 3]) {
		waiting.push(await asks(t));
		await all(count);
	}
	for (const count of [2, 1, 0]) {
		const { id, answer } = waiting.pop();
		await house.decide((await house.pending((one) => one.requester === id)).id, 'deny');
		await answer();
		await all(count);
	}
});
