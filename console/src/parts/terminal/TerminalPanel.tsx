import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { projectQuery } from '../../data/queries-projects.ts';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Skeleton } from '../../ui/layout/Skeleton.tsx';
import { terminalCopy as words } from './copy.ts';
import { hasTicket } from './pending-tickets.ts';
import { EndButton, WaiveButton } from './TerminalActions.tsx';
import { TerminalScreen } from './TerminalScreen.tsx';
import { type Terminal, terminalsQuery } from './terminals.ts';

/** A terminal, however it stands: it waits for an approval, is open, or has ended. */
export function TerminalPanel({
  projectId,
  deviceId,
  sessionId,
  label,
  waitingActions,
  afterEnd,
}: {
  projectId: Id<'project'>;
  deviceId: Id<'device'>;
  sessionId: Id<'terminal'>;
  label: string;
  /** Beside the text of one that waits. */
  waitingActions?: ReactNode;
  /** Beside the text of one that has ended. */
  afterEnd?: ReactNode;
}) {
  const { data } = useQuery(terminalsQuery({ deviceId }));
  const { data: project } = useQuery(projectQuery(projectId));
  const terminal = data?.terminals.find((one) => one.sessionId === sessionId);
  // A screen stays when its terminal ends: its last lines may say why.
  const [wasOpen, setWasOpen] = useState(() => hasTicket(sessionId));
  if (terminal?.state === 'Open' && !wasOpen) setWasOpen(true);
  const endActions = (
    <div className="flex flex-wrap gap-2">
      <PlayLink {...{ projectId, sessionId }} />
      {afterEnd}
    </div>
  );
  if (wasOpen)
    return (
      <TerminalScreen
        {...{ sessionId, label }}
        actions={<EndButton sessionId={sessionId} />}
        unrecordedActions={project?.isOwner === true && <WaiveButton sessionId={sessionId} />}
        afterEnd={endActions}
      />
    );
  if (data === undefined) return <Skeleton height="10rem" />;
  if (terminal?.state === 'Waiting')
    return (
      <Notice
        title={words.waiting.title}
        actions={waitingActions ?? <EndButton sessionId={sessionId} label={words.cancel} />}
      >
        {words.waiting.text}
      </Notice>
    );
  return (
    <Notice title={endOf(terminal)} actions={endActions}>
      {terminal?.exitStatus === undefined ? undefined : words.status(terminal.exitStatus)}
    </Notice>
  );
}

/** Why a terminal ended, in a sentence. */
export const endOf = (terminal: Terminal | undefined): string =>
  terminal?.endReason === undefined ? words.ended : words.ends[terminal.endReason];

function PlayLink({ projectId, sessionId }: { projectId: Id<'project'>; sessionId: Id<'terminal'> }) {
  return (
    <ButtonLink
      icon={<Play size={15} aria-hidden />}
      render={<Link to="/projects/$projectId/terminals/$sessionId" params={{ projectId, sessionId }} />}
    >
      {words.playRecording}
    </ButtonLink>
  );
}
