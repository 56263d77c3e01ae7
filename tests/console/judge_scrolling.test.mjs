// SPDX-License-Identifier: Apache-2.0
// Issue 7 as it is judged, scrolling: ten thousand envelopes of all kinds are all within reach of the wheel, and few of them on
// the page at a time. How many frames a second that has, tests/bench/console_scroll.mjs says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { houseFor, joinAs } from '../e2e/lib/house.mjs';
import { BOUND, within } from '../e2e/lib/wait.mjs';
import { signedIn } from './lib/browser.mjs';
import { isIn, log, roomAt } from './lib/judge.mjs';

const MANY = 10_000;
const ROWS_MOST = 120;
const NODES_MOST = 12_000;
const topic = 'long';

/** Chat, every tenth pair a call and its answer, some with a long text: "item N." in each. */
async function fill(gateway) {
	const bob = await joinAs(gateway, topic, 'bob', { query: { echo: '0' } });
	for (let at = 0; at < MANY - 1; at += 1) {
		if (at % 10 === 8)
			bob.send({ id: `call-${at}`, kind: 'mcp', to: ['bob'], payload: { jsonrpc: '2.0', id: at, method: 'tools/call', params: { name: `measure_${at}.`, arguments: { at } } } });
		else if (at % 10 === 9)
			bob.send({ kind: 'mcp', to: ['bob'], correlation_id: `call-${at - 1}`, payload: { jsonrpc: '2.0', id: at - 1, result: { content: [{ type: 'text', text: `measured ${at}` }] } } });
		else
			bob.send({ kind: 'chat', payload: { format: 'markdown', text: `item ${at}.${' and **more** words'.repeat(at % 500 === 0 ? 800 : at % 30)}${at % 7 ? '' : '\n\n- one\n- `two`\n\n```\ncode\n```'}` } });
	}
	bob.send({ kind: 'chat', payload: { text: `item ${MANY - 1}.` } });
	return bob;
}

/** Notes, from now on, every item that comes onto the page, and the most rows and elements at one time. */
function watch(page) {
	return page.evaluate(() => {
		const seen = { items: new Set(), rows: 0, nodes: 0 };
		const look = () => {
			const rows = document.querySelectorAll('[role="log"] [role="listitem"]');
			for (const row of rows) {
				const found = /(?:item |measure_)(\d+)\./.exec(row.textContent);
				if (found) seen.items.add(Number(found[1]));
			}
			seen.rows = Math.max(seen.rows, rows.length);
			seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length);
		};
		new MutationObserver(look).observe(document.querySelector('[role="log"]'), { childList: true, subtree: true, characterData: true });
		look();
		globalThis.seenItems = seen;
	});
}

const seen = (page) => page.evaluate(() => ({ items: [...globalThis.seenItems.items], rows: globalThis.seenItems.rows, nodes: globalThis.seenItems.nodes }));

test('the wheel reaches every one of ten thousand, back and forth, and the page stays small', async (t) => {
	const gateway = await houseFor(t, { set: { 'rooms.pace': 'off' } });
	await fill(gateway);
	const page = await signedIn(t, gateway, await gateway.token({ id: 'ann', kind: 'human', privilege: 'full' }), { path: roomAt(topic) });
	await isIn(page);
	await log(page).getByText(`item ${MANY - 1}.`, { exact: true }).waitFor();
	await watch(page);
	const box = await log(page).boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	/** Turns the wheel by less than a screen at a time, until `isThere`; what is in between has been on the page. */
	const turn = (by, isThere) => within((async () => {
		while (!await isThere()) {
			for (let step = 0; step < 20; step += 1)
				await page.mouse.wheel(0, by);
			await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
		}
	})(), `the wheel gets there, by ${by}`, 6 * BOUND);
	const isShown = (words) => () => log(page).getByText(words, { exact: true }).first().isVisible();
	const first = () => page.evaluate(() => [...document.querySelectorAll('[role="log"] [role="listitem"]')].some((row) => /item 0\./.test(row.textContent)));
	const by = Math.floor(box.height * 0.9);
	await turn(-by, first);
	await turn(by, isShown(`item ${MANY - 1}.`));
	const { items, rows, nodes } = await seen(page);
	const expected = Array.from({ length: MANY }, (_, at) => at).filter((at) => at % 10 !== 9 || at === MANY - 1); // answers fold into their call
	const missing = expected.filter((at) => !items.includes(at));
	assert.deepEqual(missing, [], `${missing.length} were never on the page`);
	assert.ok(rows <= ROWS_MOST, `${rows} rows at one time`);
	assert.ok(nodes <= NODES_MOST, `${nodes} elements at one time`);
	t.diagnostic(`at most ${rows} rows and ${nodes} elements on the page`);
});
