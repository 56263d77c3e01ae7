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
}

const WORDS = 140;

/** Markdown's signs are for where it is rendered; one line is read without them. */
function spoken(payload: any): string {
	return payload.format === 'markdown' ? payload.text.replace(/[*_`#>~|]+/g, '') : payload.text;
}

function short(text: string): string {
	const line = plain(text).replace(/\s+/g, ' ').trim();
	return line.length > WORDS ? `${line.slice(0, WORDS)} …` : line;
}

function wish(payload: any): string {
	const name = payload?.params?.name;
	return payload?.method === 'tools/call' && typeof name === 'string' ? name : String(payload?.method ?? 'something');
}

export function roomLine(topic: string, envelope: Envelope): Line | null {
	const line = { key: envelope.id, ts: envelope.ts, who: plain(envelope.from), where: topic, href: `${to('room', topic)}?at=${encodeURIComponent(envelope.id)}` };
	const target = envelope.to?.map(plain).join(', ');
	if (envelope.kind === 'chat' && typeof envelope.payload?.text === 'string')
		return { ...line, sort: 'chat', words: short(spoken(envelope.payload)) };
	if (envelope.kind === 'mcp/proposal')
		return { ...line, sort: 'proposal', words: short(`proposed ${wish(envelope.payload)}${target ? ` to ${target}` : ''}`) };
	if (envelope.kind === 'mcp' && envelope.payload?.method === 'tools/call')
		return { ...line, sort: 'call', words: short(`called ${wish(envelope.payload)}${target ? ` of ${target}` : ''}`) };
	return null;
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
	'dev.hustings.token_changed': (record) => (record.result === 'revoked' ? { sort: 'access', words: `revoked a token of ${record.target}` } : null),
	'dev.hustings.privilege_changed': (record) => ({ sort: 'access', words: `made ${record.target} ${record.result}` }),
};

export function auditLine(record: AuditRecord): Line | null {
	const told = TOLD[record.event_type]?.(record);
	if (!told) return null;
	const href = record.trace_id ? to('audit', 'trace', record.trace_id) : to('audit');
	return { key: `audit-${record.row}`, ts: record.ts, who: plain(record.actor ?? 'the gateway'), href, sort: told.sort, words: short(told.words) };
}
