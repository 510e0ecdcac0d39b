import { createFileRoute } from '@tanstack/react-router';
import { userTokensQuery } from '../../../features/account/security/queries.ts';
import { SecurityPage } from '../../../features/account/security/SecurityPage.tsx';

export const Route = createFileRoute('/_guard/settings/security')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userTokensQuery(context.userId)),
  component: Security,
});

function Security() {
  const { userId } = Route.useRouteContext();
  return <SecurityPage userId={userId} />;
}
