// All limits of the hub; everything else uses them by name, and SECURITY.md shows them. A limit enters only with the scenario of a user that fails without it, and a ratio to a bare server is none. Two that
// guard the same are one.
import { connectionLimits } from './connections.ts';
import { countedLimits } from './counted.ts';
import { workLimits } from './work.ts';

/** How long calls and requests above a rate wait for their turn at most, in milliseconds. */
export const longestWaitMs = 5_000;

export { outgoingAnswer } from './work.ts';

/** Each limit by its name. */
export const limits = { ...connectionLimits, ...workLimits, ...countedLimits };
