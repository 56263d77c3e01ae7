// SPDX-License-Identifier: Apache-2.0
/**
 * Records: what travels, as the gateway writes it (MCPx v0.1 2, 3; MGP 6; docs/operating.md). Names are those on the
 * wire.
 */

import type { HustingsError } from './fault.js';

export type Privilege = 'full' | 'restricted';
export type Kind = 'human' | 'agent' | 'robot';
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Participant {
	id: string;
	name?: string;
	kind?: Kind;
	privilege?: Privilege;
	mcp?: { version: string };
	connectedAt?: string;
}

/** A JSON-RPC message inside an envelope of kind "mcp". */
export interface McpMessage {
	jsonrpc: '2.0';
	id?: string | number | null;
	method?: string;
	params?: any;
	result?: any;
	error?: { code: number; message: string; data?: any };
}

export interface Envelope {
	protocol: string;
	id: string;
	ts: string;
	from: string;
	to?: string[];
	kind: 'mcp' | 'mcp/proposal' | 'chat' | 'presence' | 'system';
	correlation_id?: string;
	payload: any;
}

/** An envelope to be sent: what is missing is filled in. */
export type EnvelopeWish = Partial<Envelope> & Pick<Envelope, 'kind' | 'payload'>;

/** What is said by REST: the gateway fills in what is missing. */
export interface Message {
	kind: 'mcp' | 'mcp/proposal' | 'chat';
	payload: any;
	to?: string[];
	correlation_id?: string;
	[member: string]: any;
}

/** What the gateway tells in a room by itself, in payloads of kind "system". */
export interface SystemEvent {
	event: string;
	code?: string;
	message?: string;
	gate?: string;
	retry_after_ms?: number;
	[member: string]: any;
}

export interface Welcome {
	participant: Participant;
	participants: Participant[];
	participants_total?: number;
	history?: { enabled: boolean; limit?: number; envelopes?: Envelope[] };
}

/** A payload of kind "presence". */
export interface Presence {
	event: 'join' | 'leave' | 'heartbeat';
	participant: Participant;
}

export interface Topic {
	topic: string;
	participants: number;
}

export interface Proposal {
	proposalId: string;
	proposer: string;
	target: string;
	to: string[];
	method: string;
	params?: any;
	payload: McpMessage;
	status: 'pending' | 'fulfilled' | 'rejected' | 'withdrawn' | 'expired';
	createdAt: string;
	expiresAt: string;
	settledBy?: string;
	reason?: string;
}

export type DecisionKind =
	'proposal' | 'authorization' | 'permission' | 'callback' | 'quarantine' | 'registration' | 'call';
export type DecisionState = 'pending' | 'approved' | 'denied' | 'expired' | 'withdrawn' | 'revoked' | 'used';

/** One question to a human, whatever asked it. */
export interface Decision {
	id: string;
	kind: DecisionKind;
	state: DecisionState;
	requester: string;
	server?: string;
	tool?: string;
	topic?: string;
	message: string;
	arguments: any;
	digest: string;
	deciders: string[];
	createdAt: string;
	expiresAt: string;
	answer?: any;
	decidedBy?: string;
	decidedAt?: string;
	reason?: string;
	validUntil?: string;
	[member: string]: any;
}

/** What became of a call that somebody was asked about; what was handed out stands where the call was made. */
export interface CallOutcome {
	decision: string;
	/** Open: nobody has decided; nothing: it was a no; waiting: for who asked to come again; unknown: no end of it is found. */
	state: 'open' | 'nothing' | 'waiting' | 'running' | 'done' | 'failed' | 'refused' | 'unknown';
	/** Of one that has ended, as the audit trail has it; "took" includes the waiting. */
	at?: string;
	result?: string;
	trace?: string;
	took_ms?: number;
	/** Where it was refused, and why. */
	gate?: string;
	reason?: string;
}

export interface Answer {
	decision: 'approve' | 'deny';
	reason?: string;
	/** A time (RFC 3339) or a span ("1h"). */
	validUntil?: string;
	/** Of permissions: those that are granted; the others are denied. */
	only?: string[];
	/** Of callbacks: what is answered. */
	answer?: Json;
}

export interface ServerRecord {
	id: string;
	transport: string;
	command?: string;
	args?: string[];
	url?: string;
	share?: string;
	rooms?: string[];
	from: 'configuration' | 'added';
	state: string;
	health?: string;
	/** Of the state, ISO. */
	since?: string;
	reason?: string;
	eras: string[];
	name?: string;
	mcp?: string;
	tools?: number;
	restarts: number;
	conversations: number;
	calls: number;
	pid?: number;
	trust_level?: string;
	policy?: string;
	default_policy?: string;
	extensions?: string[];
	permissions?: { permission: string; state: string; by?: string; at?: string; expires_at?: string }[];
	decision?: string;
	[member: string]: any;
}

export interface TokenRecord {
	tokenId: string;
	id: string;
	name?: string;
	kind?: Kind;
	privilege?: Privilege;
	topics?: string[];
	admin: boolean;
	createdAt: string;
	expiresAt: string | null;
	status: 'active' | 'expired' | 'revoked';
	session?: boolean;
	parent?: string;
}

