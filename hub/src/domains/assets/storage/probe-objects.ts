import { randomBytes } from 'node:crypto';

/** The names of the objects that a check of a store writes and deletes. */
export const probeNames = ['right', 'wrong', 'cut'] as const;

/** The folder of the objects of one check, below the prefix of the store. */
export function newProbeFolder(prefix: string): string {
  return `${prefix === '' ? '' : `${prefix}/`}.corral-probe/${randomBytes(8).toString('hex')}`;
}

const probeKey = new RegExp(`(?:^|/)\\.corral-probe/[0-9a-f]{16}/(?:${probeNames.join('|')})$`);

/** Whether an object is of a check, which leaves it behind when the hub is killed meanwhile. */
export function isProbeObject(key: string): boolean {
  return probeKey.test(key);
}
