import type { Id } from '@corral/contract';
import { terms } from '../../copy/terms.ts';
import { Properties } from '../../ui/layout/Properties.tsx';
import { CodeBlock } from '../../ui/text/CodeBlock.tsx';
import { formatSize } from '../../ui/text/format-size.ts';
import { IdTag } from '../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { shellQuoted } from '../publish-commands.ts';
import { type Asset, isUploadFailed } from './asset-state.ts';
import { AssetBadge } from './AssetBadge.tsx';
import { AssetReferences } from './AssetReferences.tsx';
import { assetCopy } from './copy.ts';

const words = assetCopy.about;

/** What is known about an asset, and the files that refer to it. */
export function AssetDetails({
  repositoryId,
  asset,
  filename,
}: {
  repositoryId: Id<'repository'>;
  asset: Asset;
  filename: string | undefined;
}) {
  const { assetId, digest, size, createdAt, storage } = asset;
  return (
    <div className="flex flex-col gap-5">
      <div className="-mx-4.5">
        <Properties
          items={[
            { name: words.status, value: <AssetBadge asset={asset} /> },
            { name: words.stored, value: storage && <Stored {...{ asset, storage }} /> },
            { name: words.size, value: assetCopy.bytes(size.toLocaleString('en'), formatSize(size)) },
            { name: words.digest, value: <IdTag value={digest} what={assetCopy.digest} length={26} /> },
            { name: words.id, value: <IdTag value={assetId} what={terms.ids.asset} length={26} /> },
            { name: words.created, value: <RelativeTime at={createdAt} /> },
          ]}
        />
      </div>
      <AssetReferences key={assetId} {...{ repositoryId, asset }} />
      <section className="flex flex-col gap-1.5">
        <h3 className="text-section">{assetCopy.verify}</h3>
        <CodeBlock code={verifyCommand(digest, filename)} what={assetCopy.verifyWhat} prompt="$" />
      </section>
    </div>
  );
}

function Stored({ asset, storage }: { asset: Asset; storage: NonNullable<Asset['storage']> }) {
  const { status, checkedAt, detail } = storage;
  const isFailed = isUploadFailed(asset);
  return (
    <div className="flex flex-col gap-1">
      <span className="font-head">
        {isFailed ? assetCopy.uploadFailed : assetCopy.storage[status]}
        {checkedAt !== undefined && (
          <span className="font-normal text-ink3">
            , {assetCopy.checked} <RelativeTime at={checkedAt} className="text-ink3" />
          </span>
        )}
      </span>
      <span className="text-ink2">
        {isFailed ? assetCopy.uploadFailedText : assetCopy.storageText[status]}
      </span>
      {detail !== undefined && <span className="text-ink2">{detail}</span>}
    </div>
  );
}

function verifyCommand(digest: string, filename = 'file'): string {
  // The digest on the wire is `sha256_` and 64 hexadecimal digits.
  return `echo "${digest.split('_').at(-1)}  "${shellQuoted(filename)} | sha256sum --check`;
}
