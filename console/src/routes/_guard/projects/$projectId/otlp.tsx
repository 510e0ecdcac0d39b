import { createFileRoute } from '@tanstack/react-router';
import { otlpConfigQuery, otlpStatusQuery } from '../../../../features/otlp/otlp.ts';
import { OtlpPage } from '../../../../features/otlp/OtlpPage.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/otlp')({
  loader: ({ context: { queryClient }, params: { projectId } }) =>
    Promise.all([
      queryClient.ensureQueryData(otlpConfigQuery(projectId)),
      queryClient.ensureQueryData(otlpStatusQuery(projectId)),
    ]),
  component: Otlp,
});

function Otlp() {
  const { projectId } = Route.useParams();
  return <OtlpPage key={projectId} projectId={projectId} />;
}
