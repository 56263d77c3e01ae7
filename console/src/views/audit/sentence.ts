// SPDX-License-Identifier: Apache-2.0
/** Sentence: a record of the trail as people would say it; its parts that can be filtered by are chips, the rest are words. */
import type { AuditRecord } from 'hustings-client';
import { plainLine } from '../../parts/plain';
import { spanWords } from '../../parts/moment';
import type { FilterName } from './filter';

export interface Chip {
	name: FilterName;
	value: string;
	words: string;
}
export type Piece = string | Chip;

const WORDS_MOST = 240;

function chip(name: FilterName, value: string | undefined, missing = ''): Piece {
	return value ? { name, value, words: plainLine(value, 80) } : missing;
}

const who = (record: AuditRecord): Piece => chip('actor', record.actor, 'the gateway');
const server = (record: AuditRecord): Piece => chip('server', record.server_id, 'a server');
const target = (record: AuditRecord): Piece => chip('actor', record.target, 'somebody');

/** "read_file of files", as far as it is known. */
function tool(record: AuditRecord): Piece[] {
	if (!record.tool_name) return [server(record)];
	return record.server_id ? [chip('tool', record.tool_name), ' of ', server(record)] : [chip('tool', record.tool_name)];
}

function room(record: AuditRecord, before = ' in '): Piece[] {
	return record.topic ? [before, chip('topic', record.topic)] : [];
}

function text(words: unknown, before: string): Piece[] {
	const line = typeof words === 'string' ? plainLine(words, WORDS_MOST) : '';
	return line === '' ? [] : [`${before}${line}`];
}

export function tookWords(ms: unknown): string {
	if (typeof ms !== 'number' || !Number.isFinite(ms)) return '';
	return ms < 1000 ? `${Math.round(ms)} ms` : ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : spanWords(ms / 1000);
}

const SESSIONS: Record<string, string> = {
	signed_in: 'signed in to the console',
	signed_out: 'signed out of the console',
	refused: 'could not sign in to the console',
};

function session(record: AuditRecord): Piece[] {
	return [record.actor ? who(record) : 'somebody', ` ${SESSIONS[record.result] ?? `${record.result} a session of the console`}`];
}

const ENDS: Record<string, string> = { SUCCESS: 'it worked', FAILED: 'it failed', CANCELLED: 'it was given up' };

function executed(record: AuditRecord): Piece[] {
	const took = tookWords(record.details?.duration_ms);
	return [who(record), ' called ', ...tool(record), ...room(record), `: ${ENDS[record.result] ?? record.result.toLowerCase()}${took && ` after ${took}`}`];
}

function blocked(record: AuditRecord): Piece[] {
	return [
		who(record),
		' was refused ',
		...tool(record),
		...room(record),
		...(record.gate ? [' at the gate ', chip('gate', record.gate)] : []),
		...text(record.details?.reason, ': '),
	];
}

function decision(record: AuditRecord): Piece[] {
	const what = record.tool_name || record.server_id ? [' ', ...tool(record)] : [];
	const kind = plainLine(String(record.details?.kind ?? 'a question'), 40);
	const requester =
		typeof record.details?.requester === 'string' && record.details.requester !== record.actor ? [' for ', chip('actor', record.details.requester)] : [];
	const verb: Record<string, string> = {
		opened: 'asked for a decision about',
		approved: 'approved',
		denied: 'denied',
		expired: 'let expire',
		withdrawn: 'took back',
		revoked: 'revoked',
		used: 'used the approval of',
	};
	return [
		who(record),
		` ${verb[record.result] ?? `decided (${record.result})`}`,
		...(what.length ? what : [` ${kind}`]),
		...requester,
		...room(record),
		...text(record.detail, ': '),
	];
}

const fixed =
	(words: string, more: (record: AuditRecord) => Piece[]) =>
	(record: AuditRecord): Piece[] => [who(record), ` ${words} `, ...more(record)];
const reasonOf = (record: AuditRecord) => text(record.details?.reason ?? record.detail, ': ');

