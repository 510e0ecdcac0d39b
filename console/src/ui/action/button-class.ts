import { classNames } from '../style/class-names.ts';

/** At most one primary button per screen; `outlined` is the action in the header of a page, `danger` only for destructive actions. */
export type ButtonVariant = 'primary' | 'outlined' | 'secondary' | 'quiet' | 'danger';
/** Heights: 28, 34 and 42 px; at least 44 px for a coarse pointer. */
export type ButtonSize = 'small' | 'medium' | 'large';

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-denim bg-denim text-on-denim not-aria-disabled:hover:border-denim-hover not-aria-disabled:hover:bg-denim-hover',
  outlined:
    'border-denim bg-surface text-denim not-aria-disabled:hover:bg-denim-wash not-aria-disabled:hover:text-denim-hover',
  secondary:
    'border-line bg-surface text-ink not-aria-disabled:hover:border-line-strong not-aria-disabled:hover:bg-sunken/60',
  quiet:
    'border-transparent bg-transparent text-ink2 not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-ink',
  danger:
    'border-danger bg-danger text-on-danger not-aria-disabled:hover:border-danger-hover not-aria-disabled:hover:bg-danger-hover',
};

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 gap-1.5 px-2.5',
  medium: 'h-8.5 gap-2 px-3.5',
  large: 'h-10.5 gap-2 px-5 text-[0.9375rem]',
};

/** The classes of a button, for `Button` and for links that look like one. */
export function buttonClass(variant: ButtonVariant, size: ButtonSize, isIconOnly = false): string {
  return classNames(
    'relative inline-flex shrink-0 items-center justify-center rounded-control border text-label font-head whitespace-nowrap select-none transition-colors pointer-coarse:min-h-11',
    'disabled:opacity-50 aria-disabled:not-aria-busy:opacity-50 print:hidden',
    variants[variant],
    sizes[size],
    isIconOnly &&
      (size === 'small' ? 'w-7 px-0! pointer-coarse:min-w-11' : 'w-8.5 px-0! pointer-coarse:min-w-11'),
  );
}
