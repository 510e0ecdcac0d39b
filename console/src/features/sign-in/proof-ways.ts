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

/** The ways of the user to confirm on this page, the easiest first. */
export function waysOf(
  { confirmsBy }: Pick<Output<'users_GetSecondFactors'>, 'confirmsBy'>,
  { provider, isHere }: Place,
): Way[] {
  return confirmsBy.flatMap((method): Way[] => {
    if (method === 'passkey') return isHere ? [method] : [];
    if (method === 'provider') return provider === undefined ? [] : [method];
    return [method === 'totp' ? 'code' : method];
  });
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
