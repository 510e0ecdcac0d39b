import type { Output } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { useForget } from '../../parts/use-forget.ts';
import { repositorySettingsCopy as words } from './copy.ts';
import { LinkedProjects } from './LinkedProjects.tsx';
import { deleteRepository } from './mutations.ts';

type Repository = Output<'repositories_GetRepositoryDetails'>;

/** A function that deletes the repository after its name was typed, and goes to the list of repositories. */
export function useDeleteRepository(repository: Repository): () => void {
  const navigate = useNavigate();
  const forget = useForget();
  const run = useRun();
  const { name, repositoryId } = repository;
  return () =>
    void confirm({
      title: words.deleteTitle(name),
      text: (
        <>
          <p>{words.text}</p>
          <p className="mt-2">{deletionSummary(repository)}</p>
          <LinkedProjects repositoryId={repositoryId} />
        </>
      ),
      verb: words.deleteRepository,
      typedName: name,
      action: async () => {
        await run(deleteRepository, { repositoryId });
        await navigate({ to: '/repositories' });
        forget('repositoryId', repositoryId);
      },
      done: words.deleted(name),
    });
}

/** What is deleted with the repository, in numbers. */
export function deletionSummary({ packageCount, assetCount }: Repository): string {
  const parts = [
    ...(packageCount > 0 ? [words.packages(packageCount)] : []),
    ...(assetCount > 0 ? [words.assets(assetCount)] : []),
  ];
  return parts.length === 0 ? words.deletesNothing : words.deletes(words.and(parts));
}
