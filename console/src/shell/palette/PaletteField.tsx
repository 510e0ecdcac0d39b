import { Search } from 'lucide-react';
import { terms } from '../../copy/terms.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Kbd } from '../../ui/text/Kbd.tsx';
import { hasCommandKey, modifier } from '../../parts/modifier.ts';
import { loadPalette } from './load-palette.ts';
import { openPalette } from './palette-state.ts';

/** Opens the palette from the header: looks like a search field on wide screens, or, with `isButton`, an icon button on others. */
export function PaletteField({ isButton = false }: { isButton?: boolean | undefined }) {
  const keys = hasCommandKey() ? 'Meta+K' : 'Control+K';
  if (isButton) {
    return (
      <span className="lg:hidden">
        <Button
          icon={<Search size={17} aria-hidden />}
          label={terms.goToAnything}
          aria-haspopup="dialog"
          aria-keyshortcuts={keys}
          onClick={() => openPalette()}
        />
      </span>
    );
  }
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={keys}
      onPointerEnter={() => void loadPalette()}
      onFocus={() => void loadPalette()}
      onClick={() => openPalette()}
      className="inline-flex h-8.5 @container w-62.5 min-w-9 items-center overflow-hidden gap-2.5 rounded-control border border-line bg-canvas ps-2.5 pe-2 text-label font-normal text-ink2 transition-colors hover:border-line-strong max-lg:hidden pointer-coarse:h-11"
    >
      <Search size={16} aria-hidden className="shrink-0" />
      <span className="min-w-0 flex-1 truncate text-start">{terms.goToAnything}</span>
      <span aria-hidden className="inline-flex gap-0.5 @max-[9rem]:hidden pointer-coarse:hidden">
        <Kbd>{hasCommandKey() ? '⌘K' : `${modifier()} K`}</Kbd>
      </span>
    </button>
  );
}
