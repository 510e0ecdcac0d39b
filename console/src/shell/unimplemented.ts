/** The paths of pages that are not implemented yet; they show the not-found page. */
export const unimplementedPaths: Readonly<Record<'repositories' | 'invitations' | 'administration', string>> =
  {
    repositories: '/repositories',
    invitations: '/user/invitations',
    administration: '/admin',
  };

/** Whether a path belongs to a page that is not implemented yet. */
export function isUnimplemented(path: string): boolean {
  return Object.values(unimplementedPaths).some((part) => path === part || path.startsWith(`${part}/`));
}
