import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_guard/')({
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
});
