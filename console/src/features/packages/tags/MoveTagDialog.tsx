import type { Id } from '@corral/contract';
import { object, string } from 'valibot';
import { FieldsDialog } from '../../../ui/form/FieldsDialog.tsx';
import { packagesCopy } from '../copy.ts';
import type { PackageParams } from '../package/version-columns.tsx';
import { useSetTag } from './use-set-tag.tsx';

const words = packagesCopy.setTag;
const schema = object({ versionId: string() });

/** Asks where a tag moves to; what changes then is asked before it does. */
export function MoveTagDialog({
  params,
  tag,
  versions,
  isOpen,
  onClose,
}: {
  params: PackageParams;
  tag: string;
  /** Those that it may move to. */
  versions: readonly { readonly value: Id<'packageVersion'>; readonly label: string }[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const setTag = useSetTag(params);
  return (
    <FieldsDialog
      open={isOpen}
      onOpenChange={(open) => open || onClose()}
      title={words.moveTitle(tag)}
      size="small"
      submitLabel={words.submit}
      fields={{
        versionId: {
          kind: 'select',
          label: words.version,
          options: versions,
          initial: versions[0]?.value ?? '',
        },
      }}
      schema={schema}
      onSubmit={({ versionId }) =>
        setTag({ tag, versionId: versionId as Id<'packageVersion'>, locked: false })
      }
    />
  );
}
