// SPDX-License-Identifier: Apache-2.0
/**
 * Face modern: MCP 2026-07-28. Each request stands for itself and says who asks; a question comes as an answer that
 * wants input, and the request goes out again with it. Closing the stream cancels.
 */

import { freshId } from './patience.js';
import { exchange } from './face_exchange.js';
import {
	capabilitiesOf,
	hear,
	patient,
	wishing,
	type CallOptions,
	type Era,
	type EraMeans,
	type Listening,
} from './face_era.js';
import { headersOf } from './face_headers.js';
import { faultOfRpc, ownFault } from './fault.js';
import { readJson } from './address.js';
import { follow, type Watch } from './watch.js';

export const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const ROUNDS = 20;
const HEADER_MISMATCH = -32020;

export class ModernEra implements Era {
	readonly #means: EraMeans;

	constructor(means: EraMeans) {
		this.#means = means;
	}

	#params(params: any, capabilities: any): any {
		return {
			...params,
			_meta: {
				[`${META}protocolVersion`]: MODERN,
				[`${META}clientInfo`]: this.#means.client,
				[`${META}clientCapabilities`]: capabilities,
				...params?._meta,
			},
		};
	}

	#headers(method: string, params: any): Record<string, string> {
		return { 'mcp-protocol-version': MODERN, ...headersOf(method, params, this.#means.toolOf(params?.name)) };
	}

	async request(method: string, params: any, options: CallOptions, extensions: string[] = []): Promise<any> {
		const patience = patient(options);
		const capabilities = capabilitiesOf(this.#means, options, extensions, true);
		let wish = params;
		try {
			for (let round = 0, relisted = false; round < ROUNDS; round++) {
				const { error, result } = await this.#once(method, wish, capabilities, options, patience);
				if (error?.code === HEADER_MISMATCH && method === 'tools/call' && !relisted) {
					relisted = true;
					await this.#means.relist();
					continue;
				}
				if (error) throw faultOfRpc(error);
				if (result?.resultType !== 'input_required') return result;
				wish = { ...params, ...(await inputsFor(result, options)) };
				patience.touch();
			}
			throw ownFault('too_large', `${method}: the other side asked ${ROUNDS} times, and is not content`);
		} finally {
			patience.done();
		}
	}

	async #once(
		method: string,
		params: any,
		capabilities: any,
		options: CallOptions,
		patience: ReturnType<typeof patient>,
	): Promise<any> {
		const id = freshId();
		const whole = this.#params(wishing(params, options, id), capabilities);
		const { message } = await exchange({
			address: this.#means.address,
			path: this.#means.path,
			headers: this.#headers(method, params),
			signal: patience.signal,
			message: { jsonrpc: '2.0', id, method, params: whole },
			heard: (one) => {
				patience.touch();
				hear(one, options);
			},
		});
		return message;
	}

	/** subscriptions/listen: a request whose answer stays open. */
	listen({ filter, heard, state, signal }: Listening): Watch {
		const method = 'subscriptions/listen';
		return follow({
			open: (inner) =>
				this.#means.address.open(
					'POST',
					this.#means.path,
					{
						jsonrpc: '2.0',
						id: freshId(),
						method,
						params: this.#params({ notifications: filter }, capabilitiesOf(this.#means, {}, [], true)),
					},
					{
						accept: 'application/json, text/event-stream',
						headers: this.#headers(method, {}),
						signal: inner,
					},
				),
			take: ({ data }) => {
				const message = readJson(data);
				if (typeof message?.method === 'string') heard(message);
			},
			state: (now) => state?.(now),
			signal,
		});
	}

	async close(): Promise<void> {}
}

/** The answers that an input_required wants. */
async function inputsFor(result: any, { onInput }: CallOptions): Promise<any> {
	const responses: Record<string, any> = {};
	for (const [key, question] of Object.entries<any>(result.inputRequests ?? {})) {
		if (!onInput) throw ownFault('input_required', 'the call asks for input: hand in onInput');
		responses[key] = await onInput({ method: question.method, params: question.params });
	}
	return {
		inputResponses: responses,
		...(result.requestState === undefined ? {} : { requestState: result.requestState }),
	};
}
