// SPDX-License-Identifier: Apache-2.0
/** Row: one record as a sentence, with what it holds on opening. Everything in it is text. */
import type { AuditRecord } from 'hustings-client';
import { memo } from 'preact/compat';
import { useId, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { Json } from '../../parts/json';
import { to } from '../../stores/route';
import { addressOf, withOne, type Filter } from './filter';
import { sentence, toneOf, type Piece } from './sentence';

const TONE_WORDS = { good: 'worked', danger: 'failed', warn: 'refused or held', plain: '' } as const;

export function Sentence({ pieces, filter }: { pieces: Piece[]; filter: Filter }) {
	return (
		<>
			{pieces.map((piece, at) =>
				typeof piece === 'string' ? (
					piece
				) : (
					<a key={at} class="audit-chip" href={addressOf(withOne(filter, piece.name, piece.value))} title={`Show ${piece.name} ${piece.words}`}>
						{piece.words}
					</a>
				),
			)}
		</>
	);
}

export function timeWords(ts: string): string {
	const date = new Date(ts);
	if (Number.isNaN(date.getTime())) return ts;
	const isToday = new Date().toDateString() === date.toDateString();
	const clock = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
	return isToday ? clock : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${clock}`;
}

function Row({ record, filter, isTraced = false }: { record: AuditRecord; filter: Filter; isTraced?: boolean }) {
	const [isOpen, setOpen] = useState(false);
	const details = useId();
	const tone = toneOf(record);
	return (
		<li class={`audit-row is-${tone}`}>
			<span class="audit-mark" aria-hidden="true" />
			<time class="audit-time tiny soft" dateTime={record.ts} title={new Date(record.ts).toLocaleString()}>
				{timeWords(record.ts)}
			</time>
			<div class="audit-words breaks">
				<Sentence pieces={sentence(record)} filter={filter} />
				{TONE_WORDS[tone] && <span class="only-read"> ({TONE_WORDS[tone]})</span>}
				{record.count > 1 && (
					<span class="badge" title={`${record.count} of them, counted together`}>
						× {record.count}
					</span>
				)}
			</div>
			<div class="audit-more">
				{record.trace_id && !isTraced && (
					<a class="button is-quiet is-small" href={to('audit', 'trace', record.trace_id)}>
						Trace
					</a>
				)}
				<button
					type="button"
					class="button is-quiet is-small is-icon"
					aria-expanded={isOpen}
					aria-controls={details}
					aria-label="Details"
					onClick={() => setOpen(!isOpen)}>
					<Icon name={isOpen ? 'down' : 'right'} size={15} />
				</button>
			</div>
			<div class="audit-details" id={details} hidden={!isOpen}>
				{isOpen && <Json value={record} label="The record as it is stored" />}
			</div>
		</li>
	);
}

export const RecordRow = memo(Row);
