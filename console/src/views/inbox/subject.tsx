// SPDX-License-Identifier: Apache-2.0
/** Subject: what a question is about, in full: who asks, whom it concerns, how risky it is, and the arguments octet for octet. */
import type { Decision, Tool } from 'hustings-client';
import type { ComponentChildren } from 'preact';
import { QuarantineDiff } from '../../parts/diff';
import { Countdown, Moment } from '../../parts/moment';
import { Person } from '../../parts/person';
import { plain, plainLine } from '../../parts/plain';
import { hintsOf, RiskBadge } from '../../parts/risk';
import { riskOf } from '../../stores/catalogue';
import { to } from '../../stores/route';
import { isAdmin } from '../../stores/session';
import { useRequester } from './facts';
import { octetsOf } from './octets';
import { callPath, wishOf } from './words';

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ComponentChildren }) {
	return (
		<div class={`inbox-fact${isWide ? ' is-wide' : ''}`}>
			<dt>{label}</dt>
			<dd class="breaks">{children}</dd>
		</div>
	);
}

/** Everything of it: a long one scrolls. */
export function Octets({ decision, path, label }: { decision: Decision; path: readonly string[]; label: string }) {
	const text = octetsOf(decision, path);
	if (text === undefined) return <p class="soft">None.</p>;
	return (
		<pre class="json inbox-octets" tabIndex={0} role="region" aria-label={label}>
			{text}
		</pre>
	);
}

function Risk({ decision, tool }: { decision: Decision; tool: Tool | undefined }) {
	const said = /\((safe|moderate|dangerous|risk unknown)\)$/.exec(decision.message)?.[1];
	const risk = said && said !== 'risk unknown' ? said : tool && riskOf(tool);
	const hints = tool ? hintsOf(tool) : [];
	const needs = tool?.security?.permissions_required ?? [];
	if (!risk && hints.length === 0) return <span class="soft">not known here</span>;
	return (
		<span class="row wraps">
			<RiskBadge risk={risk} />
			{hints.length > 0 && <span class="small">It says of itself: {hints.join(', ')}.</span>}
			{needs.length > 0 && <span class="small soft">It needs {needs.map(plainLine).join(', ')}.</span>}
		</span>
	);
}

function Requester({ decision }: { decision: Decision }) {
	const known = useRequester(decision);
	if (decision.requester.startsWith('server:')) return <span class="strong">Server {plainLine(decision.requester.slice(7), 120)}</span>;
	return (
		<Person id={plainLine(decision.requester, 120)} name={known?.name && plainLine(known.name, 120)} kind={known?.kind} privilege={known?.privilege} />
	);
}

export function Facts({ decision, tool }: { decision: Decision; tool: Tool | undefined }) {
	const wish = decision.kind === 'proposal' ? wishOf(decision) : undefined;
	const name = wish?.tool ?? decision.tool;
	const hasRisk = decision.kind === 'proposal' || decision.kind === 'call' || decision.kind === 'authorization';
	return (
		<dl class="inbox-facts">
			<Fact label="Asked by">
				<Requester decision={decision} />
			</Fact>
			{decision.topic && (
				<Fact label="In room">
					<a href={to('room', decision.topic)}>{plainLine(decision.topic, 120)}</a>
				</Fact>
			)}
			{wish && <Fact label="Sent to">{wish.to.length > 0 ? wish.to.map((one) => plainLine(one, 120)).join(', ') : 'everybody in the room'}</Fact>}
			{decision.server && (
				<Fact label="Server">
					{isAdmin.value && decision.kind !== 'registration' ? (
						<a href={to('servers', decision.server)}>{plainLine(decision.server, 120)}</a>
					) : (
						plainLine(decision.server, 120)
					)}
				</Fact>
			)}
			{wish && wish.method !== 'tools/call' && (
				<Fact label="Method">
					<code>{plainLine(wish.method, 120)}</code>
				</Fact>
			)}
			{name && (
				<Fact label="Tool" isWide>
					<code>{plainLine(name, 120)}</code>
					{tool?.description && <span class="soft small inbox-about"> {plain(tool.description).slice(0, 400)}</span>}
				</Fact>
			)}
			{hasRisk && (
				<Fact label="Risk" isWide>
					<Risk decision={decision} tool={tool} />
				</Fact>
			)}
			<Fact label="Asked">
				<Moment at={decision.createdAt} />
			</Fact>
			{decision.state === 'pending' && (
				<Fact label="Deadline">
					<span title="Without an answer it is a no.">
						<Countdown until={decision.expiresAt} />
					</span>
				</Fact>
			)}
			{decision.deciders.length > 0 && (
				<Fact label="May decide" isWide>
					{decision.deciders.map((one) => plainLine(one, 120)).join(', ')}
				</Fact>
			)}
		</dl>
	);
}

