// SPDX-License-Identifier: Apache-2.0
/** Facts of a server: how it is started, what it speaks, how it is governed. Values of its environment are never known here. */
import type { ServerRecord } from 'hustings-client';
import type { ComponentChildren } from 'preact';
import { plain } from '../../parts/plain';
import { to } from '../../stores/route';

const ERAS: Record<string, string> = { legacy: 'with a handshake (2024-11-05 to 2025-11-25)', modern: 'stateless (2026-07-28)' };
const TRUST: Record<string, string> = { trusted: 'by its word', standard: 'like any program of this user', sandboxed: 'in a sandbox' };
const POLICIES: Record<string, string> = {
	interactive: 'a person is asked for each permission', auto_approve: 'every permission is granted', deny_all: 'every permission is denied',
	config_only: 'only what the configuration grants',
};
const SHARES: Record<string, string> = { principal: 'a process for each person', call: 'a process for each call', all: 'one process for all' };

function quoted(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`;
}

function commandLine(command: string, args: readonly string[] = []): string {
	return [command, ...args].map((word) => quoted(plain(word))).join(' ');
}

export function RoomLinks({ rooms }: { rooms: readonly string[] }) {
	if (rooms.length === 0) return <span class="soft">none</span>;
	return <>{rooms.map((room) => <a key={room} class="servers-room" href={to('room', room)}>{room}</a>)}</>;
}

function Fact({ label, children }: { label: string; children: ComponentChildren }) {
	return <><dt>{label}</dt><dd class="breaks">{children}</dd></>;
}

function withWords(word: string | undefined, table: Record<string, string>): ComponentChildren {
	if (!word) return <span class="soft">not said</span>;
	return <>{word}{table[word] && <span class="soft">: {table[word]}</span>}</>;
}

export function ServerFacts({ server }: { server: ServerRecord }) {
	const environment: unknown = server.env;
	const names = Array.isArray(environment) ? environment : environment && typeof environment === 'object' ? Object.keys(environment) : [];
	return (
		<section class="card" aria-labelledby="servers-facts">
			<header class="card-head"><h2 id="servers-facts" class="grows">How it runs</h2></header>
			<dl class="card-body servers-facts">
				{server.command !== undefined && (
					<Fact label="Command">
						<code class="servers-line" tabIndex={0} role="region" aria-label="Command line">{commandLine(server.command, server.args)}</code>
					</Fact>
				)}
				{server.url !== undefined && <Fact label="Address"><code>{plain(server.url)}</code></Fact>}
				{typeof server.cwd === 'string' && <Fact label="Folder"><code>{plain(server.cwd)}</code></Fact>}
				{names.length > 0 && (
					<Fact label="Environment">{names.map((name) => plain(String(name))).join(', ')}<span class="soft"> (values are not shown)</span></Fact>
				)}
				<Fact label="Transport">{server.transport}</Fact>
				{server.pid !== undefined && <Fact label="Process">{server.pid}</Fact>}
				<Fact label="Processes now">{server.conversations}{server.share && <span class="soft">: {SHARES[server.share] ?? server.share}</span>}</Fact>
				<Fact label="Speaks">
					{server.eras.length === 0 && <span class="soft">not known yet</span>}
					{server.eras.map((era) => <div key={era}>{withWords(era, ERAS)}</div>)}
				</Fact>
				{server.name && <Fact label="Calls itself">{plain(server.name)}{server.mcp && <span class="soft"> (MCP {plain(server.mcp)})</span>}</Fact>}
				<Fact label="Trust">{withWords(server.trust_level, TRUST)}</Fact>
				<Fact label="Permissions">{withWords(server.policy, POLICIES)}</Fact>
				<Fact label="Access">{server.default_policy === 'opt-out' ? <>opt-out<span class="soft">: everybody may use it who is not denied</span></>
					: <>{server.default_policy ?? 'opt-in'}<span class="soft">: whom a <a href={to('access', 'grants')}>grant</a> allows</span></>}</Fact>
				<Fact label="MGP extensions">{server.extensions?.length ? server.extensions.join(', ') : <span class="soft">none</span>}</Fact>
				<Fact label="Rooms"><RoomLinks rooms={server.rooms ?? []} /></Fact>
				{typeof server.created_by === 'string' && <Fact label="Added by">{plain(server.created_by)}</Fact>}
			</dl>
		</section>
	);
}
