// SPDX-License-Identifier: Apache-2.0
/** Page: a head with its title, what may be done, one sentence of what this is; then the view. The document's title counts what waits. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { openDecisions } from '../stores/decisions';

export function Page({ title, words, actions, isReading = false, children }: {
	title: string; words?: ComponentChildren; actions?: ComponentChildren; isReading?: boolean; children: ComponentChildren;
}) {
	const waiting = openDecisions.value.length;
	useEffect(() => { document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · Hustings`; }, [title, waiting]);
	return (
		<div class={`page-inner${isReading ? ' is-reading' : ''}`}>
			<header class="page-head"><h1>{title}</h1>{actions}{words && <p>{words}</p>}</header>
			{children}
		</div>
	);
}