function Registration({ decision }: { decision: Decision }) {
	const { command, args, url, mgp } = decision.arguments ?? {};
	const words = [command, ...(Array.isArray(args) ? args : [])].filter((one) => typeof one === 'string');
	const isBoxed = mgp?.trust_level === 'sandboxed' || mgp?.sandbox === true;
	return (
		<>
			<h3>{url ? 'Where it is' : 'What is run'}</h3>
			{url && <p class="mono breaks">{plain(String(url))}</p>}
			{words.length > 0 && (
				<ol class="inbox-command" aria-label="Command and its arguments, one a line">
					{words.map((one, at) => (
						<li key={at}>
							<code class="breaks">{plain(one)}</code>
						</li>
					))}
				</ol>
			)}
			<p class="small">
				{isBoxed ? (
					<>
						<span class="badge is-good">sandboxed</span> It sees no files of yours and no network, but for what its permissions let it.
					</>
				) : url ? (
					<>
						<span class="badge is-warn">remote</span> It runs elsewhere: arguments of calls go there.
					</>
				) : (
					<>
						<span class="badge is-danger">no sandbox is named</span> It runs with what the gateway itself may do, unless the configuration says
						otherwise.
					</>
				)}
			</p>
		</>
	);
}

/** The subject by its kind; forms that belong to an answer are the answer's. */
export function Subject({ decision }: { decision: Decision }) {
	const digest = (
		<p class="tiny soft">
			Digest{' '}
			<span class="mono" title={decision.digest}>
				{decision.digest.slice(0, 12)}
			</span>
			: a yes holds for exactly this, and nothing else.
		</p>
	);
	switch (decision.kind) {
		case 'quarantine':
			return (
				<>
					<h3>What changed</h3>
					<QuarantineDiff decision={decision} />
				</>
			);
		case 'registration':
			return (
				<>
					<Registration decision={decision} />
					<h3>Its definition in full</h3>
					<Octets decision={decision} path={['arguments']} label="Definition" />
					{digest}
				</>
			);
		case 'permission':
			return decision.arguments === undefined ? null : <Octets decision={decision} path={['arguments']} label="Arguments" />;
		case 'callback':
			return (
				<details class="inbox-more">
					<summary>The question as the server sent it</summary>
					<Octets decision={decision} path={['arguments']} label="Question" />
				</details>
			);
		default: {
			const reason = decision.kind === 'proposal' ? decision.arguments?.payload?.reason : undefined;
			return (
				<>
					{typeof reason === 'string' && <p class="inbox-asked breaks">{plain(reason)}</p>}
					<h3>Arguments</h3>
					<Octets decision={decision} path={callPath(decision)} label="Arguments" />
					{decision.kind === 'proposal' && (
						<details class="inbox-more">
							<summary>The whole proposal</summary>
							<Octets decision={decision} path={['arguments']} label="Proposal" />
						</details>
					)}
					{digest}
				</>
			);
		}
	}
}
