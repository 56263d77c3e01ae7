// SPDX-License-Identifier: Apache-2.0
/**
 * Diff: what changed in a definition, line by line, as the kernel laid it out ("- gone", "+ new", "  kept"); the mark stands in its own
 * column and is read out as a word, so that the colour says nothing alone. QuarantineDiff: the same, of a decision of kind quarantine.
 */
import './diff.css';
import type { Decision } from 'hustings-client';
import { plain } from './plain';

type Sort = 'gone' | 'new' | 'kept';

interface Line { sort: Sort; text: string }

const WORDS: Record<Sort, string> = { gone: 'removed: ', new: 'added: ', kept: '' };
const MARKS: Record<Sort, string> = { gone: '−', new: '+', kept: ' ' };

function read(line: string): Line {
	const mark = line[0];
	return { sort: mark === '-' ? 'gone' : mark === '+' ? 'new' : 'kept', text: plain(line.slice(2)) };
}

export function Diff({ lines, label }: { lines: readonly string[]; label: string }) {
	const all = lines.map(read);
	const gone = all.filter((line) => line.sort === 'gone').length;
	const added = all.filter((line) => line.sort === 'new').length;
	return (
		<figure class="diff" aria-label={label}>
			<figcaption class="small soft">{gone} {gone === 1 ? 'line' : 'lines'} removed, {added} added</figcaption>
			<div class="diff-lines" tabIndex={0} role="region" aria-label={`${label}, line by line`}>
				{all.map((line, at) => (
					<div key={at} class={`diff-line is-${line.sort}`}>
						<span class="diff-mark" aria-hidden="true">{MARKS[line.sort]}</span>
						<span class="diff-text"><span class="only-read">{WORDS[line.sort]}</span>{line.text}</span>
					</div>
				))}
			</div>
		</figure>
	);
}

export function QuarantineDiff({ decision }: { decision: Decision }) {
	const lines = decision.arguments?.diff;
	const hash = decision.arguments?.sha256;
	if (!Array.isArray(lines)) return <p class="soft">The gateway tells nothing about what changed.</p>;
	return (
		<div class="column">
			<Diff lines={lines.map(String)} label={`What changed in ${plain(decision.tool ?? 'the definition')}`} />
			{typeof hash === 'string' && <p class="tiny soft breaks">New definition, SHA-256: <span class="mono">{hash}</span></p>}
		</div>
	);
}
