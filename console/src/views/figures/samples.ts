// SPDX-License-Identifier: Apache-2.0
/**
 * Samples: what /metrics said, every two seconds while somebody looks, for a quarter of an hour. They are kept when the view is left
 * and come back with it; signing out forgets them.
 */
import { signal } from '@preact/signals';
import type { Metrics } from 'hustings-client';
import { gateway, whenOut } from '../../stores/session';
import type { Buckets } from './quantile';

export const EVERY_MS = 2000;
export const KEPT_MS = 15 * 60 * 1000;
/** A longer silence is a gap: nothing is drawn across it. */
export const GAP_MS = 4 * EVERY_MS;

const SAMPLES_MOST = Math.ceil(KEPT_MS / EVERY_MS) + 1;
const LABELS_MOST = 64;

export interface Sample {
	at: number;
	/** By name; one with a label is "name:label". */
	values: Map<string, number>;
	took: Buckets;
}

export const samples = signal<readonly Sample[]>([]);

whenOut(() => {
	samples.value = [];
});

/** The label by which a figure is told apart, where it has one. */
const LABEL: Record<string, string> = { hustings_calls_total: 'outcome', hustings_calls_refused_total: 'gate', hustings_servers: 'state' };
const TOOK = 'hustings_call_seconds';

function readTook(metrics: Metrics): Buckets {
	const rows = (metrics.get(`${TOOK}_bucket`) ?? []).map(({ labels, value }) => ({ bound: labels.le === '+Inf' ? Infinity : Number(labels.le), value }));
	rows.sort((one, other) => one.bound - other.bound);
	return { bounds: rows.map((row) => row.bound), counts: rows.map((row) => row.value) };
}

export function readSample(metrics: Metrics, at: number): Sample {
	const values = new Map<string, number>();
	for (const [name, rows] of metrics) {
		const label = LABEL[name];
		if (name.startsWith(TOOK)) continue;
		for (const { labels, value } of rows.slice(0, LABELS_MOST)) values.set(label ? `${name}:${labels[label] ?? ''}` : name, value);
	}
	return { at, values, took: readTook(metrics) };
}

/** Asks once and keeps what came. */
export async function look(): Promise<Sample> {
	const sample = readSample(await gateway.metrics(), Date.now());
	samples.value = [...samples.value.filter((one) => one.at > sample.at - KEPT_MS && one.at < sample.at), sample].slice(-SAMPLES_MOST);
	return sample;
}
