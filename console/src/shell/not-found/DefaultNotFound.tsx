import { Link } from '@tanstack/react-router';
import { documentCopy } from '../document-copy.ts';
import { TextLink } from '../../ui/text/TextLink.tsx';

/** The router's default not-found screen, for routes without their own. */
export function DefaultNotFound() {
  return (
    <div className="mx-auto flex w-full max-w-[36rem] flex-col gap-2 px-6 py-16">
      <h1 tabIndex={-1} className="text-title">
        {documentCopy.notFound.short}
      </h1>
      <p className="text-body">
        <TextLink render={<Link to="/" />}>{documentCopy.notFound.home}</TextLink>
      </p>
    </div>
  );
}
