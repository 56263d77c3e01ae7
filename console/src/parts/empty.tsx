// SPDX-License-Identifier: Apache-2.0
/** Empty: what stands where there is nothing yet, and the next step; Waiting and Failed for the two other cases. */
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon';

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
	return <div class="empty"><Icon name={icon} size={32} /><strong>{title}</strong>{children && <span>{children}</span>}</div>;
}

export function Waiting({ what }: { what: string }) {
	return <p class="soft" aria-busy="true">Loading {what} …</p>;
}

export function Failed({ error, again }: { error: Error; again?: () => void }) {
	return (
		<div class="notice is-danger" role="alert">
			<span class="grows breaks">{error.message}</span>
			{again && <button type="button" class="button is-small" onClick={again}>Try again</button>}
		</div>
	);
}
