import { canonicalEmail, emailProblem } from '@corral/contract';

/** The domain of an e-mail address as it is stored; undefined if it is none. */
export function domainOf(email: string): string | undefined {
  if (emailProblem(email) !== undefined) return undefined;
  const canonical = canonicalEmail(email);
  return canonical.slice(canonical.lastIndexOf('@') + 1);
}

/** The e-mail domains in a list that commas or spaces separate, as they are stored; undefined if one is none. */
export function readDomains(list: string): readonly string[] | undefined {
  const domains = list
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => (/^[\p{L}\p{M}\p{N}.-]+$/u.test(part) ? domainOf(`somebody@${part}`) : undefined));
  return domains.includes(undefined) ? undefined : (domains as string[]);
}
