const floatClass =
  'min-w-40 overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float transition-[opacity,transform] duration-120 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0';

/** The classes of a menu: all of its items show where the window is high enough for them. */
export const menuClass = `max-h-(--available-height) ${floatClass}`;

/** The classes of a floating list: selects and comboboxes. */
export const popupClass = `max-h-[min(24rem,var(--available-height))] ${floatClass}`;

/** The classes of one item of such a list. */
export const itemClass =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-control px-2.5 py-1 text-body text-ink outline-none select-none pointer-coarse:min-h-11 data-highlighted:bg-denim-wash';
