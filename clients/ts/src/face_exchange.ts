// SPDX-License-Identifier: Apache-2.0
/** Face exchange: one POST of MCP over HTTP: what it says on the way, and the message that answers it. */

import { readJson, readText, type Address } from './address.js';
import { readEvents } from './events.js';
import { faultOfAnswer, ownFault } from './fault.js';
import type { McpMessage } from './records.js';

export interface Exchange {
	address: Address;
	path: string;
	message: McpMessage;
	headers: Record<string, string>;
	signal?: AbortSignal;
	/** Everything but the answer. */
	heard?(message: McpMessage): void;
}

export interface Answered {
	message: McpMessage;
	response: Response;
}

const ACCEPT = 'application/json, text/event-stream';

export const isAnswer = (message: McpMessage, id: unknown) =>
	message.method === undefined && message.id === id && (message.result !== undefined || message.error !== undefined);

/** Sends a message that is not answered. */
export async function post({ address, path, message, headers, signal }: Exchange): Promise<void> {
	const response = await address.open('POST', path, message, { accept: ACCEPT, headers, signal });
	await response.body?.cancel().catch(() => {});
}

/** Sends a request, and waits for its answer: a result or an error. What is neither is thrown. */
export async function exchange({ address, path, message, headers, signal, heard }: Exchange): Promise<Answered> {
	const response = await address.send('POST', path, message, { accept: ACCEPT, headers, signal });
	if (!(response.headers.get('content-type') ?? '').includes('text/event-stream')) {
		const text = await readText(response, signal);
		const answer = readJson(text);
		/* An error about the request as a whole may not know its id. */
		if (answer?.jsonrpc === '2.0' && (isAnswer(answer, message.id) || answer.error !== undefined))
			return { message: answer, response };
		throw response.ok
			? ownFault('broken_off', 'the gateway gave no answer')
			: faultOfAnswer(response.status, answer, response.headers.get('retry-after'));
	}
	try {
		for await (const { data } of readEvents(response)) {
			const one = readJson(data);
			if (one === null || typeof one !== 'object') continue;
			if (isAnswer(one, message.id)) return { message: one, response };
			heard?.(one);
		}
	} catch (error) {
		if (signal?.aborted) throw signal.reason;
		throw error;
	}
	if (signal?.aborted) throw signal.reason;
	throw ownFault('broken_off', 'the answer broke off');
}
