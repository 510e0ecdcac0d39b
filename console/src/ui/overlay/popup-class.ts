const floatClass =
  'min-w-40 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float transition-[opacity,transform] duration-120 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0';

/** The classes of a menu: all of its items show where the window is high enough for them. On phones it is a sheet, see `sheetPositionClass`. */
export const menuClass = `max-h-(--available-height) ${floatClass} max-sm:max-h-[85dvh] max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0 max-sm:data-ending-style:translate-y-6 max-sm:data-starting-style:translate-y-6`;

/** The classes of the position of a menu: on phones the bottom edge of the window instead of its trigger. */
export const sheetPositionClass =
  'max-sm:fixed! max-sm:inset-x-0! max-sm:top-auto! max-sm:bottom-0! max-sm:transform-none!';

/** The classes of what darkens the page behind a dialog, a drawer or a sheet. */
export const backdropClass =
  'fixed inset-0 z-30 bg-[rgb(33_28_20/0.4)] transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0';

/** The classes of a floating list: selects and comboboxes. */
export const popupClass = `max-h-[min(24rem,var(--available-height))] ${floatClass}`;

/** The classes of one item of such a list. */
export const itemClass =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2.5 py-1 text-body text-ink outline-none select-none pointer-coarse:min-h-11 data-highlighted:bg-denim-wash';
