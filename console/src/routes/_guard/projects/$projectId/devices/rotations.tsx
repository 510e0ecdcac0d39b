import { createFileRoute } from '@tanstack/react-router';
import { parseRotationSearch } from '../../../../../features/devices/rotation/rotation-search.ts';
import { RotationsPage } from '../../../../../features/devices/rotation/RotationsPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/devices/rotations')({
  validateSearch: parseRotationSearch,
  component: Rotations,
});

function Rotations() {
  return <RotationsPage projectId={Route.useParams().projectId} />;
}
