// SPDX-License-Identifier: Apache-2.0
// A provider of embeddings on loopback. A text's vector is the sum of its words' directions, which are the same at
// every start; words that `alike` names with one meaning have one direction. So texts are near that share meanings.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const DIMENSIONS = 64;

function direction(word) {
	const octets = Buffer.concat([0, 1].map((part) => createHash('sha256').update(`${part}:${word}`).digest()));
	return Array.from(octets.subarray(0, DIMENSIONS), (octet) => octet - 127.5);
}

export class EmbeddingsServer {
	/** alike: rows of words with one meaning; key: what a request has to bring. */
	static async start({ alike = [], key } = {}) {
		const server = new EmbeddingsServer();
		server.meanings = new Map(alike.flatMap((row) => row.split(' ').map((word) => [word, row])));
		server.key = key;
		server.requests = []; // {model, input, dimensions, headers}
		server.answers = []; // the next ones: functions (request, response, vectors), then it answers well again
		server.always = undefined; // one for every request
		server.http = createServer((request, response) => server.#answer(request, response));
		await new Promise((done) => { server.http.listen(0, '127.0.0.1', done); });
		server.url = `http://127.0.0.1:${server.http.address().port}/v1/embeddings`;
		return server;
	}

	vector(text) {
		const sum = new Array(DIMENSIONS).fill(0);
		for (const word of text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean))
			direction(this.meanings.get(word) ?? word).forEach((part, at) => { sum[at] += part; });
		const length = Math.hypot(...sum) || 1;
		return sum.map((part) => part / length);
	}

	/** Texts that were asked for so far. */
	get inputs() {
		return this.requests.flatMap(({ input }) => input);
	}

	async #answer(request, response) {
		let body = '';
		for await (const piece of request)
			body += piece;
		const asked = { ...JSON.parse(body), headers: request.headers, path: request.url };
		this.requests.push(asked);
		const data = asked.input.map((text, index) => ({ object: 'embedding', index, embedding: this.vector(text) }));
		const special = this.answers.shift() ?? this.always;
		if (special !== undefined)
			special(asked, response, data);
		else if (this.key !== undefined && request.headers.authorization !== `Bearer ${this.key}`)
			response.writeHead(401).end('{"error":{"message":"who are you?"}}');
		else
			EmbeddingsServer.send(response, { object: 'list', model: asked.model, data: data.reverse() });
	}

	static send(response, answer, status = 200) {
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
	}

	close() {
		this.http.closeAllConnections();
		return new Promise((done) => { this.http.close(done); });
	}
}
