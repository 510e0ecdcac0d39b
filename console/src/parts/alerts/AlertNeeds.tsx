import type { Id } from '@corral/contract';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { needsCopy as words } from '../needs-copy.ts';
import type { AlertRule } from './alerts.ts';
import { SeverityIcon } from './SeverityIcon.tsx';

/** What fires, a line for each rule; each leads to its alerts. */
export function AlertNeeds({ projectId, rules }: { projectId: Id<'project'>; rules: readonly AlertRule[] }) {
  return (
    <ul className="divide-y divide-line not-last:border-b not-last:border-line">
      {rules.map(({ ruleId, name, severity, counts: { firing } }) => (
        <li key={ruleId}>
          <Link
            to="/projects/$projectId/alerts"
            params={{ projectId }}
            search={{ rule: ruleId, state: 'Firing' }}
            className="flex gap-3 px-4.5 py-3 text-ink transition-colors hover:bg-denim-wash/60 pointer-coarse:min-h-11"
          >
            <SeverityIcon {...{ severity }} />
            <span className="min-w-0 flex-1 text-body">
              <b className="tabular font-head">{words.alerts(firing)}</b> {words.alertsText(firing)}
              <span className="block truncate text-small text-ink2">{name}</span>
            </span>
            <ChevronRight size={16} aria-hidden className="shrink-0 self-center text-ink3 rtl:-scale-x-100" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
