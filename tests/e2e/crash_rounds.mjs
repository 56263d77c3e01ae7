// SPDX-License-Identifier: Apache-2.0
// Usage: node crash_rounds.mjs [N]: N kills of one gateway (200 unless said), with a report at the end.

import { freshTopic } from './lib/house.mjs';
import { crashRound } from './lib/crash.mjs';
import { Gateway } from './lib/gateway.mjs';

const rounds = Number(process.argv[2] ?? 200);
if (!Number.isInteger(rounds) || rounds < 1) {
	console.error('usage: node crash_rounds.mjs [N]');
	process.exit(2);
}

const gateway = await Gateway.start({ open: true, set: { 'rooms.pace': 'off' } });
let topic = freshTopic();
let kept = 0;
let failures = 0;
for (let round = 1; round <= rounds; round += 1) {
	if (round % 20 === 0) {
		topic = freshTopic();
		kept = 0;
	}
	try {
		const now = await crashRound(gateway, topic);
		if (now <= kept)
			throw new Error(`history shrank from ${kept} to ${now}`);
		kept = now;
	} catch (error) {
		failures += 1;
		console.error(`round ${round}: ${error.message}`);
		if (!gateway.isRunning())
			await gateway.launch();
	}
	if (round % 10 === 0)
		console.log(`${round} rounds, ${failures} failed`);
}
await gateway.stop();
console.log(`${rounds} kills, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
