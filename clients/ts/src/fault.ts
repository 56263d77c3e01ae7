// SPDX-License-Identifier: Apache-2.0
/** Faults: why something did not come about, in the gateway's own words wherever it gave some. */

import type { SystemEvent } from './records.js';

/** What a HustingsError is made of. */
export interface FaultFacts {
	/** In words; with the reason that a JSON-RPC error has in its data. */
	message: string;
	/** Of the HTTP answer, or what it would be; 0: there was no answer. */
	status: number;
	/**
	 * A word of the gateway ("forbidden", "rate_limited"), of this client ("unreachable", "timeout", "closed", "left",
	 * "full", "too_large", "broken_off"), or a JSON-RPC code as text.
	 */
	code: string;
	/** The gate that refused. */
	gate?: string;
	/** When to try again, in milliseconds from now. */
	retryAfterMs?: number;
	/** What a JSON-RPC error has under `data`, or the whole body of a refusal. */
	data?: any;
	cause?: unknown;
}

/**
 * Why something did not come about: what every function of this client rejects with, but for the signal of a caller,
 * whose own reason is thrown, and a TypeError for a use that cannot work.
 */
export class HustingsError extends Error {
	readonly status: number;
	readonly code: string;
	readonly gate?: string;
	readonly retryAfterMs?: number;
	readonly data?: any;

	constructor(facts: FaultFacts) {
		super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
		this.name = 'HustingsError';
		this.status = facts.status;
		this.code = facts.code;
		this.gate = facts.gate;
		this.retryAfterMs = facts.retryAfterMs;
		this.data = facts.data;
	}
}

const numberOr = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textOr = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** An HTTP answer that is a refusal; `body` is its JSON, or undefined. */
export function faultOfAnswer(status: number, body: any, retryAfter?: string | null): HustingsError {
	if (body?.error !== null && typeof body?.error === 'object') return faultOfRpc(body.error, status);
	const seconds = Number(retryAfter);
	return new HustingsError({
		message: textOr(body?.message) ?? `the gateway answered with status ${status}`,
		status,
		code: textOr(body?.code) ?? String(status),
		gate: textOr(body?.gate),
		retryAfterMs:
			numberOr(body?.retry_after_ms) ?? (retryAfter && Number.isFinite(seconds) ? seconds * 1000 : undefined),
		data: body,
	});
}

/**
 * What an error of JSON-RPC says in words: its message, and the reason in its data where there is one that the message
 * does not give already: "Authorization denied: not today".
 */
export function wordsOf(error: any): string {
	const message = textOr(error?.message) ?? 'an error without words';
	const reason = textOr(error?.data?.reason) ?? '';
	return reason === '' || message.includes(reason) ? message : `${message}: ${reason}`;
}

/** An error of JSON-RPC. */
export function faultOfRpc(error: any, status = 200): HustingsError {
	return new HustingsError({
		message: wordsOf(error),
		status,
		code: String(error?.code ?? 'unknown'),
		gate: textOr(error?.data?.gate),
		retryAfterMs: numberOr(error?.data?._mgp?.retry_after_ms) ?? numberOr(error?.data?.retry_after_ms),
		data: error?.data,
	});
}

/** The status that REST gives to a refusal at that gate. */
const statuses: Record<string, number> = { pace: 429, privilege: 403, sender: 403, size: 413, journal: 507 };

/** A refusal in a room. */
export function faultOfRefusal(event: SystemEvent): HustingsError {
	return new HustingsError({
		message: event.message ?? 'the gateway refused it',
		status: statuses[event.gate ?? ''] ?? 400,
		code: event.code ?? 'refused',
		gate: event.gate,
		retryAfterMs: event.retry_after_ms,
		data: event,
	});
}

/** What this client itself has to say. */
export function ownFault(code: string, message: string, cause?: unknown): HustingsError {
	return new HustingsError({ message, status: 0, code, cause });
}

/** Whatever was thrown, as a fault. */
export function asFault(error: unknown): HustingsError {
	if (error instanceof HustingsError) return error;
	const message = error instanceof Error ? error.message : String(error);
	return ownFault((error as Error)?.name === 'AbortError' ? 'aborted' : 'unreachable', message, error);
}
