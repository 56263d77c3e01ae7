// SPDX-License-Identifier: Apache-2.0
/** Flow: guided sessions; where the address says of which tool. */
import './flow.css';
import { Empty } from '../../parts/empty';
import { to } from '../../stores/route';
import { SessionView } from './session';
import { FlowStart } from './start';

export function FlowView({ path }: { path: string[]; query: URLSearchParams }) {
	const key = path.join('/');
	const [first, second, third, fourth] = path;
	if (first === undefined) return <FlowStart />;
	if (first === 'room' && second !== undefined && third !== undefined && fourth !== undefined)
		return <SessionView key={key} place={{ topic: second, participant: third }} toolName={fourth} />;
	if (second !== undefined && path.length === 2) return <SessionView key={key} place={{ server: first }} toolName={second} />;
	return (
		<Empty icon="flow" title="There is nothing here">
			<a href={to('flow')}>All tools that can be guided</a>
		</Empty>
	);
}
