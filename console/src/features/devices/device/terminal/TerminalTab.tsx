import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../../../../data/queries-account.ts';
import { documentPath } from '../../../../parts/document-path.ts';
import { terminalCopy as words } from '../../../../parts/terminal/copy.ts';
import { EndButton } from '../../../../parts/terminal/TerminalActions.tsx';
import { TerminalPanel } from '../../../../parts/terminal/TerminalPanel.tsx';
import {
  type TerminalAccess,
  terminalAccessQuery,
  terminalsQuery,
} from '../../../../parts/terminal/terminals.ts';
import { TerminalState } from '../../../../parts/terminal/TerminalState.tsx';
import { useActorNames } from '../../../../parts/use-actor-names.ts';
import { isOpenedBy, nameOfActor } from '../../../../parts/terminal/opener.ts';
import { Button } from '../../../../ui/action/Button.tsx';
import { Card } from '../../../../ui/layout/Card.tsx';
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx';
import { TextLink } from '../../../../ui/text/TextLink.tsx';
import { RelativeTime } from '../../../../ui/time/RelativeTime.tsx';
import { FilesCard } from '../files/FilesCard.tsx';
import { OpenTerminalForm } from './OpenTerminalForm.tsx';

interface TerminalTabProps {
  readonly projectId: Id<'project'>;
  readonly deviceId: Id<'device'>;
  readonly name: string;
  /** The terminal that is open in this tab. */
  readonly session: Id<'terminal'> | undefined;
  readonly onSessionChange: (session: Id<'terminal'> | undefined) => void;
}

/** Opens a terminal on the device, and shows it; the open one is in the URL. */
export function TerminalTab({ projectId, deviceId, name, session, onSessionChange }: TerminalTabProps) {
  const again = () => onSessionChange(undefined);
  if (session !== undefined)
    return (
      <TerminalPanel
        key={session}
        {...{ projectId, deviceId }}
        sessionId={session}
        label={words.on(name)}
        afterEnd={
          <Button variant="primary" onClick={again}>
            {words.again}
          </Button>
        }
      />
    );
  return (
    <div className="flex flex-col gap-4">
      <AccessCard {...{ projectId, deviceId, onSessionChange }} />
      <LiveTerminals {...{ projectId, deviceId, onSessionChange }} />
      <FilesCard {...{ deviceId }} />
    </div>
  );
}

type PartProps = Pick<TerminalTabProps, 'projectId' | 'deviceId' | 'onSessionChange'>;

function AccessCard({ projectId, deviceId, onSessionChange }: PartProps) {
  const { data: access } = useQuery(terminalAccessQuery(deviceId));
  if (access === undefined) return null;
  if (access.status === 'Ready') return <OpenTerminalForm {...{ deviceId, access, onSessionChange }} />;
  return (
    <Card title={words.states[access.status]}>
      <div className="flex flex-col items-start gap-3">
        <p className="max-w-[40rem] text-body text-ink2">{words.why[access.status]}</p>
        <NextStep {...{ projectId }} status={access.status} />
      </div>
    </Card>
  );
}

const lines = '[terminal]\nenabled = true';

function NextStep({
  projectId,
  status,
}: {
  projectId: Id<'project'>;
  status: Exclude<TerminalAccess['status'], 'Ready'>;
}) {
  if (status === 'NotConnected') return null;
  if (status !== 'NotOffered')
    return (
      <TextLink render={<Link to="/projects/$projectId/settings" params={{ projectId }} />}>
        {words.settings}
      </TextLink>
    );
  return (
    <div className="flex w-full max-w-[40rem] flex-col gap-2">
      <p className="font-mono text-mono wrap-anywhere text-ink3">{words.files}</p>
      <CodeBlock code={lines} what={words.files} />
      <p className="text-body text-ink2">
        {words.why.needs} <TextLink render={<Link to={documentPath('terminal')} />}>{words.more}</TextLink>
      </p>
    </div>
  );
}

/** The terminals of the device that are open or wait. */
function LiveTerminals({ projectId, deviceId, onSessionChange }: PartProps) {
  const { data } = useQuery(terminalsQuery({ deviceId }));
  const { data: user } = useQuery(sessionQuery);
  const names = useActorNames(projectId);
  const live = data?.terminals.filter(({ state }) => state !== 'Ended') ?? [];
  if (live.length === 0) return null;
  return (
    <Card title={words.live} isFlush>
      <ul className="divide-y divide-line">
        {live.map((terminal) => (
          <li
            key={terminal.sessionId}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4.5 py-2.5"
          >
            <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink2">
              <TerminalState {...{ terminal }} />
              <bdi className="font-head text-ink">{nameOfActor(terminal.openedBy, names)}</bdi>
              <RelativeTime at={terminal.openedAt} />
            </span>
            <span className="flex flex-wrap gap-2">
              <Button onClick={() => onSessionChange(terminal.sessionId)}>
                {isOpenedBy(terminal, user?.userId) || terminal.state === 'Waiting'
                  ? words.continue
                  : words.watch}
              </Button>
              <EndButton sessionId={terminal.sessionId} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
