// SPDX-License-Identifier: Apache-2.0
/** PromptControl: the control for a prompt of MCP Flow, and what its answer has to be; the tool's own check has the last word. */
import type { Prompt } from 'hustings-client';
import { plain, plainLine } from '../plain';
import { checkForm, checkNumber, checkText, isHarmless, type Errors } from './check';
import { ChoiceControl, YesControl } from './choices';
import { JsonControl, NumberControl, TextControl } from './controls';
import { Group } from './field';
import { checkFile, FileControl } from './file';
import { SchemaForm } from './form';
import { factsOf, firstValue, isObject } from './schema';
import { isNumber, Typed } from './value';

const rulesOf = (prompt: Prompt): { [rule: string]: unknown } => (isObject(prompt.validation) ? prompt.validation : {});
const wordOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Only what says that it is needed is: a prompt without a rule may go unanswered. */
export function isNeeded(prompt: Prompt): boolean {
	return rulesOf(prompt)['required'] === true;
}

/** The rules of a prompt in the words of JSON Schema, which the checks know. */
function asSchema(prompt: Prompt): { [keyword: string]: unknown } {
	const { min, max, minLength, maxLength, pattern, format } = rulesOf(prompt);
	if (prompt.type === 'number') return { minimum: min, maximum: max };
	return {
		minLength: minLength ?? min,
		maxLength: maxLength ?? max,
		format,
		pattern: typeof pattern === 'string' && isHarmless(pattern) ? pattern : undefined,
	};
}

function checkDate(prompt: Prompt, value: string): string {
	const { min, max, format } = rulesOf(prompt);
	const wrong = checkText({ format: format ?? 'date' }, value);
	if (wrong) return wrong;
	if (typeof min === 'string' && value.slice(0, min.length) < min.slice(0, value.length)) return `It may not be before ${min}.`;
	if (typeof max === 'string' && value.slice(0, max.length) > max.slice(0, value.length)) return `It may not be after ${max}.`;
	return '';
}

/** What is wrong with an answer, in words; {} when nothing is. "" is the answer as a whole. */
export function checkPrompt(prompt: Prompt, value: unknown): Errors {
	if (value instanceof Typed) return { '': value.why };
	if (prompt.type === 'custom' && isObject(prompt.schema)) {
		if (value === undefined && !isNeeded(prompt)) return {};
		return checkForm(prompt.schema, value);
	}
	if (value === undefined || value === null || (value === '' && isNeeded(prompt)))
		return isNeeded(prompt) ? { '': prompt.type === 'choice' || prompt.type === 'confirm' ? 'Choose one.' : 'An answer is needed.' } : {};
	const wrong =
		prompt.type === 'text'
			? checkText(asSchema(prompt), String(value))
			: prompt.type === 'number'
				? isNumber(value)
					? checkNumber(asSchema(prompt), value)
					: 'Write a number.'
				: prompt.type === 'date'
					? checkDate(prompt, String(value))
					: prompt.type === 'file'
						? checkFile(rulesOf(prompt), value)
						: '';
	return wrong ? { '': wrong } : {};
}

/** What a prompt begins with: what it suggests itself. */
export function firstAnswer(prompt: Prompt): unknown {
	if (prompt.defaultValue !== undefined && prompt.defaultValue !== null) return prompt.defaultValue;
	return prompt.type === 'custom' && isObject(prompt.schema) ? firstValue(prompt.schema) : undefined;
}

export function PromptControl({
	prompt,
	value,
	onChange,
	error,
	errors,
}: {
	prompt: Prompt;
	value: unknown;
	onChange: (value: unknown) => void;
	error?: string | undefined;
	errors?: Errors;
}) {
	const rules = rulesOf(prompt);
	const message = plain(String(prompt.message ?? ''));
	const label = message.length <= 300 && message.trim() !== '' ? message : plainLine(prompt.name ?? 'Answer');
	const hint = label === message ? undefined : message;
	const wrong = error || errors?.[''];
	const shared = { label, hint, error: wrong, isRequired: isNeeded(prompt), value, onChange };
	const placeholder = wordOf(prompt.placeholder);
	switch (prompt.type) {
		case 'choice':
			return (
				<ChoiceControl
					{...shared}
					choices={(prompt.choices ?? []).map((one) => ({
						value: one.value,
						label: plainLine(one.label || String(one.value)),
						...(one.description ? { hint: plainLine(one.description) } : {}),
						isDisabled: one.disabled === true,
					}))}
				/>
			);
		case 'confirm':
			return <YesControl {...shared} isRequired />;
		case 'number':
			return <NumberControl {...shared} isWhole={rules['integer'] === true} placeholder={placeholder} />;
		case 'date':
			return (
				<TextControl
					{...shared}
					key={prompt.promptId}
					format={wordOf(rules['format']) ?? 'date'}
					placeholder={placeholder}
					min={wordOf(rules['min'])}
					max={wordOf(rules['max'])}
				/>
			);
		case 'file':
			return <FileControl {...shared} rules={rules} />;
		case 'custom': {
			if (!isObject(prompt.schema)) return <JsonControl {...shared} />;
			const { title: _, description, ...schema } = prompt.schema;
			const words = typeof description === 'string' && plain(description) !== message ? description : undefined;
			const isOne = factsOf(schema, schema, label, 0).sort !== 'object';
			if (isOne)
				return (
					<SchemaForm
						schema={{ ...schema, description: hint ?? words }}
						value={value}
						onChange={onChange}
						errors={{ ...errors, ...(wrong ? { '': wrong } : {}) }}
						label={label}
						isRequired={isNeeded(prompt)}
					/>
				);
			return (
				<Group label={label} hint={hint ?? words} error={wrong} isRequired={isNeeded(prompt)}>
					<SchemaForm schema={schema} value={value} onChange={onChange} errors={{ ...errors, '': '' }} label={label} />
				</Group>
			);
		}
		default: {
			const most = Number(rules['max'] ?? rules['maxLength'] ?? 0);
			return <TextControl {...shared} format={wordOf(rules['format'])} isLong={most > 200} placeholder={placeholder} />;
		}
	}
}
