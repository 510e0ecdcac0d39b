import type { Actor } from '@corral/contract';
import type { ActorNames } from '../use-actor-names.ts';
import type { Terminal } from './terminals.ts';

/** Who did something, by name where that is known. */
export function nameOfActor(actor: Actor, names: ActorNames): string {
  return ('userId' in actor ? names.get(actor.userId) : undefined) ?? actor.kind;
}

/** Whether a user opened a terminal. */
export const isOpenedBy = ({ openedBy }: Terminal, userId: string | undefined): boolean =>
  'userId' in openedBy && openedBy.userId === userId;
