// SPDX-License-Identifier: Apache-2.0
/**
 * Octets: the arguments of a decision as they stand in the record: what is approved is exactly that. They are laid out by lines and
 * otherwise left alone: numbers keep their digits, keys their order; characters that cannot be seen are written as escapes.
 */
import { rawOf, type Decision } from 'hustings-client';

/* What a reader would not see, or what turns the direction of what follows; a string of JSON may hold them as they are. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\udb40][\udc00-\udfff]/g;

function escaped(text: string): string {
	return text.replace(UNSEEN, (found) =>
		[...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
	);
}

/** Behind the string that begins there. */
function behindString(text: string, at: number): number {
	for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
	return at + 1;
}

const BLANK = /\s/;

/** Sound JSON, a member a line; every word of it stays as it is. */
export function layOut(text: string): string {
	let out = '';
	let depth = 0;
	const line = () => `\n${'  '.repeat(depth)}`;
	for (let at = 0; at < text.length;) {
		const sign = text[at]!;
		if (sign === '"') {
			const end = behindString(text, at);
			out += escaped(text.slice(at, end));
			at = end;
			continue;
		}
		at++;
		if (BLANK.test(sign)) continue;
		if (sign === '{' || sign === '[') {
			let next = at;
			while (next < text.length && BLANK.test(text[next]!)) next++;
			const isEmpty = text[next] === '}' || text[next] === ']';
			if (isEmpty) {
				out += sign + text[next];
				at = next + 1;
			} else {
				depth++;
				out += sign + line();
			}
		} else if (sign === '}' || sign === ']') {
			depth--;
			out += line() + sign;
		} else if (sign === ',') out += sign + line();
		else if (sign === ':') out += ': ';
		else out += sign;
	}
	return out;
}

/** The text of a member of an object; undefined: there is none. */
function memberOf(text: string, name: string): string | undefined {
	let depth = 0;
	for (let at = 0; at < text.length;) {
		const sign = text[at]!;
		if (sign === '{' || sign === '[') depth++;
		else if (sign === '}' || sign === ']') depth--;
		if (sign !== '"') {
			at++;
			continue;
		}
		const end = behindString(text, at);
		const colon = /^\s*:\s*/.exec(text.slice(end, end + 64));
		if (depth === 1 && colon && JSON.parse(text.slice(at, end)) === name) return valueAt(text, end + colon[0].length);
		at = end;
	}
	return undefined;
}

/** The value that begins there. */
function valueAt(text: string, from: number): string {
	let depth = 0;
	let at = from;
	while (at < text.length) {
		const sign = text[at]!;
		if (sign === '"') {
			at = behindString(text, at);
			if (depth === 0) break;
			continue;
		}
		if (sign === '{' || sign === '[') depth++;
		else if (sign === '}' || sign === ']') {
			if (depth === 0) break;
			depth--;
			if (depth === 0) return text.slice(from, at + 1);
		} else if (depth === 0 && (sign === ',' || BLANK.test(sign))) break;
		at++;
	}
	return text.slice(from, at);
}

/** What stands in the record under that path ("arguments", "payload"), laid out; undefined: nothing. */
export function octetsOf(decision: Decision, path: readonly string[]): string | undefined {
	const raw = rawOf(decision);
	if (raw === undefined) {
		const value = path.reduce<any>((at, name) => at?.[name], decision);
		return value === undefined ? undefined : layOut(JSON.stringify(value));
	}
	let at: string | undefined = raw;
	for (const name of path) at = at === undefined ? undefined : memberOf(at, name);
	return at === undefined ? undefined : layOut(at);
}
