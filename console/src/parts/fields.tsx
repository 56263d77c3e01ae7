// SPDX-License-Identifier: Apache-2.0
/** Fields: a control with its label and hint, as forms of our own have them; forms of peers are made by parts/form. */
import './fields.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { plain } from './plain';

interface Common { label: string; hint?: string | undefined; value: string; onChange: (value: string) => void }

function Hint({ id, text }: { id: string; text: string | undefined }) {
	return text ? <span class="hint" id={`${id}-hint`}>{text}</span> : null;
}

interface TextProps extends Common {
	type?: 'text' | 'search' | 'url';
	isRequired?: boolean;
	isCode?: boolean;
	/** It takes the width that others leave. */
	isGrowing?: boolean;
	placeholder?: string;
	maxLength?: number;
	names?: readonly string[];
}

/** One line of text; `names` are proposed, and others are taken. */
export function TextField(props: TextProps) {
	const { label, hint, value, onChange, type = 'text', isRequired = false, isCode = false, isGrowing = false, placeholder, maxLength, names } = props;
	const id = useId();
	return (
		<div class={`field${isGrowing ? ' grows' : ''}`}>
			<label for={id}>{label}</label>
			<input id={id} type={type as 'text'} class={isCode ? 'mono' : undefined} required={isRequired} autocomplete="off" spellcheck={false}
				placeholder={placeholder} maxLength={maxLength} list={names && `${id}-names`} aria-describedby={hint ? `${id}-hint` : undefined}
				value={value} onInput={(event) => onChange(event.currentTarget.value)} />
			{names && <datalist id={`${id}-names`}>{names.map((name) => <option key={name} value={plain(name)} />)}</datalist>}
			<Hint id={id} text={hint} />
		</div>
	);
}

export function LinesField({ label, hint, value, onChange, rows = 3 }: Common & { rows?: number }) {
	const id = useId();
	return (
		<div class="field">
			<label for={id}>{label}</label>
			<textarea id={id} class="mono" rows={rows} autocomplete="off" spellcheck={false} aria-describedby={hint ? `${id}-hint` : undefined}
				value={value} onInput={(event) => onChange(event.currentTarget.value)} />
			<Hint id={id} text={hint} />
		</div>
	);
}

export type Choices = readonly (readonly [value: string, label: string])[];

export function SelectField({ label, hint, value, onChange, choices }: Common & { choices: Choices }) {
	const id = useId();
	return (
		<div class="field">
			<label for={id}>{label}</label>
			<select id={id} value={value} aria-describedby={hint ? `${id}-hint` : undefined} onChange={(event) => onChange(event.currentTarget.value)}>
				{choices.map(([one, words]) => <option key={one} value={one}>{words}</option>)}
			</select>
			<Hint id={id} text={hint} />
		</div>
	);
}

export function RadioField({ legend, value, onChange, choices }: {
	legend: ComponentChildren; value: string; onChange: (value: string) => void; choices: Choices;
}) {
	const name = useId();
	return (
		<fieldset class="field">
			<legend>{legend}</legend>
			<div class="row wraps fields-choices">
				{choices.map(([one, words]) => (
					<label key={one} class="row"><input type="radio" name={name} checked={value === one} onChange={() => onChange(one)} />{words}</label>
				))}
			</div>
		</fieldset>
	);
}

export function CheckField({ label, isChecked, onChange }: { label: string; isChecked: boolean; onChange: (isChecked: boolean) => void }) {
	return (
		<label class="row small fields-check">
			<input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />{label}
		</label>
	);
}
