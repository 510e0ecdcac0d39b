import { RoleBadge } from '../../ui/badge/RoleBadge.tsx';
import { actionsColumn, badgeColumn, type RowAction } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { EmailText } from '../../ui/text/EmailText.tsx';
import { membersCopy as words } from './copy.ts';
import type { Member } from './membership.ts';

/** What the table needs to know besides its rows. */
export interface MemberActions {
  readonly userId: string;
  readonly of: (member: Member) => readonly RowAction[];
}

/** The name by which a member is shown: the display name, or else the e-mail address. */
export function memberName({ displayName, email }: Member): string {
  const name = displayName?.trim() ?? '';
  return name === '' ? email : name;
}

/** The columns of the table of members. */
export function memberColumns({ userId, of }: MemberActions): DataColumn<Member>[] {
  return [
    {
      id: 'user',
      header: words.columns.user,
      onPhone: 'title',
      value: (member) => `${memberName(member)} ${member.email}`,
      filterText: (member) => member.userId,
      csvText: (member) => `${memberName(member)} <${member.email}>`,
      cell: (member) => <UserCell member={member} isSelf={member.userId === userId} />,
    },
    badgeColumn({
      id: 'role',
      header: words.columns.role,
      of: ({ isOwner }) => (isOwner ? 'Owner' : 'Member'),
      badge: ({ isOwner }) => <RoleBadge isOwner={isOwner} />,
    }),
    actionsColumn({ of }),
  ];
}

function UserCell({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const name = memberName(member);
  return (
    <span className="flex min-w-0 flex-col py-1">
      <span className="font-head wrap-anywhere text-ink">
        {name === member.email ? <EmailText email={name} /> : name}
        {isSelf && <span className="font-normal text-ink3"> ({words.you})</span>}
      </span>
      {name !== member.email && (
        <span className="text-small text-ink2">
          <EmailText email={member.email} />
        </span>
      )}
      {member.fromGroups !== undefined && (
        <span className="text-small text-ink3">{words.fromGroups[member.fromGroups]}</span>
      )}
    </span>
  );
}
