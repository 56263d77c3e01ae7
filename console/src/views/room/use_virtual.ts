// SPDX-License-Identifier: Apache-2.0
/** A virtual list for Preact: which rows are needed, how high all of them are, and the place kept when rows come, go or grow. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualizerOptions } from '@tanstack/virtual-core';
import { options as preact } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

type Wish = Pick<VirtualizerOptions<HTMLElement, HTMLElement>, 'count' | 'getScrollElement' | 'estimateSize' | 'getItemKey'>;

/** What is set in there is on the page when it returns: a row that grew and the place that follows it are painted together. */
function atOnce(run: () => void): void {
	const before = preact.debounceRendering;
	preact.debounceRendering = (render) => render();
	try {
		run();
	} finally {
		preact.debounceRendering = before!;
	}
}

export function useVirtual(wish: Wish): Virtualizer<HTMLElement, HTMLElement> {
	const [, again] = useReducer((count: number) => count + 1, 0);
	const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
		...wish,
		observeElementRect,
		observeElementOffset,
		scrollToFn: elementScroll,
		overscan: 6,
		anchorTo: 'end',
		followOnAppend: true,
		scrollEndThreshold: 60,
		onChange: (_, isSync) => (isSync ? atOnce(() => again(undefined as never)) : again(undefined as never)),
	};
	const [virtual] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
	virtual.setOptions(options);
	useLayoutEffect(() => virtual._didMount(), []);
	useLayoutEffect(() => virtual._willUpdate());
	return virtual;
}
