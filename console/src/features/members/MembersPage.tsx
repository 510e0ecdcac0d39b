import { Users } from 'lucide-react';
import { useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { ResourceListPage } from '../../parts/ResourceListPage.tsx';
import { membersCopy as words } from './copy.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { memberColumns, memberName } from './member-columns.tsx';
import { PendingInvitations } from './PendingInvitations.tsx';
import { type MembersContext, useMemberActions } from './use-member-actions.ts';

/** Above this many members the list has a filter. */
const manyMembers = 20;

/** The members of a project or a repository, with the pending invitations to it. */
export function MembersPage(context: MembersContext) {
  const { membership, userId, isOwner } = context;
  const { rows: members = [] } = membership.members({ filter: '', sort: undefined });
  const [isInviting, setIsInviting] = useState(false);
  const actions = useMemberActions(context, members);
  return (
    <>
      <ResourceListPage
        meta={words.summary}
        source={membership.members}
        columns={memberColumns({ userId, of: actions })}
        rowKey={(member) => member.userId}
        rowName={memberName}
        filterLabel={members.length > manyMembers ? words.filter : undefined}
        create={isOwner ? { label: terms.create.members, onCreate: () => setIsInviting(true) } : undefined}
        empty={{ icon: <Users size={20} aria-hidden />, title: words.emptyTitle }}
      >
        <PendingInvitations {...{ membership, userId, isOwner }} />
      </ResourceListPage>
      <InviteDialog membership={membership} open={isInviting} onOpenChange={setIsInviting} />
    </>
  );
}
