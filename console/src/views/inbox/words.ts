// SPDX-License-Identifier: Apache-2.0
/** Words: what each kind of question is about, and what a yes and a no will do, in plain sentences. */
import type { Decision, DecisionKind, DecisionState } from 'hustings-client';
import { plainLine } from '../../parts/plain';

export const KINDS: Record<DecisionKind, string> = {
	proposal: 'Proposal',
	authorization: 'Authorization',
	call: 'Call',
	permission: 'Permissions',
	callback: 'Question',
	quarantine: 'Changed tool',
	registration: 'New server',
};

export const STATES: Record<DecisionState, string> = {
	pending: 'waits',
	approved: 'approved',
	denied: 'denied',
	expired: 'ended without an answer',
	withdrawn: 'taken back by who asked',
	revoked: 'taken back',
	used: 'approved and used',
};

export const TONES: Record<DecisionState, string> = {
	pending: 'is-warn',
	approved: 'is-good',
	denied: 'is-danger',
	expired: '',
	withdrawn: '',
	revoked: 'is-danger',
	used: 'is-good',
};

export interface Story {
	/** What it is about, in a line. */
	title: string;
	yes: string;
	no: string;
	approve: string;
	deny: string;
	/** An approval may hold for a while. */
	canLast: boolean;
}

const name = (text: string | undefined, otherwise: string) => (text ? plainLine(text, 120) : otherwise);

/** What a proposal asks for: {method, params} of MCP. */
export function wishOf(decision: Decision): { method: string; tool: string | undefined; to: string[] } {
	const payload = decision.arguments?.payload;
	const to = Array.isArray(decision.arguments?.to) ? decision.arguments.to.filter((one: unknown) => typeof one === 'string') : [];
	return {
		method: String(payload?.method ?? 'a request'),
		tool: decision.tool ?? (typeof payload?.params?.name === 'string' ? payload.params.name : undefined),
		to,
	};
}

/** Where the arguments of the call itself stand in the record. */
export function callPath(decision: Decision): string[] {
	if (decision.kind !== 'proposal') return ['arguments'];
	return wishOf(decision).method === 'tools/call' ? ['arguments', 'payload', 'params', 'arguments'] : ['arguments', 'payload', 'params'];
}

export function callWords(decision: Decision): string {
	const tool = name(decision.tool, 'a tool');
	return decision.server ? `${tool} of server ${plainLine(decision.server, 120)}` : tool;
}

export function storyOf(decision: Decision): Story {
	const who = name(decision.requester, 'somebody');
	const server = name(decision.server, 'the server');
	const tool = name(decision.tool, 'the tool');
	const base = { approve: 'Approve', deny: 'Deny', canLast: false };
	switch (decision.kind) {
		case 'proposal': {
			const wish = wishOf(decision);
			const isCall = wish.method === 'tools/call';
			const to = wish.to.length > 0 ? wish.to.map((one) => plainLine(one, 120)).join(', ') : 'the room';
			const what = isCall ? `the call of ${name(wish.tool, 'a tool')}` : plainLine(wish.method, 120);
			return {
				...base,
				title: `${who} proposes ${what} to ${to}`,
				yes: `The gateway sends this ${isCall ? 'call' : 'request'} in your name to ${to} in room ${name(decision.topic, '?')}, once.`,
				no: 'Nothing is sent. The proposal is rejected in its room, with your reason.',
			};
		}
		case 'authorization':
		case 'call':
			return {
				...base,
				canLast: true,
				title: `${who} wants to call ${callWords(decision)}`,
				yes: 'This call runs, once, with exactly these arguments.',
				no: `The call is refused. ${who} hears your reason.`,
			};
		case 'permission':
			return {
				...base,
				canLast: true,
				title: `Server ${server} asks for permissions`,
				approve: 'Grant',
				yes: `Server ${server} starts, and may do what is ticked.`,
				no: `Server ${server} gets none of them. What needs them stays out of use.`,
			};
		case 'callback':
			return {
				...base,
				title: `Server ${server} asks a question about a call of ${who}`,
				approve: 'Answer',
				deny: 'Decline',
				yes: `Server ${server} gets this answer, and goes on with ${decision.tool ? tool : 'the call'}.`,
				no: `Server ${server} hears that nobody wants to answer.`,
			};
		case 'quarantine':
			return {
				...base,
				title: `The definition of ${tool} of server ${server} has changed`,
				yes: 'This definition counts from now on, and the tool can be used again.',
				no: 'The tool stays out of use for as long as its definition is this one.',
			};
		case 'registration':
			return {
				...base,
				title: `${who} brings a new server: ${server}`,
				yes: `The gateway runs this server from now on, and ${who} may use it.`,
				no: 'Nothing is run.',
			};
	}
}

/** What was settled, and by whom: "approved by bob". */
export function settledWords(decision: Decision): string {
	const by = decision.decidedBy ? ` by ${plainLine(decision.decidedBy, 120)}` : '';
	if (decision.state === 'used' && decision.decidedBy) return `approved${by}`;
	return decision.state === 'used' ? 'settled in its room' : `${STATES[decision.state]}${by}`;
}
