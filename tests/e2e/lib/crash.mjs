// SPDX-License-Identifier: Apache-2.0
// One round of the kill test: clients talk, the gateway dies by SIGKILL, and what anyone received is in history.

import { randomUUID } from 'node:crypto';
import { joinOpen, wholeHistory } from './house.mjs';
import { pause, within } from './wait.mjs';

/** What a client received before the kill, in order: ids of the chats in its queue. */
function received(client) {
	return client.queue.filter((envelope) => envelope.kind === 'chat').map((envelope) => envelope.id);
}

function isSubsequence(part, whole) {
	let at = 0;
	for (const id of whole) {
		if (id === part[at])
			at += 1;
	}
	return at === part.length;
}

/** Plays one round on an open gateway with the pace off; hands out how many envelopes history holds, or throws. */
export async function crashRound(gateway, topic, { least = 20 } = {}) {
	const run = randomUUID().slice(0, 8);
	const talkers = await Promise.all(['a', 'b', 'c'].map((name) => joinOpen(gateway, topic, `${name}-${run}`)));
	const listener = await joinOpen(gateway, topic, `listener-${run}`);
	let talking = true;
	const talk = talkers.map(async (talker) => {
		for (let i = 0; talking; i += 1) {
			for (let n = 0; n < 5; n += 1)
				talker.chat(`${run} ${i} ${n}`);
			await pause(Math.random() * 4);
		}
	});
	const wanted = least + Math.floor(Math.random() * 200);
	const enough = new Promise((done) => {
		listener.socket.on('message', () => {
			if (received(listener).length >= wanted)
				done();
		});
	});
	await within(enough, `${wanted} envelopes in round ${run}`);
	gateway.signal('SIGKILL');
	await within(gateway.exit, 'the gateway is gone');
	talking = false;
	await Promise.all(talk);
	const members = [...talkers, listener];
	for (const member of members)
		await member.expectClose();
	await gateway.launch();

	const kept = (await wholeHistory(gateway, topic)).map((envelope) => envelope.id);
	if (new Set(kept).size !== kept.length)
		throw new Error(`round ${run}: an envelope stands in history twice`);
	const known = new Set(kept);
	for (const member of members) {
		const ids = received(member);
		const lost = ids.filter((id) => !known.has(id));
		if (lost.length > 0)
			throw new Error(`round ${run}: ${member.id} received ${ids.length}, and history has lost ${lost.length} of them`);
		if (!isSubsequence(ids, kept))
			throw new Error(`round ${run}: ${member.id} received another order than history has`);
		gateway.clients.delete(member);
	}
	return kept.length;
}
