import { Link } from '@tanstack/react-router';
import { documentCopy } from '../document-copy.ts';
import { DoubleRule } from '../../ui/picture/DoubleRule.tsx';
import { TextLink } from '../../ui/text/TextLink.tsx';
import { AdminContact } from '../../parts/AdminContact.tsx';

/** Says that a page does not exist; a page that the user may not see looks the same. */
export function NotFoundText() {
  return (
    <>
      <p className="font-mono text-mono text-ink3">404</p>
      <h1 tabIndex={-1} className="text-display">
        {documentCopy.notFound.title}
      </h1>
      <DoubleRule />
      <p className="text-body text-ink2">
        {documentCopy.notFound.text}{' '}
        <TextLink render={<Link to="/" />}>{documentCopy.notFound.link}</TextLink>.
      </p>
      <AdminContact before={documentCopy.notFound.ask} />
    </>
  );
}
