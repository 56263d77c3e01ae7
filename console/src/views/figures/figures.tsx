// SPDX-License-Identifier: Apache-2.0
/** Figures: how the gateway does, now and in the last quarter of an hour, out of what /metrics says. */
import './figures.css';
import { HustingsError } from 'hustings-client';
import { useMemo } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Page } from '../../parts/page';
import { usePoll } from '../../stores/poll';
import { ChartCard, QuietCard } from './chart';
import { chartsOf } from './charts';
import { EVERY_MS, look, samples } from './samples';
import { Tiles } from './tiles';

function NotAllowed({ error }: { error: Error }) {
	return (
		<Empty icon="lock" title="The figures are for administrators">
			{error.message} On the gateway's own machine everybody may read them; from elsewhere it takes a token made with{' '}
			<code>hustings token create --admin</code>.
		</Empty>
	);
}

export function FiguresView() {
	const { error, again } = usePoll(look, EVERY_MS);
	const all = samples.value;
	const charts = useMemo(() => chartsOf(all), [all]);
	const isRefused = error instanceof HustingsError && error.status === 403;
	return (
		<Page title="Figures" words="How the gateway does now, and in the last quarter of an hour. Kept in this page alone, from the first look on.">
			{error && (isRefused ? <NotAllowed error={error} /> : <Failed error={error} again={again} />)}
			{!error && all.length === 0 && <Waiting what="the figures" />}
			{all.length > 0 && !isRefused && (
				<>
					<Tiles samples={all} />
					<div class="figures-charts">
						{charts.map((chart) =>
							chart.lines.length > 0 ? <ChartCard key={chart.id} chart={chart} samples={all} /> : <QuietCard key={chart.id} chart={chart} />,
						)}
					</div>
					<p class="small soft">
						The same figures, for whatever collects them: <code>GET /metrics</code>, as Prometheus reads them.
					</p>
				</>
			)}
		</Page>
	);
}
