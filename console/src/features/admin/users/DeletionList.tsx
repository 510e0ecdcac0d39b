import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../ui/form/message-of.ts';
import { usersCopy as words } from './copy.ts';
import { userDeletionQuery } from './users-view.ts';

type Deletion = Output<'users_GetUserDeletion'>;

/** The names that are listed; further ones are counted. */
const shownNames = 8;

/** What is deleted and ended with a user, or why the hub would refuse that; read anew each time that it shows. */
export function DeletionList({ userId }: { userId: Id<'user'> }) {
  const { data: deletion, error } = useQuery({ ...userDeletionQuery(userId), gcTime: 0 });
  const refusal = deletion === undefined ? error && messageOf(error) : deletion.refusal;
  if (refusal)
    return (
      <p role="alert" className="text-danger">
        {refusal}
      </p>
    );
  return (
    <div role="status">
      <p>{words.deleteText}</p>
      {deletion === undefined ? (
        <p className="mt-2 text-ink3">{words.deletionLoading}</p>
      ) : (
        <Lines lines={linesOf(deletion)} />
      )}
    </div>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <p className="mt-2">{words.nothingElseDeleted}</p>;
  return (
    <>
      <p className="mt-2">{words.deletedWith}</p>
      <ul className="mt-1 list-disc ps-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function linesOf(deletion: Deletion): string[] {
  const projects = deletion.projects.slice(0, shownNames);
  const repositories = deletion.repositories.slice(0, shownNames);
  const counted: [number, (n: number) => string][] = [
    [deletion.projectCount - projects.length, words.moreProjects],
    [deletion.repositoryCount - repositories.length, words.moreRepositories],
    [deletion.membershipCount, words.memberships],
    [deletion.tokenCount, words.tokens],
    [deletion.sessionCount, words.sessions],
  ];
  return [
    ...projects.map(({ name, devices }) => words.deletedProject(name, devices)),
    ...repositories.map(({ name, packageCount }) => words.deletedRepository(name, packageCount)),
    ...counted.filter(([n]) => n > 0).map(([n, say]) => say(n)),
  ];
}
