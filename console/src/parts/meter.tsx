// SPDX-License-Identifier: Apache-2.0
/** Meter: a small bar, as long as the figure beside it says; readers hear the label and the figure. */
import './meter.css';

export function Meter({ value, most, label, words, isWide = false }: { value: number; most: number; label: string; words: string; isWide?: boolean }) {
	const part = most > 0 ? Math.min(1, Math.max(0, value / most)) : 0;
	return (
		<span class={`meter${isWide ? ' is-wide' : ''}${value > most ? ' is-over' : ''}`}>
			<span class="meter-bar" role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={most} aria-valuenow={Math.min(value, most)}
				aria-valuetext={words}>
				<span class="meter-part" style={{ width: `${part * 100}%` }} />
			</span>
			<span class="meter-words">{words}</span>
		</span>
	);
}
