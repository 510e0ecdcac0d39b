import { useQuery } from '@tanstack/react-query';
import { configQuery } from '../data/queries-account.ts';
import { TextLink } from '../ui/text/TextLink.tsx';

/** The administrator's contact after the text `before`; renders nothing when none is configured. */
export function AdminContact({ before }: { before: string }) {
  const { data: config } = useQuery(configQuery);
  const href = config?.adminContact;
  if (href === undefined) return null;
  return (
    <p className="text-body wrap-anywhere text-ink2">
      {before} <TextLink render={<a href={href} />}>{contactName(href)}</TextLink>
    </p>
  );
}

function contactName(href: string): string {
  return href.replace(/^mailto:|^https:\/\/|\/$/gi, '');
}
