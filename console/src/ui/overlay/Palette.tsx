import { Dialog } from '@base-ui/react/dialog';
import { Search, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { useOpenDialog } from './open-dialogs.ts';
import { PaletteList } from './PaletteList.tsx';
import { usePaletteKeys } from './use-palette-keys.ts';

/** A line of a palette. `render` is the link element of a line that navigates, so that middle click works. */
export type PaletteLine = { id: string; render?: ReactElement | undefined; content: ReactNode };

/** Lines under one heading. */
export type PaletteLines<Line> = { id: string; label: string; items: readonly Line[] };

/** The modifier keys with which a line was chosen. */
export type PalettePress = { isShift: boolean; isNewTab: boolean };

/**
 * A command palette: a search field with results, in a dialog. The caller finds the `groups` that match `text`; `onChoose` gets the chosen
 * line and the modifier keys. `finalFocus` returns what to focus on closing: an element, true for the one before, false for none.
 */
export function Palette<Line extends PaletteLine>({
  open,
  onOpenChange,
  onClosed,
  finalFocus,
  ...content
}: ContentProps<Line> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed: () => void;
  finalFocus: () => HTMLElement | boolean;
}) {
  const field = useRef<HTMLInputElement>(null);
  useOpenDialog(open, () => onOpenChange(false));
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => onOpenChange(next)}
      onOpenChangeComplete={(isOpen) => (isOpen ? undefined : onClosed())}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-[rgb(33_28_20/0.4)]" />
        <Dialog.Viewport className="fixed inset-0 z-30 flex items-start justify-center sm:p-6 sm:pt-[12vh]">
          <Dialog.Popup
            aria-label={content.label}
            initialFocus={field}
            finalFocus={finalFocus}
            className="flex w-full flex-col overflow-hidden border-line bg-raised text-ink shadow-float outline-none max-sm:h-dvh sm:max-h-[min(36rem,100%)] sm:max-w-[40rem] sm:rounded-card sm:border"
          >
            <PaletteContent {...content} field={field} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type ContentProps<Line> = {
  label: string;
  placeholder: string;
  text: string;
  onTextChange: (text: string) => void;
  groups: readonly PaletteLines<Line>[];
  onChoose: (line: Line, press: PalettePress) => void;
  status: string;
  empty: ReactNode;
  foot: ReactNode;
};

function PaletteContent<Line extends PaletteLine>({
  label,
  placeholder,
  text,
  onTextChange,
  groups,
  onChoose,
  status,
  empty,
  foot,
  field,
}: ContentProps<Line> & { field: React.RefObject<HTMLInputElement | null> }) {
  const listId = useId();
  const lines = groups.flatMap(({ items }) => items);
  const { active, setActive, onKeyDown } = usePaletteKeys(lines, listId, text, onChoose);
  return (
    <>
      <div className="relative flex shrink-0 items-center border-b border-line max-sm:pe-1">
        <Search
          size={18}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 start-4.5 my-auto text-ink3"
        />
        <input
          ref={field}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={lines.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={lines[active] === undefined ? undefined : `${listId}-${active}`}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          onChange={(event) => onTextChange(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-13 w-full min-w-0 bg-transparent ps-12 pe-4 text-input text-ink outline-none"
        />
        <Dialog.Close
          aria-label={uiCopy.dialog.close}
          className="flex size-11 shrink-0 items-center justify-center rounded-control text-ink3 sm:hidden"
        >
          <X size={18} aria-hidden />
        </Dialog.Close>
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        {lines.length === 0 && empty}
        <PaletteList {...{ label, listId, groups, active, setActive, onChoose }} />
      </div>
      <span role="status" className="sr-only">
        {status}
      </span>
      {foot}
    </>
  );
}
