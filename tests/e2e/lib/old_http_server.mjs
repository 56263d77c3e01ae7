// SPDX-License-Identifier: Apache-2.0
// A server of HTTP with SSE (2024-11-05) on the official SDK: GET /sse, POST /messages. Tools: echo, ask.

import http from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

export class OldHttpServer {
	begun = 0;
	requests = [];
	sessions = new Map();

	static async start() {
		const server = new OldHttpServer();
		server.http = http.createServer((request, response) => {
			server.answer(request, response).catch((error) => response.destroy(error));
		});
		await new Promise((done) => server.http.listen(0, '127.0.0.1', done));
		server.url = `http://127.0.0.1:${server.http.address().port}/sse`;
		return server;
	}

	async answer(request, response) {
		const { pathname, searchParams } = new URL(request.url, this.url);
		this.requests.push({ method: request.method, pathname, headers: request.headers });
		if (request.method === 'GET' && pathname === '/sse')
			return this.begin(response);
		const transport = this.sessions.get(searchParams.get('sessionId'));
		if (request.method === 'POST' && pathname === '/messages' && transport)
			return transport.handlePostMessage(request, response);
		return void response.writeHead(request.method === 'POST' ? 405 : 404).end('no');
	}

	async begin(response) {
		this.begun += 1;
		const transport = new SSEServerTransport('/messages', response);
		this.sessions.set(transport.sessionId, transport);
		response.on('close', () => this.sessions.delete(transport.sessionId));
		const server = new Server({ name: 'old-fixture', version: '1' }, { capabilities: { tools: {} } });
		server.setRequestHandler(ListToolsRequestSchema, () => ({
			tools: ['echo', 'ask'].map((name) => ({ name, inputSchema: { type: 'object' } })),
		}));
		server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
			const said = params.name === 'echo' ? params.arguments.text : JSON.stringify((await extra.sendRequest({
				method: 'elicitation/create',
				params: { message: 'Which?', requestedSchema: { type: 'object', properties: { which: { type: 'string' } } } },
			}, ElicitResultSchema)).content);
			return { content: [{ type: 'text', text: said }] };
		});
		await server.connect(transport);
	}

	/** All streams end, as behind a proxy that loses patience. */
	cut() {
		for (const transport of this.sessions.values())
			transport.res.end();
	}

	async stop() {
		this.http.closeAllConnections();
		await new Promise((done) => this.http.close(done));
	}
}
