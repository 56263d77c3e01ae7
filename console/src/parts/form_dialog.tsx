// SPDX-License-Identifier: Apache-2.0
/** Form dialog: a form of our own in a window: it is sent, waits, and stays with the gateway's words where that is refused. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog';

export function FormDialog({ title, action, send, onClose, children }: {
	title: string; action: string; send: () => Promise<unknown>; onClose: () => void; children: ComponentChildren;
}) {
	const [error, setError] = useState('');
	const [isBusy, setBusy] = useState(false);
	const [isBegun, setBegun] = useState(false);
	const submit = async (event: Event) => {
		event.preventDefault();
		setError('');
		setBusy(true);
		try {
			await send();
		} catch (failure) {
			setError((failure as Error).message);
		}
		setBusy(false);
	};
	return (
		<Dialog title={title} isKept={isBegun} onClose={onClose}>
			<form class="column" onInput={() => setBegun(true)} onSubmit={(event) => void submit(event)}>
				{children}
				{error && <p class="notice is-danger breaks" role="alert">{error}</p>}
				<div class="dialog-foot">
					<button type="button" class="button" onClick={onClose}>Cancel</button>
					<button type="submit" class="button is-main" disabled={isBusy}>{isBusy ? 'Working …' : action}</button>
				</div>
			</form>
		</Dialog>
	);
}
