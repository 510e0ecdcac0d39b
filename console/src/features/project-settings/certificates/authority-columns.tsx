import type { Id } from '@corral/contract';
import { Check, Download, ShieldCheck, Trash2, TriangleAlert } from 'lucide-react';
import type { Run } from '../../../data/action-mutation.ts';
import { hubNow } from '../../../data/hub-clock.ts';
import { askFirst } from '../../../parts/ask-first.ts';
import type { CertificatePolicy } from '../../../parts/certificate-policy.ts';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { badgeColumn, countColumn, menuColumn, nameColumn, timeColumn } from '../../../ui/table/columns.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { downloadText } from '../../../ui/text/download-text.ts';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { toMs } from '../../../ui/time/format-time.ts';
import { certificatesCopy as words } from './copy.ts';
import { deleteAuthority } from './mutations.ts';

/** A certificate authority of a project. */
export type Authority = CertificatePolicy['authorities'][number];

/** The columns of the authorities of a project. */
export function authorityColumns(
  run: Run,
  {
    projectId,
    isDemanded,
    ownerOnly,
  }: { projectId: Id<'project'>; isDemanded: boolean; ownerOnly: string | undefined },
): DataColumn<Authority>[] {
  return [
    nameColumn({
      of: ({ name }) => name,
      isFilling: true,
      cell: ({ name, fingerprint }) => (
        <span className="flex min-w-0 flex-col items-start gap-0.5">
          <span className="font-head wrap-anywhere text-ink">{name}</span>
          <IdTag isPlain value={fingerprint} what={words.fingerprint} length={14} />
        </span>
      ),
    }),
    badgeColumn({
      id: 'state',
      header: words.columns.state,
      width: '7rem',
      of: (authority) => words.states[stateOf(authority)],
      badge: (authority) => <AuthorityBadge state={stateOf(authority)} />,
    }),
    timeColumn({ id: 'ends', header: words.columns.ends, width: '8rem', of: ({ endsAt }) => endsAt }),
    countColumn({
      id: 'devices',
      header: words.columns.devices,
      width: '5.5rem',
      of: ({ devices }) => devices,
    }),
    menuColumn({
      idOf: ({ authorityId }) => authorityId,
      nameOf: ({ name }) => name,
      what: words.fingerprint,
      of: ({ authorityId, name, certificatePem, devices }) => [
        {
          label: words.download,
          icon: <Download aria-hidden />,
          isNavigation: true,
          onSelect: () => downloadText(`${fileName(name)}.pem`, 'application/x-pem-file', certificatePem),
        },
        askFirst({
          label: words.remove,
          icon: <Trash2 aria-hidden />,
          isDangerous: true,
          disabledReason: ownerOnly,
          title: words.removeTitle(name),
          text: words.removeText(devices, isDemanded),
          typedName: devices > 0 ? name : undefined,
          action: () => run(deleteAuthority, { projectId, authorityId }),
          done: words.removed(name),
        }),
      ],
    }),
  ];
}

type State = keyof typeof words.states;

const stateOf = ({ isIssuing, endsAt }: Authority): State =>
  isIssuing ? 'issues' : toMs(endsAt) <= hubNow() ? 'ended' : 'trusted';

const looks = {
  issues: ['ok', Check],
  trusted: ['mute', ShieldCheck],
  ended: ['danger', TriangleAlert],
} as const;

function AuthorityBadge({ state }: { state: State }) {
  const [tone, Icon] = looks[state];
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
      {words.states[state]}
    </Badge>
  );
}

/** Of what each system takes as the name of a file. */
const fileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80);
