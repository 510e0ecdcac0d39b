import type { Id } from '@corral/contract';
import { PackagePlus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { terms } from '../../copy/terms.ts';
import { userRepositoriesQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { createRepositoryCommand, publishCommands } from '../../parts/publish-commands.ts';
import { ResourceCardsPage } from '../../parts/ResourceCardsPage.tsx';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { repositoriesCopy as words } from './copy.ts';
import { RepositoryCard } from './RepositoryCard.tsx';

// The name in the commands, to be replaced.
const example = 'my-repository';

// Lazy, because the list does not need the code of the form.
async function loadCreateRepository() {
  const { CreateRepositoryDialog } = await import('./CreateRepositoryDialog.tsx');
  return (props: ComponentProps<typeof CreateRepositoryDialog>) => <CreateRepositoryDialog {...props} />;
}

/** The repositories that the user may read, as cards by name. */
export function RepositoriesPage({ userId }: { userId: Id<'user'> }) {
  const { repositories } = useLoadedQuery(userRepositoriesQuery(userId)).data;
  const createDialog = useLazyDialog(loadCreateRepository);
  const packages = repositories.reduce((sum, { packageCount }) => sum + packageCount, 0);
  return (
    <ResourceCardsPage
      items={repositories}
      keyOf={({ repositoryId }) => repositoryId}
      meta={words.summary(repositories.length, packages)}
      create={{ label: terms.create.repositories, onCreate: createDialog.open }}
      empty={{
        icon: <PackagePlus size={20} aria-hidden />,
        title: words.emptyTitle,
        text: words.emptyText,
        children: (
          <div className="flex flex-col gap-1.5">
            <span className="text-body text-ink2">{words.steps}</span>
            <CodeBlock
              code={`${createRepositoryCommand(example)}\n${publishCommands(example)}`}
              what={words.commands}
            />
          </div>
        ),
      }}
      card={(repository) => <RepositoryCard repository={repository} />}
    >
      {createDialog.render({ userId })}
    </ResourceCardsPage>
  );
}
