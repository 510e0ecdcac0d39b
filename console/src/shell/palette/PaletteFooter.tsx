import { paletteCopy } from './copy.ts';
import { Kbd } from '../../ui/text/Kbd.tsx';
import { modifier } from '../../parts/modifier.ts';

/** The keyboard shortcuts of the palette; hidden on phones. */
export function PaletteFooter() {
  const hints = [
    [['↵'], paletteCopy.hint.open],
    [[modifier(), '↵'], paletteCopy.hint.newTab],
    [['⇧', '↵'], paletteCopy.hint.copyId],
    [['Esc'], paletteCopy.hint.close],
  ] as const;
  return (
    <div
      aria-hidden
      className="flex flex-wrap items-center gap-x-5 gap-y-1 border-t border-line bg-canvas/60 px-4.5 py-2 text-small text-ink3 max-sm:hidden"
    >
      {hints.map(([keys, label]) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span dir="ltr" className="inline-flex gap-0.5">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </span>
          {label}
        </span>
      ))}
    </div>
  );
}
