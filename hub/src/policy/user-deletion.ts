import { ActionError } from '@corral/contract';
import type { SolelyOwnedProject, SolelyOwnedRepository } from '../store/user-deletion.ts';

/** What decides whether a user may be deleted. */
export interface DeletionCase {
  /** The raw ids of the administrators who can sign in. */
  readonly administrators: readonly string[];
  /** The raw id of the user. */
  readonly userId: string;
  readonly projects: readonly SolelyOwnedProject[];
  readonly repositories: readonly SolelyOwnedRepository[];
}

/** Why a user cannot be deleted; undefined if it can. */
export function refusalOfDeletion({
  administrators,
  userId,
  projects,
  repositories,
}: DeletionCase): string | undefined {
  if (administrators.length === 1 && administrators[0] === userId)
    return 'The last administrator cannot be deleted.';
  const held = projects.find(({ hasOtherMembers }) => hasOtherMembers);
  if (held !== undefined)
    return `The project "${held.name}" has other members and no other owner. Make one of them an owner, or delete the project, first.`;
  const used = repositories.find(({ isUsed }) => isUsed);
  if (used !== undefined)
    return `The repository "${used.name}" has no other owner, but other members or linked projects. Make somebody else an owner, or delete the repository, first.`;
  return undefined;
}

/** Requires that a user can be deleted. */
export function mustBeDeletable(deletion: DeletionCase): void {
  const refusal = refusalOfDeletion(deletion);
  if (refusal !== undefined) throw new ActionError('Invalid', refusal);
}
