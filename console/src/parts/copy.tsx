// SPDX-License-Identifier: Apache-2.0
/** Copy: puts a text onto the clipboard and says so; where the browser does not let us, the text is selected instead. */
import { useId, useRef, useState } from 'preact/hooks';

export function Copy({ text, label }: { text: string; label: string }) {
	const [said, setSaid] = useState('');
	const id = useId();
	const place = useRef<HTMLInputElement>(null);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			setSaid('Copied.');
		} catch {
			place.current?.select();
			setSaid('Selected: press Ctrl and C.');
		}
	};
	return (
		<div class="field">
			<span class="label" id={id}>{label}</span>
			<div class="row">
				<input ref={place} class="mono grows" readOnly value={text} aria-labelledby={id} onFocus={(event) => event.currentTarget.select()} />
				<button type="button" class="button" onClick={() => void copy()}>Copy</button>
			</div>
			<span class="hint" role="status">{said}</span>
		</div>
	);
}
