import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

const toneStyles = {
  info: ['bg-denim-wash', 'text-denim', Info],
  warn: ['bg-warn-wash', 'text-warn', TriangleAlert],
  danger: ['bg-danger-wash', 'text-danger', CircleAlert],
} as const;

/** A message in the page, with a title and a text. `danger` is announced at once. With a `ref` it is focusable. */
export function Notice({
  tone = 'info',
  title,
  children,
  actions,
  ref,
}: {
  tone?: keyof typeof toneStyles | undefined;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  ref?: Ref<HTMLDivElement> | undefined;
}) {
  const [wash, ink, Icon] = toneStyles[tone];
  return (
    <div
      ref={ref}
      tabIndex={ref === undefined ? undefined : -1}
      role={tone === 'danger' ? 'alert' : 'note'}
      className={`bordered-when-forced flex items-start gap-3 rounded-card px-4 py-3 ${wash}`}
    >
      <Icon size={18} aria-hidden className={`mt-px shrink-0 ${ink}`} />
      <div className="min-w-0 flex-1">
        <p className={`text-body font-head wrap-anywhere ${ink}`}>{title}</p>
        {children !== undefined && (
          <div className="own-direction text-body wrap-anywhere text-ink">{children}</div>
        )}
      </div>
      {actions}
    </div>
  );
}
