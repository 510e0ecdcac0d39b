import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus, SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useRun } from '../../../data/action-mutation.ts';
import { type CertificatePolicy, certificatePolicyQuery } from '../../../parts/certificate-policy.ts';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { EmptyState } from '../../../ui/layout/EmptyState.tsx';
import { DataTable } from '../../../ui/table/DataTable.tsx';
import { authorityColumns } from './authority-columns.tsx';
import { CertificateRulesDialog } from './CertificateRulesDialog.tsx';
import { certificatesCopy as words } from './copy.ts';
import { NewAuthorityDialog } from './NewAuthorityDialog.tsx';

/** The certificate authorities of a project, and which certificates its devices need. */
export function AuthoritiesCard({ projectId, isOwner }: { projectId: Id<'project'>; isOwner: boolean }) {
  const run = useRun();
  const { data, error, refetch } = useQuery(certificatePolicyQuery(projectId));
  const [isCreating, setIsCreating] = useState(false);
  const ownerOnly = isOwner ? undefined : words.ownerOnly;
  const isDemanded = data?.isDemanded === true;
  const columns = useMemo(
    () => authorityColumns(run, { projectId, isDemanded, ownerOnly }),
    [run, projectId, isDemanded, ownerOnly],
  );
  return (
    <Card
      title={words.title}
      isFlush
      actions={
        <Button
          icon={<Plus size={16} aria-hidden />}
          isWrite
          disabledReason={ownerOnly}
          onClick={() => setIsCreating(true)}
        >
          {words.create}
        </Button>
      }
    >
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        <DataTable
          isFlush
          label={words.title}
          rows={data?.authorities}
          columns={columns}
          rowKey={({ authorityId }) => authorityId}
          rowName={({ name }) => name}
          empty={<EmptyState level={3} title={words.emptyTitle} text={words.emptyText} />}
        />
        {data !== undefined && data.authorities.length > 0 && (
          <Rules {...{ projectId, ownerOnly }} policy={data} />
        )}
      </ErrorBoundary>
      <NewAuthorityDialog {...{ projectId }} open={isCreating} onOpenChange={setIsCreating} />
    </Card>
  );
}

function Rules({
  projectId,
  policy,
  ownerOnly,
}: {
  projectId: Id<'project'>;
  policy: CertificatePolicy;
  ownerOnly: string | undefined;
}) {
  const [open, onOpenChange] = useState(false);
  const { isDemanded, validForDays, authorities, devicesWithIssued, devicesWithout } = policy;
  const isIssuing = authorities.some((authority) => authority.isIssuing);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line px-4.5 py-3.5">
      <p className="max-w-[26rem] text-body text-ink2">
        {words.policy.sentence(isDemanded, devicesWithIssued, devicesWithout)}{' '}
        {isIssuing ? words.policy.valid(validForDays) : words.policy.noneIssues}
      </p>
      <Button
        icon={<SlidersHorizontal size={15} aria-hidden />}
        isWrite
        disabledReason={ownerOnly}
        onClick={() => onOpenChange(true)}
      >
        {words.policy.verb}
      </Button>
      <CertificateRulesDialog {...{ projectId, policy, open, onOpenChange }} />
    </div>
  );
}
