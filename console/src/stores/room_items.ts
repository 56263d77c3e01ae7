// SPDX-License-Identifier: Apache-2.0
/** Room items: what a room shows, one per line of its list. Items are changed in place; `rev` counts the changes. */
import type { Envelope, Participant, Privilege, SystemEvent } from 'hustings-client';

export type CallState = 'running' | 'waiting' | 'done' | 'error' | 'refused' | 'cancelled';

export interface CallProgress {
	progress?: number | undefined;
	total?: number | undefined;
	message?: string | undefined;
}

/** One MCP request between participants, with everything that belongs to it. */
export interface Call {
	/** The id of the request's envelope. */
	id: string;
	/** The JSON-RPC id, as JSON. */
	rpc: string;
	from: string;
	to: string;
	method: string;
	tool?: string | undefined;
	/** The tool's arguments; of other methods, the params. */
	args: unknown;
	state: CallState;
	startedAt: number;
	endedAt?: number;
	progress?: CallProgress;
	/** What came in parts, joined; bounded. */
	streamed: string;
	chunks: number;
	result?: any;
	error?: { code: number | string; message: string; data?: any };
	/** What the request is about, such as a proposal. */
	about?: string | undefined;
	envelopes: Envelope[];
	/** So many more envelopes belong to it than are kept. */
	leftOut: number;
}

export type ProposalState = 'pending' | 'fulfilled' | 'rejected' | 'withdrawn' | 'expired';

export interface ProposalFacts {
	id: string;
	from: string;
	to: string;
	method: string;
	tool?: string | undefined;
	args: unknown;
	params: unknown;
	reason?: string | undefined;
	state: ProposalState;
	by?: string | undefined;
	why?: string | undefined;
	call?: Call;
	envelopes: Envelope[];
}

/** A tool's question whether a call may run (MCPx ADR-001). */
export interface AskFacts {
	id: string;
	owner: string;
	requester?: string | undefined;
	tool?: string | undefined;
	message?: string | undefined;
	args: unknown;
	until?: string | undefined;
	state: 'open' | 'granted' | 'denied' | 'revoked';
	by?: string | undefined;
	why?: string | undefined;
	envelopes: Envelope[];
}

interface Base {
	key: string;
	at: number;
	rev: number;
	from: string;
	ids: string[];
	weight: number;
}

export interface ChatItem extends Base {
	sort: 'chat';
	to?: string[] | undefined;
	text: string;
	format: 'plain' | 'markdown';
	envelope: Envelope;
}
export interface CallItem extends Base {
	sort: 'call';
	call: Call;
}
export interface ProposalItem extends Base {
	sort: 'proposal';
	proposal: ProposalFacts;
}
export interface AskItem extends Base {
	sort: 'ask';
	ask: AskFacts;
}
export interface RefusalItem extends Base {
	sort: 'refusal';
	message: string;
	gate?: string | undefined;
	code: string;
	about?: string | undefined;
	envelope: Envelope;
}
export interface PresenceItem extends Base {
	sort: 'presence';
	moves: { event: 'join' | 'leave'; who: Participant }[];
}
export interface NoteItem extends Base {
	sort: 'note';
	words: string;
	/** The last of those that said it. */
	envelope: Envelope;
	/** So often, one behind the other. */
	times?: number;
	privilege?: Privilege;
}

export type Item = ChatItem | CallItem | ProposalItem | AskItem | RefusalItem | PresenceItem | NoteItem;

/** Handshakes and lists: calls that matter to programs only, shown small. */
const QUIET =
	/^(initialize|ping|capabilities|server\/discover|logging\/setLevel|completion\/complete|subscriptions\/.*|(tools|resources|prompts|roots)(\/templates)?\/list)$/;

export function isQuiet(item: Item): boolean {
	return item.sort === 'presence' || item.sort === 'note' || (item.sort === 'call' && QUIET.test(item.call.method));
}

const NEWS: Record<string, string> = {
	'notifications/tools/list_changed': 'offers other tools now',
	'notifications/prompts/list_changed': 'offers other prompts now',
	'notifications/resources/list_changed': 'offers other resources now',
	'notifications/resources/updated': 'has changed a resource',
	'notifications/roots/list_changed': 'works in other folders now',
	'notifications/initialized': 'has introduced itself',
	'notifications/cancelled': 'has given up on a request that is not shown',
	'notifications/progress': 'tells how far a request is that is not shown',
};

/** What a notification that belongs to no call here says. */
export function noticeWords(method: string): string {
	return NEWS[method] ?? `tells of ${method.replace(/^notifications\//, '')}`;
}

export function eventWords(event: SystemEvent): string {
	const { participant } = event;
	if (event.event === 'privilege') return `${participant?.id ?? 'somebody'} is ${participant?.privilege ?? 'changed'} now`;
	if (event.event === 'gap') return 'Some of what was said meanwhile is not here';
	return event.message ?? event.event;
}
