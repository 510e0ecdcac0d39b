import { createFileRoute } from '@tanstack/react-router';
import { RepositorySettings } from '../../../../features/repository-settings/RepositorySettings.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/settings')({ component: Settings });

function Settings() {
  const { repositoryId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  return <RepositorySettings key={repositoryId} {...{ repositoryId, userId }} />;
}
