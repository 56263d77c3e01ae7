// SPDX-License-Identifier: Apache-2.0
// A small MCPx v0 participant, written from the text of MCPx v0 alone: it chats and offers one tool.

import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';

const PROTOCOL = 'mcp-x/v0';

export class V0Client {
	/** Joins a topic; resolves when the welcome has come. heard: called with (from, text) of each chat. */
	static join(url, topic, token, heard) {
		const client = new V0Client();
		client.pending = new Map();
		client.peers = new Map();
		client.heard = heard;
		client.socket = new WebSocket(`${url}/v0/ws?topic=${encodeURIComponent(topic)}&protocol=${encodeURIComponent(PROTOCOL)}`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		return new Promise((done, failed) => {
			client.socket.on('error', failed);
			client.socket.on('message', (data) => {
				const envelope = JSON.parse(data);
				if (envelope.kind === 'system' && envelope.payload.event === 'welcome') {
					client.id = envelope.payload.participant.id;
					for (const peer of envelope.payload.participants)
						client.peers.set(peer.id, peer);
					done(client);
				} else {
					client.receive(envelope);
				}
			});
		});
	}

	receive(envelope) {
		if (envelope.protocol !== PROTOCOL)
			throw new Error(`a v0 client received ${envelope.protocol}`);
		if (envelope.kind === 'presence')
			this.presence(envelope.payload);
		else if (envelope.kind === 'mcp' && envelope.from !== this.id)
			this.mcp(envelope);
	}

	presence({ event, participant }) {
		if (event === 'leave')
			this.peers.delete(participant.id);
		else
			this.peers.set(participant.id, participant);
	}

	mcp(envelope) {
		const { payload } = envelope;
		if (payload.method === 'notifications/chat/message')
			this.heard(envelope.from, payload.params.text);
		if (!envelope.to?.includes(this.id))
			return;
		if (payload.method !== undefined && payload.id !== undefined)
			this.reply(envelope, this.serve(payload));
		else if (payload.method === undefined)
			this.pending.get(envelope.correlation_id)?.(payload);
	}

	serve({ method, params }) {
		switch (method) {
		case 'initialize':
			return { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'v0 client', version: '1' } } };
		case 'tools/list':
			return { result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } };
		case 'tools/call':
			return { result: { content: [{ type: 'text', text: `v0 says ${params.arguments.text}` }] } };
		default:
			return { error: { code: -32601, message: `no method ${method}` } };
		}
	}

	reply(envelope, outcome) {
		this.send({
			to: [envelope.from], kind: 'mcp', correlation_id: envelope.id,
			payload: { jsonrpc: '2.0', id: envelope.payload.id, ...outcome },
		});
	}

	send(parts) {
		const id = randomUUID();
		this.socket.send(JSON.stringify({ protocol: PROTOCOL, id, ts: new Date().toISOString(), from: this.id, ...parts }));
		return id;
	}

	chat(text) {
		this.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/chat/message', params: { text, format: 'plain' } } });
	}

	/** The MCP handshake with one peer, then a call of one of its tools. */
	async callTool(target, name, args) {
		await this.ask(target, 1, 'initialize', {
			protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'v0 client', version: '1' },
		});
		this.send({ to: [target], kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/initialized' } });
		return this.ask(target, 2, 'tools/call', { name, arguments: args });
	}

	async ask(target, id, method, params) {
		const envelopeId = this.send({ to: [target], kind: 'mcp', payload: { jsonrpc: '2.0', id, method, params } });
		const answer = await new Promise((done) => { this.pending.set(envelopeId, done); });
		this.pending.delete(envelopeId);
		if (answer.error !== undefined)
			throw new Error(answer.error.message);
		return answer.result;
	}

	leave() {
		this.socket.close();
	}
}
