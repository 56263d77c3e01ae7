// SPDX-License-Identifier: Apache-2.0
/** People and access, in three parts: who is here with what privilege, who may use which server, and the tokens. */
import './access.css';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { Tabs } from '../../parts/tabs';
import { to } from '../../stores/route';
import { isAdmin } from '../../stores/session';
import { Grants } from './grants';
import { People } from './people';
import { Tokens } from './tokens';

const PARTS = [
	{ path: 'people', label: 'People', words: 'Everybody in the rooms of this gateway. Full privilege calls tools; restricted privilege chats and proposes.' },
	{ path: 'grants', label: 'Grants', words: 'Who may use which hosted server, or which of its tools. A grant counts at once.' },
	{ path: 'tokens', label: 'Tokens', words: 'What lets people, agents and robots in. Tokens are kept hashed: nobody can read one again.' },
] as const;

export function AccessView({ path }: { path: string[]; query: URLSearchParams }) {
	const part = PARTS.find((one) => one.path === path[0]) ?? PARTS[0];
	if (!isAdmin.value)
		return <Page title="People and access"><Empty icon="lock" title="Access is governed by administrators">Your token is not one of theirs.</Empty></Page>;
	return (
		<Page title="People and access" words={part.words}>
			<Tabs label="Parts of people and access" tabs={PARTS.map((one) => ({ href: to('access', one.path), label: one.label, isHere: one === part }))} />
			{part.path === 'people' ? <People /> : part.path === 'grants' ? <Grants /> : <Tokens />}
		</Page>
	);
}
