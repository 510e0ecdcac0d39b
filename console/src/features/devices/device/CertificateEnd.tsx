import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { certificatePolicyQuery } from '../../../parts/certificate-policy.ts';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { toMs } from '../../../ui/time/format-time.ts';
import { useNow } from '../../../ui/time/use-now.ts';
import { deviceCopy } from './copy.ts';
import type { DeviceCertificate } from './device-details.ts';

const words = deviceCopy.certificates;

/** Who issued an active certificate, and when it ends or ended; nothing of one that a device made and that does not end. */
export function CertificateEnd({
  projectId,
  certificate: { status, authorityId, endsAt },
}: {
  projectId: Id<'project'>;
  certificate: DeviceCertificate;
}) {
  const now = useNow('minute');
  const { data } = useQuery({ ...certificatePolicyQuery(projectId), enabled: authorityId !== undefined });
  if (status !== 'Active' || endsAt === undefined) return null;
  const issuer = data?.authorities.find((one) => one.authorityId === authorityId)?.name;
  const hasEnded = toMs(endsAt) <= now;
  return (
    <p className={`text-small whitespace-normal ${hasEnded ? 'text-danger' : 'text-ink2'}`}>
      {issuer !== undefined && (
        <span className="wrap-anywhere">
          {words.issuedBy} <bdi className="font-head">{issuer}</bdi>,{' '}
        </span>
      )}
      {hasEnded ? words.ended : words.ends} <RelativeTime at={endsAt} className="text-inherit" />
    </p>
  );
}
