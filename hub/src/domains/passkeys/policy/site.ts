import { ActionError } from '@corral/contract';
import { formerPasskeys } from '../sql/passkey-host.ts';
import type { PasskeyContext } from '../sql/passkeys.ts';

/** Where new passkeys are made. Throws an `ActionError` where browsers know none, and where others would be lost until the operator has said so. */
export async function mustHaveSite({
  tx,
  origins: { passkeys },
}: Pick<PasskeyContext, 'tx' | 'origins'>): Promise<NonNullable<PasskeyContext['origins']['passkeys']>> {
  if (passkeys === undefined)
    throw new ActionError(
      'Invalid',
      'Browsers know passkeys only by a host name with https, and this hub has none: set CORRAL_PUBLIC_URL.',
    );
  const former = await formerPasskeys(tx, passkeys.rpId);
  if (former === undefined) return passkeys;
  throw new ActionError(
    'Invalid',
    `The passkeys of this hub belong to ${former.names.join(', ')}, and it is ${passkeys.rpId} now. Its operator decides by the command move-passkeys which name counts.`,
  );
}
