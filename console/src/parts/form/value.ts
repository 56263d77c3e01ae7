// SPDX-License-Identifier: Apache-2.0
/**
 * Values of a form: what is typed stays as it is until it can be read. A number that JavaScript would round is kept as its digits
 * (raw JSON), and leaves exactly so.
 */

/** What was typed, and is no value yet; `why` says what it lacks. */
export class Typed {
	readonly text: string;
	readonly why: string;

	constructor(text: string, why: string) {
		this.text = text;
		this.why = why;
	}

	toJSON(): string {
		return this.text;
	}
}

interface RawJson {
	rawJSON?: (text: string) => unknown;
	isRawJSON?: (value: unknown) => value is { rawJSON: string };
}

const json = JSON as unknown as RawJson;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DIGITS = 1000;

export function isExact(value: unknown): value is { rawJSON: string } {
	return json.isRawJSON?.(value) === true;
}

export function isNumber(value: unknown): boolean {
	return typeof value === 'number' || isExact(value);
}

/** As a JavaScript number, for comparing; what is larger than any is infinite. */
export function numberOf(value: unknown): number {
	return typeof value === 'number' ? value : isExact(value) ? Number(value.rawJSON) : Number.NaN;
}

/** Sign, digits without zeros at either end, and where the point stands: the same for "1.50" and "15e-1". */
function canonical(text: string): string {
	const parts = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text);
	if (!parts) return text;
	const [, sign = '', whole = '', part = '', power = '0'] = parts;
	const digits = (whole + part).replace(/^0+/, '');
	if (digits === '') return '0';
	const short = digits.replace(/0+$/, '');
	return `${sign}${short}e${BigInt(power) - BigInt(part.length) + BigInt(digits.length - short.length)}`;
}

/** Reads a number; what is none, or has more digits than can be sent, stays typed. */
export function readNumber(typed: string, isWhole: boolean): unknown {
	const text = typed.trim();
	if (!NUMBER.test(text) || text.length > DIGITS)
		return new Typed(typed, isWhole ? 'Write a whole number, such as 12.' : 'Write a number, such as 12 or 0.5.');
	const [form, power = '0'] = canonical(text).split('e');
	if (isWhole && form !== '0' && Number(power) < 0) return new Typed(typed, 'Write a whole number, without a fraction.');
	const number = Number(text);
	if (Number.isFinite(number) && canonical(String(number)) === canonical(text)) return number;
	return json.rawJSON ? json.rawJSON(text) : new Typed(typed, 'This browser cannot send a number with so many digits.');
}

/** Reads JSON as it is written; numbers keep their digits. */
export function readJson(typed: string): unknown {
	if (typed.trim() === '') return undefined;
	try {
		return JSON.parse(typed, ((_key: string, value: unknown, context?: { source?: string }) =>
			typeof value === 'number' && context?.source !== undefined ? readNumber(context.source, false) : value) as (
			key: string,
			value: unknown,
		) => unknown);
	} catch (error) {
		return new Typed(typed, `This is no JSON: ${(error as Error).message}`);
	}
}

/** A value as a field shows it. */
export function textOf(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (value instanceof Typed) return value.text;
	if (isExact(value)) return value.rawJSON;
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether two values are the same one as JSON. */
export function isSame(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
