// Stands in for the router where documents are rendered for the site: a link to a document of the console becomes one to its page.
import type { ComponentProps } from 'react';
import { addressOf } from './addresses.ts';

/** A link to the page of a document. */
export function Link({ to, hash, children, ...rest }: ComponentProps<'a'> & { to: string; hash?: string }) {
  return (
    <a {...rest} href={addressOf(to.replace(/^\/docs\/?/u, ''), hash)}>
      {children}
    </a>
  );
}
