// SPDX-License-Identifier: Apache-2.0
// A small MCPx v0.1 participant, written from the text of MCPx v0.1 alone: it chats, offers one tool,
// proposes where it is restricted, and fulfils proposals of others where it is full.

import WebSocket from 'ws';

const VERSION = 'mcpx/v0.1';
let serial = 0;

export function joinV01({ url, topic, token, onChat = () => {}, onProposal = () => {} }) {
	const open = new Map();
	const roster = new Map();
	const socket = new WebSocket(`${url}/v0/ws?topic=${encodeURIComponent(topic)}&protocol=${encodeURIComponent(VERSION)}`, {
		headers: { Authorization: `Bearer ${token}` },
	});
	const self = { roster, socket };

	self.send = (kind, payload, more = {}) => {
		serial += 1;
		const id = `v01-${process.pid}-${serial}-${Date.now()}`;
		socket.send(JSON.stringify({ protocol: VERSION, id, ts: new Date().toISOString(), from: self.id, kind, payload, ...more }));
		return id;
	};
	self.chat = (text) => self.send('chat', { text });
	self.propose = (target, name, args, reason) =>
		self.send('mcp/proposal', { method: 'tools/call', params: { name, arguments: args }, reason }, { to: [target] });
	self.request = (target, method, params, correlation) => new Promise((resolve, reject) => {
		const payload = { jsonrpc: '2.0', id: serial + 1, method, params };
		const more = { to: [target], ...(correlation === undefined ? {} : { correlation_id: correlation }) };
		open.set(self.send('mcp', payload, more), { resolve, reject });
	});
	self.callTool = (target, name, args) => self.request(target, 'tools/call', { name, arguments: args });
	self.fulfil = (proposal) =>
		self.request(proposal.to[0], proposal.payload.method, proposal.payload.params, proposal.id);
	self.leave = () => socket.close();

	function serve({ method, params }) {
		if (method === 'initialize')
			return { result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'v0.1', version: '1' } } };
		if (method === 'tools/call')
			return { result: { content: [{ type: 'text', text: `v0.1 says ${params.arguments.text}` }] } };
		return { error: { code: -32601, message: 'unknown method' } };
	}

	function onMcp(envelope) {
		const { payload, from } = envelope;
		if (payload.method === 'notifications/chat/message')
			onChat(from, payload.params.text);
		if (!(envelope.to ?? []).includes(self.id))
			return;
		if ('method' in payload && 'id' in payload) {
			self.send('mcp', { jsonrpc: '2.0', id: payload.id, ...serve(payload) }, { to: [from], correlation_id: envelope.id });
			return;
		}
		const waiting = open.get(envelope.correlation_id);
		if (waiting === undefined)
			return;
		open.delete(envelope.correlation_id);
		if (payload.error === undefined)
			waiting.resolve(payload.result);
		else
			waiting.reject(Object.assign(new Error(payload.error.message), { code: payload.error.code }));
	}

	return new Promise((resolve, reject) => {
		socket.on('error', reject);
		socket.on('message', (data) => {
			const envelope = JSON.parse(data);
			if (envelope.protocol !== VERSION)
				throw new Error(`a v0.1 client received ${envelope.protocol}`);
			const { kind, payload, from } = envelope;
			if (kind === 'system' && payload.event === 'welcome') {
				self.id = payload.participant.id;
				self.privilege = payload.participant.privilege;
				payload.participants.forEach((one) => roster.set(one.id, one));
				resolve(self);
			} else if (kind === 'presence') {
				if (payload.event === 'leave')
					roster.delete(payload.participant.id);
				else
					roster.set(payload.participant.id, payload.participant);
			} else if (from !== self.id && kind === 'chat') {
				onChat(from, payload.text);
			} else if (from !== self.id && kind === 'mcp/proposal') {
				onProposal(envelope);
			} else if (from !== self.id && kind === 'mcp') {
				onMcp(envelope);
			}
		});
	});
}
