// SPDX-License-Identifier: Apache-2.0
/**
 * Raw: the very text from which an envelope or a decision was read, for whoever shows it. Numbers that JavaScript
 * would round are whole there.
 */

const texts = new WeakMap<object, string>();

/** The text of an envelope or a decision as the gateway wrote it; undefined for one that did not come from it. */
export function rawOf(record: object): string | undefined {
	return texts.get(record);
}

export function keepRaw<One extends object>(record: One, text: string): One {
	texts.set(record, text);
	return record;
}

/** Keeps the text of each element of the array at `path`, of which `read` is what JSON.parse() made. */
export function keepRawOfEach(elements: unknown, text: string, path: string[]): void {
	if (!Array.isArray(elements) || elements.length === 0) return;
	const raws = elementsOf(text, path);
	if (raws.length !== elements.length) return;
	elements.forEach((element, at) => {
		if (element !== null && typeof element === 'object') keepRaw(element, raws[at] as string);
	});
}

/** The texts of the elements of the array at `path`, within a text that is known to be sound JSON. */
export function elementsOf(text: string, path: string[]): string[] {
	let at = blank(text, 0);
	for (const name of path) {
		at = memberOf(text, at, name);
		if (at < 0) return [];
	}
	if (text[at] !== '[') return [];
	const found: string[] = [];
	for (at = blank(text, at + 1); text[at] !== ']';) {
		const end = behind(text, at);
		found.push(text.slice(at, end));
		at = blank(text, end);
		if (text[at] === ',') at = blank(text, at + 1);
	}
	return found;
}

function blank(text: string, at: number): number {
	while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
	return at;
}

/** Where the value of that member begins; -1: there is none. Of twins the last counts, as for JSON.parse(). */
function memberOf(text: string, at: number, name: string): number {
	let found = -1;
	if (text[at] !== '{') return found;
	for (at = blank(text, at + 1); text[at] === '"';) {
		const end = behind(text, at);
		const value = blank(text, blank(text, end) + 1);
		if (JSON.parse(text.slice(at, end)) === name) found = value;
		at = blank(text, behind(text, value));
		if (text[at] === ',') at = blank(text, at + 1);
	}
	return found;
}

function behindString(text: string, at: number): number {
	for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
	return at + 1;
}

/** Behind the value that begins there. */
function behind(text: string, at: number): number {
	let depth = 0;
	do {
		const sign = text[at];
		if (sign === '"') {
			at = behindString(text, at);
			continue;
		}
		if (sign === '{' || sign === '[') depth++;
		else if (sign === '}' || sign === ']') depth--;
		else if (depth === 0) return behindWord(text, at);
		at++;
	} while (depth > 0);
	return at;
}

/** A number, true, false, null. */
function behindWord(text: string, at: number): number {
	while (at < text.length && !',]} \n\r\t'.includes(text[at] as string)) at++;
	return at;
}
