import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { userQuery } from '../../data/queries-account.ts';
import { QuotaMeter, quotaState } from '../../parts/QuotaMeter.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Notice } from '../../ui/layout/Notice.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { formatSize } from '../../ui/text/format-size.ts';
import { repositorySettingsCopy } from './copy.ts';
import { EditQuotas } from './EditQuotas.tsx';
import { ServedBytes } from './ServedBytes.tsx';
import { StoredGrowth } from './StoredGrowth.tsx';

type Repository = Output<'repositories_GetRepositoryDetails'>;

const words = repositorySettingsCopy.usage;
/** What a repository uses, and its quotas, with a warning before they are reached. Administrators change the quotas. */
export function UsageCard({ repository, userId }: { repository: Repository; userId: Id<'user'> }) {
  const isAdmin = useQuery(userQuery(userId)).data?.isAdmin === true;
  const { repositoryId, packageCount, assetCount, usedBytes, maxBytes, maxAssets } = repository;
  const state = quotaState([
    { used: usedBytes, max: maxBytes },
    { used: assetCount, max: maxAssets },
  ]);
  const isFull = state === 'full';
  const plain = (n: number): string => n.toLocaleString('en');
  return (
    <Card title={words.title} isFlush actions={isAdmin && <EditQuotas repository={repository} />}>
      {state !== undefined && (
        <div className="p-4.5 pb-2">
          <Notice tone={isFull ? 'danger' : 'warn'} title={isFull ? words.fullTitle : words.nearTitle}>
            {isFull ? words.fullText : words.nearText}
          </Notice>
        </div>
      )}
      <Properties
        items={[
          {
            name: words.bytes,
            value: (
              <>
                <QuotaMeter label={words.bytes} used={usedBytes} max={maxBytes} format={formatSize} />
                <StoredGrowth repositoryId={repositoryId} used={usedBytes} max={maxBytes} />
              </>
            ),
          },
          { name: words.served, value: <ServedBytes repositoryId={repositoryId} /> },
          {
            name: words.assets,
            value: <QuotaMeter label={words.assets} used={assetCount} max={maxAssets} format={plain} />,
          },
          { name: words.packages, value: <span className="tabular">{plain(packageCount)}</span> },
        ]}
      />
    </Card>
  );
}
