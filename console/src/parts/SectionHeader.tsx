import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { PageHeader } from '../ui/layout/PageHeader.tsx';
import { usePageSection } from './page-section.ts';

/**
 * The header of a page in a section: titled by the section, or, for something in it, by `title` below a breadcrumb that leads back
 * with the `search` of the list. `name` is the last crumb.
 */
export function SectionHeader({
  title,
  name,
  search,
  parents,
  ...rest
}: Omit<ComponentProps<typeof PageHeader>, 'title' | 'breadcrumb'> & {
  title?: ReactNode;
  name?: string | undefined;
  search?: Readonly<Record<string, unknown>> | undefined;
  /** The links between the section and the page. */
  parents?: ReactNode;
}) {
  const section = usePageSection();
  const breadcrumb = section?.isInside === true && (
    <>
      <Link to={section.path} search={search ?? {}}>
        {section.label}
      </Link>
      {parents}
      <span>{name}</span>
    </>
  );
  return (
    <PageHeader
      {...rest}
      title={title ?? section?.label}
      breadcrumb={breadcrumb === false ? undefined : breadcrumb}
    />
  );
}
