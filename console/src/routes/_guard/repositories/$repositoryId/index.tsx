import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/repositories/$repositoryId/packages', params, replace: true });
  },
});
