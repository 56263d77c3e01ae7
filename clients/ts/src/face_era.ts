// SPDX-License-Identifier: Apache-2.0
/**
 * Face era: what both eras of MCP have in common for a face: what a request wishes, what comes on its way, who answers
 * questions.
 */

import type { Address } from './address.js';
import { safely } from './emitter.js';
import { ownFault } from './fault.js';
import type { McpMessage, Tool } from './records.js';
import { progressOf, type Progress } from './room_questions.js';
import type { Watch, WatchState } from './watch.js';

/** What the other side asks of us while a call is open. */
export interface InputQuestion {
	/** "elicitation/create": a form to be filled in; "sampling/createMessage", "roots/list". */
	method: string;
	params: any;
}

/** Of one request at a face. */
export interface CallOptions {
	onProgress?(progress: Progress): void;
	/** A part of the result that comes before it (MGP 12). */
	onChunk?(chunk: any): void;
	/**
	 * Answers a question: {action: 'accept', content: {...}}, {action: 'decline'} or {action: 'cancel'}. Without it
	 * nothing is asked.
	 */
	onInput?(question: InputQuestion): any;
	/** Any other notification on the way, such as notifications/message. */
	onMessage?(message: McpMessage): void;
	/** Cancels the call. */
	signal?: AbortSignal;
	/** Milliseconds without an answer or another word; left out: it waits. */
	timeoutMs?: number;
}

export interface EraMeans {
	address: Address;
	path: string;
	client: { name: string; version: string; title?: string };
	/** Further capabilities of ours. */
	capabilities: { [name: string]: any };
	/** Of MGP. */
	extensions: string[];
	/** The definition of a tool, where it was listed. */
	toolOf(name: string): Tool | undefined;
	/** Lists the tools anew. */
	relist(): Promise<unknown>;
}

export interface Listening {
	filter: { [name: string]: any };
	heard(message: McpMessage): void;
	state?(state: WatchState): void;
	signal?: AbortSignal;
}

export interface Era {
	request(method: string, params: any, options: CallOptions, extensions: string[]): Promise<any>;
	listen(listening: Listening): Watch;
	close(): Promise<void>;
}

const MGP = 'dev.hustings/mgp';
export const FLOW = 'dev.hustings/flow';

/** What we can, as each era declares it: MGP has a place of its own in the legacy one. */
export function capabilitiesOf(
	means: EraMeans,
	options: CallOptions,
	more: string[],
	isModern: boolean,
): { [name: string]: any } {
	const names = new Set([...means.extensions, ...more, ...(options.onChunk ? ['streaming'] : [])]);
	const mgp = names.size > 0 ? { version: '0.2.0', extensions: [...names] } : undefined;
	const { extensions, ...rest } = means.capabilities;
	const whole = { ...extensions, ...(isModern && mgp ? { [MGP]: mgp } : {}) };
	return {
		...(options.onInput ? { elicitation: { form: {} } } : {}),
		...rest,
		...(!isModern && mgp ? { mgp } : {}),
		...(Object.keys(whole).length > 0 ? { extensions: whole } : {}),
	};
}

/** What comes before the answer. */
export function hear({ method, params, ...rest }: McpMessage, options: CallOptions): void {
	if (method === 'notifications/progress' || method === 'notifications/mgp.stream.progress')
		safely(() => options.onProgress?.(progressOf(method, params)));
	else if (method === 'notifications/mgp.stream.chunk') safely(() => options.onChunk?.(params));
	else safely(() => options.onMessage?.({ method, params, ...rest }));
}

/** A request's own params: with a token for progress, and the wish to have the answer in parts. */
export function wishing(params: any, options: CallOptions, token: string): any {
	const meta = options.onProgress ? { _meta: { ...params?._meta, progressToken: token } } : {};
	const stream = options.onChunk ? { _mgp: { ...params?._mgp, stream: true } } : {};
	return { ...params, ...meta, ...stream };
}

/** A signal that ends with the caller's, or when nothing came for too long. */
export function patient(options: CallOptions): { signal: AbortSignal; touch(): void; done(): void } {
	const control = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const abort = () => control.abort(options.signal?.reason);
	const touch = () => {
		clearTimeout(timer);
		if (!options.timeoutMs) return;
		timer = setTimeout(
			() => control.abort(ownFault('timeout', `no answer within ${options.timeoutMs} ms`)),
			options.timeoutMs,
		);
	};
	options.signal?.addEventListener('abort', abort, { once: true });
	if (options.signal?.aborted) abort();
	touch();
	return {
		signal: control.signal,
		touch,
		done: () => {
			clearTimeout(timer);
			options.signal?.removeEventListener('abort', abort);
		},
	};
}
