// SPDX-License-Identifier: Apache-2.0
/**
 * Check: a value held against its schema before it leaves, in words for who fills it in. It knows what fields can be wrong about; the
 * gateway checks everything again. Patterns that could keep the page busy are left to the gateway, whose matching is bounded.
 */
import { factsOf, isObject, type Facts, type Schema } from './schema';
import { isNumber, isSame, numberOf, Typed } from './value';

/** By JSON pointer ("/trip/day"); "" is the value as a whole. */
export type Errors = { [pointer: string]: string };

const MOST_ERRORS = 100;

const FORMATS: Record<string, [RegExp, string]> = {
	email: [/^[^\s@]+@[^\s@]+$/, 'an address like name@example.org'],
	uri: [/^[a-zA-Z][a-zA-Z0-9+.-]*:\S+$/, 'an address with its scheme, like https://example.org/'],
	date: [/^\d{4}-\d{2}-\d{2}$/, 'a day like 2026-01-31'],
	'date-time': [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i, 'a time like 2026-01-31T13:05:00Z'],
	time: [/^\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/i, 'a time with its zone, like 13:05:00Z'],
	uuid: [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a UUID like 0b0e9e0c-5a0f-4d60-8f0e-0c6f7a1f2b3c'],
};

export function pointerTo(pointer: string, name: string | number): string {
	return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const bound = (schema: Schema, name: string): number | undefined => (typeof schema[name] === 'number' ? schema[name] : undefined);

/** No repeated group, nothing that refers back, and at most two open repetitions: its time grows slowly with the text. */
export function isHarmless(pattern: string): boolean {
	const bare = pattern.replace(/\\[^1-9k]/g, 'x').replace(/\[(?:\\.|[^\]])*\]/g, 'x');
	if (pattern.length > 300 || /\\[1-9k]/.test(bare) || /\)[*+{?]/.test(bare)) return false;
	return (bare.match(/[*+]|\{\d+,\}/g) ?? []).length <= 2;
}

function checkPattern(pattern: string, text: string): boolean {
	if (text.length > 2000 || !isHarmless(pattern)) return true;
	try {
		return new RegExp(pattern, 'u').test(text);
	} catch {
		return true;
	}
}

export function checkText(schema: Schema, text: string): string {
	const length = [...text].length;
	const [least, most] = [bound(schema, 'minLength'), bound(schema, 'maxLength')];
	if (least !== undefined && length < least) return `Write at least ${least} ${least === 1 ? 'character' : 'characters'}.`;
	if (most !== undefined && length > most) return `Write at most ${most} characters; these are ${length}.`;
	const format = typeof schema['format'] === 'string' ? FORMATS[schema['format']] : undefined;
	if (format && (!format[0].test(text) || (schema['format'] === 'date' && Number.isNaN(Date.parse(text))))) return `Write ${format[1]}.`;
	if (typeof schema['pattern'] === 'string' && !checkPattern(schema['pattern'], text))
		return `It has to have the form ${schema['pattern'].slice(0, 120)}`;
	return '';
}

export function checkNumber(schema: Schema, value: unknown): string {
	const number = numberOf(value);
	const [least, most] = [bound(schema, 'minimum'), bound(schema, 'maximum')];
	const [over, under, step] = [bound(schema, 'exclusiveMinimum'), bound(schema, 'exclusiveMaximum'), bound(schema, 'multipleOf')];
	if (least !== undefined && number < least) return `It has to be ${least} or more.`;
	if (most !== undefined && number > most) return `It may be ${most} at most.`;
	if (over !== undefined && number <= over) return `It has to be more than ${over}.`;
	if (under !== undefined && number >= under) return `It has to be less than ${under}.`;
	if (step !== undefined && step > 0 && Math.abs(number / step - Math.round(number / step)) > 1e-9) return `It has to be a multiple of ${step}.`;
	return '';
}

interface Checking {
	root: Schema;
	errors: Errors;
	count: number;
}

function say(checking: Checking, pointer: string, words: string): void {
	if (words === '' || checking.count >= MOST_ERRORS) return;
	checking.errors[pointer] = words;
	checking.count++;
}

function checkList(checking: Checking, facts: Facts, value: unknown, pointer: string): void {
	if (!Array.isArray(value)) return say(checking, pointer, 'This has to be a list.');
	const [least, most] = [bound(facts.schema, 'minItems'), bound(facts.schema, 'maxItems')];
	if (least !== undefined && value.length < least) say(checking, pointer, `Give at least ${least}.`);
	else if (most !== undefined && value.length > most) say(checking, pointer, `Give at most ${most}.`);
	else if (facts.schema['uniqueItems'] === true && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
		say(checking, pointer, 'One stands there twice.');
	value.forEach((one, at) => check(checking, facts.items, one, pointerTo(pointer, at), true, 99));
}

function checkObject(checking: Checking, facts: Facts, value: unknown, pointer: string, depth: number): void {
	if (!isObject(value)) return say(checking, pointer, 'This has to be an object.');
	const names = new Set(facts.properties.map(([name]) => name));
	for (const [name, schema] of facts.properties) check(checking, schema, value[name], pointerTo(pointer, name), facts.required.has(name), depth + 1);
	for (const name of facts.required) if (!names.has(name) && value[name] === undefined) say(checking, pointer, `${name} is missing.`);
}

function check(checking: Checking, given: unknown, value: unknown, pointer: string, isRequired: boolean, depth: number): void {
	if (value instanceof Typed) return say(checking, pointer, value.why);
	const facts = factsOf(given, checking.root, '', depth);
	if (value === undefined) {
		if (isRequired && facts.sort === 'object') return checkObject(checking, facts, {}, pointer, depth);
		return isRequired ? say(checking, pointer, facts.sort === 'yes' || facts.sort === 'choice' ? 'Choose one.' : 'This is needed.') : undefined;
	}
	if (facts.sort === 'choice') return facts.choices.some((one) => isSame(one.value, value)) ? undefined : say(checking, pointer, 'Choose one of these.');
	if (Object.hasOwn(facts.schema, 'const') && !isSame(facts.schema['const'], value))
		return say(checking, pointer, `It has to be ${JSON.stringify(facts.schema['const'])}.`);
	if (facts.sort === 'text') return say(checking, pointer, typeof value === 'string' ? checkText(facts.schema, value) : 'This has to be a text.');
	if (facts.sort === 'number' || facts.sort === 'whole')
		return say(checking, pointer, isNumber(value) ? checkNumber(facts.schema, value) : 'This has to be a number.');
	if (facts.sort === 'yes') return typeof value === 'boolean' ? undefined : say(checking, pointer, 'Choose yes or no.');
	if (facts.sort === 'list') return checkList(checking, facts, value, pointer);
	if (facts.sort === 'object') return checkObject(checking, facts, value, pointer, depth);
	const type = facts.schema['type'];
	if (type === 'object' && !isObject(value)) say(checking, pointer, 'Write a JSON object: { … }');
	if (type === 'array' && !Array.isArray(value)) say(checking, pointer, 'Write a JSON list: [ … ]');
}

/** What is wrong with a value, by pointer; {} when nothing is. */
export function checkForm(schema: unknown, value: unknown): Errors {
	const checking: Checking = { root: isObject(schema) ? schema : {}, errors: {}, count: 0 };
	check(checking, schema, value, '', true, 0);
	return checking.errors;
}
