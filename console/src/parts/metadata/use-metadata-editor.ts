import type { Json } from '@corral/contract';
import { type DialogTarget, useDialogTarget } from '../use-dialog-target.ts';
import { metadataCopy as words } from './copy.ts';
import { type EditedValue, typedValue } from './EditValueDialog.tsx';

/** Metadata by key. */
export type Metadata = Readonly<Record<string, unknown>>;

/** The dialog that edits a value of metadata, and the function that opens it for a key, or for a new one. An empty value removes the key. */
export function useMetadataEditor(
  metadata: Metadata,
  onChange: ((metadata: Readonly<Record<string, Json>>) => unknown) | undefined,
): { editing: DialogTarget<EditedValue>; edit: (key?: string) => void } {
  const editing = useDialogTarget<EditedValue>();
  function save(key: string, typed: string): unknown {
    const { [key]: _former, ...others } = metadata as Record<string, Json>;
    return onChange?.(typed === '' ? others : { ...others, [key]: typedValue(typed) as Json });
  }
  const edit = (key?: string): void =>
    editing.open({
      title: key === undefined ? words.add : words.edit(key),
      hint: words.hint,
      save,
      ...(key === undefined ? {} : { name: key, value: metadata[key] }),
    });
  return { editing, edit };
}
