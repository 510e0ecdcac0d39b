import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { documentPath } from '../../parts/document-path.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { resolveLink } from './documents.ts';

/** A link in a document: to another one, to a file that comes with it, or to the web. A link to a file that is only in the source repository becomes plain text. */
export function DocumentLink({
  slug,
  target,
  children,
}: {
  slug: string;
  target: string;
  children: ReactNode;
}) {
  const link = resolveLink(slug, target);
  switch (link?.kind) {
    case 'document':
      return <TextLink render={<Link to={documentPath(link.slug)} hash={link.hash} />}>{children}</TextLink>;
    case 'file':
      return <TextLink render={<a href={link.url} download={link.name} />}>{children}</TextLink>;
    case 'web':
      return <TextLink render={<a href={link.url} rel="noreferrer" />}>{children}</TextLink>;
    default:
      return children;
  }
}

/** A picture of a document. */
export function Picture({ slug, source, about }: { slug: string; source: string; about: string }) {
  const link = resolveLink(slug, source);
  return link?.kind === 'file' ? (
    <img src={link.url} alt={about} loading="lazy" className="w-full rounded-card border border-line" />
  ) : (
    about
  );
}
