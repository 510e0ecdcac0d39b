import { Link } from '@tanstack/react-router';
import { en } from '../copy/en.ts';
import { DoubleRule } from '../ui/picture/DoubleRule.tsx';
import { TextLink } from '../ui/text/TextLink.tsx';
import { AdminContact } from './AdminContact.tsx';

/**
 * Says that a page does not exist; a page that the user may not see looks the same. `isUnimplemented` is for pages that are not built
 * yet.
 */
export function NotFoundText({ isUnimplemented = false }: { isUnimplemented?: boolean | undefined }) {
  return (
    <>
      <p className="font-mono text-mono text-ink3">404</p>
      <h1 tabIndex={-1} className="text-display">
        {en.notFound.title}
      </h1>
      <DoubleRule />
      <p className="text-body text-ink2">
        {en.notFound.text} <TextLink render={<Link to="/" />}>{en.notFound.link}</TextLink>.
      </p>
      {isUnimplemented ? (
        <p className="text-body text-ink2">{en.notFound.toCome}</p>
      ) : (
        <AdminContact before={en.notFound.ask} />
      )}
    </>
  );
}
