// SPDX-License-Identifier: Apache-2.0
/** Confirm: asks before something is done, does it, and stays with the gateway's words where that is refused. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog';

export function Confirm({ title, action, isDanger = false, run, onClose, children }: {
	title: string; action: string; isDanger?: boolean; run: () => Promise<unknown>; onClose: () => void; children: ComponentChildren;
}) {
	const [isBusy, setBusy] = useState(false);
	const [error, setError] = useState('');
	const does = async () => {
		setBusy(true);
		setError('');
		try {
			await run();
			onClose();
		} catch (failure) {
			setBusy(false);
			setError((failure as Error).message);
		}
	};
	return (
		<Dialog title={title} onClose={onClose}>
			{children}
			{error && <p class="notice is-danger breaks" role="alert">{error}</p>}
			<div class="dialog-foot">
				<button type="button" class="button" onClick={onClose}>Cancel</button>
				<button type="button" class={`button ${isDanger ? 'is-danger' : 'is-main'}`} disabled={isBusy} onClick={() => void does()}>
					{isBusy ? 'Working …' : action}
				</button>
			</div>
		</Dialog>
	);
}
