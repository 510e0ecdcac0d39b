import { labelProblem } from '@corral/contract';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { problemCopy } from '../../../copy/problems.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { rowsPerPage } from '../../../parts/list-limits.ts';
import { EditValueDialog } from '../../../parts/metadata/EditValueDialog.tsx';
import { MetadataList } from '../../../parts/metadata/MetadataList.tsx';
import { useMetadataEditor } from '../../../parts/metadata/use-metadata-editor.ts';
import { SectionHeader } from '../../../parts/SectionHeader.tsx';
import { Button } from '../../../ui/action/Button.tsx';
import { TextField } from '../../../ui/form/TextField.tsx';
import { FormActions } from '../../../parts/FormActions.tsx';
import { useFailure } from '../../../ui/form/use-failure.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Page } from '../../../ui/layout/Page.tsx';
import { DropArea } from '../files/uploads/DropArea.tsx';
import { packageLink } from '../package-columns.tsx';
import type { ListedVersion, PackageParams } from '../package/version-columns.tsx';
import { PackageCrumb } from '../PackageCrumb.tsx';
import { packageQuery, packageVersionsQuery } from '../queries.ts';
import { publishCopy as words } from './copy.ts';
import { type ChangeDraft, type DraftVersion, useDraftVersion, withFiles } from './draft-version.ts';
import { FilesStep } from './FilesStep.tsx';
import { Preview } from './Preview.tsx';
import { NumberedStep } from '../../../ui/layout/NumberedStep.tsx';
import { offeredTags } from './offered-tags.ts';
import { type TagTarget, useTagTargets } from './tag-targets.ts';
import { TagsStep } from './TagsStep.tsx';
import { usePublish } from './use-publish.ts';

/** Publishes a version of a package: its name, files, tags and metadata, beside what that changes. Files can be dropped anywhere on it. */
export function NewVersionPage(params: PackageParams) {
  const { packageId } = params;
  const { name } = useLoadedQuery(packageQuery(packageId)).data;
  const { versions } = useLoadedQuery(packageVersionsQuery(packageId, rowsPerPage)).data;
  const { draft, change, end } = useDraftVersion(packageId);
  const targets = useTagTargets(
    params,
    draft.tags.map(({ tag }) => tag),
  );
  return (
    <Page>
      <SectionHeader
        title={words.title}
        name={words.title}
        parents={<PackageCrumb params={params} name={name} />}
        meta={words.text}
      />
      <DropArea onFiles={(files) => change(withFiles(draft.files, files))}>
        <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22.5rem]">
          <Card isFlush>
            <NameField {...{ draft, change, versions }} />
            <FilesStep {...{ draft, change }} />
            <TagsStep draft={draft} known={offeredTags(versions, draft.name)} {...{ targets, change }} />
            <MetadataStep {...{ draft, change }} />
          </Card>
          <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-5">
            <Preview repositoryId={params.repositoryId} {...{ draft, targets }} />
            <Actions {...{ params, draft, targets, end }} />
          </div>
        </div>
      </DropArea>
    </Page>
  );
}

function NameField({
  draft: { name },
  change,
  versions,
}: {
  draft: DraftVersion;
  change: ChangeDraft;
  versions: readonly ListedVersion[];
}) {
  const problem = labelProblem(name, 'versionName');
  const isTaken = versions.some((version) => version.name === name.trim());
  return (
    <div className="px-4.5 pt-4.5 pb-5">
      <TextField
        label={words.name}
        required={false}
        description={isTaken ? words.nameTaken : words.nameHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={name}
        onValueChange={(typed) => change({ name: typed })}
        dirty={name !== ''}
        blurred={problem !== undefined}
        valid={name === '' ? undefined : problem === undefined}
        error={problem && problemCopy[problem]}
      />
    </div>
  );
}

function MetadataStep({ draft: { metadata }, change }: { draft: DraftVersion; change: ChangeDraft }) {
  const { editing, edit } = useMetadataEditor(metadata, (next) => change({ metadata: next }));
  const isEmpty = Object.keys(metadata).length === 0;
  return (
    <NumberedStep
      number={3}
      title={words.metadata.title}
      text={isEmpty ? words.metadata.text : ''}
      actions={
        <Button size="small" icon={<Plus size={14} aria-hidden />} onClick={() => edit()}>
          {words.metadata.add}
        </Button>
      }
    >
      {!isEmpty && (
        <div className="rounded-card border border-line">
          <MetadataList metadata={metadata} empty={words.metadata.none} onEdit={edit} />
        </div>
      )}
      <EditValueDialog dialog={editing} />
    </NumberedStep>
  );
}

function Actions({
  params,
  draft,
  targets,
  end,
}: {
  params: PackageParams;
  draft: DraftVersion;
  targets: readonly TagTarget[];
  end: () => void;
}) {
  const navigate = useNavigate();
  const publish = usePublish(params);
  const [failure, attempt] = useFailure();
  const name = draft.name.trim();
  return (
    <FormActions {...{ failure }}>
      <Button
        variant="primary"
        isWrite
        disabledReason={whyNot(draft, targets)}
        onClick={() =>
          attempt(async () => {
            await publish(draft, targets);
            end();
          })
        }
      >
        {name === '' ? words.publish : words.publishOf(name.length > 24 ? `${name.slice(0, 23)}…` : name)}
      </Button>
      <Button
        variant="quiet"
        onClick={() => {
          end();
          void navigate(packageLink(params.repositoryId, params.packageId));
        }}
      >
        {words.cancel}
      </Button>
    </FormActions>
  );
}

/** Why the version cannot be published as it is. */
function whyNot({ name, typedTag }: DraftVersion, targets: readonly TagTarget[]): string | undefined {
  const problem = labelProblem(name, 'versionName');
  if (problem !== undefined) return problemCopy[problem];
  if (typedTag !== '') return words.notAdded(typedTag);
  const locked = targets.find(({ isLocked }) => isLocked);
  if (locked !== undefined) return words.isLocked(locked.tag);
  return targets.some(({ isPending }) => isPending) ? words.reading : undefined;
}
