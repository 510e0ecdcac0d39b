import { createFileRoute } from '@tanstack/react-router';
import { repositoryQuery } from '../../../../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../../../../data/use-loaded-query.ts';
import { PackageSettingsPage } from '../../../../../../features/packages/settings/PackageSettingsPage.tsx';
import { MembersOnly } from '../../../../../../parts/MembersOnly.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/settings')({
  component: PackageSettings,
});

function PackageSettings() {
  const { repositoryId, packageId } = Route.useParams();
  const { canWrite } = useLoadedQuery(repositoryQuery(repositoryId)).data;
  return canWrite ? (
    <PackageSettingsPage key={packageId} {...{ repositoryId, packageId }} />
  ) : (
    <MembersOnly />
  );
}
