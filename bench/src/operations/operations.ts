import { connectedOperations } from './connected.ts';
import { largeOperations } from './large.ts';

/** Operations on many devices: what connected devices do, and what the hub selects, starts and ends. The rows of the second part would be in the way of the first. */
export const operationParts = { devices: connectedOperations, fleet: largeOperations } as const;
