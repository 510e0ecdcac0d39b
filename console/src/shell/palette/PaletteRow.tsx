import { middleTruncate } from '../../ui/text/middle-truncate.ts';
import type { PaletteEntry } from './palette-entry.ts';

const tagLength = 14;

/** The content of a line of the palette. */
export function PaletteRow({ entry: { icon, label, tag, meta } }: { entry: PaletteEntry }) {
  return (
    <>
      <span className="flex size-4 shrink-0 items-center justify-center text-ink3">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {meta !== undefined && <span className="max-w-48 truncate text-small text-ink3">{meta}</span>}
      {tag !== undefined && (
        <span dir="ltr" className="font-mono text-small font-normal text-ink3 max-sm:hidden">
          {middleTruncate(tag.value, tagLength)}
        </span>
      )}
    </>
  );
}
