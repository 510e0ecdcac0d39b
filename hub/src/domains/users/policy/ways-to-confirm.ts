import type { AuthenticationMethod } from '@corral/contract';
import { isLinkedAtProvider } from '../../identities/index.ts';
import { readPasskeys } from '../../passkeys/index.ts';
import { hasUsablePassword } from '../sql/password-policy.ts';
import type { SecondFactors } from '../sql/second-factors.ts';

type Context = Parameters<typeof isLinkedAtProvider>[0] & {
  readonly origins: { readonly passkeys: { readonly rpId: string } | undefined };
};

/** By what a user, by its raw id, can prove anew who it is, the easiest first. Whoever has a second factor proves that: a password alone may have been read by somebody else. One that was set up without a proof is none here. */
export async function waysToConfirm(
  context: Context,
  userId: string,
  { is_proved: isProved, has_proved_codes: hasProvedCodes, recovery_codes_left: codesLeft }: SecondFactors,
): Promise<AuthenticationMethod[]> {
  const passkeys = await readPasskeys(context.tx, userId);
  const hasPasskey = passkeys.some((passkey) => passkey.rp_id === context.origins.passkeys?.rpId);
  const isEnough = isProved !== true && passkeys.length === 0;
  const ways: [AuthenticationMethod, boolean][] = [
    ['passkey', hasPasskey],
    ['totp', isProved === true],
    ['recoveryCode', hasProvedCodes === true && codesLeft > 0],
    ['password', isEnough && (await hasUsablePassword(context.tx, userId))],
    ['provider', isEnough && (await isLinkedAtProvider(context, userId))],
  ];
  return ways.filter(([, can]) => can).map(([way]) => way);
}

const helps: Readonly<Record<AuthenticationMethod, string>> = {
  passkey: 'confirm by your passkey.',
  totp: 'confirm by a code of your authenticator.',
  recoveryCode: 'confirm by a recovery code.',
  password: 'confirm by your password.',
  provider: 'confirm by signing in at the provider.',
};

/** What somebody can do instead of a way that does not confirm, as the end of a sentence. */
export const helpOf = ([way]: readonly AuthenticationMethod[]): string =>
  way === undefined ? 'ask an administrator to remove it.' : helps[way];
