import { Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { AlertSeverity } from './alerts.ts';
import { severityCopy } from './severity-copy.ts';

const looks = {
  Critical: [OctagonAlert, 'text-danger'],
  Warning: [TriangleAlert, 'text-warn'],
  Info: [Info, 'text-denim'],
} as const;

/** How soon people should look, as an icon with its word for screen readers. */
export function SeverityIcon({ severity }: { severity: AlertSeverity }) {
  const [Icon, tone] = looks[severity];
  return (
    <span className="mt-0.5 shrink-0">
      <Icon size={16} aria-hidden className={tone} />
      <span className="sr-only">{severityCopy[severity]}</span>
    </span>
  );
}
