import { linkOptions } from '@tanstack/react-router';
import { terms } from '../../../copy/terms.ts';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import type { CreateButton } from '../../../parts/create-button.tsx';
import type { PackageParams } from '../package/version-columns.tsx';

/** The button that leads to the page of a new version, for those who may write. */
export function useNewVersion({ repositoryId, packageId }: PackageParams): CreateButton | undefined {
  const { canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  if (!canWrite) return undefined;
  const to = '/repositories/$repositoryId/packages/$packageId/new';
  return { label: terms.create.versions, page: linkOptions({ to, params: { repositoryId, packageId } }) };
}
