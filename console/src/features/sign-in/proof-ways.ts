import type { Output } from '@corral/contract';
import { factorCopy } from '../../parts/second-factor/copy.ts';
import { stepUpCopy as words } from './step-up-copy.ts';

/** How the user proves who it is. */
export type Way = 'passkey' | 'code' | 'recoveryCode' | 'password' | 'provider';

interface Place {
  /** What the provider is called; undefined where none is offered. */
  readonly provider: string | undefined;
  /** Whether the browser can use passkeys on this page. */
  readonly isHere: boolean;
}

/** The ways of the user to confirm, the easiest first; none until the hub has said what the user has. */
export function waysOf(
  factors: Output<'users_GetSecondFactors'> | undefined,
  { provider, isHere }: Place,
): Way[] {
  if (factors === undefined) return [];
  const { passkeys, authenticator, hasPassword, isLinkedAtProvider } = factors;
  if (passkeys.length === 0 && authenticator === undefined) {
    const atProvider: Way[] = isLinkedAtProvider && provider !== undefined ? ['provider'] : [];
    // Whoever has no way at all is told so by the hub.
    return hasPassword || atProvider.length === 0 ? ['password', ...atProvider] : atProvider;
  }
  const hasPasskey = isHere && passkeys.some(({ worksOnlyAt }) => worksOnlyAt === undefined);
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(authenticator === undefined ? [] : (['code'] as const)),
    'recoveryCode',
  ];
}

/** What the dialog says of a way. */
export function textOf(way: Way, provider: string, isWaiting: boolean): string {
  if (way === 'provider') return isWaiting ? words.waiting(provider) : words.textProvider(provider);
  if (way === 'password') return words.textPassword;
  return way === 'code' ? words.textFactor : factorCopy.confirmText;
}

/** The name of the button that changes to a way. */
export function insteadOf(way: Way, provider: string): string {
  if (way === 'provider') return words.atProvider(provider);
  if (way === 'password') return words.usePassword;
  if (way === 'passkey') return factorCopy.passkeyInstead;
  return way === 'code' ? factorCopy.useApp : factorCopy.useRecoveryCode;
}
