import { type Id, type Json, maxFiles } from '@corral/contract';
import { useState } from 'react';
import { useDraft, useDraftOnClosing } from '../../../ui/form/drafts.ts';

/** A tag that is wanted for a version. */
export interface DraftTag {
  readonly tag: string;
  readonly locked: boolean;
}

/** A version that is being composed. */
export interface DraftVersion {
  readonly name: string;
  /** Each of another name. */
  readonly files: readonly File[];
  /** How many files of the last choice were left out. */
  readonly leftOut: number;
  readonly tags: readonly DraftTag[];
  /** A tag that is typed and not added yet. */
  readonly typedTag: string;
  readonly metadata: Readonly<Record<string, Json>>;
}

/** Changes parts of a version that is being composed. */
export type ChangeDraft = (parts: Partial<DraftVersion>) => void;

const nothing: DraftVersion = { name: '', files: [], leftOut: 0, tags: [], typedTag: '', metadata: {} };

/** The version of a package that the user composes. It stays when the page is left, until it is published or discarded by `end`. */
export function useDraftVersion(packageId: Id<'package'>): {
  draft: DraftVersion;
  change: ChangeDraft;
  end: () => void;
} {
  const kept = useDraft<DraftVersion>(`new version ${packageId}`);
  const [draft, setDraft] = useState(() => ({ ...nothing, ...kept.read() }));
  useDraftOnClosing(kept, true, () => (draft === nothing ? ({} as DraftVersion) : draft));
  return {
    draft,
    change: (parts) => setDraft((before) => ({ ...before, ...parts })),
    end: () => kept.end(),
  };
}

/** The files with further ones; one of the same name takes the place of the earlier. */
export function withFiles(
  files: readonly File[],
  added: readonly File[],
): Pick<DraftVersion, 'files' | 'leftOut'> {
  const byName = new Map([...files, ...added].map((file) => [file.name, file]));
  const all = [...byName.values()];
  return { files: all.slice(0, maxFiles), leftOut: Math.max(0, all.length - maxFiles) };
}
