// SPDX-License-Identifier: Apache-2.0
/**
 * Steps: what the records of one trace say of its calls, in the order in which it happened. The trail has the end of each call
 * and how long it took, what people were asked, and what was refused where; when a call began and was sent follows from that.
 */
import type { AuditRecord } from 'hustings-client';
import { plainLine } from '../../parts/plain';
import { tookWords, type Tone } from './sentence';

export const GATES = 'gates';
export const PEOPLE = 'people';

export interface Step {
	at: number;
	from: string;
	to: string;
	words: string;
	tone: Tone;
	record?: AuditRecord;
}

export interface Lane { id: string; label: string; words: string }

export interface Traced {
	lanes: Lane[];
	steps: Step[];
	/** How long whom was waited for, in ms; all of it is `tookMs`. */
	spans: { lane: string; ms: number }[];
	tookMs: number;
	began: number;
	/** Rooms in which it was asked for. */
	rooms: string[];
	outcome: string;
	tone: Tone;
}

const ASKED = /^dev\.hustings\.(approval|authorization|callback|parameters)_asked$/;
const ANSWERED = /^dev\.hustings\.(approval|authorization|callback|parameters)_answered$/;
const ENDED = /^(TOOL_EXECUTED|TOOL_BLOCKED)$/;
const RETRIED = 'dev.hustings.tool_retried';

const asker = (record: AuditRecord, call: Call) => `asker:${call.asker ?? record.actor ?? ''}`;

interface Call { server: string; tool: string; asker: string | undefined; topic: string | undefined; records: AuditRecord[] }

function isOf(call: Call, record: AuditRecord): boolean {
	const names = [record.tool_name, record.details?.fallback_of];
	return call.server === record.server_id && names.includes(call.tool);
}

/** One after the other: a call is over with its end, and the next one of the same tool is another. */
function callsOf(records: readonly AuditRecord[]): Call[] {
	const open: Call[] = [];
	const all: Call[] = [];
	for (const record of records) {
		if (!record.server_id || !record.tool_name) continue;
		let call = open.find((one) => isOf(one, record));
		if (!call) {
			call = { server: record.server_id, tool: record.tool_name, asker: undefined, topic: undefined, records: [] };
			open.push(call);
			all.push(call);
		}
		call.records.push(record);
		call.topic ??= record.topic;
		if (!ANSWERED.test(record.event_type)) call.asker ??= record.actor;
		if (ANSWERED.test(record.event_type)) call.asker ??= record.target;
		if (ENDED.test(record.event_type)) open.splice(open.indexOf(call), 1);
	}
	return all;
}

const timeOf = (record: AuditRecord) => Date.parse(record.ts);

function beganAt(call: Call): number {
	return Math.min(...call.records.map((record) => timeOf(record) - (typeof record.details?.duration_ms === 'number' ? record.details.duration_ms : 0)));
}

const short = (value: unknown) => (typeof value === 'string' ? plainLine(value, 160) : '');

function whoAnswered(record: AuditRecord): string {
	return record.actor && record.actor !== record.target ? plainLine(record.actor, 60) : 'time';
}

