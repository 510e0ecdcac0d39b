import type { Id, Output } from '@corral/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../ui/action/Button.tsx';
import { middleTruncate } from '../../ui/text/middle-truncate.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { partsCopy } from '../copy.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { useLast } from '../use-last.ts';
import type { Asset } from './asset-state.ts';
import { assetCopy } from './copy.ts';
import { assetReferencesQuery } from './queries.ts';

type Reference = Output<'repositories_QueryAssetReferences'>['references'][number];

const shownAtFirst = 10;
const shownPerStep = 100;

/** The files of packages and versions that refer to an asset, with links. */
export function AssetReferences({
  repositoryId,
  asset: { assetId, referenceCount },
}: {
  repositoryId: Id<'repository'>;
  asset: Asset;
}) {
  const [limit, setLimit] = useState(shownAtFirst);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...assetReferencesQuery(assetId, limit),
    placeholderData: keepPreviousData,
  });
  // Those that are known stay while more are loaded, and when that fails.
  const { references = [] } = useLast(data) ?? {};
  const hasMore = references.length < referenceCount && (isPlaceholderData || references.length >= limit);
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="text-section">
        {assetCopy.usedBy}{' '}
        {referenceCount > 0 && (
          <span className="text-body font-normal text-ink3">{assetCopy.usedByCount(referenceCount)}</span>
        )}
      </h3>
      {referenceCount === 0 && <p className="text-body text-ink2">{assetCopy.unused}</p>}
      <ul className="divide-y divide-line">
        {references.map((reference) => (
          <li
            key={`${reference.versionId ?? reference.packageId} ${reference.filename}`}
            className="py-1.5 text-body wrap-anywhere"
          >
            <UserOf {...{ repositoryId, reference }} />
            <span dir="auto" className="block text-small text-ink3">
              {reference.filename}
            </span>
          </li>
        ))}
      </ul>
      <ErrorBoundary error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {hasMore && (
          <div>
            <Button size="small" loading={isPlaceholderData} onClick={() => setLimit(limit + shownPerStep)}>
              {partsCopy.rows.more}
            </Button>
          </div>
        )}
      </ErrorBoundary>
    </section>
  );
}

/** The package or version that has the file. */
function UserOf({
  repositoryId,
  reference: { packageId, packageName, versionId, versionName },
}: {
  repositoryId: Id<'repository'>;
  reference: Reference;
}) {
  const params = { repositoryId, packageId };
  if (versionId === undefined)
    return (
      <TextLink render={<Link to="/repositories/$repositoryId/packages/$packageId/files" params={params} />}>
        {assetCopy.ofPackage(packageName)}
      </TextLink>
    );
  return (
    <TextLink
      render={
        <Link
          to="/repositories/$repositoryId/packages/$packageId/versions/$versionId"
          params={{ ...params, versionId }}
        />
      }
    >
      {assetCopy.ofVersion(packageName, versionName ?? middleTruncate(versionId, 16))}
    </TextLink>
  );
}
