// SPDX-License-Identifier: Apache-2.0
/** Settled: what was just answered here, and what became of it; and the lines about what was answered elsewhere. */
import type { Decision } from 'hustings-client';
import { Icon } from '../../parts/icon';
import { plain, plainLine } from '../../parts/plain';
import { ToolResult } from '../../parts/result';
import { decisions, settledElsewhere } from '../../stores/decisions';
import { to } from '../../stores/route';
import { isAdmin } from '../../stores/session';
import { useOutcome, type Outcome } from './outcome';
import { settledWords, STATES, storyOf, TONES } from './words';

function OutcomeWords({ outcome }: { outcome: Outcome }) {
	switch (outcome.word) {
		case 'waiting':
			return (
				<p class="soft" aria-busy="true">
					{outcome.text}
				</p>
			);
		case 'result':
			return (
				<>
					<p class="small strong">The answer:</p>
					<ToolResult result={outcome.result} />
				</>
			);
		case 'error':
			return <p class="inbox-wrong breaks">The answer is an error: {plain(outcome.text)}</p>;
		case 'unknown':
			return <p class="soft breaks">{plain(outcome.text)}</p>;
		case 'told':
			return (
				<p class={outcome.isGood ? 'breaks' : 'inbox-wrong breaks'}>
					{plain(outcome.text)}
					{outcome.trace && isAdmin.value && (
						<>
							{' '}
							<a href={to('audit', 'trace', outcome.trace)}>Look at the trace</a>
						</>
					)}
				</p>
			);
	}
}

/** `answered` is the record as the answer left it; what the stream has told since counts. */
export function Settled({ answered, onDismiss }: { answered: Decision; onDismiss?: () => void }) {
	const decision = decisions.value.find((one) => one.id === answered.id) ?? answered;
	const outcome = useOutcome(decision);
	const isYes = decision.state === 'approved' || decision.state === 'used';
	return (
		<section class="card appears inbox-settled" aria-label={`Answered: ${storyOf(decision).title}`} tabIndex={-1}>
			<div class="card-body column">
				<div class="row">
					<span class={`badge ${isYes ? 'is-good' : TONES[decision.state]}`}>
						<Icon name={isYes ? 'check' : 'close'} size={14} />
						{isYes ? 'Approved' : STATES[decision.state]}
					</span>
					<span class="grows breaks strong">{storyOf(decision).title}</span>
					{onDismiss && (
						<button type="button" class="button is-quiet is-small is-icon" aria-label="Put away" onClick={onDismiss}>
							<Icon name="close" size={14} />
						</button>
					)}
				</div>
				<div role="status">
					<OutcomeWords outcome={outcome} />
				</div>
			</div>
		</section>
	);
}

export function Elsewhere() {
	return (
		<div class="inbox-elsewhere" role="status" aria-live="polite">
			{settledElsewhere.value.map((one) => (
				<p key={one.number} class="small appears breaks">
					<span class="soft">{plainLine(storyOf(one.decision).title)}:</span>{' '}
					{one.decision.decidedBy ? `answered by ${plainLine(one.decision.decidedBy, 120)}` : settledWords(one.decision)}
				</p>
			))}
		</div>
	);
}
