// SPDX-License-Identifier: Apache-2.0
// Two clients that know nothing of each other, each written from one text, in one room.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshTopic, house } from './lib/house.mjs';
import { until, within } from './lib/wait.mjs';
import { V0Client } from './v0_client.mjs';
import { joinV01 } from './v01_client.mjs';

const gateway = await house();
const oldToken = await gateway.token({ id: 'old', privilege: 'full' });
const newToken = await gateway.token({ id: 'new', privilege: 'full' });
const weakToken = await gateway.token({ id: 'weak', privilege: 'restricted' });
const sockets = [];
after(() => sockets.forEach((socket) => socket.terminate()));

async function both() {
	const topic = freshTopic();
	const heard = { old: [], new: [] };
	const proposals = [];
	const old = await within(V0Client.join(gateway.wsUrl, topic, oldToken, (from, text) => heard.old.push([from, text])), 'v0 joins');
	const fresh = await within(joinV01({
		url: gateway.wsUrl, topic, token: newToken,
		onChat: (from, text) => heard.new.push([from, text]), onProposal: (proposal) => proposals.push(proposal),
	}), 'v0.1 joins');
	sockets.push(old.socket, fresh.socket);
	return { topic, heard, proposals, old, fresh };
}

test('they see each other', async () => {
	const { old, fresh } = await both();
	assert.deepEqual([...fresh.roster.keys()], ['old']);
	await until(() => old.peers.has('new'), 'the v0 client sees the newcomer');
	fresh.leave();
	await until(() => !old.peers.has('new'), 'the v0 client sees it leave');
});

test('they chat with each other', async () => {
	const { heard, old, fresh } = await both();
	fresh.chat('hello from v0.1');
	old.chat('hello from v0');
	await until(() => heard.old.length === 1 && heard.new.length === 1, 'both have heard the other');
	assert.deepEqual(heard, { old: [['new', 'hello from v0.1']], new: [['old', 'hello from v0']] });
});

test('they call each other\'s tools', async () => {
	const { old, fresh } = await both();
	const fromOld = await within(old.callTool('new', 'echo', { text: 'ping' }), 'the answer of v0.1');
	assert.equal(fromOld.content[0].text, 'v0.1 says ping');
	const fromNew = await within(fresh.callTool('old', 'echo', { text: 'pong' }), 'the answer of v0');
	assert.equal(fromNew.content[0].text, 'v0 says pong');
});

test('a restricted v0.1 client is refused, proposes, and a full one fulfils it at the v0 client', async () => {
	const { topic, proposals, fresh } = await both();
	const weak = await within(joinV01({ url: gateway.wsUrl, topic, token: weakToken }), 'the restricted one joins');
	sockets.push(weak.socket);
	assert.equal(weak.privilege, 'restricted');
	await assert.rejects(within(weak.callTool('old', 'echo', { text: 'x' }), 'the refusal'), { code: -32001 });
	const id = weak.propose('old', 'echo', { text: 'please' }, 'for the test');
	await until(() => proposals.some((proposal) => proposal.id === id), 'the proposal is seen');
	const result = await within(fresh.fulfil(proposals.find((proposal) => proposal.id === id)), 'the fulfilment');
	assert.equal(result.content[0].text, 'v0 says please');
});
