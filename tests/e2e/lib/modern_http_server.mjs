// SPDX-License-Identifier: Apache-2.0
// A server of 2026-07-28 over HTTP, by hand: what it offers can be changed and looked at while it runs.

import http from 'node:http';

const META = 'io.modelcontextprotocol/';
const VERSION = '2026-07-28';

export class ModernHttpServer {
	tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
	life = {};           // ttlMs and cacheScope of its lists
	requests = [];
	listening = new Map(); // open subscriptions/listen: id -> { response, filter }
	mismatches = 0;      // so many tools/call are refused for their head

	static async start(options = {}) {
		const server = Object.assign(new ModernHttpServer(), options);
		server.http = http.createServer((request, response) => {
			server.answer(request, response).catch((error) => response.destroy(error));
		});
		await new Promise((done) => server.http.listen(0, '127.0.0.1', done));
		server.url = `http://127.0.0.1:${server.http.address().port}/mcp`;
		return server;
	}

	/** The requests of that method so far. */
	of(method) {
		return this.requests.filter((one) => one.body?.method === method);
	}

	async answer(request, response) {
		const chunks = [];
		for await (const chunk of request)
			chunks.push(chunk);
		const body = chunks.length ? JSON.parse(Buffer.concat(chunks)) : undefined;
		this.requests.push({ verb: request.method, headers: request.headers, body });
		const send = (status, message) => response.writeHead(status, { 'content-type': 'application/json' })
			.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...message }));
		if (request.method !== 'POST')
			return void response.writeHead(405).end();
		if (body.params?._meta?.[`${META}protocolVersion`] !== VERSION)
			return void send(400, { error: { code: -32022, message: 'modern alone', data: { supported: [VERSION] } } });
		const results = {
			'server/discover': () => ({ supportedVersions: [VERSION], capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } }),
			'tools/list': () => ({ tools: this.tools, ...this.life }),
			'resources/list': () => ({ resources: [{ uri: 'test://one', name: 'one' }], ...this.life }),
			'tools/call': () => ({ content: [{ type: 'text', text: JSON.stringify(body.params.arguments) }] }),
		};
		if (body.method === 'subscriptions/listen')
			return this.listen(body, response);
		if (body.method === 'tools/call' && this.mismatches > 0) {
			this.mismatches -= 1;
			return void send(400, { error: { code: -32020, message: 'the head does not fit' } });
		}
		if (results[body.method] === undefined)
			return void send(404, { error: { code: -32601, message: 'no such method' } });
		return void send(200, { result: { resultType: 'complete', ...results[body.method]() } });
	}

	listen({ id, params }, response) {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		this.listening.set(id, { response, filter: params.notifications });
		response.on('close', () => this.listening.delete(id));
		this.tell(id, 'notifications/subscriptions/acknowledged', { notifications: params.notifications });
	}

	tell(id, method, params = {}) {
		this.listening.get(id)?.response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method,
			params: { ...params, _meta: { [`${META}subscriptionId`]: id } } })}\n\n`);
	}

	/** To everybody who listens for it. */
	tellAll(wanted, method, params) {
		for (const [id, { filter }] of this.listening) {
			if (wanted(filter))
				this.tell(id, method, params);
		}
	}

	/** All streams end. */
	cut() {
		for (const { response } of this.listening.values())
			response.end();
	}

	async stop() {
		this.http.closeAllConnections();
		await new Promise((done) => this.http.close(done));
	}
}
