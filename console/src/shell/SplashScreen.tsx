import { documentCopy } from './document-copy.ts';

/** Says that the session loads; the outline of the page in index.html shows meanwhile. */
export function SplashScreen() {
  return (
    <p role="status" className="sr-only">
      {documentCopy.loading}
    </p>
  );
}
