import type { ActionName } from '@corral/contract';

/** Actions of the contract that this hub does not implement yet; the list may only get shorter. */
export const unavailableActions = [] as const satisfies readonly ActionName[];

/** The name of an action that is not implemented yet. */
export type UnavailableAction = (typeof unavailableActions)[number];
