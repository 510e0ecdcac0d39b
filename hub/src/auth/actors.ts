import { ActionError, type Actor } from '@corral/contract';

/** A user, by session or token. */
export type Person = Extract<Actor, { actor: 'User' | 'UserToken' }>;

/** The error for anonymous callers. */
export function notSignedIn(): ActionError {
  return new ActionError('NotSignedIn', 'Not logged in.');
}

/** The error for an action on an entity that the actor may see. */
export function forbidden(sentence: string): ActionError {
  return new ActionError('Forbidden', sentence);
}

/** The same error for entities that do not exist and entities that the actor may not see. */
export function notFound(what: string): ActionError {
  return new ActionError('Invalid', `${what} not found.`);
}

/** Requires a user, by session or token. */
export function mustBePerson(actor: Actor): Person {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return actor;
  if (actor.actor === 'Anonymous') throw notSignedIn();
  throw forbidden('Only users may do this.');
}

/** Requires a user by session: tokens may not manage accounts. */
export function mustHaveSession(actor: Actor): Extract<Actor, { actor: 'User' }> {
  const person = mustBePerson(actor);
  if (person.actor === 'User') return person;
  throw forbidden('A user token may not do this. Sign in and do it in a session.');
}

/** Requires a visitor of the console, signed in or not, or the hub itself. */
export function mustBeVisitor(actor: Actor): void {
  if (['Anonymous', 'User', 'System'].includes(actor.actor)) return;
  throw forbidden('Only people may make accounts for themselves.');
}

/** Requires the hub itself, which includes its jobs and the other nodes. */
export function mustBeHub(actor: Actor): void {
  if (actor.actor === 'System' || actor.actor === 'ClusterNode') return;
  if (actor.actor === 'Anonymous') throw notSignedIn();
  throw forbidden('Only the hub itself may do this.');
}
