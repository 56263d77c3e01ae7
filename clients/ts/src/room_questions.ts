// SPDX-License-Identifier: Apache-2.0
/**
 * Room questions: MCP requests to other participants that have no answer yet. An answer names the request's envelope;
 * progress and chunks name the request itself. A call that waits for its authorization (MCPx ADR-001) stays open until
 * the outcome.
 */

import { faultOfRpc, ownFault } from './fault.js';
import { safely } from './emitter.js';
import { freshId } from './patience.js';
import type { Envelope, EnvelopeWish, McpMessage } from './records.js';

/** Of one request to a participant. */
export interface RequestOptions {
	/** notifications/progress of this request. */
	onProgress?(progress: Progress): void;
	/** A part of the answer that comes before it (MGP 12), from participants that stream. */
	onChunk?(chunk: any): void;
	/** The call waits for somebody's decision; `data` is what the error -32001 has. */
	onAuthorization?(data: any): void;
	/** Cancels the request at who was asked. */
	signal?: AbortSignal;
	/** Milliseconds without an answer or a word of progress; left out: ten minutes; 0: it waits. */
	timeoutMs?: number;
	/** What it is about, such as a proposal that it fulfils. */
	correlationId?: string;
}

/** How far a call is; `total` may be unknown. */
export interface Progress {
	progress?: number;
	total?: number;
	message?: string;
	[member: string]: any;
}

/** MGP counts progress from 0 to 1 (12.6): then that is the whole. */
export function progressOf(method: string | undefined, params: any): Progress {
	const isMgp = method === 'notifications/mgp.stream.progress' && typeof params?.progress === 'number';
	return isMgp ? { total: 1, ...params } : params;
}

interface Question {
	peer: string;
	/** The request's own id. */
	id: string;
	envelope: string;
	options: RequestOptions;
	timer?: ReturnType<typeof setTimeout>;
	done(result: any): void;
	failed(why: unknown): void;
}

interface Sender {
	send(envelope: EnvelopeWish, options?: { signal?: AbortSignal }): Promise<Envelope>;
}

const MOST = 1000;
const PATIENCE_MS = 10 * 60_000;

export class Questions {
	readonly #sender: Sender;
	readonly #byEnvelope = new Map<string, Question>();
	readonly #byId = new Map<string, Question>();

	constructor(sender: Sender) {
		this.#sender = sender;
	}

	ask(peer: string, method: string, params: any, options: RequestOptions = {}): Promise<any> {
		if (options.signal?.aborted) return Promise.reject(options.signal.reason);
		if (this.#byId.size >= MOST)
			return Promise.reject(ownFault('full', `${MOST} requests have no answer yet: wait for some of them first`));
		return new Promise((done, failed) => {
			const question: Question = { peer, id: freshId(), envelope: freshId(), options, done, failed };
			const abort = () => this.#cancel(question, options.signal?.reason, 'the caller has given up');
			const settle =
				<One>(what: (value: One) => void) =>
				(value: One) => {
					options.signal?.removeEventListener('abort', abort);
					this.#forget(question);
					what(value);
				};
			question.done = settle(done);
			question.failed = settle(failed);
			options.signal?.addEventListener('abort', abort, { once: true });
			this.#begin(question, method, params);
		});
	}

	#begin(question: Question, method: string, params: any): void {
		const { options, id, peer, envelope } = question;
		const wants = options.onProgress ? { _meta: { ...params?._meta, progressToken: id } } : {};
		const streams = options.onChunk ? { _mgp: { ...params?._mgp, stream: true } } : {};
		const whole =
			params === undefined && !options.onProgress && !options.onChunk
				? {}
				: { params: { ...params, ...wants, ...streams } };
		this.#byEnvelope.set(envelope, question);
		this.#byId.set(id, question);
		this.#touch(question);
		this.#sender
			.send({
				id: envelope,
				kind: 'mcp',
				to: [peer],
				...(options.correlationId === undefined ? {} : { correlation_id: options.correlationId }),
				payload: { jsonrpc: '2.0', id, method, ...whole },
			})
			.catch(question.failed);
	}

	#forget(question: Question): void {
		clearTimeout(question.timer);
		this.#byEnvelope.delete(question.envelope);
		this.#byId.delete(question.id);
	}

	/** Somebody is at it: patience begins anew. */
	#touch(question: Question): void {
		const patience = question.options.timeoutMs ?? PATIENCE_MS;
		clearTimeout(question.timer);
		if (patience === 0) return;
		question.timer = setTimeout(
			() =>
				this.#cancel(
					question,
					ownFault('timeout', `${question.peer} has not answered within ${patience} ms`),
					'not waited for any longer',
				),
			patience,
		);
	}

	#cancel(question: Question, why: unknown, reason: string): void {
		if (!this.#byId.has(question.id)) return;
		this.#sender
			.send({
				kind: 'mcp',
				to: [question.peer],
				correlation_id: question.envelope,
				payload: {
					jsonrpc: '2.0',
					method: 'notifications/cancelled',
					params: { requestId: question.id, reason },
				},
			})
			.catch(() => {});
		question.failed(why);
	}

	/** An envelope of kind mcp from a participant: whether it was about a question of ours. */
	take(envelope: Envelope): boolean {
		const message = envelope.payload as McpMessage;
		if (message?.method !== undefined) return this.#hear(envelope.from, message);
		if (message?.result === undefined && message?.error === undefined) return false;
		const question = this.#byEnvelope.get(envelope.correlation_id ?? '');
		if (!question || question.peer !== envelope.from) return false;
		this.#settle(question, message);
		return true;
	}

	#settle(question: Question, message: Pick<McpMessage, 'result' | 'error'>): void {
		const { error } = message;
		if (error === undefined) return question.done(message.result);
		const waits = error.code === -32001 && error.data?.authorizationRequest !== undefined;
		if (!waits) return question.failed(faultOfRpc(error));
		this.#touch(question);
		if (question.options.onAuthorization) safely(() => question.options.onAuthorization?.(error.data));
	}

	#hear(from: string, { method, params }: McpMessage): boolean {
		const token =
			method === 'notifications/progress'
				? params?.progressToken
				: method === 'notifications/mgp.stream.chunk' || method === 'notifications/mgp.stream.progress'
					? params?.request_id
					: method === 'notifications/authorization/resolved'
						? params?.requestId
						: undefined;
		const question = typeof token === 'string' ? this.#byId.get(token) : undefined;
		if (!question || question.peer !== from) return false;
		this.#touch(question);
		const { onProgress, onChunk } = question.options;
		if (method === 'notifications/authorization/resolved') this.#settle(question, params);
		else if (method === 'notifications/mgp.stream.chunk') safely(() => onChunk?.(params));
		else safely(() => onProgress?.(progressOf(method, params)));
		return true;
	}

	/** A participant has gone. */
	left(peer: string): void {
		for (const question of [...this.#byId.values()])
			if (question.peer === peer) question.failed(ownFault('left', `${peer} has left the room`));
	}

	failAll(why: unknown): void {
		for (const question of [...this.#byId.values()]) question.failed(why);
	}
}
