// SPDX-License-Identifier: Apache-2.0
// A participant on a WebSocket that offers tools as an MCP server does (MCPx v0 4.1, 7).

import { RoomClient } from './room_client.mjs';

export class Robot {
	/**
	 * Joins as RoomClient does. tools: {name: {definition, run(params, context)}}, where run answers with a
	 * result, or throws {code, message}; context: {from, envelope, progress(), ask(), cancelled}.
	 */
	static async join(options, tools) {
		const client = await RoomClient.connect({ ...options, query: { mcp: '2025-06-18', kind: 'robot', ...options.query } });
		return new Robot(client, tools);
	}

	constructor(client, tools) {
		this.client = client;
		this.tools = tools;
		this.furtherPages = 0; // of its list, each with all tools again under further names
		this.heard = [];
		this.asked = new Map();
		this.running = new Map();
		this.numbers = 0;
		this.#serve().catch(() => {});
	}

	get id() {
		return this.client.id;
	}

	async #serve() {
		for (;;) {
			const envelope = await this.client.next(() => true, { timeout: 10 * 60 * 1000 });
			this.heard.push(envelope);
			if (envelope.kind === 'mcp' && (envelope.to ?? []).includes(this.id))
				this.#take(envelope);
		}
	}

	#take(envelope) {
		const { id, method, params } = envelope.payload;
		if (method === undefined)
			this.asked.get(envelope.correlation_id)?.(envelope.payload);
		else if (method === 'notifications/cancelled')
			this.running.get(params.requestId)?.();
		else if (id !== undefined)
			this.#answer(envelope).then((result) => this.#say(envelope, { id, result }),
				(error) => this.#say(envelope, { id, error: { code: error.code ?? -32603, message: error.message, data: error.data } }));
	}

	#say(envelope, message) {
		this.client.send({ kind: 'mcp', to: [envelope.from], correlation_id: envelope.id,
			payload: { jsonrpc: '2.0', ...message } });
	}

	async #answer(envelope) {
		const { id, method, params } = envelope.payload;
		switch (method) {
		case 'initialize':
			return { protocolVersion: '2025-06-18', capabilities: { tools: { listChanged: true } },
				serverInfo: { name: this.id, version: '1' } };
		case 'tools/list':
			return { tools: Object.entries(this.tools).map(([name, { definition }]) => ({
				name: params?.cursor === undefined ? name : `${name}-${params.cursor}`, inputSchema: { type: 'object' }, ...definition })),
			...((Number(params?.cursor ?? 0) < this.furtherPages) ? { nextCursor: String(Number(params?.cursor ?? 0) + 1) } : {}) };
		case 'tools/call': {
			const tool = this.tools[params.name];
			if (tool === undefined)
				throw Object.assign(new Error(`no tool ${params.name}`), { code: -32602 });
			const cancelled = new Promise((done) => this.running.set(id, done));
			return tool.run(params, {
				from: envelope.from, envelope, cancelled,
				progress: (progress, message) => this.#say(envelope, { method: 'notifications/progress',
					params: { progressToken: params._meta.progressToken, progress, message } }),
				ask: (asked, given, names = true) => this.#ask(envelope, asked, given, names),
			});
		}
		default:
			throw Object.assign(new Error(`no method ${method}`), { code: -32601 });
		}
	}

	/** Asks the caller of that envelope; `names`: it says which call it is about. */
	#ask(envelope, method, params, names) {
		return new Promise((done) => {
			const id = this.client.send({ kind: 'mcp', to: [envelope.from], ...(names ? { correlation_id: envelope.id } : {}),
				payload: { jsonrpc: '2.0', id: `q${++this.numbers}`, method, params } });
			this.asked.set(id, done);
		});
	}

	/** Tells everybody that its tools are others now. */
	change(tools) {
		this.tools = tools;
		this.client.send({ kind: 'mcp', payload: { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } });
	}

	close() {
		return this.client.close();
	}
}

export const text = (words) => ({ content: [{ type: 'text', text: words }] });
