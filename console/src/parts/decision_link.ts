// SPDX-License-Identifier: Apache-2.0
/** Decision link: the address of one question in the inbox. */
import { to } from '../stores/route';

export function decisionLink(id: string): string {
	return `${to('inbox')}?id=${encodeURIComponent(id)}`;
}
