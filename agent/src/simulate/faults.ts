import { createHash } from 'node:crypto';
import { AgentError } from '../AgentError.ts';

/** How simulated devices can fail; `cut-…` ends the link when the step has begun, while its command runs, when its result is kept, and when the hub has it. */
const faultNames = [
  'slow',
  'fails',
  'no-return',
  'old-version',
  'stale-property',
  'cut-begun',
  'cut-running',
  'cut-finished',
  'cut-acknowledged',
] as const;

/** See `faultNames`. */
export type Fault = (typeof faultNames)[number];

/** Whether a value names a fault. */
export const isFault = (value: unknown): value is Fault => faultNames.some((name) => name === value);

/** A number from 0 up to 1 that is always the same for the same words. */
export function chance(...words: (string | number)[]): number {
  return (
    Number.parseInt(createHash('sha1').update(words.join(' ')).digest('hex').slice(0, 8), 16) / 0x1_0000_0000
  );
}

/** The fault of a device by its index; undefined: none. */
export type FaultOf = (index: number) => Fault | undefined;

/** Reads `fails=5,slow=20`: so many percent of the devices have that fault, the same ones with the same seed. Throws an AgentError. */
export function parseFaults(text: string, seed: number): FaultOf {
  const shares = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(shareOf);
  if (shares.reduce((sum, { percent }) => sum + percent, 0) > 100)
    throw new AgentError('--faults must be 100 percent together at most: a device has one fault.');
  return (index) => {
    let left = chance('fault', seed, index) * 100;
    for (const { fault, percent } of shares) {
      left -= percent;
      if (left < 0) return fault;
    }
    return undefined;
  };
}

function shareOf(part: string): { readonly fault: Fault; readonly percent: number } {
  const [fault, digits = ''] = part.split('=');
  const percent = /^\d{1,3}%?$/.test(digits) ? Number.parseInt(digits, 10) : Number.NaN;
  if (isFault(fault) && percent <= 100) return { fault, percent };
  throw new AgentError(
    `--faults must be such as fails=5,slow=20, in percent of the devices; the faults are ${faultNames.join(', ')}.`,
  );
}
