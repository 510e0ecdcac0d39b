/** The address of a document's page in the site, from its root; `/` is the home page. */
export function addressOf(slug: string, hash = ''): string {
  return `/${slug === '' ? 'first-steps' : slug}.html${hash === '' ? '' : `#${hash}`}`;
}

/** Makes the addresses of a page relative to it, so that the site works below any path. */
export function withRelativeAddresses(path: string, html: string): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return html.replaceAll(/ (href|src|srcSet|srcset)="\/(?!\/)([^"]*)"/gu, (_, name: string, to: string) => {
    const target = `${up}${to}`;
    return ` ${name.toLowerCase()}="${target === '' ? './' : target}"`;
  });
}
