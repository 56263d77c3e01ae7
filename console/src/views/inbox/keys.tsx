// SPDX-License-Identifier: Apache-2.0
/** Keys: one letter each, while nobody types and no dialog is open; and the small help that says so. */
import { useEffect, useRef } from 'preact/hooks';

const TYPING = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable]';

export interface Steps {
	next: () => void;
	before: () => void;
	open: () => void;
}

export function useKeys(steps: Steps): void {
	const now = useRef(steps);
	now.current = steps;
	useEffect(() => {
		const press = (event: KeyboardEvent) => {
			const target = event.target as HTMLElement;
			if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
			if (target.matches(TYPING)) {
				if (event.key === 'Escape' && target.id === 'inbox-reason') target.blur();
				return;
			}
			const button = (key: string) => document.querySelector<HTMLButtonElement>(`.inbox-detail [data-key="${key}"]:not(:disabled)`)?.click();
			const doings: Record<string, () => void> = {
				j: () => now.current.next(),
				k: () => now.current.before(),
				a: () => button('a'),
				d: () => button('d'),
				r: () => document.getElementById('inbox-reason')?.focus(),
			};
			const isItem = event.key === 'Enter' && target.classList.contains('inbox-item');
			const doing = isItem ? now.current.open : doings[event.key];
			if (!doing) return;
			event.preventDefault();
			doing();
		};
		addEventListener('keydown', press);
		return () => removeEventListener('keydown', press);
	}, []);
}

export function KeyHelp() {
	return (
		<p class="inbox-keys tiny soft" aria-label="Keys">
			<span>
				<kbd>j</kbd> <kbd>k</kbd> next, before
			</span>
			<span>
				<kbd>Enter</kbd> open
			</span>
			<span>
				<kbd>a</kbd> approve
			</span>
			<span>
				<kbd>d</kbd> deny
			</span>
			<span>
				<kbd>r</kbd> reason
			</span>
		</p>
	);
}
