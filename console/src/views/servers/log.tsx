// SPDX-License-Identifier: Apache-2.0
/** Log of a server: the last lines that it wrote to stderr, live; "follow" keeps the end in view. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failed } from '../../parts/empty';
import { CheckField } from '../../parts/fields';
import { plain } from '../../parts/plain';
import { usePoll } from '../../stores/poll';
import { gateway } from '../../stores/session';

const EVERY_MS = 1500;
const LINES = 1000;

export function ServerLog({ id }: { id: string }) {
	const { value, error, again } = usePoll(() => gateway.serverLog(id), EVERY_MS, [id]);
	const [isFollowing, setFollowing] = useState(true);
	const place = useRef<HTMLPreElement>(null);
	const all = (value ?? '').replace(/\n$/, '').split('\n');
	const lines = all.slice(-LINES).map((line) => plain(line));
	const text = lines.join('\n');
	useEffect(() => { if (isFollowing) place.current?.scrollTo(0, place.current.scrollHeight); }, [text, isFollowing]);
	const scrolled = () => {
		const { scrollHeight, scrollTop, clientHeight } = place.current!;
		if (scrollHeight - scrollTop - clientHeight > 60) setFollowing(false);
	};
	return (
		<section class="card" aria-labelledby="servers-log">
			<header class="card-head">
				<h2 id="servers-log" class="grows">Log</h2>
				<CheckField label="Follow" isChecked={isFollowing} onChange={setFollowing} />
			</header>
			<div class="card-body column">
				{error && <Failed error={error} again={again} />}
				{value !== undefined && text.trim() === '' && (
					<p class="soft">It has written nothing to stderr. In a terminal: <code>hustings server logs {plain(id)} --follow</code></p>
				)}
				{text.trim() !== '' && (
					<pre ref={place} class="servers-log" tabIndex={0} role="log" aria-live="off" aria-label={`Log of ${plain(id)}`}
						onWheel={scrolled} onKeyUp={scrolled} onTouchMove={scrolled}>{text}</pre>
				)}
				{all.length > LINES && <p class="tiny soft">The last {LINES} lines are shown.</p>}
			</div>
		</section>
	);
}