const TOLD: Record<string, (record: AuditRecord) => Piece[]> = {
	TOOL_EXECUTED: executed,
	TOOL_BLOCKED: blocked,
	VALIDATION_FAILED: (record) => [who(record), ' sent arguments that ', ...tool(record), ' does not take', ...reasonOf(record)],
	CODE_REJECTED: (record) => [who(record), ' sent code that ', ...tool(record), ' may not run', ...reasonOf(record)],
	SERVER_CONNECTED: (record) => [server(record), ' is connected'],
	SERVER_DISCONNECTED: (record) => [server(record), record.result === 'FAILED' ? ' has failed' : ' is gone', ...reasonOf(record)],
	ACCESS_GRANTED: fixed('gave', (record) => [target(record), ' the use of ', ...tool(record)]),
	ACCESS_REVOKED: fixed('took the use of', (record) => [...tool(record), ' from ', target(record)]),
	PERMISSION_GRANTED: fixed('granted', (record) => [
		server(record),
		` the permission ${plainLine(String(record.target ?? record.details?.permission ?? ''), 80)}`,
	]),
	PERMISSION_DENIED: fixed('denied', (record) => [
		server(record),
		` the permission ${plainLine(String(record.target ?? record.details?.permission ?? ''), 80)}`,
	]),
	PERMISSION_REVOKED: fixed('took from', (record) => [
		server(record),
		` the permission ${plainLine(String(record.target ?? record.details?.permission ?? ''), 80)}`,
	]),
	'dev.hustings.decision': decision,
	'dev.hustings.approval_asked': fixed("needs a person's yes for", tool),
	'dev.hustings.approval_answered': (record) => [
		record.actor && record.actor !== record.target ? who(record) : 'time',
		` said ${record.result === 'SUCCESS' ? 'yes' : 'no'} to `,
		target(record),
		' for ',
		...tool(record),
	],
	'dev.hustings.callback_asked': (record) => [server(record), ' asked something while ', who(record), ' called ', ...tool(record)],
	'dev.hustings.callback_answered': fixed('answered what was asked during', tool),
	'dev.hustings.parameters_asked': fixed('was asked for what is missing to call', tool),
	'dev.hustings.parameters_answered': fixed('answered what was missing to call', tool),
	'dev.hustings.tool_retried': (record) => [
		...tool(record),
		` is asked once more for `,
		who(record),
		...(record.details?.fallback_tool ? [', as ', chip('tool', String(record.details.fallback_tool))] : []),
	],
	'dev.hustings.tool_quarantined': (record) => [...tool(record), ' has changed its definition, and is held back'],
	'dev.hustings.envelope_refused': (record) => [
		who(record),
		' was refused at the gate ',
		chip('gate', record.gate, '?'),
		...room(record),
		...text(record.detail, ': '),
	],
	'dev.hustings.call_refused': (record) => [
		who(record),
		' was refused',
		...(record.target ? [' ', chip('server', record.target)] : []),
		...text(record.detail, ': '),
	],
	'dev.hustings.participant_joined': (record) => [who(record), ' joined', ...room(record, ' '), ` with ${record.result} privilege`],
	'dev.hustings.participant_left': (record) => [who(record), ' left', ...room(record, ' '), ...text(record.detail, ': ')],
	'dev.hustings.proposal_changed': (record) => [who(record), ` ${record.result === 'pending' ? 'made' : record.result} a proposal`, ...room(record), ...text(record.detail, ': ')],
	'dev.hustings.privilege_changed': fixed('made', (record) => [target(record), ` ${record.result}`, ...room(record)]),
	'dev.hustings.token_changed': (record) => [who(record), ` ${record.result} a token of `, target(record)],
	'dev.hustings.session_changed': session,
	'dev.hustings.server_changed': (record) => [who(record), ` ${record.result} the server `, chip('server', record.target, '?'), ...text(record.detail, ': ')],
	'dev.hustings.flow_started': fixed('began a guided session of', tool),
	'dev.hustings.flow_refused': (record) => [who(record), ' was refused a guided session of ', ...tool(record), ...reasonOf(record)],
};

/** The name of a kind of event, as words. */
export function eventWords(type: string): string {
	return plainLine(type, 80)
		.replace(/^dev\.hustings\./, '')
		.replace(/[._]/g, ' ')
		.toLowerCase();
}

/** What nothing is known of but its members. */
function other(record: AuditRecord): Piece[] {
	return [
		...(record.actor ? [who(record), ': '] : []),
		eventWords(record.event_type),
		...(record.server_id || record.tool_name ? [' of ', ...tool(record)] : []),
		...(record.target ? [', ', plainLine(record.target, 80)] : []),
		...room(record),
		...reasonOf(record),
	];
}

export function sentence(record: AuditRecord): Piece[] {
	return (TOLD[record.event_type] ?? other)(record).filter((piece) => piece !== '');
}

export function sentenceText(record: AuditRecord): string {
	return sentence(record)
		.map((piece) => (typeof piece === 'string' ? piece : piece.words))
		.join('');
}

export type Tone = 'good' | 'danger' | 'warn' | 'plain';

const BAD = /^(FAILED|failed|webhook_failed)$/;
const STOPPED = /^(BLOCKED|refused|denied|rejected|expired|revoked|privilege_violation|CANCELLED|PENDING|RETRIED)$/;

export function toneOf(record: AuditRecord): Tone {
	if (BAD.test(record.result)) return 'danger';
	if (STOPPED.test(record.result) || record.gate || record.event_type.endsWith('_refused')) return 'warn';
	return record.event_type === 'TOOL_EXECUTED' || record.event_type === 'SERVER_CONNECTED' ? 'good' : 'plain';
}

/** Everything of a record that free text may be found in. */
export function textOf(record: AuditRecord): string {
	return `${sentenceText(record)} ${JSON.stringify(record)}`.toLowerCase();
}
