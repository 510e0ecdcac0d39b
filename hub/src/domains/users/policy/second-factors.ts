import { ActionError } from '@corral/contract';
import type { KeyContext } from '../../instance/index.ts';
import { queueMail } from '../sql/mail-queue.ts';
import {
  checkCode,
  type CodeCheck,
  type NewAuthenticator,
  redeemRecoveryCode,
  type SecondFactors,
} from '../sql/second-factors.ts';

/** Why a code was refused, for the person who typed it. */
export function sentenceOf(check: Exclude<CodeCheck, 'Right'>, now: Date): string {
  switch (check) {
    case 'Wrong':
    case 'WrongAndLocked':
      return `This code is not right. If it comes from the right entry of your app, the clock of your device differs from that of the hub, which shows ${now.toISOString().slice(11, 19)} UTC.`;
    case 'Used':
      return 'This code was used already. Wait for the next one.';
    case 'Locked':
      return 'Ten wrong codes have locked this authenticator. Use a recovery code, or ask an administrator to remove it.';
  }
}

/** Requires that an enrolment has begun, which it does not while there is an authenticator. */
export function mustHaveBegun(begun: NewAuthenticator | undefined): NewAuthenticator {
  if (begun !== undefined) return begun;
  throw new ActionError('Invalid', 'You have an authenticator already. Remove it first to set up another.');
}

/** Checks a code, or uses a recovery code, and says why it was refused; undefined for a right one. The user is told by e-mail of a used recovery code and of the code that locks the authenticator. */
export async function refusalOfCode(
  context: KeyContext & { readonly emit: (name: 'mail_Queued', data: Record<string, never>) => unknown },
  userId: string,
  method: 'totp' | 'recoveryCode',
  code: string,
): Promise<string | undefined> {
  const { tx, now, emit } = context;
  const tell = async (kind: 'FactorLocked' | 'RecoveryCodeUsed') => {
    await queueMail(tx, { kind, userId, now });
    emit('mail_Queued', {});
  };
  if (method === 'recoveryCode') {
    const isRight = await redeemRecoveryCode(tx, userId, code, now);
    if (!isRight) return 'This recovery code is not right, or was used already.';
    await tell('RecoveryCodeUsed');
    return undefined;
  }
  const check = await checkCode(context, userId, code);
  if (check === 'WrongAndLocked') await tell('FactorLocked');
  return check === 'Right' ? undefined : sentenceOf(check, now);
}

/** Requires that a factor is left which works, where the instance asks its user for one. */
export function mustKeepFactor(
  { is_required: isRequired }: Pick<SecondFactors, 'is_required'>,
  isAnyLeft: boolean,
): void {
  if (!isRequired || isAnyLeft) return;
  throw new ActionError(
    'Invalid',
    'This hub asks you for a second factor, so you cannot remove it. If you have lost it, another administrator can.',
  );
}
