import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_guard/projects/$projectId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$projectId/devices', params, replace: true });
  },
});
