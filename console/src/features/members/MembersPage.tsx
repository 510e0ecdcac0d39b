import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { useUrlSearch } from '../../parts/use-url-search.ts';
import { membersCopy as words } from './copy.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { memberColumns, memberName } from './member-columns.tsx';
import { manyRows, type MembersSearch } from './members-search.ts';
import { PendingInvitations } from './PendingInvitations.tsx';
import { type MembersContext, useMemberActions } from './use-member-actions.ts';

/** The members of a project or a repository, with the pending invitations to it. */
export function MembersPage(context: MembersContext) {
  const { membership, userId, isOwner } = context;
  const { rows: members = [] } = membership.members({ filter: '', sort: undefined });
  const [{ q }] = useUrlSearch<MembersSearch>();
  // A link from a log looks for one member, in a short list too. The field stays when its text is cleared.
  const [isLookup] = useState(q !== undefined);
  const actions = useMemberActions(context, members);
  return (
    <ResourceListPage
      meta={words.summary}
      source={membership.members}
      columns={memberColumns({ userId, of: actions })}
      rowKey={(member) => member.userId}
      rowName={memberName}
      filterLabel={isLookup || members.length > manyRows ? words.filter : undefined}
      csvName={words.csvName}
      create={
        isOwner
          ? {
              label: terms.create.members,
              dialog: (dialog) => <InviteDialog membership={membership} {...dialog} />,
            }
          : undefined
      }
      empty={{ title: words.emptyTitle }}
    >
      <PendingInvitations {...{ membership, userId, isOwner }} />
    </ResourceListPage>
  );
}
