// SPDX-License-Identifier: Apache-2.0
// The overview: what just happened, in words, and not drowned by what happens again and again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gateway } from '../e2e/lib/gateway.mjs';
import { joinAs, proposal } from '../e2e/lib/house.mjs';
import { findings, signedIn } from './lib/browser.mjs';

async function open(t) {
	const gateway = await Gateway.start();
	t.after(() => gateway.finish());
	const page = await signedIn(t, gateway, gateway.adminToken());
	return { gateway, lines: page.getByRole('region', { name: 'What just happened' }).getByRole('listitem'), page };
}

test('a flood of tokens that are made and revoked leaves the rest in sight', async (t) => {
	const { gateway, lines, page } = await open(t);
	const token = gateway.adminToken();
	await gateway.ask('POST', '/admin/participants/scout/promote', 200, { token });
	for (let made = 0; made < 60; made += 1) await gateway.ask('POST', '/admin/tokens', 201, { token, body: { id: 'robot' } });
	await gateway.ask('DELETE', '/admin/tokens?id=robot', 200, { token });
	for (let made = 0; made < 20; made += 1) {
		const { tokenId } = await gateway.ask('POST', '/admin/tokens', 201, { token, body: { id: 'robot' } });
		await gateway.ask('DELETE', `/admin/tokens/${tokenId}`, 200, { token });
	}
	await lines.filter({ hasText: 'revoked a token (20 times)' }).waitFor();
	await lines.filter({ hasText: 'made scout full' }).waitFor();
	await lines.filter({ hasText: 'revoked the tokens of robot' }).waitFor();
	assert.deepEqual(await findings(page), []);
});

test('a proposal is told in the words of the inbox, and what was said without signs of markdown', async (t) => {
	const { gateway, lines } = await open(t);
	const anchor = await joinAs(gateway, 'harbour', 'anchor', { privilege: 'restricted', kind: 'agent' });
	t.after(() => anchor.close());
	anchor.send({ kind: 'chat', payload: { text: '## News\n- the **tide** is [here](https://example.org/tide)', format: 'markdown' } });
	anchor.send(proposal('crane', { params: { name: 'lower', arguments: {} } }));
	await lines.filter({ hasText: 'anchor proposes the call of lower to crane' }).waitFor();
	await lines.filter({ hasText: 'anchor News the tide is here' }).waitFor();
});
