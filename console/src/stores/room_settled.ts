// SPDX-License-Identifier: Apache-2.0
/** Room settled: proposals and questions of tools, from their first envelope to who settled them. */
import type { Envelope, McpMessage } from 'hustings-client';
import { toolOf } from './room_calls';
import type { AskFacts, Item, ProposalFacts } from './room_items';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export function beginProposal(envelope: Envelope): ProposalFacts {
	const { method, params, reason } = envelope.payload ?? {};
	return {
		id: envelope.id,
		from: envelope.from,
		to: envelope.to?.[0] ?? '',
		method: String(method),
		...toolOf(method, params),
		params,
		reason: textOf(reason),
		state: 'pending',
		envelopes: [envelope],
	};
}

/** The call among the last ones that is what was proposed, made without naming it by whoever is said to have fulfilled it. */
export function fulfilmentOf(proposal: ProposalFacts, items: Item[], lookBack: number) {
	const wish = JSON.stringify(proposal.args);
	for (let at = items.length - 1; at >= Math.max(0, items.length - lookBack); at -= 1) {
		const one = items[at]!;
		if (one.sort !== 'call' || one.from !== proposal.by) continue;
		const { call } = one;
		const isSame = call.method === proposal.method && call.to === proposal.to && call.tool === proposal.tool;
		if (isSame && JSON.stringify(call.args) === wish) return one;
	}
	return undefined;
}

export function beginAsk(envelope: Envelope, id: string, params: any): AskFacts {
	return {
		id,
		owner: envelope.from,
		requester: textOf(params.requester),
		tool: textOf(params.tool),
		message: textOf(params.reason),
		args: params.arguments,
		until: textOf(params.expiresAt),
		state: 'open',
		envelopes: [envelope],
	};
}

/** Somebody answers it, or takes the answer back. */
export function answerAsk(ask: AskFacts, { from }: Envelope, method: string, params: any): void {
	const said = { by: from, why: textOf(params.reason) };
	const isWord = params.decision === 'approve' || params.decision === 'deny';
	if (method.includes('revoke')) Object.assign(ask, { state: 'revoked', ...said });
	else if (isWord && from !== ask.requester && ask.state === 'open')
		Object.assign(ask, { state: params.decision === 'approve' ? 'granted' : 'denied', ...said });
}

/** What its owner did not take has decided nothing. */
export function refuseAnswer(ask: AskFacts, envelope: Envelope, { error }: McpMessage): void {
	if (error && envelope.from === ask.owner && envelope.to?.[0] === ask.by) Object.assign(ask, { state: 'open', by: undefined, why: undefined });
}
