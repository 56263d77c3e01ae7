// SPDX-License-Identifier: Apache-2.0
/** Question: what a server asks in the middle of a call (MGP 13.4), as a form: options, yes and no, words, or an object by its schema. */
import type { Decision } from 'hustings-client';
import { checkForm, SchemaForm, Typed, type Errors } from '../../parts/form';
import { ChoiceControl, YesControl } from '../../parts/form/choices';
import { TextControl } from '../../parts/form/controls';
import { plain, plainLine } from '../../parts/plain';

interface Asked {
	type: string;
	message: string;
	options: string[];
	schema: unknown;
}

export function askedOf(decision: Decision): Asked {
	const { type, message, options, schema } = decision.arguments ?? {};
	return {
		type: String(type ?? 'confirmation'),
		message: plain(String(message ?? '')),
		options: Array.isArray(options) ? options.filter((one): one is string => typeof one === 'string') : [],
		schema,
	};
}

/** What is wrong with an answer; {} when nothing is. */
export function checkAnswer(decision: Decision, value: unknown): Errors {
	const { type, options, schema } = askedOf(decision);
	if (value instanceof Typed) return { '': value.why };
	if (type === 'input' && options.length === 0 && schema !== undefined) return checkForm(schema, value ?? {});
	return value === undefined || value === '' ? { '': type === 'input' && options.length === 0 ? 'Write an answer.' : 'Choose one.' } : {};
}

export function Question({
	decision,
	value,
	onChange,
	errors,
}: {
	decision: Decision;
	value: unknown;
	onChange: (value: unknown) => void;
	errors: Errors;
}) {
	const { type, message, options, schema } = askedOf(decision);
	const shared = { label: 'Your answer', error: errors[''], isRequired: true, value, onChange };
	return (
		<div class="column">
			<p class="inbox-asked breaks">{message}</p>
			{options.length > 0 ? (
				<ChoiceControl {...shared} choices={options.map((one) => ({ value: one, label: plainLine(one) }))} isRow />
			) : type === 'input' && schema !== undefined ? (
				<SchemaForm schema={schema} value={value} onChange={onChange} errors={errors} label="Your answer" />
			) : type === 'input' ? (
				<TextControl {...shared} isLong />
			) : (
				<YesControl {...shared} />
			)}
		</div>
	);
}
