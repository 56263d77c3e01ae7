// SPDX-License-Identifier: Apache-2.0
/** Budget: what something costs in a model's context, against what the gateway lets all tools have there (MGP 16.8). */
import { Meter } from '../../parts/meter';
import { kernelFace } from '../../stores/catalogue';
import { usePoll } from '../../stores/poll';

const EVERY_MS = 30000;

async function read(): Promise<number> {
	return Number((await kernelFace().request('mgp/tools/session', {})).max_tokens);
}

export function Budget({ used, words }: { used: number; words: string }) {
	const { value: most } = usePoll(read, EVERY_MS);
	if (!most) return null;
	return (
		<div class="tools-budget">
			<span class="small strong">{words}</span>
			<Meter isWide value={used} most={most} label={words} words={`${used.toLocaleString('en')} of ${most.toLocaleString('en')} tokens`} />
		</div>
	);
}
