// SPDX-License-Identifier: Apache-2.0
/** Authorization: a decision about a call of somebody's tool, said to its owner in the room (MCPx ADR-001). */

import type { RequestOptions } from './room_questions.js';

/** A yes or a no to a call of somebody's tool. */
export interface AuthorizationAnswer {
	authorizationId: string;
	granted: boolean;
	reason?: string;
	/** Until when the same call needs no further question (RFC 3339). */
	validUntil?: string;
}

interface Asks {
	request(to: string, method: string, params: any, options?: RequestOptions): Promise<any>;
}

/** As a request, so that the owner says whether it counted. */
export function respond(
	room: Asks,
	owner: string,
	{ authorizationId, granted, reason, validUntil }: AuthorizationAnswer,
): Promise<any> {
	return room.request(owner, 'authorization/respond', {
		authorizationId,
		decision: granted ? 'approve' : 'deny',
		...(reason === undefined ? {} : { reason }),
		...(validUntil === undefined ? {} : { validUntil }),
	});
}
