import type { Actor } from '@corral/contract';
import { forbidden } from './actors.ts';

/** Lets in people, signed in or not, and the hub itself: an account is made by whoever opens the console. */
export function mustBeVisitor(actor: Actor): void {
  if (['Anonymous', 'User', 'System'].includes(actor.actor)) return;
  throw forbidden('Only people may make accounts for themselves.');
}

/** Lets visitors in while the operator lets people make accounts for themselves. */
export function mustBeRegistering(actor: Actor, { isOpen }: { readonly isOpen: boolean }): void {
  mustBeVisitor(actor);
  if (!isOpen) throw forbidden('This hub takes no registrations. Ask its administrator for an account.');
}
