import { useMemo, useState } from 'react';
import { terms } from '../../copy/terms.ts';
import { type Run, useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { MissingMailServer } from '../../parts/MissingMailServer.tsx';
import { useIsMailConfigured } from '../../parts/use-is-mail-configured.ts';
import { useLast } from '../../parts/use-last.ts';
import { useTableSearch } from '../../parts/use-table-search.ts';
import { messageOf } from '../../ui/form/message-of.ts';
import { Card } from '../../ui/layout/Card.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { actionsColumn, idColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { EmailText } from '../../ui/text/EmailText.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { membersCopy as words } from './copy.ts';
import { invitationsList, manyRows } from './members-search.ts';
import type { Invitation, Membership } from './membership.ts';
import type { MembersContext } from './use-member-actions.ts';

/** The pending invitations to a project or a repository, only where there are any: resent, their link copied, and revoked by owners. */
export function PendingInvitations({ membership, userId, isOwner }: Omit<MembersContext, 'name'>) {
  const { rows = [] } = membership.invitations({ filter: '', sort: undefined });
  const run = useRun();
  const isMailConfigured = useIsMailConfigured();
  // A link that the browser did not let the page copy.
  const [link, setLink] = useState<InvitationLink>();
  const { email = '', url = '' } = useLast(link) ?? {};
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
      <Dialog
        open={link !== undefined}
        onOpenChange={() => setLink(undefined)}
        title={words.linkTitle(email)}
        description={words.clipboardRefused}
      >
        <CodeBlock code={url} what={words.link} />
      </Dialog>
    </Card>
  );
}

interface InvitationActions extends Pick<MembersContext, 'membership' | 'isOwner'> {
  readonly isMailConfigured: boolean;
  /** Shows a link that could not be copied. */
  readonly onLink: (link: InvitationLink) => void;
}

interface InvitationLink {
  readonly email: string;
  readonly url: string;
}

function invitationColumns(run: Run, actions: InvitationActions): DataColumn<Invitation>[] {
  const { membership, isOwner, isMailConfigured, onLink } = actions;
  const { invitationColumns: heads } = words;
  const disabledReason = isOwner ? undefined : words.ownersOnly(membership.kind);
  return [
    idColumn({
      id: 'invitationId',
      header: heads.id,
      of: ({ invitationId }) => invitationId,
      what: words.invitationId,
      length: 12,
    }),
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
      id: 'sent',
      header: heads.sent,
      value: ({ mailedAt }) => (mailedAt === undefined ? undefined : new Date(mailedAt)),
      cell: (invitation) => <SentCell invitation={invitation} />,
    },
    timeColumn({ id: 'ends', header: heads.ends, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      of: (invitation) => {
        const { email } = invitation;
        const action = (label: string, name: string, onSelect: () => unknown) => ({
          label,
          name,
          onSelect,
          disabledReason,
        });
        return [
          action(words.resend, words.resendOf(email), () =>
            resend(run, membership, invitation, isMailConfigured),
          ),
          action(words.copyLink, words.copyLinkOf(email), () =>
            copyLink(run, membership, invitation, onLink),
          ),
          action(words.revoke, words.revokeTitle(email), () => revoke(run, membership, invitation)),
        ];
      },
    }),
  ];
}

function SentCell({ invitation: { mailStatus, mailedAt } }: { invitation: Invitation }) {
  if (mailStatus === 'Refused') return <span className="text-danger">{words.refused}</span>;
  if (mailStatus === 'NotMailed') return <span className="text-warn">{words.notMailed}</span>;
  if (mailStatus === 'Queued' || mailedAt === undefined)
    return <span className="text-ink3">{words.waiting}</span>;
  return <RelativeTime at={mailedAt} />;
}

async function resend(
  run: Run,
  membership: Membership,
  invitation: Invitation,
  isMailConfigured: boolean,
): Promise<void> {
  try {
    await membership.resend(run, invitation);
    if (isMailConfigured) showToast(words.resent(invitation.email), { tone: 'ok' });
    else showToast(words.renewedWithoutMail(invitation.email), { text: words.passOnLink });
  } catch (error) {
    showToast(words.notResent, { tone: 'danger', text: messageOf(error) });
  }
}

async function copyLink(
  run: Run,
  membership: Membership,
  invitation: Invitation,
  onLink: InvitationActions['onLink'],
): Promise<void> {
  try {
    const { url } = await membership.linkOf(run, invitation);
    if (await copyText(url)) showToast(words.linkCopied(invitation.email), { tone: 'ok' });
    else onLink({ email: invitation.email, url });
  } catch (error) {
    showToast(words.linkNotCopied, { tone: 'danger', text: messageOf(error) });
  }
}

function revoke(run: Run, membership: Membership, invitation: Invitation): void {
  const { email } = invitation;
  void confirm({
    title: words.revokeTitle(email),
    text: words.revokeText,
    verb: words.revoke,
    action: () => membership.revoke(run, invitation),
    done: words.revoked(email),
  });
}
