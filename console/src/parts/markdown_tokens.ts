// SPDX-License-Identifier: Apache-2.0
/**
 * Markdown tokens: what a text says, or that it is shown as it stands. Reading markdown takes time that grows faster than the
 * text, and faster still where somebody made the text for that: so long ones, and ones full of signs, are not read at all.
 */
import { Lexer, type Token } from 'marked';

const LONGEST = 20_000;
const SIGNS = 1200;
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){9}/m;

/** Undefined: it is shown as plain text. */
export function tokensOf(text: string): Token[] | undefined {
	if (text.length > LONGEST || NESTED.test(text) || signsOf(text) > SIGNS) return undefined;
	try {
		return new Lexer({ gfm: true, breaks: true }).lex(text);
	} catch {
		return undefined;
	}
}

/** Signs that may begin something that has to be looked for further on. */
function signsOf(text: string): number {
	let count = 0;
	for (let at = 0; at < text.length; at += 1) if ('*_~`[]!<|\\('.includes(text[at]!)) count += 1;
	return count;
}

/** Where a link of a peer may lead; undefined: it is text. */
export function safeAddress(href: unknown): string | undefined {
	if (typeof href !== 'string' || href.length > 4000) return undefined;
	try {
		const { protocol } = new URL(href);
		return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? href : undefined;
	} catch {
		return undefined;
	}
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', mdash: '—', ndash: '–', hellip: '…' };

/** Character references of markdown, as the characters that they mean. */
export function unescaped(text: string): string {
	if (!text.includes('&')) return text;
	return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,6}));/g, (whole, decimal, hex, name) => {
		if (name !== undefined) return NAMED[name] ?? whole;
		const code = decimal !== undefined ? Number(decimal) : parseInt(hex, 16);
		return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
	});
}
