import { Link, useLocation } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { forgetVisits } from '../../parts/recent-items.ts';
import { ButtonLink } from '../../ui/action/ButtonLink.tsx';
import { documentCopy } from '../document-copy.ts';
import { findSection, type PathParams, pathOf, sectionOf } from '../section-paths.ts';
import type { Section } from '../sections.ts';
import { NotFoundText } from './NotFoundText.tsx';

/** The page that a not-found page offers as the way back. */
export interface WayBack {
  readonly label: string;
  readonly path: string;
}

/** The not-found page with a way back, by default to the section of what was not found; `children` are further actions. */
export function NotFoundScreen({ back, children }: { back?: WayBack | undefined; children?: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => forgetVisits(path), [path]);
  const match = findSection(path);
  const way =
    back ?? (match?.isInside === true ? { label: match.section.label(), path: match.path } : undefined);
  return (
    <div className="mx-auto flex w-full max-w-[36rem] flex-col gap-4 px-6 py-16">
      <NotFoundText />
      <div className="flex flex-wrap gap-2">
        {way !== undefined && (
          <ButtonLink
            icon={<ArrowLeft size={15} aria-hidden className="rtl:-scale-x-100" />}
            render={<Link to={way.path} />}
          >
            {documentCopy.notFound.back(way.label)}
          </ButtonLink>
        )}
        {children}
      </div>
    </div>
  );
}

/** The way back to a section. */
export function wayTo(id: Section['id'], params?: PathParams): WayBack {
  const section = sectionOf(id);
  return { label: section.label(), path: pathOf(section, params) };
}
