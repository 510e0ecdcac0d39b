import type { Id } from '@corral/contract';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sessionsCopy } from './copy.ts';
import { terms } from '../../../copy/terms.ts';
import { terminateSession } from './mutations.ts';
import { userSessionsQuery } from '../../../data/queries-account.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { PageHeader } from '../../../ui/layout/PageHeader.tsx';
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { sessionColumns, type UserSession } from './session-columns.tsx';
import { nameUserAgent } from './user-agent.ts';

/** The sessions of the user. The current one is marked and cannot be ended here; the others can. */
export function UserSessions({ userId }: { userId: Id<'user'> }) {
  const { data } = useSuspenseQuery(userSessionsQuery(userId));
  const { mutateAsync } = useMutation(terminateSession);
  const [sessionToEnd, setSessionToEnd] = useState<UserSession>();
  const [isEndingOthers, setIsEndingOthers] = useState(false);
  const columns = useMemo(() => sessionColumns(setSessionToEnd), []);
  const others = data.sessions.filter(({ isCurrent }) => isCurrent !== true);
  async function end({ sessionId }: UserSession): Promise<void> {
    await mutateAsync({ userId, sessionId });
    showToast(sessionsCopy.ended, { tone: 'ok' });
  }
  async function endOthers(): Promise<void> {
    await Promise.all(others.map(({ sessionId }) => mutateAsync({ userId, sessionId })));
    showToast(sessionsCopy.othersEnded(others.length), { tone: 'ok' });
  }
  return (
    <Page>
      <PageHeader
        title={terms.sections.sessions}
        meta={sessionsCopy.text}
        actions={
          others.length > 0 && (
            <Button icon={<LogOut size={15} aria-hidden />} onClick={() => setIsEndingOthers(true)}>
              {sessionsCopy.endOthers}
            </Button>
          )
        }
      />
      <DataTable
        label={terms.sections.sessions}
        columns={columns}
        rows={data.sessions}
        rowKey={({ sessionId }) => sessionId}
        rowName={({ userAgent }) => nameUserAgent(userAgent)}
        empty={<EmptyState title={sessionsCopy.empty} />}
      />
      <AlertDialog
        open={sessionToEnd !== undefined}
        onOpenChange={() => setSessionToEnd(undefined)}
        title={sessionsCopy.endTitle}
        verb={sessionsCopy.end}
        onConfirm={() => (sessionToEnd === undefined ? undefined : end(sessionToEnd))}
      >
        {sessionsCopy.endText(sessionToEnd === undefined ? '' : nameUserAgent(sessionToEnd.userAgent))}
      </AlertDialog>
      <AlertDialog
        open={isEndingOthers}
        onOpenChange={setIsEndingOthers}
        title={sessionsCopy.endOthersTitle}
        verb={sessionsCopy.endOthers}
        onConfirm={endOthers}
      >
        {sessionsCopy.endOthersText(others.length)}
      </AlertDialog>
    </Page>
  );
}
