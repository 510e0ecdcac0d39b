import { pathNameProblem, type Id } from '@corral/contract';
import { Tag } from 'lucide-react';
import { useState } from 'react';
import { boolean, object, omit, string } from 'valibot';
import { problemCopy } from '../../../copy/problems.ts';
import { repositoryQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { follows } from '../../../parts/follows.ts';
import { Button } from '../../../ui/action/Button.tsx';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { packagesCopy } from '../copy.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { useSetTag } from './use-set-tag.tsx';

const words = packagesCopy.setTag;
const schema = object({
  tag: follows((typed) => pathNameProblem(typed, 'tag'), problemCopy),
  versionId: string(),
  locked: boolean(),
});
const verbatim = { spellCheck: false, autoCapitalize: 'none' } as const;
const ofOneVersion = omit(schema, ['versionId']);

/** The button that points a tag at one of these versions, in a dialog and after a question; for those who may write. */
export function SetTagButton({
  params,
  versions,
  tag,
}: {
  params: PackageParams;
  versions: readonly { readonly value: Id<'packageVersion'>; readonly label: string }[];
  /** The tag that is typed already. */
  tag?: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const setTag = useSetTag(params);
  const { canWrite } = useLoadedQuery(repositoryQuery(params.repositoryId)).data;
  const [only] = versions;
  if (!canWrite || only === undefined) return null;
  const dialog = {
    open: isOpen,
    onOpenChange: setIsOpen,
    title: words.title,
    size: 'small',
    submitLabel: words.submit,
  } as const;
  const fields = {
    tag: { label: words.tag, hint: words.tagHint, required: true, initial: tag ?? '', ...verbatim },
    locked: { kind: 'checkbox', label: words.locked, hint: words.lockedHint },
  } as const;
  return (
    <>
      <Button
        isWrite
        className="self-end"
        icon={<Tag size={15} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {words.button}
      </Button>
      {versions.length === 1 ? (
        <FieldsDialog
          {...dialog}
          fields={fields}
          schema={ofOneVersion}
          onSubmit={(values) => setTag({ ...values, versionId: only.value })}
        />
      ) : (
        <FieldsDialog
          {...dialog}
          fields={{
            tag: fields.tag,
            versionId: { kind: 'select', label: words.version, options: versions, initial: only.value },
            locked: fields.locked,
          }}
          schema={schema}
          onSubmit={(values) => setTag({ ...values, versionId: values.versionId as Id<'packageVersion'> })}
        />
      )}
    </>
  );
}
