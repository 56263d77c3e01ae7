// SPDX-License-Identifier: Apache-2.0
// How a room of 10,000 envelopes scrolls in a browser without a window: one JSON object on stdout, frames a second in each
// second of scrolling, and the longest gaps between frames. $HUSTINGS_BUILD names the build; tests/package.json the packages.

import { RoomClient } from '../e2e/lib/room_client.mjs';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { signedIn } from '../console/lib/browser.mjs';

const ENVELOPES = 10_000;
const SECONDS = 10;
const TOPIC = 'scroll';
const ENDS = [];
const t = { after: (end) => ENDS.unshift(end) };

/** Chat, short and long, with lists and code; every tenth a request that is answered. */
async function fill(gateway) {
	const [ann, bob] = await Promise.all(['ann', 'bob'].map(async (id) =>
		RoomClient.connect({ gateway, topic: TOPIC, token: await gateway.token({ id, privilege: 'full' }), query: { echo: '0' } })));
	for (let i = 0; i < ENVELOPES; i += 1) {
		if (i % 10 === 8)
			ann.send({ id: `call-${i}`, kind: 'mcp', to: ['bob'], payload: { jsonrpc: '2.0', id: i, method: 'tools/call', params: { name: 'measure', arguments: { i } } } });
		else if (i % 10 === 9)
			bob.send({ kind: 'mcp', to: ['ann'], correlation_id: `call-${i - 1}`, payload: { jsonrpc: '2.0', id: i - 1, result: { content: [{ type: 'text', text: `measured ${i}` }] } } });
		else
			bob.send({ kind: 'chat', payload: { format: 'markdown', text: `number ${i}${' and **more** words'.repeat(i % 30)}${i % 7 ? '' : '\n\n- one\n- `two`'}` } });
	}
	return ann;
}

/** The older pages come while one looks at the top. */
async function loadAll(page) {
	const size = () => page.evaluate(() => Number(document.querySelector('[role="log"] [role="listitem"]')?.getAttribute('aria-setsize') ?? 0));
	for (let before = -1, quiet = 0; quiet < 15;) {
		await page.getByRole('log').evaluate((list) => { list.scrollTop = 0; });
		await page.waitForTimeout(100);
		const now = await size();
		quiet = now === before ? quiet + 1 : 0;
		before = now;
	}
	return size();
}

async function scroll(page) {
	await page.evaluate(() => {
		globalThis.frames_ = [];
		const step = (at) => { globalThis.frames_.push(at); requestAnimationFrame(step); };
		requestAnimationFrame(step);
	});
	const box = await page.getByRole('log').boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	for (const end = Date.now() + SECONDS * 1000; Date.now() < end;)
		await page.mouse.wheel(0, 400);
	return page.evaluate(() => globalThis.frames_);
}

const gateway = await Gateway.start({ set: { 'rooms.pace': 'off' } });
try {
	await fill(gateway);
	const token = await gateway.token({ id: 'eve', kind: 'human', privilege: 'full' });
	const page = await signedIn(t, gateway, token, { path: `/#/room/${TOPIC}` });
	await page.getByRole('log').getByText(/number \d+/).first().waitFor();
	const items = await loadAll(page);
	const frames = await scroll(page);
	const gaps = frames.slice(1).map((at, i) => at - frames[i]).sort((a, b) => a - b);
	const bySecond = new Map();
	for (const at of frames)
		bySecond.set(Math.floor((at - frames[0]) / 1000), (bySecond.get(Math.floor((at - frames[0]) / 1000)) ?? 0) + 1);
	const whole = [...bySecond.values()].slice(0, -1).sort((a, b) => a - b);
	process.stdout.write(`${JSON.stringify({ envelopes: ENVELOPES, items, median: whole[Math.floor(whole.length / 2)], least: whole[0],
		p99_ms: Math.round(gaps[Math.floor(gaps.length * 0.99)]) })}\n`);
	for (const end of ENDS)
		await end();
} finally {
	await gateway.finish();
	process.exit(); // and the browser with it, which a test would have closed
}
