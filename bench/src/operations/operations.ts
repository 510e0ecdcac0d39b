import { connectedOperations } from './connected.ts';
import { largeOperations } from './large.ts';

/** Operations on many devices: what the hub selects, starts and ends, and what connected devices do. */
export const operationParts = { fleet: largeOperations, devices: connectedOperations } as const;
