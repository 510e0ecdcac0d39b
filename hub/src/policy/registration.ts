import type { Actor } from '@corral/contract';
import { forbidden } from './actors.ts';

/** Requires a visitor of the console, signed in or not, or the hub itself. */
export function mustBeVisitor(actor: Actor): void {
  if (['Anonymous', 'User', 'System'].includes(actor.actor)) return;
  throw forbidden('Only people may make accounts for themselves.');
}

/** Requires a visitor while self-registration is open. */
export function mustBeRegistering(actor: Actor, { isOpen }: { readonly isOpen: boolean }): void {
  mustBeVisitor(actor);
  if (!isOpen) throw forbidden('This hub takes no registrations. Ask its administrator for an account.');
}
