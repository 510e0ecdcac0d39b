import type { HubCaller } from './internal.ts';

/** The caller of what the hub itself does. */
export const systemCaller: HubCaller = { actor: { actor: 'System', kind: 'System' }, origin: {} };
