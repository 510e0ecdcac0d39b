import { labelProblem, pathNameProblem } from '@corral/contract';
import { object, pipe, trim } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { terms } from '../../../copy/terms.ts';
import { useRun } from '../../../data/action-mutation.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { DangerCard } from '../../../parts/DangerCard.tsx';
import { follows } from '../../../parts/follows.ts';
import { MetadataCard } from '../../../parts/metadata/MetadataCard.tsx';
import { RenameCard } from '../../../parts/RenameCard.tsx';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { IdTag } from '../../../ui/text/IdTag.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { renamePackage, setPackageKind, setPackageMetadata } from '../mutations.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery } from '../queries.ts';
import { packageSettingsCopy as words } from './copy.ts';
import { useDeletePackage } from './use-delete.tsx';

const nameSchema = object({ name: follows((typed) => pathNameProblem(typed, 'packageName'), problemCopy) });
const kindSchema = object({
  name: pipe(
    follows((typed) => labelProblem(typed, 'packageKind'), problemCopy),
    trim(),
  ),
});

/** The settings of a package: its name, kind and metadata, and its deletion; for those who may write. */
export function PackageSettingsPage(params: PackageParams) {
  const { packageId } = params;
  const { data: details } = useLoadedQuery(packageQuery(packageId));
  const { name, kind = '', createdAt, metadata, versionCount } = details;
  const run = useRun();
  const remove = useDeletePackage(details);
  return (
    <Page>
      <SectionHeader
        title={words.title}
        name={words.open}
        parents={<PackageCrumb params={params} name={name} />}
      />
      <div className="flex max-w-[44rem] flex-col gap-5">
        <Card title={words.about} isFlush>
          <Properties
            items={[
              { name: terms.name, value: <bdi className="font-head">{name}</bdi> },
              { name: words.kind.title, value: kind === '' ? undefined : kind },
              {
                name: words.id,
                value: <IdTag value={packageId} what={terms.ids.package} length={30} />,
              },
              { name: words.created, value: <RelativeTime at={createdAt} /> },
            ]}
          />
        </Card>
        <RenameCard
          name={name}
          schema={nameSchema}
          words={words.packageName}
          consequences={words.packageName.consequences}
          mutation={renamePackage}
          inputOf={(next) => ({ packageId, name: next })}
          ownerOnly={undefined}
        />
        <RenameCard
          name={kind}
          isOptional
          label={words.kind.title}
          schema={kindSchema}
          words={{
            ...words.kind,
            text: `${words.kind.text} ${kind === '' ? words.kind.none : words.kind.is(kind)}`,
          }}
          mutation={setPackageKind}
          inputOf={(next) => ({ packageId, ...(next === '' ? {} : { kind: next }) })}
          ownerOnly={undefined}
        />
        <MetadataCard
          metadata={metadata}
          onChange={(next) => run(setPackageMetadata, { packageId, metadata: next })}
        />
        <DangerCard
          title={words.danger}
          verb={words.deletePackage.verb}
          text={words.deletePackage.text(versionCount)}
          ownerOnly={undefined}
          onDelete={remove}
        />
      </div>
    </Page>
  );
}
