import { createFileRoute } from '@tanstack/react-router';
import { ProjectSettings } from '../../../../features/project-settings/ProjectSettings.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/settings')({ component: Settings });

function Settings() {
  const { projectId } = Route.useParams();
  return <ProjectSettings key={projectId} projectId={projectId} />;
}
