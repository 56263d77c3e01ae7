// SPDX-License-Identifier: Apache-2.0
/** Choices: one of several: buttons for few and short ones, a list for more; yes or no is one of two. */
import { useId } from 'preact/hooks';
import type { ControlProps } from './controls';
import { Field, Group } from './field';
import type { Choice } from './schema';
import { isSame } from './value';

const FEW = 6;
const SHORT = 70;

export function ChoiceControl({
	value,
	onChange,
	choices,
	isRow = false,
	...field
}: ControlProps & { choices: (Choice & { hint?: string; isDisabled?: boolean })[]; isRow?: boolean }) {
	const name = useId();
	const at = choices.findIndex((one) => value !== undefined && isSame(one.value, value));
	if (choices.length > FEW || choices.some((one) => one.label.length > SHORT))
		return (
			<Field {...field}>
				{(ties) => (
					<select
						{...ties}
						value={at < 0 ? '' : String(at)}
						onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : choices[Number(event.currentTarget.value)]?.value)}
					>
						<option value="">{field.isRequired ? 'Choose …' : 'Nothing'}</option>
						{choices.map((one, index) => (
							<option key={index} value={String(index)} disabled={one.isDisabled}>
								{one.label}
								{one.hint ? ` · ${one.hint}` : ''}
							</option>
						))}
					</select>
				)}
			</Field>
		);
	return (
		<Group {...field} role="radiogroup">
			<div class={`form-choices${isRow ? ' is-row' : ''}`}>
				{choices.map((one, index) => (
					<label key={index} class="form-choice">
						<input type="radio" name={name} checked={index === at} disabled={one.isDisabled} onChange={() => onChange(one.value)} />
						<span>
							{one.label}
							{one.hint && <span class="soft small"> · {one.hint}</span>}
						</span>
					</label>
				))}
				{!field.isRequired && (
					<label class="form-choice">
						<input type="radio" name={name} checked={value === undefined || value === null} onChange={() => onChange(undefined)} />
						<span class="soft">Nothing</span>
					</label>
				)}
			</div>
		</Group>
	);
}

export function YesControl(props: ControlProps & { yes?: string; no?: string }) {
	const { yes = 'Yes', no = 'No', ...rest } = props;
	return (
		<ChoiceControl
			{...rest}
			isRow
			choices={[
				{ value: true, label: yes },
				{ value: false, label: no },
			]}
		/>
	);
}
