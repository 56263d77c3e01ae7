// SPDX-License-Identifier: Apache-2.0
/** Room calls: how one call changes with each envelope that is about it. What a call keeps is bounded. */
import { wordsOf, type Envelope, type McpMessage } from 'hustings-client';
import type { Call } from './room_items';

const ENVELOPES = 200;
const STREAMED = 256 * 1024;

/** What is called, and with what, of a method and its params. */
export function toolOf(method: unknown, params: any): { tool?: string | undefined; args: unknown } {
	if (method === 'tools/call' && typeof params?.name === 'string') return { tool: params.name, args: params.arguments ?? {} };
	return { args: params };
}

export function isAnswer(message: McpMessage | undefined): boolean {
	return message !== null && typeof message === 'object' && message.method === undefined && (message.result !== undefined || message.error !== undefined);
}

export function beginCall(envelope: Envelope, now: number): Call {
	const { method, params, id } = envelope.payload as McpMessage;
	return {
		id: envelope.id,
		rpc: JSON.stringify(id),
		from: envelope.from,
		to: envelope.to?.[0] ?? '',
		method: String(method),
		...toolOf(method, params),
		state: 'running',
		startedAt: now || Date.now(),
		streamed: '',
		chunks: 0,
		about: envelope.correlation_id,
		envelopes: [envelope],
		leftOut: 0,
	};
}

/** How a call is named by those who do not name its envelope. */
export function tokensOf(call: Call): string[] {
	const token = call.envelopes[0]?.payload?.params?._meta?.progressToken;
	const names = token === undefined ? [call.rpc] : [call.rpc, JSON.stringify(token)];
	return names.map((name) => `${call.from}\n${call.to}\n${name}`);
}

/** The last ones matter most: the answer is kept whatever came before it. */
export function takeEnvelope(call: Call, envelope: Envelope): void {
	call.envelopes.push(envelope);
	if (call.envelopes.length <= ENVELOPES) return;
	call.envelopes.splice(ENVELOPES / 2, 1);
	call.leftOut += 1;
}

/** `whole`: what the progress is out of, where the message does not say (MGP counts to 1). */
export function progressOf(call: Call, params: any, whole?: number): void {
	const numberOf = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
	call.progress = {
		progress: numberOf(params?.progress),
		total: numberOf(params?.total) ?? whole,
		message: typeof params?.message === 'string' ? params.message : call.progress?.message,
	};
}

export function chunkOf(call: Call, params: any): void {
	call.chunks += 1;
	const content = params?.content ?? params?.chunk;
	const text =
		typeof content === 'string' ? content : typeof content?.text === 'string' ? content.text : content === undefined ? '' : `${JSON.stringify(content)}\n`;
	if (call.streamed.length < STREAMED) call.streamed += text.slice(0, STREAMED - call.streamed.length);
}

export function cancelCall(call: Call, reason: unknown, now: number): void {
	if (call.state !== 'running' && call.state !== 'waiting') return;
	call.state = 'cancelled';
	call.endedAt = now || Date.now();
	call.error = { code: 'cancelled', message: typeof reason === 'string' && reason !== '' ? reason : 'The caller has given up.' };
}

export function settleCall(call: Call, { result, error }: Pick<McpMessage, 'result' | 'error'>, isGateway: boolean, now: number): void {
	const isOver = call.state !== 'running' && call.state !== 'waiting';
	if (isOver && call.state !== 'cancelled') return;
	if (error && error.code === -32001 && error.data?.authorizationRequest !== undefined) {
		call.state = 'waiting';
		call.progress = { message: 'waits for somebody to allow it' };
		return;
	}
	if (isOver) return; /* an answer behind a cancel changes nothing */
	call.endedAt = now || Date.now();
	if (error) {
		const type = error.data?.type;
		call.error = { code: error.code, message: wordsOf(error), data: error.data };
		call.state = isGateway || error.code === -32002 || type === 'privilege_violation' || /denied|refused/.test(String(type ?? '')) ? 'refused' : 'error';
		return;
	}
	call.result = result;
	call.state = result?.isError === true ? 'error' : 'done';
}
