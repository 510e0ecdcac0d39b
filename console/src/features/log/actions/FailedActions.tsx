import type { Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { TextLink } from '../../../ui/text/TextLink.tsx';
import { logCopy } from '../copy.ts';
import { actionCountsQuery } from '../instance-queries.ts';

type Counts = Output<'audit_CountAuditLogActions'>;

const words = logCopy.actions;
// The most serious outcome first.
const outcomes = [
  ['Panicked', ({ panicked }: Counts) => panicked, (count: number) => words.panicked(count)],
  ['Failed', ({ failed }: Counts) => failed, (count: number) => words.failed(count)],
] as const;

/** How many commands panicked and failed, above the list, each number a link that shows them; nothing without one. */
export function FailedActions() {
  const { data: counts } = useQuery(actionCountsQuery());
  if (counts === undefined) return null;
  const found = outcomes.filter(([, countOf]) => countOf(counts) > 0);
  if (found.length === 0) return null;
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface px-4.5 py-3 text-body print:hidden">
      <TriangleAlert size={16} aria-hidden className="shrink-0 text-danger" />
      {found.map(([status, countOf, text]) => (
        <TextLink key={status} render={<Link to="/admin/actions" search={{ status }} />}>
          {text(countOf(counts))}
        </TextLink>
      ))}
    </p>
  );
}
