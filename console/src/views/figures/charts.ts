// SPDX-License-Identifier: Apache-2.0
/** Charts: what is drawn: of each line its name, its colour (a token), and how it comes out of the samples. */
import { inLastMinute, rate, took, value, type Derive } from './derive';
import type { Sample } from './samples';
import type { Unit } from './words';

export interface ChartLine {
	label: string;
	colour: string;
	dash?: number[];
	derive: Derive;
}

export interface Chart {
	id: string;
	title: string;
	/** Behind the title: over which time, of what. */
	words?: string;
	unit: Unit;
	isStacked?: boolean;
	lines: ChartLine[];
}

/** Apart in hue and in lightness; whoever does not tell hues apart has dashes, and the table. */
const COLOURS = ['--accent', '--warn', '--danger', '--good', '--ink-soft', '--line-strong'];
const GATES_SHOWN = COLOURS.length - 1;
const ROOM_GATE = /^hustings_refused_(\w+)_total$/;
const CALL_GATE = /^hustings_calls_refused_total:(.+)$/;
const outcome = (word: string) => `hustings_calls_total:${word}`;

const FIXED: Chart[] = [
	{
		id: 'envelopes',
		title: 'Envelopes',
		words: 'a second',
		unit: 'second',
		lines: [
			{ label: 'delivered', colour: '--accent', derive: rate('hustings_envelopes_out_total') },
			{ label: 'accepted', colour: '--warn', dash: [6, 4], derive: rate('hustings_envelopes_in_total') },
		],
	},
	{
		id: 'calls',
		title: 'Calls of tools',
		words: 'a second',
		unit: 'second',
		lines: [
			{ label: 'worked', colour: '--accent', derive: rate(outcome('ok')) },
			{ label: 'failed', colour: '--danger', dash: [6, 4], derive: rate(outcome('error'), outcome('timeout')) },
			{ label: 'refused', colour: '--warn', dash: [2, 3], derive: rate(outcome('refused')) },
			{ label: 'given up', colour: '--ink-soft', dash: [8, 3, 2, 3], derive: rate(outcome('cancelled')) },
		],
	},
	{
		id: 'took',
		title: 'How long calls take',
		words: 'in the last half minute',
		unit: 'ms',
		lines: [
			{ label: 'half of them (p50)', colour: '--good', derive: took(0.5) },
			{ label: '95 of 100 (p95)', colour: '--warn', dash: [6, 4], derive: took(0.95) },
			{ label: '99 of 100 (p99)', colour: '--danger', dash: [2, 3], derive: took(0.99) },
		],
	},
	{
		id: 'people',
		title: 'Who is connected',
		unit: 'count',
		lines: [
			{ label: 'connections', colour: '--accent', derive: value('hustings_connections') },
			{ label: 'participants', colour: '--warn', dash: [6, 4], derive: value('hustings_participants') },
			{ label: 'rooms', colour: '--ink-soft', dash: [2, 3], derive: value('hustings_rooms') },
		],
	},
	{
		id: 'open',
		title: 'What is open',
		unit: 'count',
		lines: [
			{ label: 'calls', colour: '--accent', derive: value('hustings_calls_open') },
			{ label: 'decisions', colour: '--danger', dash: [6, 4], derive: value('hustings_decisions_open') },
			{ label: 'guided sessions', colour: '--warn', dash: [2, 3], derive: value('hustings_flow_sessions') },
			{ label: 'proposals', colour: '--ink-soft', dash: [8, 3, 2, 3], derive: value('hustings_proposals_open') },
		],
	},
];

const STORED: Chart[] = [
	{
		id: 'memory',
		title: 'Memory',
		unit: 'octets',
		lines: [
			{ label: 'of the gateway', colour: '--accent', derive: value('hustings_memory_octets') },
			{ label: 'of guided sessions', colour: '--warn', dash: [6, 4], derive: value('hustings_flow_octets') },
		],
	},
	{
		id: 'backlog',
		title: 'Waiting to be stored',
		unit: 'octets',
		lines: [{ label: 'in spools', colour: '--accent', derive: value('hustings_store_backlog_octets') }],
	},
];

/** Gates that refused something while we looked, the busiest first; those beyond what can be told apart are one line. */
function gates(id: string, title: string, samples: readonly Sample[], pattern: RegExp): Chart | null {
	const [first, last] = [samples[0], samples[samples.length - 1]];
	if (!first || !last) return null;
	const busy = [...last.values.keys()]
		.flatMap((name) => {
			const gate = pattern.exec(name)?.[1];
			const count = (last.values.get(name) ?? 0) - (first.values.get(name) ?? 0);
			return gate !== undefined && count > 0 ? [{ name, gate, count }] : [];
		})
		.sort((one, other) => other.count - one.count || one.gate.localeCompare(other.gate));
	const lines: ChartLine[] = busy.slice(0, GATES_SHOWN).map(({ name, gate }, at) => ({ label: gate, colour: COLOURS[at]!, derive: inLastMinute(name) }));
	const rest = busy.slice(GATES_SHOWN).map(({ name }) => inLastMinute(name));
	if (rest.length > 0) lines.push({ label: 'other gates', colour: COLOURS[GATES_SHOWN]!, derive: (all) => together(rest.map((derive) => derive(all))) });
	return { id, title, words: 'in the last minute', unit: 'count', isStacked: true, lines };
}

function together(lines: (number | null)[][]): (number | null)[] {
	return (lines[0] ?? []).map((_, at) => (lines.every((line) => line[at] === null) ? null : lines.reduce((sum, line) => sum + (line[at] ?? 0), 0)));
}

export function chartsOf(samples: readonly Sample[]): Chart[] {
	const refused = [
		gates('refused-calls', 'Calls refused, by gate', samples, CALL_GATE),
		gates('refused-rooms', 'Envelopes refused, by gate', samples, ROOM_GATE),
	];
	return [...FIXED, ...refused.filter((chart) => chart !== null), ...STORED];
}
