import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { TerminalPage } from '../../../../../features/terminals/TerminalPage.tsx';
import { terminalsQuery } from '../../../../../parts/terminal/terminals.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/projects/$projectId/terminals/$sessionId')({
  params: {
    parse: ({ sessionId }) => ({ sessionId: sessionId as Id<'terminal'> }),
    stringify: ({ sessionId }) => ({ sessionId }),
  },
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(terminalsQuery({ projectId: params.projectId })),
  notFoundComponent: () => <NotFoundScreen />,
  component: Terminal,
});

function Terminal() {
  const { projectId, sessionId } = Route.useParams();
  return <TerminalPage key={sessionId} {...{ projectId, sessionId }} />;
}
