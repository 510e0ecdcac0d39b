import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { publicCopy } from './public/copy.ts';
import { configQuery } from '../data/queries-account.ts';
import { Banner } from '../ui/layout/Banner.tsx';
import { sanitizeHtml } from './sanitize-html.ts';

/** The operator's banner, if one is configured, and a warning if the connection is not encrypted. */
export function ConfiguredBanner() {
  const { data } = useQuery(configQuery);
  const text = data?.banner?.text;
  const html = useMemo(() => (text === undefined ? '' : sanitizeHtml(text)), [text]);
  return (
    <>
      {html !== '' && <Banner label={publicCopy.operatorNotice} html={html} />}
      {data?.isInsecure === true && (
        <Banner label={publicCopy.insecureTitle} html={publicCopy.insecure} tone="warning" />
      )}
    </>
  );
}
