// SPDX-License-Identifier: Apache-2.0
/** History: what was lately decided, by whom, why and for how long; an approval that still holds can be taken back. */
import type { Decision } from 'hustings-client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm';
import { Empty } from '../../parts/empty';
import { Moment } from '../../parts/moment';
import { plain, plainLine } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';
import { now } from '../../stores/clock';
import { decisions, decisionsState, revokeDecision } from '../../stores/decisions';
import { tell } from '../../stores/notices';
import { to } from '../../stores/route';
import { KINDS, STATES, storyOf, TONES } from './words';

const PAGE = 50;

/** An approval that still lets something through. */
function holds(decision: Decision): boolean {
	if (decision.state !== 'approved') return false;
	return decision.validUntil !== undefined ? Date.parse(decision.validUntil) > now.value : decision.usedAt === undefined;
}

/** How long a yes without an end holds. */
function lifeWords(decision: Decision): string {
	if (decision.state !== 'approved' && decision.state !== 'used') return '';
	return decision.kind === 'permission' || decision.kind === 'quarantine' || decision.kind === 'registration' ? 'as long as it is so' : 'once';
}

/** A time of today by the clock alone. */
function Until({ at }: { at: string }) {
	const isToday = new Date(at).toDateString() === new Date(now.value).toDateString();
	return isToday ? (
		<Moment at={at} isClock />
	) : (
		<span>{new Date(at).toLocaleString(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}</span>
	);
}

export function History() {
	const [count, setCount] = useState(PAGE);
	const [asked, setAsked] = useState<Decision>();
	const closed = decisions.value
		.filter((one) => one.state !== 'pending')
		.sort((one, other) => (other.decidedAt ?? other.createdAt).localeCompare(one.decidedAt ?? one.createdAt));
	const columns: Column<Decision>[] = [
		{
			label: 'What',
			isTitle: true,
			cell: (one) => (
				<>
					<a class="breaks" href={`${to('inbox')}?id=${encodeURIComponent(one.id)}`}>
						{storyOf(one).title}
					</a>
					<span class="tiny soft inbox-under">
						{KINDS[one.kind]}
						{one.topic && ` in ${plainLine(one.topic, 60)}`}
					</span>
				</>
			),
		},
		{ label: 'How it ended', cell: (one) => <span class={`badge ${TONES[one.state]}`}>{STATES[one.state]}</span> },
		{ label: 'By', cell: (one) => (one.decidedBy ? plainLine(one.decidedBy, 60) : <span class="soft">nobody</span>) },
		{ label: 'Why', cell: (one) => (one.reason ? plain(one.reason) : <span class="soft">not said</span>) },
		{ label: 'When', cell: (one) => <Moment at={one.decidedAt ?? one.createdAt} /> },
		{ label: 'Holds until', cell: (one) => (one.validUntil ? <Until at={one.validUntil} /> : <span class="soft">{lifeWords(one)}</span>) },
		{
			label: 'What can be done',
			isActions: true,
			cell: (one) =>
				holds(one) && (
					<button type="button" class="button is-small" onClick={() => setAsked(one)}>
						Take back<span class="only-read">: {storyOf(one).title}</span>
					</button>
				),
		},
	];
	if (closed.length === 0)
		return decisionsState.value.isRead ? (
			<Empty icon="inbox" title="Nothing was decided lately">
				What is answered stands here, with who answered and why.
			</Empty>
		) : (
			<p class="soft" aria-busy="true">
				Loading what was decided …
			</p>
		);
	return (
		<div class="column">
			<Table label="Lately decided" columns={columns} rows={closed.slice(0, count)} keyOf={(one) => one.id} />
			{closed.length > count && (
				<div>
					<button type="button" class="button" onClick={() => setCount(count + PAGE)}>
						Show {Math.min(PAGE, closed.length - count)} more of {closed.length}
					</button>
				</div>
			)}
			{asked && (
				<Confirm
					title="Take this approval back?"
					action="Take it back"
					isDanger
					onClose={() => setAsked(undefined)}
					run={() => revokeDecision(asked).then(() => tell('The approval is taken back.', 'good'))}
				>
					<p class="breaks">{storyOf(asked).title}. What runs already goes on; the next time it is asked about again.</p>
				</Confirm>
			)}
		</div>
	);
}
