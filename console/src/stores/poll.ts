// SPDX-License-Identifier: Apache-2.0
/** Poll: asks now and then for as long as a view shows the answer, never twice at once, and not while the page is hidden. */
import { useEffect, useState } from 'preact/hooks';
import { asking } from './session';

export interface Polled<T> { value: T | undefined; error: Error | undefined; again: () => void }

export function usePoll<T>(ask: () => Promise<T>, everyMs: number, inputs: readonly unknown[] = []): Polled<T> {
	const [state, setState] = useState<{ value?: T; error?: Error }>({});
	const [round, setRound] = useState(0);
	useEffect(() => {
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const step = async () => {
			if (!document.hidden) {
				try {
					const value = await asking(ask());
					if (!isOver) setState({ value });
				} catch (error) {
					if (!isOver) setState((before) => ({ ...before, error: error as Error }));
				}
			}
			if (!isOver) timer = setTimeout(step, everyMs);
		};
		void step();
		return () => { isOver = true; clearTimeout(timer); };
	}, [...inputs, round]);
	return { value: state.value, error: state.error, again: () => setRound((number) => number + 1) };
}
