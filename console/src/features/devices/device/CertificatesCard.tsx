import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Clock, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { projectQuery } from '../../../data/queries-projects.ts';
import { devicesCopy } from '../copy.ts';
import { deviceCopy } from './copy.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { CertificateBadge } from '../../../ui/badge/CertificateBadge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { useChangedRows } from '../../../parts/use-changed-rows.ts';
import { ExpectedNote } from '../ExpectedNote.tsx';
import { RotationNotice } from '../rotation/RotationNotice.tsx';
import { actionsOf, actionWords } from './certificate-actions.ts';
import { CertificateEnd } from './CertificateEnd.tsx';
import { useCertificateAction } from './use-certificate-action.tsx';
import type { DeviceCertificate, DeviceCardProps } from './device-details.ts';

const words = deviceCopy.certificates;

/** The certificates of a device: active, pending, rejected and revoked ones. */
export function CertificatesCard({ projectId, deviceId, details, error, onRetry }: DeviceCardProps) {
  const act = useCertificateAction();
  const { data: project } = useQuery(projectQuery(projectId));
  const ownerOnly = project?.isOwner === false ? words.prolongOwnerOnly : undefined;
  const columns = useMemo(
    () => certificateColumns({ act, projectId, ownerOnly }),
    [act, projectId, ownerOnly],
  );
  const certificates = useMemo(() => details && sorted(details.certificates), [details]);
  const waiting = certificates?.filter(({ status }) => status === 'Pending').length ?? 0;
  const isChanged = useChangedRows(
    certificates,
    ({ certificateId }) => certificateId,
    ({ status }) => status,
  );
  return (
    <Card
      isFlush
      title={words.title}
      meta={
        waiting > 0 && (
          <Badge tone="warn" icon={<Clock size={13} aria-hidden />}>
            {words.waiting(waiting)}
          </Badge>
        )
      }
    >
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        {certificates === undefined ? (
          <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
            {words.loading}
          </p>
        ) : (
          <DataTable
            isFlush
            label={words.title}
            columns={columns}
            rows={certificates}
            rowKey={({ certificateId }) => certificateId}
            isChanged={isChanged}
            empty={<p className="px-4.5 py-3.5 text-body text-ink3">{words.empty}</p>}
          />
        )}
      </ErrorBoundary>
      <RotationNotice {...{ projectId, deviceId }} />
    </Card>
  );
}

// Pending first, then active, then the rest; newest first within each.
function sorted(certificates: readonly DeviceCertificate[]): DeviceCertificate[] {
  const rank = ({ status }: DeviceCertificate) => (status === 'Pending' ? 0 : status === 'Active' ? 1 : 2);
  return certificates.toSorted(
    (one, other) => rank(one) - rank(other) || Date.parse(other.firstSeen) - Date.parse(one.firstSeen),
  );
}

type Act = ReturnType<typeof useCertificateAction>;

interface Context {
  readonly act: Act;
  readonly projectId: Id<'project'>;
  /** Why the user may not accept one that has ended. */
  readonly ownerOnly: string | undefined;
}

function certificateColumns(context: Context): DataColumn<DeviceCertificate>[] {
  return [
    {
      id: 'firstSeen',
      header: words.firstSeen,
      value: ({ firstSeen }) => new Date(firstSeen),
      cell: ({ firstSeen }) => <RelativeTime at={firstSeen} />,
      onPhone: 'meta',
    },
    {
      id: 'status',
      header: words.status,
      value: ({ status }) => status,
      cell: ({ status }) => <CertificateBadge status={status} />,
      onPhone: 'badge',
    },
    {
      id: 'fingerprint',
      header: words.fingerprint,
      value: ({ fingerprint }) => fingerprint,
      cell: (certificate) => (
        <>
          <IdTag value={certificate.fingerprint} what={devicesCopy.fingerprint.what} length={14} />
          {certificate.isExpected === true && <ExpectedNote />}
          <CertificateEnd projectId={context.projectId} {...{ certificate }} />
        </>
      ),
      onPhone: 'title',
    },
    {
      id: 'actions',
      header: words.actions,
      align: 'end',
      cell: (certificate) => <CertificateActions {...{ certificate }} {...context} />,
    },
  ];
}

function CertificateActions({ certificate, act, ownerOnly }: Context & { certificate: DeviceCertificate }) {
  return (
    <span className="flex flex-wrap gap-1.5 in-[td]:flex-nowrap in-[td]:justify-end">
      {actionsOf(certificate).map((action) => (
        <Button
          key={action}
          size="small"
          isWrite
          variant={action === 'accept' ? 'primary' : 'secondary'}
          disabledReason={action === 'prolong' ? ownerOnly : undefined}
          onClick={() => act(certificate, action)}
        >
          {actionWords(action).verb}
        </Button>
      ))}
      <Button
        size="small"
        isWrite
        variant="quiet"
        label={words.delete}
        icon={<Trash2 size={15} aria-hidden />}
        onClick={() => act(certificate, 'delete')}
      />
    </span>
  );
}
