import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { askFirst } from '../../../parts/ask-first.ts';
import { copyIssuedLink, type IssuedLinkOf } from '../../../parts/IssuedLink.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { actionsColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { EmailText } from '../../../ui/text/EmailText.tsx';
import { usersCopy as words } from './copy.ts';
import { deleteRegistration, issueRegistrationLink } from './mutations.ts';
import { type PendingRegistration, registrationsQuery } from './users-view.ts';

/** The registrations that wait for their link, only where there are any. `onLink` shows a link that the browser did not let the page copy. */
export function PendingRegistrations({ onLink }: { onLink: (link: IssuedLinkOf) => void }) {
  const { data } = useQuery(registrationsQuery());
  const run = useRun();
  const columns = useMemo(() => columnsOf(run, onLink), [run, onLink]);
  const rows = data?.registrations ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={words.registrations} isFlush className="mb-6">
      <p className="px-[1.125rem] pt-3 text-body text-ink2">{words.registrationsText}</p>
      <DataTable
        isFlush
        label={words.registrations}
        columns={columns}
        rows={rows}
        rowKey={({ userId }) => userId}
        rowName={({ email }) => email}
        filterLabel={words.filterRegistrations}
        csvName={words.registrationsCsvName}
        empty={null}
      />
    </Card>
  );
}

function columnsOf(run: Run, onLink: (link: IssuedLinkOf) => void): DataColumn<PendingRegistration>[] {
  const { registrationColumns: heads } = words;
  return [
    nameColumn({
      id: 'email',
      header: heads.email,
      of: ({ email }) => email,
      cell: ({ email }) => (
        <span className="font-head text-ink">
          <EmailText email={email} />
        </span>
      ),
    }),
    {
      id: 'name',
      header: terms.name,
      value: ({ displayName = '' }) => displayName,
      cell: ({ displayName = words.unnamed }) => <span className="wrap-anywhere">{displayName}</span>,
    },
    timeColumn({ id: 'since', header: heads.since, of: ({ createdAt }) => createdAt }),
    timeColumn({ id: 'ends', header: heads.ends, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      of: ({ userId, email }) => {
        const input = { userId: userId as Id<'user'> };
        const linkWords = { copied: words.linkCopied, failed: words.notIssued };
        return [
          {
            label: words.copyLink,
            name: words.copyLinkOf(email),
            onSelect: () => copyIssuedLink(email, run(issueRegistrationLink, input), linkWords, onLink),
          },
          askFirst({
            label: terms.delete,
            title: words.deleteRegistrationOf(email),
            text: words.deleteRegistrationText,
            action: () => run(deleteRegistration, input),
            done: words.deletedRegistration(email),
          }),
        ];
      },
    }),
  ];
}