/** What a new token is to be. Without topics it holds for all of them, without a privilege it takes the default. */
export interface TokenWish {
	id: string;
	name?: string;
	kind?: Kind;
	privilege?: Privilege;
	topics?: string[];
	admin?: boolean;
	/** "24h", or seconds. */
	ttl?: string | number;
	mcp?: string;
	protocol?: string;
}

export type NewToken = TokenRecord & { token: string };

/** A server that is added: a command or a url, and more by the names of [[servers]]. */
export interface ServerWish {
	id: string;
	command?: string;
	args?: string[];
	url?: string;
	rooms?: string[];
	[member: string]: any;
}

export interface Grant {
	entry_type: 'server_grant' | 'tool_grant' | string;
	agent_id: string;
	server_id: string;
	tool_name: string | null;
	permission: 'allow' | 'deny';
	granted_by?: string;
	granted_at?: string;
	justification?: string | null;
	expires_at?: string | null;
}

export interface AuditRecord {
	row: number;
	ts: string;
	event: string;
	event_type: string;
	actor?: string;
	actor_type?: string;
	target?: string;
	topic?: string;
	gate?: string;
	result: string;
	detail?: string;
	details?: any;
	trace_id?: string;
	server_id?: string;
	tool_name?: string;
	count: number;
	[member: string]: any;
}

/** Which records: times are RFC 3339, or spans back from now ("1h"). */
export interface AuditFilter {
	since?: string;
	until?: string;
	actor?: string;
	event?: string;
	trace?: string;
	server?: string;
	tool?: string;
	topic?: string;
	/** Refused at that gate. */
	gate?: string;
	result?: string;
	/** "kernel", "claimed", or "server:ID". */
	source?: string;
}

export interface AuditListener {
	record(record: AuditRecord): void;
	/** That many were not told, because we were too slow. */
	missed?(count: number): void;
	state?(state: 'live' | 'waiting' | 'ended', why?: HustingsError): void;
	signal?: AbortSignal;
}

/** Counts of the trail: rows, events (some rows count many), and by type, actor, server and hour the most frequent. */
export interface AuditStatistics {
	records: number;
	count: number;
	by: { [by: string]: { key: string; count: number }[] };
	/** What those lists leave out. */
	other: { [by: string]: number };
}

export interface Tool {
	name: string;
	title?: string;
	description?: string;
	inputSchema: any;
	outputSchema?: any;
	annotations?: {
		readOnlyHint?: boolean;
		destructiveHint?: boolean;
		idempotentHint?: boolean;
		openWorldHint?: boolean;
		title?: string;
	};
	security?: { risk_level?: string; permissions_required?: string[]; validator?: string };
	[member: string]: any;
}

/** A tool that a search has found (MGP 16.4). */
export interface FoundTool extends Tool {
	server_id: string;
	/** Up to 1. */
	relevance_score: number;
	/** Its name for tools/call at the face that was asked. */
	call_name: string;
	/** What its definition costs in a model's context, by estimate. */
	tokens?: number;
}

export interface FoundTools {
	tools: FoundTool[];
	/** How many there are that may be used and pass the filter. */
	total_available?: number;
	/** Not all that fit are there: `left_out` names them. */
	truncated?: boolean;
	left_out?: any;
	query_time_ms?: number;
	[figure: string]: any;
}

/** A prompt of a guided session (MCP Flow 0.1.0). */
export interface Prompt {
	type: 'text' | 'choice' | 'confirm' | 'number' | 'date' | 'file' | 'custom';
	message: string;
	name?: string;
	promptId?: string;
	placeholder?: string;
	defaultValue?: Json;
	choices?: { value: Json; label: string; description?: string; disabled?: boolean }[];
	validation?: {
		required?: boolean;
		min?: number;
		max?: number;
		minLength?: number;
		maxLength?: number;
		pattern?: string;
		[rule: string]: any;
	};
	schema?: any;
	[member: string]: any;
}

export interface FlowState {
	sessionId: string;
	state: 'idle' | 'active' | 'waiting_user' | 'processing' | 'completed' | 'cancelled' | 'error' | string;
	currentPrompt?: Prompt;
	progress?: { current: number; total: number; message?: string };
	history?: { prompt: Prompt; response: any; timestamp: number }[];
	accumulatedData?: any;
	/** Of one that is over: what became of it; in state "error", what went wrong. */
	summary?: string;
	metadata?: any;
	[member: string]: any;
}

/** Who somebody is at the gateway (GET /v0/session). */
export interface Session {
	id: string;
	name?: string;
	kind?: Kind;
	admin: boolean;
	privilege?: Privilege;
	/** None: all of them. */
	topics?: string[];
	/** Open mode: nobody has to sign in. */
	open: boolean;
	/** By the browser's cookie, which signOut() ends. */
	session?: boolean;
	/** When it ends by itself; null: never. */
	expires?: string | null;
}
