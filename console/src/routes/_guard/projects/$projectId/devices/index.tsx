import { createFileRoute } from '@tanstack/react-router';
import { DevicesPage } from '../../../../../features/devices/DevicesPage.tsx';
import { parseDevicesSearch } from '../../../../../features/devices/device-view.ts';
import { projectDevicesQuery } from '../../../../../data/queries-projects.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/devices/')({
  validateSearch: parseDevicesSearch,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectDevicesQuery(params.projectId)),
  component: Devices,
});

function Devices() {
  const { projectId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <DevicesPage
      // A new key per project discards the state of the former one.
      key={projectId}
      projectId={projectId}
      search={search}
      onSearchChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
    />
  );
}
