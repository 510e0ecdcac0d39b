import { ChevronRight } from 'lucide-react';
import { Children, Fragment, isValidElement, type ReactNode, useEffect, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { DoubleRule } from '../picture/DoubleRule.tsx';
import { setPageTitle } from './document-title.ts';

/**
 * The header of a page: its `h1` (`level` is for specimens) above a double rule. `breadcrumb` is a list of links whose last item is
 * the page itself as plain text; `badges` are beside the title, `meta` is below it, `actions` are at the end, at most one primary.
 */
export function PageHeader({
  title,
  breadcrumb,
  badges,
  meta,
  actions,
  level = 1,
}: {
  title: ReactNode;
  breadcrumb?: ReactNode;
  badges?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
  level?: 1 | 2 | 3 | undefined;
}) {
  const Heading = `h${level}` as const;
  const heading = useRef<HTMLHeadingElement>(null);
  // After each rendering, because the page may be renamed while it is open.
  useEffect(() => {
    if (level === 1) setPageTitle(heading.current?.textContent?.trim() ?? '');
  });
  return (
    <header className="mb-4">
      {breadcrumb !== undefined && <Breadcrumb>{breadcrumb}</Breadcrumb>}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 pb-4">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Heading ref={heading} tabIndex={-1} className="text-title wrap-anywhere">
              {title}
            </Heading>
            {badges}
          </div>
          {meta !== undefined && (
            <div className="own-direction tabular mt-1 text-state wrap-anywhere text-ink2">{meta}</div>
          )}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-3 print:hidden">{actions}</div>
        )}
      </div>
      <DoubleRule />
    </header>
  );
}

function Breadcrumb({ children }: { children: ReactNode }) {
  const crumbs = flatten(children);
  return (
    <nav aria-label={uiCopy.shell.breadcrumb} className="mb-1.5 print:hidden">
      <ol className="flex flex-wrap items-center gap-1.5 text-label font-normal text-ink2 [&_a]:rounded-control [&_a]:hover:underline">
        {crumbs.map((crumb, index) => (
          <li
            key={index}
            className="flex min-w-0 items-center gap-1.5 wrap-anywhere"
            aria-current={index === crumbs.length - 1 ? 'page' : undefined}
          >
            {index > 0 && <ChevronRight size={14} aria-hidden className="shrink-0 text-ink3" />}
            {crumb}
          </li>
        ))}
      </ol>
    </nav>
  );
}

// A fragment counts as the crumbs in it.
function flatten(children: ReactNode): ReactNode[] {
  return Children.toArray(children).flatMap((child) =>
    isValidElement<{ children?: ReactNode }>(child) && child.type === Fragment
      ? flatten(child.props.children)
      : [child],
  );
}
