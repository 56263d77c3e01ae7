// SPDX-License-Identifier: Apache-2.0
/**
 * Dialog: the browser's own, modal: it holds the keyboard, Escape closes it, a press beside it does not (a form would be lost); the focus goes back to where it was.
 * `isKept`: nor does Escape, for what is in it would be lost; its buttons do.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon';

export function Dialog({ title, isWide = false, isKept = false, onClose, children }: {
	title: string; isWide?: boolean; isKept?: boolean; onClose: () => void; children: ComponentChildren;
}) {
	const place = useRef<HTMLDialogElement>(null);
	const label = useId();
	useEffect(() => {
		const dialog = place.current!;
		const before = document.activeElement;
		if (!dialog.open) dialog.showModal();
		return () => {
			dialog.close();
			if (before instanceof HTMLElement) before.focus();
		};
	}, []);
	return (
		<dialog ref={place} class={`dialog${isWide ? ' is-wide' : ''}`} aria-labelledby={label}
			onKeyDown={(event) => { if (isKept && event.key === 'Escape') event.preventDefault(); }}
			onCancel={(event) => { event.preventDefault(); if (!isKept) onClose(); }}>
			<div class="dialog-head">
				<h2 id={label}>{title}</h2>
				<button type="button" class="button is-quiet is-icon" aria-label="Close" onClick={onClose}><Icon name="close" /></button>
			</div>
			<div class="dialog-body">{children}</div>
		</dialog>
	);
}
