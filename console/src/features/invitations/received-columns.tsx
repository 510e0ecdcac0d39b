import { linkOptions, type LinkProps } from '@tanstack/react-router';
import { FolderKanban, Package } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import type { Run } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { Badge } from '../../ui/badge/Badge.tsx';
import { messageOf } from '../../ui/form/message-of.ts';
import { showToast } from '../../ui/overlay/toast.ts';
import { actionsColumn, badgeColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { invitationsCopy as words } from './copy.ts';
import {
  acceptProjectInvitation,
  acceptRepositoryInvitation,
  declineProjectInvitation,
  declineRepositoryInvitation,
  type Received,
} from './received.ts';

type Go = (link: LinkProps) => void;

/** The columns of the invitations that the user received. */
export function receivedColumns(run: Run, go: Go): DataColumn<Received>[] {
  return [
    nameColumn({ id: 'name', header: words.columns.name, of: ({ name }) => name }),
    badgeColumn({
      id: 'kind',
      header: words.columns.kind,
      of: ({ kind }) => words[kind],
      badge: ({ kind }) => {
        const Icon = kind === 'project' ? FolderKanban : Package;
        return (
          <Badge tone="mute" icon={<Icon size={13} aria-hidden />}>
            {words[kind]}
          </Badge>
        );
      },
    }),
    {
      id: 'from',
      header: words.columns.from,
      value: inviterOf,
      cell: (invitation) => <span className="wrap-anywhere text-ink2">{inviterOf(invitation)}</span>,
    },
    timeColumn({ id: 'received', header: words.columns.received, of: ({ createdAt }) => createdAt }),
    timeColumn({ id: 'ends', header: words.columns.ends, of: ({ expiresAt }) => expiresAt }),
    actionsColumn({
      id: 'actions',
      header: terms.actions,
      of: (invitation) => [
        {
          label: words.accept,
          name: words.acceptOf(invitation.name),
          onSelect: () => accept(run, go, invitation),
        },
        {
          label: words.decline,
          name: words.declineTitle(invitation.name),
          onSelect: () => decline(run, invitation),
        },
      ],
    }),
  ];
}

function inviterOf({ invitedBy }: Received): string {
  if (invitedBy === undefined) return words.unknown;
  const { displayName = '', email } = invitedBy;
  return displayName === '' ? email : `${displayName} (${email})`;
}

function linkTo(invitation: Received): LinkProps {
  return invitation.kind === 'project'
    ? linkOptions({ to: '/projects/$projectId', params: { projectId: invitation.project.projectId } })
    : linkOptions({
        to: '/repositories/$repositoryId',
        params: { repositoryId: invitation.repository.repositoryId },
      });
}

async function accept(run: Run, go: Go, invitation: Received): Promise<void> {
  const { name } = invitation;
  try {
    if (invitation.kind === 'project')
      await run(acceptProjectInvitation, { invitationId: invitation.invitationId });
    else await run(acceptRepositoryInvitation, { invitationId: invitation.invitationId });
    showToast(words.accepted(name), {
      tone: 'ok',
      action: { label: words.open, onClick: () => go(linkTo(invitation)) },
    });
  } catch (error) {
    showToast(words.notAccepted, { tone: 'danger', text: messageOf(error) });
  }
}

function decline(run: Run, invitation: Received): void {
  const { name } = invitation;
  void confirm({
    title: words.declineTitle(name),
    text: words.declineText,
    verb: words.decline,
    action: () =>
      invitation.kind === 'project'
        ? run(declineProjectInvitation, { invitationId: invitation.invitationId })
        : run(declineRepositoryInvitation, { invitationId: invitation.invitationId }),
    done: words.declined(name),
  });
}
