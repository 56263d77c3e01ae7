// SPDX-License-Identifier: Apache-2.0
/** Quantile: how long most took, out of counts by bound (a histogram of Prometheus): within a bound it is taken as even. */

export interface Buckets {
	/** Upper bounds in seconds, rising; the last is Infinity. */
	bounds: number[];
	/** How many were within each bound, those of the smaller ones too. */
	counts: number[];
}

/** What was added between two looks; null: nothing was, or the counts began anew. */
export function between(earlier: Buckets, later: Buckets): Buckets | null {
	if (earlier.counts.length !== later.counts.length) return null;
	const counts = later.counts.map((count, at) => count - earlier.counts[at]!);
	const total = counts[counts.length - 1];
	return total === undefined || total <= 0 || counts.some((count) => count < 0) ? null : { bounds: later.bounds, counts };
}

/** In seconds; beyond the last bound it is that bound, which is all that is known. */
export function quantile(buckets: Buckets, part: number): number | null {
	const { bounds, counts } = buckets;
	const total = counts[counts.length - 1] ?? 0;
	if (total === 0) return null;
	const rank = part * total;
	const at = counts.findIndex((count) => count >= rank);
	const low = at > 0 ? bounds[at - 1]! : 0;
	const high = bounds[at]!;
	if (!Number.isFinite(high)) return low;
	const below = at > 0 ? counts[at - 1]! : 0;
	const inside = counts[at]! - below;
	return inside === 0 ? high : low + (high - low) * ((rank - below) / inside);
}
