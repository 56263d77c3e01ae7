// SPDX-License-Identifier: Apache-2.0
/** Lines: an envelope or an audit record in one sentence; null: too small to tell here. */
import type { AuditRecord, Envelope } from 'hustings-client';
import { plain } from '../../parts/plain';
import { to } from '../../stores/route';

export interface Line {
	key: string;
	ts: string;
	sort: 'chat' | 'call' | 'proposal' | 'refusal' | 'server' | 'decision' | 'access' | 'other';
	who: string;
	words: string;
	where?: string;
	href: string;
	/** So often, where the same was told again and again. */
	times?: number;
}

const WORDS = 140;

/** Markdown's signs are for where it is rendered; one line is read without them. */
function spoken(payload: any): string {
	if (payload.format !== 'markdown') return payload.text;
	const line = payload.text.slice(0, 10 * WORDS).replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');
	return line.replace(/[*_`#>~|]+/g, '').replace(/^\s*([-+]|\d+\.)\s+/gm, '');
}

function short(text: string): string {
	const line = plain(text).replace(/\s+/g, ' ').trim();
	return line.length > WORDS ? `${line.slice(0, WORDS)} …` : line;
}

function wish(payload: any): string {
	const name = payload?.params?.name;
	return payload?.method === 'tools/call' && typeof name === 'string' ? name : String(payload?.method ?? 'something');
}

/** As the inbox says it. */
function proposedWords(payload: any): string {
	return payload?.method === 'tools/call' ? `the call of ${wish(payload)}` : wish(payload);
}

export function roomLine(topic: string, envelope: Envelope): Line | null {
	const line = { key: envelope.id, ts: envelope.ts, who: plain(envelope.from), where: topic, href: `${to('room', topic)}?at=${encodeURIComponent(envelope.id)}` };
	const target = envelope.to?.map(plain).join(', ');
	if (envelope.kind === 'chat' && typeof envelope.payload?.text === 'string')
		return { ...line, sort: 'chat', words: short(spoken(envelope.payload)) };
	if (envelope.kind === 'mcp/proposal')
		return { ...line, sort: 'proposal', words: short(`proposes ${proposedWords(envelope.payload)} to ${target || 'the room'}`) };
	if (envelope.kind === 'mcp' && envelope.payload?.method === 'tools/call')
		return { ...line, sort: 'call', words: short(`called ${wish(envelope.payload)}${target ? ` of ${target}` : ''}`) };
	return null;
}

/** By its public name, which says nothing to people, or all of somebody. */
function revokedWords(target: string | undefined): string {
	return target === undefined || /^t_[0-9a-f]{16}$/.test(target) ? 'revoked a token' : `revoked the tokens of ${target}`;
}

/** The records that say something by themselves; what rooms tell already, and each step of a call, is left out. */
const TOLD: Record<string, (record: AuditRecord) => { sort: Line['sort']; words: string } | null> = {
	SERVER_CONNECTED: (record) => ({ sort: 'server', words: `server ${record.server_id} is connected` }),
	SERVER_DISCONNECTED: (record) => ({ sort: 'server', words: `server ${record.server_id} is gone${record.detail ? `: ${record.detail}` : ''}` }),
	ACCESS_GRANTED: (record) => ({ sort: 'access', words: `gave ${record.target} the use of ${record.server_id}` }),
	ACCESS_REVOKED: (record) => ({ sort: 'access', words: `took the use of ${record.server_id} from ${record.target}` }),
	TOOL_EXECUTED: (record) => ({ sort: 'call', words: `called ${record.tool_name} of ${record.server_id}: ${record.result.toLowerCase()}` }),
	TOOL_BLOCKED: (record) => ({ sort: 'refusal', words: `was refused ${record.tool_name} of ${record.server_id}${record.gate ? ` at gate ${record.gate}` : ''}` }),
	PERMISSION_GRANTED: (record) => ({ sort: 'decision', words: `granted ${record.server_id} a permission` }),
	PERMISSION_DENIED: (record) => ({ sort: 'decision', words: `denied ${record.server_id} a permission` }),
	'dev.hustings.decision': (record) => (record.result === 'opened' ? null : { sort: 'decision', words: `${record.result} ${record.tool_name ?? record.target}${record.details?.requester ? ` for ${record.details.requester}` : ''}` }),
	'dev.hustings.envelope_refused': (record) => ({ sort: 'refusal', words: `was refused at gate ${record.gate}: ${record.detail ?? record.result}` }),
	'dev.hustings.participant_joined': (record) => ({ sort: 'other', words: `joined ${record.topic}` }),
	'dev.hustings.token_changed': (record) => (record.result === 'revoked' ? { sort: 'access', words: revokedWords(record.target) } : null),
	'dev.hustings.privilege_changed': (record) => ({ sort: 'access', words: `made ${record.target} ${record.result}` }),
};

export function auditLine(record: AuditRecord): Line | null {
	const told = TOLD[record.event_type]?.(record);
	if (!told) return null;
	const href = record.trace_id ? to('audit', 'trace', record.trace_id) : to('audit');
	return { key: `audit-${record.row}`, ts: record.ts, who: plain(record.actor ?? 'the gateway'), href, sort: told.sort, words: short(told.words) };
}

/** The newest first; what somebody does again and again is one line, so that it does not push away everything else. */
export function newest(lines: readonly Line[], most: number): Line[] {
	const shown = new Map<string, Line>();
	for (const line of [...lines].sort((one, other) => other.ts.localeCompare(one.ts))) {
		const isTold = line.sort === 'chat' || line.sort === 'proposal';
		const same = isTold ? line.key : [line.sort, line.who, line.words, line.where].join('\n');
		const known = shown.get(same);
		if (known) known.times = (known.times ?? 1) + 1;
		else if (shown.size < most) shown.set(same, { ...line });
	}
	return [...shown.values()];
}
