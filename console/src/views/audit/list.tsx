// SPDX-License-Identifier: Apache-2.0
/** List: the records that fit, the newest first; older ones as one scrolls down, new ones as they come. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Empty, Failed, Waiting } from '../../parts/empty';
import { Icon } from '../../parts/icon';
import { asked, type Filter } from './filter';
import { BEGINNING, Records, RECORDS_MOST, type Trail } from './records';
import { RecordRow } from './row';

const NEAR = '600px'; /* of the end: the next page is asked for */

function useRecords(filter: Filter): { trail: Trail; records: Records | undefined } {
	const [trail, setTrail] = useState<Trail>(BEGINNING);
	const records = useRef<Records | undefined>(undefined);
	useEffect(() => {
		const one = new Records(filter, setTrail, trail.rows);
		records.current = one;
		return () => one.close();
	}, [JSON.stringify(filter)]);
	return { trail, records: records.current };
}

function stateWords(trail: Trail): string {
	if (trail.isPaused) return trail.held > 0 ? `${trail.held} new` : 'paused';
	if (trail.state === 'live') return 'live';
	return trail.state === 'waiting' ? 'connecting' : 'not live';
}

function Live({ trail, onPause }: { trail: Trail; onPause: (isPaused: boolean) => void }) {
	return (
		<div class="row audit-live">
			<span class={`badge ${trail.isPaused ? 'is-warn' : trail.state === 'live' ? 'is-good' : ''}`} role="status">
				{stateWords(trail)}
			</span>
			<button type="button" class="button is-small" onClick={() => onPause(!trail.isPaused)}>
				{trail.isPaused ? 'Go on' : 'Pause'}
			</button>
			{trail.missed > 0 && <span class="tiny soft">{trail.missed} came too fast to be told; reload to have them</span>}
		</div>
	);
}

function End({ trail, onNear, onMore }: { trail: Trail; onNear: () => void; onMore: () => void }) {
	const place = useRef<HTMLDivElement>(null);
	const near = useRef(onNear);
	near.current = onNear;
	const wants = !trail.isOver && !trail.isFull && !trail.isTired && !trail.isLoading && !trail.error;
	useEffect(() => {
		if (!wants || !place.current) return;
		const eye = new IntersectionObserver(
			(seen) => {
				if (seen.some((one) => one.isIntersecting)) near.current();
			},
			{ rootMargin: NEAR },
		);
		eye.observe(place.current);
		return () => eye.disconnect();
	}, [wants, trail.rows.length]);
	return (
		<div class="audit-end" ref={place}>
			{trail.isLoading && <Waiting what="records" />}
			{trail.isFull && <p class="soft small">{RECORDS_MOST.toLocaleString()} records are the most that is shown at once: filter, or export the rest.</p>}
			{trail.isOver && !trail.isFull && trail.rows.length > 0 && <p class="soft small">That is the beginning of the trail.</p>}
			{trail.isTired && <p class="soft small">Nothing further fits so far.</p>}
			{!trail.isOver && !trail.isFull && !trail.isLoading && (
				<button type="button" class="button" onClick={onMore}>
					<Icon name="down" size={15} /> Older records
				</button>
			)}
		</div>
	);
}

export function RecordList({ filter }: { filter: Filter }) {
	const { trail, records } = useRecords(filter);
	const isFiltered = Object.keys(filter).length > 0;
	const isEmpty = trail.rows.length === 0 && !trail.isLoading && !trail.error && (trail.isOver || trail.isTired);
	return (
		<section aria-label="Records" class="column" aria-busy={trail.isLoading}>
			<Live trail={trail} onPause={(isPaused) => records?.pause(isPaused)} />
			{trail.error && <Failed error={trail.error} again={() => void records?.older(true)} />}
			{isEmpty && (
				<Empty icon="audit" title={isFiltered ? 'Nothing fits' : 'Nothing yet'}>
					{isFiltered && asked(filter).since ? 'A longer time may have something.' : 'What happens from now on appears here.'}
				</Empty>
			)}
			{trail.rows.length > 0 && (
				<ol class="audit-list card" aria-label="The newest first">
					{trail.rows.map((row) => (
						<RecordRow key={row.key} record={row.record} filter={filter} />
					))}
				</ol>
			)}
			<End trail={trail} onNear={() => void records?.older()} onMore={() => void records?.older(true)} />
		</section>
	);
}
