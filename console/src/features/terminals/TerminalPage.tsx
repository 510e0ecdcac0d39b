import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useRun } from '../../data/action-mutation.ts';
import { sessionQuery } from '../../data/queries-account.ts';
import { projectQuery } from '../../data/queries-projects.ts';
import { useLoadedQuery } from '../../data/use-loaded-query.ts';
import { SectionHeader } from '../../parts/SectionHeader.tsx';
import { terminalCopy } from '../../parts/terminal/copy.ts';
import { isOpenedBy, nameOfActor } from '../../parts/terminal/opener.ts';
import { askToApprove, askToRefuse } from '../../parts/terminal/TerminalActions.tsx';
import { endOf, TerminalPanel } from '../../parts/terminal/TerminalPanel.tsx';
import { TerminalState } from '../../parts/terminal/TerminalState.tsx';
import { type Terminal, terminalsQuery } from '../../parts/terminal/terminals.ts';
import { useActorNames } from '../../parts/use-actor-names.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { Duration } from '../../ui/time/Duration.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { terminalsCopy as words } from './copy.ts';
import { RecordingCard } from './RecordingCard.tsx';
import { secondsOf } from './terminal-columns.tsx';

interface TerminalPageProps {
  readonly projectId: Id<'project'>;
  readonly sessionId: Id<'terminal'>;
}

/** A terminal of a project: one that is open is watched, of one that has ended the recording is played. */
export function TerminalPage({ projectId, sessionId }: TerminalPageProps) {
  const { data } = useLoadedQuery(terminalsQuery({ projectId }));
  const terminal = data.terminals.find((one) => one.sessionId === sessionId);
  const title = terminalCopy.on(terminal?.deviceName ?? terminal?.deviceId ?? sessionId);
  const isLive = terminal !== undefined && terminal.state !== 'Ended';
  return (
    <Page>
      <SectionHeader title={title} name={title} badges={terminal && <TerminalState {...{ terminal }} />} />
      <div className="flex flex-col gap-5">
        {isLive && (
          <TerminalPanel
            {...{ projectId, sessionId }}
            deviceId={terminal.deviceId}
            label={title}
            waitingActions={<Decision {...{ projectId, terminal }} />}
          />
        )}
        {terminal !== undefined && <Facts {...{ projectId, terminal }} />}
        {!isLive && <Recording {...{ sessionId, terminal }} />}
      </div>
    </Page>
  );
}

function Recording({ sessionId, terminal }: { sessionId: Id<'terminal'>; terminal: Terminal | undefined }) {
  if (terminal?.isRecorded === false)
    return (
      <Card title={words.player.title}>
        <p className="text-body text-ink2">{words.player.none}</p>
      </Card>
    );
  return <RecordingCard {...{ sessionId }} isWaived={terminal?.waivedBy !== undefined} />;
}

/** What another owner decides; nothing for who asked, and for members. */
function Decision({ projectId, terminal }: { projectId: Id<'project'>; terminal: Terminal }) {
  const run = useRun();
  const names = useActorNames(projectId);
  const { data: user } = useQuery(sessionQuery);
  const { data: project } = useQuery(projectQuery(projectId));
  if (project?.isOwner !== true || isOpenedBy(terminal, user?.userId)) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="primary"
        isWrite
        icon={<Check size={15} aria-hidden />}
        onClick={() => askToApprove(run, terminal, nameOfActor(terminal.openedBy, names))}
      >
        {terminalCopy.approve}
      </Button>
      <Button isWrite icon={<X size={15} aria-hidden />} onClick={() => askToRefuse(run, terminal.sessionId)}>
        {terminalCopy.refuse}
      </Button>
    </div>
  );
}

function Facts({ projectId, terminal }: { projectId: Id<'project'>; terminal: Terminal }) {
  const names = useActorNames(projectId);
  const { deviceId, deviceName, openedBy, user, reason, openedAt, approvedBy, endReason, endedBy } = terminal;
  const { exitStatus, gaps = 0, digest, state, waivedBy, waiverReason = '' } = terminal;
  const seconds = secondsOf(terminal);
  const isRefused = endReason === 'NotApproved';
  const facts = words.facts;
  return (
    <Card title={words.about} isFlush>
      <Properties
        items={[
          {
            name: facts.device,
            value: (
              <TextLink
                render={<Link to="/projects/$projectId/devices/$deviceId" params={{ projectId, deviceId }} />}
              >
                {deviceName ?? deviceId}
              </TextLink>
            ),
          },
          { name: facts.by, value: <bdi>{nameOfActor(openedBy, names)}</bdi> },
          { name: facts.user, value: user && <span className="font-mono text-mono">{user}</span> },
          { name: facts.reason, value: reason },
          { name: facts.opened, value: <RelativeTime at={openedAt} /> },
          {
            name: isRefused ? facts.refusedBy : facts.approvedBy,
            value: approvedBy && <bdi>{nameOfActor(approvedBy, names)}</bdi>,
          },
          { name: facts.took, value: seconds === undefined ? undefined : <Duration seconds={seconds} /> },
          { name: facts.end, value: state === 'Ended' ? endOf(terminal) : undefined },
          { name: facts.endedBy, value: endedBy && <bdi>{nameOfActor(endedBy, names)}</bdi> },
          { name: facts.status, value: exitStatus === undefined ? undefined : String(exitStatus) },
          {
            name: facts.waived,
            value: waivedBy && <bdi>{words.waived(nameOfActor(waivedBy, names), waiverReason)}</bdi>,
          },
          { name: facts.recording, value: gaps === 0 ? undefined : words.gaps(gaps) },
          {
            name: facts.digest,
            value: digest && <IdTag value={digest} what={facts.digest} length={24} />,
          },
        ]}
      />
    </Card>
  );
}
