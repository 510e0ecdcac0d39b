import type { Caller } from './executor.ts';

/** The caller of the actions that the hub itself runs. */
export const systemCaller: Caller = { actor: { actor: 'System', kind: 'System' }, origin: {} };
