// SPDX-License-Identifier: Apache-2.0
/** App: the way in, or the shell and the view that the address names. Heavy views come when they are asked for. */
import { useEffect } from 'preact/hooks';
import { Notices } from './parts/notices';
import { Shell } from './shell';
import { begin, session } from './stores/session';
import { SignIn } from './views/sign_in';

export function App() {
	useEffect(() => { void begin(); }, []);
	return (
		<>
			{session.value === undefined ? <main class="sign-in" aria-busy="true"><span class="only-read">Loading</span></main>
				: session.value === null ? <SignIn /> : <Shell />}
			<Notices />
		</>
	);
}
