// SPDX-License-Identifier: Apache-2.0
/** Room options: what a place in a room is taken with, and what it tells. */

import type { Envelope, Kind, Presence, Privilege, SystemEvent, Welcome } from './records.js';
import type { Closing } from './room_link.js';
import type { OwnTool } from './room_service.js';

/** How a place in a room is taken. */
export interface RoomOptions {
	/** Envelopes from before we came, at most 1000. */
	history?: number;
	/** Everything behind that envelope, before what is said from now on. */
	since?: string;
	/**
	 * False: what we say does not come back. Promises settle when a connection has taken it; what that connection
	 * loses in a break is lost, and a refusal is heard as `error` alone.
	 */
	echo?: boolean;
	/** What others see of us, where our token does not say it. */
	name?: string;
	kind?: Kind;
	/** Beside our other connections: replaces none of them. With `tools`, the others leave requests to this one. */
	beside?: boolean;
	/** Tools of our own, as by serve(). */
	tools?: OwnTool[];
	/** Answers what a participant asks us during a call, such as elicitation/create: the result. */
	onInput?(question: { from: string; method: string; params: any; envelope: Envelope }): any;
	/** Members of our capabilities toward participants. */
	capabilities?: { [name: string]: any };
	signal?: AbortSignal;
}

/** "waiting": until the next try. "closed": for good. */
export type RoomState = 'connecting' | 'open' | 'waiting' | 'closed';

/** What a room tells. What a listener throws is reported, and goes no further. */
export type RoomEvents = {
	/** Everything that arrives, each once; history first. */
	envelope: [envelope: Envelope];
	/** The gateway has let us in; after a break again. */
	welcome: [welcome: Welcome, again: boolean];
	presence: [presence: Presence];
	state: [state: RoomState, why?: Closing];
	/** Something was said that we shall not get: read the history. */
	gap: [event: SystemEvent];
	/** Our own privilege has changed. */
	privilege: [change: { id: string; privilege: Privilege; oldPrivilege: Privilege }];
	/** A proposal was fulfilled, rejected, withdrawn, or has expired. */
	proposal: [event: SystemEvent];
	/** A refusal, also of what a promise tells. */
	error: [event: SystemEvent];
	/** An MCP request to us that neither serve() nor onInput answers: answer() does. */
	request: [envelope: Envelope];
};
