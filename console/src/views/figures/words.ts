// SPDX-License-Identifier: Apache-2.0
/** Words: figures as they are read, with their unit. */
export type Unit = 'count' | 'second' | 'ms' | 'octets';

const SIZES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function digits(value: number): string {
	const size = Math.abs(value);
	const places = size === 0 || size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3;
	return value.toLocaleString('en', { maximumFractionDigits: places });
}

export function figure(value: number | null | undefined, unit: Unit): string {
	if (value === null || value === undefined || Number.isNaN(value)) return '–';
	if (unit === 'second') return `${digits(value)}/s`;
	if (unit === 'ms') return value >= 1000 ? `${digits(value / 1000)} s` : `${digits(value)} ms`;
	if (unit === 'count') return digits(value);
	let size = value;
	let at = 0;
	for (; Math.abs(size) >= 1024 && at < SIZES.length - 1; at += 1) size /= 1024;
	return `${digits(size)} ${SIZES[at]}`;
}