/** The steps of one call; `spans` grows by what it waited for. */
function stepsOf(call: Call, spans: Map<string, number>): Step[] {
	const steps: Step[] = [];
	const server = `server:${call.server}`;
	const name = plainLine(call.tool, 60);
	const began = beganAt(call);
	const first = call.records[0]!;
	let at = began;
	let holder = GATES;
	let isSent = false;
	const spend = (until: number, next: string) => {
		spans.set(holder, (spans.get(holder) ?? 0) + Math.max(0, until - at));
		at = Math.max(at, until);
		holder = next;
	};
	const send = () => {
		if (isSent) return;
		isSent = true;
		steps.push({ at, from: GATES, to: server, words: `All gates passed: ${name} was sent to ${plainLine(call.server, 60)}`, tone: 'plain' });
		holder = server;
	};
	steps.push({ at: began, from: asker(first, call), to: GATES, words: `${plainLine(call.asker ?? 'somebody', 60)} called ${name}${call.topic ? ` in the room ${plainLine(call.topic, 60)}` : ''}`, tone: 'plain' });
	for (const record of call.records) {
		const moment = timeOf(record);
		if (ASKED.test(record.event_type)) {
			const isOfServer = record.event_type.includes('callback');
			if (isOfServer) send();
			const to = /approval|authorization/.test(record.event_type) ? PEOPLE : asker(record, call);
			spend(moment, to);
			steps.push({ at: moment, from: isOfServer ? server : GATES, to, tone: 'warn', record,
				words: to === PEOPLE ? 'A person was asked for a yes' : isOfServer ? `${plainLine(call.server, 60)} asked something meanwhile` : 'What is missing was asked for' });
		} else if (ANSWERED.test(record.event_type)) {
			const isOfServer = record.event_type.includes('callback');
			const isYes = record.result === 'SUCCESS';
			const from = holder;
			spend(moment, isOfServer ? server : GATES);
			steps.push({ at: moment, from, to: isOfServer ? server : GATES, tone: isYes ? 'good' : 'warn', record,
				words: from === PEOPLE ? `${whoAnswered(record)} said ${isYes ? 'yes' : 'no'}` : isYes ? 'That was answered' : 'That was not answered' });
		} else if (record.event_type === RETRIED) {
			send();
			spend(moment, GATES);
			isSent = false;
			const other = short(record.details?.fallback_tool);
			steps.push({ at: moment, from: server, to: GATES, tone: 'warn', record, words: other ? `It could not: ${other} is called instead` : `It could not, and is asked again (try ${Number(record.details?.attempt ?? 1) + 1})` });
		} else if (record.event_type === 'TOOL_BLOCKED') {
			spend(moment, GATES);
			const reason = short(record.details?.reason);
			steps.push({ at: moment, from: GATES, to: asker(record, call), tone: 'warn', record, words: `Refused at the gate ${short(record.gate) || '?'}${reason && `: ${reason}`}` });
		} else if (record.event_type === 'TOOL_EXECUTED') {
			const isFine = record.result === 'SUCCESS';
			if (record.result !== 'CANCELLED') send();
			spend(moment, GATES);
			steps.push({ at: moment, from: isSent ? server : GATES, to: asker(record, call), tone: isFine ? 'good' : record.result === 'CANCELLED' ? 'warn' : 'danger', record,
				words: `${isFine ? 'Answered' : record.result === 'CANCELLED' ? 'Given up' : 'Failed'} after ${tookWords(moment - began) || '0 ms'}` });
		}
	}
	return steps;
}

const OUTCOMES: Record<string, [string, Tone]> = {
	SUCCESS: ['it worked', 'good'], FAILED: ['it failed', 'danger'], CANCELLED: ['it was given up', 'warn'], BLOCKED: ['it was refused', 'warn'],
};

/** Records of one trace, in any order. */
export function trace(records: readonly AuditRecord[]): Traced {
	const sorted = [...records].sort((one, other) => timeOf(one) - timeOf(other) || (one.row ?? Infinity) - (other.row ?? Infinity));
	const calls = callsOf(sorted);
	const spans = new Map<string, number>();
	const steps = calls.flatMap((call) => stepsOf(call, spans)).sort((one, other) => one.at - other.at);
	const rooms = [...new Set(calls.flatMap((call) => (call.topic ? [call.topic] : [])))];
	const used = new Set(steps.flatMap((step) => [step.from, step.to]));
	const lanes: Lane[] = [...used].filter((id) => id.startsWith('asker:')).map((id) => ({ id, label: plainLine(id.slice(6), 40) || 'somebody', words: rooms.length > 0 ? `in ${plainLine(rooms.join(', '), 40)}` : 'who asked' }));
	if (used.has(GATES)) lanes.push({ id: GATES, label: 'Gates', words: 'the kernel' });
	if (used.has(PEOPLE)) lanes.push({ id: PEOPLE, label: 'People', words: 'the inbox' });
	lanes.push(...[...used].filter((id) => id.startsWith('server:')).map((id) => ({ id, label: plainLine(id.slice(7), 40), words: 'the server' })));
	const ends = sorted.filter((record) => ENDED.test(record.event_type));
	const last = ends[ends.length - 1];
	const [outcome, tone] = OUTCOMES[last?.result ?? ''] ?? ['it is under way, or its end was not recorded', 'plain'];
	const began = steps[0]?.at ?? (sorted[0] ? timeOf(sorted[0]) : 0);
	return { lanes, steps, began, rooms, outcome, tone, tookMs: (steps[steps.length - 1]?.at ?? began) - began,
		spans: lanes.flatMap(({ id }) => ((spans.get(id) ?? 0) > 0 ? [{ lane: id, ms: spans.get(id)! }] : [])) };
}
