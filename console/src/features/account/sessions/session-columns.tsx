import type { Output } from '@corral/contract';
import { MonitorCheck } from 'lucide-react';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx';
import { actionsColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { sessionsCopy as words } from './copy.ts';
import { nameUserAgent, truncateUserAgent } from './user-agent.ts';

/** A session of the user. */
export type UserSession = Output<'users_QueryUserSessions'>['sessions'][number];

/** The columns of the table of sessions; the button of a row calls `end`. */
export function sessionColumns(end: (session: UserSession) => void): DataColumn<UserSession>[] {
  return [
    nameColumn({
      id: 'browser',
      header: words.columnBrowser,
      of: ({ userAgent }) => nameUserAgent(userAgent),
      cell: (session) => <Browser session={session} />,
    }),
    {
      id: 'userAgent',
      header: words.columnAgent,
      value: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => <UserAgent userAgent={userAgent} />,
    },
    idColumn({
      id: 'sessionId',
      header: words.columnId,
      of: ({ sessionId }) => sessionId,
      what: words.id,
      length: 12,
    }),
    timeColumn({ id: 'createdAt', header: words.columnCreated, of: ({ createdAt }) => createdAt }),
    timeColumn({ id: 'lastUsedAt', header: words.columnUsed, of: ({ lastUsedAt }) => lastUsedAt }),
    timeColumn({ id: 'expiresAt', header: words.columnExpires, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      id: 'actions',
      header: words.columnActions,
      of: (session) => [
        {
          label: words.end,
          name: words.endName(nameUserAgent(session.userAgent)),
          disabledReason: session.isCurrent === true ? words.protected : undefined,
          onSelect: () => end(session),
        },
      ],
    }),
  ];
}

function Browser({ session }: { session: UserSession }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="font-head whitespace-nowrap text-ink">{nameUserAgent(session.userAgent)}</span>
      {session.isCurrent === true && (
        <Badge tone="ok" icon={<MonitorCheck size={13} aria-hidden />}>
          {words.thisSession}
        </Badge>
      )}
    </span>
  );
}

function UserAgent({ userAgent }: { userAgent: string }) {
  const shown = truncateUserAgent(userAgent);
  const text = <span className="font-mono text-small text-ink2">{shown}</span>;
  if (shown === userAgent) return text;
  return (
    <Tooltip content={userAgent}>
      <button type="button" className="inline-flex rounded-control text-start">
        {text}
      </button>
    </Tooltip>
  );
}
