import type { Actor } from '@corral/contract';
import { forbidden } from '../../../auth/actors.ts';

/** Requires a caller without a token or a certificate, such as a command line that signs in, or the hub itself. */
export function mustHaveNoToken(actor: Actor): void {
  if (['Anonymous', 'User', 'System'].includes(actor.actor)) return;
  throw forbidden('Sign in without a token or a certificate.');
}
