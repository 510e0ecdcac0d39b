import type { Id } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { invitationsCopy as words } from './copy.ts';
import { receivedColumns } from './received-columns.tsx';
import { receivedRows } from './received.ts';
import { LinkNotice } from './LinkNotice.tsx';
import { UnconfirmedNotice } from './UnconfirmedNotice.tsx';

/** The invitations that the user received, to be accepted or declined. `token` is that of the link by which the user came, if any. */
export function InvitationsPage({ userId, token }: { userId: Id<'user'>; token?: string | undefined }) {
  const run = useRun();
  const navigate = useNavigate();
  const columns = useMemo(() => receivedColumns(run, (to) => void navigate(to)), [run, navigate]);
  const source = useMemo(() => receivedRows(userId), [userId]);
  return (
    <ResourceListPage
      meta={(count) => (count === 0 ? words.none : words.summary(count))}
      intro={
        <div className="mb-4 flex flex-col gap-4 empty:hidden">
          <UnconfirmedNotice userId={userId} />
          {token !== undefined && <LinkNotice userId={userId} token={token} />}
        </div>
      }
      source={source}
      columns={columns}
      rowKey={({ invitationId }) => invitationId}
      rowName={({ name }) => name}
      filterLabel={words.filter}
      csvName={words.csvName}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}
