/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case: steps to take on a fresh connection, the events that must come back, and how it must end.
 *
 * Octets that make the server fail the connection are always sent in one write with whatever follows
 * them: nothing is written after the server may have gone, so no case depends on who is faster.
 */
import assert from 'node:assert/strict';
import { CLOSE, WebsocketPeer, closeFrame } from '../support/websocket_peer.mjs';

/* Steps. */
export const once = (...frames) => ({ bytes: Buffer.concat(frames), sizes: null });
export const octets = (...frames) => ({ bytes: Buffer.concat(frames), sizes: [1] });
export const chopped = (sizes, ...frames) => ({ bytes: Buffer.concat(frames), sizes });
export const each = (...frames) => frames.map((one) => once(one));
export const hears = (count) => ({ count });

/* Events. */
export const text = (payload) => ['text', Buffer.from(payload)];
export const binary = (payload) => ['binary', Buffer.from(payload)];
export const pong = (payload = '') => ['pong', Buffer.from(payload)];

/* Ends. */
export const FINE = { name: 'closes well when we close' };
export const fails = (...codes) => ({ name: `fails with ${codes.join(" or ")}`, codes });
export const closed = (...codes) => ({ name: `answers our close with ${codes.join(" or ")}`, codes, ours: true });

export function testCase(id, what, steps, events, end) {
	return { id, what, steps: steps.flat(), events, end };
}

function described([type, payload]) {
	if (payload.length <= 200) return `${type} ${JSON.stringify(payload.toString("latin1"))}`;
	return `${type} of ${payload.length} octets`;
}

async function take(peer, step) {
	if (step.count !== undefined) return peer.untilEvents(step.count);
	if (step.sizes) return peer.raw.writeChopped(step.bytes, step.sizes);
	return peer.raw.write(step.bytes);
}

export async function runCase(port, { steps, events, end }) {
	const peer = await WebsocketPeer.open(port);
	try {
		for (const step of steps) await take(peer, step);
		if (end === FINE) {
			await peer.untilEvents(events.length);
			await peer.send(closeFrame(1000));
		}
		const close = await peer.untilClosed({ answered: end === FINE || end.ours === true });
		const came = peer.events.map((event) => [event.type, event.payload]);
		assert.deepEqual(came.map(described), events.map(described));
		came.forEach(([, payload], at) => assert.ok(payload.equals(events[at][1]), `event ${at} is other octets than were sent`));
		assert.ok(close, `no close frame (opcode ${CLOSE}) before the connection ended`);
		const codes = end === FINE ? [1000] : end.codes;
		assert.ok(codes.includes(close.code), `close code ${close.code} (${close.reason}), expected ${codes.join(" or ")}`);
		assert.deepEqual(peer.violations, []);
	} finally {
		peer.destroy();
	}
}
