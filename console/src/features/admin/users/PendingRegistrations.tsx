import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { terms } from '../../../copy/terms.ts';
import { type Run, useRun } from '../../../data/action-mutation.ts';
import { confirm } from '../../../parts/confirm.ts';
import { messageOf } from '../../../ui/form/message-of.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { showToast } from '../../../ui/overlay/toast.ts';
import { actionsColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { copyText } from '../../../ui/text/copy-text.ts';
import { EmailText } from '../../../ui/text/EmailText.tsx';
import { usersCopy as words } from './copy.ts';
import type { IssuedLinkOf } from './IssuedLink.tsx';
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
      header: heads.name,
      value: ({ displayName = '' }) => displayName,
      cell: ({ displayName = words.unnamed }) => <span className="wrap-anywhere">{displayName}</span>,
    },
    timeColumn({ id: 'since', header: heads.since, of: ({ createdAt }) => createdAt }),
    timeColumn({ id: 'ends', header: heads.ends, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      of: (registration) => [
        {
          label: words.copyLink,
          name: words.copyLinkOf(registration.email),
          onSelect: () => void copyLink(run, registration, onLink),
        },
        {
          label: terms.delete,
          name: words.deleteRegistrationOf(registration.email),
          onSelect: () => remove(run, registration),
        },
      ],
    }),
  ];
}

const idOf = ({ userId }: PendingRegistration) => userId as Id<'user'>;

async function copyLink(
  run: Run,
  registration: PendingRegistration,
  onLink: (link: IssuedLinkOf) => void,
): Promise<void> {
  const { email } = registration;
  try {
    const { url } = await run(issueRegistrationLink, { userId: idOf(registration) });
    if (await copyText(url)) showToast(words.linkCopied(email), { tone: 'ok' });
    else onLink({ email, url });
  } catch (error) {
    showToast(words.notIssued, { tone: 'danger', text: messageOf(error) });
  }
}

function remove(run: Run, registration: PendingRegistration): void {
  const { email } = registration;
  void confirm({
    title: words.deleteRegistrationOf(email),
    text: words.deleteRegistrationText,
    verb: terms.delete,
    action: () => run(deleteRegistration, { userId: idOf(registration) }),
    done: words.deletedRegistration(email),
  });
}
