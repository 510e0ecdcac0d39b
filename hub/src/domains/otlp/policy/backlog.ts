import { amounts } from '../../../limits/amounts.ts';

const dayMs = 86_400_000;

/** Records from before are not exported any more. */
export const oldestKept = (now: Date): Date => new Date(now.getTime() - dayMs);

/** So much of one stream may wait, in bytes as they are stored. */
export const mostWaitingBytes = amounts.waitingRecords.max;
