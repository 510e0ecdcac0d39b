import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode, Ref } from 'react';
import { buttonClass, type ButtonSize, type ButtonVariant } from './button-class.ts';

/** A link that looks like a button. `render` is the link element, e.g. the router's or an `<a href>`; `shortcut` is its key. */
export function ButtonLink({
  render,
  variant = 'secondary',
  size = 'medium',
  icon,
  iconEnd,
  shortcut,
  label,
  ref,
  children,
  className,
}: {
  render: ReactElement;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
  iconEnd?: ReactNode;
  shortcut?: string | undefined;
  /** Its name, where that says more than its text. */
  label?: string | undefined;
  ref?: Ref<HTMLAnchorElement> | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  return useRender({
    render,
    ...(ref !== undefined && { ref }),
    defaultTagName: 'a',
    props: {
      className: `${buttonClass(variant, size)} ${className ?? ''}`,
      'aria-keyshortcuts': shortcut,
      'aria-label': label,
      children: (
        <>
          {icon}
          {children}
          {iconEnd}
        </>
      ),
    },
  });
}
