// SPDX-License-Identifier: Apache-2.0
// Servers with the tools of MGP 16's examples among everyday ones, and what an answer about tools has to look like.

import assert from 'node:assert/strict';
import { Outsider } from './mgp_house.mjs';

export const EXTENSIONS = ['security', 'tool_discovery'];
const readOnly = { readOnlyHint: true };
const string = (description) => ({ type: 'string', description });
const object = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
/** What a tool says of its danger: safe, and in nobody's way. */
export const SAFE = { risk_level: 'safe', permissions_required: [], validator: 'none' };

/** The tool of MGP 16.4 and 16.5. */
export const READ_FILE = {
	name: 'read_file', description: 'Read the contents of a file at the given path', annotations: readOnly,
	inputSchema: object({ path: string('File path to read') }), categories: ['filesystem', 'read'],
	keywords: ['file', 'read', 'open', 'content', 'text'],
	security: { risk_level: 'moderate', permissions_required: ['filesystem.read'], validator: 'sandbox' },
};
export const GREP = {
	name: 'grep', description: 'Search file contents using pattern matching', annotations: readOnly,
	inputSchema: object({ pattern: string('What to look for'), path: string('Where to look') }), categories: ['filesystem', 'search'],
	keywords: ['search', 'pattern', 'find'], security: { risk_level: 'moderate', permissions_required: ['filesystem.read'], validator: 'sandbox' },
};
/** The tool of MGP 16.6. */
export const ANALYZE_CSV = {
	name: 'analyze_csv', description: 'Compute statistics on CSV data', annotations: readOnly,
	inputSchema: object({ csv: string('The data, as comma separated values') }), categories: ['data_analysis', 'statistics'],
	keywords: ['statistics', 'csv', 'mean', 'average', 'tabular'], security: { risk_level: 'safe', permissions_required: ['memory.read'], validator: 'none' },
};
const plainTool = (name, description, properties, more = {}) => ({ name, description, annotations: readOnly,
	inputSchema: object(properties), security: SAFE, ...more });

const think = (name, description) => plainTool(name, description, { text: string('What it is about') });
export const MIND = [think('think', 'Reason about a question step by step'), think('store', 'Remember a fact for later'),
	think('recall', 'Find a remembered fact again')];
export const TERMINAL = [READ_FILE, GREP, {
	name: 'remove_file', description: 'Delete a file from disk for good', annotations: { destructiveHint: true },
	inputSchema: object({ path: string('File path to delete') }), categories: ['filesystem', 'write'],
	security: { risk_level: 'dangerous', permissions_required: ['filesystem.write'], validator: 'sandbox' } }];
export const OFFICE = [
	plainTool('send_email', 'Send an electronic letter to one or more recipients', { to: string('Recipient'), subject: string('Subject'), body: string('Text') }),
	plainTool('create_event', 'Put an appointment into the calendar', { title: string('Title'), start: string('Begin') }),
	plainTool('get_weather', 'Tell the weather forecast of a city', { city: string('Name of the city') }),
	plainTool('translate_text', 'Translate a text into another language', { text: string('Text'), language: string('Target language') }),
	plainTool('convert_currency', 'Convert an amount of money between currencies', { amount: { type: 'number' }, from: string('From'), to: string('To') }),
	plainTool('play_music', 'Play a song or an album on the loudspeaker', { title: string('Title') }),
];

export const mind = (plan = {}, ...more) => new Outsider('mind', { extensions: EXTENSIONS, tools: MIND, ...plan }, ...more);
export const terminal = (plan = {}, ...more) => new Outsider('tool.terminal', { extensions: EXTENSIONS, tools: TERMINAL,
	permissions: ['filesystem.read', 'filesystem.write'], ...plan }, ...more);
export const processing = (plan = {}, ...more) => new Outsider('tool.data_processing', { extensions: EXTENSIONS, tools: [ANALYZE_CSV],
	permissions: ['memory.read'], ...plan }, ...more);
export const office = (plan = {}, ...more) => new Outsider('office', { plain: true, tools: OFFICE, ...plan }, ...more);

/** A tool in an answer of discover or request stands there as in the examples of the text. */
export function isFound(tool, definition, server_id) {
	assert.equal(tool.name, definition.name);
	assert.equal(tool.server_id, server_id);
	assert.equal(tool.description, definition.description);
	assert.deepEqual(tool.inputSchema, definition.inputSchema, 'the whole schema');
	assert.equal(tool.security.risk_level, definition.security.risk_level);
	assert.deepEqual(tool.security.permissions_required, definition.security.permissions_required);
	assert.equal(typeof tool.call_name, 'string');
}

export const namesOf = (tools) => tools.map(({ server_id, name }) => `${server_id}.${name}`);

/** An answer without what the time decides. */
export function timeless({ query_time_ms, resultType, _meta, ...rest }) {
	return rest;
}
