import { ActionError } from '@corral/contract';
import type { SolelyOwnedProject, SolelyOwnedRepository } from '../sql/user-deletion.ts';

/** The facts that decide whether a user may be deleted. */
export interface DeletionFacts {
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
}: DeletionFacts): string | undefined {
  if (administrators.length === 1 && administrators[0] === userId)
    return 'The last administrator cannot be deleted.';
  const sharedProject = projects.find(({ hasOtherMembers }) => hasOtherMembers);
  if (sharedProject !== undefined)
    return `The project "${sharedProject.name}" has other members and no other owner. Make one of them an owner, or delete the project, first.`;
  const usedRepository = repositories.find(({ isUsed }) => isUsed);
  if (usedRepository !== undefined)
    return `The repository "${usedRepository.name}" has no other owner, but other members or linked projects. Make somebody else an owner, or delete the repository, first.`;
  return undefined;
}

/** Requires that a user can be deleted. */
export function mustBeDeletable(deletion: DeletionFacts): void {
  const refusal = refusalOfDeletion(deletion);
  if (refusal !== undefined) throw new ActionError('Invalid', refusal);
}
