// SPDX-License-Identifier: Apache-2.0
/** Clock: one tick a second for everything that shows time passing; it rests while the page is hidden. */
import { signal } from '@preact/signals';

export const now = signal(Date.now());

setInterval(() => {
	if (!document.hidden) now.value = Date.now();
}, 1000);
addEventListener('visibilitychange', () => { now.value = Date.now(); });
