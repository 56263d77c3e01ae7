// SPDX-License-Identifier: Apache-2.0
//
// The same rival as bare_epoll.c, on uWebSockets: rooms are its topics, and everything that JavaScript
// does is the check of an envelope's form, and `from` and `ts` set by the server. With --no-check what
// comes goes out as it is: then uWebSockets' own C++ does all but one call a message.
//
// Usage: node bare_uws.mjs BINARY [--no-check]. Listens on 127.0.0.1, on a port of the kernel's
// choice, and prints "ready PORT".

import { createRequire } from 'node:module';

const [binary, option, more] = process.argv.slice(2);
if (!binary || more || (option && option !== '--no-check')) {
	console.error('usage: bare_uws.mjs BINARY [--no-check]');
	process.exit(2);
}
// The binary itself: the package's own entry falls back to JavaScript in silence.
const uws = createRequire(import.meta.url)(binary);
const checks = !option;
const MAX_MESSAGE = 1024 * 1024;
const MAX_BEHIND = 8 * 1024 * 1024;
const KINDS = new Set(['mcp', 'proposal', 'chat', 'presence', 'system']);
const MEMBERS = new Set(['protocol', 'id', 'ts', 'from', 'to', 'kind', 'correlation_id', 'payload']);
const decoder = new TextDecoder('utf-8', { fatal: true });

function isName(value) {
	return typeof value === 'string' && value !== '' && value.length <= 256;
}

function isEnvelope(envelope, id) {
	if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope))
		return false;
	for (const member in envelope) {
		if (!MEMBERS.has(member))
			return false;
	}
	return envelope.protocol === 'mcpx/v0.1' && isName(envelope.id) && KINDS.has(envelope.kind) &&
		(envelope.from === undefined || envelope.from === id) &&
		(envelope.to === undefined || (Array.isArray(envelope.to) && envelope.to.every(isName))) &&
		(envelope.correlation_id === undefined || isName(envelope.correlation_id)) &&
		typeof envelope.payload === 'object' && envelope.payload !== null;
}

function deliver(peer, message) {
	const { id, topic } = peer.getUserData();
	if (!checks) {
		app.publish(topic, message, false);
		return;
	}
	let envelope;
	try {
		envelope = JSON.parse(decoder.decode(message));
	} catch {
		envelope = undefined;
	}
	if (!isEnvelope(envelope, id)) {
		peer.close();
		return;
	}
	envelope.from = id;
	envelope.ts = new Date().toISOString();
	app.publish(topic, JSON.stringify(envelope), false);
}

function greet(peer) {
	const { id, topic } = peer.getUserData();
	peer.subscribe(topic);
	peer.send(JSON.stringify({
		protocol: 'mcpx/v0.1', id: 'welcome', ts: new Date().toISOString(), from: 'system:gateway', kind: 'system',
		payload: { event: 'welcome', participant: { id, privilege: 'full' }, participants: [], protocol: 'mcpx/v0.1' },
	}), false);
}

const app = uws.App();
app.ws('/v0/ws', {
	compression: uws.DISABLED,
	maxPayloadLength: MAX_MESSAGE,
	maxBackpressure: MAX_BEHIND,
	idleTimeout: 0,
	upgrade(response, request, context) {
		const wish = new URLSearchParams(request.getQuery());
		response.upgrade({ id: wish.get('id'), topic: wish.get('topic') },
			request.getHeader('sec-websocket-key'), request.getHeader('sec-websocket-protocol'),
			request.getHeader('sec-websocket-extensions'), context);
	},
	open: greet,
	message: deliver,
});
app.listen('127.0.0.1', 0, (socket) => {
	if (!socket) {
		console.error('bare_uws: cannot listen');
		process.exit(1);
	}
	console.log(`ready ${uws.us_socket_local_port(socket)}`);
});
