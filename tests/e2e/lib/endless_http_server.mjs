// SPDX-License-Identifier: Apache-2.0
// A remote server whose answers have no end. Tools: `flood` (one event that never ends), `body` (JSON that never
// ends), `kept` (answered, and the stream stays open), `echo`. Notifications are taken and never answered.

import http from 'node:http';

const PIECE = Buffer.alloc(1 << 20, 'x');
const TOOLS = ['flood', 'body', 'kept', 'echo'].map((name) => ({ name, inputSchema: { type: 'object' } }));

export class EndlessHttpServer {
	/** Responses that are open, by what they answer. */
	open = new Map();

	static async start() {
		const server = new EndlessHttpServer();
		server.http = http.createServer((request, response) => {
			let text = '';
			request.setEncoding('utf8').on('data', (part) => { text += part; });
			request.on('end', () => server.answer(request, text, response));
		});
		await new Promise((done) => server.http.listen(0, '127.0.0.1', done));
		server.url = `http://127.0.0.1:${server.http.address().port}`;
		return server;
	}

	of(name) {
		return this.open.get(name) ?? 0;
	}

	answer(request, text, response) {
		if (request.method !== 'POST')
			return void response.writeHead(405).end();
		const { id, method, params } = JSON.parse(text);
		const name = params?.name ?? method;
		this.open.set(name, this.of(name) + 1);
		response.on('close', () => this.open.set(name, this.of(name) - 1));
		response.on('error', () => {});
		const result = (value) => JSON.stringify({ jsonrpc: '2.0', id, result: value });
		const json = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(result(value));
		if (method === 'initialize')
			return void json({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'endless', version: '1' } });
		if (method === 'tools/list')
			return void json({ tools: TOOLS });
		const said = { content: [{ type: 'text', text: 'said' }] };
		if (name === 'echo')
			return void json(said);
		if (id === undefined && method === 'notifications/initialized')
			return void response.writeHead(202).end();
		if (method !== 'tools/call')
			return undefined;
		response.writeHead(200, { 'content-type': name === 'body' ? 'application/json' : 'text/event-stream' });
		if (name === 'kept')
			return void response.write(`data: ${result(said)}\n\n`);
		response.write(name === 'body' ? '"' : 'data: ');
		this.flood(response);
		return undefined;
	}

	flood(response) {
		while (!response.destroyed && response.write(PIECE));
		if (!response.destroyed)
			response.once('drain', () => this.flood(response));
	}

	async stop() {
		this.http.closeAllConnections();
		await new Promise((done) => this.http.close(done));
	}
}
