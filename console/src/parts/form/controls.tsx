// SPDX-License-Identifier: Apache-2.0
/** Controls: one for each sort of value. Each shows what was typed until it can be read, and hands on what it reads. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../icon';
import { Field, Group, useDraft, type FieldProps } from './field';
import { readJson, readNumber, Typed } from './value';

export type ControlProps = FieldProps & { value: unknown; onChange: (value: unknown) => void };

/** Ctrl and Enter sends a form from a field of many lines. */
export function sends(event: KeyboardEvent): void {
	if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
	event.preventDefault();
	(event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

const INPUTS: Record<string, 'email' | 'url' | 'date'> = { email: 'email', uri: 'url', date: 'date' };
const EXAMPLES: Record<string, string> = { time: '13:05:00Z', uuid: '0b0e9e0c-5a0f-4d60-8f0e-0c6f7a1f2b3c', uri: 'https://…', email: 'name@example.org' };

export function TextControl({
	value,
	onChange,
	format,
	isLong = false,
	placeholder,
	min,
	max,
	...field
}: ControlProps & {
	format?: string | undefined;
	isLong?: boolean;
	placeholder?: string | undefined;
	min?: string | undefined;
	max?: string | undefined;
}) {
	const [hasLines, setHasLines] = useState(isLong || (typeof value === 'string' && value.includes('\n')));
	const read = (text: string) => (text === '' && !(field.isRequired && typeof value === 'string') ? undefined : text);
	const typed = (text: string) => onChange(read(text));
	const text =
		value instanceof Typed ? value.text : typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
	if (format === 'date-time') return <MomentControl {...field} value={value} onChange={onChange} />;
	return (
		<Field {...field}>
			{(ties) =>
				hasLines ? (
					<textarea
						{...ties}
						class="form-long"
						rows={3}
						spellcheck={false}
						placeholder={placeholder}
						value={text}
						onInput={(event) => typed(event.currentTarget.value)}
						onKeyDown={sends}
					/>
				) : (
					<input
						{...ties}
						type={(INPUTS[format ?? ''] ?? 'text') as 'text'}
						autocomplete="off"
						spellcheck={false}
						placeholder={placeholder ?? EXAMPLES[format ?? '']}
						min={min}
						max={max}
						value={text}
						onInput={(event) => typed(event.currentTarget.value)}
						onPaste={(event) => {
							const pasted = event.clipboardData?.getData('text/plain') ?? '';
							if (!pasted.trim().includes('\n')) return;
							event.preventDefault();
							setHasLines(true);
							typed(text + pasted);
						}}
					/>
				)
			}
		</Field>
	);
}

/** "2026-01-31T13:05" as the browser's control has it, in this time zone; "" where it is none. */
function localOf(value: unknown): string {
	const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(time)) return '';
	return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function readLocal(text: string): unknown {
	const time = Date.parse(text);
	return text === '' ? undefined : Number.isNaN(time) ? new Typed(text, 'Choose a day and a time.') : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function MomentControl({ value, onChange, hint, ...field }: ControlProps) {
	const [text, setText] = useDraft(value, readLocal, localOf);
	const zone = `In your time zone (${Intl.DateTimeFormat().resolvedOptions().timeZone}).`;
	return (
		<Field {...field} hint={hint ? `${hint}\n${zone}` : zone}>
			{(ties) => (
				<input
					{...ties}
					type="datetime-local"
					step={1}
					value={text}
					onInput={(event) => {
						setText(event.currentTarget.value);
						onChange(readLocal(event.currentTarget.value));
					}}
				/>
			)}
		</Field>
	);
}

export function NumberControl({
	value,
	onChange,
	isWhole = false,
	placeholder,
	...field
}: ControlProps & { isWhole?: boolean; placeholder?: string | undefined }) {
	const read = (text: string) => (text.trim() === '' ? undefined : readNumber(text, isWhole));
	const [text, setText] = useDraft(value, read);
	return (
		<Field {...field}>
			{(ties) => (
				<input
					{...ties}
					type="text"
					inputMode={isWhole ? 'numeric' : 'decimal'}
					autocomplete="off"
					placeholder={placeholder}
					value={text}
					onInput={(event) => {
						setText(event.currentTarget.value);
						onChange(read(event.currentTarget.value));
					}}
				/>
			)}
		</Field>
	);
}

export function JsonControl({ value, onChange, hint, ...field }: ControlProps) {
	const write = (one: unknown) => (one === undefined ? '' : one instanceof Typed ? one.text : JSON.stringify(one, null, 2));
	const [text, setText] = useDraft(value, readJson, write);
	return (
		<Field {...field} hint={hint ? `${hint}\nAs JSON.` : 'As JSON.'}>
			{(ties) => (
				<textarea
					{...ties}
					class="form-json"
					rows={4}
					spellcheck={false}
					value={text}
					onKeyDown={sends}
					onInput={(event) => {
						setText(event.currentTarget.value);
						onChange(readJson(event.currentTarget.value));
					}}
				/>
			)}
		</Field>
	);
}

/** Rows of one sort; `row` draws one of them. */
export function ListControl({
	value,
	onChange,
	empty,
	row,
	...field
}: ControlProps & { empty: unknown; row: (at: number, value: unknown, onChange: (value: unknown) => void) => ComponentChildren }) {
	const items = Array.isArray(value) ? value : [];
	const put = (next: unknown[]) => onChange(next.length === 0 && !field.isRequired ? undefined : next);
	return (
		<Group {...field}>
			<div class="form-list">
				{items.map((one, at) => (
					<div key={at} class="form-list-row">
						<div class="grows">{row(at, one, (changed) => put(items.map((other, index) => (index === at ? (changed ?? empty) : other))))}</div>
						<button
							type="button"
							class="button is-quiet is-icon"
							aria-label={`Take ${field.label} ${at + 1} out`}
							onClick={() => put(items.filter((_, index) => index !== at))}
						>
							<Icon name="close" size={16} />
						</button>
					</div>
				))}
				<div>
					<button type="button" class="button is-small" onClick={() => put([...items, empty])}>
						<Icon name="plus" size={14} />
						Add<span class="only-read"> to {field.label}</span>
					</button>
				</div>
			</div>
		</Group>
	);
}
