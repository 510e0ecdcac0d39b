import type { Output } from '@corral/contract';
import { MonitorCheck } from 'lucide-react';
import type { Run } from '../../../data/action-mutation.ts';
import { askFirst } from '../../../parts/ask-first.ts';
import { signInsCopy } from '../../../parts/sign-ins/copy.ts';
import { nameUserAgent, truncateUserAgent } from '../../../parts/sign-ins/user-agent.ts';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx';
import { actionsColumn, idColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { sessionsCopy as words } from './copy.ts';
import { terminateSession } from './mutations.ts';

type UserSession = Output<'users_QueryUserSessions'>['sessions'][number];

/** The columns of the table of sessions. */
export function sessionColumns(run: Run): DataColumn<UserSession>[] {
  const what = words.id;
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
    idColumn({ id: 'sessionId', header: words.columnId, of: ({ sessionId }) => sessionId, what, length: 12 }),
    {
      id: 'address',
      header: words.columnAddress,
      value: ({ address }) => address,
      cell: ({ address }) => (
        <span className="font-mono text-small text-ink2">{address ?? signInsCopy.unknown}</span>
      ),
    },
    timeColumn({ id: 'createdAt', header: words.columnCreated, of: ({ createdAt }) => createdAt }),
    timeColumn({ id: 'lastUsedAt', header: words.columnUsed, of: ({ lastUsedAt }) => lastUsedAt }),
    timeColumn({ id: 'expiresAt', header: words.columnExpires, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      of: ({ sessionId, userAgent, isCurrent }) => [
        askFirst({
          label: words.end,
          name: words.endName(nameUserAgent(userAgent)),
          disabledReason: isCurrent === true ? words.protected : undefined,
          title: words.endTitle,
          text: words.endText(nameUserAgent(userAgent)),
          action: () => run(terminateSession, { sessionId }),
          done: words.ended,
        }),
      ],
    }),
  ];
}

function Browser({ session }: { session: UserSession }) {
  return (
    <span className="flex flex-col">
      <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-head whitespace-nowrap text-ink">{nameUserAgent(session.userAgent)}</span>
        {session.isCurrent === true && (
          <Badge tone="ok" icon={<MonitorCheck size={13} aria-hidden />}>
            {signInsCopy.thisSession}
          </Badge>
        )}
      </span>
      <span className="text-small text-ink3">{signInsCopy.by(session.methods ?? [])}</span>
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
