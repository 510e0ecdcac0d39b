import { Ban, Check, Clock, X } from 'lucide-react';
import { Badge } from './Badge.tsx';

const icons = { Active: Check, Pending: Clock, Rejected: X, Revoked: Ban };

/** The status of a certificate; only Active is green. */
export function CertificateBadge({ status }: { status: keyof typeof icons }) {
  const Icon = icons[status];
  return (
    <Badge tone={status === 'Active' ? 'ok' : 'danger'} icon={<Icon size={13} aria-hidden />}>
      {status}
    </Badge>
  );
}
