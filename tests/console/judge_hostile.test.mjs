// SPDX-License-Identifier: Apache-2.0
// Markup and script wherever a stranger may put words: each view shows them as text, runs nothing, and asks nobody else.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freshFolder, Gateway } from '../e2e/lib/gateway.mjs';
import { joinAs } from '../e2e/lib/house.mjs';
import { until } from '../e2e/lib/wait.mjs';
import { signedIn } from './lib/browser.mjs';

const EVIL = '<img src=x onerror="hit=1"><script>hit=1</script><iframe src="https://evil.example"></iframe>\u202egnp.exe';
const LINKS = '[press](javascript:hit=1) [data](data:text/html,<script>hit=1</script>) ![picture](https://evil.example/x.png) <a href="javascript:hit=1">here</a>';
const SERVER = `
import { createInterface } from 'node:readline';
const EVIL = ${JSON.stringify(EVIL)};
const tool = { name: 'greet', title: EVIL, description: EVIL, annotations: { readOnlyHint: true, title: EVIL },
	inputSchema: { type: 'object', title: EVIL, description: EVIL, properties: { who: { type: 'string', title: EVIL, description: EVIL, default: EVIL } }, __proto__: { hit: 1 } } };
const answers = {
	initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: EVIL, title: EVIL, version: EVIL }, instructions: EVIL }),
	'tools/list': () => ({ tools: [tool] }),
	'tools/call': () => ({ content: [{ type: 'text', text: EVIL }, { type: 'image', mimeType: 'image/svg+xml', data: btoa(EVIL) },
		{ type: 'resource_link', uri: 'javascript:hit=1', name: EVIL }, { type: EVIL, text: EVIL }], structuredContent: { [EVIL]: EVIL } }),
	ping: () => ({}),
};
createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	if (id === undefined) return;
	console.error(EVIL);
	console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: EVIL } }) }));
}).on('close', () => process.exit(0));
`;

let gateway;

before(async () => {
	const program = join(freshFolder(), 'server.mjs');
	writeFileSync(program, SERVER);
	gateway = await Gateway.start({ config: `[[servers]]\nid = "evil"\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}]\nrooms = ["den"]\n` });
});
after(() => gateway?.finish());

/** Nothing ran, and nothing of it became an element. */
async function isText(page, where) {
	const found = await page.evaluate(() => ({
		hit: globalThis.hit, polluted: ({}).hit,
		elements: [...document.querySelectorAll('script:not([src^="/assets/"]):not([src^="./assets/"]), iframe, object, embed, img')].map((one) => one.outerHTML.slice(0, 200)),
		links: [...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href')).filter((href) => /^\s*(javascript|data|vbscript):/i.test(href)),
	}));
	assert.deepEqual(found, { hit: undefined, polluted: undefined, elements: [], links: [] }, where);
}

test('script in chat, tool names, descriptions, results, participants, questions, logs and audit stays text', async (t) => {
	const admin = gateway.adminToken();
	const bob = await joinAs(gateway, 'den', 'bob', { query: { name: EVIL, kind: 'agent' }, privilege: 'restricted' });
	await bob.say(EVIL);
	bob.send({ kind: 'chat', payload: { format: 'markdown', text: `${LINKS}\n\n${EVIL}\n\n\`\`\`html\n${EVIL}\n\`\`\`` } });
	bob.send({ kind: 'chat', payload: { format: 'markdown', text: 'a'.repeat(100_000) } });
	bob.send({ kind: 'mcp/proposal', to: ['evil'], payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'greet', arguments: { [EVIL]: EVIL } } } });
	const page = await signedIn(t, gateway, admin, { path: '/#/room/den', allowed: [/status of 400/] }); // the last two addresses name no room
	const log = page.getByRole('log');
	await log.getByText('<img src=x onerror').first().waitFor();
	await isText(page, 'the room');
	await page.getByRole('button', { name: /Approve and run/ }).first().click();
	await until(async () => (await log.getByText(/onerror/).count()) > 2, 'the result is shown');
	await isText(page, 'the result');
	for (const path of ['', 'inbox', 'inbox/history', 'tools', 'tools/evil/greet', 'flow/evil/greet', 'servers', 'servers/evil', 'access', 'audit', 'figures', `room/${encodeURIComponent(EVIL)}`, encodeURIComponent(EVIL)]) {
		await page.goto(`${gateway.url}/#/${path}`);
		await until(async () => !/Loading/.test(await page.locator('main').innerText()), `${path} is there`);
		if (path.startsWith('tools')) await page.getByText('<img src=x onerror').first().waitFor();
		await isText(page, path);
	}
});
