import type { Id, Output } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { Link2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { hubNow } from '../../data/hub-clock.ts';
import { projectRepositoriesQuery, userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { runUndoable } from '../../parts/undoable.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Combobox } from '../../ui/form/Combobox.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { projectRepositoriesCopy as words } from './copy.ts';
import { type LinkedRepository, linkRepository, unlinkRepository } from './mutations.ts';

type Choice = Output<'users_QueryUserRepositories'>['repositories'][number];

/** Chooses a repository that the user may link and that is not linked yet, and links it. Says what the devices gain. */
export function LinkRepository({
  userId,
  projectId,
  deviceCount,
  mayLink,
}: {
  userId: Id<'user'>;
  projectId: Id<'project'>;
  deviceCount: number;
  mayLink: (repository: Choice) => boolean;
}) {
  const { repositories } = useLoadedQuery(userRepositoriesQuery(userId)).data;
  const linked = useLoadedQuery(projectRepositoriesQuery(projectId)).data.repositories;
  const [chosenId, setChosenId] = useState<string | null>(null);
  const run = useRun();
  const ids = new Set(linked.map(({ repositoryId }) => repositoryId));
  const unlinked = repositories.filter(({ repositoryId }) => !ids.has(repositoryId));
  const free = unlinked.filter(mayLink);
  const chosen = free.find(({ repositoryId }) => repositoryId === chosenId);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (chosen === undefined) return;
    const input = { projectId, repositoryId: chosen.repositoryId };
    runUndoable(run, linkRepository(rowOf(chosen)), input, {
      inverse: input,
      inverseMutation: unlinkRepository,
      done: words.linkedDone(chosen.name),
      failed: words.linkFailed,
    });
    setChosenId(null);
  }
  const isNothingLeft = free.length === 0;
  return (
    <form onSubmit={submit} className="mb-5 flex flex-wrap items-end gap-3">
      <Combobox
        label={words.choose}
        className="w-full sm:w-80"
        placeholder={isNothingLeft ? words.nothingLeft : words.placeholder}
        disabled={isNothingLeft}
        options={free.map(({ repositoryId, name }) => ({ value: repositoryId as string, label: name }))}
        value={chosen?.repositoryId ?? null}
        onValueChange={setChosenId}
      />
      <Button
        type="submit"
        variant="primary"
        icon={<Link2 size={15} aria-hidden />}
        disabled={chosen === undefined}
      >
        {words.link}
      </Button>
      <p role="status" className="own-direction w-full text-body text-ink2 empty:hidden">
        {chosen !== undefined && words.gains(deviceCount, chosen.name)}
        {isNothingLeft && repositories.length > 0 && (unlinked.length === 0 ? words.none : words.noneAllowed)}
        {repositories.length === 0 && (
          <>
            {words.noneYet}{' '}
            <TextLink render={<Link to="/repositories" hash="create" />}>{words.create}</TextLink>
          </>
        )}
      </p>
    </form>
  );
}

/** The row of a repository that is linked now; the hub's own follows with its answer. */
function rowOf({ repositoryId, name, visibility, packageCount }: Choice): LinkedRepository {
  const linkedAt = new Date(hubNow()).toISOString();
  return { repositoryId, name, displayName: name, publicName: name, visibility, packageCount, linkedAt };
}
