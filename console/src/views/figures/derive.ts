// SPDX-License-Identifier: Apache-2.0
/** Derive: lines out of samples: a figure as it is, how fast a counter goes up, how much it went up in the last minute, quantiles. null: not known. */
import { between, quantile } from './quantile';
import { GAP_MS, type Sample } from './samples';

export type Line = (number | null)[];
export type Derive = (samples: readonly Sample[]) => Line;

const MINUTE_MS = 60_000;
const TOOK_MS = 30_000;
const RATE_MS = 10_000;

export function value(name: string, scale = 1): Derive {
	return (samples) =>
		samples.map((sample) => {
			const found = sample.values.get(name);
			return found === undefined ? null : found * scale;
		});
}

/** A second, over the last ten, of all those together. A counter that began anew, or a gap, is not known. */
export function rate(...names: string[]): Derive {
	const sum = (sample: Sample) =>
		names.reduce<number | null>((all, name) => {
			const one = sample.values.get(name);
			return all === null || one === undefined ? null : all + one;
		}, 0);
	return (samples) => {
		const firsts = windows(samples, RATE_MS);
		return samples.map((sample, at) => {
			const before = samples[firsts[at]!]!;
			const [first, last] = [sum(before), sum(sample)];
			return before === sample || first === null || last === null || last < first ? null : (last - first) / ((sample.at - before.at) / 1000);
		});
	};
}

/** For each sample the first one of the time before it, without a gap in between: one walk over all. */
function windows(samples: readonly Sample[], spanMs: number): number[] {
	let first = 0;
	return samples.map((sample, at) => {
		if (at > 0 && sample.at - samples[at - 1]!.at > GAP_MS) first = at;
		while (sample.at - samples[first]!.at > spanMs) first += 1;
		return first;
	});
}

/** How much it went up in the last minute, or since the first look. */
export function inLastMinute(name: string): Derive {
	return (samples) => {
		const firsts = windows(samples, MINUTE_MS);
		return samples.map((sample, at) => {
			const [first, last] = [samples[firsts[at]!]!.values.get(name), sample.values.get(name)];
			return firsts[at] === at || first === undefined || last === undefined || last < first ? null : last - first;
		});
	};
}

/** In milliseconds, of the calls of the last half minute. */
export function took(part: number): Derive {
	return (samples) => {
		const firsts = windows(samples, TOOK_MS);
		return samples.map((sample, at) => {
			const added = between(samples[firsts[at]!]!.took, sample.took);
			const seconds = added && quantile(added, part);
			return seconds === null ? null : seconds * 1000;
		});
	};
}

/** The last one that is known, if it is of now. */
export function latest(line: Line): number | null {
	return line[line.length - 1] ?? null;
}
