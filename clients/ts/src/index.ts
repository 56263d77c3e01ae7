// SPDX-License-Identifier: Apache-2.0
/** The client of a Hustings gateway: everything that others may use. */

export type { AskOptions, GatewayOptions } from './address.js';
export type { AuthorizationAnswer } from './authorization.js';
export type { DecisionListener, DecisionWatchOptions } from './decision_watch.js';
export { HustingsError, wordsOf, type FaultFacts } from './fault.js';
export { Face, type FaceOptions, type FindOptions } from './face.js';
export type { CallOptions, InputQuestion } from './face_era.js';
export { Flow, type FlowAnswer, type FlowListener, type FlowMeans, type FlowStart } from './flow.js';
export { Gateway } from './gateway.js';
export type { Metrics, Sample } from './metrics.js';
export { rawOf } from './raw.js';
export * from './records.js';
export { Room } from './room.js';
export type { Closing } from './room_link.js';
export type { RoomEvents, RoomOptions, RoomState } from './room_options.js';
export type { Progress, RequestOptions } from './room_questions.js';
export type { CallContext, OwnTool } from './room_service.js';
export type { Watch, WatchState } from './watch.js';
