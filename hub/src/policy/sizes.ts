import { ActionError, type Json } from '@corral/contract';

/** The value as JSON text; Invalid if the text and `besidesBytes` together exceed the limit. */
export function jsonWithin(limitKib: number, what: string, value: Json, besidesBytes = 0): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) + besidesBytes > limitKib * 1024)
    throw new ActionError('Invalid', `${what} may have at most ${limitKib} KiB as JSON.`);
  return text;
}
