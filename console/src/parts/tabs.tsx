// SPDX-License-Identifier: Apache-2.0
/** Tabs: the parts of one view, each with an address of its own, so that they can be linked, reloaded and gone back to. */
import './tabs.css';
import type { ComponentChildren } from 'preact';

export interface Tab { href: string; label: string; count?: number | undefined; isHere: boolean }

export function Tabs({ label, tabs, children }: { label: string; tabs: readonly Tab[]; children?: ComponentChildren }) {
	return (
		<nav class="tabs" aria-label={label}>
			{tabs.map((tab) => (
				<a key={tab.href} href={tab.href} aria-current={tab.isHere ? 'page' : undefined}>
					{tab.label}{tab.count !== undefined && <span class="soft"> {tab.count}</span>}
				</a>
			))}
			{children}
		</nav>
	);
}
