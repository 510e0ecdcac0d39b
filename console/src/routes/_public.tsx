import { createFileRoute, Outlet, useRouterState } from '@tanstack/react-router';
import { PublicFrame } from '../shell/public/PublicFrame.tsx';
import { configQuery } from '../data/queries-account.ts';

export const Route = createFileRoute('/_public')({
  // Loaded before the first render, so that no page flashes what the hub does not offer. On failure nothing is hidden.
  loader: ({ context }) => context.queryClient.ensureQueryData(configQuery).then(nothing, nothing),
  component: PublicLayout,
});

function nothing(): void {}

/** Keeps the frame mounted across navigations. */
function PublicLayout() {
  const isSignUp = useRouterState({ select: ({ location }) => location.pathname.startsWith('/signup') });
  return (
    <PublicFrame isSignUp={isSignUp}>
      <Outlet />
    </PublicFrame>
  );
}
