import type { Actor } from '@corral/contract';
import { forbidden } from './actors.ts';

/** Requires a command line that has no credentials yet, or the hub itself. */
export function mustBeSigningIn(actor: Actor): void {
  if (['Anonymous', 'User', 'System'].includes(actor.actor)) return;
  throw forbidden('Sign in without a token or a certificate.');
}
