import type { Id } from '@corral/contract';
import { LogOut } from 'lucide-react';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { userSessionsQuery } from '../../../data/queries-account.ts';
import { isNotFound } from '../../../data/query-client.ts';
import { confirm } from '../../../parts/confirm.ts';
import { ResourceListPage } from '../../../parts/ResourceListPage.tsx';
import { queryRows } from '../../../parts/row-source.ts';
import { nameUserAgent } from '../../../parts/sign-ins/user-agent.ts';
import { PageActionButton } from '../../../parts/PageActionButton.tsx';
import { sessionsCopy } from './copy.ts';
import { terminateSession } from './mutations.ts';
import { sessionColumns } from './session-columns.tsx';

/** The sessions of the user. The current one is marked and cannot be ended here; the others can. */
export function UserSessions({ userId }: { userId: Id<'user'> }) {
  const query = userSessionsQuery(userId);
  const others = useLoadedQuery(query).data.sessions.filter(({ isCurrent }) => isCurrent !== true);
  const run = useRun();
  /** One that has ended meanwhile is fine, too. */
  async function end(sessionId: Id<'session'>): Promise<void> {
    await run(terminateSession, { sessionId }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
  function endOthers(): void {
    void confirm({
      title: sessionsCopy.endOthersTitle,
      text: sessionsCopy.endOthersText(others.length),
      verb: sessionsCopy.endOthers,
      action: () => Promise.all(others.map(({ sessionId }) => end(sessionId))),
      done: sessionsCopy.othersEnded(others.length),
    });
  }
  return (
    <ResourceListPage
      meta={() => sessionsCopy.text}
      actions={
        others.length > 0 && (
          <PageActionButton icon={<LogOut size={15} aria-hidden />} onClick={endOthers}>
            {sessionsCopy.endOthers}
          </PageActionButton>
        )
      }
      source={queryRows(query, ({ sessions }) => sessions)}
      columns={sessionColumns}
      rowKey={({ sessionId }) => sessionId}
      rowName={({ userAgent }) => nameUserAgent(userAgent)}
      filterLabel={sessionsCopy.filter}
      csvName={sessionsCopy.csvName}
      empty={{ title: sessionsCopy.empty }}
    />
  );
}
