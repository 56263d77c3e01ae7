// SPDX-License-Identifier: Apache-2.0
/** Notices: short sentences at the edge that go away by themselves; dangers stay until they are closed. */
import { signal } from '@preact/signals';

export interface Notice { number: number; tone: 'plain' | 'good' | 'danger'; text: string }

const STAYS_MS = 6000;
const AT_MOST = 4;
let numbers = 0;

export const notices = signal<Notice[]>([]);

export function dismiss(number: number): void {
	notices.value = notices.value.filter((one) => one.number !== number);
}

export function tell(text: string, tone: Notice['tone'] = 'plain'): void {
	const notice = { number: numbers += 1, tone, text };
	notices.value = [...notices.value, notice].slice(-AT_MOST);
	if (tone !== 'danger') setTimeout(() => dismiss(notice.number), STAYS_MS);
}

/** A failure, in the gateway's own words. */
export function tellError(what: string, error: unknown): void {
	tell(`${what}: ${error instanceof Error ? error.message : String(error)}`, 'danger');
}
