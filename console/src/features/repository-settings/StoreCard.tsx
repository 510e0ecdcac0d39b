import { noPublicEndpoint, type Id, type Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useRun } from '../../data/action-mutation.ts';
import { confirm } from '../../parts/confirm.ts';
import { ErrorBoundary } from '../../parts/ErrorBoundary.tsx';
import { useLazyDialog } from '../../parts/use-lazy-dialog.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Card } from '../../ui/layout/Card.tsx';
import { Properties } from '../../ui/layout/Properties.tsx';
import { repositorySettingsCopy } from './copy.ts';
import { objectStoreQuery, removeStore } from './store-queries.ts';
import { StoreFindings } from './StoreFindings.tsx';

const words = repositorySettingsCopy.store;
type Store = Output<'repositories_GetObjectStore'>;

// Lazy, because few people change a store.
async function loadStoreDialog() {
  const { StoreDialog } = await import('./StoreDialog.tsx');
  return (props: Parameters<typeof StoreDialog>[0]) => <StoreDialog {...props} />;
}

/** Where new assets of a repository go, what the check of that store found, and the dialog that changes it. For owners. */
export function StoreCard({ repositoryId, name }: { repositoryId: Id<'repository'>; name: string }) {
  const { data: store, error, refetch } = useQuery(objectStoreQuery(repositoryId));
  const dialog = useLazyDialog(loadStoreDialog);
  return (
    <Card isFlush title={words.title}>
      <ErrorBoundary isFlush error={store === undefined ? error : undefined} onRetry={() => void refetch()}>
        {store === undefined ? (
          <p role="status" className="px-4.5 py-3.5 text-body text-ink3">
            {words.loading}
          </p>
        ) : (
          <StoreSummary {...{ repositoryId, name, store }} onChange={dialog.open} />
        )}
      </ErrorBoundary>
      {store !== undefined && dialog.render({ repositoryId, config: store.s3Config })}
    </Card>
  );
}

function StoreSummary({
  repositoryId,
  name,
  store: { kind, s3Config, findings, checkedAt },
  onChange,
}: {
  repositoryId: Id<'repository'>;
  name: string;
  store: Store;
  onChange: () => void;
}) {
  const remove = useRemoveStore(repositoryId, name);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4 p-4.5">
        <p className="max-w-[26rem] text-body text-ink2">
          {words.kinds[kind]} {kind === 'Own' && words.stays}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button isWrite onClick={onChange}>
            {kind === 'Own' ? words.change : words.use}
          </Button>
          {kind === 'Own' && (
            <Button isWrite onClick={remove}>
              {words.remove}
            </Button>
          )}
        </div>
      </div>
      {s3Config !== undefined && (
        <div className="border-t border-line">
          <Properties
            items={[
              { name: words.endpoint, value: <span dir="ltr">{s3Config.endpoint}</span> },
              {
                name: words.publicEndpoint,
                value: s3Config.publicEndpoint === noPublicEndpoint ? words.hubOnly : s3Config.publicEndpoint,
              },
              { name: words.bucket, value: <span dir="ltr">{s3Config.bucket}</span> },
              { name: words.region, value: s3Config.region },
              { name: words.prefix, value: s3Config.prefix },
              {
                name: words.accessKeyId,
                value: (
                  <span dir="ltr" className="font-mono text-mono">
                    {s3Config.accessKeyId}
                  </span>
                ),
              },
            ]}
          />
        </div>
      )}
      {kind !== 'Disk' && <StoreFindings {...{ findings, checkedAt }} />}
    </>
  );
}

function useRemoveStore(repositoryId: Id<'repository'>, name: string): () => void {
  const run = useRun();
  return () =>
    void confirm({
      title: words.removeTitle(name),
      text: words.removeText,
      verb: words.remove,
      tone: 'primary',
      action: () => run(removeStore, { repositoryId }),
      done: words.removed,
    });
}
