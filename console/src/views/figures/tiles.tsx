// SPDX-License-Identifier: Apache-2.0
/** Tiles: how it stands now, in figures that can be read across the room. */
import { spanWords } from '../../parts/moment';
import { inLastMinute, latest, rate, took, type Derive } from './derive';
import type { Sample } from './samples';
import { figure, type Unit } from './words';

interface Tile {
	label: string;
	words: string;
	more?: string;
	isBad?: boolean;
}

const ROOM_GATE = /^hustings_refused_\w+_total$/;
const CALL_GATE = /^hustings_calls_refused_total:/;
const RECENT = 40; /* samples: a minute and a little more */

function lastMinute(samples: readonly Sample[], pattern: RegExp): number | null {
	const names = [...(samples[samples.length - 1]?.values.keys() ?? [])].filter((name) => pattern.test(name));
	const counts = names.map((name) => latest(inLastMinute(name)(samples)));
	return counts.length === 0 || counts.every((one) => one === null) ? null : counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}

function serversOf(sample: Sample): Tile {
	const states = [...sample.values]
		.filter(([name, count]) => name.startsWith('hustings_servers:') && count > 0)
		.map(([name, count]) => ({ state: name.split(':')[1]!, count }));
	const all = states.reduce((sum, one) => sum + one.count, 0);
	const connected = states.find((one) => one.state === 'connected')?.count ?? 0;
	const rest = states
		.filter((one) => one.state !== 'connected')
		.map((one) => `${one.count} ${one.state}`)
		.join(', ');
	return {
		label: 'Servers',
		words: all === 0 ? '0' : `${connected} of ${all}`,
		more: rest || (all > 0 ? 'all connected' : 'none are hosted'),
		isBad: states.some((one) => one.state === 'error'),
	};
}

function many(sample: Sample, name: string, word: string): string {
	const count = sample.values.get(name) ?? 0;
	return `${figure(count, 'count')} ${word}${count === 1 ? '' : 's'}`;
}

function tilesOf(samples: readonly Sample[]): Tile[] {
	const recent = samples.slice(-RECENT);
	const now = recent[recent.length - 1]!;
	const derived = (derive: Derive, unit: Unit) => figure(latest(derive(recent)), unit);
	const known = (name: string, unit: Unit = 'count') => figure(now.values.get(name) ?? null, unit);
	const calls = ['ok', 'error', 'refused', 'cancelled', 'timeout'].map((word) => `hustings_calls_total:${word}`);
	return [
		{
			label: 'Envelopes',
			words: derived(rate('hustings_envelopes_in_total'), 'second'),
			more: `${derived(rate('hustings_envelopes_out_total'), 'second')} delivered`,
		},
		{ label: 'Calls', words: derived(rate(...calls), 'second'), more: `${known('hustings_calls_open')} open` },
		{ label: '95 of 100 calls take', words: derived(took(0.95), 'ms'), more: `at most; half of them ${derived(took(0.5), 'ms')}` },
		{
			label: 'Refused in a minute',
			words: figure(lastMinute(recent, CALL_GATE), 'count'),
			more: `calls; ${figure(lastMinute(recent, ROOM_GATE), 'count')} envelopes`,
		},
		{
			label: 'Participants',
			words: known('hustings_participants'),
			more: `in ${many(now, 'hustings_rooms', 'room')}, ${many(now, 'hustings_connections', 'connection')}`,
		},
		{ label: 'Open decisions', words: known('hustings_decisions_open'), more: many(now, 'hustings_flow_sessions', 'guided session') },
		serversOf(now),
		{ label: 'Memory', words: known('hustings_memory_octets', 'octets'), more: `up for ${spanWords(now.values.get('hustings_uptime_seconds') ?? 0)}` },
	];
}

export function Tiles({ samples }: { samples: readonly Sample[] }) {
	return (
		<dl class="figures-tiles" aria-label="Now">
			{tilesOf(samples).map((tile) => (
				<div key={tile.label} class={`card figures-tile${tile.isBad ? ' is-bad' : ''}`}>
					<dt class="small soft">{tile.label}</dt>
					<dd class="figures-now">{tile.words}</dd>
					{tile.more && <dd class="tiny soft">{tile.more}</dd>}
				</div>
			))}
		</dl>
	);
}
