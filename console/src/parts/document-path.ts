/** The address of a document; its slug is empty for the first one. */
export function documentPath(slug: string): string {
  return slug === '' ? '/docs' : `/docs/${slug}`;
}
