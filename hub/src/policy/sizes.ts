import { ActionError, type Json } from '@corral/contract';

/** Writes a value as JSON text; Invalid if that, with what belongs to it, is longer than a limit in KiB. */
export function jsonWithin(limitKib: number, what: string, value: Json, besidesBytes = 0): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) + besidesBytes > limitKib * 1024)
    throw new ActionError('Invalid', `${what} may have at most ${limitKib} KiB as JSON.`);
  return text;
}
