import { createFileRoute } from '@tanstack/react-router';
import { eventFilterOf } from '../../../../features/devices/device/events-search.ts';
import { parseProjectEventsSearch } from '../../../../features/devices/events/events-search.ts';
import { ProjectEventsPage } from '../../../../features/devices/events/ProjectEventsPage.tsx';
import { projectEventsQuery } from '../../../../features/devices/queries.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/events')({
  validateSearch: parseProjectEventsSearch,
  loaderDeps: ({ search }) => search,
  // Not awaited, and a filter with a mistake is no failure of the page.
  loader: ({ context, params, deps: { q, severity } }) => {
    const filter = eventFilterOf(q ?? '', severity);
    void context.queryClient.prefetchQuery(projectEventsQuery(params.projectId, { filter }));
  },
  component: Events,
});

function Events() {
  const { projectId } = Route.useParams();
  return <ProjectEventsPage key={projectId} projectId={projectId} />;
}
