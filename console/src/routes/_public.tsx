import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router';
import { PublicFrame } from '../components/PublicFrame.tsx';

export const Route = createFileRoute('/_public')({ component: PublicLayout });

/** The frame stays as it is from one of its pages to the next. */
function PublicLayout() {
  const isSignUp = useRouterState({ select: ({ location }) => location.pathname.startsWith('/signup') });
  return (
    <PublicFrame isSignUp={isSignUp}>
      <Outlet />
    </PublicFrame>
  );
}
