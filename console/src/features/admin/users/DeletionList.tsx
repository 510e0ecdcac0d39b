import type { Output } from '@corral/contract';
import { usersCopy as words } from './copy.ts';

type Deletion = Output<'users_GetUserDeletion'>;

/** The names that are listed; further ones are counted. */
const shownNames = 8;

/** What is deleted and ended with a user. */
export function DeletionList({ deletion }: { deletion: Deletion }) {
  const lines = linesOf(deletion);
  return (
    <>
      <p>{words.deleteText}</p>
      {lines.length === 0 ? (
        <p className="mt-2">{words.nothingElseDeleted}</p>
      ) : (
        <>
          <p className="mt-2">{words.deletedWith}</p>
          <ul className="mt-1 list-disc ps-5">
            {lines.map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ul>
        </>
      )}
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
