import { Ban, CalendarClock, MailQuestionMark, ShieldCheck, Smartphone } from 'lucide-react';
import { terms } from '../../../copy/terms.ts';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { EmailText } from '../../../ui/text/EmailText.tsx';
import { idColumn, menuColumn, nameColumn, type RowAction } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { usersCopy as words } from './copy.ts';
import type { ListedUser } from './users-view.ts';
import { Dash } from '../../../ui/text/Dash.tsx';

/** The columns of the users; `actionsOf` are what can be done to one. */
export function userColumns(actionsOf: (user: ListedUser) => readonly RowAction[]): DataColumn<ListedUser>[] {
  return [
    idColumn({
      id: 'id',
      header: words.columns.id,
      width: '11rem',
      of: ({ userId }) => userId,
      what: terms.ids.user,
      length: 14,
    }),
    nameColumn({
      width: '22%',
      of: ({ displayName = '' }) => displayName.trim(),
      cell: (user) => <Name user={user} />,
      filterText: stateText,
    }),
    {
      id: 'email',
      header: words.columns.email,
      value: ({ email }) => email,
      cell: ({ email }) => <EmailText email={email} />,
    },
    {
      id: 'admin',
      header: words.columns.admin,
      width: '10rem',
      value: ({ isAdmin }) => isAdmin,
      filterText: ({ isAdmin }) => (isAdmin ? words.administrator : ''),
      cell: ({ isAdmin, isAdminFromGroups }) =>
        isAdmin ? (
          <span className="flex flex-col items-start gap-0.5">
            <Badge tone="rivet" icon={<ShieldCheck size={13} aria-hidden />}>
              {words.administrator}
            </Badge>
            {isAdminFromGroups && <span className="text-small text-ink3">{words.fromGroups}</span>}
          </span>
        ) : (
          <Dash />
        ),
    },
    menuColumn({
      width: '5rem',
      idOf: ({ userId }) => userId,
      nameOf: ({ email }) => email,
      what: terms.ids.user,
      of: actionsOf,
    }),
  ];
}

function Name({
  user: { displayName = '', isDisabled, hasPassword, isEmailUnconfirmed, hasSecondFactor },
}: {
  user: ListedUser;
}) {
  const name = displayName.trim();
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-head wrap-anywhere text-ink">{name === '' ? words.unnamed : name}</span>
      {isDisabled === true && (
        <Badge tone="danger" icon={<Ban size={13} aria-hidden />}>
          {words.disabled}
        </Badge>
      )}
      {hasPassword === false && (
        <Badge tone="mute" icon={<CalendarClock size={13} aria-hidden />}>
          {words.noPassword}
        </Badge>
      )}
      {hasSecondFactor === true && (
        <Badge tone="ok" icon={<Smartphone size={13} aria-hidden />}>
          {words.hasFactor}
        </Badge>
      )}
      {isEmailUnconfirmed === true && (
        <Badge tone="warn" icon={<MailQuestionMark size={13} aria-hidden />}>
          {words.unconfirmed}
        </Badge>
      )}
    </span>
  );
}

function stateText({ isDisabled, hasPassword, isEmailUnconfirmed, hasSecondFactor }: ListedUser): string {
  return [
    isDisabled === true ? words.disabled : '',
    hasPassword === false ? words.noPassword : '',
    isEmailUnconfirmed === true ? words.unconfirmed : '',
    hasSecondFactor === true ? words.hasFactor : '',
  ].join(' ');
}
