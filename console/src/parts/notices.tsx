// SPDX-License-Identifier: Apache-2.0
/** Notices, as they are shown and read out. */
import { dismiss, notices } from '../stores/notices';
import { Icon } from './icon';

export function Notices() {
	return (
		<div class="notices" role="status" aria-live="polite">
			{notices.value.map((notice) => (
				<div key={notice.number} class={`notice appears is-${notice.tone}`}>
					<span class="grows breaks">{notice.text}</span>
					<button type="button" class="button is-quiet is-small is-icon" aria-label="Dismiss" onClick={() => dismiss(notice.number)}><Icon name="close" size={14} /></button>
				</div>
			))}
		</div>
	);
}
