// SPDX-License-Identifier: Apache-2.0
/** Metrics: the figures of /metrics (the text format of Prometheus), by name. */

/** One figure, with its labels; in the unit that its name says. */
export interface Sample {
	labels: Record<string, string>;
	value: number;
}

/** All samples of each name. */
export type Metrics = Map<string, Sample[]>;

const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})?\s+(\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, sign: string) => (sign === 'n' ? '\n' : sign));

function number(text: string): number {
	if (/^[+]?Inf$/.test(text)) return Infinity;
	return text === '-Inf' ? -Infinity : Number(text);
}

/** Reads a whole text; lines that are none are left out. */
export function readMetrics(text: string): Metrics {
	const metrics: Metrics = new Map();
	for (const line of text.split('\n')) {
		const match = line.startsWith('#') ? null : LINE.exec(line);
		if (!match) continue;
		const [, name, labels, value] = match as unknown as [string, string, string | undefined, string];
		const sample: Sample = { labels: {}, value: number(value) };
		for (const [, key, words] of (labels ?? '').matchAll(LABEL))
			sample.labels[key as string] = unescaped(words as string);
		metrics.set(name, [...(metrics.get(name) ?? []), sample]);
	}
	return metrics;
}
