// SPDX-License-Identifier: Apache-2.0
/** Parameters of a tool: its input schema as a table that people read, nested ones by their paths; the schema itself on demand. */
import { Json } from '../../parts/json';
import { plain } from '../../parts/plain';
import { Table, type Column } from '../../parts/table';

const DEPTH = 4;
const ROWS = 200;

interface Parameter { path: string; type: string; isRequired: boolean; words: string; limits: string }

function typeOf(schema: any): string {
	if (schema === true || schema === undefined) return 'anything';
	if (Array.isArray(schema?.enum)) return 'one of';
	if (schema?.const !== undefined) return 'always';
	if (Array.isArray(schema?.type)) return schema.type.map(String).join(' or ');
	if (schema?.type === 'array') return `list of ${typeOf(schema.items)}`;
	if (typeof schema?.type === 'string') return schema.format ? `${schema.type} (${schema.format})` : schema.type;
	const ways = schema?.anyOf ?? schema?.oneOf;
	if (Array.isArray(ways)) return [...new Set(ways.map(typeOf))].join(' or ');
	return schema?.properties ? 'object' : 'anything';
}

const LIMITS: [string, string][] = [
	['minimum', 'from'], ['exclusiveMinimum', 'over'], ['maximum', 'to'],
	['exclusiveMaximum', 'under'], ['minLength', 'characters from'], ['maxLength', 'characters to'],
	['minItems', 'entries from'], ['maxItems', 'entries to'], ['pattern', 'like'], ['multipleOf', 'steps of'],
];

function limitsOf(schema: any): string {
	const words: string[] = [];
	if (Array.isArray(schema?.enum)) words.push(schema.enum.slice(0, 30).map((one: unknown) => JSON.stringify(one)).join(', '));
	if (schema?.const !== undefined) words.push(JSON.stringify(schema.const));
	for (const [key, word] of LIMITS)
		if (schema?.[key] !== undefined) words.push(`${word} ${String(schema[key])}`);
	if (schema?.default !== undefined) words.push(`else ${JSON.stringify(schema.default)}`);
	return words.join(', ');
}

function collect(schema: any, before: string, depth: number, rows: Parameter[]): void {
	const required: unknown[] = Array.isArray(schema?.required) ? schema.required : [];
	for (const [name, one] of Object.entries<any>(schema?.properties ?? {})) {
		if (rows.length >= ROWS) return;
		const path = before ? `${before}.${name}` : name;
		const words = [one?.title, one?.description].filter((word) => typeof word === 'string').join(': ');
		rows.push({ path, type: typeOf(one), isRequired: required.includes(name), words, limits: limitsOf(one) });
		if (depth < DEPTH && one?.properties) collect(one, path, depth + 1, rows);
		if (depth < DEPTH && one?.items?.properties) collect(one.items, `${path}[]`, depth + 1, rows);
	}
}

function Name({ row }: { row: Parameter }) {
	return <><code class="breaks">{plain(row.path)}</code>{row.isRequired && <span class="badge is-accent tools-due">required</span>}</>;
}

const COLUMNS: Column<Parameter>[] = [
	{ label: 'Parameter', isTitle: true, cell: (row) => <Name row={row} /> },
	{ label: 'Type', cell: (row) => <span class="soft">{plain(row.type)}</span> },
	{ label: 'What it is', cell: (row) => <span class="breaks">{plain(row.words) || <span class="soft">it does not say</span>}</span> },
	{ label: 'Limits', cell: (row) => <span class="soft breaks">{plain(row.limits) || '–'}</span> },
];

export function Parameters({ schema, label }: { schema: any; label: string }) {
	const rows: Parameter[] = [];
	collect(schema, '', 0, rows);
	return (
		<div class="column">
			{rows.length === 0 && <p class="soft">{schema?.additionalProperties === false ? 'None.' : 'It names none.'}</p>}
			{rows.length > 0 && <Table label={label} columns={COLUMNS} rows={rows} keyOf={(row) => row.path} />}
			{rows.length >= ROWS && <p class="small soft">There are more: see the schema.</p>}
			<details><summary class="small soft">The schema as it is sent</summary><Json value={schema} label="Schema" /></details>
		</div>
	);
}
