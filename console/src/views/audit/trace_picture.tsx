// SPDX-License-Identifier: Apache-2.0
/**
 * Trace picture: a lane for each who has a part in it, an arrow for each step from lane to lane, and beside each what it says. The
 * picture is for the eye alone: readers hear the list, which says the same.
 */
import { tookWords } from './sentence';
import type { Lane, Step, Traced } from './steps';

const LANE = 84; /* px between two lanes */
const ROW = 52;
const EDGE = 40;

function Arrow({ step, lanes }: { step: Step; lanes: Lane[] }) {
	const place = (id: string) => EDGE + lanes.findIndex((lane) => lane.id === id) * LANE;
	const from = place(step.from);
	const to = place(step.to);
	const way = to > from ? 1 : -1;
	const end = to - way * 5;
	const y = ROW / 2;
	return (
		<g class={`trace-arrow is-${step.tone}`}>
			<circle cx={from} cy={y} r="4.5" />
			<path d={`M${from} ${y}H${end}`} />
			<path d={`M${end - way * 6} ${y - 4.5}L${end} ${y}L${end - way * 6} ${y + 4.5}`} />
		</g>
	);
}

function Lanes({ lanes, step }: { lanes: Lane[]; step?: Step }) {
	const width = EDGE * 2 + (lanes.length - 1) * LANE;
	return (
		<svg class="trace-svg" width={width} height={ROW} viewBox={`0 0 ${width} ${ROW}`} aria-hidden="true">
			{lanes.map((lane, at) => (
				<path key={lane.id} class="trace-lane" d={`M${EDGE + at * LANE} 0V${ROW}`} />
			))}
			{step && <Arrow step={step} lanes={lanes} />}
		</svg>
	);
}

/** Whom it waited for, in proportion; what took no time is not in it. */
function Strip({ traced }: { traced: Traced }) {
	const whole = traced.spans.reduce((sum, span) => sum + span.ms, 0);
	if (whole === 0) return null;
	const named = traced.spans.map((span) => ({ ...span, label: traced.lanes.find((lane) => lane.id === span.lane)?.label ?? span.lane }));
	const classOf = (lane: string) => `trace-part is-${lane.split(':')[0]}`;
	return (
		<div class="trace-strip">
			<div class="trace-parts" aria-hidden="true">
				{named.map((span) => (
					<span key={span.lane} class={classOf(span.lane)} style={{ flexGrow: span.ms }} />
				))}
			</div>
			<ul class="row wraps small">
				{named.map((span) => (
					<li key={span.lane} class="trace-key">
						<span class={classOf(span.lane)} aria-hidden="true" />
						{span.label}: {tookWords(span.ms)}
					</li>
				))}
			</ul>
		</div>
	);
}

export function TracePicture({ traced }: { traced: Traced }) {
	const { lanes, steps, began } = traced;
	const pause = (at: number) => (at === 0 ? 0 : steps[at]!.at - steps[at - 1]!.at);
	return (
		<section class="card" aria-labelledby="trace-way">
			<header class="card-head">
				<h2 class="grows" id="trace-way">
					Its way
				</h2>
			</header>
			<div class="card-body column">
				<Strip traced={traced} />
				<div class="trace-picture">
					<div class="trace-heads" aria-hidden="true" style={{ paddingLeft: `${EDGE - LANE / 2}px` }}>
						{lanes.map((lane) => (
							<span key={lane.id} style={{ width: `${LANE}px` }}>
								<span class="strong cut" title={lane.label}>
									{lane.label}
								</span>
								<span class="tiny soft cut">{lane.words}</span>
							</span>
						))}
					</div>
					<ol class="trace-steps">
						{steps.map((step, at) => (
							<li key={at}>
								<Lanes lanes={lanes} step={step} />
								<span class="trace-words">
									<span class="breaks">{step.words}</span>
									<span class="tiny soft">
										<time dateTime={new Date(step.at).toISOString()}>
											{at === 0 ? new Date(step.at).toLocaleTimeString() : step.at === began ? 'at once' : `+${tookWords(step.at - began)}`}
										</time>
										{pause(at) >= 1000 && `, ${tookWords(pause(at))} after the step before`}
									</span>
								</span>
							</li>
						))}
					</ol>
				</div>
			</div>
		</section>
	);
}
