import { createFileRoute } from '@tanstack/react-router';
import { NotFoundScreen, wayTo } from '../../../../shell/not-found/NotFoundScreen.tsx';

// An unknown page keeps the sidebar of what it would be in.
export const Route = createFileRoute('/_guard/projects/$projectId/$')({ component: UnknownPage });

function UnknownPage() {
  const { projectId } = Route.useParams();
  return <NotFoundScreen back={wayTo('devices', { projectId })} />;
}
