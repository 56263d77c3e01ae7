// SPDX-License-Identifier: Apache-2.0
/** Sign in: paste a token; it is sent once, and never kept. The link that `hustings console` prints needs no pasting. */
import { useState } from 'preact/hooks';
import { Mark } from '../parts/icon';
import { signIn, whyOut } from '../stores/session';

export function SignIn() {
	const [token, setToken] = useState('');
	const [isBusy, setBusy] = useState(false);
	const submit = async (event: Event) => {
		event.preventDefault();
		setBusy(true);
		await signIn({ token: token.trim() }).then(() => setToken(''), () => {});
		setBusy(false);
	};
	return (
		<main class="sign-in">
			<form class="sign-in-card" onSubmit={submit}>
				<span class="brand"><Mark size={28} />Hustings</span>
				<h1>Sign in</h1>
				{whyOut.value && <p role="alert" class="notice is-danger">{whyOut.value}</p>}
				<div class="field">
					<label for="token">Token</label>
					<input id="token" type="password" autocomplete="off" spellcheck={false} required value={token} onInput={(event) => setToken(event.currentTarget.value)} />
					<span class="hint">It is sent once, and not kept in this browser.</span>
				</div>
				<button type="submit" class="button is-main" disabled={isBusy || token.trim() === ''}>{isBusy ? 'Signing in …' : 'Sign in'}</button>
				<p class="small soft">On the gateway's own machine <code>hustings console</code> prints a link that signs you in, and <code>hustings token create --id YOU</code> makes a token.</p>
			</form>
		</main>
	);
}
