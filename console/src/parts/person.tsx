// SPDX-License-Identifier: Apache-2.0
/** Person: a face of two letters (round for people, square for agents and robots), and who that is. Names are text, never markup. */
import type { Kind, Privilege } from 'hustings-client';
import { plainLine } from './plain';

function hueOf(id: string): number {
	let sum = 0;
	for (const letter of id) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0;
	return sum % 6;
}

function lettersOf(id: string): string {
	const words = id.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
	return (words.length > 1 ? `${[...words[0]!][0]}${[...words[1]!][0]}` : [...(words[0] ?? '?')].slice(0, 2).join('')).toUpperCase();
}

export function Face({ id, kind, isSmall = false }: { id: string; kind?: Kind | undefined; isSmall?: boolean }) {
	return <span class={`face is-${kind ?? 'unsaid'}${isSmall ? ' is-small' : ''}`} data-hue={hueOf(id)} aria-hidden="true">{lettersOf(plainLine(id))}</span>;
}

export const KIND_WORDS: Record<string, string> = { human: 'person', agent: 'agent', robot: 'robot' };

export function PrivilegeBadge({ privilege }: { privilege?: Privilege | undefined }) {
	if (privilege === undefined) return null;
	return <span class={`badge ${privilege === 'full' ? 'is-accent' : 'is-warn'}`} title={privilege === 'full' ? 'may call tools' : 'may chat and propose'}>{privilege}</span>;
}

export function Person({ id, name, kind, privilege }: { id: string; name?: string | undefined; kind?: Kind | undefined; privilege?: Privilege | undefined }) {
	const shown = plainLine(id);
	const called = name !== undefined && name !== id ? plainLine(name) : undefined;
	return (
		<span class="row">
			<Face id={id} kind={kind} />
			<span class="grows">
				<span class="strong person-name" title={shown}>{shown}</span>
				<span class="tiny soft cut person-words">{[kind && KIND_WORDS[kind], called].filter(Boolean).join(' · ')}</span>
			</span>
			<PrivilegeBadge privilege={privilege} />
		</span>
	);
}
