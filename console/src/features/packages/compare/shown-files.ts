import type { ComparedFile, FileChange } from './compared-bytes.ts';
import { fileChanges } from './change-looks.ts';
import type { ShownFiles } from './shown-choice.ts';

/** The choice that shows the files of one kind. */
export const shownOf = (change: FileChange): Lowercase<FileChange> =>
  change.toLowerCase() as Lowercase<FileChange>;

/** The files of each choice. */
export function filesByChoice(
  files: readonly ComparedFile[],
): Readonly<Record<ShownFiles, readonly ComparedFile[]>> {
  const [same, changed, added, removed] = fileChanges.map((kind) =>
    files.filter(({ change }) => change === kind),
  );
  return {
    all: files,
    changes: files.filter(({ change, hasOtherMetadata }) => change !== 'Same' || hasOtherMetadata),
    same: same ?? [],
    changed: changed ?? [],
    added: added ?? [],
    removed: removed ?? [],
  };
}
