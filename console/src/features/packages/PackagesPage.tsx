import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useMemo } from 'react';
import { terms } from '../../copy/terms.ts';
import { repositoryPackagesQuery, repositoryQuery } from '../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { CommandsCard } from '../../parts/CommandsCard.tsx';
import { rowsPerPage } from '../../parts/list-limits.ts';
import { createPackageCommand, publishCommands } from '../../parts/publish-commands.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { searchedRows } from '../../parts/searched-rows.ts';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { packagesCopy as words } from './copy.ts';
import type { NewPackageDialog } from './NewPackageDialog.tsx';
import { packageColumns, packageLink } from './package-columns.tsx';

// Lazy, because the list does not need the code of the form.
async function loadNewPackage() {
  const { NewPackageDialog: Dialog } = await import('./NewPackageDialog.tsx');
  return (props: ComponentProps<typeof NewPackageDialog>) => <Dialog {...props} />;
}

/** The packages of a repository, below the commands that manage them. */
export function PackagesPage({ repositoryId }: { repositoryId: Id<'repository'> }) {
  const { name, packageCount, canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  const navigate = useNavigate();
  const newPackage = useLazyDialog(loadNewPackage);
  return (
    <ResourceListPage
      meta={() => (
        <>
          <span>{words.onlyCli}</span> {canWrite && <span>{words.hereToo}</span>}
        </>
      )}
      intro={
        <CommandsCard
          // Open until there is something else to see.
          isOpen={packageCount === 0}
          className="mb-4"
          hint={words.commandsHint}
          commands={[
            { does: words.create, code: createPackageCommand(name) },
            { does: words.publish, code: publishCommands(name) },
          ]}
        />
      }
      source={searchedRows((asked) => repositoryPackagesQuery(repositoryId, rowsPerPage, asked), {
        rowsOf: ({ packages }) => packages,
        keyOf: ({ packageId }) => packageId,
        orders: ['name', 'kind', 'newest', 'published', 'versions'],
        total: packageCount,
      })}
      columns={useMemo(() => packageColumns(repositoryId), [repositoryId])}
      rowKey={({ packageId }) => packageId}
      rowName={(row) => row.name}
      filterLabel={words.filter}
      csvName={words.csvName}
      onOpen={({ packageId }) => void navigate(packageLink(repositoryId, packageId))}
      create={canWrite ? { label: terms.create.packages, onCreate: newPackage.open } : undefined}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    >
      {newPackage.render({ repositoryId })}
    </ResourceListPage>
  );
}
