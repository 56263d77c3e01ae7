// SPDX-License-Identifier: Apache-2.0
/** Field: what stands around every control: its label, whether it is needed, what it is for, and what is wrong with it. */
import './form.css';
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { isSame, textOf } from './value';

export interface FieldProps {
	label: string;
	hint?: string | undefined;
	error?: string | undefined;
	isRequired?: boolean | undefined;
}

/** What ties a control to its label and its words. */
export interface Ties {
	id: string;
	'aria-describedby': string | undefined;
	'aria-invalid': 'true' | undefined;
	'aria-required': 'true' | undefined;
}

function useTies({ hint, error, isRequired }: FieldProps): { ties: Ties; hintId: string; errorId: string } {
	const id = useId();
	const [hintId, errorId] = [`${id}-hint`, `${id}-wrong`];
	const words = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ');
	return {
		hintId,
		errorId,
		ties: {
			id,
			'aria-describedby': words || undefined,
			'aria-invalid': error ? 'true' : undefined,
			'aria-required': isRequired ? 'true' : undefined,
		},
	};
}

function Needed({ isRequired }: { isRequired: boolean | undefined }) {
	return isRequired ? (
		<span class="form-needed" aria-hidden="true" title="needed">
			{' '}
			*
		</span>
	) : null;
}

function Words({ hint, error, hintId, errorId }: { hint: string | undefined; error: string | undefined; hintId: string; errorId: string }) {
	return (
		<>
			{hint && (
				<span class="hint form-hint" id={hintId}>
					{hint}
				</span>
			)}
			{error && (
				<span class="wrong breaks" id={errorId}>
					{error}
				</span>
			)}
		</>
	);
}

/** Around one control. */
export function Field({ children, ...props }: FieldProps & { children: (ties: Ties) => ComponentChildren }) {
	const { ties, hintId, errorId } = useTies(props);
	return (
		<div class="field">
			<label for={ties.id} class="breaks">
				{props.label}
				<Needed isRequired={props.isRequired} />
			</label>
			{children(ties)}
			<Words hint={props.hint} error={props.error} hintId={hintId} errorId={errorId} />
		</div>
	);
}

/** Around several controls that are one question. */
export function Group({ children, isBox = false, role, ...props }: FieldProps & { isBox?: boolean; role?: 'radiogroup'; children: ComponentChildren }) {
	const { ties, hintId, errorId } = useTies(props);
	return (
		<fieldset
			class={isBox ? 'form-group' : 'field'}
			role={role}
			aria-describedby={ties['aria-describedby']}
			{...(role ? { 'aria-required': ties['aria-required'], 'aria-invalid': ties['aria-invalid'] } : {})}
		>
			<legend class="breaks">
				{props.label}
				<Needed isRequired={props.isRequired} />
			</legend>
			<div class="form">
				{(props.hint || props.error) && (
					<div class="field">
						<Words hint={props.hint} error={props.error} hintId={hintId} errorId={errorId} />
					</div>
				)}
				{children}
			</div>
		</fieldset>
	);
}

/** The text in a control: as it was typed, for as long as it says the value that is held. */
export function useDraft(value: unknown, read: (text: string) => unknown, write: (value: unknown) => string = textOf): [string, (text: string) => void] {
	const [draft, setDraft] = useState(() => write(value));
	return [isSame(read(draft), value) ? draft : write(value), setDraft];
}
