import type { Run } from '../../data/action-mutation.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { copyIssuedLink, type IssuedLinkOf } from '../../parts/IssuedLink.tsx';
import { orToast } from '../../parts/or-toast.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { actionsColumn, idColumn, nameColumn, type RowAction, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { EmailText } from '../../ui/text/EmailText.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { membersCopy as words } from './copy.ts';
import type { Invitation, Membership } from './membership.ts';

interface InvitationActions {
  readonly membership: Membership;
  readonly isOwner: boolean;
  readonly isMailConfigured: boolean;
  /** Shows a link that could not be copied. */
  readonly onLink: (link: IssuedLinkOf) => void;
}

/** The columns of the pending invitations to a project or a repository. */
export function invitationColumns(run: Run, actions: InvitationActions): DataColumn<Invitation>[] {
  const { invitationColumns: heads, invitationId: what } = words;
  return [
    idColumn({
      id: 'invitationId',
      header: heads.id,
      of: ({ invitationId }) => invitationId,
      what,
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
    actionsColumn({ of: (invitation) => actionsOf(run, invitation, actions) }),
  ];
}

function SentCell({ invitation: { mailStatus, mailedAt } }: { invitation: Invitation }) {
  if (mailStatus === 'Refused') return <span className="text-danger">{words.refused}</span>;
  if (mailStatus === 'NotMailed')
    return <span className="whitespace-nowrap text-warn">{words.notMailed}</span>;
  if (mailStatus === 'Queued' || mailedAt === undefined)
    return <span className="whitespace-nowrap text-ink3">{words.waiting}</span>;
  return <RelativeTime at={mailedAt} />;
}

function actionsOf(
  run: Run,
  invitation: Invitation,
  { membership, isOwner, isMailConfigured, onLink }: InvitationActions,
): RowAction[] {
  const { email } = invitation;
  const disabledReason = isOwner ? undefined : words.ownersOnly(membership.kind);
  const showResent = () =>
    isMailConfigured
      ? showToast(words.resent(email), { tone: 'ok' })
      : showToast(words.renewedWithoutMail(email), { text: words.passOnLink });
  return [
    {
      label: words.resend,
      name: words.resendOf(email),
      disabledReason,
      onSelect: () => orToast(words.notResent, membership.resend(run, invitation).then(showResent)),
    },
    {
      label: words.copyLink,
      name: words.copyLinkOf(email),
      disabledReason,
      onSelect: () => copyIssuedLink(email, membership.linkOf(run, invitation), words.linkCopy, onLink),
    },
    askFirst({
      label: words.revoke,
      disabledReason,
      title: words.revokeTitle(email),
      text: words.revokeText,
      action: () => membership.revoke(run, invitation),
      done: words.revoked(email),
    }),
  ];
}
