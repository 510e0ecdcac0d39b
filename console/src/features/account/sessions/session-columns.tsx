import type { Output } from '@corral/contract';
import { MonitorCheck } from 'lucide-react';
import { sessionsCopy } from './copy.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Tooltip } from '../../../ui/overlay/Tooltip.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { truncateUserAgent, nameUserAgent } from './user-agent.ts';

/** A session of the user. */
export type UserSession = Output<'users_QueryUserSessions'>['sessions'][number];

/** The columns of the table of sessions; the button of a row calls `askToEnd`. */
export function sessionColumns(askToEnd: (session: UserSession) => void): DataColumn<UserSession>[] {
  return [
    {
      id: 'browser',
      header: sessionsCopy.columnBrowser,
      value: ({ userAgent }) => nameUserAgent(userAgent),
      cell: (session) => <Browser session={session} />,
      onPhone: 'title',
    },
    {
      id: 'userAgent',
      header: sessionsCopy.columnAgent,
      value: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => <UserAgent userAgent={userAgent} />,
    },
    {
      id: 'sessionId',
      header: sessionsCopy.columnId,
      value: ({ sessionId }) => sessionId,
      cell: ({ sessionId }) => (
        <IdTag value={sessionId} what={sessionsCopy.id} length={12} className="whitespace-nowrap" />
      ),
      onPhone: 'meta',
    },
    time('createdAt', sessionsCopy.columnCreated, ({ createdAt }) => createdAt),
    time('lastUsedAt', sessionsCopy.columnUsed, ({ lastUsedAt }) => lastUsedAt),
    time('expiresAt', sessionsCopy.columnExpires, ({ expiresAt }) => expiresAt),
    {
      id: 'actions',
      header: sessionsCopy.columnActions,
      align: 'end',
      cell: (session) => (
        <Button
          size="small"
          label={sessionsCopy.endName(nameUserAgent(session.userAgent))}
          disabledReason={session.isCurrent === true ? sessionsCopy.protected : undefined}
          onClick={() => askToEnd(session)}
        >
          {sessionsCopy.end}
        </Button>
      ),
    },
  ];
}

function time(
  id: string,
  header: string,
  of: (session: UserSession) => string | undefined,
): DataColumn<UserSession> {
  return {
    id,
    header,
    value: (session) => {
      const at = of(session);
      return at === undefined ? undefined : new Date(at);
    },
    cell: (session) => {
      const at = of(session);
      return at === undefined ? <span className="text-ink3">–</span> : <RelativeTime at={at} />;
    },
  };
}

function Browser({ session }: { session: UserSession }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
      <span className="font-head whitespace-nowrap text-ink">{nameUserAgent(session.userAgent)}</span>
      {session.isCurrent === true && (
        <Badge tone="ok" icon={<MonitorCheck size={13} aria-hidden />}>
          {sessionsCopy.thisSession}
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
