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
}

export interface Lane {
	id: string;
	label: string;
	words: string;
}

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

interface Call {
	server: string;
	tool: string;
	asker: string | undefined;
	topic: string | undefined;
	records: AuditRecord[];
}

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

/** One call from record to record: who has it, since when, and whether its server has. `spans` grows by how long each had it. */
class Walk {
	readonly steps: Step[] = [];
	readonly #server: string;
	readonly #asker: string;
	readonly #began: number;
	#at: number;
	#holder = GATES;
	#isSent = false;
	#tool: string; /* another one, when it is called instead */

	constructor(
		readonly call: Call,
		readonly spans: Map<string, number>,
	) {
		this.#server = `server:${call.server}`;
		this.#asker = `asker:${call.asker ?? call.records[0]?.actor ?? ''}`;
		this.#tool = plainLine(call.tool, 60);
		this.#began = this.#at = beganAt(call);
		const where = call.topic ? ` in the room ${plainLine(call.topic, 60)}` : '';
		this.#step(this.#began, this.#asker, GATES, 'plain', `${plainLine(call.asker ?? 'somebody', 60)} called ${this.#tool}${where}`);
		for (const record of call.records) this.#take(record);
	}

	#step(at: number, from: string, to: string, tone: Tone, words: string): void {
		this.steps.push({ at, from, to, tone, words });
	}

	/** Whoever had it until then had it that long. */
	#give(until: number, next: string): void {
		this.spans.set(this.#holder, (this.spans.get(this.#holder) ?? 0) + Math.max(0, until - this.#at));
		this.#at = Math.max(this.#at, until);
		this.#holder = next;
	}

	/** Nothing is written when a call is sent: what its server did tells that it was. */
	#send(): void {
		if (this.#isSent) return;
		this.#isSent = true;
		this.#holder = this.#server;
		const words = `All gates passed: ${this.#tool} was sent to ${plainLine(this.call.server, 60)}`;
		this.#step(this.#at, GATES, this.#server, 'plain', words);
	}

	#take(record: AuditRecord): void {
		const at = timeOf(record);
		if (ASKED.test(record.event_type)) this.#asked(record, at);
		else if (ANSWERED.test(record.event_type)) this.#answered(record, at);
		else if (record.event_type === RETRIED) this.#retried(record, at);
		else if (record.event_type === 'TOOL_BLOCKED') this.#blocked(record, at);
		else if (record.event_type === 'TOOL_EXECUTED') this.#ended(record, at);
	}

	#asked(record: AuditRecord, at: number): void {
		const isOfServer = record.event_type.includes('callback');
		if (isOfServer) this.#send();
		const isOfPeople = /approval|authorization/.test(record.event_type);
		const next = isOfPeople ? PEOPLE : this.#asker;
		const words = isOfServer ? `${plainLine(this.call.server, 60)} asked something meanwhile` : 'What is missing was asked for';
		this.#give(at, next);
		this.#step(at, isOfServer ? this.#server : GATES, next, 'warn', isOfPeople ? 'A person was asked for a yes' : words);
	}

	#answered(record: AuditRecord, at: number): void {
		const isYes = record.result === 'SUCCESS';
		const from = this.#holder;
		const next = record.event_type.includes('callback') ? this.#server : GATES;
		const words = isYes ? 'That was answered' : 'That was not answered';
		this.#give(at, next);
		this.#step(at, from, next, isYes ? 'good' : 'warn', from === PEOPLE ? `${whoAnswered(record)} said ${isYes ? 'yes' : 'no'}` : words);
	}

	#retried(record: AuditRecord, at: number): void {
		this.#send();
		this.#give(at, GATES);
		this.#isSent = false;
		const other = short(record.details?.fallback_tool);
		if (other) this.#tool = other;
		const again = `It could not, and is asked again (try ${Number(record.details?.attempt ?? 1) + 1})`;
		this.#step(at, this.#server, GATES, 'warn', other ? `It could not: ${other} is called instead` : again);
	}

	#blocked(record: AuditRecord, at: number): void {
		const reason = short(record.details?.reason);
		this.#give(at, GATES);
		this.#step(at, GATES, this.#asker, 'warn', `Refused at the gate ${short(record.gate) || '?'}${reason && `: ${reason}`}`);
	}

	#ended(record: AuditRecord, at: number): void {
		const [words, tone] = ENDS[record.result] ?? ENDS.FAILED!;
		if (record.result !== 'CANCELLED') this.#send();
		this.#give(at, GATES);
		this.#step(at, this.#isSent ? this.#server : GATES, this.#asker, tone, `${words} after ${tookWords(at - this.#began)}`);
	}
}

const ENDS: Record<string, [string, Tone]> = { SUCCESS: ['Answered', 'good'], CANCELLED: ['Given up', 'warn'], FAILED: ['Failed', 'danger'] };

const OUTCOMES: Record<string, [string, Tone]> = {
	SUCCESS: ['it worked', 'good'],
	FAILED: ['it failed', 'danger'],
	CANCELLED: ['it was given up', 'warn'],
	BLOCKED: ['it was refused', 'warn'],
};

/** Records of one trace, in any order. */
export function trace(records: readonly AuditRecord[]): Traced {
	const sorted = [...records].sort((one, other) => timeOf(one) - timeOf(other) || (one.row ?? Infinity) - (other.row ?? Infinity));
	const calls = callsOf(sorted);
	const spans = new Map<string, number>();
	const steps = calls.flatMap((call) => new Walk(call, spans).steps).sort((one, other) => one.at - other.at);
	const rooms = [...new Set(calls.flatMap((call) => (call.topic ? [call.topic] : [])))];
	const used = new Set(steps.flatMap((step) => [step.from, step.to]));
	const lanes: Lane[] = [...used]
		.filter((id) => id.startsWith('asker:'))
		.map((id) => ({ id, label: plainLine(id.slice(6), 40) || 'somebody', words: rooms.length > 0 ? `in ${plainLine(rooms.join(', '), 40)}` : 'who asked' }));
	if (used.has(GATES)) lanes.push({ id: GATES, label: 'Gates', words: 'the kernel' });
	if (used.has(PEOPLE)) lanes.push({ id: PEOPLE, label: 'People', words: 'the inbox' });
	lanes.push(...[...used].filter((id) => id.startsWith('server:')).map((id) => ({ id, label: plainLine(id.slice(7), 40), words: 'the server' })));
	const ends = sorted.filter((record) => ENDED.test(record.event_type));
	const last = ends[ends.length - 1];
	const [outcome, tone] = OUTCOMES[last?.result ?? ''] ?? ['it is under way, or its end was not recorded', 'plain'];
	const began = steps[0]?.at ?? (sorted[0] ? timeOf(sorted[0]) : 0);
	return {
		lanes,
		steps,
		began,
		rooms,
		outcome,
		tone,
		tookMs: (steps[steps.length - 1]?.at ?? began) - began,
		spans: lanes.flatMap(({ id }) => ((spans.get(id) ?? 0) > 0 ? [{ lane: id, ms: spans.get(id)! }] : [])),
	};
}
