// SPDX-License-Identifier: Apache-2.0
/** Chart: the lines, what they are (with their figures of now, or of where the crosshair stands), and the same figures as a table. */
import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../../stores/theme';
import type { Chart } from './charts';
import type { Line } from './derive';
import { dataOf, HEIGHT, optionsOf } from './plot';
import type { Sample } from './samples';
import { figure } from './words';

const ROWS = 16; /* of the table: one a minute */

/** The system's colours may change while we look. */
function useDark(): boolean {
	const query = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
	const [isDark, setDark] = useState(query.matches);
	useEffect(() => {
		const change = () => setDark(query.matches);
		query.addEventListener('change', change);
		return () => query.removeEventListener('change', change);
	}, []);
	return theme.value === 'system' ? isDark : theme.value === 'dark';
}

function usePlot(chart: Chart, data: uPlot.AlignedData, onCursor: (at: number | null) => void) {
	const place = useRef<HTMLDivElement>(null);
	const plot = useRef<uPlot | undefined>(undefined);
	const isDark = useDark();
	const shape = `${chart.id} ${chart.lines.map((line) => line.label).join(' ')}`;
	useEffect(() => {
		const one = new uPlot(optionsOf(chart, Math.max(160, place.current!.clientWidth), onCursor), data, place.current!);
		plot.current = one;
		const eye = new ResizeObserver(() => {
			const width = place.current?.clientWidth ?? 0;
			if (width > 0 && width !== one.width) one.setSize({ width, height: HEIGHT });
		});
		eye.observe(place.current!);
		return () => {
			eye.disconnect();
			one.destroy();
			plot.current = undefined;
		};
	}, [shape, isDark]);
	useEffect(() => plot.current?.setData(data), [data]);
	return place;
}

function Legend({ chart, lines, at }: { chart: Chart; lines: Line[]; at: number }) {
	return (
		<ul class="figures-legend">
			{chart.lines.map((line, number) => (
				<li key={line.label}>
					<svg width="18" height="8" aria-hidden="true">
						<path
							d="M0 4H18"
							style={{ stroke: `var(${line.colour})` }}
							stroke-width="2.5"
							stroke-dasharray={chart.isStacked ? undefined : line.dash?.join(' ')}
						/>
					</svg>
					{line.label} <strong>{figure(lines[number]?.[at], chart.unit)}</strong>
				</li>
			))}
		</ul>
	);
}

/** One row for each minute, the newest first. */
function Figures({ chart, samples, lines }: { chart: Chart; samples: readonly Sample[]; lines: Line[] }) {
	const rows: number[] = [];
	for (let at = samples.length - 1; at >= 0 && rows.length < ROWS; at -= 1)
		if (rows.length === 0 || samples[rows[rows.length - 1]!]!.at - samples[at]!.at >= 60_000) rows.push(at);
	return (
		<div class="scrolls" tabIndex={0} role="region" aria-label={`${chart.title}, as a table`}>
			<table class="table">
				<caption class="only-read">
					{chart.title} {chart.words}, minute by minute
				</caption>
				<thead>
					<tr>
						<th scope="col">Time</th>
						{chart.lines.map((line) => (
							<th key={line.label} scope="col">
								{line.label}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((at) => (
						<tr key={samples[at]!.at}>
							<th scope="row">{new Date(samples[at]!.at).toLocaleTimeString()}</th>
							{chart.lines.map((line, number) => (
								<td key={line.label}>{figure(lines[number]?.[at], chart.unit)}</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

function summary(chart: Chart, lines: Line[]): string {
	const words = chart.lines.map((line, at) => {
		const known = (lines[at] ?? []).filter((one): one is number => one !== null);
		const most = known.length > 0 ? Math.max(...known) : null;
		return `${line.label}: now ${figure(lines[at]?.[lines[at]!.length - 1], chart.unit)}, at most ${figure(most, chart.unit)}`;
	});
	return `Chart. ${chart.title}${chart.words ? ` ${chart.words}` : ''}. ${words.join('; ')}.`;
}

/** A chart without lines: nothing has happened that would be one. */
export function QuietCard({ chart }: { chart: Chart }) {
	return (
		<section class="card figures-card" aria-labelledby={`figures-${chart.id}`}>
			<header class="card-head">
				<h2 id={`figures-${chart.id}`} class="grows">
					{chart.title}
				</h2>
			</header>
			<p class="card-body small soft">None since you look.</p>
		</section>
	);
}

export function ChartCard({ chart, samples }: { chart: Chart; samples: readonly Sample[] }) {
	const [cursor, setCursor] = useState<number | null>(null);
	const [isTable, setTable] = useState(false);
	const lines = useMemo(() => chart.lines.map((line) => line.derive(samples)), [chart, samples]);
	const data = useMemo(() => dataOf(chart, samples, lines), [lines]);
	const moment = cursor === null ? undefined : data[0][cursor];
	const pointed = moment === undefined ? -1 : samples.findIndex((sample) => sample.at / 1000 >= moment);
	const place = usePlot(chart, data, setCursor);
	return (
		<section class="card figures-card" aria-labelledby={`figures-${chart.id}`}>
			<header class="card-head">
				<h2 id={`figures-${chart.id}`}>{chart.title}</h2>
				<span class="grows small soft">{chart.words}</span>
				{pointed >= 0 && <span class="tiny soft">{new Date(samples[pointed]!.at).toLocaleTimeString()}</span>}
				<button
					type="button"
					class="button is-quiet is-small"
					aria-pressed={isTable}
					aria-label={`Table of ${chart.title}`}
					onClick={() => setTable(!isTable)}>
					Table
				</button>
			</header>
			<div class="card-body">
				<div class="figures-plot" hidden={isTable} ref={place} role="img" aria-label={summary(chart, lines)} />
				{isTable ? (
					<Figures chart={chart} samples={samples} lines={lines} />
				) : (
					<Legend chart={chart} lines={lines} at={pointed >= 0 ? pointed : samples.length - 1} />
				)}
			</div>
		</section>
	);
}
