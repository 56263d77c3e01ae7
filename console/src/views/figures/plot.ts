// SPDX-License-Identifier: Apache-2.0
/** Plot: a chart as uPlot wants it: its data, in order of drawing, and its look, out of the tokens as they are now. */
import type uPlot from 'uplot';
import type { Chart } from './charts';
import type { Line } from './derive';
import { GAP_MS, KEPT_MS, type Sample } from './samples';
import { figure } from './words';

export const HEIGHT = 170;
const CROSSHAIR = 'figures';
const SPAN_LEAST_S = 120;
const DOUBLINGS = Array.from({ length: 50 }, (_, at) => 2 ** at);

function token(name: string): string {
	return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** As it is drawn now: "rgb(1, 2, 3)". A token may hold one for light and one for dark. */
function colour(name: string): string {
	const probe = document.createElement('span');
	probe.style.color = `var(${name})`;
	document.body.append(probe);
	const { color } = getComputedStyle(probe);
	probe.remove();
	return color;
}

function pale(rgb: string, part: number): string {
	return rgb.replace(/^rgb\((.*)\)$/, `rgba($1, ${part})`);
}

/** What is stacked is drawn as sums, the whole first. */
export function dataOf(chart: Chart, samples: readonly Sample[], lines: Line[]): uPlot.AlignedData {
	const drawn = chart.isStacked ? lines.map((_, at) => sums(lines.slice(0, lines.length - at))) : lines;
	const times = samples.map((sample) => sample.at / 1000);
	return cut(times, drawn);
}

function sums(lines: Line[]): Line {
	return (lines[0] ?? []).map((_, at) => (lines.every((line) => line[at] === null) ? null : lines.reduce((sum, line) => sum + (line[at] ?? 0), 0)));
}

/** In a gap a moment without any value keeps lines from crossing it. */
function cut(times: number[], lines: Line[]): uPlot.AlignedData {
	const gaps = times.flatMap((time, at) => (at > 0 && (time - times[at - 1]!) * 1000 > GAP_MS ? [at] : []));
	if (gaps.length === 0) return [times, ...lines];
	const filled = <T>(row: T[], empty: (at: number) => T) => row.flatMap((one, at) => (gaps.includes(at) ? [empty(at), one] : [one]));
	return [filled(times, (at) => times[at]! - 0.001), ...lines.map((line) => filled(line, () => null))];
}

/** Seconds are said where the moments are closer than a minute. */
const clock = (seconds: number, apart: number) =>
	new Date(seconds * 1000).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', ...(apart < 60 ? { second: '2-digit' } : {}) });

/** Of lines by powers of ten only these are drawn. */
const tens: uPlot.Axis.Filter = (_, splits) => splits.map((split) => (Number.isInteger(Math.log10(split)) ? split : null));

function axes(chart: Chart): uPlot.Axis[] {
	const font = `12px ${token('--font')}`;
	const shared = { font, stroke: colour('--ink-soft'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } };
	return [
		{ ...shared, grid: { show: false }, size: 28, space: 80, values: (_, splits, __, ___, apart) => splits.map((split) => clock(split, apart)) },
		{
			...shared,
			...(chart.unit === 'ms' ? { grid: { ...shared.grid, filter: tens } } : {}),
			size: 64,
			space: 34,
			...(chart.unit === 'octets' ? { incrs: DOUBLINGS } : {}),
			values: (_, splits) => splits.map((split) => (split === null || (chart.unit === 'count' && !Number.isInteger(split)) ? '' : figure(split, chart.unit))),
		},
	];
}

function series(chart: Chart): uPlot.Series[] {
	const lines = chart.isStacked ? [...chart.lines].reverse() : chart.lines;
	return [
		{},
		...lines.map((line, at) => {
			const stroke = colour(line.colour);
			const isLast = at === lines.length - 1;
			const fill = chart.isStacked ? (isLast ? pale(stroke, 0.35) : undefined) : chart.lines.length === 1 || at === 0 ? pale(stroke, 0.1) : undefined;
			return {
				label: line.label,
				stroke,
				width: 1.75,
				...(fill ? { fill } : {}),
				...(line.dash && !chart.isStacked ? { dash: line.dash } : {}),
				points: { show: false },
			};
		}),
	];
}

/** Between two sums lies the upper one's own part. */
function bands(chart: Chart): uPlot.Band[] {
	if (!chart.isStacked) return [];
	return chart.lines.slice(1).map((_, at) => ({ series: [at + 1, at + 2], fill: pale(colour(chart.lines[chart.lines.length - 1 - at]!.colour), 0.35) }));
}

/** As long as there is something to show: two minutes at least, so that a first look is no wall. */
function span(times: ArrayLike<number>): [number, number] {
	const last = times[times.length - 1] ?? Date.now() / 1000;
	const first = times[0] ?? last;
	return [Math.max(last - KEPT_MS / 1000, Math.min(first, last - SPAN_LEAST_S)), last];
}

/** Times are drawn by powers of ten: the slow ones do not press the others to the ground. */
function decades(low: number | null, high: number | null): [number, number] {
	const least = Math.floor(Math.log10(Math.max(low ?? 1, 0.01)));
	return [10 ** least, 10 ** Math.max(least + 1, Math.ceil(Math.log10(Math.max(high ?? 1, 0.01))))];
}

export function optionsOf(chart: Chart, width: number, onCursor: (at: number | null) => void): uPlot.Options {
	return {
		width,
		height: HEIGHT,
		series: series(chart),
		axes: axes(chart),
		bands: bands(chart),
		legend: { show: false },
		padding: [8, 8, 0, 0],
		scales: {
			x: { time: true, range: (plot) => span(plot.data[0]) },
			y:
				chart.unit === 'ms'
					? { distr: 3, range: (_, low, high) => decades(low, high) }
					: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(chart.unit === 'octets' ? 1024 : 1, (high ?? 0) * 1.1)] },
		},
		cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 7 }, sync: { key: CROSSHAIR } },
		hooks: { setCursor: [(plot) => onCursor(plot.cursor.idx ?? null)] },
	};
}
