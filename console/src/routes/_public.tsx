import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router';
import { PublicFrame } from '../components/PublicFrame.tsx';
import { configQuery } from '../data/queries-account.ts';

export const Route = createFileRoute('/_public')({
  // Asked for at the start already: so no page shows first what the hub does not offer. Without an answer nothing is hidden.
  loader: ({ context }) => context.queryClient.ensureQueryData(configQuery).then(nothing, nothing),
  component: PublicLayout,
});

function nothing(): void {}

/** The frame stays as it is from one of its pages to the next. */
function PublicLayout() {
  const isSignUp = useRouterState({ select: ({ location }) => location.pathname.startsWith('/signup') });
  return (
    <PublicFrame isSignUp={isSignUp}>
      <Outlet />
    </PublicFrame>
  );
}
