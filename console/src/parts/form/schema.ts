// SPDX-License-Identifier: Apache-2.0
/**
 * Schema: what a JSON Schema wants of a field, in the few sorts that a form has a control for. "One of these or nothing" is that one;
 * a reference within the schema is followed; whatever is more than that is written as JSON.
 */
import { plain, plainLine } from '../plain';

/** As it comes from a peer: nothing of it can be relied on. */
export type Schema = { [keyword: string]: unknown };

export type Sort = 'text' | 'number' | 'whole' | 'yes' | 'choice' | 'list' | 'object' | 'json';

export interface Choice {
	value: unknown;
	label: string;
}

export interface Facts {
	sort: Sort;
	/** The schema itself, references followed. */
	schema: Schema;
	label: string;
	hint: string;
	choices: Choice[];
	properties: [name: string, schema: Schema][];
	required: ReadonlySet<string>;
	items: Schema;
}

export const DEPTH = 4;
const FIELDS = 200;
const CHOICES = 500;
const FOLLOWED = 8;

export function isObject(value: unknown): value is { [name: string]: unknown } {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function target(root: Schema, reference: string): Schema | undefined {
	if (!reference.startsWith('#/')) return undefined;
	let at: unknown = root;
	for (const part of reference.slice(2).split('/')) {
		const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
		if (!isObject(at) || !Object.hasOwn(at, name)) return undefined;
		at = at[name];
	}
	return isObject(at) ? at : undefined;
}

/** References followed, and "this or null" as this. Undefined: it is more than a form can say. */
function settle(schema: Schema, root: Schema): Schema | undefined {
	let now = schema;
	for (let step = 0; step < FOLLOWED; step++) {
		const { $ref, anyOf, oneOf, allOf, ...own } = now;
		if (typeof $ref === 'string') {
			const found = target(root, $ref);
			if (!found) return undefined;
			now = { ...found, ...own };
			continue;
		}
		const several = anyOf ?? oneOf ?? (Array.isArray(allOf) && allOf.length === 1 ? allOf : undefined);
		if (Array.isArray(several) && !choicesOf(now)) {
			const left = several.filter((one) => isObject(one) && one['type'] !== 'null');
			if (left.length !== 1) return undefined;
			now = { ...(left[0] as Schema), ...own };
			continue;
		}
		return allOf === undefined || several !== undefined ? now : undefined;
	}
	return undefined;
}

function labelOf(value: unknown): string {
	return plainLine(typeof value === 'string' ? value : JSON.stringify(value)) || '(nothing)';
}

function choicesOf(schema: Schema): Choice[] | undefined {
	const { enum: values, enumNames: names } = schema;
	if (Array.isArray(values) && values.length > 0 && values.length <= CHOICES)
		return values.map((value, at) => ({ value, label: Array.isArray(names) && typeof names[at] === 'string' ? plainLine(names[at]) : labelOf(value) }));
	const several = schema['oneOf'] ?? schema['anyOf'];
	if (!Array.isArray(several) || several.length === 0 || several.length > CHOICES) return undefined;
	if (!several.every((one) => isObject(one) && Object.hasOwn(one, 'const'))) return undefined;
	return (several as Schema[]).map((one) => ({
		value: one['const'],
		label: typeof one['title'] === 'string' ? plainLine(one['title']) : labelOf(one['const']),
	}));
}

function typeOf(schema: Schema): string | undefined {
	const { type } = schema;
	if (Array.isArray(type)) {
		const left = type.filter((one) => one !== 'null');
		return left.length === 1 ? String(left[0]) : undefined;
	}
	if (typeof type === 'string') return type;
	return isObject(schema['properties']) ? 'object' : undefined;
}

const PLAIN: Record<string, Sort> = { string: 'text', number: 'number', integer: 'whole', boolean: 'yes' };

function sortOf(schema: Schema, root: Schema, depth: number): Sort {
	const type = typeOf(schema);
	if (choicesOf(schema)) return 'choice';
	if (type !== undefined && PLAIN[type]) return PLAIN[type];
	if (type === 'array' && isObject(schema['items'])) {
		const inner = settle(schema['items'], root);
		const sort = inner && sortOf(inner, root, DEPTH);
		return sort === 'text' || sort === 'number' || sort === 'whole' || sort === 'choice' ? 'list' : 'json';
	}
	const properties = schema['properties'];
	const isForm = type === 'object' && isObject(properties) && Object.keys(properties).length > 0 && Object.keys(properties).length <= FIELDS;
	return isForm && depth < DEPTH ? 'object' : 'json';
}

/** What a field for that schema is; `depth`: how many objects it stands in. */
export function factsOf(given: unknown, root: Schema, name: string, depth: number): Facts {
	const raw = isObject(given) ? given : {};
	const schema = settle(raw, root);
	const shown = schema ?? raw;
	const { title, description, properties, required, items } = shown;
	const label = typeof title === 'string' && title.trim() !== '' ? plainLine(title, 120) : plainLine(name, 120);
	return {
		sort: schema ? sortOf(schema, root, depth) : 'json',
		schema: shown,
		label: label || 'Value',
		hint: typeof description === 'string' ? plain(description).slice(0, 2000) : '',
		choices: choicesOf(shown) ?? [],
		properties: isObject(properties)
			? Object.entries(properties)
					.slice(0, FIELDS)
					.map(([key, one]) => [key, isObject(one) ? one : {}])
			: [],
		required: new Set(Array.isArray(required) ? required.filter((one) => typeof one === 'string') : []),
		items: isObject(items) ? items : {},
	};
}

/** What a form begins with: the defaults that its schema names. */
export function firstValue(given: unknown, root: Schema = isObject(given) ? given : {}, depth = 0): unknown {
	const facts = factsOf(given, root, '', depth);
	if (Object.hasOwn(facts.schema, 'default') && facts.schema['default'] !== null) return structuredClone(facts.schema['default']);
	if (Object.hasOwn(facts.schema, 'const')) return facts.schema['const'];
	if (facts.sort !== 'object') return undefined;
	const begun: { [name: string]: unknown } = {};
	for (const [name, schema] of facts.properties) {
		const first = firstValue(schema, root, depth + 1);
		if (first !== undefined) begun[name] = first;
	}
	return depth === 0 || Object.keys(begun).length > 0 ? begun : undefined;
}
