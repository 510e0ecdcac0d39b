import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { ButtonLink } from '../../../ui/action/ButtonLink.tsx';
import type { PackageParams } from '../package/version-columns.tsx';
import { packageSettingsCopy as words } from './copy.ts';

/** The link to the settings of a package, for those who may write. */
export function PackageSettingsLink(params: PackageParams) {
  const { canWrite } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  if (!canWrite) return null;
  return (
    <ButtonLink
      icon={<Settings size={15} aria-hidden />}
      render={<Link to="/repositories/$repositoryId/packages/$packageId/settings" params={params} />}
    >
      {words.open}
    </ButtonLink>
  );
}
