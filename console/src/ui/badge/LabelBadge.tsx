import { useRender } from '@base-ui/react/use-render';
import type { ComponentProps, ReactElement } from 'react';

/** A label of a device as `name: value`. `render` is the link or button that it is, if it is one; it gets the other props. */
export function LabelBadge({
  name,
  value,
  render,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'name' | 'value'> & {
  name: string;
  value: string;
  render?: ReactElement | undefined;
}) {
  return useRender({
    ...(render === undefined ? {} : { render }),
    defaultTagName: 'span',
    props: {
      ...rest,
      className: `inline-flex h-5.5 max-w-full items-center rounded-control border border-line bg-surface px-1.5 text-small text-ink2 ${render === undefined ? '' : 'transition-colors hover:border-line-strong hover:text-ink pointer-coarse:h-8'} ${className}`,
      children: (
        <span dir="ltr" className="truncate">
          <span className="text-ink3">{name}:</span> {value}
        </span>
      ),
    },
  });
}
