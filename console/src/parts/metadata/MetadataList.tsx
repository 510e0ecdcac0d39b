import { Properties } from '../../ui/layout/Properties.tsx';
import { JsonView } from '../../ui/text/JsonView.tsx';
import { metadataCopy as words } from './copy.ts';
import type { Metadata } from './use-metadata-editor.ts';
import { ValueLine } from './ValueLine.tsx';

/** Metadata by key, each value with a button that edits it if there is `onEdit`. */
export function MetadataList({
  metadata,
  empty,
  onEdit,
}: {
  metadata: Metadata;
  /** The sentence where there is none. */
  empty: string;
  onEdit: ((key: string) => void) | undefined;
}) {
  const entries = Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1));
  if (entries.length === 0) return <p className="px-4.5 py-3.5 text-body text-ink3">{empty}</p>;
  return (
    <Properties
      items={entries.map(([key, value]) => ({
        key,
        name: <span dir="ltr">{key}</span>,
        value: (
          <ValueLine
            value={{ shown: <JsonView value={value} /> }}
            edit={onEdit && { label: words.edit(key), onEdit: () => onEdit(key) }}
          />
        ),
      }))}
    />
  );
}
