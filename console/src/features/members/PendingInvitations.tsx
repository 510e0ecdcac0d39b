import { useMemo, useState } from 'react';
import { useRun } from '../../data/action-mutation.ts';
import { IssuedLink, type IssuedLinkOf } from '../../parts/IssuedLink.tsx';
import { MissingMailServer } from '../../parts/MissingMailServer.tsx';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { useTableSearch } from '../../parts/use-table-search.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { membersCopy as words } from './copy.ts';
import { invitationColumns } from './invitation-columns.tsx';
import { invitationsList, manyRows } from './members-search.ts';
import type { MembersContext } from './use-member-actions.ts';

/** The pending invitations to a project or a repository, only where there are any: resent, their link copied, and revoked by owners. */
export function PendingInvitations({ membership, userId, isOwner }: Omit<MembersContext, 'name'>) {
  const { rows = [] } = membership.invitations({ filter: '', sort: undefined });
  const run = useRun();
  const isMailConfigured = useIsMailConfigured();
  // A link that the browser did not let the page copy.
  const [link, setLink] = useState<IssuedLinkOf>();
  const columns = useMemo(
    () => invitationColumns(run, { membership, isOwner, isMailConfigured, onLink: setLink }),
    [run, membership, isOwner, isMailConfigured],
  );
  const { filter, setFilter, sort, setSort } = useTableSearch(columns, invitationsList);
  const isSearchable = rows.length > manyRows;
  if (rows.length === 0) return null;
  return (
    <Card title={words.invitations} isFlush className="mt-6">
      {isOwner && !isMailConfigured && (
        <div className="p-4 sm:pb-0">
          <MissingMailServer userId={userId}>{words.passOnLinks}</MissingMailServer>
        </div>
      )}
      <DataTable
        isFlush
        label={words.invitations}
        columns={columns}
        rows={rows}
        rowKey={({ invitationId }) => invitationId}
        rowName={({ email }) => email}
        filterLabel={words.filterInvitations}
        filter={isSearchable ? filter : undefined}
        onFilterChange={isSearchable ? setFilter : undefined}
        sort={sort}
        onSortChange={setSort}
        csvName={words.invitationsCsvName}
        empty={null}
      />
      <IssuedLink {...words.linkShown} link={link} onClose={() => setLink(undefined)} />
    </Card>
  );
}
