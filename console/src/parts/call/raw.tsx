// SPDX-License-Identifier: Apache-2.0
/** Raw: envelopes octet for octet, as the gateway sent them, to be read and copied. */
import { rawOf, type Envelope } from 'hustings-client';
import { useState } from 'preact/hooks';
import { tell } from '../../stores/notices';
import { Moment } from '../moment';
import { plainLine } from '../plain';

const AT_FIRST = 20;
const SHOWN = 64 * 1024;

const textOf = (envelope: Envelope) => rawOf(envelope) ?? JSON.stringify(envelope);

async function copy(text: string): Promise<void> {
	try {
		await navigator.clipboard.writeText(text);
		tell('Copied.', 'good');
	} catch {
		tell('This browser does not let pages copy here: select the text instead.');
	}
}

function One({ envelope }: { envelope: Envelope }) {
	const text = textOf(envelope);
	return (
		<div>
			<p class="call-raw-head">
				<span class="grows cut">
					{plainLine(envelope.kind)} from {plainLine(envelope.from)}, <Moment at={envelope.ts} isClock />
				</span>
				<button type="button" class="button is-quiet is-small" onClick={() => void copy(text)}>
					Copy
				</button>
			</p>
			<pre class="json" tabIndex={0} role="region" aria-label={`Envelope ${plainLine(envelope.id, 60)}`}>
				{text.slice(0, SHOWN)}
			</pre>
			{text.length > SHOWN && (
				<p class="tiny soft">
					The first {SHOWN.toLocaleString()} of {text.length.toLocaleString()} characters; Copy takes all of it.
				</p>
			)}
		</div>
	);
}

export function Raw({ envelopes, leftOut = 0 }: { envelopes: Envelope[]; leftOut?: number }) {
	const [isOpen, setOpen] = useState(false);
	const [isAll, setAll] = useState(false);
	const shown = isAll ? envelopes : envelopes.slice(0, AT_FIRST);
	return (
		<div class="call-part">
			<div class="row">
				<button type="button" class="button is-quiet is-small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					{isOpen ? 'Hide raw' : 'Raw'}
				</button>
				{isOpen && envelopes.length > 1 && (
					<button type="button" class="button is-quiet is-small" onClick={() => void copy(envelopes.map(textOf).join('\n'))}>
						Copy all
					</button>
				)}
			</div>
			{isOpen && (
				<div class="call-raws">
					{shown.map((envelope) => (
						<One key={envelope.id} envelope={envelope} />
					))}
					{shown.length < envelopes.length && (
						<button type="button" class="button is-small" onClick={() => setAll(true)}>
							Show all {envelopes.length}
						</button>
					)}
					{leftOut > 0 && <p class="tiny soft">{leftOut} more came in between; history has them.</p>}
				</div>
			)}
		</div>
	);
}
