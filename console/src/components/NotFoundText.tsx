import { Link } from '@tanstack/react-router';
import { en } from '../copy/en.ts';
import { DoubleRule } from '../ui/picture/DoubleRule.tsx';
import { TextLink } from '../ui/text/TextLink.tsx';
import { AdminContact } from './AdminContact.tsx';

/**
 * Says that an address does not exist, or that the user may not see what is there: the two look the same. `isUnbuilt` is for
 * what does not exist yet, for nobody.
 */
export function NotFoundText({ isUnbuilt = false }: { isUnbuilt?: boolean | undefined }) {
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
      {isUnbuilt ? (
        <p className="text-body text-ink2">{en.notFound.toCome}</p>
      ) : (
        <AdminContact before={en.notFound.ask} />
      )}
    </>
  );
}
