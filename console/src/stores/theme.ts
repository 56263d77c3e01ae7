// SPDX-License-Identifier: Apache-2.0
/** Theme: light, dark, or what the system says. Kept in this browser. */
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'hustings.theme';

function kept(): Theme {
	const word = localStorage.getItem(KEY);
	return word === 'light' || word === 'dark' ? word : 'system';
}

export const theme = signal<Theme>(kept());

export function applyTheme(): void {
	if (theme.value === 'system')
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = theme.value;
}

export function nextTheme(): void {
	theme.value = theme.value === 'system' ? 'light' : theme.value === 'light' ? 'dark' : 'system';
	localStorage.setItem(KEY, theme.value);
	applyTheme();
}
