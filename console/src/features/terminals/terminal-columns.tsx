import type { Id } from '@corral/contract';
import { Check, CircleStop, Download, Eye, Play, TriangleAlert, X } from 'lucide-react';
import type { Run } from '../../data/action-mutation.ts';
import { orToast } from '../../parts/or-toast.ts';
import { terminalCopy } from '../../parts/terminal/copy.ts';
import { isOpenedBy, nameOfActor } from '../../parts/terminal/opener.ts';
import { askToApprove, askToEnd, askToRefuse } from '../../parts/terminal/TerminalActions.tsx';
import { endOf } from '../../parts/terminal/TerminalPanel.tsx';
import { TerminalState } from '../../parts/terminal/TerminalState.tsx';
import type { Terminal } from '../../parts/terminal/terminals.ts';
import type { ActorNames } from '../../parts/use-actor-names.ts';
import { Badge } from '../../ui/badge/Badge.tsx';
import { menuColumn, nameColumn, type RowAction, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { Dash } from '../../ui/text/Dash.tsx';
import { Duration } from '../../ui/time/Duration.tsx';
import { toMs } from '../../ui/time/format-time.ts';
import { terminalsCopy } from './copy.ts';
import { downloadRecording } from './download-recording.ts';

const words = terminalsCopy.columns;

interface ColumnContext {
  readonly run: Run;
  readonly names: ActorNames;
  readonly open: (sessionId: Id<'terminal'>) => void;
  readonly isOwner: boolean;
  readonly userId: string | undefined;
}

/** The columns of the terminals of a project. */
export function terminalColumns(context: ColumnContext): DataColumn<Terminal>[] {
  const { names } = context;
  return [
    nameColumn({
      id: 'device',
      header: words.device,
      isFilling: true,
      of: ({ deviceName, deviceId }) => deviceName ?? deviceId,
    }),
    {
      id: 'state',
      header: words.state,
      width: '8rem',
      value: ({ state }) => terminalCopy.columnStates[state],
      filterText: (terminal) => (terminal.state === 'Ended' ? endOf(terminal) : ''),
      cell: (terminal) => (
        <span
          className="flex flex-wrap gap-1"
          title={terminal.state === 'Ended' ? endOf(terminal) : undefined}
        >
          <TerminalState {...{ terminal }} />
          {terminal.waivedBy !== undefined && (
            <Badge tone="warn" icon={<TriangleAlert size={13} aria-hidden />}>
              {terminalsCopy.waivedBadge}
            </Badge>
          )}
        </span>
      ),
      onPhone: 'badge',
    },
    {
      id: 'by',
      header: words.by,
      width: '10rem',
      value: ({ openedBy }) => nameOfActor(openedBy, names),
      cell: ({ openedBy }) => <bdi className="block max-w-44 truncate">{nameOfActor(openedBy, names)}</bdi>,
    },
    {
      id: 'user',
      header: words.user,
      width: '7rem',
      isExtra: true,
      value: ({ user }) => user,
      cell: ({ user }) =>
        user === undefined ? <Dash /> : <span className="font-mono text-mono">{user}</span>,
    },
    {
      id: 'reason',
      header: words.reason,
      width: '14rem',
      isExtra: true,
      value: ({ reason }) => reason,
      cell: ({ reason }) =>
        reason === undefined ? (
          <Dash />
        ) : (
          <span className="wrap-anywhere text-ink2 in-[td]:line-clamp-2 in-[td]:min-w-48">{reason}</span>
        ),
      phoneCell: ({ reason }) => reason,
    },
    timeColumn({ id: 'opened', header: words.opened, width: '8rem', of: ({ openedAt }) => openedAt }),
    {
      id: 'took',
      header: words.took,
      width: '6rem',
      isExtra: true,
      onPhone: 'hidden',
      value: secondsOf,
      cell: (terminal) => {
        const seconds = secondsOf(terminal);
        if (seconds === undefined) return <Dash />;
        return (
          <span className="whitespace-nowrap">
            <Duration seconds={seconds} />
          </span>
        );
      },
    },
    menuColumn<Terminal>({
      idOf: ({ sessionId }) => sessionId,
      nameOf: ({ deviceName, deviceId }) => deviceName ?? deviceId,
      what: terminalCopy.id,
      of: (terminal) => actionsOf(terminal, context),
    }),
  ];
}

/** How long a terminal was used; undefined while it is, and for one that was not. */
export function secondsOf({ startedAt, endedAt }: Terminal): number | undefined {
  if (startedAt === undefined || endedAt === undefined) return undefined;
  return (toMs(endedAt) - toMs(startedAt)) / 1_000;
}

function actionsOf(terminal: Terminal, { run, names, open, isOwner, userId }: ColumnContext): RowAction[] {
  const { sessionId, state, isRecorded } = terminal;
  const isOwn = isOpenedBy(terminal, userId);
  const show = { onSelect: () => open(sessionId), isNavigation: true };
  const ending = { icon: <CircleStop aria-hidden />, onSelect: () => void askToEnd(run, sessionId) };
  if (state === 'Ended')
    return [
      { label: isRecorded ? terminalCopy.play : terminalCopy.view, icon: <Play aria-hidden />, ...show },
      ...(isRecorded
        ? [
            {
              label: terminalCopy.download,
              icon: <Download aria-hidden />,
              onSelect: () => orToast(terminalCopy.notDownloaded, downloadRecording(run, sessionId)),
            },
          ]
        : []),
    ];
  if (state === 'Open')
    return [
      { label: isOwn ? terminalCopy.continue : terminalCopy.watch, icon: <Eye aria-hidden />, ...show },
      ...(isOwn || isOwner ? [{ label: terminalCopy.end, ...ending, tone: 'danger' as const }] : []),
    ];
  if (isOwn) return [{ label: terminalCopy.cancel, ...ending }];
  if (!isOwner) return [{ label: terminalCopy.view, icon: <Eye aria-hidden />, ...show }];
  return [
    {
      label: terminalCopy.approve,
      icon: <Check aria-hidden />,
      onSelect: () => void askToApprove(run, terminal, nameOfActor(terminal.openedBy, names)),
    },
    {
      label: terminalCopy.refuse,
      icon: <X aria-hidden />,
      onSelect: () => void askToRefuse(run, sessionId),
    },
  ];
}
