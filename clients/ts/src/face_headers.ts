// SPDX-License-Identifier: Apache-2.0
/**
 * Face headers: what the head of a modern request repeats of its body (MCP 2026-07-28): the method, the name, and the
 * arguments that a tool's input schema marks with x-mcp-header.
 */

import type { Tool } from './records.js';

const NAMED: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
const DEEPEST = 64;

/** What is no plain ASCII, or has blanks at an end, goes wrapped. */
function wrapped(value: string): string {
	if (/^[\x20-\x7e]*$/.test(value) && value.trim() === value && !value.startsWith('=?base64?')) return value;
	let binary = '';
	for (const octet of new TextEncoder().encode(value)) binary += String.fromCharCode(octet);
	return `=?base64?${btoa(binary)}?=`;
}

/** `tool`: the definition of what is called, where it is known. */
export function headersOf(method: string, params: any, tool?: Tool): Record<string, string> {
	const headers: Record<string, string> = { 'mcp-method': method };
	const name = params?.[NAMED[method] ?? ''];
	if (typeof name === 'string') headers['mcp-name'] = wrapped(name);
	if (method === 'tools/call' && tool) addMarked(headers, tool.inputSchema, params?.arguments, 0);
	return headers;
}

function addMarked(headers: Record<string, string>, schema: any, value: any, depth: number): void {
	const properties = schema?.properties;
	if (properties === null || typeof properties !== 'object' || depth > DEEPEST) return;
	for (const [name, property] of Object.entries<any>(properties)) {
		const argument =
			value !== null && typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
		if (argument === undefined || argument === null) continue;
		const mark = property?.['x-mcp-header'];
		if (typeof mark === 'string' && typeof argument !== 'object')
			headers[`mcp-param-${mark.toLowerCase()}`] = wrapped(String(argument));
		addMarked(headers, property, argument, depth + 1);
	}
}
