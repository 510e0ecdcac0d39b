import { ActionError } from '@corral/contract';
import type { PasskeyContext } from '../sql/passkeys.ts';

/** Where passkeys work. Throws an `ActionError` where they cannot. */
export function mustHaveSite({
  passkeys,
}: PasskeyContext['origins']): NonNullable<PasskeyContext['origins']['passkeys']> {
  if (passkeys !== undefined) return passkeys;
  throw new ActionError(
    'Invalid',
    'Browsers know passkeys only by a host name with https, and this hub has none: set CORRAL_PUBLIC_URL.',
  );
}
