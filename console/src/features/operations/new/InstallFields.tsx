import type { Id } from '@corral/contract';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectRepositoriesQuery } from '../../../data/queries-repositories.ts';
import { Combobox } from '../../../ui/form/Combobox.tsx';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { offeredPackagesQuery, offeredVersionsQuery } from '../install-queries.ts';
import { newOperationCopy } from './copy.ts';
import type { ChangeDraft, DraftOperation } from './draft-operation.ts';

const words = newOperationCopy.what;

/** The package of a linked repository, and its version. */
export function InstallFields({
  projectId,
  draft: { repositoryId, packageId, versionId },
  change,
}: {
  projectId: Id<'project'>;
  draft: DraftOperation;
  change: ChangeDraft;
}) {
  const { packages, isRead } = usePackages(projectId);
  const { data } = useQuery({
    ...offeredVersionsQuery(packageId ?? 'pkg_'),
    enabled: packageId !== undefined,
  });
  if (isRead && packages.length === 0)
    return (
      <p className="mt-4 text-body text-ink2">
        {words.noPackages}{' '}
        <TextLink render={<Link to="/projects/$projectId/repositories" params={{ projectId }} />}>
          {words.noPackagesLink}
        </TextLink>
        .
      </p>
    );
  const versions = packageId === undefined ? [] : (data?.versions ?? []);
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      <Combobox
        label={words.package}
        placeholder={words.packagePlaceholder}
        options={packages}
        value={packageId ?? null}
        onValueChange={(next) =>
          change({
            packageId: next ?? undefined,
            repositoryId: packages.find(({ value }) => value === next)?.repositoryId ?? repositoryId,
            versionId: undefined,
          })
        }
      />
      <Combobox
        label={words.version}
        placeholder={words.versionPlaceholder}
        disabled={packageId === undefined}
        options={versions.map(({ versionId: value, name, tags }) => ({
          value,
          label: name ?? tags[0]?.tag ?? `…${value.slice(-4)}`,
          hint: tags.map(({ tag }) => tag).join(', '),
        }))}
        value={versionId ?? null}
        onValueChange={(next) => change({ versionId: next ?? undefined })}
      />
    </div>
  );
}

/** The packages of the repositories that are linked to a project. */
function usePackages(projectId: Id<'project'>) {
  const { data } = useQuery(projectRepositoriesQuery(projectId));
  const repositories = data?.repositories ?? [];
  const answers = useQueries({
    queries: repositories.map(({ repositoryId }) => offeredPackagesQuery(repositoryId)),
  });
  const packages = repositories.flatMap(({ repositoryId, name }, index) =>
    (answers[index]?.data?.packages ?? []).map((one) => ({
      value: one.packageId,
      label: one.name,
      hint: name,
      repositoryId,
    })),
  );
  return { packages, isRead: data !== undefined && answers.every((answer) => !answer.isPending) };
}
