import { useQuery } from '@tanstack/react-query';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { packageVersionQuery } from '../install-queries.ts';
import type { DraftOperation } from './draft-operation.ts';

/** The version that an operation installs, as people say it, such as "press 1.4.0", and as the command line takes it; empty while it is not known. */
export interface NamedVersion {
  readonly label: string;
  readonly path: string;
}

/** See `NamedVersion`. */
export function useNamedVersion({
  repositoryId,
  versionId,
}: Pick<DraftOperation, 'repositoryId' | 'versionId'>): NamedVersion {
  const isChosen = versionId !== undefined;
  const { data } = useQuery({ ...packageVersionQuery(versionId ?? 'pkg_v_'), enabled: isChosen });
  const { data: repository } = useQuery({
    ...repositoryQuery(repositoryId ?? 'repo_'),
    enabled: isChosen && repositoryId !== undefined,
  });
  if (data === undefined || !isChosen) return { label: '', path: '' };
  const name = data.name ?? data.tags[0]?.tag;
  return {
    label: `${data.packageName} ${name ?? `…${versionId.slice(-4)}`}`,
    path:
      name === undefined || repository === undefined
        ? versionId
        : `${repository.name}/${data.packageName}@${name}`,
  };
}
