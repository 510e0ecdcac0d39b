import { linkOptions, type LinkProps } from '@tanstack/react-router';
import { FolderKanban, Package } from 'lucide-react';
import type { Run } from '../../data/action-mutation.ts';
import { askFirst } from '../../parts/ask-first.ts';
import { orToast } from '../../parts/or-toast.ts';
import { Badge } from '../../ui/badge/Badge.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { actionsColumn, badgeColumn, nameColumn, timeColumn } from '../../ui/table/columns.tsx';
import type { DataColumn } from '../../ui/table/data-table.ts';
import { invitationsCopy as words } from './copy.ts';
import { answer, type Received } from './received.ts';

type Go = (link: LinkProps) => void;

/** The columns of the invitations that the user received. */
export function receivedColumns(run: Run, go: Go): DataColumn<Received>[] {
  return [
    nameColumn({ of: ({ name }) => name }),
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
      of: (invitation) => [
        {
          label: words.accept,
          name: words.acceptOf(invitation.name),
          onSelect: () =>
            orToast(
              words.notAccepted,
              answer(run, invitation, 'accept').then(() => showAccepted(invitation, go)),
            ),
        },
        askFirst({
          label: words.decline,
          title: words.declineTitle(invitation.name),
          text: words.declineText,
          action: () => answer(run, invitation, 'decline'),
          done: words.declined(invitation.name),
        }),
      ],
    }),
  ];
}

function inviterOf({ invitedBy }: Received): string {
  if (invitedBy === undefined) return words.unknown;
  const { displayName = '', email } = invitedBy;
  return displayName === '' ? email : `${displayName} (${email})`;
}

function showAccepted(invitation: Received, go: Go): void {
  const link =
    invitation.kind === 'project'
      ? linkOptions({ to: '/projects/$projectId', params: { projectId: invitation.project.projectId } })
      : linkOptions({
          to: '/repositories/$repositoryId',
          params: { repositoryId: invitation.repository.repositoryId },
        });
  showToast(words.accepted(invitation.name), {
    tone: 'ok',
    action: { label: words.open, onClick: () => go(link) },
  });
}
